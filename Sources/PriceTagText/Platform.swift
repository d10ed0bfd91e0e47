// All differences between platforms are in this file. Other files import PriceTagText instead of the C library, and
// qualify a C function if a method has the same name: `PriceTagText.read(…)`.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif

/// A limit of the system for this process.
package enum ResourceLimit {
  /// The maximum size of a file that this process writes, in bytes.
  case fileSize
  /// The maximum number of open files.
  case openFiles

  /// The current limit; `Int.max` if there is no limit, and `nil` if the system does not report it.
  package var current: Int? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resources = (fileSize: RLIMIT_FSIZE.rawValue, openFiles: RLIMIT_NOFILE.rawValue)
      let status = getrlimit(
        __rlimit_resource_t(self == .fileSize ? resources.fileSize : resources.openFiles),
        &limit
      )
    #else
      let status = getrlimit(self == .fileSize ? RLIMIT_FSIZE : RLIMIT_NOFILE, &limit)
    #endif
    return status == 0 ? Int(clamping: limit.rlim_cur) : nil
  }
}

/// The type of stream sockets.
package var streamSocket: Int32 {
  #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
  #else
    SOCK_STREAM
  #endif
}

/// The flag of `send` that prevents SIGPIPE; 0 on systems without it.
package var sendsWithoutSignal: Int32 {
  #if canImport(Darwin)
    0
  #else
    Int32(MSG_NOSIGNAL)
  #endif
}

extension stat {
  /// The time of the last change of the file's contents.
  package var modificationTime: timespec {
    #if canImport(Darwin)
      st_mtimespec
    #else
      st_mtim
    #endif
  }
}

extension sigaction {
  /// Whether the process ignores the signal.
  package var isIgnored: Bool {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }
}

/// Opens a file without a name in a folder for writing; returns a negative number on systems without such files.
package func openUnnamedFile(in folder: String, _ permissions: mode_t) -> Int32 {
  #if os(Linux)
    // O_TMPFILE, which Swift does not import.
    open(folder, O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, permissions)
  #else
    -1
  #endif
}

/// Starts a thread; returns `nil` if the system cannot start another one.
package func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  let context = Unmanaged.passRetained(ThreadBody(body))
  #if canImport(Darwin)
    var started: pthread_t?
  #else
    var started = pthread_t()
  #endif
  let status = pthread_create(
    &started,
    nil,
    { context in
      let given: UnsafeMutableRawPointer? = context
      if let given { Unmanaged<ThreadBody>.fromOpaque(given).takeRetainedValue().run() }
      return nil
    },
    context.toOpaque()
  )
  guard status == 0 else {
    context.release()
    return nil
  }
  return started
}

/// Lowers the priority of the calling thread until it ends: without privileges, it cannot be raised again.
package func lowerThreadPriority() {
  #if canImport(Darwin)
    setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG)
  #else
    // PRIO_PROCESS, whose type differs between C libraries. On Linux, it means the calling thread. With 10, the thread has a
    // tenth of the CPU time of one with the normal priority.
    setpriority(0, 0, 10)
  #endif
}

/// Makes the allocator return each freed block of more than 128 KB to the system.
///
/// glibc would raise this size to that of the largest freed block, and store freed blocks that are smaller.
package func returnLargeBlocksToSystem() {
  #if canImport(Glibc)
    // Swift does not import <malloc.h>. There, -3 is M_MMAP_THRESHOLD.
    typealias SetOption = @convention(c) (Int32, Int32) -> Int32
    guard let function = dlsym(nil, "mallopt") else { return }
    _ = unsafeBitCast(function, to: SetOption.self)(-3, 128 << 10)
  #endif
}

/// Returns the CPU time that the calling thread has used.
package func threadCPUTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

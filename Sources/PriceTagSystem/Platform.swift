// What the C library has, in the form in which Swift needs it. Modules below import PriceTagSystem instead of the C library, and
// qualify a C function if a method has the same name: `PriceTagSystem.read(…)`.
@_exported import Glibc

/// A limit of the system for this process.
package enum ResourceLimit {
  /// The maximum size of a file that this process writes, in bytes.
  case fileSize
  /// The maximum number of open files.
  case openFiles

  /// The current limit; `Int.max` if there is no limit, and `nil` if the system does not report it.
  package var current: Int? {
    var limit = rlimit()
    let resource = self == .fileSize ? RLIMIT_FSIZE : RLIMIT_NOFILE
    let status = getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    return status == 0 ? Int(clamping: limit.rlim_cur) : nil
  }
}

extension sigaction {
  /// Whether the process ignores the signal.
  package var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

/// Opens a file without a name in a folder for writing; returns a negative number on file systems without such files.
package func openUnnamedFile(in folder: String, _ permissions: mode_t) -> Int32 {
  // O_TMPFILE, which Swift does not import.
  open(folder, O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, permissions)
}

/// Starts a thread; returns `nil` if the system cannot start another one.
package func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  let context = Unmanaged.passRetained(ThreadBody(body))
  var started = pthread_t()
  let status = pthread_create(
    &started,
    nil,
    { context in
      if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run() }
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
  // PRIO_PROCESS means the calling thread. With 10, the thread has a tenth of the CPU time of one with the normal priority.
  setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
}

/// Makes the allocator return each freed block of more than 128 KB to the system.
///
/// glibc would raise this size to that of the largest freed block, and store freed blocks that are smaller.
package func returnLargeBlocksToSystem() {
  // Swift does not import <malloc.h>. There, -3 is M_MMAP_THRESHOLD.
  typealias SetOption = @convention(c) (Int32, Int32) -> Int32
  guard let function = dlsym(nil, "mallopt") else { return }
  _ = unsafeBitCast(function, to: SetOption.self)(-3, 128 << 10)
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

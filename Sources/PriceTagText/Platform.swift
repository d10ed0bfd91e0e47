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

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What happens on SIGINT and SIGTERM: unfinished files are removed, a line says how far the work is, and the process
/// ends by the same signal, as whoever sent it expects.
enum Interruption {
  /// From now on, tells with a line of this text.
  static func tell(_ text: @escaping @Sendable () -> String) {
    for (number, name) in [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM")] {
      var action = sigaction()
      sigaction(number, nil, &action)
      // Somebody who ignores it, as nohup does for others, means it.
      if isIgnored(action) { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        OutputFile.abandonAll {
          StandardError.write("\(ProgressLine.cleared)pricetag: stopped by \(name): \(text())\n")
          signal(number, SIG_DFL)
          // A queue's threads hold signals back.
          var own = sigset_t()
          sigemptyset(&own)
          sigaddset(&own, number)
          pthread_sigmask(SIG_UNBLOCK, &own, nil)
          raise(number)
          _exit(128 + number)
        }
      }
      source.resume()
      // As long as the process.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if os(Linux)
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #else
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #endif
  }
}

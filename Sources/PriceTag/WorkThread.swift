#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of the system: the pool of tasks has one for each processor, and a thread may wait for long.
package final class WorkThread {
  private final class Body {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private let thread: pthread_t

  /// Starts a thread; `nil` where the system has none left, so that the others do its work.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(body))
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
        if let given { Unmanaged<Body>.fromOpaque(given).takeRetainedValue().body() }
        return nil
      },
      context.toOpaque()
    )
    guard status == 0 else {
      context.release()
      return nil
    }
    #if canImport(Darwin)
      guard let started else { return nil }
    #endif
    thread = started
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }
}

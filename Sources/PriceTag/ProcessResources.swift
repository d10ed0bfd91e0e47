import PriceTagText
import Synchronization

/// The threads and file descriptors that a process has left.
///
/// libdispatch, which SQLite's connections and the HTTP service are served by, waits forever where it gets no thread,
/// and ends the process where it gets no descriptor. So a shortage is looked for before it is used.
package enum ProcessResources {
  /// What is short, as an error's problem and fix; `nil` where there is enough.
  ///
  ///     ProcessResources.shortage(threads: 4, descriptors: 8)   // nil
  package static func shortage(threads: Int, descriptors: Int) -> (problem: String, fix: String)? {
    let free = freeDescriptors(upTo: descriptors)
    if free < descriptors {
      return (
        "the process can open \(counted(free, "more file")), and needs \(descriptors)",
        fix: SystemError(EMFILE).fix(.read)
      )
    }
    let startable = startableThreads(upTo: threads)
    if startable < threads {
      return (
        "the process can start \(counted(startable, "more thread")), and needs \(threads)",
        fix: "raise the limit of processes and threads (ulimit -u), or end others"
      )
    }
    return nil
  }

  /// How many files a process may have open at once.
  package static var descriptorLimit: Int { ResourceLimit.openFiles.current ?? 256 }

  private static func freeDescriptors(upTo count: Int) -> Int {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      // Where there is no such device, nothing can be said.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? opened.count : count }
      opened.append(descriptor)
    }
    return count
  }

  /// Keeps the threads that are counted from ending before all are started.
  private final class Gate: Sendable {
    private let lock = Mutex(())

    func hold<Answer>(_ body: () -> Answer) -> Answer { lock.withLock { _ in body() } }
    func pass() { lock.withLock { _ in } }
  }

  private static func startableThreads(upTo count: Int) -> Int {
    let gate = Gate()
    let threads = gate.hold {
      var threads: [WorkThread] = []
      while threads.count < count, let thread = WorkThread({ gate.pass() }) { threads.append(thread) }
      return threads
    }
    for thread in threads { thread.join() }
    return threads.count
  }
}

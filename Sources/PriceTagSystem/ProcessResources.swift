import PriceTagText

import Synchronization

/// Checks how many threads and file descriptors are available to the process.
///
/// SQLite's connections and the HTTP service use libdispatch. It waits forever if it gets no thread, and ends the process
/// if it gets no file descriptor. Callers therefore check for a shortage first.
package enum ProcessResources {
  /// Returns the problem and fix for a shortage; `nil` if there are enough threads and descriptors.
  ///
  ///     ProcessResources.shortage(threads: 4, descriptors: 8)   // nil
  package static func shortage(threads: Int, descriptors: Int) -> (problem: String, fix: String)? {
    let free = freeDescriptors(upTo: descriptors)
    if free < descriptors {
      return (
        "the process can open only \(counted(free, "more file")), but needs \(descriptors)",
        fix: SystemError(EMFILE).fix(.read)
      )
    }
    let startable = startableThreads(upTo: threads)
    if startable < threads {
      return (
        "the process can start only \(counted(startable, "more thread")), but needs \(threads)",
        fix: "raise the limit of processes and threads (ulimit -u), or end others"
      )
    }
    return nil
  }

  /// The maximum number of open files of the process.
  package static var descriptorLimit: Int { ResourceLimit.openFiles.current ?? 256 }

  private static func freeDescriptors(upTo count: Int) -> Int {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      // Without /dev/null, the number cannot be found out. It is assumed to be enough.
      guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? opened.count : count }
      opened.append(descriptor)
    }
    return count
  }

  /// Keeps the counted threads running until all of them have started.
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

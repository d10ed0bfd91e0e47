import NIOCore
import Synchronization

/// Runs a connection's tasks on the thread that reads and writes it: handing each step of a request to another thread and
/// back costs more than most requests do.
///
/// What takes long must not run here, for it would keep all connections of the thread waiting: see `Workers`.
final class LoopExecutor: TaskExecutor {
  private static let all = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

  private let eventLoop: any EventLoop

  private init(_ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
  }

  /// The executor of an event loop: one for all its connections.
  static func of(_ eventLoop: any EventLoop) -> LoopExecutor {
    all.withLock { all in
      if let known = all[ObjectIdentifier(eventLoop)] { return known }
      let made = LoopExecutor(eventLoop)
      all[ObjectIdentifier(eventLoop)] = made
      return made
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

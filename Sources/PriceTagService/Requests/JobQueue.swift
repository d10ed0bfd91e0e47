import NIOCore
import PriceTag
import PriceTagText
import Synchronization

/// A job that waits for its turn or runs.
///
/// Sendable notes: the lock of the workers protects `kind` and `isCanceled` is atomic. Only the thread that runs the job
/// uses the times and the memory.
final class Job: @unchecked Sendable {
  let share: ConnectionClient.Share
  let limits: Workers.Limits
  /// Whether the job may be refused. False for a part of a stream, whose response has begun.
  let mayRefuse: Bool
  var kind: Workers.Kind
  let isCanceled = Atomic(false)
  /// The reservation that grows with the output; `nil` if the output is not counted.
  var memory: BufferReservation?
  var cpuStart = Duration.zero
  var nextCheck = ContinuousClock.now
  /// Runs the job, and returns a function that resumes the task that waits for it.
  let run: (WorkBudget) -> () -> Void
  /// Resumes the task that waits for the job, which does not run.
  let fail: (Problem) -> Void

  init(
    _ kind: Workers.Kind,
    _ limits: Workers.Limits,
    of share: ConnectionClient.Share,
    mayRefuse: Bool,
    memory: BufferReservation? = nil,
    run: @escaping (WorkBudget) -> () -> Void,
    fail: @escaping (Problem) -> Void
  ) {
    (self.kind, self.limits, self.share, self.mayRefuse) = (kind, limits, share, mayRefuse)
    (self.memory, self.run, self.fail) = (memory, run, fail)
  }
}

/// The waiting jobs of one kind, and the number of running ones of each client. Clients take turns.
struct JobQueue {
  /// The clients with waiting jobs, the next one first.
  private var clients = CircularBuffer<(share: ConnectionClient.Share, jobs: CircularBuffer<Job>)>()
  private var running: [ConnectionClient.Share: Int] = [:]
  /// The number of waiting jobs that may be refused.
  private var refusableCount = 0

  var isEmpty: Bool { clients.isEmpty }
  var count: Int { clients.reduce(0) { $0 + $1.jobs.count } }

  /// Adds a job, and returns the job that then has no room: the last one of the client with the most jobs, which may be the
  /// new one.
  ///
  /// - Parameter limit: The maximum number of waiting jobs that may be refused.
  mutating func add(_ job: Job, limit: Int) -> Job? {
    let client = clients.firstIndex { $0.share == job.share }
    var refused: Job?
    if job.mayRefuse, refusableCount >= limit {
      let largest = clients.max { $0.jobs.count < $1.jobs.count }?.jobs
      let ownCount = client.map { clients[$0].jobs.count } ?? 0
      guard let largest, largest.count > ownCount + 1, let last = largest.last(where: \.mayRefuse) else {
        return job
      }
      // Its client has other jobs, so the places of clients do not change.
      remove(last)
      refused = last
    }
    if let client { clients[client].jobs.append(job) } else { clients.append((job.share, [job])) }
    if job.mayRefuse { refusableCount += 1 }
    return refused
  }

  /// Takes the next job of the next client that has fewer running jobs than its limit.
  mutating func next(limitOfClient limit: Int) -> Job? {
    guard let turn = clients.firstIndex(where: { runningCount(of: $0.share) < limit }) else { return nil }
    var client = clients.remove(at: turn)
    guard let job = client.jobs.popFirst() else { return nil }
    if !client.jobs.isEmpty { clients.append(client) }
    if job.mayRefuse { refusableCount -= 1 }
    countRunning(job, 1)
    return job
  }

  /// Removes a job, and returns whether it waited.
  @discardableResult mutating func remove(_ job: Job) -> Bool {
    guard let client = clients.firstIndex(where: { $0.share == job.share }),
      let place = clients[client].jobs.firstIndex(where: { $0 === job })
    else { return false }
    clients[client].jobs.remove(at: place)
    if clients[client].jobs.isEmpty { clients.remove(at: client) }
    if job.mayRefuse { refusableCount -= 1 }
    return true
  }

  /// Returns the number of a client's running jobs.
  func runningCount(of share: ConnectionClient.Share) -> Int { running[share] ?? 0 }

  /// Counts a job that begins or ends to run as one of this kind.
  mutating func countRunning(_ job: Job, _ change: Int) {
    let count = runningCount(of: job.share) + change
    running[job.share] = count > 0 ? count : nil
  }
}

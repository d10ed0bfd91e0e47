import Dispatch
import NIOCore
import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization

/// A scheduler with threads for jobs: pages, products, many rows.
///
/// Cheap jobs, which take milliseconds, and costly jobs have separate queues and threads. The threads of costly jobs have
/// a lower priority. In both queues clients take turns, and a client never has all threads of a kind. A cheap job that
/// takes long becomes a costly one.
///
/// Sendable notes: a lock protects all mutable state.
final class Workers: Sendable {
  /// The workers of the service.
  static let shared = Workers()

  /// The expected cost of a job.
  enum Kind: String, CaseIterable {
    case cheap, costly
  }

  /// The limits of a job.
  struct Limits: Sendable {
    /// The maximum number of bytes of output.
    var byteCount = 16 << 20
    /// The maximum CPU time in seconds.
    var cpuSeconds = 10

    /// The limits of parts of streams, which are short and cannot be refused.
    static let unlimited = Limits(byteCount: .max, cpuSeconds: 1_000_000_000)
  }

  /// The queue and the threads of one kind of jobs.
  private struct Lane {
    var queue = JobQueue()
    var threadCount = 0
    /// The threads that wait for a job.
    var idle: [DispatchSemaphore] = []
  }

  private struct State {
    var cheap = Lane()
    var costly = Lane()
    var promotedCount = 0

    subscript(kind: Kind) -> Lane {
      get { kind == .cheap ? cheap : costly }
      _modify { if kind == .cheap { yield &cheap } else { yield &costly } }
    }
  }

  /// The time between two checks of a job's CPU time, which cost more than other checks.
  private static let checkInterval = Duration.milliseconds(1)

  private let state = Mutex(State())
  private let canceled = Atomic(0)
  private let clientThreadCount: Int
  private let maximumWaiting: Int
  private let maximumPromoted: Int
  private let cheapTime: Duration

  /// Creates workers. Threads start when they are needed.
  ///
  /// - Parameters:
  ///   - clientThreadCount: The number of jobs of one kind that a client may run at a time. All clients together may run one
  ///     more.
  ///   - maximumWaiting: The maximum number of waiting jobs of one kind.
  ///   - maximumPromoted: The maximum number of cheap jobs that have become costly ones.
  ///   - cheapTime: The CPU time after which a cheap job becomes a costly one.
  init(
    clientThreadCount: Int = System.coreCount,
    maximumWaiting: Int = 512,
    maximumPromoted: Int = 8,
    cheapTime: Duration = .milliseconds(10)
  ) {
    self.clientThreadCount = max(1, clientThreadCount)
    (self.maximumWaiting, self.maximumPromoted, self.cheapTime) = (maximumWaiting, maximumPromoted, cheapTime)
  }

  private var threadCount: Int { clientThreadCount + 1 }

  /// The maximum number of jobs that run at a time.
  var maximumStartedCount: Int { Kind.allCases.count * threadCount + maximumPromoted }

  /// The number of jobs canceled so far.
  var canceledCount: Int { canceled.load(ordering: .relaxed) }

  /// Returns the number of waiting jobs.
  func waitingCount(_ kind: Kind) -> Int { state.withLock { $0[kind].queue.count } }

  /// Runs a job when its turn comes.
  ///
  /// - Parameters:
  ///   - kind: The expected cost of the job.
  ///   - limits: The limits of the job.
  ///   - mayRefuse: Whether the job may be refused if too many wait. False for a stream, whose response has begun.
  ///   - memory: The reservation that grows with the output of the job; `nil` if the output is not counted.
  ///   - body: The job. Libraries that it calls find its budget in `WorkBudget.current`.
  /// - Throws: The error of the job, or a problem if the job is refused or canceled, or exceeds its limits.
  func run<Value: Sendable>(
    _ kind: Kind,
    _ limits: Limits,
    mayRefuse: Bool = true,
    memory: BufferReservation? = nil,
    _ body: @escaping @Sendable () throws(Problem) -> Value
  ) async throws -> Value {
    let client = ConnectionClient.current ?? ConnectionClient()
    defer { client.endJob() }
    return try await withCheckedThrowingContinuation { continuation in
      let job = Job(kind, limits, of: client.share, mayRefuse: mayRefuse, memory: memory) { budget in
        let result = WorkBudget.$current.withValue(budget) {
          Result<Value, Problem> { () throws(Problem) in try body() }
        }
        // The excess is the cause of any error that the job throws after it.
        let outcome = budget.excess.map { .failure(Problem($0)) } ?? result
        return { continuation.resume(with: outcome) }
      } fail: {
        continuation.resume(throwing: $0)
      }
      if client.beginJob({ self.cancel(job) }) {
        add(job)
      } else {
        canceled.add(1, ordering: .relaxed)
        job.fail(Problem(.canceled))
      }
    }
  }

  // MARK: Waiting jobs

  private func add(_ job: Job) {
    let refused = state.withLock { state -> (job: Job, reason: WorkBudget.Excess?)? in
      // The client may have left since the job was created.
      if job.isCanceled.load(ordering: .relaxed) { return (job, .canceled) }
      return state[job.kind].queue.add(job, limit: maximumWaiting).map { ($0, nil) }
    }
    if let refused { refused.job.fail(refused.reason.map(Problem.init) ?? .busy) }
    wake(job.kind)
  }

  /// Removes a waiting job, or lets a running one end at its next checkpoint.
  private func cancel(_ job: Job) {
    canceled.add(1, ordering: .relaxed)
    let hasWaited = state.withLock { state in
      job.isCanceled.store(true, ordering: .relaxed)
      return state[job.kind].queue.remove(job)
    }
    if hasWaited { job.fail(Problem(.canceled)) }
  }

  // MARK: Threads

  /// Lets an idle thread look for a job, or starts a thread if there may be more.
  private func wake(_ kind: Kind) {
    let (idle, starts) = state.withLock { state -> (DispatchSemaphore?, Bool) in
      guard !state[kind].queue.isEmpty else { return (nil, false) }
      if let idle = state[kind].idle.popLast() { return (idle, false) }
      guard state[kind].threadCount < threadCount else { return (nil, false) }
      state[kind].threadCount += 1
      return (nil, true)
    }
    idle?.signal()
    // Without another thread, the running ones do the work.
    if starts, WorkThread({ self.work(kind) }) == nil { state.withLock { $0[kind].threadCount -= 1 } }
  }

  /// Runs jobs of one kind. Ends after a job that has become one of another kind.
  private func work(_ kind: Kind) {
    pthread_detach(pthread_self())
    if kind == .costly { lowerThreadPriority() }
    let isReady = DispatchSemaphore(value: 0)
    while true {
      let job = state.withLock { state in
        let job = state[kind].queue.next(limitOfClient: clientThreadCount)
        if job == nil { state[kind].idle.append(isReady) }
        return job
      }
      guard let job else {
        isReady.wait()
        continue
      }
      if run(job) != kind { return }
    }
  }

  /// Runs a job, and returns its kind at the end.
  private func run(_ job: Job) -> Kind {
    let startedKind = job.kind
    let resume = begin(job)
    let kind = state.withLock { state in
      state[job.kind].queue.countRunning(job, -1)
      if job.kind != startedKind { state.promotedCount -= 1 }
      return job.kind
    }
    resume()
    // Its client may run another costly job, for which a thread may wait.
    if kind != startedKind { wake(kind) }
    return kind
  }

  /// Runs a job, and returns a function that resumes the task that waits for it. The reservation then belongs to the task.
  private func begin(_ job: Job) -> () -> Void {
    job.cpuStart = threadCPUTime()
    let (memory, byteCount) = (job.memory, job.memory?.byteCount ?? 0)
    job.memory = nil
    let budget = WorkBudget(maximumByteCount: job.limits.byteCount) { count in
      memory?.resize(to: byteCount + count) ?? true
    } check: {
      self.check(job)
    }
    return job.run(budget)
  }

  /// Returns the reason why a job must end; `nil` if it may continue.
  private func check(_ job: Job) -> WorkBudget.Excess? {
    if job.isCanceled.load(ordering: .relaxed) { return .canceled }
    let now = ContinuousClock.now
    guard now >= job.nextCheck else { return nil }
    job.nextCheck = now + Self.checkInterval
    let cpuTime = threadCPUTime() - job.cpuStart
    if job.mayRefuse, cpuTime > .seconds(job.limits.cpuSeconds) {
      return .tooMuchTime(seconds: job.limits.cpuSeconds)
    }
    if cpuTime > cheapTime, job.kind == .cheap { promote(job) }
    return nil
  }

  /// Makes a cheap job a costly one, so that its thread may be replaced, unless its client runs too many costly jobs.
  private func promote(_ job: Job) {
    let isPromoted = state.withLock { state in
      guard state.promotedCount < maximumPromoted,
        state.costly.queue.runningCount(of: job.share) < clientThreadCount
      else { return false }
      state.cheap.queue.countRunning(job, -1)
      state.costly.queue.countRunning(job, 1)
      state.cheap.threadCount -= 1
      state.promotedCount += 1
      job.kind = .costly
      return true
    }
    guard isPromoted else { return }
    lowerThreadPriority()
    wake(.cheap)
  }
}

extension Workers.Kind {
  /// The kind of a job that handles rows, messages or a list of identifiers, by the size of the body.
  init(byteCount: Int) { self = byteCount <= ImmediateAnswerHandler.maximumByteCount ? .cheap : .costly }

  /// The kind of a job that formats a number of products.
  init(productCount: Int) { self = productCount <= 32 ? .cheap : .costly }
}

extension Problem {
  /// Too many jobs wait.
  static let busy = Problem(unavailable: "busy", "too many requests are waiting", fix: "retry in a second")

  /// Creates the problem of a job that exceeds a limit.
  init(_ excess: WorkBudget.Excess) {
    switch excess {
    case .tooManyBytes(let limit):
      self.init(
        .unprocessableContent,
        "answer-too-large",
        "the response would be larger than \(limit) bytes",
        fix: "split the request, or raise --max-answer-bytes"
      )
    case .tooMuchTime(let seconds):
      self.init(
        .unprocessableContent,
        "answer-too-slow",
        "the response would take more than \(seconds) s of CPU time",
        fix: "split the request, or raise --max-cpu-seconds"
      )
    case .outOfMemory: self = .outOfBuffers
    case .canceled:
      // The status that nginx logs. Only a client that has closed its side alone can read it.
      self.init(
        .init(code: 499),
        "client-closed",
        "the client closed its side of the connection before the response",
        fix: "keep the connection open until the response is complete"
      )
    }
  }
}

extension WorkBudget {
  /// Ends a step and counts its output, if the current job has a budget.
  static func spend(byteCount: Int) throws(Problem) {
    guard let current else { return }
    do throws(Excess) {
      try current.checkpoint()
      try current.add(byteCount: byteCount)
    } catch { throw Problem(error) }
  }
}

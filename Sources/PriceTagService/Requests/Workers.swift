import Dispatch
import NIOCore
import NIOPosix
import PriceTag
import PriceTagText
import Synchronization

/// A scheduler with a thread pool for long jobs: pages, products, many rows.
///
/// Jobs run in time slices of two milliseconds. At the end of a slice a job is paused if others wait. New jobs start
/// before paused ones continue, so a short request does not wait for a long one to finish. Every fourth slice goes to a
/// paused job or, in alternation, to a part of a stream, so that those finish too.
///
/// Sendable notes: a lock protects all mutable state.
final class Workers: Sendable {
  /// The workers of the service.
  static let shared = Workers()

  /// The limits of a job.
  struct Limits: Sendable {
    /// The maximum number of bytes of output.
    var byteCount = 16 << 20
    /// The maximum CPU time in seconds.
    var cpuSeconds = 10

    /// The maximum CPU time as a duration.
    var cpuTime: Duration { .seconds(cpuSeconds) }

    /// The limits of parts of streams, which are short and cannot be refused.
    static let unlimited = Limits(byteCount: .max, cpuSeconds: 1_000_000_000)
  }

  private struct State {
    /// Jobs that have not started, in order of arrival.
    var new = CircularBuffer<@Sendable () -> Void>()
    /// Parts of streams that have not started. Each stream has at most one, and they are not refused.
    var streamParts = CircularBuffer<@Sendable () -> Void>()
    /// Paused jobs. Each blocks a thread.
    var paused = CircularBuffer<DispatchSemaphore>()
    /// The number of running jobs.
    var runningCount = 0
    /// The number of consecutive slices given to new jobs.
    var consecutiveNewCount = 0
    /// Whether the next slice that is not for a new job is for a part of a stream.
    var isStreamPartNext = false

    var isEmpty: Bool { new.isEmpty && streamParts.isEmpty && paused.isEmpty }
  }

  private static let maximumConsecutiveNewCount = 3

  private let state = Mutex(State())
  private let threadCount: Int
  private let slice: Duration
  private let maximumWaiting: Int
  private let maximumPaused: Int
  private let allowance: Duration
  private let pool: NIOThreadPool

  /// Creates workers with a thread pool.
  ///
  /// - Parameters:
  ///   - threadCount: The number of jobs that run at a time.
  ///   - slice: The time that a job runs before others may run.
  ///   - maximumWaiting: The maximum number of jobs that wait to start; further ones are refused.
  ///   - maximumPaused: The maximum number of paused jobs.
  ///   - allowance: The CPU time after which a job that cannot be paused, because too many are, fails with `busy`.
  ///     Until then it keeps running.
  init(
    threadCount: Int = System.coreCount,
    slice: Duration = .milliseconds(2),
    maximumWaiting: Int = 512,
    maximumPaused: Int = 64,
    allowance: Duration = .milliseconds(100)
  ) {
    self.threadCount = max(1, threadCount)
    (self.slice, self.allowance) = (slice, allowance)
    (self.maximumWaiting, self.maximumPaused) = (maximumWaiting, maximumPaused)
    pool = NIOThreadPool(numberOfThreads: self.threadCount + maximumPaused)
    pool.start()
  }

  /// The maximum number of jobs that have started and not finished.
  var maximumStartedCount: Int { threadCount + maximumPaused }

  /// The number of jobs that wait to start or to continue.
  var waitingCount: Int { state.withLock { $0.new.count + $0.streamParts.count + $0.paused.count } }

  /// Runs a job when its turn comes.
  ///
  /// - Parameters:
  ///   - limits: The limits of the job.
  ///   - mayRefuse: Whether the job may be refused if too many wait. False for a stream, whose response has begun.
  ///   - body: The job. Libraries that it calls find its budget in `WorkBudget.current`.
  /// - Throws: The error of the job, or a problem if the job is refused or exceeds its limits.
  func run<Value: Sendable>(
    _ limits: Limits,
    mayRefuse: Bool = true,
    _ body: @escaping @Sendable () throws(Problem) -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let job: @Sendable () -> Void = {
        let clock = SliceClock(self.slice)
        let budget = WorkBudget(maximumByteCount: limits.byteCount) {
          self.pause(clock, limits, mayRefuse: mayRefuse)
        }
        let result = WorkBudget.$current.withValue(budget) {
          Result<Value, Problem> { () throws(Problem) in try body() }
        }
        self.finish()
        // The excess is the cause of any error that the job throws after it.
        if let excess = budget.excess {
          continuation.resume(throwing: Problem(excess))
        } else {
          continuation.resume(with: result)
        }
      }
      let isAccepted = state.withLock { state in
        if !mayRefuse {
          state.streamParts.append(job)
          return true
        }
        guard state.new.count < maximumWaiting else { return false }
        state.new.append(job)
        return true
      }
      guard isAccepted else { return continuation.resume(throwing: Problem(.busy)) }
      schedule()
    }
  }

  /// Starts or resumes jobs until `threadCount` jobs are running.
  private func schedule() {
    while true {
      enum Next {
        case start(@Sendable () -> Void)
        case resume(DispatchSemaphore)
      }
      let next = state.withLock { state -> Next? in
        guard state.runningCount < threadCount else { return nil }
        if state.new.isEmpty || state.consecutiveNewCount >= Self.maximumConsecutiveNewCount {
          let prefersStreamPart = state.isStreamPartNext || state.paused.isEmpty
          state.isStreamPartNext.toggle()
          if prefersStreamPart, let part = state.streamParts.popFirst() {
            state.consecutiveNewCount = 0
            state.runningCount += 1
            return .start(part)
          }
          if let paused = state.paused.popFirst() {
            state.consecutiveNewCount = 0
            state.runningCount += 1
            return .resume(paused)
          }
        }
        guard let job = state.new.popFirst() else { return nil }
        state.consecutiveNewCount += 1
        state.runningCount += 1
        return .start(job)
      }
      switch next {
      case nil: return
      case .resume(let semaphore): semaphore.signal()
      // The pool has a thread for every running or paused job, so the job starts immediately.
      case .start(let job): pool.submit { _ in job() }
      }
    }
  }

  /// Marks a job as finished and schedules others.
  private func finish() {
    state.withLock { $0.runningCount -= 1 }
    schedule()
  }

  /// Pauses the job if its slice has ended and other jobs wait. Returns when the job may continue.
  ///
  /// - Returns: The limit that the job has exceeded; `nil` if it may continue.
  private func pause(_ clock: SliceClock, _ limits: Limits, mayRefuse: Bool) -> WorkBudget.Excess? {
    guard clock.sliceHasEnded() else { return nil }
    let cpuTime = clock.cpuTime
    if mayRefuse, cpuTime > limits.cpuTime { return .tooMuchTime(seconds: limits.cpuSeconds) }
    let semaphore = DispatchSemaphore(value: 0)
    enum Decision { case proceed, wait, refuse }
    let decision = state.withLock { state -> Decision in
      if state.isEmpty { return .proceed }
      guard state.paused.count < maximumPaused else {
        // The response of a stream has begun, so it is not cut off.
        return mayRefuse && !state.new.isEmpty && cpuTime > allowance ? .refuse : .proceed
      }
      state.paused.append(semaphore)
      state.runningCount -= 1
      return .wait
    }
    switch decision {
    case .refuse: return .busy
    case .wait:
      schedule()
      semaphore.wait()
    case .proceed: break
    }
    clock.beginSlice()
    return nil
  }
}

/// Measures the time of a job.
///
/// Sendable notes: only the job's thread uses it.
private final class SliceClock: Sendable {
  private let slice: Duration
  private let cpuStart: Duration
  private let sliceStart: Mutex<ContinuousClock.Instant>

  /// Creates a clock. Must be called on the job's thread.
  init(_ slice: Duration) {
    self.slice = slice
    cpuStart = Self.threadCPUTime()
    sliceStart = Mutex(.now)
  }

  func sliceHasEnded() -> Bool { sliceStart.withLock { .now - $0 >= slice } }

  func beginSlice() { sliceStart.withLock { $0 = .now } }

  /// The CPU time that the job has used.
  var cpuTime: Duration { Self.threadCPUTime() - cpuStart }

  private static func threadCPUTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }
}

extension Problem {
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
    case .busy:
      self.init(unavailable: "busy", "too many requests are waiting", fix: "retry in a second")
    }
  }
}

extension WorkBudget {
  /// Lets other jobs run and counts output, if the current job has a budget.
  static func spend(byteCount: Int) throws(Problem) {
    guard let current else { return }
    do throws(Excess) {
      try current.checkpoint()
      try current.add(byteCount: byteCount)
    } catch { throw Problem(error) }
  }
}

import Dispatch
import NIOCore
import NIOPosix
import PriceTag
import PriceTagText
import Synchronization

/// Threads for work that takes long: pages, products, many rows.
///
/// Work runs in slices of two milliseconds. Where other work waits at the end of a slice, the longer work is paused, and
/// work that has not begun goes first, so that a short request never waits for a long one to end. One slice in four goes to
/// paused work and to parts of streams in turn, so that they end too.
///
/// Sendable notes: everything that changes is under a lock.
final class Workers: Sendable {
  /// What the service uses.
  static let shared = Workers()

  /// What one piece of work may use.
  struct Limits: Sendable {
    /// The most bytes of output.
    var byteCount = 16 << 20
    /// The most seconds of CPU time.
    var cpuSeconds = 10

    /// The same as a duration.
    var cpuTime: Duration { .seconds(cpuSeconds) }

    /// For parts of a stream, which are short, and cannot be refused.
    static let unlimited = Limits(byteCount: .max, cpuSeconds: 1_000_000_000)
  }

  private struct State {
    /// Work that has not begun, in the order that it came.
    var fresh = CircularBuffer<@Sendable () -> Void>()
    /// Parts of streams that have not begun. They are as many as there are streams, and are not refused.
    var parts = CircularBuffer<@Sendable () -> Void>()
    /// Work that waits for its next turn, each on a thread of its own.
    var paused = CircularBuffer<DispatchSemaphore>()
    /// Work that is running now.
    var running = 0
    /// How many turns in a row went to work that had not begun.
    var freshTurns = 0
    /// Whether the next turn that does not go to work that has not begun is a part's.
    var isTurnOfParts = false

    var isEmpty: Bool { fresh.isEmpty && parts.isEmpty && paused.isEmpty }
  }

  private static let mostFreshTurns = 3

  private let state = Mutex(State())
  private let threadCount: Int
  private let slice: Duration
  private let maximumWaiting: Int
  private let maximumPaused: Int
  private let allowance: Duration
  private let pool: NIOThreadPool

  /// Workers with threads of their own.
  ///
  /// - Parameters:
  ///   - threadCount: How much work runs at a time.
  ///   - slice: How long work runs until other work gets its turn.
  ///   - maximumWaiting: How much work may wait to begin; more is refused.
  ///   - maximumPaused: How much work may be paused.
  ///   - allowance: The CPU time after which work that would be one more is ended as busy; until then it goes on.
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

  /// The most work that has begun and not ended.
  var maximumBegunCount: Int { threadCount + maximumPaused }

  /// The work that waits for a turn, paused work included.
  var waitingCount: Int { state.withLock { $0.fresh.count + $0.parts.count + $0.paused.count } }

  /// Does some work when its turn comes.
  ///
  /// - Parameters:
  ///   - limits: What it may use.
  ///   - mayRefuse: Whether it is refused where too much waits: not where its answer has begun.
  ///   - body: The work. Libraries that it calls find its budget in `WorkBudget.current`.
  /// - Throws: What the work throws; a problem where it is refused or has spent its budget.
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
        self.end()
        // What the work makes of the end of its budget is not the reason.
        if let excess = budget.excess {
          continuation.resume(throwing: Problem(excess))
        } else {
          continuation.resume(with: result)
        }
      }
      let isTaken = state.withLock { state in
        if !mayRefuse {
          state.parts.append(job)
          return true
        }
        guard state.fresh.count < maximumWaiting else { return false }
        state.fresh.append(job)
        return true
      }
      guard isTaken else { return continuation.resume(throwing: Problem(.busy)) }
      giveTurns()
    }
  }

  /// Gives every free turn to the work that is next.
  private func giveTurns() {
    while true {
      enum Next {
        case begin(@Sendable () -> Void)
        case resume(DispatchSemaphore)
      }
      let next = state.withLock { state -> Next? in
        guard state.running < threadCount else { return nil }
        if state.fresh.isEmpty || state.freshTurns >= Self.mostFreshTurns {
          let isTurnOfParts = state.isTurnOfParts || state.paused.isEmpty
          state.isTurnOfParts.toggle()
          if isTurnOfParts, let part = state.parts.popFirst() {
            state.freshTurns = 0
            state.running += 1
            return .begin(part)
          }
          if let paused = state.paused.popFirst() {
            state.freshTurns = 0
            state.running += 1
            return .resume(paused)
          }
        }
        guard let job = state.fresh.popFirst() else { return nil }
        state.freshTurns += 1
        state.running += 1
        return .begin(job)
      }
      switch next {
      case nil: return
      case .resume(let turn): turn.signal()
      // The pool has a thread for everything that runs or is paused, so this begins at once.
      case .begin(let job): pool.submit { _ in job() }
      }
    }
  }

  /// Ends a turn for good.
  private func end() {
    state.withLock { $0.running -= 1 }
    giveTurns()
  }

  /// Gives the turn to others where the slice has ended and they wait, and comes back with the next one.
  private func pause(_ clock: SliceClock, _ limits: Limits, mayRefuse: Bool) -> WorkBudget.Excess? {
    guard clock.sliceHasEnded() else { return nil }
    let cpuTime = clock.cpuTime
    if mayRefuse, cpuTime > limits.cpuTime { return .tooMuchTime(seconds: limits.cpuSeconds) }
    let turn = DispatchSemaphore(value: 0)
    enum Outcome { case goesOn, waits, isRefused }
    let outcome = state.withLock { state -> Outcome in
      if state.isEmpty { return .goesOn }
      guard state.paused.count < maximumPaused else {
        // A stream has begun, and is not cut off.
        return mayRefuse && !state.fresh.isEmpty && cpuTime > allowance ? .isRefused : .goesOn
      }
      state.paused.append(turn)
      state.running -= 1
      return .waits
    }
    switch outcome {
    case .isRefused: return .busy
    case .waits:
      giveTurns()
      turn.wait()
    case .goesOn: break
    }
    clock.beginSlice()
    return nil
  }
}

/// The time that one piece of work takes.
///
/// Sendable notes: the thread of the work uses it, and no other.
private final class SliceClock: Sendable {
  private let slice: Duration
  private let cpuStart: Duration
  private let sliceStart: Mutex<ContinuousClock.Instant>

  /// A clock that begins on the thread of the work.
  init(_ slice: Duration) {
    self.slice = slice
    cpuStart = Self.threadCPUTime()
    sliceStart = Mutex(.now)
  }

  func sliceHasEnded() -> Bool { sliceStart.withLock { .now - $0 >= slice } }

  func beginSlice() { sliceStart.withLock { $0 = .now } }

  /// The CPU time that the work has used.
  var cpuTime: Duration { Self.threadCPUTime() - cpuStart }

  private static func threadCPUTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }
}

extension Problem {
  /// Why work was ended.
  init(_ excess: WorkBudget.Excess) {
    switch excess {
    case .tooManyBytes(let limit):
      self.init(
        .unprocessableContent,
        "answer-too-large",
        "the answer would be larger than \(limit) bytes",
        fix: "ask for less in one request, or raise --max-answer-bytes"
      )
    case .tooMuchTime(let seconds):
      self.init(
        .unprocessableContent,
        "answer-too-slow",
        "the answer would take more than \(seconds) s of CPU time",
        fix: "ask for less in one request, or raise --max-cpu-seconds"
      )
    case .busy:
      self.init(unavailable: "busy", "too many requests wait already", fix: "try again in a second")
    }
  }
}

extension WorkBudget {
  /// Lets other work go first, and counts output, where the work that calls has a budget.
  static func spend(byteCount: Int) throws(Problem) {
    guard let current else { return }
    do throws(Excess) {
      try current.goOn()
      try current.add(byteCount: byteCount)
    } catch { throw Problem(error) }
  }
}

import NIOCore
import NIOPosix
import Synchronization

/// Threads for what takes long, which would keep other connections from their turn: reading the catalogue, writing pages,
/// formatting many rows.
struct Workers: Sendable {
  /// For work of milliseconds.
  static let short = Workers(.singleton)
  /// For products and pages, of which a large shop's take seconds: they wait for one another, and for nothing else.
  static let long: Workers = {
    let pool = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
    pool.start()
    return Workers(pool)
  }()

  /// So many wait for their turn; it would be no use to let more wait.
  private static let mostWaiting = 512

  private let pool: NIOThreadPool
  private let waiting = Count()

  private init(_ pool: NIOThreadPool) {
    self.pool = pool
  }

  /// Does some work when its turn comes.
  ///
  /// - Parameter mayRefuse: Whether it is refused where too much waits: not where an answer has begun.
  /// - Throws: What the work throws; a problem where it is refused.
  func run<Value: Sendable>(
    mayRefuse: Bool = true,
    _ body: @escaping @Sendable () throws(Problem) -> Value
  ) async throws -> Value {
    defer { waiting.number.subtract(1, ordering: .relaxed) }
    let number = waiting.number.add(1, ordering: .relaxed).newValue
    guard number <= Self.mostWaiting || !mayRefuse else { throw Problem.busy }
    return try await pool.runIfActive { try body() }
  }

  private final class Count: Sendable {
    let number = Atomic(0)
  }
}

extension Problem {
  /// More is asked than can be answered in time.
  fileprivate static var busy: Problem {
    var problem = Problem(
      .serviceUnavailable,
      "busy",
      "too many requests wait already",
      fix: "try again in a second"
    )
    problem.headers[.retryAfter] = "1"
    return problem
  }
}

import NIOPosix

/// Threads for what takes long: reading the catalogue and writing pages, which would keep others from their turn.
struct Workers: Sendable {
  private let pool: NIOThreadPool

  init(_ pool: NIOThreadPool = .singleton) {
    self.pool = pool
  }

  func run<Value: Sendable>(_ body: @escaping @Sendable () throws(Problem) -> Value) async throws -> Value {
    try await pool.runIfActive { try body() }
  }
}

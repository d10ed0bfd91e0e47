import Dispatch
import PriceTag
import PriceTagCatalog
import PriceTagSystem
import Synchronization

/// Checks that the process may create enough threads and file descriptors.
///
/// - Throws: `.outOfResources` if it may not.
func requireResources(threads: Int, descriptors: Int) throws(CatalogError) {
  guard let shortage = ProcessResources.shortage(threads: threads, descriptors: descriptors) else { return }
  throw CatalogError(.outOfResources, shortage.problem, fix: shortage.fix)
}

/// Runs asynchronous work, and blocks the thread until it is complete.
func runBlocking<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let result = Mutex<Result<Value, any Error>>(.failure(CancellationError()))
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    isDone.signal()
  }
  isDone.wait()
  return try result.withLock { $0 }.get()
}

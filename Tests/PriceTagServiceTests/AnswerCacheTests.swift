import HTTPTypes
import NIOCore
import PriceTag
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests answers that several requests share.
@Suite struct AnswerCacheTests {
  /// Dates of API requests do not displace pages.
  @Test func answersOfAPIDoNotDisplacePages() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service()
    _ = try await service.send(.get, "/assets/store.css")
    _ = try await service.send(.get, "/v1/storefronts/JPN?at=2026-01-01")
    let snapshot = service.watcher.current.snapshot
    #expect(snapshot.answers["/assets/store.css"] != nil)
    #expect(snapshot.answersOfAPI["/v1/storefronts/JPN?2026-01-01.at"] != nil)
    #expect(snapshot.answers["/v1/storefronts/JPN?2026-01-01.at"] == nil)
  }

  // MARK: Computations

  /// A computation that counts its calls and ends when the test says so.
  private final class Computation: Sendable {
    let calls = Atomic(0)
    let (results, continuation) = AsyncStream.makeStream(of: Result<String, Problem>.self)

    /// Ends the next call.
    func end(_ result: Result<String, Problem>) { continuation.yield(result) }

    @Sendable func run() async throws -> Answer {
      calls.add(1, ordering: .relaxed)
      for await result in results { return Answer(try result.get()) }
      throw CancellationError()
    }
  }

  private static func text(_ answer: Answer) -> String? {
    if case .bytes(let buffer) = answer.contents { String(buffer: buffer) } else { nil }
  }

  /// Starts requests for an answer, each after the one before it waits.
  private static func requests(
    _ count: Int,
    _ cache: AnswerCache,
    _ computation: Computation
  ) async -> [Task<String?, any Error>] {
    var tasks: [Task<String?, any Error>] = []
    for number in 1...count {
      tasks.append(Task { text(try await cache.shared("key", computation.run)) })
      while cache.requestCount(of: "key") < number { await Task.yield() }
    }
    return tasks
  }

  @Test func computesOnceForAllRequests() async throws {
    let (cache, computation) = (AnswerCache(maximumByteCount: 1000), Computation())
    let requests = await Self.requests(20, cache, computation)
    computation.end(.success("page"))
    for request in requests { #expect(try await request.value == "page") }
    #expect(computation.calls.load(ordering: .relaxed) == 1 && cache.requestCount(of: "key") == 0)
  }

  static let failures: [(what: String, problem: Problem, calls: Int, succeeding: Int)] = [
    // Every request would fail in the same way.
    ("a damaged catalog", .internal, 1, 0),
    // Only the first request failed.
    ("a full queue", .busy, 2, 4),
    ("a client that left", Problem(.canceled), 2, 4),
  ]

  @Test(arguments: failures.indices) func sharesFailuresThatAllWouldMeet(index: Int) async throws {
    let (what, problem, calls, succeeding) = Self.failures[index]
    let (cache, computation) = (AnswerCache(maximumByteCount: 1000), Computation())
    let requests = await Self.requests(5, cache, computation)
    computation.end(.failure(problem))
    while cache.requestCount(of: "key") != succeeding { await Task.yield() }
    computation.end(.success("page"))
    var pages = 0
    for request in requests where (try? await request.value) == "page" { pages += 1 }
    #expect(pages == succeeding && computation.calls.load(ordering: .relaxed) == calls, "\(what)")
  }

  /// A request that is canceled does not cancel the computation for others.
  @Test func canceledRequestLeavesOthers() async throws {
    let (cache, computation) = (AnswerCache(maximumByteCount: 1000), Computation())
    let requests = await Self.requests(3, cache, computation)
    requests[0].cancel()
    requests[2].cancel()
    computation.end(.success("page"))
    #expect(try await requests[1].value == "page")
    #expect(computation.calls.load(ordering: .relaxed) == 1)
  }

  @Test func computationEndsWithItsLastRequest() async throws {
    let (cache, computation) = (AnswerCache(maximumByteCount: 1000), Computation())
    let requests = await Self.requests(2, cache, computation)
    for request in requests { request.cancel() }
    for request in requests { await #expect(throws: CancellationError.self) { try await request.value } }
    #expect(cache.requestCount(of: "key") == 0)
    // A later request starts it again.
    let later = Computation()
    let next = await Self.requests(1, cache, later)
    later.end(.success("page"))
    #expect(try await next[0].value == "page")
  }
}

import Dispatch
import Foundation
import PriceTag
import Synchronization
import Testing

@testable import PriceTagService

/// Tests the scheduling and the limits of jobs.
@Suite(.serialized) struct WorkersTests {
  /// Runs until a flag is set, and lets other jobs run.
  private static func longWork(_ isOver: SharedFlag) throws(Problem) {
    while !isOver.isSet {
      do throws(WorkBudget.Excess) { try WorkBudget.current?.checkpoint() } catch { throw Problem(error) }
    }
  }

  @Test func shortJobsDoNotWaitForLongJobs() async throws {
    let workers = Workers(threadCount: 1, slice: .milliseconds(1), maximumPaused: 4)
    let isOver = SharedFlag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await workers.run(.unlimited) { () throws(Problem) in try Self.longWork(isOver) }
        }
      }
      // These all finish before any of the four.
      for number in 0..<100 {
        let answer = try await workers.run(Workers.Limits()) { number }
        #expect(answer == number)
      }
      isOver.set()
      try await group.waitForAll()
    }
    #expect(workers.waitingCount == 0)
  }

  /// Parts of streams are not refused, do not cause other jobs to be refused, and run in turn with them.
  @Test func streamPartsRunInTurn() async throws {
    let workers = Workers(threadCount: 1, slice: .milliseconds(1), maximumWaiting: 1, maximumPaused: 4)
    let isOver = SharedFlag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await workers.run(.unlimited) { () throws(Problem) in try Self.longWork(isOver) }
      }
      try await withThrowingTaskGroup(of: Int.self) { parts in
        for number in 0..<200 {
          parts.addTask { try await workers.run(.unlimited, mayRefuse: false) { number } }
        }
        for number in 0..<20 {
          let answer = try await workers.run(Workers.Limits()) { number }
          #expect(answer == number)
        }
        let answers = try await parts.reduce(into: Set<Int>()) { $0.insert($1) }
        #expect(answers.count == 200)
      }
      isOver.set()
      try await group.waitForAll()
    }
  }

  @Test func pausedJobFinishesDuringManyShortJobs() async throws {
    let workers = Workers(threadCount: 1, slice: .milliseconds(1), maximumPaused: 4)
    let (hasBegun, isOver, hasEnded) = (SharedFlag(), SharedFlag(), SharedFlag())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await workers.run(.unlimited) { () throws(Problem) in
          hasBegun.set()
          try Self.longWork(isOver)
        }
        hasEnded.set()
      }
      for _ in 0..<8 {
        group.addTask {
          while !hasEnded.isSet {
            let isDuringLongJob = hasBegun.isSet
            try await workers.run(Workers.Limits()) {}
            // There is one thread, so the long job was paused.
            if isDuringLongJob { isOver.set() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(hasEnded.isSet)
  }

  @Test func failsJobsIfTooManyArePaused() async throws {
    let workers = Workers(threadCount: 1, slice: .milliseconds(1), maximumPaused: 1, allowance: .zero)
    let isOver = SharedFlag()
    let codes = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do {
            try await workers.run(.unlimited) { () throws(Problem) in try Self.longWork(isOver) }
            return "done"
          } catch let problem as Problem { return problem.code }
        }
      }
      var codes = [try await group.next() ?? "", try await group.next() ?? ""]
      isOver.set()
      for try await code in group { codes.append(code) }
      return codes
    }
    #expect(codes == ["busy", "busy", "done", "done"])
  }

  @Test(
    arguments: [
      (Workers.Limits(byteCount: 100, cpuSeconds: 10), "answer-too-large"),
      (Workers.Limits(byteCount: 1 << 20, cpuSeconds: 0), "answer-too-slow"),
    ]
  )
  func failsJobThatExceedsLimit(_ limits: Workers.Limits, code: String) async throws {
    let workers = Workers(threadCount: 1, slice: .milliseconds(1))
    var failure: Problem?
    do {
      try await workers.run(limits) { () throws(Problem) in
        var byteCount = 0
        while true {
          do throws(WorkBudget.Excess) {
            if byteCount <= limits.byteCount { try WorkBudget.current?.add(byteCount: 10) }
            byteCount += 10
            try WorkBudget.current?.checkpoint()
          } catch { throw Problem.internal }
        }
      }
    } catch { failure = error as? Problem }
    // The problem names the limit, although the job threw another problem.
    #expect(failure?.code == code)
  }

  @Test func refusesJobsIfTooManyWait() async throws {
    let workers = Workers(threadCount: 1, slice: .seconds(60), maximumWaiting: 1)
    let (isOver, hasBegun) = (SharedFlag(), SharedFlag())
    async let running: Void = workers.run(Workers.Limits()) {
      hasBegun.set()
      while !isOver.isSet { usleep(1000) }
    }
    while !hasBegun.isSet { try await Task.sleep(for: .milliseconds(1)) }
    async let waiting: Void = workers.run(Workers.Limits()) {}
    while workers.waitingCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
    await #expect { try await workers.run(Workers.Limits()) {} } throws: { ($0 as? Problem)?.code == "busy" }
    isOver.set()
    _ = try await (running, waiting)
  }
}

/// A flag that threads share.
final class SharedFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

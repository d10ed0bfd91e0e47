import Logging
import PriceTagText
import Testing

@testable import PriceTagService

/// Tests writing log lines to a pipe.
@Suite struct LogSinkTests {
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(PriceTagText.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  private static func readToEnd(_ descriptor: Int32) -> [UInt8] {
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 10_000))
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }

  /// Lines longer than a pipe writes atomically, and more than its buffer holds.
  @Test func linesOfThreadsDoNotMix() async throws {
    let ends = try Self.pipe()
    let reader = Task.detached { Self.readToEnd(ends.reading) }
    await withTaskGroup(of: Void.self) { group in
      for letter in ["a", "b", "c", "d"] {
        group.addTask {
          let logger = Logger(label: "x") { ServiceLogHandler(label: $0, descriptor: ends.writing) }
          let value = String(repeating: letter, count: 1_000)
          let metadata = Logger.Metadata(uniqueKeysWithValues: (1...10).map { ("k\($0)", "\(value)") })
          for _ in 0..<50 { logger.info("m", metadata: metadata) }
        }
      }
    }
    close(ends.writing)
    let lines = await reader.value.split(separator: 0x0A)
    close(ends.reading)
    #expect(lines.count == 200)
    #expect(Set(lines.map { $0.dropFirst(24) }).count == 4)
  }

  /// Writes to a full pipe without a reader.
  @Test func dropsLinesIfPipeIsFull() throws {
    let ends = try Self.pipe()
    let sink = LogSink(descriptor: ends.writing)
    for _ in 0..<10_000 { sink.write(Array(repeating: UInt8(ascii: "a"), count: 100)) }
    close(ends.writing)
    #expect((4096..<1_000_000).contains(Self.readToEnd(ends.reading).count))
    close(ends.reading)
  }

  @Test func dropsLinesIfDescriptorFails() throws {
    let sink = LogSink(descriptor: -1)
    sink.write(Array("line\n".utf8))
    let ends = try Self.pipe()
    defer { close(ends.reading) }
    _ = fcntl(ends.writing, F_SETFL, fcntl(ends.writing, F_GETFL) | O_NONBLOCK)
    let full = LogSink(descriptor: ends.writing)
    full.write([UInt8](repeating: 0x61, count: 1_000_000))
    close(ends.writing)
    #expect(Self.readToEnd(ends.reading).count == 65_536)
  }
}

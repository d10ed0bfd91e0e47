import Foundation
import Logging
import PriceTagSystem
import PriceTagText
import Testing

@testable import PriceTagService

/// Tests writing log lines to a pipe.
@Suite struct LogSinkTests {
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(PriceTagSystem.pipe(&ends) == 0)
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
    while !LogSink.of(ends.writing, .text).flush() {}
    close(ends.writing)
    let lines = await reader.value.split(separator: 0x0A)
    close(ends.reading)
    #expect(lines.count == 200)
    #expect(Set(lines.map { $0.dropFirst(24) }).count == 4)
  }

  /// Fills the pipe, and returns its size.
  private static func fill(_ descriptor: Int32) -> Int {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    let bytes = [UInt8](repeating: 0x2E, count: 4096)
    var size = 0
    while case let count = PriceTagSystem.write(descriptor, bytes, bytes.count), count > 0 { size += count }
    return size
  }

  /// Lines for which a queue of 1,000 bytes has no room are dropped completely, and counted in a line of the log.
  @Test(arguments: [ServiceLogHandler.Format.text, .json])
  func dropsLinesIfReaderIsSlow(format: ServiceLogHandler.Format) throws {
    let ends = try Self.pipe()
    let size = Self.fill(ends.writing)
    let sink = LogSink(descriptor: ends.writing, format, maximumByteCount: 1_000)
    let before = LogSink.droppedLineCount.load(ordering: .relaxed)
    // Returns although nothing reads the pipe.
    for number in 10..<25 { sink.write(Array("\(number)\(String(repeating: "a", count: 97))\n".utf8)) }
    #expect(LogSink.droppedLineCount.load(ordering: .relaxed) >= before + 5)
    var text = ""
    while text.dropFirst(size).count(where: { $0 == "\n" }) < 11 {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(ends.reading, &buffer, buffer.count)
      text += String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
    for end in [ends.reading, ends.writing] { close(end) }
    let written = text.dropFirst(size).split(separator: "\n")
    let notes = written.filter { $0.contains("dropped log lines") }
    #expect(written.filter { !$0.contains("dropped") }.map { $0.prefix(2) } == (10..<20).map { "\($0)" })
    #expect(written.allSatisfy { $0.count == 99 || $0.contains("dropped") })
    #expect(notes.count == 1 && notes[0].contains(format == .json ? #""count":5"# : "count=5"), "\(notes)")
  }

  /// After a line that was written in part, the next one starts a line of its own.
  @Test func linesAreNotJoinedAfterFailure() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    let file = open(folder.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    unlink(folder.path)
    let ends = try Self.pipe()
    signal(SIGPIPE, SIG_IGN)
    let sink = LogSink(descriptor: ends.writing)
    // The pipe takes the start of a line, and then has no reader.
    let long = [UInt8](repeating: 0x61, count: 1_000_000) + [0x0A]
    sink.write(long)
    var byte: UInt8 = 0
    #expect(read(ends.reading, &byte, 1) == 1)
    close(ends.reading)
    while !sink.flush() {}
    // A file takes the place of the pipe.
    dup2(file, ends.writing)
    for text in ["b\n", "c\n"] { sink.write(Array(text.utf8)) }
    while !sink.flush() {}
    close(ends.writing)
    lseek(file, 0, SEEK_SET)
    let lines = String(decoding: Self.readToEnd(file), as: UTF8.self).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    #expect(lines.count == 5 && lines[0] == "" && lines[1] == "b" && lines[3] == "c", "\(lines)")
    #expect(lines[2].contains("count=1"))
  }

  @Test func dropsLinesIfDescriptorFails() {
    let sink = LogSink(descriptor: -1)
    let before = LogSink.droppedLineCount.load(ordering: .relaxed)
    sink.write(Array("line\n".utf8))
    while !sink.flush() {}
    #expect(LogSink.droppedLineCount.load(ordering: .relaxed) > before)
  }
}

import CZlib
import Foundation
import PriceTag
import PriceTagBatch
import PriceTagText
import SeededNumbers
import Testing

/// The same rows, however they come: every way cuts them into other blocks, and none of it shows.
@Suite struct BlockBorderTests {
  static let formats: [(input: BatchFormat, output: BatchFormat)] = [
    (.jsonl, .jsonl), (.csv, .csv), (.csv, .jsonl), (.jsonl, .csv),
  ]

  private static func rows(_ format: BatchFormat, _ seed: UInt64, _ count: Int) -> [UInt8] {
    var rows = RandomRows(seed: seed)
    switch format {
    case .jsonl: return rows.lines(count) { $0.json() }
    case .csv: return Array("\(RandomRows.csvHeader)\n".utf8) + rows.lines(count) { $0.csv() }
    }
  }

  @Test(arguments: formats, [1, 2] as [UInt64])
  func theWayInChangesNothing(formats: (input: BatchFormat, output: BatchFormat), seed: UInt64) throws {
    let rows = Self.rows(formats.input, seed, 4000)
    let options = BatchOptions.test {
      ($0.input, $0.output) = (formats.input, formats.output)
      if seed == 2 { $0.fields = [.spoken, .parts] }
    }
    let expected = try Outcome(.bytes(rows, name: "rows"), options)
    #expect(expected.summary.formatted > 500 && expected.summary.setAside > 300)
    #expect(expected.summary.read == expected.summary.formatted + expected.rejects.count)
    func same(_ found: Outcome, _ way: String) {
      #expect(found.bytes == expected.bytes, "\(way)")
      #expect(found.rejects.map(\.json) == expected.rejects.map(\.json), "\(way)")
      #expect(found.summary == expected.summary, "\(way)")
    }
    for jobs in [2, 8] {
      same(try Outcome(.bytes(rows, name: "rows"), options.with(jobs)), "\(jobs) jobs")
    }
    let file = try ScratchFile(rows)
    same(try Outcome(.file(path: file.path), options.with(2)), "a file")
    same(try Outcome(.bytes(try Gzip.compressed(rows), name: "rows"), options), "compressed")
    for jobs in [1, 3] {
      let pieces = Pieces(rows, seed: seed)
      same(
        try Outcome(.descriptor(pieces.descriptor, name: "rows"), options.with(jobs)),
        "a pipe, \(jobs) jobs"
      )
    }
    let compressedFile = try ScratchFile(try Gzip.compressed(rows))
    same(try Outcome(.file(path: compressedFile.path), options.with(2)), "a compressed file")
  }

  private static func withoutSuggestion(_ message: String) -> String {
    guard let start = message.firstRange(of: " (did you mean ")?.lowerBound,
      let end = message[start...].firstRange(of: "?)")?.upperBound
    else { return message }
    return String(message[..<start] + message[end...])
  }

  /// The output of two inputs, one behind the other, is their outputs.
  @Test(arguments: [4, 5] as [UInt64])
  func rowsKnowNothingOfOneAnother(seed: UInt64) throws {
    let (first, second) = (Self.rows(.jsonl, seed, 3000), Self.rows(.jsonl, seed + 100, 3000))
    func json(_ bytes: [UInt8]) throws -> Outcome {
      try Outcome(.bytes(bytes, name: "rows"), .test { $0.input = .jsonl })
    }
    let both = try json(first + second)
    let apart = (try json(first), try json(second))
    #expect(both.bytes == apart.0.bytes + apart.1.bytes)
    // Suggestions end after the first thousand rejects of a batch.
    func messages(_ rejects: [BatchReject]) -> [String] {
      rejects.map { $0.code == "unknown-storefront" ? Self.withoutSuggestion($0.message) : $0.message }
    }
    #expect(messages(both.rejects) == messages(apart.0.rejects + apart.1.rejects))
    // Row by row, too.
    var lines: [UInt8] = []
    for line in first.split(separator: 0x0A) { lines += try json(Array(line)).bytes }
    #expect(lines == apart.0.bytes)
    let header = Array("\(RandomRows.csvHeader)\n".utf8)
    let outputHeader = Array("\(RandomRows.csvHeader),display\n".utf8)
    let (left, right) = (Self.rows(.csv, seed, 3000), Self.rows(.csv, seed + 100, 3000))
    func csv(_ bytes: [UInt8]) throws -> Outcome { try Outcome(.bytes(bytes, name: "rows")) }
    let records = try csv(left + right.dropFirst(header.count))
    #expect(records.bytes == (try csv(left).bytes + csv(right).bytes.dropFirst(outputHeader.count)))
  }

  /// A record that comes over a pipe line by line takes no more memory than it has bytes.
  @Test func aRecordMayComeSlowly() throws {
    let record = "\"" + String(repeating: "a line\n", count: 200) + "\""
    let bytes = Array("n,storefront,amount\n\(record),USA,1\n".utf8)
    let pieces = Pieces(bytes, seed: 1, most: 8)
    let found = try Outcome(.descriptor(pieces.descriptor, name: "rows"))
    #expect(found.text == "n,storefront,amount,display\n\(record),USA,1,$1.00\n")
  }

  /// Whoever writes a row and waits for its display gets it.
  @Test func aRowIsAnsweredBeforeTheNextIsWritten() throws {
    let (input, output) = (Pipe(), Pipe())
    let thread = Thread {
      let writing = output.fileHandleForWriting.fileDescriptor
      let answering = Answering(writing)
      _ = try? Batch(.test).run(
        from: .descriptor(input.fileHandleForReading.fileDescriptor, name: "rows"),
        to: answering
      )
      try? output.fileHandleForWriting.close()
    }
    thread.start()
    for amount in 1...3 {
      let row = "{\"storefront\":\"USA\",\"amount\":\"\(amount)\""
      try input.fileHandleForWriting.write(contentsOf: Data("\(row)}\n".utf8))
      let answer = output.fileHandleForReading.availableData
      #expect(String(decoding: answer, as: UTF8.self) == "\(row),\"display\":\"$\(amount).00\"}\n")
    }
    try input.fileHandleForWriting.close()
    #expect(output.fileHandleForReading.availableData.isEmpty)
  }

  /// Writes to a pipe.
  private final class Answering: BatchOutput {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
      try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
    }

    func setAside(_ reject: BatchReject) {}
    func reached(_ progress: BatchProgress) {}
  }

  @Test func whatIsNotThereIsAnError() throws {
    for path in ["/nonexistent/rows.jsonl", "/", ""] {
      do throws(BatchError) {
        _ = try Outcome(.file(path: path))
        Issue.record("\(path) is read")
      } catch { #expect(error.code == .unreadableInput, "\(error)") }
    }
  }
}

extension BatchOptions {
  fileprivate func with(_ jobs: Int) -> BatchOptions {
    var options = self
    options.jobs = jobs
    return options
  }
}

/// Bytes that come through a pipe in pieces of odd sizes, each when the last was read, mostly.
final class Pieces: Sendable {
  private let pipe = Pipe()
  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  init(_ bytes: [UInt8], seed: UInt64, most: Int = 60_000) {
    let writing = pipe.fileHandleForWriting
    let thread = Thread {
      var numbers = SeededNumbers(seed: seed)
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(
          numbers.isOne(in: 3) ? numbers.number(1...min(most, 50)) : numbers.number(1...most)
        )
        do { try writing.write(contentsOf: Data(piece)) } catch { break }
        rest = rest.dropFirst(piece.count)
        usleep(numbers.isOne(in: 4) || most < 100 ? 100 : 0)
      }
      try? writing.close()
    }
    thread.start()
  }
}

/// gzip, by zlib.
enum Gzip {
  struct Failure: Error {}

  static func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream,
        6,
        Z_DEFLATED,
        15 + 16,
        8,
        Z_DEFAULT_STRATEGY,
        ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)
      )
        == Z_OK
    else { throw Failure() }
    defer { deflateEnd(&stream) }
    var (input, output) = (bytes, [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count)))))
    let status = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw Failure() }
    return Array(output.dropLast(Int(stream.avail_out)))
  }
}

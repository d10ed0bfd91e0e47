import CZlib
import Foundation
import PriceTag
import PriceTagBatch
import PriceTagSystem
import PriceTagText
import SeededNumbers
import Testing

/// The output does not depend on how the input is divided into blocks.
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
  func formatsEveryInputEqually(formats: (input: BatchFormat, output: BatchFormat), seed: UInt64) throws {
    let rows = Self.rows(formats.input, seed, 4000)
    let options = BatchOptions.test {
      ($0.input, $0.output) = (formats.input, formats.output)
      if seed == 2 { $0.fields = [.spoken, .parts] }
    }
    let expected = try Outcome(.bytes(rows, name: "rows"), options)
    #expect(expected.summary.formatted > 500 && expected.summary.rejected > 300)
    #expect(expected.summary.read == expected.summary.formatted + expected.rejects.count)
    func expectSame(_ found: Outcome, _ input: String) {
      #expect(found.bytes == expected.bytes, "\(input)")
      #expect(found.rejects.map(\.json) == expected.rejects.map(\.json), "\(input)")
      #expect(found.summary == expected.summary, "\(input)")
    }
    for jobs in [2, 8] {
      expectSame(try Outcome(.bytes(rows, name: "rows"), options.with(jobs)), "\(jobs) jobs")
    }
    let file = try ScratchFile(rows)
    expectSame(try Outcome(.file(path: file.path), options.with(2)), "a file")
    expectSame(try Outcome(.bytes(try Gzip.compressed(rows), name: "rows"), options), "compressed")
    for jobs in [1, 3] {
      let pieces = Pieces(rows, seed: seed)
      expectSame(
        try Outcome(.descriptor(pieces.descriptor, name: "rows"), options.with(jobs)),
        "a pipe, \(jobs) jobs"
      )
    }
    let compressedFile = try ScratchFile(try Gzip.compressed(rows))
    expectSame(try Outcome(.file(path: compressedFile.path), options.with(2)), "a compressed file")
  }

  /// The output of concatenated inputs is the concatenation of their outputs.
  @Test(arguments: [4, 5] as [UInt64])
  func formatsEachRowIndependently(seed: UInt64) throws {
    let (first, second) = (Self.rows(.jsonl, seed, 3000), Self.rows(.jsonl, seed + 100, 3000))
    func json(_ bytes: [UInt8]) throws -> Outcome {
      try Outcome(.bytes(bytes, name: "rows"), .test { $0.input = .jsonl })
    }
    let both = try json(first + second)
    let separate = (try json(first), try json(second))
    #expect(both.bytes == separate.0.bytes + separate.1.bytes)
    // Only the first thousand rejects of a batch have suggestions, which are a part of the fix.
    func messages(_ rejects: [BatchReject]) -> [String] {
      rejects.map { reject in
        guard reject.code == "unknown-storefront" else { return reject.message }
        return reject.message.split(separator: "; ", maxSplits: 1).first.map(String.init) ?? ""
      }
    }
    #expect(messages(both.rejects) == messages(separate.0.rejects + separate.1.rejects))
    // The same for single rows.
    var lines: [UInt8] = []
    for line in first.split(separator: 0x0A) { lines += try json(Array(line)).bytes }
    #expect(lines == separate.0.bytes)
    let header = Array("\(RandomRows.csvHeader)\n".utf8)
    let outputHeader = Array("\(RandomRows.csvHeader),display\n".utf8)
    let (left, right) = (Self.rows(.csv, seed, 3000), Self.rows(.csv, seed + 100, 3000))
    func csv(_ bytes: [UInt8]) throws -> Outcome { try Outcome(.bytes(bytes, name: "rows")) }
    let records = try csv(left + right.dropFirst(header.count))
    #expect(records.bytes == (try csv(left).bytes + csv(right).bytes.dropFirst(outputHeader.count)))
  }

  static let shapes: [(format: BatchFormat, header: String, row: String)] = [
    (.jsonl, "", #"{"id":"a","storefront":"USA","amount":"1.50"}"#),
    (.jsonl, "", #"{"storefront":"USA","amount":1.5}"#),
    (.csv, "id,storefront,amount\n", "a,USA,1234.50"),
  ]

  /// A row with the keys of the row before it is read in another way than the first row.
  @Test(arguments: shapes)
  func formatsChangedRowAsIfFirst(shape: (format: BatchFormat, header: String, row: String)) throws {
    let (header, row) = (Array(shape.header.utf8), Array(shape.row.utf8))
    let options = BatchOptions.test { $0.input = shape.format }
    func run(_ rows: [UInt8]...) throws -> Outcome {
      try Outcome(.bytes(header + rows.joined(separator: [0x0A]), name: "rows"), options)
    }
    let plain = try run(row).bytes
    let head = plain.count - (try #require(plain.split(separator: 0x0A).last).count + 1)
    var rejectedCount = 0
    for place in row.indices {
      for byte in " \",:}0".utf8 {
        for end in [place, place + 1] {
          let changed = row[..<place] + [byte] + row[end...]
          let (first, later) = (try run(Array(changed)), try run(row, Array(changed), row))
          let expected = plain[..<head] + plain[head...] + first.bytes[head...] + plain[head...]
          #expect(later.bytes == Array(expected), "\(String(decoding: changed, as: UTF8.self))")
          #expect(later.rejects.map(\.message) == first.rejects.map(\.message))
          rejectedCount += first.rejects.count
        }
      }
    }
    #expect(rejectedCount > 50)
  }

  @Test func readsSlowPipe() throws {
    let record = "\"" + String(repeating: "a line\n", count: 200) + "\""
    let bytes = Array("n,storefront,amount\n\(record),USA,1\n".utf8)
    let pieces = Pieces(bytes, seed: 1, maximum: 8)
    let found = try Outcome(.descriptor(pieces.descriptor, name: "rows"))
    #expect(found.text == "n,storefront,amount,display\n\(record),USA,1,$1.00\n")
  }

  /// A process that writes a row to a pipe and waits for the output receives it.
  @Test func writesRowBeforeReadingTheNext() throws {
    let (input, output) = (Pipe(), Pipe())
    let thread = Thread {
      let writing = output.fileHandleForWriting.fileDescriptor
      _ = try? Batch(.test).run(
        from: .descriptor(input.fileHandleForReading.fileDescriptor, name: "rows"),
        to: PipeOutput(writing)
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
  private final class PipeOutput: BatchOutput {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
      try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
    }

    func reject(_ reject: BatchReject) {}
    func reached(_ progress: BatchProgress) {}
  }

  @Test func throwsForUnreadableFile() throws {
    for path in ["/nonexistent/rows.jsonl", "/", ""] {
      do throws(BatchError) {
        _ = try Outcome(.file(path: path))
        Issue.record("\(path) was read")
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

/// Writes bytes to a pipe in pieces of random sizes, with pauses between some of them.
final class Pieces: Sendable {
  private let pipe = Pipe()
  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  init(_ bytes: [UInt8], seed: UInt64, maximum: Int = 60_000) {
    let writing = pipe.fileHandleForWriting
    let thread = Thread {
      var numbers = SeededNumbers(seed: seed)
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(
          numbers.isOne(in: 3) ? numbers.number(1...min(maximum, 50)) : numbers.number(1...maximum)
        )
        do { try writing.write(contentsOf: Data(piece)) } catch { break }
        rest = rest.dropFirst(piece.count)
        usleep(numbers.isOne(in: 4) || maximum < 100 ? 100 : 0)
      }
      try? writing.close()
    }
    thread.start()
  }
}

/// Compresses with zlib.
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

import Foundation
import PriceTag
import PriceTagBatch

/// The laws that hold for every input of a batch. The fuzzer searches for input that violates one, and the tests replay the
/// inputs of the corpus.
///
/// The first byte selects the format, the second byte the options (output, delimiter, fields, overwriting). The rest are
/// rows.
struct BatchLaws {
  /// The format of each first byte.
  static let selectors: [UInt8: BatchFormat] = [UInt8(ascii: " "): .jsonl, UInt8(ascii: "!"): .csv]

  private let input: BatchFormat
  private let output: BatchFormat
  private let options: BatchOptions
  private let rows: [UInt8]
  /// Returns a reject as JSON, which the fuzzer's package cannot; `nil` to compare descriptions.
  private let json: ((BatchReject) -> String)?

  /// Returns `nil` for bytes that are not an input of a batch.
  init?(_ bytes: [UInt8], json: ((BatchReject) -> String)? = nil) throws {
    guard bytes.count >= 2, let format = Self.selectors[bytes[0]] else { return nil }
    self.json = json
    let bits = bytes[1]
    input = format
    output = bits & 1 == 0 ? .jsonl : .csv
    var options = BatchOptions()
    (options.input, options.output) = (input, output)
    options.delimiter = Array(",;\t|".utf8)[Int((bits >> 1) & 3)]
    options.fields = [BatchField.spoken, .isolated, .html, .parts].enumerated().filter { field in
      (bits >> (3 + field.offset)) & 1 == 1
    }.map(\.element)
    options.overwrites = bits >> 7 == 1
    options.day = try .date(CalendarDate("2026-11-21"))
    self.options = options
    rows = Array(bytes.dropFirst(2))
  }

  /// Returns the law that is violated, or `nil`.
  func violation() throws(BatchError) -> String? {
    let one = try run(rows) { _ in }
    guard one.summary.read == one.summary.formatted + one.rejects.count,
      one.summary.rejected == one.rejects.count,
      one.summary.rejectedByCode.values.reduce(0, +) == one.rejects.count
    else { return "rows are lost" }
    for reject in one.rejects {
      if reject.description.contains(where: \.isNewline) { return "a description of several lines" }
      if let json = json?(reject), !Self.isJSON(json) { return "a reject that is not JSON: \(json)" }
    }
    let two = try run(rows) { $0.jobs = 2 }
    guard two.bytes == one.bytes, two.rejects.map(text) == one.rejects.map(text) else {
      return "the output depends on the number of jobs"
    }
    if output == .jsonl {
      let lines = one.bytes.split(separator: 0x0A)
      if lines.count != one.summary.formatted {
        return "\(lines.count) lines for \(one.summary.formatted) rows"
      }
      // From JSON, numbers are copied, and Foundation rejects some of them.
      if input == .csv,
        let line = lines.map({ String(decoding: $0, as: UTF8.self) }).first(where: { !Self.isJSON($0) })
      {
        return "a line that is not JSON: \(line)"
      }
    }
    if input == .jsonl, output == .jsonl, try !isSameWithRowFormatter(one.bytes, one.rejects.map(\.code)) {
      return "RowFormatter writes other rows"
    }
    return try secondViolation(one.bytes)
  }

  private func text(_ reject: BatchReject) -> String { json?(reject) ?? reject.description }

  /// Returns whether `RowFormatter` writes the same rows and rejects.
  private func isSameWithRowFormatter(_ expected: [UInt8], _ codes: [String]) throws(BatchError) -> Bool {
    // `RowFormatter` reads neither byte order marks nor gzip.
    if rows.starts(with: [0xEF, 0xBB, 0xBF]) || rows.starts(with: [0x1F, 0x8B]) { return true }
    // Nor does it read arrays.
    if rows.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "[") { return true }
    let formatter = try RowFormatter(options)
    var found: [String] = []
    let (summary, _) = formatter.format(rows) { reject in
      found.append(reject.code)
      return ""
    }
    let lines = formatter.withOutput { $0.split(separator: 0x0A).map { Array($0) } }
    return found == codes && summary.rejected == codes.count
      && lines == expected.split(separator: 0x0A).map { Array($0) }
  }

  /// Formats the output again, with overwriting. The result must be the same.
  ///
  /// There are two exceptions: an empty CSV field is absent, but an empty JSON string is not; and JSON can escape a NUL
  /// character, but CSV cannot.
  private func secondViolation(_ first: [UInt8]) throws(BatchError) -> String? {
    if first.isEmpty || (input == .csv && output == .jsonl) || (output == .csv && first.contains(0)) {
      return nil
    }
    let again = try run(first) {
      $0.input = output
      $0.overwrites = true
    }
    if !again.rejects.isEmpty { return "a row of the output is rejected: \(again.rejects[0])" }
    return again.bytes == first ? nil : "formatting the output again changes it"
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
  }

  private func run(_ bytes: [UInt8], _ change: (inout BatchOptions) -> Void) throws(BatchError) -> Collected {
    var changed = options
    change(&changed)
    let collected = Collected()
    collected.summary = try Batch(changed).run(from: .bytes(bytes, name: "rows"), to: collected)
    return collected
  }

  /// Sendable notes: a batch calls from one thread at a time, and the properties are read after it.
  private final class Collected: BatchOutput, @unchecked Sendable {
    var bytes: [UInt8] = []
    var rejects: [BatchReject] = []
    var summary = BatchSummary()

    func write(_ more: UnsafeRawBufferPointer) { bytes += more }
    func reject(_ reject: BatchReject) { rejects.append(reject) }
    func reached(_ progress: BatchProgress) {}
  }
}

import Foundation
import PriceTag
import PriceTagBatch

/// What holds for every input of a batch, whatever is in it. The fuzzer looks for one that breaks it; those that are
/// kept are replayed by the tests.
///
/// The first byte chooses the format, the second the options (output, delimiter, fields, overwriting), the rest are rows.
struct BatchLaws {
  /// The first byte of rows of JSON, and of CSV.
  static let selectors: [UInt8: BatchFormat] = [UInt8(ascii: " "): .jsonl, UInt8(ascii: "!"): .csv]

  private let input: BatchFormat
  private let output: BatchFormat
  private let options: BatchOptions
  private let rows: [UInt8]

  /// `nil` for what is no input of a batch.
  init?(_ bytes: [UInt8]) throws {
    guard bytes.count >= 2, let format = Self.selectors[bytes[0]] else { return nil }
    let bits = bytes[1]
    input = format
    output = bits & 1 == 0 ? .jsonl : .csv
    var options = BatchOptions()
    (options.input, options.output) = (input, output)
    options.delimiter = Array(",;\t|".utf8)[Int((bits >> 1) & 3)]
    options.fields = BatchField.allCases.enumerated().filter { (bits >> (3 + $0.offset)) & 1 == 1 }.map(
      \.element
    )
    options.overwrites = bits >> 7 == 1
    options.date = try CalendarDate("2026-11-21")
    self.options = options
    rows = Array(bytes.dropFirst(2))
  }

  /// The law that is broken; `nil` where all hold.
  func broken() throws(BatchError) -> String? {
    let one = try run(rows) { _ in }
    guard one.summary.read == one.summary.formatted + one.rejects.count,
      one.summary.setAside == one.rejects.count,
      one.summary.setAsideByCode.values.reduce(0, +) == one.rejects.count
    else { return "rows are lost" }
    for reject in one.rejects {
      if reject.description.contains(where: \.isNewline) { return "a reason of several lines" }
      if !Self.isJSON(reject.json) { return "a reject that is no JSON: \(reject.json)" }
    }
    let two = try run(rows) { $0.jobs = 2 }
    guard two.bytes == one.bytes, two.rejects.map(\.json) == one.rejects.map(\.json) else {
      return "two jobs answer otherwise"
    }
    if output == .jsonl {
      let lines = one.bytes.split(separator: 0x0A)
      if lines.count != one.summary.formatted {
        return "\(lines.count) lines for \(one.summary.formatted) rows"
      }
      // Of JSON the numbers are those of the input, which Foundation may refuse.
      if input == .csv,
        let line = lines.map({ String(decoding: $0, as: UTF8.self) }).first(where: { !Self.isJSON($0) })
      {
        return "a line that is no JSON: \(line)"
      }
    }
    if input == .jsonl, output == .jsonl, try !isSameAtHand(one.bytes, one.rejects.map(\.code)) {
      return "rows at hand are answered otherwise"
    }
    return try brokenAgain(one.bytes)
  }

  /// Rows at hand are the batch's, and what is wrong stands in its place.
  private func isSameAtHand(_ expected: [UInt8], _ codes: [String]) throws(BatchError) -> Bool {
    // What tells the encoding of a file belongs to no row.
    if rows.starts(with: [0xEF, 0xBB, 0xBF]) || rows.starts(with: [0x1F, 0x8B]) { return true }
    let formatter = try RowFormatter(options)
    var found: [String] = []
    let (summary, _) = formatter.format(rows) { reject in
      found.append(reject.code)
      return ""
    }
    let lines = formatter.withOutput { $0.split(separator: 0x0A).map { Array($0) } }
    return found == codes && summary.setAside == codes.count
      && lines == expected.split(separator: 0x0A).map { Array($0) }
  }

  /// The output is an input, of which every row gives itself.
  ///
  /// But for two: an empty field of CSV is absent, and as text of JSON it is an empty text; a NUL, which JSON can
  /// escape, is none of CSV's.
  private func brokenAgain(_ first: [UInt8]) throws(BatchError) -> String? {
    if first.isEmpty || (input == .csv && output == .jsonl) || (output == .csv && first.contains(0)) {
      return nil
    }
    let again = try run(first) {
      $0.input = output
      $0.overwrites = true
    }
    if !again.rejects.isEmpty { return "its own output is set aside: \(again.rejects[0])" }
    return again.bytes == first ? nil : "its own output gives another"
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

  /// Sendable notes: a batch calls with one thread at a time, and this is read when it is done.
  private final class Collected: BatchOutput, @unchecked Sendable {
    var bytes: [UInt8] = []
    var rejects: [BatchReject] = []
    var summary = BatchSummary()

    func write(_ more: UnsafeRawBufferPointer) { bytes += more }
    func setAside(_ reject: BatchReject) { rejects.append(reject) }
    func reached(_ progress: BatchProgress) {}
  }
}

import CJSON
import PriceTagSystem
import PriceTagText

/// Reads the records of a block of CSV.
final class CSVRowReader {
  private let records: CSVRecordReader
  // These properties belong to one thread and are used in the innermost loop, so exclusive access is not checked.
  @exclusivity(unchecked) private var record: CSVRecordReader.Record
  @exclusivity(unchecked) private(set) var problem: RowProblem?
  /// Whether the complete block is valid UTF-8 without NUL bytes.
  private var isBlockValid = false

  /// More columns than a spreadsheet can have: Excel 16,384 and Google Sheets 18,278. A field takes 40 bytes of memory,
  /// even if it is only a delimiter in the file.
  private static let maximumFieldCount = 20_000

  init(delimiter: UInt8) {
    records = CSVRecordReader(delimiter: delimiter, maximumFieldCount: Self.maximumFieldCount)
    record = records.record
  }

  /// Starts reading a block of complete records.
  func begin(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    records.begin(bytes, byteCount)
    isBlockValid = cjson_is_utf8(bytes, byteCount) && memchr(bytes, 0, byteCount) == nil
  }

  /// Reads the next record that is not blank. Returns false at the end of the block.
  @inline(__always)
  func next() -> Bool {
    guard let next = records.next() else { return false }
    record = next
    if next.problem != nil || !isBlockValid || problem != nil { check() }
    return true
  }

  var start: UnsafePointer<UInt8> { record.start }
  var count: Int { record.count }
  var lineEndCount: Int { record.lineEndCount }
  var line: Int { record.line }
  var lineCount: Int { records.lineCount }
  var position: UnsafePointer<UInt8> { records.position }
  var fieldCount: Int { record.fieldCount }

  /// Returns a field with its quotes.
  @inline(__always)
  func field(_ column: Int) -> CSVRecordReader.Field { record.fields[column] }

  /// Returns the value of a field.
  @inline(__always)
  func value(_ column: Int) -> FieldValue {
    let field = record.fields[column]
    return FieldValue(
      start: field.valueStart,
      count: field.valueCount,
      kind: field.valueCount > 0 ? .text : .absent,
      escapes: field.hasDoubledQuotes ? .csv : .none
    )
  }

  /// Returns the fields of a simple record, or `nil` if the record is not simple.
  @inline(__always)
  func simpleRow(_ columns: SimpleRow.Places) -> SimpleRow? {
    let (storefront, amount) = (record.fields[columns.storefront], record.fields[columns.amount])
    guard storefront.valueCount > 0, amount.valueCount > 0,
      !storefront.hasDoubledQuotes, !amount.hasDoubledQuotes
    else { return nil }
    var currency = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    if let column = columns.currency {
      guard !record.fields[column].hasDoubledQuotes else { return nil }
      currency = record.fields[column].bytes
    }
    return SimpleRow(storefront: storefront.bytes, currency: currency, amount: amount.bytes)
  }

  /// Sets `problem` if the record is malformed or has invalid bytes.
  @inline(never)
  private func check() {
    problem = record.problem.map { RowProblem($0) }
    if isBlockValid { return }
    if let nul = memchr(start, 0, count) {
      problem = .nulByte(at: UnsafeRawPointer(start).distance(to: nul))
    } else if !cjson_is_utf8(start, count) {
      problem = .notUTF8(in: UnsafeBufferPointer(start: start, count: count))
    }
  }
}

extension RowProblem {
  fileprivate convenience init(_ found: CSVProblem) {
    let place = if case .unclosedQuote = found.kind { "" } else { ", at byte \(found.offset + 1) of the row" }
    self.init(.malformedCSV, found.problem + place, fix: found.fix)
  }

  static func nulByte(at offset: Int) -> RowProblem {
    RowProblem(
      .nulByte,
      "byte \(offset + 1) of the row is NUL",
      fix: "remove it"
    )
  }

  /// Returns the problem of a row that is not UTF-8.
  static func notUTF8(in row: UnsafeBufferPointer<UInt8>) -> RowProblem {
    var offset = 0
    do { _ = try UTF8Span(validating: row.span) } catch { offset = error.byteOffsets.lowerBound }
    return RowProblem(
      .invalidUTF8,
      "byte \(offset + 1) of the row is not UTF-8",
      fix: "save the file as UTF-8"
    )
  }
}

extension CSVRecordReader.Field {
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: valueStart, count: valueCount)
  }
}

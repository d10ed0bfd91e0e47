import CJSON
import PriceTagText

/// Goes through a block of CSV record by record, and gives the fields as values of a row.
final class CSVRowReader {
  private let records: CSVRecordReader
  private(set) var problem: RowProblem?
  /// Whether all bytes of the block are UTF-8 without zeros.
  private var isChecked = false

  init(delimiter: UInt8) { records = CSVRecordReader(delimiter: delimiter) }

  /// Starts with a block of whole records.
  func begin(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    records.begin(bytes, byteCount)
    isChecked = cjson_is_utf8(bytes, byteCount) && memchr(bytes, 0, byteCount) == nil
  }

  /// Reads the next record that is not blank; false behind the last.
  @inline(__always)
  func next() -> Bool {
    guard records.next() else { return false }
    problem = nil
    if records.problem != nil || !isChecked { check() }
    return true
  }

  var start: UnsafePointer<UInt8> { records.start }
  var count: Int { records.count }
  var lineEndCount: Int { records.lineEndCount }
  var line: Int { records.line }
  var lineCount: Int { records.lineCount }
  var position: UnsafePointer<UInt8> { records.position }
  var fieldCount: Int { records.fieldCount }

  /// A field as it stands in the record.
  @inline(__always)
  func field(_ column: Int) -> CSVRecordReader.Field { records.fields[column] }

  /// The value of a field.
  @inline(__always)
  func value(_ column: Int) -> FieldValue {
    let field = records.fields[column]
    return FieldValue(
      start: field.valueStart,
      count: field.valueCount,
      kind: field.valueCount > 0 ? .text : .absent,
      escapes: field.hasDoubledQuotes ? .csv : .none
    )
  }

  /// Looks for what is wrong with the record, or with its bytes where something is wrong with the block's.
  @inline(never)
  private func check() {
    if let found = records.problem { problem = RowProblem(found) }
    if isChecked { return }
    let (start, count) = (records.start, records.count)
    if let zero = memchr(start, 0, count) {
      problem = .nulByte(at: UnsafeRawPointer(start).distance(to: zero))
    } else if !cjson_is_utf8(start, count) {
      let bytes = UnsafeBufferPointer(start: start, count: count)
      do { _ = try UTF8Span(validating: bytes.span) } catch {
        problem = .notUTF8(at: error.byteOffsets.lowerBound)
      }
    }
  }
}

extension RowProblem {
  fileprivate convenience init(_ found: CSVProblem) {
    let place = if case .unclosedQuote = found.kind { "" } else { ", at byte \(found.offset + 1) of the row" }
    self.init(.malformedCSV, found.problem + place, fix: found.fix)
  }

  static func nulByte(at place: Int) -> RowProblem {
    RowProblem(
      .nulByte,
      "byte \(place + 1) of the row is zero",
      fix: "write text without NUL"
    )
  }

  static func notUTF8(at place: Int) -> RowProblem {
    RowProblem(
      .invalidUTF8,
      "byte \(place + 1) of the row is not UTF-8",
      fix: "save the file as UTF-8"
    )
  }
}

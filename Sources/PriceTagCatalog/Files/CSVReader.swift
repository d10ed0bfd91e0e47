import PriceTag
import PriceTagText

/// Reads CSV as RFC 4180 has it, record by record: quotes, line breaks and separators inside them, CRLF, a byte order
/// mark. What the RFC leaves out is an error, not a guess.
package struct CSVReader {
  /// A record with the line that it starts on, from 1.
  package struct Record {
    package let line: Int
    package let fields: [String]
  }

  /// Hands over the records of a file; empty lines are left out.
  ///
  /// - Parameter separator: What stands between the fields; `nil` for what the first line has: a comma, or where it has
  ///   none, the semicolon or tab that spreadsheets of other countries write.
  /// - Throws: `.malformedFile` for a quote inside an unquoted field, text behind a closing quote, a quote that is not
  ///   closed, and a field that is not UTF-8; `.tooLarge`; and what the body throws.
  package static func forEachRecord(
    of file: CatalogFile,
    separator: UInt8? = UInt8(ascii: ","),
    _ body: (Record) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    var records = CSVReader(separator: separator ?? UInt8(ascii: ","))
    var pending: [UInt8] = []
    var isFirst = true
    try file.forEachChunk { (chunk) throws(CatalogError) in
      var chunk = chunk
      if isFirst {
        try CatalogFile.checkEncoding(chunk)
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) {
          chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(3))
        }
        if separator == nil { records = CSVReader(separator: Self.separator(of: chunk[...])) }
        isFirst = false
      }
      if pending.isEmpty {
        let count = try records.take(chunk, isLast: false, body)
        pending += chunk[count...]
      } else {
        pending += chunk
        pending.removeFirst(try records.take(pending, isLast: false, body))
      }
      guard pending.count <= CatalogFile.maximumLineByteCount else { throw records.tooLarge(records.line) }
      return true
    }
    _ = try records.take(pending, isLast: true, body)
  }

  /// More than any format has columns.
  private static let maximumFieldCount = 100_000

  private let records: CSVRecordReader
  /// The line of the next byte, from 1.
  private var line = 1

  private init(separator: UInt8) {
    records = CSVRecordReader(delimiter: separator, maximumFieldCount: Self.maximumFieldCount)
  }

  private mutating func take(
    _ bytes: [UInt8],
    isLast: Bool,
    _ body: (Record) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Int {
    var reader = self
    let count = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(CatalogError) in try reader.take(bytes, isLast: isLast, body) }
    }
    self = reader
    return try count.get()
  }

  /// Hands over the records that end in some bytes, and returns the number of their bytes.
  private mutating func take(
    _ bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    _ body: (Record) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    let count =
      isLast
      ? bytes.count
      : CSVRecordEnd(start, bytes.count, delimiter: records.delimiter, isLast: false).end
    records.begin(start, count)
    while records.next() {
      guard records.count + records.lineEndCount <= CatalogFile.maximumLineByteCount else {
        throw tooLarge(line + records.line)
      }
      if let found = records.problem {
        throw malformed(found.problem, fix: found.fix, line: line + found.line, field: found.field)
      }
      try body(Record(line: line + records.line, fields: try fields()))
    }
    line += records.lineCount
    return count
  }

  /// The fields of the record.
  private func fields() throws(CatalogError) -> [String] {
    var fields: [String] = []
    fields.reserveCapacity(records.fieldCount)
    for index in 0..<records.fieldCount {
      let field = records.fields[index]
      guard let text = field.text else {
        let end = field.start + field.count
        throw malformed(
          "the field is not UTF-8",
          fix: "save the file as UTF-8",
          line: line + records.line + lineFeedCount(records.start, end - records.start),
          field: index + 1
        )
      }
      fields.append(text)
    }
    return fields
  }

  /// The separator of a first line, outside quotes.
  private static func separator(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8 {
    var isQuoted = false
    var other: UInt8?
    // Empty lines are left out.
    for byte in bytes.drop(while: { $0 == 0x0A || $0 == 0x0D }) {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: continue
      case UInt8(ascii: ","): return byte
      case UInt8(ascii: ";"), 0x09: other = other ?? byte
      case 0x0A, 0x0D: return other ?? UInt8(ascii: ",")
      default: continue
      }
    }
    return other ?? UInt8(ascii: ",")
  }

  private func malformed(_ problem: String, fix: String, line: Int, field: Int) -> CatalogError {
    CatalogError(.malformedFile, problem, fix: fix, place: "line \(line), field \(field)")
  }

  private func tooLarge(_ line: Int) -> CatalogError {
    CatalogError(
      .tooLarge,
      "the record has more than \(CatalogFile.maximumLineByteCount >> 20) MB",
      fix: "close the quotes, and end each record with a line break",
      place: "line \(line)"
    )
  }
}

import PriceTag
import PriceTagText

/// Reads CSV as defined by RFC 4180, one record at a time.
///
/// Fields may be quoted and then contain separators and line breaks. Lines may end with CRLF, and the file may start
/// with a byte order mark. Everything that the RFC does not allow is an error.
package struct CSVReader {
  /// A record with the number of its first line, starting at 1.
  package struct Record {
    package let line: Int
    package let fields: [String]
  }

  /// Calls the body with each record of a file. Empty lines are skipped.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - separator: The separator between fields. `nil` detects it from the header, and skips a first line such as `sep=;`.
  ///   - body: A closure called with each record.
  /// - Throws: `.malformedFile` for a quote inside an unquoted field, text after a closing quote, an unclosed quote, or a
  ///   field that is not UTF-8; `.tooLarge`; and the errors of the body.
  package static func forEachRecord(
    of file: CatalogFile,
    separator: UInt8? = UInt8(ascii: ","),
    _ body: (Record) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    var reader = CSVReader(separator: separator ?? UInt8(ascii: ","))
    var pending: [UInt8] = []
    var isFirst = true
    try file.forEachChunk { (chunk) throws(CatalogError) in
      var chunk = chunk
      if isFirst {
        try CatalogFile.checkEncoding(chunk)
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) {
          chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(3))
        }
        if separator == nil, let start = CSVStart(chunk, isLast: true) {
          reader = CSVReader(separator: start.delimiter)
          if start.headerOffset > 0 { reader.line += 1 }
          chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst(start.headerOffset))
        }
        isFirst = false
      }
      if pending.isEmpty {
        let count = try reader.readRecords(in: chunk, isLast: false, body)
        pending += chunk[count...]
      } else {
        pending += chunk
        pending.removeFirst(try reader.readRecords(in: pending, isLast: false, body))
      }
      guard pending.count <= CatalogFile.maximumLineByteCount else { throw reader.tooLarge(reader.line) }
      return true
    }
    _ = try reader.readRecords(in: pending, isLast: true, body)
  }

  /// No format has this many columns.
  private static let maximumFieldCount = 100_000

  private let records: CSVRecordReader
  /// The line of the next byte, starting at 1.
  private var line = 1

  private init(separator: UInt8) {
    records = CSVRecordReader(delimiter: separator, maximumFieldCount: Self.maximumFieldCount)
  }

  private mutating func readRecords(
    in bytes: [UInt8],
    isLast: Bool,
    _ body: (Record) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Int {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CatalogError) in
      try readRecords(in: bytes, isLast: isLast, body)
    }
  }

  /// Calls the body with the records that end within the bytes, and returns the number of bytes read.
  private mutating func readRecords(
    in bytes: UnsafeBufferPointer<UInt8>,
    isLast: Bool,
    _ body: (Record) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    let count =
      isLast
      ? bytes.count
      : CSVRecordEnd(start, bytes.count, delimiter: records.delimiter, isLast: false).end
    records.begin(start, count)
    while let record = records.next() {
      guard record.count + record.lineEndCount <= CatalogFile.maximumLineByteCount else {
        throw tooLarge(line + record.line)
      }
      if let found = record.problem {
        throw malformed(found.problem, fix: found.fix, line: line + found.line, field: found.field)
      }
      try body(Record(line: line + record.line, fields: try fields(record)))
    }
    line += records.lineCount
    return count
  }

  private func fields(_ record: CSVRecordReader.Record) throws(CatalogError) -> [String] {
    var fields: [String] = []
    fields.reserveCapacity(record.fieldCount)
    for index in 0..<record.fieldCount {
      let field = record.fields[index]
      guard let text = field.text else {
        let end = field.start + field.count
        throw malformed(
          "the field is not UTF-8",
          fix: "save the file as UTF-8",
          line: line + record.line + lineFeedCount(record.start, end - record.start),
          field: index + 1
        )
      }
      fields.append(text)
    }
    return fields
  }

  private func malformed(_ problem: String, fix: String, line: Int, field: Int) -> CatalogError {
    CatalogError(.malformedFile, problem, fix: fix, place: "line \(line), field \(field)")
  }

  private func tooLarge(_ line: Int) -> CatalogError {
    CatalogError(
      .tooLarge,
      "the row is larger than \(CatalogFile.maximumLineByteCount >> 20) MB",
      fix: "close the quotes, and end each row with a line break",
      place: "line \(line)"
    )
  }
}

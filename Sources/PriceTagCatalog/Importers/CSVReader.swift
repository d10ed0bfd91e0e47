import PriceTag

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
    var reader = CSVReader(separator: separator ?? UInt8(ascii: ","))
    var isFirst = true
    try file.forEachChunk { (chunk) throws(CatalogError) in
      var bytes = chunk[...]
      if isFirst {
        try CatalogFile.checkEncoding(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if separator == nil { reader.separator = Self.separator(of: bytes) }
        isFirst = false
      }
      for byte in bytes {
        if let record = try reader.take(byte) { try body(record) }
      }
      return true
    }
    if let record = try reader.finish() { try body(record) }
  }

  private enum State {
    case fieldStart
    case plain
    case quoted
    /// Behind a quote that closes the field or stands for one.
    case quote
    /// Behind a carriage return.
    case lineEnd
  }

  private var separator: UInt8
  private var state = State.fieldStart
  private var field: [UInt8] = []
  private var fields: [String] = []
  private var byteCount = 0
  private var line = 1
  private var recordLine = 1

  private init(separator: UInt8) {
    self.separator = separator
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

  private func malformed(_ problem: String, fix: String) -> CatalogError {
    CatalogError(.malformedFile, problem, fix: fix, place: "line \(line), field \(fields.count + 1)")
  }

  private mutating func take(_ byte: UInt8) throws(CatalogError) -> Record? {
    byteCount += 1
    guard byteCount <= CatalogFile.maximumLineByteCount else {
      throw CatalogError(
        .tooLarge,
        "the record has more than \(CatalogFile.maximumLineByteCount >> 20) MB",
        fix: "close the quotes, and end each record with a line break",
        place: "line \(recordLine)"
      )
    }
    switch state {
    case .quoted:
      if byte == UInt8(ascii: "\"") { state = .quote } else { field.append(byte) }
    case .quote where byte == UInt8(ascii: "\""):
      field.append(byte)
      state = .quoted
    case .lineEnd where byte != 0x0A:
      throw malformed("a carriage return stands alone", fix: "put the field into quotes")
    case .fieldStart where byte == UInt8(ascii: "\""): state = .quoted
    case .plain where byte == UInt8(ascii: "\""):
      throw malformed(
        "a quote stands inside a field",
        fix: #"put the field into quotes, and write "" for a quote"#
      )
    default:
      switch byte {
      case separator:
        try endField()
        state = .fieldStart
      case 0x0D: state = .lineEnd
      case 0x0A:
        line += 1
        return try endRecord()
      case _ where state == .quote:
        throw malformed("text follows a closing quote", fix: #"write "" for a quote inside a quoted field"#)
      default:
        field.append(byte)
        state = .plain
      }
      return nil
    }
    if byte == 0x0A { line += 1 }
    return nil
  }

  private mutating func endField() throws(CatalogError) {
    guard let text = String(validating: field, as: UTF8.self) else {
      throw malformed("the field is not UTF-8", fix: "save the file as UTF-8")
    }
    fields.append(text)
    field.removeAll(keepingCapacity: true)
  }

  private mutating func endRecord() throws(CatalogError) -> Record? {
    let isEmpty = fields.isEmpty && field.isEmpty && byteCount <= 2
    try endField()
    let record = Record(line: recordLine, fields: fields)
    fields.removeAll(keepingCapacity: true)
    (state, byteCount, recordLine) = (.fieldStart, 0, line)
    return isEmpty ? nil : record
  }

  private mutating func finish() throws(CatalogError) -> Record? {
    if state == .quoted {
      throw CatalogError(
        .malformedFile,
        "a quoted field is not closed",
        fix: #"end it with a quote, and write "" for a quote inside"#,
        place: "line \(recordLine), field \(fields.count + 1)"
      )
    }
    return byteCount == 0 ? nil : try endRecord()
  }
}

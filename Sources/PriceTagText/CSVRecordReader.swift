import Glibc

/// Reads a block of CSV record by record, as defined in RFC 4180.
///
/// A malformed record does not affect the next one. The reader reports its problem after reading it: a quote inside an
/// unquoted field is taken as a character, and a quote that is never closed makes only its own line invalid.
///
/// The reader does not check whether the bytes are UTF-8. `Field.text` does.
package final class CSVRecordReader {
  /// A field with its quotes, and its value without them.
  package struct Field {
    package var start: UnsafePointer<UInt8>
    package var count: Int
    package var valueStart: UnsafePointer<UInt8>
    package var valueCount: Int
    /// Whether the value has quotes, each of which is written as two.
    package var hasDoubledQuotes: Bool

    /// The text of the value, with single quotes; `nil` if it is not UTF-8.
    package var text: String? {
      let bytes = UnsafeBufferPointer(start: valueStart, count: valueCount)
      guard hasDoubledQuotes else { return String(validating: bytes, as: UTF8.self) }
      let text = [UInt8](unsafeUninitializedCapacity: max(valueCount, 1)) { buffer, count in
        count = buffer.baseAddress.map { withoutDoubledQuotes(valueStart, valueCount, to: $0) } ?? 0
      }
      return String(validating: text, as: UTF8.self)
    }
  }

  /// A record. Its addresses are valid until the next one is read.
  package struct Record {
    /// The record without its line end. `lineEndCount` is the number of bytes of the line end.
    package fileprivate(set) var start: UnsafePointer<UInt8>
    package fileprivate(set) var count = 0
    package fileprivate(set) var lineEndCount = 0
    /// The number of line feeds in the block before the record.
    package fileprivate(set) var line = 0
    package fileprivate(set) var problem: CSVProblem?
    package fileprivate(set) var fields: UnsafeMutablePointer<Field>
    package fileprivate(set) var fieldCount = 0
  }

  package let delimiter: UInt8

  // These properties belong to one thread and are used in the innermost loop, so exclusive access is not checked.

  @exclusivity(unchecked) package private(set) var record: Record
  private let maximumFieldCount: Int
  private var fieldCapacity = 64
  @exclusivity(unchecked) private var at: UnsafePointer<UInt8>
  @exclusivity(unchecked) private var end: UnsafePointer<UInt8>
  /// The number of line feeds in the block so far.
  @exclusivity(unchecked) package private(set) var lineCount = 0
  /// The delimiter in each byte of a word.
  private let delimiters: UInt64

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - delimiter: The delimiter of fields.
  ///   - maximumFieldCount: The maximum number of fields of a record. More fields are a problem and are not stored: a
  ///     field takes 40 bytes of memory, even if it is only a comma in the file.
  package init(delimiter: UInt8, maximumFieldCount: Int = .max) {
    self.delimiter = delimiter
    self.maximumFieldCount = max(1, maximumFieldCount)
    at = ("" as StaticString).utf8Start
    end = at
    record = Record(start: at, fields: .allocate(capacity: fieldCapacity))
    delimiters = Self.inEachByte(delimiter)
  }

  deinit { record.fields.deallocate() }

  /// Starts reading a block of complete records.
  package func begin(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    (at, end, lineCount) = (bytes, bytes + byteCount, 0)
  }

  /// The start of the next record.
  package var position: UnsafePointer<UInt8> { at }

  /// Reads the next record, skipping blank lines; returns `nil` after the last record.
  package func next() -> Record? {
    repeat {
      guard at < end else { return nil }
      (record.start, record.line, record.problem) = (at, lineCount, nil)
      if !readPlainFields() { while readField() {} }
    } while record.fieldCount == 1 && record.count == 0
    return record
  }

  /// Reads fields without quotes. Returns false if the record has other bytes after them.
  @inline(__always)
  private func readPlainFields() -> Bool {
    let (fields, limit, delimiter) = (record.fields, min(fieldCapacity, maximumFieldCount), delimiter)
    var (count, start) = (0, at)
    while count < limit {
      let place = plainEnd(start)
      guard place < end, place.pointee == delimiter || place.pointee == 0x0A else { break }
      let length = place - start
      fields[count] = Field(
        start: start,
        count: length,
        valueStart: start,
        valueCount: length,
        hasDoubledQuotes: false
      )
      count += 1
      if place.pointee == 0x0A {
        (at, record.fieldCount) = (place, count)
        endRecord()
        return true
      }
      start = place + 1
    }
    (at, record.fieldCount) = (start, count)
    return false
  }

  /// Reads a field and its delimiter or line end; returns false at the end of the record.
  @inline(__always)
  private func readField() -> Bool {
    if record.fieldCount >= min(fieldCapacity, maximumFieldCount) { makeRoom() }
    var field = Field(start: at, count: 0, valueStart: at, valueCount: 0, hasDoubledQuotes: false)
    if at < end, at.pointee == UInt8(ascii: "\"") {
      guard readQuotedValue(&field) else {
        recoverFromUnclosedQuote()
        return false
      }
      if plainEnd(at) > at { report(.textAfterQuote) }
    }
    while true {
      at = plainEnd(at)
      let byte = at < end ? at.pointee : 0x0A
      if byte == delimiter || byte == 0x0A { break }
      if byte == 0x0D {
        if at + 1 == end || at[1] == 0x0A { break }
        report(.loneCarriageReturn)
      } else {
        report(.quoteInField)
      }
      at += 1
    }
    field.count = at - field.start
    if field.valueStart == field.start { field.valueCount = field.count }
    record.fields[record.fieldCount] = field
    record.fieldCount += 1
    if at < end, at.pointee == delimiter {
      at += 1
      return true
    }
    endRecord()
    return false
  }

  /// Returns the first delimiter, quote, carriage return or line feed. Compares eight bytes at a time.
  @inline(__always)
  private func plainEnd(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var place = start
    while end - place >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
      let special =
        Self.zeroBytes(word ^ delimiters) | Self.zeroBytes(word ^ Self.inEachByte(UInt8(ascii: "\"")))
        | Self.zeroBytes(word ^ Self.inEachByte(0x0A)) | Self.zeroBytes(word ^ Self.inEachByte(0x0D))
      if special != 0 { return place + special.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < end, !isSpecialInCSV(place.pointee, delimiter) { place += 1 }
    return place
  }

  @inline(__always)
  private static func inEachByte(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Returns a word with the highest bit set for each zero byte. Bits above the first one may be set for other bytes too.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Reads a quoted value; returns false if there is no closing quote.
  private func readQuotedValue(_ field: inout Field) -> Bool {
    let first = at + 1
    var searched = first
    while let found = memchr(searched, Int32(UInt8(ascii: "\"")), end - searched) {
      let quote = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      if quote + 1 < end, quote[1] == UInt8(ascii: "\"") {
        field.hasDoubledQuotes = true
        searched = quote + 2
        continue
      }
      at = quote + 1
      lineCount += lineFeedCount(first, quote - first)
      (field.valueStart, field.valueCount) = (first, quote - first)
      return true
    }
    return false
  }

  @inline(__always)
  private func endRecord() {
    record.count = at - record.start
    record.lineEndCount = 0
    if at < end, at.pointee == 0x0D {
      at += 1
      record.lineEndCount = 1
    }
    if at < end, at.pointee == 0x0A {
      at += 1
      record.lineEndCount += 1
      lineCount += 1
    }
  }

  /// Reports an unclosed quote, and makes the record end at its first line feed.
  private func recoverFromUnclosedQuote() {
    record.problem = CSVProblem(
      kind: .unclosedQuote,
      offset: at - record.start,
      field: record.fieldCount + 1,
      line: record.line
    )
    lineCount = record.line
    at = record.start
    if let found = memchr(at, 0x0A, end - at) {
      at = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    } else {
      at = end
    }
    if at > record.start, at[-1] == 0x0D { at -= 1 }
    record.fieldCount = 0
    endRecord()
  }

  @inline(never)
  private func report(_ kind: CSVProblem.Kind) {
    guard record.problem == nil else { return }
    record.problem = CSVProblem(
      kind: kind,
      offset: at - record.start,
      field: record.fieldCount + 1,
      line: lineCount
    )
  }

  /// Makes room for another field. If the record has too many fields, overwrites the last one.
  @inline(never)
  private func makeRoom() {
    guard record.fieldCount < maximumFieldCount else {
      report(.tooManyFields)
      record.fieldCount -= 1
      return
    }
    let larger = UnsafeMutablePointer<Field>.allocate(capacity: fieldCapacity * 2)
    larger.update(from: record.fields, count: record.fieldCount)
    record.fields.deallocate()
    (record.fields, fieldCapacity) = (larger, fieldCapacity * 2)
  }
}

/// Finds the end of the last complete record in a buffer, without reading its fields.
package struct CSVRecordEnd {
  /// The position after the last record's line feed; 0 if no record is complete.
  package let end: Int
  /// The position of a quote that is not closed; `nil` if all are closed.
  package let unclosedQuote: Int?

  /// Searches a buffer.
  ///
  /// - Parameters:
  ///   - bytes: The buffer.
  ///   - count: The number of bytes.
  ///   - delimiter: The delimiter of fields.
  ///   - isLast: Whether the buffer is the end of the file.
  package init(_ bytes: UnsafePointer<UInt8>, _ count: Int, delimiter: UInt8, isLast: Bool) {
    var end = 0
    var at = 0
    func nextQuote(_ from: Int) -> Int? {
      memchr(bytes + from, Int32(UInt8(ascii: "\"")), count - from).map {
        UnsafeRawPointer(bytes).distance(to: $0)
      }
    }
    while let quote = nextQuote(at) {
      if let found = lastLineFeed(bytes, at, quote) { end = found + 1 }
      at = quote + 1
      // A quote opens a quoted field only at the start of the field.
      let before = quote == 0 ? 0x0A : bytes[quote - 1]
      guard before == delimiter || before == 0x0A else { continue }
      while true {
        guard let next = nextQuote(at), next + 1 < count || isLast else {
          (self.end, unclosedQuote) = (end, quote)
          return
        }
        at = next + 1
        if at < count, bytes[at] == UInt8(ascii: "\"") { at += 1 } else { break }
      }
    }
    if let found = lastLineFeed(bytes, at, count) { end = found + 1 }
    (self.end, unclosedQuote) = (end, nil)
  }
}

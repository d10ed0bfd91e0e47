import CJSON
import PriceTag

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Goes through a block of CSV record by record, as RFC 4180 has it, and gives the fields by their places.
///
/// What breaks the rules is told once its record has ended, so that the next one is read as if nothing had been: a quote
/// inside an unquoted field is a quote and no more, and one that is never closed spoils its own line.
final class CSVRecordReader {
  /// A field as it stands in the record, with its quotes, and the value in it.
  struct Field {
    var start: UnsafePointer<UInt8>
    var count: Int
    var value: FieldValue
  }

  let delimiter: UInt8

  /// The record: without its line end, which is that many bytes more.
  private(set) var start: UnsafePointer<UInt8>
  private(set) var count = 0
  private(set) var lineEndCount = 0
  /// How many line feeds stand before it in the block.
  private(set) var line = 0
  private(set) var problem: RowProblem?
  private(set) var fields: UnsafeMutablePointer<Field>
  private(set) var fieldCount = 0

  private var fieldCapacity = 64
  private var at: UnsafePointer<UInt8>
  private var end: UnsafePointer<UInt8>
  private var isChecked = false
  /// How many line feeds the block had so far.
  private(set) var lineCount = 0
  /// The delimiter in each byte of a word.
  private let delimiters: UInt64

  init(delimiter: UInt8) {
    self.delimiter = delimiter
    start = FieldValue.none
    at = start
    end = start
    fields = .allocate(capacity: fieldCapacity)
    delimiters = Self.inEachByte(delimiter)
  }

  deinit { fields.deallocate() }

  /// Starts with a block of whole records.
  func begin(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    (at, end, lineCount) = (bytes, bytes + byteCount, 0)
    isChecked = cjson_is_utf8(bytes, byteCount) && memchr(bytes, 0, byteCount) == nil
  }

  /// The place of the next record, where it starts.
  var position: UnsafePointer<UInt8> { at }

  /// Reads the next record that is not blank; false behind the last.
  func next() -> Bool {
    repeat {
      guard at < end else { return false }
      (start, line, fieldCount, problem) = (at, lineCount, 0, nil)
      while readField() {}
    } while fieldCount == 1 && count == 0
    if !isChecked { check() }
    return true
  }

  /// Reads a field and what ends it; false where that is the record's end.
  @inline(__always)
  private func readField() -> Bool {
    if fieldCount == fieldCapacity { growFields() }
    let opened = at
    var value = FieldValue(start: at, count: 0, kind: .absent, escapes: .none)
    if at < end, at.pointee == UInt8(ascii: "\"") {
      guard let quoted = quotedValue() else {
        spoil()
        return false
      }
      value = quoted
      if plainEnd(at) > at {
        note("text follows a closing quote", #"write "" for a quote inside a quoted field"#)
      }
    }
    while true {
      at = plainEnd(at)
      let byte = at < end ? at.pointee : 0x0A
      if byte == delimiter || byte == 0x0A { break }
      if byte == 0x0D {
        if at + 1 == end || at[1] == 0x0A { break }
        note("a carriage return stands alone", "put the field into quotes")
      } else {
        note("a quote stands inside a field", #"put the field into quotes, and write "" for a quote"#)
      }
      at += 1
    }
    let fieldLength = at - opened
    if value.start == opened { value.count = fieldLength }
    if value.count > 0 { value.kind = .text }
    fields[fieldCount] = Field(start: opened, count: fieldLength, value: value)
    fieldCount += 1
    if at < end, at.pointee == delimiter {
      at += 1
      return true
    }
    endRecord()
    return false
  }

  /// Where a run of bytes ends that are neither delimiter, quote, carriage return nor line feed: eight at a time.
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

  /// The highest bit of each byte that is zero; above the first of them perhaps of others, too.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The value between quotes; `nil` where they are not closed.
  private func quotedValue() -> FieldValue? {
    let first = at + 1
    var escapes = FieldValue.Escapes.none
    var searched = first
    while let found = memchr(searched, Int32(UInt8(ascii: "\"")), end - searched) {
      let quote = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      if quote + 1 < end, quote[1] == UInt8(ascii: "\"") {
        escapes = .csv
        searched = quote + 2
        continue
      }
      at = quote + 1
      lineCount += lineFeedCount(first, quote - first)
      return FieldValue(start: first, count: quote - first, kind: .absent, escapes: escapes)
    }
    return nil
  }

  @inline(__always)
  private func endRecord() {
    count = at - start
    lineEndCount = 0
    if at < end, at.pointee == 0x0D {
      at += 1
      lineEndCount = 1
    }
    if at < end, at.pointee == 0x0A {
      at += 1
      lineEndCount += 1
      lineCount += 1
    }
  }

  /// Sets the first line of a record aside whose quotes are not closed, and goes on behind it.
  private func spoil() {
    problem = RowProblem(
      .malformedCSV,
      "a quoted field is not closed",
      fix: #"end it with a quote, and write "" for a quote inside"#,
      field: nil
    )
    lineCount = line
    at = start
    if let found = memchr(at, 0x0A, end - at) {
      at = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    } else {
      at = end
    }
    if at > start, at[-1] == 0x0D { at -= 1 }
    fieldCount = 0
    endRecord()
  }

  @inline(never)
  private func note(_ what: String, _ fix: String) {
    guard problem == nil else { return }
    problem = RowProblem(
      .malformedCSV,
      "\(what), at byte \(at - start + 1) of the row",
      fix: fix
    )
  }

  private func growFields() {
    let larger = UnsafeMutablePointer<Field>.allocate(capacity: fieldCapacity * 2)
    larger.update(from: fields, count: fieldCount)
    fields.deallocate()
    (fields, fieldCapacity) = (larger, fieldCapacity * 2)
  }

  /// Looks for what is wrong with the record's bytes, where something is with the block's.
  private func check() {
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

/// Finds where the last whole record of some bytes ends, without reading its fields.
struct CSVRecordEnd {
  /// Behind the last record's line feed; 0 where none ends.
  let end: Int
  /// Where a quoted field starts that is not closed; `nil` where all are.
  let unclosedQuote: Int?

  /// - Parameter isLast: Whether nothing follows the bytes.
  init(_ bytes: UnsafePointer<UInt8>, _ count: Int, delimiter: UInt8, isLast: Bool) {
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
      // Only at a field's start does a quote open anything.
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

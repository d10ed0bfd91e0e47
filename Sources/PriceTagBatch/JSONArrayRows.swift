import PriceTag
import PriceTagText

/// Rewrites a JSON array of rows as JSON Lines, part by part and in place, so that an array of any size needs no memory.
///
/// Each byte stays a byte, and therefore at its offset: brackets, commas and spaces between rows become line feeds, and line
/// breaks within a row become spaces. The rows themselves are read, and rejected, like those of JSON Lines.
struct JSONArrayRows {
  private enum Place {
    /// Before or after an array.
    case outside
    /// Before a row: at the start of an array, or after a comma.
    case start, afterComma
    case row, afterRow
    /// After a row that is malformed, so that anything may follow.
    case afterBrokenRow
  }

  private var place = Place.outside
  /// The number of objects and arrays around the current byte of a row.
  private var depth = 0
  private var isString = false
  private var isEscaped = false
  /// The offset of the last row.
  private var rowOffset: Int?
  /// The offset of the next byte in the input.
  private var offset: Int
  private let name: String

  /// - Parameters:
  ///   - offset: The offset of the first byte in the input.
  ///   - name: The name of the input in errors.
  init(offset: Int, name: String) { (self.offset, self.name) = (offset, name) }

  /// Rewrites the next bytes.
  ///
  /// - Throws: `.malformedInput` for text after an array, or a comma that is missing or has no row after it.
  mutating func rewrite(_ bytes: UnsafeMutableRawBufferPointer) throws(BatchError) {
    for index in bytes.indices {
      if isString {
        if bytes[index] == 0x0A { endBrokenRow() } else { readString(bytes[index]) }
      } else {
        bytes[index] = try rewritten(bytes[index], at: offset + index)
      }
    }
    offset += bytes.count
  }

  private mutating func readString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isString = false
    }
  }

  /// Ends a row at a line break in a string, which is never valid: a quote is missing. If each row has a line of its own, the
  /// next one is not affected.
  private mutating func endBrokenRow() {
    (isString, isEscaped, depth, place) = (false, false, 0, .afterBrokenRow)
  }

  private mutating func rewritten(_ byte: UInt8, at offset: Int) throws(BatchError) -> UInt8 {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D:
      if depth > 0 { return byte == 0x09 ? byte : 0x20 }
      if place == .row { place = .afterRow }
      return 0x0A
    case UInt8(ascii: "[") where place == .outside:
      place = .start
      return 0x0A
    case UInt8(ascii: ",") where depth == 0 && place != .outside:
      if place == .start || place == .afterComma {
        throw malformed("a row is missing before the comma, at byte \(offset + 1)")
      }
      place = .afterComma
      return 0x0A
    case UInt8(ascii: "]") where depth == 0 && place != .outside:
      if place == .afterComma {
        throw malformed("a row is missing after the last comma, at byte \(offset + 1)")
      }
      place = .outside
      return 0x0A
    default:
      if place == .outside { throw malformed("text follows the JSON array, at byte \(offset + 1)") }
      if place == .afterRow { throw malformed("a comma is missing between two rows, at byte \(offset + 1)") }
      if place != .row { (place, rowOffset) = (.row, offset) }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      case UInt8(ascii: "\""): isString = true
      default: break
      }
      return byte
    }
  }

  /// Checks that the array is closed at the end of the input.
  ///
  /// - Throws: `.malformedInput`.
  func finish() throws(BatchError) {
    if place == .outside { return }
    let row = rowOffset.map { ", and its last row starts at byte \($0 + 1)" } ?? ""
    throw malformed("the JSON array is not closed at the end of the file\(row)")
  }

  private func malformed(_ problem: String) -> BatchError {
    BatchError(
      .malformedInput,
      problem,
      fix: "correct the array, or write one object per line",
      place: printable(name)
    )
  }
}

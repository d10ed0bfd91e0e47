import PriceTag
import PriceTagText

/// Validates the contents of text files, which must be UTF-8.
package enum UTF8File {
  /// Returns the contents of a file without the byte order mark.
  ///
  /// - Throws: `.malformedFile` for another encoding, with its name, and for invalid UTF-8, with the line.
  package static func text(_ bytes: [UInt8]) throws(StringsError) -> [UInt8] {
    if let encoding = TextEncoding(of: bytes) {
      throw StringsError(
        .malformedFile,
        "the file is \(encoding.rawValue), not UTF-8",
        fix: "save it as UTF-8",
        place: "line 1"
      )
    }
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      let offset = error.byteOffsets.lowerBound
      let digits = String(bytes[offset], radix: 16, uppercase: true)
      throw StringsError(
        .malformedFile,
        "the byte 0x\(digits) is not UTF-8",
        fix: "save the file as UTF-8",
        place: "line \(1 + bytes[..<offset].count { $0 == 0x0A })"
      )
    }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }
}

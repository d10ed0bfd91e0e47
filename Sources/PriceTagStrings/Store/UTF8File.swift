import PriceTag
import PriceTagText

/// Files of text as PriceTag reads them: UTF-8.
package enum UTF8File {
  /// Returns a file's UTF-8 without a byte order mark.
  ///
  /// - Throws: `.malformedFile` for another encoding, naming it, and for bytes that are no UTF-8, with the line.
  package static func text(_ bytes: [UInt8]) throws(StringsError) -> [UInt8] {
    if let encoding = TextEncoding(of: bytes) {
      throw StringsError(
        .malformedFile,
        "the file is \(encoding.rawValue)",
        fix: "save the file as UTF-8",
        place: "line 1"
      )
    }
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      let wrong = error.byteOffsets.lowerBound
      let digits = String(bytes[wrong], radix: 16, uppercase: true)
      throw StringsError(
        .malformedFile,
        "the byte 0x\(digits) is not UTF-8",
        fix: "save the file as UTF-8",
        place: "line \(1 + bytes[..<wrong].count { $0 == 0x0A })"
      )
    }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }
}

/// An encoding that PriceTag does not read, detected from the first bytes of a file.
package enum TextEncoding: String, Sendable {
  case utf16 = "UTF-16"
  case utf32 = "UTF-32"

  /// Detects an encoding by its byte order mark, or by the zeros in its first characters; returns `nil` if the text may be
  /// UTF-8.
  ///
  ///     TextEncoding(of: [0xFF, 0xFE, 0x7B, 0x00])               // .utf16
  ///     TextEncoding(of: [0xFF, 0xFE, 0x00, 0x00])               // .utf32
  ///     TextEncoding(of: [0x7B, 0x00, 0x00, 0x00])               // .utf32
  ///     TextEncoding(of: [0x00, 0x00, 0x00, 0x00])               // nil: not text
  package init?(of start: some Collection<UInt8>) {
    let bytes = Array(start.prefix(4))
    let isZero = bytes.map { $0 == 0 }
    switch isZero {
    case [true, true, true, true]: return nil
    case [false, true, true, true], [true, true, true, false]: self = .utf32
    case _ where bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]):
      self = .utf32
    case _ where bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]): self = .utf16
    case _ where isZero.count >= 2 && isZero[0] != isZero[1]: self = .utf16
    default: return nil
    }
  }
}

/// The bytes that occur in a text, found in one pass: most rules concern only texts with certain characters.
struct ByteSet {
  private var (low, high): (UInt64, UInt64) = (0, 0)
  /// The first bytes of characters outside ASCII, less 0xC0.
  private var leads: UInt64 = 0

  init(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      for byte in bytes {
        if byte < 64 {
          low |= 1 << UInt64(byte)
        } else if byte < 128 {
          high |= 1 << UInt64(byte & 63)
        } else if byte >= 0xC0 {
          leads |= 1 << UInt64(byte & 63)
        }
      }
    }
  }

  /// Returns whether an ASCII character occurs.
  func contains(_ character: Unicode.Scalar) -> Bool {
    let value = UInt64(character.value)
    return (value < 64 ? low : high) & 1 << (value & 63) != 0
  }

  /// Returns whether a character occurs whose UTF-8 begins with a byte.
  func contains(lead byte: UInt8) -> Bool { leads & 1 << UInt64(byte & 63) != 0 }

  /// Whether a decimal digit or a currency symbol can occur. Characters that begin with these bytes are neither: U+00C0 to U+057F
  /// (Latin, Greek, Cyrillic), U+05C0 to U+05FF (Hebrew), U+3000 to U+9FFF (kana, Han), U+B000 to U+D7FF (Hangul).
  var hasDigitsOrSymbols: Bool {
    contains("$") || low & 0x03FF_0000_0000_0000 != 0 || leads & ~Self.leadsOfLetters != 0
  }

  private static let leadsOfLetters = [0xC3...0xD5, 0xD7...0xD7, 0xE3...0xE9, 0xEB...0xED].joined().reduce(
    UInt64(0)
  ) {
    $0 | 1 << UInt64($1 & 63)
  }
}

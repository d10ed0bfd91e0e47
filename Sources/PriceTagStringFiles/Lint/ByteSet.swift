/// The bytes that occur in a text, found in one pass: most rules concern only texts with certain characters.
struct ByteSet {
  private var (low, high): (UInt64, UInt64) = (0, 0)
  /// Whether all bytes are ASCII.
  private(set) var isASCII = true

  init(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      for byte in bytes {
        if byte < 64 {
          low |= 1 << UInt64(byte)
        } else if byte < 128 {
          high |= 1 << UInt64(byte & 63)
        } else {
          isASCII = false
        }
      }
    }
  }

  /// Returns whether an ASCII character occurs.
  func contains(_ character: Unicode.Scalar) -> Bool {
    let value = UInt64(character.value)
    return (value < 64 ? low : high) & 1 << (value & 63) != 0
  }

  /// Whether a decimal digit or a currency symbol can occur.
  var hasDigitsOrSymbols: Bool { !isASCII || contains("$") || low & 0x03FF_0000_0000_0000 != 0 }
}

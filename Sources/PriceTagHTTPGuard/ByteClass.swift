import PriceTagSystem

/// A set of ASCII bytes, stored as two 64-bit masks.
///
/// A membership test is a shift and a mask without a table lookup. Literal masks need no initialization at run time.
struct ByteClass: Sendable, Equatable {
  /// The bits of bytes 0 to 63.
  let low: UInt64
  /// The bits of bytes 64 to 127.
  let high: UInt64

  /// Returns whether the set contains a byte.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1 && byte < 128
  }

  /// Returns whether the set contains all bytes of a buffer.
  @inline(__always)
  func containsAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for byte in bytes where !contains(byte) { return false }
    return true
  }

  /// The bytes of a token (a method or field name): letters, digits and `` !#$%&'*+-.^_`|~ ``.
  static let token = ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  /// The hexadecimal digits.
  static let hexDigits = ByteClass(low: 0x03FF_0000_0000_0000, high: 0x0000_007E_0000_007E)
}

/// ASCII codes of white space.
enum Byte {
  static let tab: UInt8 = 9
  static let lineFeed: UInt8 = 10
  static let carriageReturn: UInt8 = 13
  static let space: UInt8 = 32
}

extension UnsafeRawBufferPointer {
  /// Returns the bytes of a range as a buffer whose indices start at zero.
  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  /// Returns the index of the first occurrence of a byte.
  @inline(__always)
  func position(of byte: UInt8) -> Int? {
    guard let base = baseAddress, let found = memchr(base, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Returns whether the bytes equal a lowercase text, ignoring ASCII case.
  @inline(__always)
  func isLetters(_ lowercase: StaticString) -> Bool {
    guard count == lowercase.utf8CodeUnitCount else { return false }
    let expected = lowercase.utf8Start
    for index in 0..<count {
      let byte = self[index]
      let lower = byte >= 65 && byte <= 90 ? byte | 0x20 : byte
      if lower != expected[index] { return false }
    }
    return true
  }

  /// Returns whether the bytes equal a text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let base = baseAddress else { return false }
    return memcmp(base, text.utf8Start, count) == 0
  }

  /// The bytes without leading and trailing spaces and tabs.
  @inline(__always)
  var withoutBlanks: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start] == Byte.space || self[start] == Byte.tab { start += 1 }
    while end > start, self[end - 1] == Byte.space || self[end - 1] == Byte.tab { end -= 1 }
    return part(start..<end)
  }

  /// Whether a byte is a control character other than a tab.
  ///
  /// The loop has no early exit, so that the compiler can vectorize it.
  @inline(__always)
  var hasControls: Bool {
    var found: UInt8 = 0
    for byte in self {
      found |= (byte < 32 ? 1 : 0) & (byte != Byte.tab ? 1 : 0) | (byte == 127 ? 1 : 0)
    }
    return found != 0
  }

  /// Whether a byte is not a visible ASCII character.
  @inline(__always)
  var hasInvisibles: Bool {
    var found: UInt8 = 0
    for byte in self { found |= byte < 33 || byte > 126 ? 1 : 0 }
    return found != 0
  }
}

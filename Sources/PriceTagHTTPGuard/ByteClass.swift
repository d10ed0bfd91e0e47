import PriceTagText

/// A set of ASCII bytes, one bit each. Two words make the test a shift and a mask, with no table to load, and
/// written out they cost nothing to set up.
struct ByteClass: Sendable, Equatable {
  private let low: UInt64
  private let high: UInt64

  /// A set by its bits: the first word for bytes 0 to 63, the second for 64 to 127.
  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Whether the byte is in the set.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1 && byte < 128
  }

  /// Whether all bytes are in the set.
  @inline(__always)
  func containsAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for byte in bytes where !contains(byte) { return false }
    return true
  }

  /// Bytes of a token, which methods and field names are: letters, digits and `` !#$%&'*+-.^_`|~ ``.
  static let token = ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  /// Bytes of a host with its port, IPv6 addresses included: letters, digits and `-._~%!$&'()*+,;=:[]`.
  static let host = ByteClass(low: 0x2FFF_7FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
}

/// Line feed, carriage return, space and tab, by name.
enum Byte {
  static let tab: UInt8 = 9
  static let lineFeed: UInt8 = 10
  static let carriageReturn: UInt8 = 13
  static let space: UInt8 = 32
}

extension UnsafeRawBufferPointer {
  /// The bytes of a range, counted from zero.
  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  /// Where a byte first is.
  @inline(__always)
  func position(of byte: UInt8) -> Int? {
    guard let base = baseAddress, let found = memchr(base, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Whether the bytes are a text in lower case, whatever the case of the letters here.
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

  /// Whether the bytes are exactly a text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let base = baseAddress else { return false }
    return memcmp(base, text.utf8Start, count) == 0
  }

  /// The bytes without spaces and tabs at both ends.
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
  /// The loop has no way out before its end, so that the compiler can test many bytes at once.
  @inline(__always)
  var hasControls: Bool {
    var found: UInt8 = 0
    for byte in self {
      found |= (byte < 32 ? 1 : 0) & (byte != Byte.tab ? 1 : 0) | (byte == 127 ? 1 : 0)
    }
    return found != 0
  }

  /// Whether a byte is not a visible character of ASCII.
  @inline(__always)
  var hasInvisibles: Bool {
    var found: UInt8 = 0
    for byte in self { found |= byte < 33 || byte > 126 ? 1 : 0 }
    return found != 0
  }
}

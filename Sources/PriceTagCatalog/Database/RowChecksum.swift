/// The checksum of a row's fields. It covers the table and the row's key, so it is wrong for a row that was moved to
/// another key.
///
/// Each step is a bijection of the state, so a change within eight bytes always changes the 64-bit state. The checksum
/// detects damage, not forgery.
struct RowChecksum {
  private var state: UInt64

  init(_ table: CatalogTable) {
    state = 0x9E37_79B9_7F4A_7C15 &* (table.rawValue &+ 1)
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }

  // The first byte of a word is the length of a short text, or one of these tags.
  private static let longText: UInt64 = 0x80 << 56
  private static let real: UInt64 = 0xFB << 56
  private static let bytes: UInt64 = 0xFC << 56
  private static let largeInteger: UInt64 = 0xFD << 56
  private static let integer: UInt64 = 0xFE << 56
  private static let null: UInt64 = 0xFF << 56

  mutating func addNull() { mix(Self.null) }

  @inline(__always)
  mutating func add(_ integer: Int64) {
    if 0..<(1 << 56) ~= integer {
      mix(Self.integer | UInt64(truncatingIfNeeded: integer))
    } else {
      mix(Self.largeInteger)
      mix(UInt64(bitPattern: integer))
    }
  }

  /// Adds the bit pattern of a floating-point number. No release writes such a value.
  mutating func add(real pattern: UInt64) {
    mix(Self.real)
    mix(pattern)
  }

  /// Adds a blob. No release writes such a value.
  mutating func add(blob bytes: UnsafeRawBufferPointer) {
    mix(Self.bytes)
    add(bytes)
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds UTF-8 text.
  @inline(__always)
  mutating func add(_ text: UnsafeRawBufferPointer) {
    let count = text.count
    if count < 8 {
      var word = UInt64(truncatingIfNeeded: count) << 56
      for index in 0..<count { word |= UInt64(text[index]) << UInt64(truncatingIfNeeded: index * 8) }
      mix(word)
    } else {
      addLong(text)
    }
  }

  private mutating func addLong(_ text: UnsafeRawBufferPointer) {
    let count = text.count
    mix(Self.longText | UInt64(truncatingIfNeeded: count))
    var offset = 0
    while count - offset >= 8 {
      mix(UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < count else { return }
    var word: UInt64 = 0
    for index in offset..<count {
      word |= UInt64(text[index]) << UInt64(truncatingIfNeeded: (index - offset) * 8)
    }
    mix(word)
  }

  /// The 64-bit checksum, which is summed over many rows.
  var digest: Int64 {
    var end = self
    end.mix(0)
    return Int64(bitPattern: end.state)
  }

  /// The 32-bit checksum of a row, as stored in a column of four bytes.
  var value: Int64 { Int64(Int32(truncatingIfNeeded: digest)) }
}

/// The number of keys in a table, and a digest of them that does not depend on their order. The digest changes when a
/// key is lost or duplicated.
struct KeyDigest: Equatable {
  private(set) var count: Int64 = 0
  private(set) var digest: Int64 = 0

  mutating func insert(_ table: CatalogTable, _ key: String...) {
    count &+= 1
    digest &+= Self.digest(table, key)
  }

  mutating func remove(_ table: CatalogTable, _ key: String...) {
    count &-= 1
    digest &-= Self.digest(table, key)
  }

  private static func digest(_ table: CatalogTable, _ key: [String]) -> Int64 {
    var checksum = RowChecksum(table)
    for part in key { checksum.add(part) }
    return checksum.digest
  }
}

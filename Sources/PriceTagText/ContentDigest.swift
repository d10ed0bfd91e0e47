/// A digest of 128 bits of a sequence of values, which tells whether any of them has changed.
///
///     var digest = ContentDigest()
///     digest.add("USA")
///     digest.text     // 32 hexadecimal digits
///
/// Each value is added with its kind and length, so two values never look like two others. Each step is a bijection of
/// both halves, so a change within eight bytes always changes the digest. It detects changes, not forgery.
package struct ContentDigest: Sendable {
  private var (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)

  package init() {}

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    first = (first ^ word) &* 0xD6E8_FEB8_6659_FD93
    first ^= first >> 32
    second = ((second << 23 | second >> 41) &+ word) &* 0x9FB2_1C65_1E98_DF25
    second ^= second >> 29
  }

  // The first word of a value has its kind in the highest byte.
  private static let null: UInt64 = 1 << 56
  private static let bytes: UInt64 = 2 << 56
  private static let number: UInt64 = 3 << 56
  private static let digest: UInt64 = 4 << 56

  package mutating func addNull() { mix(Self.null) }

  package mutating func add(_ number: Int64) {
    mix(Self.number)
    mix(UInt64(bitPattern: number))
  }

  package mutating func add(_ number: Int) { add(Int64(number)) }

  package mutating func add(_ digest: ContentDigest) {
    mix(Self.digest)
    mix(digest.first)
    mix(digest.second)
  }

  package mutating func add(_ text: String?) {
    guard var text else { return addNull() }
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    mix(Self.bytes | UInt64(truncatingIfNeeded: bytes.count))
    addPart(bytes)
  }

  /// Adds a part of a value whose length is added separately. Every part but the last one has a multiple of eight bytes.
  package mutating func addPart(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while bytes.count - offset >= 8 {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    var word: UInt64 = 0
    for byte in bytes[offset...].reversed() { word = word << 8 | UInt64(byte) }
    mix(word)
  }

  /// Thirty-two hexadecimal digits.
  package var text: String {
    var end = self
    for _ in 0..<2 { end.mix(0) }
    return end.first.hexadecimal + end.second.hexadecimal
  }
}

/// The identifiers of all storefronts, as a bit set over the names of up to three letters.
struct StorefrontSet {
  private var words = [UInt64](repeating: 0, count: 512)
  /// Whether an identifier does not fit the bit set. Then every other name may be an identifier too.
  private var hasOthers = false

  init(_ identifiers: [String]) {
    for identifier in identifiers {
      guard let index = Self.index(of: identifier.utf8) else {
        hasOthers = true
        continue
      }
      words[index / 64] |= 1 << UInt64(index % 64)
    }
  }

  /// Returns whether a storefront may have this name, ignoring case.
  @inline(__always)
  func mayContain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    Self.index(of: name).map { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 } ?? hasOthers
  }

  /// Five bits for each letter; `nil` if the name has more than three characters, or a character that is not a letter.
  @inline(__always)
  private static func index(of name: some Collection<UInt8>) -> Int? {
    guard name.count <= 3 else { return nil }
    var index = 0
    for byte in name {
      let letter = Int(byte | 0x20) - 0x60
      guard (1...26).contains(letter) else { return nil }
      index = index << 5 | letter
    }
    return index
  }
}

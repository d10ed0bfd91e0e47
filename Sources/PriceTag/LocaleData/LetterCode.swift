/// A code of two or three letters in any case, such as `JP` or `jpn`, as one number.
struct LetterCode: Hashable, Sendable {
  /// The number in base 27 with one digit for each letter: above zero and below 27³.
  let number: UInt16

  /// Creates a code from its text; returns `nil` for any other text.
  init?(_ text: String) {
    var text = text
    let number = text.withUTF8 { Self.number($0) }
    guard number > 0 else { return nil }
    self.number = number
  }

  /// Returns the number of a code; 0 for any other text.
  private static func number(_ text: UnsafeBufferPointer<UInt8>) -> UInt16 {
    guard text.count == 2 || text.count == 3 else { return 0 }
    var number: UInt16 = 0
    for byte in text {
      let letter = byte | 0x20
      guard letter >= 0x61, letter <= 0x7A else { return 0 }
      number = number &* 27 &+ UInt16(letter &- 0x60)
    }
    return number
  }
}

/// Finds the place of a code in a list, like a dictionary but without hashing strings.
///
/// A dictionary of strings would delay the first price: the runtime searches the binary for protocol conformances.
struct LetterCodeIndex: Sendable {
  /// An open-addressing hash table. A used slot has the code and its place in one number; a free slot is 0.
  private var slots: [UInt32]
  private let mask: Int

  /// Creates an index with room for a number of codes, below 65,536.
  init(count: Int) {
    // At least half of the slots stay free.
    var size = 64
    while size < 2 * count { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
  }

  /// Returns the place of a code; `nil` if the list does not have it.
  subscript(code: LetterCode) -> Int? {
    var slot = start(of: code)
    while slots[slot] != 0 {
      if slots[slot] >> 16 == code.number { return Int(slots[slot] & 0xFFFF) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a code unless the index already has it.
  mutating func insert(_ code: LetterCode, at place: Int) {
    guard let place = UInt16(exactly: place) else { return }
    var slot = start(of: code)
    while slots[slot] != 0 {
      if slots[slot] >> 16 == code.number { return }
      slot = (slot + 1) & mask
    }
    slots[slot] = UInt32(code.number) << 16 | UInt32(place)
  }

  private func start(of code: LetterCode) -> Int { Int((UInt32(code.number) &* 0x9E37_79B1) >> 16) & mask }
}

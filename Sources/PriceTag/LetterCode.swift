/// A code of two or three letters in any case, such as `JP` or `jpn`, as one number.
struct LetterCode: Hashable, Sendable {
  /// Above zero and below 27³: a digit of base 27 for each letter.
  let number: UInt16

  /// The code that a text spells; `nil` for any other text.
  init?(_ text: String) {
    var text = text
    let number = text.withUTF8 { Self.number($0) }
    guard number > 0 else { return nil }
    self.number = number
  }

  /// The number of a code; 0 for any other text.
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

/// Finds the place of a code in a list, as a dictionary does, without hashing texts.
///
/// A dictionary of texts makes the runtime search the binary for the protocols of its types before the first price.
struct LetterCodeIndex: Sendable {
  /// A code and its place in one number, in the first free slot from the one that the code asks for; 0 in a free slot.
  private var slots: [UInt32]
  private let mask: Int

  /// An index with room for a number of codes, below 65,536.
  init(count: Int) {
    // At least half of the slots stay free.
    var size = 64
    while size < 2 * count { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
  }

  /// The place of a code; `nil` where the list has no such code.
  subscript(code: LetterCode) -> Int? {
    var slot = start(of: code)
    while slots[slot] != 0 {
      if slots[slot] >> 16 == code.number { return Int(slots[slot] & 0xFFFF) }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a code, unless the list has it already.
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

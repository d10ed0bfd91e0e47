/// The folding of a text, one unit at a time.
///
/// Two texts that differ only in what the folding removes or unifies are the same price for a lenient reader:
///
/// - In the number, from its first to its last digit: each space becomes U+0020, each apostrophe U+0027, the digits of the
///   pattern ASCII digits, and a fullwidth comma or full stop an ASCII one.
/// - Outside the number: spaces and direction marks are removed; a minus, a plus, a parenthesis, an apostrophe and a currency sign
///   in another width become one form; a name of the currency, such as its symbol or its code, becomes one unit.
///
/// The controls that reorder what is displayed (U+202B, U+202D, U+202E, U+2067), and all marks in the number, remain.
struct FoldedText {
  let text: PriceText
  /// The digits of the text.
  let number: PriceText.Digits
  let names: FoldedNames

  /// The unit of a currency sign that has no ASCII form, and with 1, that of a name of the currency. Other units are scalars.
  fileprivate static let token: UInt32 = 0x11_0000

  /// Returns the unit of a scalar that is not removed.
  @inline(__always)
  fileprivate static func unit(of scalar: UInt32, folded: Int) -> UInt32 {
    if folded < 0 { return scalar }
    return UInt32(truncatingIfNeeded: folded) | (folded < 5 ? token : 0)
  }

  /// Returns the place of the first difference from another text in this one; -1 if they are the same price.
  func firstDifference(from other: FoldedText) -> Int {
    var place = outside(0, number.start, other, 0, other.number.start)
    if place < 0 { place = inside(other) }
    return place < 0 ? outside(number.end, text.count, other, other.number.end, other.text.count) : place
  }

  private func outside(_ first: Int, _ end: Int, _ other: FoldedText, _ otherFirst: Int, _ otherEnd: Int)
    -> Int
  {
    var (offset, otherOffset) = (first, otherFirst)
    while true {
      // Equal bytes have equal foldings.
      let length = end &- offset
      if length == otherEnd &- otherOffset, text.equals(other.text.start + otherOffset, length, at: offset) {
        return -1
      }
      let (first, otherFirst) = (
        text.skip(offset, before: end), other.text.skip(otherOffset, before: otherEnd)
      )
      guard first == offset, otherFirst == otherOffset else {
        (offset, otherOffset) = (first, otherFirst)
        continue
      }
      guard offset < end, otherOffset < otherEnd else { return offset }
      let (unit, next) = (unit(at: offset, before: end), other.unit(at: otherOffset, before: otherEnd))
      if unit.value != next.value { return offset }
      (offset, otherOffset) = (unit.end, next.end)
    }
  }

  private func inside(_ other: FoldedText) -> Int {
    let (first, length) = (number.start, number.end &- number.start)
    let (otherFirst, otherLength) = (other.number.start, other.number.end &- other.number.start)
    var same = text.commonPrefix(with: other.text.start + otherFirst, otherLength, at: first, length)
    if same == length, same == otherLength { return -1 }
    // Folds from the start of a character.
    while same > 0, same < length, text.start.uint8(at: first &+ same) & 0xC0 == 0x80 { same &-= 1 }
    // Digits of two kinds are not folded.
    if !number.areOneKind { return first &+ same }
    var (offset, otherOffset) = (first &+ same, otherFirst &+ same)
    while offset < number.end, otherOffset < other.number.end {
      let (unit, next) = (numberUnit(at: offset), other.numberUnit(at: otherOffset))
      if unit.value != next.value { return offset }
      (offset, otherOffset) = (unit.end, next.end)
    }
    return offset == number.end && otherOffset == other.number.end ? -1 : offset
  }

  /// Returns a unit outside the number, where nothing is removed.
  fileprivate func unit(at offset: Int, before end: Int) -> (value: UInt32, end: Int) {
    let scalar = text.scalar(at: offset)
    let unit = Self.unit(of: scalar.value, folded: PriceText.foldedOutside(scalar.value))
    let place = text.end(ofNameAt: offset, unit, before: end, names)
    return place > 0 ? (Self.token | 1, place) : (unit, offset &+ scalar.length)
  }

  /// Returns a unit in the number.
  @inline(__always)
  fileprivate func numberUnit(at offset: Int) -> (value: UInt32, end: Int) {
    if number.areOneKind, let digit = text.digit(at: offset, before: number.end) {
      return (0x30 | UInt32(truncatingIfNeeded: digit.value), offset &+ digit.length)
    }
    let scalar = text.scalar(at: offset)
    let unit = Self.unit(of: scalar.value, folded: PriceText.foldedInNumber(scalar.value))
    return (unit, offset &+ scalar.length)
  }
}

extension PriceText {
  /// Returns the first place from an offset on at which nothing is removed.
  @inline(never)
  fileprivate func skip(_ offset: Int, before end: Int) -> Int {
    var offset = offset
    while offset < end {
      let scalar = scalar(at: offset)
      guard Self.foldedOutside(scalar.value) == Self.removed else { break }
      offset &+= scalar.length
    }
    return offset
  }

  /// Writes the folding of the text into a buffer.
  ///
  /// - Returns: The number of bytes, and the place in the text at which writing stopped because the buffer was full.
  func fold(_ names: FoldedNames, into output: UnsafeMutablePointer<UInt8>, capacity: Int) -> (
    count: Int, end: Int
  ) {
    let number = digits(from: 0, to: count)
    let folded = FoldedText(text: self, number: number, names: names)
    var (length, offset) = (0, 0)
    while offset < count {
      let limit = offset < number.start ? number.start : count
      let isInNumber = offset >= number.start && offset < number.end
      let first = isInNumber ? offset : skip(offset, before: limit)
      guard first == offset else {
        offset = first
        continue
      }
      let unit = isInNumber ? folded.numberUnit(at: offset) : folded.unit(at: offset, before: limit)
      // A token is its lowest byte.
      let isOneByte = unit.value < 0x80 || unit.value & ~0xFF == FoldedText.token
      let size = isOneByte ? 1 : unit.end &- offset
      guard size <= capacity &- length else { break }
      var index = 0
      while index < size {
        let byte = isOneByte ? Int(truncatingIfNeeded: unit.value) : start.uint8(at: offset &+ index)
        output[length &+ index] = UInt8(truncatingIfNeeded: byte)
        index &+= 1
      }
      length &+= size
      offset = unit.end
    }
    return (length, offset)
  }

  /// Returns the end of the longest name that starts at an offset.
  func end(ofNameAt offset: Int, before limit: Int, _ names: FoldedNames) -> Int? {
    let scalar = scalar(at: offset).value
    let folded = Self.foldedOutside(scalar)
    let end = end(ofNameAt: offset, FoldedText.unit(of: scalar, folded: folded), before: limit, names)
    return folded == Self.removed || end == 0 ? nil : end
  }

  /// Returns the end of the longest name that starts with a unit at an offset; 0 without one.
  @inline(__always)
  fileprivate func end(ofNameAt offset: Int, _ first: UInt32, before limit: Int, _ names: FoldedNames) -> Int
  {
    names.first { start, count in
      let name = PriceText(ascii: start, count)
      var (place, matched, unit) = (offset, 0, first)
      while true {
        let scalar = name.scalar(at: matched)
        // The bytes below 5 in a name are tokens.
        guard unit == (scalar.value < 5 ? scalar.value | FoldedText.token : scalar.value) else { return nil }
        matched &+= scalar.length
        place &+= self.scalar(at: place).length
        if matched >= count { return place }
        var folded = Self.removed
        while folded == Self.removed, place < limit {
          let next = self.scalar(at: place)
          folded = Self.foldedOutside(next.value)
          unit = FoldedText.unit(of: next.value, folded: folded)
          if folded == Self.removed { place &+= next.length }
        }
        if folded == Self.removed { return nil }
      }
    } ?? 0
  }

  // MARK: Scalars

  static let removed = -1
  static let unchanged = -2

  /// Returns what a scalar in the number becomes: an ASCII character, or `unchanged`.
  static func foldedInNumber(_ scalar: UInt32) -> Int {
    if scalar >= 0x30, scalar <= 0x39 { return unchanged }
    if isSpace(scalar) { return 0x20 }
    if isApostrophe(scalar) { return 0x27 }
    if scalar == 0xFF0C { return 0x2C }
    return scalar == 0xFF0E ? 0x2E : unchanged
  }

  /// Returns what a scalar outside the number becomes: an ASCII character, `removed`, or `unchanged`.
  static func foldedOutside(_ scalar: UInt32) -> Int {
    if isSpace(scalar) { return removed }
    switch scalar {
    // Zero-width characters, and Unicode's Bidi_Control without those that reorder numbers.
    case 0x200B, 0x2060, 0xFEFF, 0x61C, 0x200E, 0x200F, 0x202A, 0x202C, 0x2066, 0x2068, 0x2069: return removed
    case 0x2D, 0x2212, 0xFE63, 0xFF0D, 0x2010, 0x2013: return 0x2D
    case 0xFF0B, 0xFE62: return 0x2B
    case 0xFF08: return 0x28
    case 0xFF09: return 0x29
    case 0xFF04, 0xFE69: return 0x24
    // The yen and its fullwidth form, the pound and the won have no ASCII form: each becomes a control character.
    case 0xA5, 0xFFE5: return 2
    case 0xA3, 0xFFE1: return 3
    case 0x20A9, 0xFFE6: return 4
    default: return isApostrophe(scalar) ? 0x27 : unchanged
    }
  }

  /// Returns whether a scalar has Unicode's White_Space property.
  private static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x9...0xD, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  private static func isApostrophe(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x27, 0x2019, 0x2018, 0x2BC, 0x2032, 0xFF07, 0x60, 0xB4: true
    default: false
    }
  }
}

/// The names of a currency, folded: its symbols and its code, the longest first. The first byte is their number. Each name is the
/// number of its bytes, and these bytes.
///
/// Sendable notes: the bytes do not change.
struct FoldedNames: @unchecked Sendable {
  /// The bytes; `nil` without names.
  let start: UnsafeRawPointer?

  /// The maximum number of bytes.
  static let maximumCount = 255

  /// Returns the first result of a function for a name and its number of bytes.
  @inline(__always)
  func first(_ body: (UnsafeRawPointer, Int) -> Int?) -> Int? {
    guard let start else { return nil }
    var (left, place) = (start.uint8(at: 0), 1)
    while left > 0 {
      let length = start.uint8(at: place)
      if let result = body(start + (place &+ 1), length) { return result }
      place &+= length &+ 1
      left &-= 1
    }
    return nil
  }
}

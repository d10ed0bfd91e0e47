/// The text of a price, for reading: its number, and its folding.
///
/// Two texts that differ only in what the folding removes or unifies are the same price for a lenient reader:
///
/// - In the number, from its first to its last digit: each space becomes U+0020, each apostrophe U+0027, the digits of the
///   pattern ASCII digits, and a fullwidth comma or full stop an ASCII one.
/// - Outside the number: spaces and direction marks are removed; a minus, a plus, a parenthesis, an apostrophe and a currency sign
///   in another width become one form; a name of the currency, such as its symbol or its code, becomes one byte.
///
/// The controls that reorder digits (U+202D, U+202E), and all marks in the number, remain.
struct PriceText {
  let start: UnsafeRawPointer
  let count: Int
  /// The place of the pattern's ten digits, four bytes each, and their length; the length is 1 for ASCII digits.
  let digits: UnsafeRawPointer
  let digitLength: Int

  init(_ start: UnsafeRawPointer, _ count: Int, digitsOf pattern: PatternBytes) {
    (self.start, self.count) = (start, count)
    digitLength = pattern.start.uint8(at: PatternBytes.Field.digitLength)
    digits = pattern.start + pattern.start.uint16(at: PatternBytes.Field.digits)
  }

  /// Creates a text with ASCII digits.
  init(ascii start: UnsafeRawPointer, _ count: Int) {
    (self.start, self.count, digits, digitLength) = (start, count, start, 1)
  }

  /// The maximum number of bytes of a text to read.
  static let maximumCount = 4096
  /// The byte of a name in folded text.
  static let name: UInt8 = 1

  // MARK: Digits

  /// Returns the value of the digit of the pattern at an offset; -1 if there is none.
  @inline(__always)
  func digit(at offset: Int) -> Int {
    if digitLength == 1 { return asciiDigit(at: offset) }
    guard offset &+ digitLength <= count, start.uint8(at: offset) >= 0x80 else { return -1 }
    return nativeDigit(at: offset)
  }

  @inline(__always)
  func asciiDigit(at offset: Int) -> Int {
    let value = start.uint8(at: offset) ^ 0x30
    return value <= 9 ? value : -1
  }

  private func nativeDigit(at offset: Int) -> Int {
    var digit = 0
    while digit < 10 {
      let glyph = digits + digit &* PatternBytes.digitStride
      var index = 0
      while index < digitLength, glyph.uint8(at: index) == start.uint8(at: offset &+ index) { index &+= 1 }
      if index == digitLength { return digit }
      digit &+= 1
    }
    return -1
  }

  /// The maximum number of digits of an amount.
  private static let maximumDigitCount = 19 &+ Amount.maximumScale

  /// The number of the pattern's digits.
  @inline(__always)
  var digitCount: Int {
    var (found, offset) = (0, 0)
    while offset < count {
      let isDigit = digit(at: offset) >= 0
      found &+= isDigit ? 1 : 0
      offset &+= isDigit ? digitLength : 1
    }
    return found
  }

  /// Returns the amount of digits of the text; `nil` if it is out of range.
  ///
  /// - Parameters:
  ///   - skipped: The number of digits before them.
  ///   - digitCount: Their number.
  ///   - scale: The number of those after the decimal separator.
  @inline(__always)
  func amount(skipping skipped: Int, _ digitCount: Int, scale: Int, isNegative: Bool) -> Amount? {
    guard digitCount <= Self.maximumDigitCount else { return nil }
    var coefficient: UInt64 = 0
    // Zeros are counted first: those at the end of the fraction may not fit, and do not change the amount.
    var (zeros, index, offset) = (0, 0, 0)
    while index < skipped &+ digitCount, offset < count {
      let digit = digit(at: offset)
      guard digit >= 0 else {
        offset &+= 1
        continue
      }
      offset &+= digitLength
      index &+= 1
      guard index > skipped else { continue }
      zeros &+= 1
      if digit == 0 { continue }
      guard let shifted = Self.shifted(coefficient, zeros), shifted <= UInt64(Int64.max) &- 9 else {
        return nil
      }
      coefficient = shifted &+ UInt64(truncatingIfNeeded: digit)
      zeros = 0
    }
    var shownScale = scale &- min(zeros, scale)
    guard var shifted = Self.shifted(coefficient, zeros &- (scale &- shownScale)) else { return nil }
    while shownScale < scale, let longer = Self.shifted(shifted, 1) {
      shifted = longer
      shownScale &+= 1
    }
    let magnitude = Int64(truncatingIfNeeded: shifted)
    return Amount(uncheckedCoefficient: isNegative ? 0 &- magnitude : magnitude, scale: shownScale)
  }

  /// Returns a number with zeros at its end; `nil` above the largest coefficient of an amount.
  @inline(__always)
  private static func shifted(_ number: UInt64, _ zeros: Int) -> UInt64? {
    var (number, left) = (number, number == 0 ? 0 : zeros)
    while left > 0 {
      guard number <= UInt64(Int64.max) / 10 else { return nil }
      number &*= 10
      left &-= 1
    }
    return number
  }

  /// Returns the number of digits after the last place of a separator; 0 without one.
  func digitCount(afterLast separator: UnsafeRawPointer, _ length: Int) -> Int {
    var (found, offset, isSeparated) = (0, 0, false)
    while offset < count {
      if length > 0, length <= count &- offset, equals(separator, length, at: offset) {
        (found, isSeparated) = (0, true)
        offset &+= length
        continue
      }
      let isDigit = digit(at: offset) >= 0
      found &+= isDigit ? 1 : 0
      offset &+= isDigit ? digitLength : 1
    }
    return isSeparated ? found : 0
  }

  @inline(__always)
  private func equals(_ bytes: UnsafeRawPointer, _ length: Int, at offset: Int) -> Bool {
    var index = 0
    while index < length, bytes.uint8(at: index) == start.uint8(at: offset &+ index) { index &+= 1 }
    return index == length
  }

  /// Returns the number of bytes at the start that are the same as in another text.
  @inline(__always)
  func commonPrefix(with other: UnsafeRawPointer, _ otherCount: Int) -> Int {
    let limit = min(count, otherCount)
    var index = 0
    while index < limit, start.uint8(at: index) == other.uint8(at: index) { index &+= 1 }
    return index
  }

  // MARK: Folding

  /// The places of the first digit and of the end of the last one, and whether all digits are of one kind.
  private var number: (start: Int, end: Int, isOneKind: Bool) {
    var (first, end, offset) = (count, 0, 0)
    var (hasOwn, hasASCII) = (false, false)
    while offset < count {
      let isOwn = digitLength > 1 && digit(at: offset) >= 0
      let isASCII = asciiDigit(at: offset) >= 0
      guard isOwn || isASCII else {
        offset &+= 1
        continue
      }
      first = min(first, offset)
      offset &+= isOwn ? digitLength : 1
      end = offset
      hasOwn = hasOwn || isOwn
      hasASCII = hasASCII || isASCII
    }
    return (first, end, !(hasOwn && hasASCII))
  }

  /// Folds the text into a buffer.
  ///
  /// - Parameters:
  ///   - names: The names of the currency, as `FoldedNames` has them.
  ///   - output: The buffer.
  ///   - capacity: Its size. Folding stops when the buffer is full.
  /// - Returns: The number of folded bytes, and the place in the text at which folding stopped: the number of the text's bytes if
  ///   all of it was folded.
  @inline(never)
  func fold(
    _ names: FoldedNames,
    into output: UnsafeMutablePointer<UInt8>,
    capacity: Int
  ) -> (count: Int, end: Int) {
    let number = number
    var (length, offset) = (0, 0)
    while offset < count {
      let isInNumber = offset >= number.start && offset < number.end
      if isInNumber, digitLength > 1, number.isOneKind, digit(at: offset) >= 0 {
        guard length < capacity else { break }
        output[length] = 0x30 | UInt8(truncatingIfNeeded: digit(at: offset))
        length &+= 1
        offset &+= digitLength
        continue
      }
      if !isInNumber,
        let end = end(ofNameAt: offset, before: number.start > offset ? number.start : count, names)
      {
        guard length < capacity else { break }
        output[length] = Self.name
        length &+= 1
        offset = end
        continue
      }
      let scalar = scalar(at: offset)
      let folded = isInNumber ? Self.foldedInNumber(scalar.value) : Self.foldedOutside(scalar.value)
      if folded >= 0 {
        guard length < capacity else { break }
        output[length] = UInt8(truncatingIfNeeded: folded)
        length &+= 1
      } else if folded == Self.unchanged {
        guard scalar.length <= capacity &- length else { break }
        var index = 0
        while index < scalar.length {
          output[length &+ index] = UInt8(truncatingIfNeeded: start.uint8(at: offset &+ index))
          index &+= 1
        }
        length &+= scalar.length
      }
      offset &+= scalar.length
    }
    return (length, offset)
  }

  /// Returns the end of the longest name that starts at an offset.
  func end(ofNameAt offset: Int, before limit: Int, _ names: FoldedNames) -> Int? {
    names.first { name, length in
      var (place, matched) = (offset, 0)
      while matched < length, place < limit {
        let scalar = scalar(at: place)
        let folded = Self.foldedOutside(scalar.value)
        if folded == Self.removed, matched == 0 { return nil }
        if folded >= 0 {
          guard name.uint8(at: matched) == folded else { return nil }
          matched &+= 1
        } else if folded == Self.unchanged {
          var index = 0
          while index < scalar.length {
            guard matched < length, name.uint8(at: matched) == start.uint8(at: place &+ index) else {
              return nil
            }
            matched &+= 1
            index &+= 1
          }
        }
        place &+= scalar.length
      }
      return matched == length ? place : nil
    }
  }

  /// Returns the Unicode scalar at an offset and its length. A byte that starts no scalar is one itself.
  func scalar(at offset: Int) -> (value: UInt32, length: Int) {
    let first = start.uint8(at: offset)
    let length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard length > 1, length <= count &- offset, isUTF8(start + offset, count: length) else {
      // Above all scalars, so that an invalid byte is never folded.
      return (UInt32(truncatingIfNeeded: first) | (first < 0x80 ? 0 : 0x8000_0000), 1)
    }
    var value = UInt32(truncatingIfNeeded: first & (0x7F &>> length))
    var index = 1
    while index < length {
      value = value &<< 6 | UInt32(truncatingIfNeeded: start.uint8(at: offset &+ index) & 0x3F)
      index &+= 1
    }
    return (value, length)
  }

  static let removed = -1
  static let unchanged = -2

  /// Returns what a scalar in the number becomes: an ASCII character, or `unchanged`.
  static func foldedInNumber(_ scalar: UInt32) -> Int {
    if isSpace(scalar) { return 0x20 }
    if isApostrophe(scalar) { return 0x27 }
    if scalar == 0xFF0C { return 0x2C }
    return scalar == 0xFF0E ? 0x2E : unchanged
  }

  /// Returns what a scalar outside the number becomes: an ASCII character, `removed`, or `unchanged`.
  static func foldedOutside(_ scalar: UInt32) -> Int {
    if isSpace(scalar) { return removed }
    switch scalar {
    // Zero-width characters, and Unicode's Bidi_Control without the overrides.
    case 0x200B, 0x2060, 0xFEFF, 0x61C, 0x200E, 0x200F, 0x202A...0x202C, 0x2066...0x2069: return removed
    case 0x2D, 0x2212, 0xFE63, 0xFF0D, 0x2010, 0x2013: return 0x2D
    case 0xFF0B, 0xFE62: return 0x2B
    case 0xFF08: return 0x28
    case 0xFF09: return 0x29
    case 0xFF04, 0xFE69: return 0x24
    // The yen and its fullwidth form, the pound and the won have no ASCII form: a control character stands for each.
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

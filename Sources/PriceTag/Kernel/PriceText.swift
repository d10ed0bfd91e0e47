/// The text of a price, for reading: its digits.
struct PriceText {
  let start: UnsafeRawPointer
  let count: Int
  /// The place of the pattern's ten digits, `PatternBytes.digitStride` bytes each, and their length; the length is 1 for ASCII
  /// digits.
  private let glyphs: UnsafeRawPointer
  private let digitLength: Int
  /// The first byte of the digits that are not ASCII, if they differ only in their last byte, as nearly all digits do.
  private let lead: Int
  private static let noLead = -1
  private static let severalLeads = -2

  @inline(__always)
  init(_ start: UnsafeRawPointer, _ count: Int, digitsOf pattern: PatternBytes) {
    (self.start, self.count) = (start, count)
    digitLength = pattern.start.uint8(at: PatternBytes.Field.digitLength)
    glyphs = pattern.start + pattern.start.uint16(at: PatternBytes.Field.digits)
    let last = glyphs + (digitLength &- 1)
    let hasLead = last.uint8(at: 9 &* PatternBytes.digitStride) &- last.uint8(at: 0) == 9
    lead = digitLength == 1 ? Self.noLead : hasLead ? glyphs.uint8(at: 0) : Self.severalLeads
  }

  /// Creates a text with ASCII digits.
  @inline(__always)
  init(ascii start: UnsafeRawPointer, _ count: Int) {
    (self.start, self.count, glyphs, digitLength, lead) = (start, count, start, 1, Self.noLead)
  }

  /// The maximum number of bytes of a text to read.
  static let maximumCount = 4096
  /// The maximum number of digits of an amount.
  private static let maximumDigitCount = 19 &+ Amount.maximumScale

  // MARK: Digits

  /// The digits in a part of a text: those of the pattern, and ASCII digits.
  struct Digits {
    /// The place of the first digit, and the end of the last one.
    let start, end: Int
    let count: Int
    /// The number that the digits are, if there are at most 18.
    let value: UInt64
    /// Whether all digits are ASCII, or none of them is.
    let areOneKind: Bool
  }

  /// Returns the digits between two places.
  @inline(never)
  func digits(from first: Int, to end: Int) -> Digits {
    var (start, last, offset) = (end, end, first)
    var (count, nativeCount, value) = (0, 0, UInt64(0))
    while offset < end {
      var (digit, length) = (self.start.uint8(at: offset) ^ 0x30, 1)
      if digit > 9 {
        digit = nativeDigit(at: offset, before: end)
        guard digit >= 0 else {
          offset &+= 1
          continue
        }
        length = digitLength
        nativeCount &+= 1
      }
      if count == 0 { start = offset }
      offset &+= length
      last = offset
      value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
      count &+= 1
    }
    let areOneKind = nativeCount == 0 || nativeCount == count
    return Digits(start: start, end: last, count: count, value: value, areOneKind: areOneKind)
  }

  /// The places of the digits of a written price. The digits between the first and the last one are not counted.
  var firstAndLastDigit: Digits {
    var (first, last) = (0, count &- 1)
    while first < last, digit(at: first, before: count) == nil { first &+= 1 }
    while last > first, digit(at: last, before: count) == nil { last &-= 1 }
    let length = start.uint8(at: last) < 0x80 ? 1 : digitLength
    let areOneKind = (length == 1) == (start.uint8(at: first) < 0x80)
    return Digits(start: first, end: min(last &+ length, count), count: 0, value: 0, areOneKind: areOneKind)
  }

  /// The number of digits in the text.
  var digitCount: Int { count == 0 ? 0 : digits(from: 0, to: count).count }

  /// Returns the value of the digit at an offset, ASCII or of the pattern, and its length; `nil` without one.
  @inline(__always)
  func digit(at offset: Int, before end: Int) -> (value: Int, length: Int)? {
    let value = start.uint8(at: offset) ^ 0x30
    if value <= 9 { return (value, 1) }
    let native = nativeDigit(at: offset, before: end)
    return native < 0 ? nil : (native, digitLength)
  }

  /// Returns the value of the digit at an offset that is not ASCII; -1 without one.
  @inline(__always)
  private func nativeDigit(at offset: Int, before end: Int) -> Int {
    let byte = start.uint8(at: offset)
    guard byte == lead, offset &+ digitLength <= end else {
      return lead == Self.severalLeads && offset &+ digitLength <= end ? otherDigit(at: offset) : -1
    }
    var index = 1
    while index < digitLength &- 1 {
      guard start.uint8(at: offset &+ index) == glyphs.uint8(at: index) else { return -1 }
      index &+= 1
    }
    let digit = start.uint8(at: offset &+ index) &- glyphs.uint8(at: index)
    return digit <= 9 ? digit : -1
  }

  @inline(never)
  private func otherDigit(at offset: Int) -> Int {
    var digit = 9
    while digit >= 0, !equals(glyphs + digit &* PatternBytes.digitStride, digitLength, at: offset) {
      digit &-= 1
    }
    return digit
  }

  /// Returns the amount of some of the digits; `nil` if it is out of range.
  ///
  /// - Parameters:
  ///   - digits: All digits in a part of the text.
  ///   - skipped: The number of digits before those of the amount.
  ///   - digitCount: Their number.
  ///   - scale: The number of those after the decimal separator.
  @inline(__always)
  func amount(_ digits: Digits, skipping skipped: Int, _ digitCount: Int, scale: Int, isNegative: Bool)
    -> Amount?
  {
    if digitCount == digits.count, digitCount <= 18 {
      let magnitude = Int64(truncatingIfNeeded: digits.value)
      return Amount(uncheckedCoefficient: isNegative ? 0 &- magnitude : magnitude, scale: scale)
    }
    return longAmount(digits.start, skipped, digitCount, scale, isNegative)
  }

  @inline(never)
  private func longAmount(_ first: Int, _ skipped: Int, _ digitCount: Int, _ scale: Int, _ isNegative: Bool)
    -> Amount?
  {
    guard digitCount <= Self.maximumDigitCount else { return nil }
    let limit = UInt64(Int64.max) &+ (isNegative ? 1 : 0)
    var coefficient: UInt64 = 0
    // Zeros are counted first: those at the end of the fraction may not fit, and do not change the amount.
    var (zeros, index, offset) = (0, 0, first)
    while index < skipped &+ digitCount, offset < count {
      guard let digit = digit(at: offset, before: count) else {
        offset &+= 1
        continue
      }
      offset &+= digit.length
      index &+= 1
      guard index > skipped else { continue }
      zeros &+= 1
      if digit.value == 0 { continue }
      let value = UInt64(truncatingIfNeeded: digit.value)
      guard let shifted = Self.shifted(coefficient, zeros, limit), shifted <= limit &- value else {
        return nil
      }
      coefficient = shifted &+ value
      zeros = 0
    }
    var shownScale = scale &- min(zeros, scale)
    guard var shifted = Self.shifted(coefficient, zeros &- (scale &- shownScale), limit) else { return nil }
    while shownScale < scale, let longer = Self.shifted(shifted, 1, limit) {
      shifted = longer
      shownScale &+= 1
    }
    let magnitude = Int64(truncatingIfNeeded: shifted)
    return Amount(uncheckedCoefficient: isNegative ? 0 &- magnitude : magnitude, scale: shownScale)
  }

  /// Returns a number with zeros at its end; `nil` above a limit.
  private static func shifted(_ number: UInt64, _ zeros: Int, _ limit: UInt64) -> UInt64? {
    var (number, left) = (number, number == 0 ? 0 : zeros)
    while left > 0 {
      guard number <= limit / 10 else { return nil }
      number &*= 10
      left &-= 1
    }
    return number
  }

  /// Returns the number of digits after the last place of a separator; 0 without one.
  func digitCount(afterLast separator: PriceText) -> Int {
    var offset = separator.count > 0 ? count &- separator.count : -1
    while offset >= 0, !equals(separator.start, separator.count, at: offset) { offset &-= 1 }
    return offset < 0 ? 0 : digits(from: offset &+ separator.count, to: count).count
  }

  // MARK: Bytes

  /// Returns whether bytes are at an offset, which has room for them.
  @inline(__always)
  func equals(_ bytes: UnsafeRawPointer, _ length: Int, at offset: Int) -> Bool {
    var index = 0
    while length &- index >= 8 {
      guard start.uint64(at: offset &+ index) == bytes.uint64(at: index) else { return false }
      index &+= 8
    }
    while index < length {
      guard start.uint8(at: offset &+ index) == bytes.uint8(at: index) else { return false }
      index &+= 1
    }
    return true
  }

  /// Returns the number of bytes at an offset that are the same as those of another text.
  @inline(never)
  func commonPrefix(with other: UnsafeRawPointer, _ otherCount: Int, at offset: Int, _ length: Int) -> Int {
    let limit = min(length, otherCount)
    var index = 0
    while limit &- index >= 8, start.uint64(at: offset &+ index) == other.uint64(at: index) { index &+= 8 }
    while index < limit, start.uint8(at: offset &+ index) == other.uint8(at: index) { index &+= 1 }
    return index
  }

  /// Returns the Unicode scalar at an offset and its length. A byte that starts no scalar is one itself.
  @inline(__always)
  func scalar(at offset: Int) -> (value: UInt32, length: Int) {
    let first = start.uint8(at: offset)
    return first < 0x80 ? (UInt32(truncatingIfNeeded: first), 1) : longScalar(first, offset)
  }

  private func longScalar(_ first: Int, _ offset: Int) -> (value: UInt32, length: Int) {
    let length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard length > 1, length <= count &- offset, isUTF8(start + offset, count: length) else {
      // Above all scalars, so that an invalid byte is never folded.
      return (UInt32(truncatingIfNeeded: first) | 0x8000_0000, 1)
    }
    var value = UInt32(truncatingIfNeeded: first & (0x7F &>> length))
    var index = 1
    while index < length {
      value = value &<< 6 | UInt32(truncatingIfNeeded: start.uint8(at: offset &+ index) & 0x3F)
      index &+= 1
    }
    return (value, length)
  }
}

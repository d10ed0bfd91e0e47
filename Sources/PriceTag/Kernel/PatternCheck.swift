/// Checks the bytes of a pattern.
struct PatternCheck {
  let start: UnsafeRawPointer
  /// The number of bytes up to the end of all patterns, at least `PatternBytes.Field.affixes`.
  let available: Int

  /// The maximum number of parts of an affix.
  private static let maximumPartCount = 32
  /// No pattern needs more affixes than those of all plural categories.
  private static let maximumCategoryCount = PluralBytes.categoryCount

  var size: Int { start.uint16(at: PatternBytes.Field.size) }

  var isValid: Bool {
    typealias Field = PatternBytes.Field
    let digitLength = start.uint8(at: Field.digitLength)
    let categoryCount = start.uint8(at: Field.categoryCount)
    let integerAffixes = start.uint16(at: Field.integerAffixes)
    guard start.uint8(at: Field.kind) == PatternBytes.kind, size >= Field.affixes, size <= available,
      digitLength >= 1, digitLength <= 4, start.uint8(at: Field.fractionDigits) <= Amount.maximumScale,
      start.uint8(at: Field.primaryGroupSize) > 0, start.uint8(at: Field.secondaryGroupSize) > 0,
      start.uint8(at: Field.minimumGroupedDigitCount) > start.uint8(at: Field.primaryGroupSize),
      start.uint8(at: Field.decimalPart) <= PatternPart.Kind.maximum, categoryCount > 0,
      categoryCount <= Self.maximumCategoryCount,
      start.uint32(at: Field.step) >= 1, start.uint32(at: Field.step) <= 1_000_000,
      isText(at: Field.group), isText(at: Field.decimal), digitsAreValid, pluralsAreValid,
      let longest = longestAffixes(at: Field.affixes),
      let longestInteger = integerAffixes == 0 ? 0 : longestAffixes(at: integerAffixes)
    else { return false }
    let capacity = PatternBytes.capacity(
      longestAffixes: max(longest, longestInteger),
      digitLength: digitLength,
      groupLength: start.uint16(at: Field.group &+ 2),
      decimalLength: start.uint16(at: Field.decimal &+ 2)
    )
    return capacity <= PatternBytes.maximumCapacity && capacity == start.uint16(at: Field.capacity)
  }

  /// Returns whether the offset and the length at a place refer to UTF-8 in the record.
  private func isText(at place: Int) -> Bool {
    let (offset, length) = (start.uint16(at: place), start.uint16(at: place &+ 2))
    return offset &+ length <= size && isUTF8(start + offset, count: length)
  }

  private var digitsAreValid: Bool {
    let digitLength = start.uint8(at: PatternBytes.Field.digitLength)
    let zeros = start.uint64(at: PatternBytes.Field.fourTwoByteZeros)
    let digits = start.uint16(at: PatternBytes.Field.digits)
    guard digitLength > 1 else { return zeros == 0 && digits == 0 }
    guard digits &+ 10 &* PatternBytes.digitStride <= size else { return false }
    var index = 0
    while index < 10 {
      let digit = start + (digits &+ index &* PatternBytes.digitStride)
      guard isUTF8(digit, count: digitLength) else { return false }
      // The fast path computes the digits from the first one.
      if zeros != 0 {
        let zero = Int(truncatingIfNeeded: zeros & 0xFFFF)
        guard digitLength == 2, zeros == UInt64(truncatingIfNeeded: zero) &* 0x0001_0001_0001_0001,
          digit.uint16(at: 0) == zero &+ index << 8
        else { return false }
      }
      index &+= 1
    }
    return true
  }

  private var pluralsAreValid: Bool {
    let plurals = start.uint16(at: PatternBytes.Field.plurals)
    guard plurals > 0 else { return true }
    let rules = start + plurals
    return PluralBytes(start: rules).checkedSize(available: size &- plurals) != nil
      && rules.uint8(at: 1).nonzeroBitCount <= start.uint8(at: PatternBytes.Field.categoryCount)
  }

  /// Returns the length of the longest pair of prefix and suffix of a variant; `nil` if an affix is invalid.
  private func longestAffixes(at first: Int) -> Int? {
    let count = 2 &* start.uint8(at: PatternBytes.Field.categoryCount)
    guard first >= PatternBytes.Field.affixes, first &+ count &* 2 &* PatternBytes.affixLength <= size else {
      return nil
    }
    var longest = 0
    var place = first
    var left = count
    while left > 0 {
      let suffix = place &+ PatternBytes.affixLength
      let isMissing = start.uint16(at: place &+ 2) == PatternBytes.missing
      if !isMissing {
        guard isAffix(at: place), isAffix(at: suffix) else { return nil }
        longest = max(longest, start.uint16(at: place &+ 2) &+ start.uint16(at: suffix &+ 2))
      }
      place = suffix &+ PatternBytes.affixLength
      left &-= 1
    }
    return longest
  }

  private func isAffix(at place: Int) -> Bool {
    let partCount = start.uint16(at: place &+ 6) & 0x3FFF
    var part = start.uint16(at: place &+ 4)
    guard isText(at: place), partCount <= Self.maximumPartCount,
      part &+ partCount &* PatternBytes.partLength <= size
    else { return false }
    var length = 0
    var left = partCount
    while left > 0 {
      guard start.uint8(at: part) <= PatternPart.Kind.maximum else { return false }
      length &+= start.uint8(at: part &+ 1)
      part &+= PatternBytes.partLength
      left &-= 1
    }
    return length == start.uint16(at: place &+ 2)
  }
}

extension PluralBytes {
  /// Returns the number of bytes of the rules; `nil` if they are invalid, or larger than the available bytes.
  func checkedSize(available: Int) -> Int? {
    guard Self.headLength <= available else { return nil }
    let (categories, end) = (start.uint8(at: 1), start.uint16(at: 2))
    guard end <= available, categories < 1 &<< Self.categoryCount, categories & 1 &<< Self.other != 0 else {
      return nil
    }
    var place = Self.headLength
    var left = start.uint8(at: 0)
    while left > 0 {
      guard place &+ Self.relationLength <= end,
        Operand(rawValue: UInt8(truncatingIfNeeded: start.uint8(at: place))) != nil
      else { return nil }
      let category = start.uint8(at: place &+ 3)
      guard category <= Self.other, categories & 1 &<< category != 0 else { return nil }
      place &+= Self.relationLength &+ start.uint8(at: place &+ 2) &* Self.rangeLength
      left &-= 1
    }
    return place == end ? end : nil
  }
}

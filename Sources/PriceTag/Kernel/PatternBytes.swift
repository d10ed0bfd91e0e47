/// A compiled pattern as bytes: a price is a copy of these bytes around its digits.
///
/// The bytes have the same layout in memory, in a pack and on every machine: fields with a fixed width in little-endian
/// order, and offsets from the first byte. They need no alignment, and 16 readable bytes follow them, because short
/// pieces are copied as 16 bytes. docs/packs.md describes the layout, and `PatternBytesBuilder` writes it.
///
/// Sendable notes: the bytes do not change.
struct PatternBytes: @unchecked Sendable {
  let start: UnsafeRawPointer

  /// The offsets of the fields.
  enum Field {
    /// The kind of the record: 1.
    static let kind = 0
    /// The number of bytes of a digit, 1 to 4.
    static let digitLength = 1
    /// The number of digits after the decimal separator.
    static let fractionDigits = 2
    /// The number of digits between the decimal separator and the first group separator.
    static let primaryGroupSize = 3
    /// The number of digits between two group separators.
    static let secondaryGroupSize = 4
    /// The minimum number of integer digits that are grouped; 255 if there are no groups.
    static let minimumGroupedDigitCount = 5
    /// The number of plural categories for which each variant has affixes; 1 without plurals.
    static let categoryCount = 6
    /// The kind of the decimal separator's part.
    static let decimalPart = 7
    /// Four zeros of a script whose ten digits have two bytes and are consecutive, such as Arabic; 0 for any other.
    static let fourTwoByteZeros = 8
    /// The number of bytes that any price needs, including the bytes that a copy may write beyond its end.
    static let capacity = 16
    /// The number of bytes of the record.
    static let size = 18
    /// The places of the separators: an offset, and a number of bytes.
    static let group = 20
    static let decimal = 24
    /// The offset of the ten digits, four bytes each; 0 for ASCII digits.
    static let digits = 28
    /// The offset of the affixes of the variant without a fraction; 0 if there is no such variant.
    static let integerAffixes = 30
    /// The offset of the plural rules; 0 if the affixes do not depend on plural categories.
    static let plurals = 32
    /// The text directions of a digit, the group separator and the decimal separator.
    static let directions = 34
    /// The rounding step, in units of the last digit.
    static let step = 36
    /// The affixes of the standard variant: `affixSize` bytes for each category.
    static let affixes = 40
  }

  /// The kind of records with this layout.
  static let kind = 1

  /// An affix has four fields: offset and length of its text, and offset and number of its parts. Its direction is in the
  /// highest two bits of the number of parts.
  static let affixLength = 8
  /// The prefix and suffix of positive amounts, and those of negative amounts.
  static let affixesLength = 4 * affixLength
  /// The length of a missing prefix.
  static let missing = 0xFFFF
  /// A part has a kind and a number of bytes.
  static let partLength = 2

  /// The value of `minimumGroupedDigitCount` if there are no groups.
  static let neverGrouped = 255
  /// The maximum capacity of a pattern. Prices with a larger pattern are formatted by ICU.
  static let maximumCapacity = 1024
  /// The number of readable bytes after the record, and of writable bytes after a price.
  static let slack = 16
  static let digitStride = 4
  /// The room for the digits of a large coefficient: 24, and the bytes that are read after them.
  private static let scratch = 48

  /// Returns the number of bytes that any price needs.
  static func capacity(
    longestAffixes: Int,
    digitLength: Int,
    groupLength: Int,
    decimalLength: Int
  ) -> Int {
    let maximumDigitCount = 19 &+ Amount.maximumScale
    return longestAffixes &+ maximumDigitCount &* digitLength &+ 19 &* groupLength &+ decimalLength
      &+ 3 &* slack &+ scratch
  }

  /// The number of bytes that any price needs, including the bytes that a copy may write beyond its end.
  @inline(__always)
  var capacity: Int { start.uint16(at: Field.capacity) }

  /// The number of digits after the decimal separator.
  @inline(__always)
  var fractionDigits: Int { start.uint8(at: Field.fractionDigits) }

  /// The rounding step, in units of the last digit.
  @inline(__always)
  var step: Int { Int(truncatingIfNeeded: start.uint32(at: Field.step)) }

  /// Whether the affixes depend on the plural category of an amount.
  @inline(__always)
  var hasPlurals: Bool { start.uint16(at: Field.plurals) > 0 }

  @inline(__always)
  private var digitLength: Int { start.uint8(at: Field.digitLength) }

  // MARK: Writing

  /// Writes an amount that has no more digits than are displayed.
  ///
  /// - Parameters:
  ///   - amount: The amount, already rounded.
  ///   - category: The index of the amount's plural category.
  ///   - output: A buffer of `capacity` bytes. Bytes after the price may be overwritten too.
  /// - Returns: The number of bytes of the price; -1 if the pattern has no affixes for the category.
  @inline(__always)
  func write(_ amount: Amount, category: Int = 0, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let magnitude = amount.coefficient.magnitude
    if magnitude < 100_000_000, amount.scale < 8 {
      // Nearly every price takes this path, which holds the digits in a register.
      let digits = ShortDigits(magnitude, scale: amount.scale)
      return write(digits, isNegative: amount.coefficient < 0, category: category, to: output)
    }
    return writeLong(amount, category, fractionDigits: fractionDigits, to: output)
  }

  /// Writes at most eight digits. Every inlined copy would make the WebAssembly module larger.
  #if arch(wasm32)
    @inline(never)
  #else
    @inline(__always)
  #endif
  func write(
    _ digits: ShortDigits,
    isNegative: Bool,
    category: Int = 0,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    if digitLength > 1 { return writeNative(digits, isNegative, category, to: output) }
    return writeShort(digits, isNegative, category, fourTwoByteZeros: 0, to: output)
  }

  @inline(never)
  private func writeNative(
    _ digits: ShortDigits,
    _ isNegative: Bool,
    _ category: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let fourTwoByteZeros = start.uint64(at: Field.fourTwoByteZeros)
    if fourTwoByteZeros == 0 { return writeEach(digits, isNegative, category, to: output) }
    return writeShort(digits, isNegative, category, fourTwoByteZeros: fourTwoByteZeros, to: output)
  }

  /// Writes at most eight digits in at most three groups, without branches on their number: a processor could not predict
  /// them.
  @inline(__always)
  private func writeShort(
    _ digits: ShortDigits,
    _ isNegative: Bool,
    _ category: Int,
    fourTwoByteZeros: UInt64,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    // The last group is up to the decimal separator. The two before it may have no digits.
    let integerCount = digits.count &- digits.scale
    let secondaryGroupSize = start.uint8(at: Field.secondaryGroupSize)
    let isGrouped = integerCount >= start.uint8(at: Field.minimumGroupedDigitCount)
    let lastCount = min(integerCount, isGrouped ? start.uint8(at: Field.primaryGroupSize) : 8)
    let middleCount = min(integerCount &- lastCount, secondaryGroupSize)
    let firstCount = integerCount &- lastCount &- middleCount
    let fractionDigits = fractionDigits
    let groupLength = start.uint16(at: Field.group &+ 2)
    if firstCount > secondaryGroupSize || fractionDigits > 8 || groupLength > 16 {
      return writeEach(digits, isNegative, category, to: output)
    }
    let fraction = digits.fraction
    var first = Field.affixes
    let integerAffixes = start.uint16(at: Field.integerAffixes)
    var isInteger = false
    if integerAffixes > 0 {
      isInteger = fraction == 0
      first = isInteger ? integerAffixes : first
    }
    guard let affix = affix(first, isNegative, category) else { return -1 }

    var end = output
    copyPiece(at: affix, to: &end)
    let group = start + start.uint16(at: Field.group)
    let digitLength = fourTwoByteZeros == 0 ? 1 : 2
    var rest = digits.bytes
    store(rest, fourTwoByteZeros, at: end)
    end += firstCount &* digitLength
    copySixteenBytes(from: group, to: end)
    end += firstCount > 0 ? groupLength : 0
    rest = rest &>> UInt64(truncatingIfNeeded: 8 &* firstCount)
    store(rest, fourTwoByteZeros, at: end)
    end += middleCount &* digitLength
    copySixteenBytes(from: group, to: end)
    end += middleCount > 0 ? groupLength : 0
    rest = rest &>> UInt64(truncatingIfNeeded: 8 &* middleCount)
    store(rest, fourTwoByteZeros, at: end)
    end += lastCount &* digitLength
    if fractionDigits > 0 {
      let integerEnd = end
      copyPiece(at: Field.decimal, to: &end)
      store(fraction, fourTwoByteZeros, at: end)
      end += fractionDigits &* digitLength
      if isInteger { end = integerEnd }
    }
    copyPiece(at: affix &+ Self.affixLength, to: &end)
    return end - output
  }

  /// Stores eight digits, in ASCII or as two bytes each.
  @inline(__always)
  private func store(_ digits: UInt64, _ fourTwoByteZeros: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    if fourTwoByteZeros == 0 {
      let eight = digits | 0x3030_3030_3030_3030
      UnsafeMutableRawPointer(place).storeBytes(of: eight.littleEndian, as: UInt64.self)
    } else {
      // Spreads the digits over eight pairs of bytes and adds them to the second byte of each pair.
      #if arch(wasm32) || _endian(big)
        let low = fourTwoByteZeros &+ spread(digits & 0xFFFF_FFFF) << 8
        let high = fourTwoByteZeros &+ spread(digits >> 32) << 8
        UnsafeMutableRawPointer(place).storeBytes(of: low.littleEndian, as: UInt64.self)
        UnsafeMutableRawPointer(place + 8).storeBytes(of: high.littleEndian, as: UInt64.self)
      #else
        let eight = unsafeBitCast(digits, to: SIMD8<UInt8>.self)
        let zeros = unsafeBitCast(SIMD2(repeating: fourTwoByteZeros), to: SIMD8<UInt16>.self)
        let glyphs = zeros &+ SIMD8<UInt16>(truncatingIfNeeded: eight) &<< 8
        UnsafeMutableRawPointer(place).storeBytes(of: glyphs, as: SIMD8<UInt16>.self)
      #endif
    }
  }

  #if arch(wasm32) || _endian(big)
    @inline(__always)
    private func spread(_ four: UInt64) -> UInt64 {
      let pairs = (four | four << 16) & 0x0000_FFFF_0000_FFFF
      return (pairs | pairs << 8) & 0x000F_000F_000F_000F
    }
  #endif

  /// Returns the place of the prefix of a price; `nil` if the pattern has no affixes for the category.
  @inline(__always)
  func affix(_ first: Int, _ isNegative: Bool, _ category: Int) -> Int? {
    if category > 0, category >= start.uint8(at: Field.categoryCount) { return nil }
    let affix = first &+ category &* Self.affixesLength &+ (isNegative ? 2 &* Self.affixLength : 0)
    return start.uint16(at: affix &+ 2) == Self.missing ? nil : affix
  }

  /// Writes any amount, with a number of digits after the decimal separator.
  @inline(never)
  func writeLong(
    _ amount: Amount,
    _ category: Int,
    fractionDigits: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let digits = MemoryDigits(amount, before: output + (capacity &- Self.slack))
    return writeEach(
      digits,
      amount.coefficient < 0,
      isInteger: amount.isInteger,
      category,
      fractionDigits: fractionDigits,
      to: output
    )
  }

  @inline(__always)
  private func writeEach(
    _ digits: ShortDigits,
    _ isNegative: Bool,
    _ category: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let copy = MemoryDigits(digits, before: output + (capacity &- Self.slack))
    return writeEach(
      copy,
      isNegative,
      isInteger: digits.fraction == 0,
      category,
      fractionDigits: fractionDigits,
      to: output
    )
  }

  /// Writes any number of digits in any number of groups.
  @inline(never)
  private func writeEach(
    _ digits: MemoryDigits,
    _ isNegative: Bool,
    isInteger: Bool,
    _ category: Int,
    fractionDigits: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let integerCount = digits.count &- digits.scale
    var scale = digits.scale
    var shownFractionDigits = fractionDigits
    var first = Field.affixes
    let integerAffixes = start.uint16(at: Field.integerAffixes)
    if integerAffixes > 0, isInteger {
      scale = 0
      shownFractionDigits = 0
      first = integerAffixes
    }
    guard let affix = affix(first, isNegative, category) else { return -1 }

    var end = output
    copyPiece(at: affix, to: &end)
    if integerCount < start.uint8(at: Field.minimumGroupedDigitCount) {
      writeRun(digits, 0, integerCount, to: &end)
    } else {
      writeGroups(digits, integerCount, to: &end)
    }
    if shownFractionDigits > 0 {
      copyPiece(at: Field.decimal, to: &end)
      writeRun(digits, integerCount, scale, to: &end)
      while scale < shownFractionDigits {
        writeDigit(0, to: &end)
        scale &+= 1
      }
    }
    copyPiece(at: affix &+ Self.affixLength, to: &end)
    return end - output
  }

  /// Copies the piece whose offset and length are at a place.
  @inline(__always)
  private func copyPiece(at place: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    copyPiece(at: start.uint16(at: place), count: start.uint16(at: place &+ 2), to: &end)
  }

  /// Copies a piece, 16 bytes at once. The record and the output have that much room after their end.
  @inline(__always)
  private func copyPiece(at offset: Int, count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    copySixteenBytes(from: start + offset, to: end)
    if count > 16 { copyRest(offset, count, to: end) }
    end += count
  }

  /// Copies a long piece, except for its first 16 bytes.
  @inline(never)
  private func copyRest(_ offset: Int, _ count: Int, to output: UnsafeMutablePointer<UInt8>) {
    var copied = 16
    while copied < count {
      copySixteenBytes(from: start + (offset &+ copied), to: output + copied)
      copied &+= 16
    }
  }

  @inline(__always)
  private func copySixteenBytes(from source: UnsafeRawPointer, to end: UnsafeMutablePointer<UInt8>) {
    #if arch(wasm32)
      let (low, high) = (source.uint64(at: 0), source.uint64(at: 8))
      UnsafeMutableRawPointer(end).storeBytes(of: low, as: UInt64.self)
      UnsafeMutableRawPointer(end + 8).storeBytes(of: high, as: UInt64.self)
    #else
      UnsafeMutableRawPointer(end).storeBytes(
        of: source.loadUnaligned(as: SIMD16<UInt8>.self),
        as: SIMD16<UInt8>.self
      )
    #endif
  }

  @inline(__always)
  private func writeDigit(_ digit: UInt8, to end: inout UnsafeMutablePointer<UInt8>) {
    if digitLength == 1 {
      end.pointee = UInt8(ascii: "0") | digit
    } else {
      let table = start + start.uint16(at: Field.digits)
      let glyph = (table + Int(truncatingIfNeeded: digit) &* Self.digitStride).loadUnaligned(as: UInt32.self)
      UnsafeMutableRawPointer(end).storeBytes(of: glyph, as: UInt32.self)
    }
    end += digitLength
  }

  /// Writes digits without separators, eight at once if they are ASCII.
  @inline(__always)
  private func writeRun(
    _ digits: MemoryDigits,
    _ start: Int,
    _ count: Int,
    to end: inout UnsafeMutablePointer<UInt8>
  ) {
    if digitLength == 1 {
      var written = 0
      repeat {
        let eight = digits.eight(from: start &+ written) | 0x3030_3030_3030_3030
        UnsafeMutableRawPointer(end + written).storeBytes(of: eight.littleEndian, as: UInt64.self)
        written &+= 8
      } while written < count
      end += count
      return
    }
    let fourTwoByteZeros = self.start.uint64(at: Field.fourTwoByteZeros)
    if fourTwoByteZeros != 0 {
      // Spreads four digits over four pairs of bytes and adds them to the second byte of each pair.
      var written = 0
      repeat {
        var pairs = digits.eight(from: start &+ written) & 0xFFFF_FFFF
        pairs = (pairs | pairs << 16) & 0x0000_FFFF_0000_FFFF
        pairs = (pairs | pairs << 8) & 0x000F_000F_000F_000F
        let glyphs = fourTwoByteZeros &+ pairs << 8
        UnsafeMutableRawPointer(end + 2 &* written).storeBytes(of: glyphs.littleEndian, as: UInt64.self)
        written &+= 4
      } while written < count
      end += 2 &* count
    } else {
      var index = start
      while index < start &+ count {
        writeDigit(UInt8(truncatingIfNeeded: digits.eight(from: index)) & 0xF, to: &end)
        index &+= 1
      }
    }
  }

  /// Writes digits with group separators.
  @inline(__always)
  private func writeGroups(_ digits: MemoryDigits, _ count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    let primaryGroupSize = start.uint8(at: Field.primaryGroupSize)
    let secondaryGroupSize = start.uint8(at: Field.secondaryGroupSize)
    var written = 0
    var group = count &- primaryGroupSize
    while group > secondaryGroupSize { group &-= secondaryGroupSize }
    while count &- written > primaryGroupSize {
      writeRun(digits, written, group, to: &end)
      copyPiece(at: Field.group, to: &end)
      written &+= group
      group = secondaryGroupSize
    }
    writeRun(digits, written, count &- written, to: &end)
  }
}

/// The digits of an amount below 100,000,000 in units of its last digit, which has at most seven decimals.
struct ShortDigits {
  /// Each digit is a byte from 0 to 9. The first one is in the lowest byte, and zeros are after the last one.
  let bytes: UInt64
  /// The number of digits, with at least one before the decimal point. Other leading zeros are not counted.
  let count: Int
  /// The number of digits after the decimal point.
  let scale: Int

  @inline(__always)
  init(_ number: UInt64, scale: Int) {
    self.init(eight: eightDigits(number), scale: scale)
  }

  /// Creates the digits from eight of them, with leading zeros. The first one is in the lowest byte.
  @inline(__always)
  init(eight: UInt64, scale: Int) {
    count = max(8 &- eight.trailingZeroBitCount / 8, scale &+ 1)
    bytes = eight &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    self.scale = scale
  }

  /// The digits after the decimal point. A shift by 64 bits has no effect, and at least one digit is before the point.
  @inline(__always)
  var fraction: UInt64 { (bytes &>> UInt64(truncatingIfNeeded: 8 &* (count &- scale &- 1))) &>> 8 }
}

/// The digits of any amount, in the 24 bytes before a pointer. Eight more bytes after it may be read.
private struct MemoryDigits {
  let start: UnsafeMutablePointer<UInt8>
  let count: Int
  let scale: Int

  @inline(__always)
  init(_ amount: Amount, before end: UnsafeMutablePointer<UInt8>) {
    let (rest, low) = amount.coefficient.magnitude.quotientAndRemainder(dividingBy: 100_000_000)
    let (high, middle) = rest.quotientAndRemainder(dividingBy: 100_000_000)
    let highCount = Self.store(high, at: end - 24)
    let middleCount = Self.store(middle, at: end - 16)
    let lowCount = Self.store(low, at: end - 8)
    let count = high > 0 ? 16 &+ highCount : middle > 0 ? 8 &+ middleCount : lowCount
    self.count = max(count, amount.scale &+ 1)
    scale = amount.scale
    start = end - self.count
  }

  @inline(__always)
  init(_ digits: ShortDigits, before end: UnsafeMutablePointer<UInt8>) {
    start = end - 8
    count = digits.count
    scale = digits.scale
    UnsafeMutableRawPointer(start).storeBytes(of: digits.bytes.littleEndian, as: UInt64.self)
  }

  /// Stores eight digits, and returns their number without leading zeros.
  @inline(__always)
  private static func store(_ part: UInt64, at place: UnsafeMutablePointer<UInt8>) -> Int {
    let digits = eightDigits(part)
    UnsafeMutableRawPointer(place).storeBytes(of: digits.littleEndian, as: UInt64.self)
    return 8 &- digits.trailingZeroBitCount / 8
  }

  /// Returns eight digits, the first one in the lowest byte. Bytes after the last digit are undefined.
  @inline(__always)
  func eight(from index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
  }
}

/// Returns the eight decimal digits of a number below 100,000,000, one per byte, the first one in the lowest byte.
///
/// The number is split into lanes of four, two and one digits, where each division is a multiplication.
@inline(__always)
private func eightDigits(_ number: UInt64) -> UInt64 {
  // Each step moves quotients down and remainders up: (n << bits) - (d << bits) * q + q.
  let thousands = (number &* 109_951_163) >> 40
  let fours = number << 32 &- thousands &* (10_000 << 32 - 1)
  let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
  let twos = fours << 16 &- hundreds &* (100 << 16 - 1)
  let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
  return twos << 8 &- tens &* (10 << 8 - 1)
}

extension Amount {
  /// A Boolean value that indicates whether all digits after the decimal point are zero.
  @inline(__always)
  var isInteger: Bool { scale == 0 || coefficient.isMultiple(of: powerOfTen(scale)) }
}

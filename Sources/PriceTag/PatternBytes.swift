/// A compiled pattern in the form that is written: a price is a copy of these bytes around its digits.
///
/// It is a plain structure that is used through a pointer, so that no references are counted.
struct PatternBytes {
  /// The number of bytes that any price needs, including the bytes that a copy may write beyond its end.
  let capacity: Int

  /// The place of an affix in `pieces`. The count is negative if the affix is missing.
  private struct Slice {
    var offset: Int32
    var count: Int32
  }

  /// All pieces that are copied. Each is followed by 16 unused bytes, so that a short piece is copied as 16 bytes.
  private let pieces: UnsafeMutablePointer<UInt8>
  /// Four slices for each category of each variant: prefix and suffix, positive and negative.
  private let slices: UnsafeMutablePointer<Slice>
  private let digitLength: Int
  /// Four zeros of a script whose ten digits have two bytes and are consecutive, such as Arabic; 0 for any other script.
  private let fourTwoByteZeros: UInt64
  private let groupOffset: Int
  private let groupLength: Int
  private let decimalOffset: Int
  private let decimalLength: Int
  private let primaryGroupSize: Int
  private let secondaryGroupSize: Int
  private let minimumGroupedDigitCount: Int
  private let fractionDigits: Int
  /// The index of the first slice of the variant without a fraction; 0 if there is no such variant.
  private let integerSlot: Int

  /// The maximum capacity of a pattern. Prices with a larger pattern are formatted by ICU.
  static let maximumCapacity = 1024

  private static let slack = 16
  private static let digitStride = 4
  /// The room for the digits of a large coefficient: 24, and the bytes that are read after them.
  private static let scratch = 48

  init(
    number: CompiledPattern.Number,
    standardVariant: CompiledPattern.Variant,
    integerVariant: CompiledPattern.Variant?
  ) {
    digitLength = number.digits.first?.count ?? 1
    fourTwoByteZeros = Self.fourTwoByteZeros(number.digits)
    groupLength = number.group.count
    decimalLength = number.decimal.count
    primaryGroupSize = number.primaryGroupSize
    secondaryGroupSize = number.secondaryGroupSize
    minimumGroupedDigitCount = number.minimumGroupedDigitCount
    fractionDigits = standardVariant.fractionDigits
    integerSlot = integerVariant == nil ? 0 : 4 * standardVariant.affixes.count

    var buffer: [UInt8] = []
    for digit in number.digits {
      buffer += digit
      buffer += Array(repeating: 0, count: max(0, Self.digitStride - digit.count))
    }
    func place(_ piece: [UInt8]) -> Int {
      let offset = buffer.count
      buffer += piece
      buffer += Array(repeating: 0, count: Self.slack)
      return offset
    }
    groupOffset = place(number.group)
    decimalOffset = place(number.decimal)
    var table: [Slice] = []
    var longestAffixes = 0
    for variant in [standardVariant, integerVariant].compactMap(\.self) {
      for affixes in variant.affixes {
        for affix in [affixes?.positive, affixes?.negative] {
          for piece in [affix?.prefix, affix?.suffix] {
            table.append(
              piece.map { Slice(offset: Int32(place($0)), count: Int32($0.count)) }
                ?? Slice(offset: 0, count: -1)
            )
          }
          longestAffixes = max(longestAffixes, (affix?.prefix.count ?? 0) + (affix?.suffix.count ?? 0))
        }
      }
    }
    pieces = .allocate(capacity: buffer.count)
    pieces.initialize(from: buffer, count: buffer.count)
    slices = .allocate(capacity: table.count)
    slices.initialize(from: table, count: table.count)
    let maximumDigitCount = 19 + Amount.maximumScale
    capacity =
      longestAffixes + maximumDigitCount * digitLength + 19 * groupLength + decimalLength + 3 * Self.slack
      + Self.scratch
  }

  private static func fourTwoByteZeros(_ digits: [[UInt8]]) -> UInt64 {
    guard digits.count == 10, let zero = digits.first, zero.count == 2,
      digits.enumerated().allSatisfy({ $1 == [zero[0], zero[1] &+ UInt8($0)] })
    else { return 0 }
    return 0x0001_0001_0001_0001 &* (UInt64(zero[0]) | UInt64(zero[1]) << 8)
  }

  func deallocate() {
    pieces.deallocate()
    slices.deallocate()
  }

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
      return write(amount, RegisterDigits(magnitude, minimumCount: amount.scale + 1), category, to: output)
    }
    let digitsEnd = output + (capacity - Self.slack)
    return write(
      amount,
      MemoryDigits(magnitude, minimumCount: amount.scale + 1, before: digitsEnd),
      category,
      to: output
    )
  }

  @inline(__always)
  private func write(
    _ amount: Amount,
    _ digits: some Digits,
    _ category: Int,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let integerCount = digits.count - amount.scale
    var scale = amount.scale
    var shownFractionDigits = fractionDigits
    var slot = 4 * category
    if integerSlot > 0, amount.isInteger {
      scale = 0
      shownFractionDigits = 0
      slot += integerSlot
    }
    if amount.coefficient < 0 { slot += 2 }
    let prefix = slices[slot]
    let suffix = slices[slot + 1]
    if prefix.count < 0 { return -1 }

    var end = output
    copyPiece(at: Int(prefix.offset), count: Int(prefix.count), to: &end)
    if integerCount < minimumGroupedDigitCount {
      writeRun(digits, 0, integerCount, to: &end)
    } else {
      writeGroups(digits, integerCount, to: &end)
    }
    if shownFractionDigits > 0 {
      copyPiece(at: decimalOffset, count: decimalLength, to: &end)
      writeRun(digits, integerCount, scale, to: &end)
      for _ in scale..<shownFractionDigits { writeDigit(0, to: &end) }
    }
    copyPiece(at: Int(suffix.offset), count: Int(suffix.count), to: &end)
    return end - output
  }

  /// Copies a piece, 16 bytes at once. Every piece and the output have that much room after their end.
  @inline(__always)
  private func copyPiece(at offset: Int, count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    let source = UnsafeRawPointer(pieces + offset)
    UnsafeMutableRawPointer(end).storeBytes(
      of: source.loadUnaligned(as: SIMD16<UInt8>.self),
      as: SIMD16<UInt8>.self
    )
    if count > 16 { UnsafeMutableRawPointer(end + 16).copyMemory(from: source + 16, byteCount: count - 16) }
    end += count
  }

  @inline(__always)
  private func writeDigit(_ digit: UInt8, to end: inout UnsafeMutablePointer<UInt8>) {
    if digitLength == 1 {
      end.pointee = UInt8(ascii: "0") | digit
    } else {
      let glyph = UnsafeRawPointer(pieces + Int(digit) * Self.digitStride).loadUnaligned(as: UInt32.self)
      UnsafeMutableRawPointer(end).storeBytes(of: glyph, as: UInt32.self)
    }
    end += digitLength
  }

  /// Writes digits without separators, eight at once if they are ASCII.
  @inline(__always)
  private func writeRun(
    _ digits: some Digits,
    _ start: Int,
    _ count: Int,
    to end: inout UnsafeMutablePointer<UInt8>
  ) {
    if digitLength == 1 {
      var written = 0
      repeat {
        let eight = digits.eight(from: start + written) | 0x3030_3030_3030_3030
        UnsafeMutableRawPointer(end + written).storeBytes(of: eight.littleEndian, as: UInt64.self)
        written += 8
      } while written < count
      end += count
    } else if fourTwoByteZeros != 0 {
      // Spreads four digits over four pairs of bytes and adds them to the second byte of each pair.
      var written = 0
      repeat {
        var pairs = digits.eight(from: start + written) & 0xFFFF_FFFF
        pairs = (pairs | pairs << 16) & 0x0000_FFFF_0000_FFFF
        pairs = (pairs | pairs << 8) & 0x000F_000F_000F_000F
        let glyphs = fourTwoByteZeros &+ pairs << 8
        UnsafeMutableRawPointer(end + 2 * written).storeBytes(of: glyphs.littleEndian, as: UInt64.self)
        written += 4
      } while written < count
      end += 2 * count
    } else {
      for index in start..<start + count {
        writeDigit(UInt8(truncatingIfNeeded: digits.eight(from: index)) & 0xF, to: &end)
      }
    }
  }

  /// Writes digits with group separators.
  @inline(__always)
  private func writeGroups(_ digits: some Digits, _ count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    var start = 0
    var group = count - primaryGroupSize
    while group > secondaryGroupSize { group -= secondaryGroupSize }
    while count - start > primaryGroupSize {
      writeRun(digits, start, group, to: &end)
      copyPiece(at: groupOffset, count: groupLength, to: &end)
      start += group
      group = secondaryGroupSize
    }
    writeRun(digits, start, count - start, to: &end)
  }
}

/// The decimal digits of a number, each a byte from 0 to 9.
private protocol Digits {
  /// The number of digits. Leading zeros only fill up to the requested minimum count.
  var count: Int { get }
  /// Returns eight digits, the first one in the lowest byte. Bytes after the last digit are undefined.
  func eight(from index: Int) -> UInt64
}

/// The digits of a number below 100,000,000.
private struct RegisterDigits: Digits {
  let digits: UInt64
  let count: Int

  @inline(__always)
  init(_ number: UInt64, minimumCount: Int) {
    let all = eightDigits(number)
    count = max(8 - all.trailingZeroBitCount / 8, minimumCount)
    digits = all &>> UInt64(truncatingIfNeeded: 64 - 8 * count)
  }

  @inline(__always)
  func eight(from index: Int) -> UInt64 { digits &>> UInt64(truncatingIfNeeded: 8 * index) }
}

/// The digits of any number, in the 24 bytes before a pointer. Eight more bytes after it may be read.
private struct MemoryDigits: Digits {
  let start: UnsafeMutablePointer<UInt8>
  let count: Int

  @inline(__always)
  init(_ number: UInt64, minimumCount: Int, before end: UnsafeMutablePointer<UInt8>) {
    let (rest, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let (high, middle) = rest.quotientAndRemainder(dividingBy: 100_000_000)
    var count = 0
    for (index, part) in [high, middle, low].enumerated() {
      let digits = eightDigits(part)
      UnsafeMutableRawPointer(end - 24 + 8 * index).storeBytes(of: digits.littleEndian, as: UInt64.self)
      if count == 0, part > 0 { count = 24 - 8 * index - digits.trailingZeroBitCount / 8 }
    }
    self.count = max(count, minimumCount)
    start = end - self.count
  }

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
  let fours = number / 10_000 | (number % 10_000) << 32
  let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
  let twos = hundreds | (fours &- 100 &* hundreds) << 16
  let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
  return tens | (twos &- 10 &* tens) << 8
}

extension Amount {
  /// A Boolean value that indicates whether all digits after the decimal point are zero.
  @inline(__always)
  var isInteger: Bool { scale == 0 || coefficient.isMultiple(of: powersOfTen[scale]) }
}

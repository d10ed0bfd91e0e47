/// A stamp as bytes: writing a price is copying them around its digits.
///
/// A plain structure behind a pointer, so that using it counts no references.
struct StampImage {
  /// Room for any price, with what a copy may overshoot.
  let capacity: Int

  /// An affix in `bytes`; a negative count says that it was never learned.
  private struct Slice {
    var offset: Int32
    var count: Int32
  }

  /// Everything that is copied, each piece followed by 16 bytes of slack, so that a short one is copied as 16.
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Four slices for each category of each shape: prefix and suffix, positive and negative.
  private let slices: UnsafeMutablePointer<Slice>
  private let digitLength: Int
  /// Four zeros of a script whose digits are two bytes and follow one another, such as Arabic's; 0 for any other.
  private let fourTwoByteZeros: UInt64
  private let groupOffset: Int
  private let groupLength: Int
  private let decimalOffset: Int
  private let decimalLength: Int
  private let primaryGroup: Int
  private let secondaryGroup: Int
  private let fewestGroupedDigits: Int
  private let fractionDigits: Int
  /// Where the slices of the shape without a fraction start; 0 where there is none.
  private let wholeSlot: Int

  /// No price is longer, in any locale; a longer pattern goes through ICU.
  static let maximumCapacity = 1024

  private static let slack = 16
  private static let digitStride = 4
  /// The digits of a large coefficient: 24, and what is read behind them.
  private static let scratch = 48

  init(number: PriceStamp.Number, shape: PriceStamp.Shape, wholeShape: PriceStamp.Shape?) {
    digitLength = number.digits.first?.count ?? 1
    fourTwoByteZeros = Self.fourTwoByteZeros(number.digits)
    groupLength = number.group.count
    decimalLength = number.decimal.count
    primaryGroup = number.primaryGroup
    secondaryGroup = number.secondaryGroup
    fewestGroupedDigits = number.fewestGroupedDigits
    fractionDigits = shape.fractionDigits
    wholeSlot = wholeShape == nil ? 0 : 4 * shape.affixes.count

    var image: [UInt8] = []
    for digit in number.digits {
      image += digit
      image += Array(repeating: 0, count: max(0, Self.digitStride - digit.count))
    }
    func place(_ piece: [UInt8]) -> Int {
      let offset = image.count
      image += piece
      image += Array(repeating: 0, count: Self.slack)
      return offset
    }
    groupOffset = place(number.group)
    decimalOffset = place(number.decimal)
    var table: [Slice] = []
    var longestAffixes = 0
    for shape in [shape, wholeShape].compactMap(\.self) {
      for affixes in shape.affixes {
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
    bytes = .allocate(capacity: image.count)
    bytes.initialize(from: image, count: image.count)
    slices = .allocate(capacity: table.count)
    slices.initialize(from: table, count: table.count)
    let mostDigits = 19 + Amount.maximumScale
    capacity =
      longestAffixes + mostDigits * digitLength + 19 * groupLength + decimalLength + 3 * Self.slack
      + Self.scratch
  }

  private static func fourTwoByteZeros(_ digits: [[UInt8]]) -> UInt64 {
    guard digits.count == 10, let zero = digits.first, zero.count == 2,
      digits.enumerated().allSatisfy({ $1 == [zero[0], zero[1] &+ UInt8($0)] })
    else { return 0 }
    return 0x0001_0001_0001_0001 &* (UInt64(zero[0]) | UInt64(zero[1]) << 8)
  }

  func deallocate() {
    bytes.deallocate()
    slices.deallocate()
  }

  /// Writes an amount that has no more digits than are displayed, and answers how many bytes; -1 where its plural
  /// category was never learned. `output` has `capacity` bytes, of which those behind the answer may be overwritten too.
  @inline(__always)
  func write(_ amount: Amount, category: Int = 0, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let magnitude = amount.coefficient.magnitude
    if magnitude < 100_000_000, amount.scale < 8 {
      // Nearly every price: its digits stay in a register.
      return write(amount, RegisterDigits(magnitude, leastCount: amount.scale + 1), category, to: output)
    }
    let digitsEnd = output + (capacity - Self.slack)
    return write(
      amount,
      MemoryDigits(magnitude, leastCount: amount.scale + 1, before: digitsEnd),
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
    if wholeSlot > 0, amount.hasNoFraction {
      scale = 0
      shownFractionDigits = 0
      slot += wholeSlot
    }
    if amount.coefficient < 0 { slot += 2 }
    let prefix = slices[slot]
    let suffix = slices[slot + 1]
    if prefix.count < 0 { return -1 }

    var end = output
    copyPiece(at: Int(prefix.offset), count: Int(prefix.count), to: &end)
    if integerCount < fewestGroupedDigits {
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

  /// Copies 16 bytes at once: every piece has that much slack, and so has the output.
  @inline(__always)
  private func copyPiece(at offset: Int, count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    let source = UnsafeRawPointer(bytes + offset)
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
      let glyph = UnsafeRawPointer(bytes + Int(digit) * Self.digitStride).loadUnaligned(as: UInt32.self)
      UnsafeMutableRawPointer(end).storeBytes(of: glyph, as: UInt32.self)
    }
    end += digitLength
  }

  /// Writes digits without separators, eight at once where they are ASCII.
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
      // Four digits are spread over four pairs of bytes, and added to the second of each.
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

  /// Writes digits with a separator before each full group.
  @inline(__always)
  private func writeGroups(_ digits: some Digits, _ count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    var start = 0
    var group = count - primaryGroup
    while group > secondaryGroup { group -= secondaryGroup }
    while count - start > primaryGroup {
      writeRun(digits, start, group, to: &end)
      copyPiece(at: groupOffset, count: groupLength, to: &end)
      start += group
      group = secondaryGroup
    }
    writeRun(digits, start, count - start, to: &end)
  }
}

/// The decimal digits of a number, each a byte of 0 to 9.
private protocol Digits {
  /// How many there are, without zeros before the first but for as many as were asked for.
  var count: Int { get }
  /// Eight of them, the first in the lowest byte; what is behind the last is of no account.
  func eight(from index: Int) -> UInt64
}

/// The digits of a number below 100,000,000.
private struct RegisterDigits: Digits {
  let digits: UInt64
  let count: Int

  @inline(__always)
  init(_ number: UInt64, leastCount: Int) {
    let all = eightDigits(number)
    count = max(8 - all.trailingZeroBitCount / 8, leastCount)
    digits = all &>> UInt64(truncatingIfNeeded: 64 - 8 * count)
  }

  @inline(__always)
  func eight(from index: Int) -> UInt64 { digits &>> UInt64(truncatingIfNeeded: 8 * index) }
}

/// The digits of any number, in 24 bytes before a place, behind which eight more may be read.
private struct MemoryDigits: Digits {
  let start: UnsafeMutablePointer<UInt8>
  let count: Int

  @inline(__always)
  init(_ number: UInt64, leastCount: Int, before end: UnsafeMutablePointer<UInt8>) {
    let (rest, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let (high, middle) = rest.quotientAndRemainder(dividingBy: 100_000_000)
    var count = 0
    for (index, part) in [high, middle, low].enumerated() {
      let digits = eightDigits(part)
      UnsafeMutableRawPointer(end - 24 + 8 * index).storeBytes(of: digits.littleEndian, as: UInt64.self)
      if count == 0, part > 0 { count = 24 - 8 * index - digits.trailingZeroBitCount / 8 }
    }
    self.count = max(count, leastCount)
    start = end - self.count
  }

  @inline(__always)
  func eight(from index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
  }
}

/// The eight decimal digits of a number below 100,000,000, one a byte, the first in the lowest byte: the number is
/// cut into lanes of four, two and one digits, and each lane's division is a multiplication.
@inline(__always)
private func eightDigits(_ number: UInt64) -> UInt64 {
  let fours = number / 10_000 | (number % 10_000) << 32
  let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
  let twos = hundreds | (fours &- 100 &* hundreds) << 16
  let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
  return tens | (twos &- 10 &* tens) << 8
}

extension Amount {
  /// Whether all digits after the decimal point are zero.
  @inline(__always)
  var hasNoFraction: Bool { scale == 0 || coefficient.isMultiple(of: powersOfTen[scale]) }
}

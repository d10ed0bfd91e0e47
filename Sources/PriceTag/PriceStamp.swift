/// A compiled pattern: what stands before, between and behind the digits, as bytes to be copied.
///
/// One stamp writes every price of one locale, currency and style. It is learned by `StampCompiler` and never
/// changes: threads share it without a lock.
///
/// Sendable notes: the memory behind the pointers is written in the initializer only.
final class PriceStamp: @unchecked Sendable {
  /// The digits of a number and what stands between them.
  struct Number {
    /// The UTF-8 of the digits 0 to 9, all of one length.
    let digits: [[UInt8]]
    let group: [UInt8]
    let decimal: [UInt8]
    let decimalType: FormattedPrice.PartType
    /// Digits from the decimal point to the first separator, and from one separator to the next.
    let primaryGroup: Int
    let secondaryGroup: Int
    /// The fewest digits that are grouped; `Int.max` where none are.
    let fewestGroupedDigits: Int
  }

  /// What stands before and behind the number.
  struct Affixes {
    struct Part {
      let type: FormattedPrice.PartType
      let count: Int
    }
    let prefix: [UInt8]
    let suffix: [UInt8]
    let prefixParts: [Part]
    let suffixParts: [Part]
  }

  /// The affixes by plural category (one for all where there is no plural), positive and negative.
  struct Shape {
    let fractionDigits: Int
    let affixes: [(positive: Affixes, negative: Affixes)?]
  }

  let number: Number
  /// One shape, or two: with a fraction, and without one where it is zero.
  let shapes: [Shape]
  /// The rules that choose among a shape's affixes, and the category of each; `nil` where there is one for all.
  let plurals: (rules: PluralRules, categories: [PluralRules.Category])?
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
  private let groupOffset: Int
  private let decimalOffset: Int
  private let primaryGroup: Int
  private let secondaryGroup: Int
  private let fewestGroupedDigits: Int
  private let groupLength: Int
  private let decimalLength: Int
  private let fractionDigits: Int
  private let trims: Bool
  private let hasPlurals: Bool

  private static let slack = 16
  private static let digitStride = 4

  init(
    number: Number, shapes: [Shape], plurals: (rules: PluralRules, categories: [PluralRules.Category])?
  ) {
    self.number = number
    self.shapes = shapes
    self.plurals = plurals
    digitLength = number.digits.first?.count ?? 1
    primaryGroup = number.primaryGroup
    secondaryGroup = number.secondaryGroup
    fewestGroupedDigits = number.fewestGroupedDigits
    fractionDigits = shapes.first?.fractionDigits ?? 0
    groupLength = number.group.count
    decimalLength = number.decimal.count
    trims = shapes.count > 1
    hasPlurals = plurals != nil

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
    for shape in shapes {
      for affixes in shape.affixes {
        for affix in [affixes?.positive, affixes?.negative] {
          for piece in [affix?.prefix, affix?.suffix] {
            table.append(
              piece.map { Slice(offset: Int32(place($0)), count: Int32($0.count)) } ?? Slice(offset: 0, count: -1))
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
      longestAffixes + mostDigits * (Self.digitStride + number.group.count) + number.decimal.count + 3 * Self.slack
  }

  deinit {
    bytes.deallocate()
    slices.deallocate()
  }

  /// Writes an amount that has no more digits than are displayed, and answers how many bytes; -1 where its plural
  /// was never learned. `output` has `capacity` bytes, of which those behind the answer may be overwritten too.
  @inline(__always)
  func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let magnitude = amount.coefficient.magnitude
    var integer = magnitude
    var fraction: UInt64 = 0
    var scale = amount.scale
    if scale == 2 {
      // By far the most frequent: a division by a constant is a multiplication.
      (integer, fraction) = (magnitude / 100, magnitude % 100)
    } else if scale > 0 {
      (integer, fraction) = magnitude.quotientAndRemainder(dividingBy: UInt64(powersOfTen[scale]))
    }
    var fractionDigits = fractionDigits
    var slot = 0
    if trims, fraction == 0 {
      fractionDigits = 0
      scale = 0
      slot = 4
    }
    if hasPlurals { slot = pluralSlot(of: amount, isWhole: slot > 0, fractionDigits) }
    if amount.coefficient < 0 { slot += 2 }
    let prefix = slices[slot]
    let suffix = slices[slot + 1]
    if prefix.count < 0 { return -1 }

    var end = output
    copy(prefix, to: &end)
    let count = decimalDigitCount(integer)
    if digitLength == 1 {
      writeInteger(integer, count, to: &end, ASCIIDigits(zero: bytes[0]))
    } else {
      writeInteger(integer, count, to: &end, NativeDigits(digits: bytes, length: digitLength))
    }
    if fractionDigits > 0 {
      copyPiece(at: decimalOffset, count: decimalLength, to: &end)
      if digitLength == 1 {
        writeFraction(fraction, scale, fractionDigits, to: &end, ASCIIDigits(zero: bytes[0]))
      } else {
        writeFraction(fraction, scale, fractionDigits, to: &end, NativeDigits(digits: bytes, length: digitLength))
      }
    }
    copy(suffix, to: &end)
    return end - output
  }

  @inline(never)
  private func pluralSlot(of amount: Amount, isWhole: Bool, _ fractionDigits: Int) -> Int {
    guard let plurals else { return 0 }
    let category = plurals.rules.category(for: .init(amount, fractionDigits: fractionDigits))
    let index = plurals.categories.firstIndex(of: category) ?? 0
    return 4 * (isWhole ? plurals.categories.count + index : index)
  }

  @inline(__always)
  private func copy(_ slice: Slice, to end: inout UnsafeMutablePointer<UInt8>) {
    copyPiece(at: Int(slice.offset), count: Int(slice.count), to: &end)
  }

  /// Copies 16 bytes at once: every piece has that much slack, and so has the output.
  @inline(__always)
  private func copyPiece(at offset: Int, count: Int, to end: inout UnsafeMutablePointer<UInt8>) {
    let source = UnsafeRawPointer(bytes + offset)
    UnsafeMutableRawPointer(end).storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    if count > 16 { UnsafeMutableRawPointer(end + 16).copyMemory(from: source + 16, byteCount: count - 16) }
    end += count
  }

  /// Writes the digits from the last to the first, with a separator before each full group.
  @inline(__always)
  private func writeInteger(
    _ integer: UInt64, _ count: Int, to end: inout UnsafeMutablePointer<UInt8>, _ digits: some DigitWriter
  ) {
    var rest = integer
    if count < fewestGroupedDigits {
      var at = end + count * digits.length
      end = at
      var left = count
      while left > 0 {
        at -= digits.length
        digits.write(UInt8(truncatingIfNeeded: rest % 10), to: at)
        rest /= 10
        left -= 1
      }
      return
    }
    let separators = 1 + (count - primaryGroup - 1) / secondaryGroup
    var at = end + count * digits.length + separators * groupLength
    end = at
    var left = count
    var group = primaryGroup
    while left > 0 {
      var inGroup = min(group, left)
      left -= inGroup
      while inGroup > 0 {
        at -= digits.length
        digits.write(UInt8(truncatingIfNeeded: rest % 10), to: at)
        rest /= 10
        inGroup -= 1
      }
      if left > 0 {
        at -= groupLength
        for index in 0..<groupLength { at[index] = bytes[groupOffset + index] }
      }
      group = secondaryGroup
    }
  }

  /// Writes a fraction of `scale` digits, with zeros up to `count` digits.
  @inline(__always)
  private func writeFraction(
    _ fraction: UInt64, _ scale: Int, _ count: Int, to end: inout UnsafeMutablePointer<UInt8>,
    _ digits: some DigitWriter
  ) {
    var rest = fraction
    var at = end + count * digits.length
    end = at
    for position in stride(from: count, to: 0, by: -1) {
      at -= digits.length
      if position > scale {
        digits.write(0, to: at)
      } else {
        digits.write(UInt8(truncatingIfNeeded: rest % 10), to: at)
        rest /= 10
      }
    }
  }
}

/// Writes one digit in one script.
private protocol DigitWriter {
  var length: Int { get }
  func write(_ digit: UInt8, to output: UnsafeMutablePointer<UInt8>)
}

private struct ASCIIDigits: DigitWriter {
  let zero: UInt8
  var length: Int { 1 }
  @inline(__always)
  func write(_ digit: UInt8, to output: UnsafeMutablePointer<UInt8>) { output.pointee = zero &+ digit }
}

private struct NativeDigits: DigitWriter {
  let digits: UnsafeMutablePointer<UInt8>
  let length: Int
  @inline(__always)
  func write(_ digit: UInt8, to output: UnsafeMutablePointer<UInt8>) {
    let source = digits + Int(digit) * 4
    for index in 0..<length { output[index] = source[index] }
  }
}

/// How many decimal digits a number has, at least one.
@inline(__always)
private func decimalDigitCount(_ number: UInt64) -> Int {
  if number < 10_000 { return number < 100 ? (number < 10 ? 1 : 2) : (number < 1_000 ? 3 : 4) }
  var count = 5
  var bound: UInt64 = 100_000
  while count < 19, number >= bound {
    count += 1
    bound &*= 10
  }
  return count
}

import CICU

/// Writes the bytes of a compiled pattern, in the layout of `PatternBytes`.
struct PatternBytesBuilder {
  /// The bytes, followed by those that a copy may read. Their number is `size` and `PatternBytes.slack`.
  private(set) var bytes: [UInt8] = []

  private var texts: [(text: [UInt8], offset: Int)] = []
  private var fits = true

  /// - Parameters:
  ///   - number: The digits and separators.
  ///   - standardVariant: The affixes of the variant with a fraction.
  ///   - integerVariant: The affixes of the variant without a fraction, if there is one.
  ///   - plurals: The rules that choose among a variant's affixes, if there are any.
  init(
    number: CompiledPattern.Number,
    standardVariant: CompiledPattern.Variant,
    integerVariant: CompiledPattern.Variant?,
    plurals: PluralRules?
  ) {
    typealias Field = PatternBytes.Field
    let variants = [standardVariant, integerVariant].compactMap(\.self)
    let digitLength = number.digits.first?.count ?? 1
    bytes = Array(repeating: 0, count: Field.affixes)
    for variant in variants {
      bytes += Array(repeating: 0, count: variant.affixes.count * PatternBytes.affixesLength)
    }
    store8(PatternBytes.kind, at: Field.kind)
    store8(digitLength, at: Field.digitLength)
    store8(standardVariant.fractionDigits, at: Field.fractionDigits)
    store8(number.primaryGroupSize, at: Field.primaryGroupSize)
    store8(number.secondaryGroupSize, at: Field.secondaryGroupSize)
    store8(
      min(number.minimumGroupedDigitCount, PatternBytes.neverGrouped),
      at: Field.minimumGroupedDigitCount
    )
    store8(standardVariant.affixes.count, at: Field.categoryCount)
    store8(Int(number.decimalType.kind), at: Field.decimalPart)
    storeFourTwoByteZeros(number.digits)
    storeText(number.group, at: Field.group)
    storeText(number.decimal, at: Field.decimal)
    if digitLength > 1 {
      store16(bytes.count, at: Field.digits)
      for digit in number.digits {
        bytes += digit + Array(repeating: 0, count: max(0, PatternBytes.digitStride - digit.count))
      }
    }
    if let plurals {
      store16(bytes.count, at: Field.plurals)
      bytes += plurals.bytes
    }
    store16(
      direction(number.digits.first ?? []) | direction(number.group) << 2 | direction(number.decimal) << 4,
      at: Field.directions
    )
    store8(1, at: Field.step)

    var place = Field.affixes
    var longestAffixes = 0
    for (index, variant) in variants.enumerated() {
      if index > 0 { store16(place, at: Field.integerAffixes) }
      for affixes in variant.affixes {
        for affix in [affixes?.positive, affixes?.negative] {
          store(affix?.prefix, affix?.prefixParts ?? [], at: place)
          store(affix?.suffix, affix?.suffixParts ?? [], at: place + PatternBytes.affixLength)
          place += 2 * PatternBytes.affixLength
          longestAffixes = max(longestAffixes, (affix?.prefix.count ?? 0) + (affix?.suffix.count ?? 0))
        }
      }
    }
    store16(bytes.count, at: Field.size)
    let capacity = PatternBytes.capacity(
      longestAffixes: longestAffixes,
      digitLength: digitLength,
      groupLength: number.group.count,
      decimalLength: number.decimal.count
    )
    // A pattern that does not fit the layout has a capacity above the maximum, so that ICU formats its prices.
    store16(fits ? min(capacity, 0xFFFF) : 0xFFFF, at: Field.capacity)
    bytes += Array(repeating: 0, count: PatternBytes.slack)
  }

  /// Stores a text, and the parts that it consists of. A missing affix has no text.
  private mutating func store(_ text: [UInt8]?, _ parts: [CompiledPattern.Affixes.Part], at place: Int) {
    guard let text else { return store16(PatternBytes.missing, at: place + 2) }
    storeText(text, at: place)
    store16(parts.isEmpty ? 0 : bytes.count, at: place + 4)
    store16(parts.count | direction(text) << 14, at: place + 6)
    if parts.count > 0x3FFF { fits = false }
    for part in parts {
      if part.count > 0xFF { fits = false }
      bytes += [part.type.kind, UInt8(truncatingIfNeeded: part.count)]
    }
  }

  /// Stores the offset and the length of a text. Equal texts are stored once.
  private mutating func storeText(_ text: [UInt8], at place: Int) {
    if let (_, offset) = texts.first(where: { $0.text == text }) {
      store16(offset, at: place)
    } else {
      texts.append((text, bytes.count))
      store16(bytes.count, at: place)
      bytes += text
    }
    store16(text.count, at: place + 2)
    if text.count >= PatternBytes.missing { fits = false }
  }

  private mutating func store8(_ value: Int, at place: Int) {
    if !(0...0xFF).contains(value) { fits = false }
    bytes[place] = UInt8(truncatingIfNeeded: value)
  }

  private mutating func store16(_ value: Int, at place: Int) {
    if !(0...0xFFFF).contains(value) { fits = false }
    bytes[place] = UInt8(truncatingIfNeeded: value)
    bytes[place + 1] = UInt8(truncatingIfNeeded: value >> 8)
  }

  private mutating func storeFourTwoByteZeros(_ digits: [[UInt8]]) {
    guard digits.count == 10, let zero = digits.first, zero.count == 2,
      digits.enumerated().allSatisfy({ $1 == [zero[0], zero[1] &+ UInt8($0)] })
    else { return }
    for index in 0..<8 { bytes[PatternBytes.Field.fourTwoByteZeros + index] = zero[index % 2] }
  }

  /// Returns the direction of the first strong character of a text, as stored in a pattern.
  private func direction(_ text: [UInt8]) -> Int {
    let direction = text.withUnsafeBufferPointer {
      cicu_first_strong_direction($0.baseAddress, Int32($0.count))
    }
    let kind: PatternPart.Direction =
      direction < 0 ? .rightToLeft : direction > 0 ? .leftToRight : .none
    return Int(kind.rawValue)
  }
}

extension FormattedPrice.PartType {
  /// The types in the order of `PatternPart.Kind`.
  private static let byKind: [FormattedPrice.PartType] = [
    .literal, .symbol, .integer, .group, .decimal, .fraction, .sign, .compact, .qualifier, .unit,
  ]

  /// The number of the part's kind in a pattern.
  var kind: UInt8 { UInt8(Self.byKind.firstIndex(of: self) ?? 0) }

  /// Creates the type of a pattern's part.
  init(_ kind: PatternPart.Kind) {
    self = Self.byKind[Int(kind.rawValue)]
  }
}

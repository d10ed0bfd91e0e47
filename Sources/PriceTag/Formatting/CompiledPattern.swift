/// A compiled pattern: the prefix, separators and suffix of every price of one locale, currency and style.
///
/// `PatternCompiler` derives a pattern from ICU's output and compares its output with ICU's. A pattern never changes, so
/// threads share it without a lock.
///
/// Sendable notes: the memory of `bytes` is written only in the initializer.
final class CompiledPattern: @unchecked Sendable {
  /// The digits of a number and its separators.
  struct Number {
    /// The UTF-8 of the digits 0 to 9, all of the same length.
    let digits: [[UInt8]]
    let group: [UInt8]
    let decimal: [UInt8]
    let decimalType: FormattedPrice.PartType
    /// The number of digits between the decimal point and the first group separator.
    let primaryGroupSize: Int
    /// The number of digits between two group separators.
    let secondaryGroupSize: Int
    /// The minimum number of integer digits that are grouped; `Int.max` if there are no groups.
    let minimumGroupedDigitCount: Int
  }

  /// The text before and after the number.
  struct Affixes: Equatable {
    struct Part: Equatable {
      let type: FormattedPrice.PartType
      let count: Int
    }
    let prefix: [UInt8]
    let suffix: [UInt8]
    let prefixParts: [Part]
    let suffixParts: [Part]
  }

  /// The affixes of a positive number and of its opposite.
  struct SignedAffixes: Equatable {
    let positive: Affixes
    let negative: Affixes
  }

  /// The affixes of numbers that are written with the same number of fraction digits.
  struct Variant {
    let fractionDigits: Int
    /// The positive and negative affixes by plural category. Without plurals, there is one element.
    let affixes: [SignedAffixes?]
  }

  let number: Number
  let standardVariant: Variant
  /// The variant without a fraction, in styles that omit a fraction of zeros.
  let integerVariant: Variant?
  /// The rules that choose among a variant's affixes, and the category of each; `nil` for patterns without plurals.
  let plurals: (rules: PluralRules, categories: [PluralRules.Category])?
  /// The same pattern as bytes for fast copying. The pattern owns this memory.
  let bytes: PatternBytes

  init(
    number: Number,
    standardVariant: Variant,
    integerVariant: Variant?,
    plurals: (rules: PluralRules, categories: [PluralRules.Category])?
  ) {
    self.number = number
    self.standardVariant = standardVariant
    self.integerVariant = integerVariant
    self.plurals = plurals
    let builder = PatternBytesBuilder(
      number: number,
      standardVariant: standardVariant,
      integerVariant: integerVariant,
      plurals: plurals?.rules
    )
    let start = UnsafeMutableRawPointer.allocate(byteCount: builder.bytes.count, alignment: 8)
    start.copyMemory(from: builder.bytes, byteCount: builder.bytes.count)
    bytes = PatternBytes(start: UnsafeRawPointer(start))
  }

  deinit { bytes.start.deallocate() }

  /// Writes an amount in the plural category of its displayed digits into `bytes.capacity` bytes, and returns the number of
  /// bytes; `nil` if only ICU can decide the category, or if the pattern has no affixes for it.
  func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int? {
    guard let category = category(of: amount) else { return nil }
    let count = bytes.write(amount, category: category, to: output)
    return count < 0 ? nil : count
  }

  /// Returns the index of an amount's affixes in its variant; `nil` if only ICU can decide.
  func category(of amount: Amount) -> Int? {
    plurals == nil ? 0 : bytes.exactCategory(of: amount)
  }
}

extension PatternBytes {
  /// Returns the index of an amount's affixes among those of the plural categories; `nil` if only ICU can decide.
  func exactCategory(of amount: Amount) -> Int? {
    let operands = PluralOperands(amount, fractionDigits: shownFractionDigits(of: amount))
    return operands.areExactInICU ? category(for: operands) : nil
  }
}

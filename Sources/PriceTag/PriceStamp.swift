/// A compiled pattern: what stands before, between and behind the digits.
///
/// One stamp writes every price of one locale, currency and style. It is learned by `StampCompiler` and never
/// changes: threads share it without a lock.
///
/// Sendable notes: the memory behind the image is written in the initializer only.
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
  let shape: Shape
  /// The shape without a fraction, where one of zeros is left out.
  let wholeShape: Shape?
  /// The rules that choose among a shape's affixes, and the category of each; `nil` where there is one for all.
  let plurals: (rules: PluralRules, categories: [PluralRules.Category])?
  /// The same as bytes to be copied; owned by the stamp.
  let image: UnsafePointer<StampImage>

  init(
    number: Number,
    shape: Shape,
    wholeShape: Shape?,
    plurals: (rules: PluralRules, categories: [PluralRules.Category])?
  ) {
    self.number = number
    self.shape = shape
    self.wholeShape = wholeShape
    self.plurals = plurals
    let image = UnsafeMutablePointer<StampImage>.allocate(capacity: 1)
    image.initialize(to: StampImage(number: number, shape: shape, wholeShape: wholeShape))
    self.image = UnsafePointer(image)
  }

  deinit {
    image.pointee.deallocate()
    image.deallocate()
  }

  /// Writes an amount as `StampImage.write` does, in the plural that its displayed digits ask for.
  func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let category = category(of: amount) else { return -1 }
    return image.pointee.write(amount, category: category, to: output)
  }

  /// Which of a shape's affixes an amount takes; `nil` where that is ICU's to say.
  func category(of amount: Amount) -> Int? {
    guard let plurals else { return 0 }
    let operands = PluralRules.Operands(amount, fractionDigits: shape(of: amount).fractionDigits)
    guard operands.areExactInICU else { return nil }
    return plurals.categories.firstIndex(of: plurals.rules.category(for: operands))
  }

  /// Whether the plural that an amount takes was learned.
  func hasAffixes(of amount: Amount) -> Bool {
    category(of: amount).map { shape(of: amount).affixes[$0] != nil } ?? false
  }

  /// The shape with a fraction, or the one without where there are two and the fraction is zero.
  func shape(of amount: Amount) -> Shape {
    if let wholeShape, amount.hasNoFraction { return wholeShape }
    return shape
  }
}

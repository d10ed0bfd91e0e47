extension Amount {
  /// Returns the price per reference unit of this amount for a content, rounded once.
  ///
  ///     let price = try Amount(decimal: "12.45")
  ///     try price.unitPrice(content: ProductContent("0.75 L"), per: .liter, digits: 2, rounding: .exact)   // 16.60
  ///
  /// All conversions are exact, and the arithmetic has 128 bits.
  ///
  /// - Parameters:
  ///   - content: The content of the product.
  ///   - reference: The reference unit.
  ///   - digits: The number of digits of the result after the decimal point, 0 to 18.
  ///   - rounding: The rounding mode. With `.exact`, a result that needs rounding is an error.
  ///   - convertsSystems: Whether to convert between metric and US customary units.
  /// - Throws: `.unitMismatch` if content and reference measure different things, or belong to different systems and
  ///   `convertsSystems` is false; `.invalidOption` if the amount is below zero; `.needsRounding`; `.amountOutOfRange`.
  public func unitPrice(
    content: ProductContent,
    per reference: UnitPriceReference,
    digits: Int,
    rounding: RoundingMode,
    convertsSystems: Bool = false
  ) throws(PriceTagError) -> Amount {
    try unitPrice(
      content: content,
      per: reference,
      digits: digits,
      step: 1,
      rounding,
      convertsSystems: convertsSystems
    )
  }

  func unitPrice(
    content: ProductContent,
    per reference: UnitPriceReference,
    digits: Int,
    step: Int,
    _ rounding: RoundingMode,
    convertsSystems: Bool
  ) throws(PriceTagError) -> Amount {
    try reference.check(content, convertsSystems: convertsSystems)
    guard !isNegative else {
      throw PriceTagError(
        .invalidOption,
        "the amount \(self) is below zero and has no unit price",
        fix: "use an amount of zero or more"
      )
    }
    guard (0...Self.maximumScale).contains(digits), step > 0 else {
      throw PriceTagError(
        .invalidOption,
        "cannot round to \(digits) digits in steps of \(step)",
        fix: "use 0 to 18 digits and a positive step"
      )
    }
    let ratio = UnitPriceRatio(self, content, reference, digits: digits, step: step)
    guard let multiple = try ratio.quotient(rounding) else {
      let unit = Amount(uncheckedCoefficient: Int64(step), scale: digits)
      throw PriceTagError(
        .needsRounding,
        "\(self) for \(content) is not a multiple of \(unit) per \(reference)",
        fix: "name a rounding mode such as half-up to allow rounding"
      )
    }
    return try Amount(exactly: multiple, scale: digits, step: step)
  }

  /// Creates the amount of a number of rounding steps.
  private init(exactly multiple: Int128, scale: Int, step: Int) throws(PriceTagError) {
    let (coefficient, overflow) = multiple.multipliedReportingOverflow(by: Int128(step))
    guard !overflow else { throw .outOfRange("\(multiple) × \(step)") }
    try self.init(exactly: coefficient, scale: scale)
  }
}

/// The quotient amount × reference / content, in units of the rounding step. All factors are integers.
private struct UnitPriceRatio {
  private let amount: Amount
  private let content: ProductContent
  private let reference: UnitPriceReference
  private let step: Int64
  /// The sizes of the reference's unit and of the content's, in lowest terms.
  private let sizes: (reference: Int64, content: Int64)
  /// The power of ten that all decimals together make.
  private let exponent: Int

  init(
    _ amount: Amount,
    _ content: ProductContent,
    _ reference: UnitPriceReference,
    digits: Int,
    step: Int
  ) {
    (self.amount, self.content, self.reference, self.step) = (amount, content, reference, Int64(step))
    let (size, other) = (reference.unit.size, content.unit.size)
    let common = size == other ? size : Int64(greatestCommonDivisor(size.magnitude, other.magnitude))
    sizes = (size / common, other / common)
    exponent = content.quantity.scale + digits - amount.scale
  }

  /// Returns the rounded quotient; `nil` if the mode is exact and the division has a remainder.
  ///
  /// Most prices need 64 bits. The factors are reduced to lowest terms only if 128 bits do not hold the products.
  func quotient(_ mode: RoundingMode) throws(PriceTagError) -> Int128? {
    if let (dividend, divisor) = products(of: Int64.self) {
      return mode.quotient(dividend, by: divisor).map { Int128($0) }
    }
    guard let (dividend, divisor) = products(of: Int128.self) ?? reducedProducts else {
      throw .outOfRange("the price of \(amount) for \(content) per \(reference)")
    }
    return mode.quotient(dividend, by: divisor)
  }

  /// Returns the dividend and the divisor, which is above zero; `nil` if they do not fit.
  private func products<Number: FixedWidthInteger>(
    of type: Number.Type
  ) -> (dividend: Number, divisor: Number)? {
    var dividend = CheckedProduct<Number>()
    dividend.multiply(by: amount.coefficient)
    dividend.multiply(by: Int64(reference.quantity))
    dividend.multiply(by: sizes.reference)
    var divisor = CheckedProduct<Number>()
    divisor.multiply(by: Int64(content.count))
    divisor.multiply(by: content.quantity.coefficient)
    divisor.multiply(by: sizes.content)
    divisor.multiply(by: step)
    // The exponent is at most 27, of which a factor has at most 18.
    if exponent < 0 {
      divisor.multiply(by: powerOfTen(-exponent))
    } else {
      dividend.multiply(by: powerOfTen(min(exponent, Amount.maximumScale)))
      dividend.multiply(by: powerOfTen(max(exponent - Amount.maximumScale, 0)))
    }
    guard !dividend.overflows, !divisor.overflows else { return nil }
    return (dividend.value, divisor.value)
  }

  /// The dividend and the divisor in lowest terms; `nil` if they do not fit.
  private var reducedProducts: (dividend: Int128, divisor: Int128)? {
    var dividends = [
      amount.coefficient, Int64(reference.quantity), sizes.reference,
      powerOfTen(min(max(exponent, 0), Amount.maximumScale)),
      powerOfTen(max(exponent - Amount.maximumScale, 0)),
    ]
    var divisors = [
      Int64(content.count), content.quantity.coefficient, sizes.content, step, powerOfTen(max(-exponent, 0)),
    ]
    for first in dividends.indices {
      for second in divisors.indices {
        let common = Int64(greatestCommonDivisor(dividends[first].magnitude, divisors[second].magnitude))
        dividends[first] /= common
        divisors[second] /= common
      }
    }
    var (dividend, divisor) = (CheckedProduct<Int128>(), CheckedProduct<Int128>())
    for factor in dividends { dividend.multiply(by: factor) }
    for factor in divisors { divisor.multiply(by: factor) }
    return dividend.overflows || divisor.overflows ? nil : (dividend.value, divisor.value)
  }
}

/// A product that records whether it has overflowed.
private struct CheckedProduct<Number: FixedWidthInteger> {
  private(set) var value: Number = 1
  private(set) var overflows = false

  mutating func multiply(by factor: Int64) {
    let (product, overflow) = value.multipliedReportingOverflow(by: Number(factor))
    value = product
    overflows = overflows || overflow
  }
}

extension UnitPriceReference {
  /// Checks that a content has a price per this reference.
  func check(_ content: ProductContent, convertsSystems: Bool) throws(PriceTagError) {
    let (unit, other) = (unit, content.unit)
    guard unit.dimension == other.dimension else {
      throw PriceTagError(
        .unitMismatch,
        "the content \(content) has no price per \(self)",
        fix: "use a reference for \(other.dimension.rawValue), such as \(content.defaultReference)"
      )
    }
    guard unit.system == other.system || convertsSystems else {
      let system = other.system == .usCustomary ? "US customary" : "metric"
      throw PriceTagError(
        .unitMismatch,
        "the content \(content) and the reference \(self) belong to different systems of units",
        fix: "use a \(system) reference such as \(content.defaultReference)"
      )
    }
  }
}

extension PriceFormatter {
  /// Returns the price per reference unit of an amount for a content, as a formatted price.
  ///
  ///     let germany = try PriceFormatter(storefront: Storefront("DEU"))
  ///     let price = try germany.unitPrice(of: "12.45", content: ProductContent("0.75 L"))
  ///     price.text     // "16,60\u{A0}€/l"
  ///     price.spoken   // "16,60 Euro pro Liter"
  ///     price.amount   // 16.60
  ///
  /// The price is rounded once, by the style's rounding mode, to the digits that the formatter displays. It is written
  /// with CLDR's pattern for an amount per unit in the price locale: the long pattern beside the currency's name, the
  /// narrow one beside the narrow symbol, and the short one beside any other form. A reference of several units, such as
  /// 100 mL, and a unit without a pattern are written with CLDR's pattern for a quotient.
  ///
  /// A price per piece has no unit, since CLDR has no pattern for it; see ``UnitPriceReference/isPiece``.
  ///
  /// - Parameters:
  ///   - amount: The price of the content, zero or more. A refund has no unit price.
  ///   - content: The content.
  ///   - reference: The reference unit; `nil` for the default of the content's unit.
  ///   - convertsSystems: Whether to convert between metric and US customary units.
  /// - Throws: `.invalidOption` for a style with a compact notation; `.needsRounding` if only the unit price rounds to
  ///   zero; the errors of ``Amount/unitPrice(content:per:digits:rounding:convertsSystems:)``; `.formattingFailed`.
  public func unitPrice(
    of amount: Amount,
    content: ProductContent,
    per reference: UnitPriceReference? = nil,
    convertsSystems: Bool = false
  ) throws(PriceTagError) -> FormattedPrice {
    let reference = reference ?? content.defaultReference
    guard style.notation == .standard else {
      // The digits of a compact notation depend on the amount, so that it would be rounded a second time.
      throw PriceTagError(
        .invalidOption,
        "a unit price cannot have the notation \(style.notation.rawValue)",
        fix: "use the notation standard"
      )
    }
    let price = try amount.unitPrice(
      content: content,
      per: reference,
      digits: display.digits,
      step: display.step,
      style.rounding,
      convertsSystems: convertsSystems
    )
    // A price that is itself displayed as zero has the unit price zero.
    if price.isZero, try !displayed(amount).isZero {
      throw PriceTagError(
        .needsRounding,
        "\(amount) for \(content) rounds to zero per \(reference)",
        fix: "use a larger reference, such as 100 or 1000 of the unit, or display more digits"
      )
    }
    return try unitPrices(per: reference).format(price)
  }

  /// Returns the formatter of amounts per a reference unit, which is compiled when it is first requested.
  ///
  ///     let perLiter = try PriceFormatter(storefront: Storefront("DEU")).unitPrices(per: .liter)
  ///     try perLiter.string(for: "16.60")   // "16,60\u{A0}€/l"
  ///
  /// - Throws: `.formattingFailed`.
  public func unitPrices(per reference: UnitPriceReference) throws(PriceTagError) -> PriceFormatter {
    PriceFormatter(compiled: try compiled.unitPrices(per: reference))
  }
}

/// The formatters of one formatter's unit prices, by reference.
///
/// This is a list that only grows: threads read it without a lock, and a formatter has few references.
final class UnitPriceFormatters: Sendable {
  private final class Entry: Sendable {
    let reference: UnitPriceReference
    let formatter: PriceFormatter.Compiled
    let next = SetOnce<Entry>()

    init(_ reference: UnitPriceReference, _ formatter: PriceFormatter.Compiled) {
      (self.reference, self.formatter) = (reference, formatter)
    }
  }

  private let first = SetOnce<Entry>()

  /// Returns the formatter of a reference; `nil` if it was not inserted.
  func formatter(per reference: UnitPriceReference) -> PriceFormatter.Compiled? {
    var entry = first.load()
    while let current = entry {
      if current.reference == reference { return current.formatter }
      entry = current.next.load()
    }
    return nil
  }

  /// Inserts the formatter of a reference, and returns it, or the one that another thread inserted before.
  func insert(
    _ formatter: PriceFormatter.Compiled,
    per reference: UnitPriceReference
  ) -> PriceFormatter.Compiled {
    let new = Entry(reference, formatter)
    var entry = first.storeIfNil(new)
    while entry !== new {
      if entry.reference == reference { return entry.formatter }
      entry = entry.next.storeIfNil(new)
    }
    return formatter
  }
}

/// Writes the prices of a compact notation: `$1.2K`, `1,2 Mio. €`, `1.2億円`.
///
/// ICU divides an amount by a power of ten that depends on its magnitude, and writes the result, the mantissa, between
/// affixes. The affixes depend on the magnitude, on the sign, and on the plural category of the mantissa (`1 Million`,
/// `1,2 Millionen`). The full name of a currency has the plural form of the amount before the division. So each magnitude
/// and number of fraction digits has its own pattern, which is compiled when it is first used. ICU formats a price without
/// a pattern.
///
/// Sendable notes: the memory of `members` is initialized in the initializer, and its elements are atomic.
final class CompactFormatter: @unchecked Sendable {
  /// An amount as it is displayed.
  struct Shown {
    /// The number that is displayed: 1.2 for 1200. It has no more digits than `fractionDigits`.
    let mantissa: Amount
    /// The number of digits that are displayed after the decimal separator.
    let fractionDigits: Int
    /// The number of integer digits of the amount, minus one. It is 0 for amounts below one.
    let magnitude: Int
  }

  /// The largest number of integer digits of an amount, minus one.
  static let maximumMagnitude = 18

  let currency: Currency
  let style: PriceStyle
  let options: ICUNumberOptions
  let icu: ICUNumberFormatter
  /// The numbers of digits after the decimal separator; `nil` for those of ICU's compact notations: none, or as many as
  /// are needed for two significant digits.
  let digits: ClosedRange<Int>?
  let trimsZeros: Bool
  /// The power of ten that amounts are divided by, for each magnitude from 0 on.
  let exponents: [Int]
  /// The digits and separators; `nil` if ICU formats all prices.
  let number: CompiledPattern.Number?
  /// The plural rules of the language.
  let rules: PluralRules?
  let categories: [PluralRules.Category]
  let members: UnsafeMutablePointer<SetOnce<Member>>
  let digitCounts: Int
  /// The formatter that this one speaks for, which decides about rounding; `nil` if it is this one.
  private let displayedBy: CompactFormatter?
  /// Creates the formatter that speaks the amounts of which this formatter would lose digits.
  private let makeUncompacted: (@Sendable () -> PriceFormatter.Compiled?)?
  private let uncompactedFormatter = SetOnce<PriceFormatter.Compiled>()

  /// Creates the formatter of a compact style.
  ///
  /// - Parameters:
  ///   - style: The style, with valid digits.
  ///   - options: The options of `icu`.
  ///   - compilesPattern: Whether patterns write prices; otherwise ICU does.
  ///   - displayedBy: The formatter of the displayed form, if this one is for the spoken form.
  ///   - makeUncompacted: Creates the formatter of the spoken form without compact notation.
  /// - Returns: `nil` if ICU's output is not that of a compact notation.
  init?(
    currency: Currency,
    style: PriceStyle,
    icu: ICUNumberFormatter,
    options: ICUNumberOptions,
    compilesPattern: Bool,
    displayedBy: CompactFormatter? = nil,
    makeUncompacted: (@Sendable () -> PriceFormatter.Compiled?)? = nil
  ) {
    guard let exponents = Self.exponents(icu) else { return nil }
    (self.currency, self.style, self.icu, self.options) = (currency, style, icu, options)
    (self.displayedBy, self.makeUncompacted) = (displayedBy, makeUncompacted)
    self.exponents = exponents
    switch style.digits {
    case .standard, .cash, .minorUnits: digits = nil
    case .fixed(let count): digits = count...count
    case .range(let range): digits = range
    }
    trimsZeros = style.zeros == .trim
    rules = PluralRules(icuLocale: options.locale)
    categories = rules?.categories ?? []
    number = compilesPattern && rules != nil ? Self.number(options) : nil
    digitCounts = (digits?.upperBound ?? Amount.maximumScale) + 1
    let count = (Self.maximumMagnitude + 1) * digitCounts
    members = .allocate(capacity: count)
    for index in 0..<count { (members + index).initialize(to: SetOnce()) }
  }

  deinit {
    members.deinitialize(count: (Self.maximumMagnitude + 1) * digitCounts)
    members.deallocate()
  }

  private var uncompacted: PriceFormatter.Compiled? {
    if let formatter = uncompactedFormatter.load() { return formatter }
    return makeUncompacted?().map { uncompactedFormatter.storeIfNil($0) }
  }

  /// Returns the powers of ten that ICU divides by, from the number of digits that it writes.
  private static func exponents(_ icu: ICUNumberFormatter) -> [Int]? {
    var exponents: [Int] = []
    for magnitude in 0...maximumMagnitude {
      // Some languages write "thousand" without a 1, so the sample starts with another digit.
      let sample = Amount(uncheckedCoefficient: 3 * powerOfTen(magnitude), scale: 0)
      guard let text = icu.format(sample) else { return nil }
      let digits = text.fields.filter { $0.type == .integer }.reduce(0) { count, field in
        count + String(decoding: text.utf8[field.range], as: UTF8.self).unicodeScalars.count
      }
      guard digits > 0, digits <= magnitude + 1 else { return nil }
      exponents.append(magnitude + 1 - digits)
    }
    return exponents.first == 0 ? exponents : nil
  }

  /// Returns the digits and separators, from a pattern of the same style in standard notation.
  private static func number(_ options: ICUNumberOptions) -> CompiledPattern.Number? {
    let standard = options.inStandardNotation(fractionDigits: 1)
    guard let icu = ICUNumberFormatter(standard) else { return nil }
    return PatternCompiler(icu: icu, options: standard).compile()?.number
  }

  // MARK: Rounding

  /// Returns the amount that is displayed: the same amount, or a rounded one if the style names a rounding mode.
  func displayed(_ amount: Amount) throws(PriceTagError) -> Amount {
    if let displayedBy { return try displayedBy.displayed(amount) }
    if shown(amount) != nil { return amount }
    guard let rounded = try rounded(amount, style.rounding) else { throw roundingProblem(amount) }
    return rounded
  }

  /// Returns the number of fraction digits that a mantissa may have.
  @inline(__always)
  private func maximumFractionDigits(mantissaMagnitude: Int) -> Int {
    digits?.upperBound ?? max(0, 1 - mantissaMagnitude)
  }

  /// Returns an amount as it is displayed; `nil` if digits would be lost.
  @inline(__always)
  func shown(_ amount: Amount) -> Shown? {
    let magnitude = amount.magnitude
    let exponent = magnitude > 0 ? exponents[magnitude] : 0
    let maximum = maximumFractionDigits(mantissaMagnitude: magnitude - exponent)
    var coefficient = amount.coefficient
    // A positive exponent is at most the magnitude, so the sum is at most the number of digits of the coefficient.
    var scale = amount.scale + exponent
    if scale > maximum {
      let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: powerOfTen(scale - maximum))
      guard remainder == 0 else { return nil }
      (coefficient, scale) = (quotient, maximum)
    }
    let minimum = digits?.lowerBound ?? 0
    let kept = trimsZeros ? 0 : minimum
    while scale > kept, coefficient.isMultiple(of: 10) {
      coefficient /= 10
      scale -= 1
    }
    return Shown(
      mantissa: Amount(uncheckedCoefficient: coefficient, scale: scale),
      fractionDigits: trimsZeros && scale == 0 ? 0 : max(scale, minimum),
      magnitude: max(0, magnitude)
    )
  }

  /// Returns an amount of which digits would be lost, rounded; `nil` if the mode is exact.
  ///
  /// A result of a higher magnitude, such as 1000 for 999.5, is a power of ten, which needs no more rounding.
  private func rounded(_ amount: Amount, _ mode: RoundingMode) throws(PriceTagError) -> Amount? {
    let magnitude = amount.magnitude
    let exponent = magnitude > 0 ? exponents[magnitude] : 0
    let digits = maximumFractionDigits(mantissaMagnitude: magnitude - exponent) - exponent
    guard let quotient = mode.quotient(amount.coefficient, by: powerOfTen(amount.scale - digits)) else {
      return nil
    }
    if digits >= 0 { return Amount(uncheckedCoefficient: quotient, scale: digits) }
    let (coefficient, overflow) = quotient.multipliedReportingOverflow(by: powerOfTen(-digits))
    guard !overflow else {
      throw PriceTagError(
        .amountOutOfRange,
        "\(amount) \(currency) is out of range after rounding for compact notation",
        fix: "use standard notation"
      )
    }
    return Amount(uncheckedCoefficient: coefficient, scale: 0)
  }

  private func roundingProblem(_ amount: Amount) -> PriceTagError {
    var example = ""
    if let rounded = try? rounded(amount, .halfEven), let text = text(of: rounded) {
      example = " (\(text))"
    }
    return PriceTagError(
      .needsRounding,
      "\(amount) \(currency) has more digits than the compact notation displays\(example)",
      fix: "name a rounding mode such as half-even to allow rounding, or display more digits"
    )
  }

  // MARK: Writing

  /// Writes an amount that needs no rounding, and returns the number of bytes; `nil` if no pattern can write it, or if the
  /// buffer is too small for any price.
  func write(_ displayed: Amount, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let output = buffer.baseAddress, let shown = shown(displayed) else { return nil }
    let count = slot(shown.magnitude, shown.fractionDigits).pointee.with {
      write(shown, displayed, $0, to: output, capacity: buffer.count)
    }
    return count ?? write(shown, displayed, member(shown), to: output, capacity: buffer.count)
  }

  @inline(__always)
  private func write(
    _ shown: Shown,
    _ displayed: Amount,
    _ member: Member,
    to output: UnsafeMutablePointer<UInt8>,
    capacity: Int
  ) -> Int? {
    guard let bytes = member.bytes, bytes.capacity <= capacity,
      let category = category(of: shown, displayed, member)
    else { return nil }
    let count = bytes.write(shown.mantissa, category: category, to: output)
    return count < 0 ? nil : count
  }

  /// Returns the text of an amount that needs no rounding.
  private func text(of displayed: Amount) -> String? { try? PriceBackend.compact(self).text(of: displayed) }

  /// Returns the text of an amount that needs no rounding, and that no pattern can write.
  func textWithoutPattern(_ displayed: Amount) throws(PriceTagError) -> String {
    guard let text = icuText(displayed) else {
      if let uncompacted { return try PriceFormatter(compiled: uncompacted).string(for: displayed) }
      throw PriceTagError(
        .formattingFailed,
        "ICU cannot format \(displayed) \(currency) in \(options.locale) in compact notation",
        fix: "use standard notation"
      )
    }
    return text.string
  }

  /// Returns the fields of the text of an amount that needs no rounding, with the text between them as literals.
  func fields(of displayed: Amount) -> [ICUText.Field] {
    if let shown = shown(displayed) {
      let member = member(shown)
      if let pattern = member.pattern, let category = category(of: shown, displayed, member),
        let fields = pattern.bytes.fields(of: shown.mantissa, category: category)
      {
        return fields
      }
    }
    return icuText(displayed)?.parts ?? uncompacted?.backend.fields(of: displayed) ?? []
  }

  /// Returns ICU's text of an amount; `nil` if ICU would round it, or would write it without its digits.
  private func icuText(_ displayed: Amount) -> ICUText? {
    guard let shown = shown(displayed), let text = icu.format(displayed),
      shown.mantissa.isZeroOrOne || text.fields.contains(where: { $0.type == .integer })
    else { return nil }
    return text
  }

  /// Returns whether ICU's text of a range of two amounts that need no rounding can only be read as these amounts.
  ///
  /// ICU writes text that both bounds share once, and so writes 1 to 2000 as "1–2 thousand" in some styles. So bounds with
  /// different powers of ten must both have their own words, or be written completely.
  func isUnambiguous(_ range: ICUText, from low: Amount, to high: Amount) -> Bool {
    guard shown(low) != nil, shown(high) != nil else { return false }
    let (lowExponent, highExponent) = (exponents[max(0, low.magnitude)], exponents[max(0, high.magnitude)])
    if lowExponent == highExponent { return true }
    guard let first = text(of: low)?.utf8, let second = text(of: high)?.utf8 else { return false }
    if lowExponent > 0, highExponent > 0 {
      let firstWords = words(Array(first), fields(of: low))
      let secondWords = words(Array(second), fields(of: high))
      if !firstWords.isEmpty, !secondWords.isEmpty,
        words(range.utf8, range.parts) == firstWords + secondWords
      {
        return true
      }
    } else if options.width == .hidden, !low.isZero {
      // Without a currency, "1 – 2K" would be read as 1000 to 2000.
      return false
    }
    return range.utf8.starts(with: first) && range.utf8.reversed().starts(with: second.reversed())
  }

  private func words(_ utf8: [UInt8], _ parts: [ICUText.Field]) -> [ArraySlice<UInt8>] {
    parts.filter { $0.type == .compact }.map { utf8[$0.range] }
  }
}

extension ICUNumberOptions {
  /// Returns the options of standard notation, with the groups of compact notation and a number of fraction digits.
  func inStandardNotation(fractionDigits: Int) -> ICUNumberOptions {
    var options = self
    options.notation = .standard
    options.hasNotationDigits = false
    // In compact notation, ICU groups if the first group has at least two digits.
    if grouping == .auto { options.grouping = .min2 }
    options.minimumFractionDigits = nil
    options.fractionDigits = fractionDigits
    options.trimsZeroFraction = false
    options.sign = .auto
    options.qualifier = .none
    options.wrapper = nil
    return options
  }
}

extension Amount {
  /// The number of integer digits minus one: 3 for 1234.5, -1 for 0.5. It is 0 for zero.
  @inline(__always)
  var magnitude: Int {
    let number = coefficient.magnitude
    if number == 0 { return 0 }
    // 1233 / 4096 is the logarithm of 2, so this is the number of digits or one less.
    let estimate = min(((64 - number.leadingZeroBitCount) * 1233) >> 12, 18)
    let digitCount = number < UInt64(powerOfTen(estimate)) ? estimate : estimate + 1
    return digitCount - 1 - scale
  }

  var opposite: Amount { Amount(uncheckedCoefficient: 0 &- coefficient, scale: scale) }

  /// A Boolean value that indicates whether the absolute value is 0 or 1.
  @inline(__always)
  var isZeroOrOne: Bool {
    coefficient == 0 || coefficient.magnitude == UInt64(powerOfTen(scale))
  }
}

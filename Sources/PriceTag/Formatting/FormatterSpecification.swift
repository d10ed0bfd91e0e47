/// What a formatter writes: the prices of a locale, currency and style.
struct FormatterSpecification: Sendable {
  let locale: PriceLocale
  let currency: Currency
  var style: PriceStyle
  /// The merchant's changes.
  let merchantOverride: CurrencyOverride?
  /// The web form of the storefront; `nil` if the style writes ICU's form.
  var webForm: WebForm?
  /// The date that decides which currencies are current: that of the storefront, if its prices depend on it; `nil` for the
  /// current one in UTC.
  var date: CalendarDate?
  /// The reference of unit prices; `nil` for other prices.
  var reference: UnitPriceReference?
  /// Whether patterns write the prices; otherwise ICU does.
  var compilesPattern = true

  /// The changes to ICU's form: the merchant's, or the web form.
  private var override: CurrencyOverride? { style.isWebForm ? webForm?.override : merchantOverride }

  /// Finds the web form of a storefront, if the style writes it.
  ///
  /// - Throws: `.invalidOption` for a style that no web form has, for a price locale that is not the storefront's, and for a
  ///   storefront without a web form.
  mutating func findWebForm(of storefront: Storefront?) throws(PriceTagError) {
    guard style.isWebForm, case .storeWeb(let language) = style.writtenAs else { return }
    try checkStyle()
    guard let storefront, storefront.priceLocale == locale else {
      throw PriceTagError(
        .invalidOption,
        storefront.map { "the web form of \($0) is not one of prices in \(locale)" }
          ?? "a web form is that of a storefront",
        fix: storefront == nil
          ? "name a storefront, or use the form icu" : "use the store's price locale, or the form icu"
      )
    }
    let observations = try PriceObservation.embedded(of: storefront.id)
    webForm = try WebForm(of: storefront, currency, language: language, from: observations)
  }

  // MARK: Digits

  /// Returns the maximum number of displayed digits and the rounding step.
  ///
  /// - Throws: `.invalidOption` if the style's digits are out of range, or if other options contradict each other;
  ///   `.noMinorUnit` if the style displays a minor unit that ISO 4217 does not define.
  func display() throws(PriceTagError) -> Currency.Display {
    try checkStyle()
    switch style.digits {
    case .standard:
      return override?.digits.map { Currency.Display(digits: $0, step: 1) } ?? currency.standardDisplay
    case .cash: return currency.cashDisplay
    case .minorUnits:
      guard let digits = currency.minorUnitDigits else {
        throw PriceTagError(
          .noMinorUnit,
          "\(currency.code) has no minor unit in ISO 4217",
          fix: "use standard digits, or a number of digits"
        )
      }
      return Currency.Display(digits: digits, step: 1)
    case .fixed(let digits): return Currency.Display(digits: digits, step: 1)
    case .range(let range): return Currency.Display(digits: range.upperBound, step: 1)
    }
  }

  /// Checks the options of the style.
  ///
  /// - Throws: `.invalidOption` if the style's digits are out of range, or if other options contradict each other.
  func checkStyle() throws(PriceTagError) {
    try style.checkConsistency()
    guard !style.isWebForm || reference == nil else {
      throw PriceTagError(
        .invalidOption,
        "web forms of unit prices are unknown: no store was seen to write one",
        fix: "use the form icu"
      )
    }
    switch style.digits {
    case .standard, .cash, .minorUnits: break
    case .fixed(let digits):
      guard PriceStyle.fractionDigits.contains(digits) else { throw Self.outOfRange("\(digits)") }
    case .range(let range):
      guard PriceStyle.fractionDigits.contains(range.lowerBound),
        PriceStyle.fractionDigits.contains(range.upperBound)
      else { throw Self.outOfRange("\(range.lowerBound) to \(range.upperBound)") }
    }
  }

  private static func outOfRange(_ digits: String) -> PriceTagError {
    PriceTagError(
      .invalidOption,
      "\(digits) digits are outside \(PriceStyle.fractionDigits)",
      fix: "use 0 to \(Amount.maximumScale) digits"
    )
  }

  private var minimumDigits: Int? {
    if case .range(let range) = style.digits { return range.lowerBound }
    return nil
  }

  // MARK: ICU

  /// Returns the options of ICU's formatter.
  func icuOptions(_ display: Currency.Display) throws(PriceTagError) -> ICUNumberOptions {
    let icuLocale = try icuLocale()
    let width = width
    let showsSymbol = width == .standard || width == .narrow
    let custom = currency.record.custom
    let replacements = custom?.replacements(width, code: currency.code, override: override, locale: locale)
    var options = ICUNumberOptions(
      locale: icuLocale,
      unit: .currency(custom?.like ?? currency.code),
      symbol: replacements.map(\.symbol) ?? (showsSymbol ? override?.symbol : nil),
      names: replacements?.names,
      width: replacements?.width ?? width,
      sign: style.sign,
      grouping: style.grouping,
      minimumFractionDigits: minimumDigits,
      fractionDigits: display.digits,
      trimsZeroFraction: style.zeros == .trim || style.isWebForm && webForm?.hidesZeroFraction == true,
      notation: style.notation,
      hasNotationDigits: style.notation != .standard && style.digits == .standard,
      qualifier: style.qualifier
    )
    options.wrapper = try reference?.wrapper(icuLocale: icuLocale, width: width)
    options.layout = override?.layout ?? PriceLayout()
    // The place of a currency's name and the space beside it are the language's, and are not overridden.
    if options.width == .name { (options.layout.position, options.layout.space) = (nil, nil) }
    // ICU groups all numbers, and those with too few digits are changed.
    if options.layout.minimumGrouping != nil {
      if options.grouping == .auto {
        options.grouping = .always
      } else {
        options.layout.minimumGrouping = nil
      }
    }
    return options
  }

  /// Returns ICU's formatter.
  ///
  /// - Throws: `.formattingFailed` if ICU has no data; `.invalidLocaleData` if overrides make separators ambiguous.
  func icuFormatter(_ options: ICUNumberOptions) throws(PriceTagError) -> ICUNumberFormatter {
    guard let icu = ICUNumberFormatter(options) else {
      throw PriceTagError(
        .formattingFailed,
        "ICU cannot format \(currency.code) in \(locale)",
        fix: "check that ICU's data is installed"
      )
    }
    if !options.layout.isEmpty, Self.hasAmbiguousSeparators(icu, options) {
      throw PriceTagError(
        .invalidLocaleData,
        "\(currency.code) in \(locale) would have the same separator for groups and the fraction",
        fix: style.isWebForm ? "use the form icu" : "override both separators",
        place: (style.isWebForm ? LocaleDataFile.observations : .overrides).rawValue
      )
    }
    return icu
  }

  /// Returns whether groups and the fraction have the same separator.
  private static func hasAmbiguousSeparators(_ icu: ICUNumberFormatter, _ options: ICUNumberOptions) -> Bool {
    var (icu, digits) = (icu, options.fractionDigits)
    if options.layout.minimumGrouping != nil {
      // The sample must have groups.
      var options = options
      options.layout.minimumGrouping = nil
      guard let grouped = ICUNumberFormatter(options) else { return false }
      icu = grouped
    }
    if options.notation != .standard {
      // Compact notation writes a fraction in every currency, and groups only the largest amounts.
      digits = max(1, digits)
      guard let standard = ICUNumberFormatter(options.inStandardNotation(fractionDigits: digits)) else {
        return false
      }
      icu = standard
    }
    let sample = Amount(uncheckedCoefficient: 12_345_678_905, scale: digits > 0 ? 1 : 0)
    return icu.format(sample)?.hasAmbiguousSeparator == true
  }

  /// Returns the formatter of the style's compact notation.
  ///
  /// - Throws: `.formattingFailed` if ICU has no compact notation for the currency.
  func compactFormatter(
    _ icu: ICUNumberFormatter,
    _ options: ICUNumberOptions,
    displayedBy: CompactFormatter?
  ) throws(PriceTagError) -> CompactFormatter {
    var makeUncompacted: (@Sendable () -> PriceFormatter.Compiled?)?
    if displayedBy != nil {
      var specification = self
      specification.style = style.uncompacted
      specification.compilesPattern = true
      makeUncompacted = { [specification] in try? PriceFormatter.Compiled(specification) }
    }
    let formatter = CompactFormatter(
      currency: currency,
      style: style,
      icu: icu,
      options: options,
      compilesPattern: compilesPattern,
      displayedBy: displayedBy,
      makeUncompacted: makeUncompacted
    )
    guard let formatter else {
      throw PriceTagError(
        .formattingFailed,
        "ICU has no compact notation of \(currency.code) in \(locale)",
        fix: "use standard notation"
      )
    }
    return formatter
  }

  // MARK: Locale and width

  /// Returns the locale in ICU's spelling, with the numbering system of the style, of the locale or of the merchant, in
  /// this order.
  private func icuLocale() throws(PriceTagError) -> String {
    if let numbering = style.numberingSystem {
      let numbering = try PriceStyle.numberingSystem(numbering)
      return "\(locale.icuIdentifierWithoutKeywords)@numbers=\(numbering)"
    }
    let numbering = locale.numberingSystem == nil ? override?.numberingSystem : nil
    return numbering.map { "\(locale.icuIdentifier)@numbers=\($0)" } ?? locale.icuIdentifier
  }

  /// The width of the style. `unambiguous` becomes the width of the code if another current currency has the same symbol,
  /// otherwise the standard width.
  var width: PriceStyle.Width {
    guard style.width == .unambiguous else { return style.width }
    let icuLocale = locale.icuIdentifierWithoutKeywords
    guard let symbol = override?.symbol ?? NarrowSymbols.standardSymbol(of: currency, icuLocale) else {
      return .iso
    }
    let isShared = currency.record.narrowSymbols.symbols(icuLocale: icuLocale)
      .isShared(symbol, by: currency, on: date ?? .todayInUTC)
    return isShared ? .iso : .standard
  }
}

import PriceTagText

/// What is in a pack, for programs that list or compare packs.
extension Pack {
  /// The first bytes of every pack.
  package static let signature = Array("PriceTag".utf8)

  /// A style in a pack.
  package struct StyleContents: Hashable, Sendable, CustomStringConvertible {
    /// The style, without a rounding mode.
    package internal(set) var style: PriceStyle
    /// The unit of unit prices; `nil` for other prices.
    package let reference: UnitPriceReference?

    /// The width, and the options that are not the default: `standard`, or `name, zeros trim, per kg`.
    package var description: String {
      let standard = PriceStyle()
      var words = [style.width.rawValue]
      if style.zeros != standard.zeros { words.append("zeros \(style.zeros.rawValue)") }
      if style.sign != standard.sign { words.append("sign \(style.sign.rawValue)") }
      if style.digits != standard.digits { words.append("digits \(style.digits)") }
      if style.grouping != standard.grouping { words.append("grouping \(style.grouping.rawValue)") }
      if let system = style.numberingSystem { words.append("numbering \(system)") }
      if style.notation != standard.notation { words.append(style.notation.rawValue) }
      if style.qualifier != standard.qualifier { words.append(style.qualifier.rawValue) }
      if style.writtenAs != standard.writtenAs { words.append("written as \(style.writtenAs)") }
      if let reference { words.append("per \(reference)") }
      return words.joined(separator: ", ")
    }
  }

  /// A storefront in a pack.
  package struct StorefrontContents: Hashable, Sendable {
    /// A currency that the store charges, and the dates on which it does.
    package struct Period: Hashable, Sendable {
      /// The code of the currency.
      package let currency: String
      /// Whether the store charges the currency beside its own, which the date decides.
      package let isCustom: Bool
      /// The first day; `nil` if the period has no start.
      package let firstDay: CalendarDate?
      /// The last day; `nil` if the period has no end.
      package let lastDay: CalendarDate?
    }

    /// The App Store's identifier.
    package let id: String
    /// The alpha-2 code.
    package let alpha2: String
    /// The tag of the price locale.
    package let locale: String
    /// The currencies, in the order of the pack.
    package let periods: [Period]
    /// The index of the first period in the pack.
    package let firstPeriod: Int
  }

  /// A currency in a pack.
  package struct CurrencyContents: Hashable, Sendable {
    /// The code.
    package let code: String
    /// Whether the currency is a merchant's own.
    package let isCustom: Bool
    /// The digits of ISO 4217's minor unit; `nil` if it has none.
    package let minorUnitDigits: Int?
    /// The digits that CLDR displays.
    package let standardDigits: Int
    /// The digits that CLDR displays for cash.
    package let cashDigits: Int
    /// The rounding step for cash, in units of the last digit.
    package let cashStep: Int
  }

  /// What a formatter writes with: one pattern, or a family of patterns.
  package struct FormatterContents: Hashable, Sendable {
    /// The number of digits of the first pattern, the number of the last one, and 1 if zero has a pattern of its own; empty
    /// for a formatter with one pattern.
    package let family: [Int]
    /// The offsets of the patterns in the section of patterns.
    package let patterns: [Int]
  }

  /// The storefronts, in the order of the pack.
  ///
  /// - Throws: `.invalidPack` if a date does not exist.
  package var storefrontContents: [StorefrontContents] {
    get throws(PriceTagError) {
      var all: [StorefrontContents] = []
      for index in 0..<bytes.count(.storefronts) {
        let storefront = bytes.element(index, of: .storefronts)
        let first = Int(storefront.uint32(at: PackBytes.Storefront.firstPeriod))
        let count = storefront.uint16(at: PackBytes.Storefront.periodCount)
        let id = String(decoding: bytes.id(ofStorefront: index), as: UTF8.self)
        var periods: [StorefrontContents.Period] = []
        for period in first..<first + count { periods.append(try contents(ofPeriod: period, id)) }
        let alpha2 = UnsafeRawBufferPointer(start: storefront + PackBytes.Storefront.alpha2, count: 2)
        let locale = bytes.text(ofLocale: storefront.uint16(at: PackBytes.Storefront.locale))
        all.append(
          StorefrontContents(
            id: id,
            alpha2: String(decoding: alpha2, as: UTF8.self),
            locale: String(decoding: locale, as: UTF8.self),
            periods: periods,
            firstPeriod: first
          )
        )
      }
      return all
    }
  }

  private func contents(
    ofPeriod index: Int,
    _ storefront: String
  ) throws(PriceTagError) -> StorefrontContents.Period {
    let period = bytes.element(index, of: .periods)
    let currency = bytes.code(ofCurrency: period.uint16(at: PackBytes.Period.currency))
    let firstDay = period.uint32(at: PackBytes.Period.firstDay)
    let lastDay = period.uint32(at: PackBytes.Period.lastDay)
    return StorefrontContents.Period(
      currency: String(decoding: currency, as: UTF8.self),
      isCustom: period.uint16(at: PackBytes.Period.kind) != 0,
      firstDay: firstDay == 0 ? nil : try Self.date(firstDay, storefront),
      lastDay: lastDay == PackBytes.none ? nil : try Self.date(lastDay, storefront)
    )
  }

  private static func date(_ number: UInt32, _ storefront: String) throws(PriceTagError) -> CalendarDate {
    let padded = zeroPadded(String(number), 8)
    let text = "\(padded.dropLast(4))-\(padded.dropLast(2).suffix(2))-\(padded.suffix(2))"
    do throws(PriceTagError) { return try CalendarDate(text) } catch {
      throw Self.invalid("the storefront \(quoted(storefront)) has an invalid date: \(error.problem)")
    }
  }

  /// The currencies, in the order of the pack.
  package var currencyContents: [CurrencyContents] {
    (0..<bytes.count(.currencies)).map { index in
      let currency = bytes.element(index, of: .currencies)
      let minorUnitDigits = currency.uint8(at: PackBytes.Currency.minorUnitDigits)
      return CurrencyContents(
        code: String(decoding: bytes.code(ofCurrency: index), as: UTF8.self),
        isCustom: currency.uint8(at: PackBytes.Currency.kind) != 0,
        minorUnitDigits: minorUnitDigits == PackBytes.Currency.noMinorUnit ? nil : minorUnitDigits,
        standardDigits: currency.uint8(at: PackBytes.Currency.standardDigits),
        cashDigits: currency.uint8(at: PackBytes.Currency.cashDigits),
        cashStep: Int(currency.uint32(at: PackBytes.Currency.cashStep))
      )
    }
  }

  // MARK: Styles

  /// The styles, in the order of the pack.
  ///
  /// - Throws: `.invalidPack` if this version of PriceTag does not have a style.
  package var styles: [StyleContents] {
    get throws(PriceTagError) {
      var styles: [StyleContents] = []
      for index in 0..<bytes.count(.styles) {
        let key = UnsafeRawBufferPointer(
          start: bytes.element(index, of: .styles),
          count: PackBytes.Style.keyLength
        )
        guard var style = StyleContents(key: Array(key)) else {
          throw Self.invalid("style \(index + 1) has an option that this version of PriceTag does not have")
        }
        if style.style.width != .name { style.style.writtenAs = writtenAs }
        styles.append(style)
      }
      return styles
    }
  }

  private static func invalid(_ problem: String) -> PriceTagError {
    PriceTagError(.invalidPack, problem, fix: "write the pack again with pricetag pack")
  }

  // MARK: Formatters

  /// Returns the index of the formatter of a period in a style, by indices; `nil` if there is no pattern.
  package func formatterIndex(ofPeriod period: Int, style: Int) -> Int? {
    Self.index(bytes.bytes(.periodFormatters).uint32(at: (period * styleCount + style) * 4))
  }

  /// Returns the index of the row of a locale in a style, by indices; `nil` if the pack has the locale only for
  /// storefronts.
  package func rowIndex(ofLocale locale: Int, style: Int) -> Int? {
    Self.index(bytes.bytes(.localeRows).uint32(at: (locale * styleCount + style) * 4))
  }

  /// Returns the index of the formatter of a row for a currency, by indices; `nil` if there is no pattern.
  package func formatterIndex(ofRow row: Int, currency: Int) -> Int? {
    Self.index(bytes.bytes(.rows).uint32(at: (row * bytes.count(.currencies) + currency) * 4))
  }

  /// The number of rows.
  package var rowCount: Int {
    let columns = bytes.count(.currencies)
    return columns > 0 ? bytes.count(.rows) / columns : 0
  }

  private static func index(_ index: UInt32) -> Int? { index == PackBytes.none ? nil : Int(index) }

  /// The approximate number of steps of a program that compares all combinations: one for each formatter, and one for 16
  /// pairs of currencies of a storefront.
  package var comparisonStepCount: Int {
    let (locales, overflow) = bytes.count(.localeRows).multipliedReportingOverflow(
      by: bytes.count(.currencies)
    )
    if overflow { return .max }
    return (0..<bytes.count(.storefronts)).reduce(locales + bytes.count(.periodFormatters)) { count, index in
      let periods = bytes.element(index, of: .storefronts).uint16(at: PackBytes.Storefront.periodCount)
      return count + periods * periods / 16
    }
  }

  /// Returns what a formatter writes with.
  package func contents(ofFormatter index: Int) -> FormatterContents {
    let formatter = bytes.element(index, of: .formatters)
    guard formatter.uint8(at: PackBytes.Formatter.kind) == PackBytes.familyFormatter else {
      return FormatterContents(family: [], patterns: [target(of: formatter) - bytes.bytes(.patterns)])
    }
    let family = target(of: formatter)
    let lower = family.uint8(at: PackBytes.Family.minimumDigits)
    let upper = family.uint8(at: PackBytes.Family.maximumDigits)
    let hasZero = family.uint8(at: PackBytes.Family.hasZero)
    let patterns = (0..<(upper - lower + 1 + hasZero)).map { member in
      let distance = Int32(bitPattern: family.uint32(at: PackBytes.Family.members + 4 * member))
      return target(of: formatter + Int(distance)) - bytes.bytes(.patterns)
    }
    return FormatterContents(family: [lower, upper, hasZero], patterns: patterns)
  }

  /// Returns the bytes of the pattern at an offset that a formatter has.
  package func patternBytes(at offset: Int) -> [UInt8] {
    PatternBytes(start: bytes.bytes(.patterns) + offset).bytes
  }

  /// Returns the maximum number of digits that a formatter displays after the decimal separator.
  package func fractionDigits(ofFormatter index: Int) -> Int {
    PackFormatter(start: bytes.element(index, of: .formatters)).fractionDigits
  }

  /// Returns the index of the plural category whose affixes a formatter writes; `nil` for an amount with more digits than
  /// it displays.
  package func pluralCategory(of amount: Amount, formatter index: Int) -> Int? {
    let formatter = PackFormatter(start: bytes.element(index, of: .formatters))
    guard let (displayed, pattern) = try? formatter.displayed(amount, .exact) else { return nil }
    return pattern.category(of: displayed)
  }

  /// Returns the formatter with an index.
  package func formatter(at index: Int) -> Formatter {
    Formatter(pack: self, formatter: PackFormatter(start: bytes.element(index, of: .formatters)))
  }

  /// Returns the place of a formatter's pattern or family.
  private func target(of formatter: UnsafeRawPointer) -> UnsafeRawPointer {
    formatter + Int(Int32(bitPattern: formatter.uint32(at: PackBytes.Formatter.pattern)))
  }
}

extension Pack.StyleContents {
  /// Decodes the bytes that identify a style in a pack; `nil` if an option is unknown.
  fileprivate init?(key: [UInt8]) {
    func option<Option: CaseIterable>(_: Option.Type, _ index: Int) -> Option? {
      let all = Array(Option.allCases)
      return Int(key[index]) < all.count ? all[Int(key[index])] : nil
    }
    func text(_ range: Range<Int>) -> String {
      String(decoding: key[range].prefix { $0 != 0 }, as: UTF8.self)
    }
    guard key.count == PackBytes.Style.keyLength,
      let width = option(PriceStyle.Width.self, 0), let zeros = option(PriceStyle.Zeros.self, 1),
      let sign = option(PriceStyle.Sign.self, 2), let grouping = option(PriceStyle.Grouping.self, 6),
      let notation = option(PriceStyle.Notation.self, 7),
      let qualifier = option(PriceStyle.Qualifier.self, 8)
    else { return nil }
    let (lower, upper) = (Int(key[4]), Int(key[5]))
    guard lower <= upper, PriceStyle.fractionDigits.contains(upper) else { return nil }
    let digits: PriceStyle.Digits
    switch key[3] {
    case 0: digits = .standard
    case 1: digits = .cash
    case 2 where lower == upper: digits = .fixed(lower)
    case 3: digits = .range(lower...upper)
    case 4: digits = .minorUnits
    default: return nil
    }
    typealias Style = PackBytes.Style
    let system = text(Style.numbering..<Style.numbering + Style.numberingLength)
    let unit = text(Style.unit..<Style.unit + Style.unitLength)
    var numberingSystem: String?
    if !system.isEmpty {
      guard let name = try? PriceStyle.numberingSystem(system) else { return nil }
      numberingSystem = name
    }
    var reference: UnitPriceReference?
    if !unit.isEmpty {
      guard let decoded = UnitPriceReference(packText: unit) else { return nil }
      reference = decoded
    }
    style = PriceStyle(
      width: width,
      zeros: zeros,
      sign: sign,
      digits: digits,
      grouping: grouping,
      numberingSystem: numberingSystem,
      notation: notation,
      qualifier: qualifier
    )
    self.reference = reference
    // Other bytes belong to options of a later version.
    guard self.key == key else { return nil }
  }
}

import CICU
import PriceTagText

/// What a merchant displays otherwise than CLDR; an entry of `currency-overrides.json`, or several merged.
struct CurrencyOverride: Hashable, Sendable {
  /// What stands in place of the symbol, in the standard and narrow widths.
  let symbol: String?
  /// The displayed digits, in place of CLDR's standard ones.
  let digits: Int?
  /// The numbering system, such as `latn`.
  let numberingSystem: String?
  /// What stands between groups, before the fraction, and beside the symbol.
  let separators: PriceSeparators

  /// This one's fields, and those of a less specific one where this has none.
  func merged(over other: CurrencyOverride?) -> CurrencyOverride {
    CurrencyOverride(
      symbol: symbol ?? other?.symbol,
      digits: digits ?? other?.digits,
      numberingSystem: numberingSystem ?? other?.numberingSystem,
      separators: PriceSeparators(
        group: separators.group ?? other?.separators.group,
        decimal: separators.decimal ?? other?.separators.decimal,
        space: separators.space ?? other?.separators.space
      )
    )
  }
}

/// What a merchant puts in place of CLDR's separators; `nil` for CLDR's own.
struct PriceSeparators: Hashable, Sendable {
  /// Between groups of digits.
  var group: String?
  /// Between the digits before and behind the decimal point.
  var decimal: String?
  /// In place of the spaces beside the symbol or code.
  var space: String?

  /// Whether CLDR's are kept.
  var areUsual: Bool { self == PriceSeparators() }
}

extension CurrencyOverride {
  /// An entry as it is written: for a storefront, a currency, or a storefront's currency.
  struct Entry: Sendable {
    let storefront: String?
    let currency: String?
    let override: CurrencyOverride
    private let source: LocaleDataEntry

    init(_ entry: LocaleDataEntry) throws(PriceTagError) {
      try entry.allow([
        "storefront", "currency", "symbol", "digits", "numbering", "group", "decimal", "space", "reason",
      ])
      source = entry
      storefront = try entry.optionalString("storefront")
      currency = try entry.optionalString("currency")
      override = CurrencyOverride(
        symbol: try entry.optionalString("symbol"),
        digits: try entry.optionalInteger("digits", in: PriceStyle.fractionDigits),
        numberingSystem: try entry.optionalString("numbering"),
        separators: PriceSeparators(
          group: try Self.separator("group", entry),
          decimal: try Self.separator("decimal", entry),
          space: try Self.space(entry)
        )
      )
      if storefront == nil, currency == nil {
        throw entry.invalid("an override needs a storefront or a currency", "storefront")
      }
      if override.symbol == nil, override.digits == nil, override.numberingSystem == nil,
        override.separators.areUsual
      {
        throw entry.invalid("an override changes a symbol, digits, numbering or a separator", "symbol")
      }
      if let group = override.separators.group, group == override.separators.decimal {
        throw entry.invalid("groups and the fraction need separators that differ", "decimal")
      }
      if let symbol = override.symbol { try Self.check(symbol, entry) }
      if let numbering = override.numberingSystem, !LocaleTag.isDecimalNumberingSystem(numbering) {
        throw entry.invalid("CLDR has no decimal numbering system \(quoted(numbering))", "numbering")
      }
      if try entry.string("reason").isEmpty {
        throw entry.invalid("an override needs its reason", "reason")
      }
    }

    /// A separator: one character that some locale has, so that nothing is taken for a digit, or turns them around.
    private static func separator(
      _ field: String,
      _ entry: LocaleDataEntry
    ) throws(PriceTagError) -> String? {
      guard let separator = try entry.optionalString(field) else { return nil }
      let isSpace = separator.unicodeScalars.first?.properties.generalCategory == .spaceSeparator
      let known: Set<Unicode.Scalar> = [
        ".", ",", "'", "\u{2019}", "\u{2018}", "\u{2BC}", "\u{66B}", "\u{66C}", "\u{B7}", "\u{2D9}",
        "\u{2E41}",
      ]
      guard separator.unicodeScalars.count == 1, isSpace || known.isSuperset(of: separator.unicodeScalars)
      else {
        throw entry.invalid(
          "\(quoted(separator)) is no separator: give one of . , ' ’ ‘ ʼ ٫ ٬ · ˙ ⹁, or a space",
          field
        )
      }
      return separator
    }

    /// What stands in place of spaces: a space, or nothing.
    private static func space(_ entry: LocaleDataEntry) throws(PriceTagError) -> String? {
      guard let space = try entry.optionalString("space") else { return nil }
      guard space.unicodeScalars.count <= 1,
        space.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .spaceSeparator })
      else {
        throw entry.invalid("\(quoted(space)) is no space: give one, or an empty text for none", "space")
      }
      return space
    }

    /// Refuses a symbol that could be read as part of the amount, or would move what stands around it.
    private static func check(_ symbol: String, _ entry: LocaleDataEntry) throws(PriceTagError) {
      guard (1...32).contains(symbol.utf8.count) else {
        throw entry.invalid("a symbol has 1 to 32 bytes", "symbol")
      }
      let marks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{61C}"]
      for scalar in symbol.unicodeScalars where !marks.contains(scalar) {
        let category = scalar.properties.generalCategory
        let isRefused =
          [
            .decimalNumber, .letterNumber, .otherNumber, .control, .format, .lineSeparator,
            .paragraphSeparator,
          ]
          .contains(category) || "+-\u{2212}".unicodeScalars.contains(scalar)
        if isRefused {
          throw entry.invalid(
            "a symbol has no \(quoted(String(scalar))): no digit, sign or control",
            "symbol"
          )
        }
      }
    }

    /// The identifier of the entry's storefront, once what it names is known to exist.
    ///
    /// - Parameters:
    ///   - ids: Identifiers by alpha-3 and alpha-2.
    ///   - charges: Whether a storefront ever charges a currency.
    func checkedStorefront(
      ids: [String: String],
      currencies: LocaleData.CurrencyTable,
      charges: (_ id: String, _ currency: String) -> Bool
    ) throws(PriceTagError) -> String? {
      if let currency, try currencies.currency(currency) == nil {
        throw source.invalid("\(quoted(currency)) is no currency of currencies.json", "currency")
      }
      guard let storefront else { return nil }
      guard let id = ids[storefront] else {
        throw source.invalid("\(quoted(storefront)) is no storefront of storefronts.json", "storefront")
      }
      if let currency, !charges(id, currency) {
        throw source.invalid("\(id) never charges \(currency)", "currency")
      }
      return id
    }

    /// The failure of standing for what another entry stands for.
    var standsTwice: PriceTagError {
      source.invalid("another entry overrides the same storefront and currency", "storefront")
    }
  }
}

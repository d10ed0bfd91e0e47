import CICU

/// What a merchant displays otherwise than CLDR; an entry of `currency-overrides.json`, or several merged.
struct CurrencyOverride: Hashable, Sendable {
  /// What stands in place of the symbol, in the standard and narrow widths.
  let symbol: String?
  /// The displayed digits, in place of CLDR's standard ones.
  let digits: Int?
  /// The numbering system, such as `latn`.
  let numberingSystem: String?

  /// This one's fields, and those of a less specific one where this has none.
  func merged(over other: CurrencyOverride?) -> CurrencyOverride {
    CurrencyOverride(
      symbol: symbol ?? other?.symbol,
      digits: digits ?? other?.digits,
      numberingSystem: numberingSystem ?? other?.numberingSystem
    )
  }
}

extension CurrencyOverride {
  /// An entry as it is written: for a storefront, a currency, or a storefront's currency.
  struct Entry: Sendable {
    let storefront: String?
    let currency: String?
    let override: CurrencyOverride
    private let source: LocaleDataEntry

    init(_ entry: LocaleDataEntry) throws(PriceTagError) {
      try entry.allow(["storefront", "currency", "symbol", "digits", "numbering", "reason"])
      source = entry
      storefront = try entry.optionalString("storefront")
      currency = try entry.optionalString("currency")
      override = CurrencyOverride(
        symbol: try entry.optionalString("symbol"),
        digits: try entry.optionalInteger("digits", in: PriceStyle.fractionDigits),
        numberingSystem: try entry.optionalString("numbering")
      )
      if storefront == nil, currency == nil {
        throw entry.invalid("an override needs a storefront or a currency", "storefront")
      }
      if override == CurrencyOverride(symbol: nil, digits: nil, numberingSystem: nil) {
        throw entry.invalid("an override changes a symbol, digits or numbering", "symbol")
      }
      if let symbol = override.symbol { try Self.check(symbol, entry) }
      if let numbering = override.numberingSystem, !LocaleTag.isDecimalNumberingSystem(numbering) {
        throw entry.invalid("CLDR has no decimal numbering system \(quoted(numbering))", "numbering")
      }
      if try entry.string("reason").isEmpty {
        throw entry.invalid("an override needs its reason", "reason")
      }
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
      currencies: [String: Currency],
      charges: (_ id: String, _ currency: String) -> Bool
    ) throws(PriceTagError) -> String? {
      if let currency, currencies[currency] == nil {
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

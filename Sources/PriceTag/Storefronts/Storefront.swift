import PriceTagText

/// A store territory: its currency, the locale of its prices, and the languages of its store.
///
///     let japan = try Storefront("JPN")
///     japan.currency(on: .todayInUTC)       // JPY
///     japan.priceLocale                // ja-JP
///     japan.languages                  // ["ja", "en-US"]
///
///     try PriceFormatter(storefront: japan).format("1200").text   // "￥1,200"
///
/// The currency is the one that the store charges, which is often not the country's own: 109 of the App Store's 175
/// storefronts charge USD.
public struct Storefront: Hashable, Sendable, CustomStringConvertible {
  /// A currency and the dates on which the store charges it.
  public struct CurrencyPeriod: Hashable, Sendable {
    /// The currency.
    public internal(set) var currency: Currency
    /// The first day of the period; `nil` if it has no start.
    public let firstDay: CalendarDate?
    /// The last day of the period; `nil` if it has no end.
    public let lastDay: CalendarDate?
  }

  /// The App Store's identifier: ISO 3166-1 alpha-3, and `XKS` for Kosovo.
  public let id: String
  /// The territory's ISO 3166-1 alpha-2 code, and `XK` for Kosovo.
  public let alpha2: String
  /// The currencies of the store in chronological order, without gaps or overlaps.
  public internal(set) var currencyPeriods: [CurrencyPeriod]
  /// The locale in which the store writes its prices.
  public let priceLocale: PriceLocale
  /// The time zone whose date decides the currency, prices and offers; `nil` if the locale data does not state it.
  public let timeZone: TimeZone?
  /// The language that the store shows if it does not support the shopper's own (BCP 47).
  public let defaultLanguage: String
  /// The languages that the store supports (BCP 47). The first one is the default language.
  public let languages: [String]
  /// The tax on the store's prices; `nil` if the locale data does not state it.
  public let tax: Tax?

  /// The currency of the last period.
  var latestCurrency: Currency
  /// A merchant's overrides by currency code; the one for all currencies has an empty code.
  let overrides: [String: CurrencyOverride]

  /// The pack that formats the prices, which is that of the currencies; `nil` for ICU.
  var pack: Pack? { latestCurrency.record.pack }

  /// Returns the currency that the store charges on a date.
  ///
  ///     let bulgaria = try Storefront("BGR")
  ///     try bulgaria.currency(on: CalendarDate("2025-12-31"))   // BGN
  ///     try bulgaria.currency(on: CalendarDate("2026-01-01"))   // EUR
  public func currency(on date: CalendarDate) -> Currency {
    currencyPeriods.first { $0.lastDay.map { date <= $0 } ?? true }?.currency ?? latestCurrency
  }

  /// Returns the currency on a date, or on the storefront's own for `nil`. Reads the clock only if the currency depends on it.
  func currency(onDateOrToday date: CalendarDate?) throws(PriceTagError) -> Currency {
    if let date { return currency(on: date) }
    return currencyPeriods.count == 1 ? latestCurrency : currency(on: try today)
  }

  /// Returns whether the store charges a currency on a date: its own, or a custom currency that `custom-currencies.json`
  /// allows there.
  ///
  ///     try Storefront("JPN").charges(Currency("JPY"), on: .todayInUTC)   // true
  ///     try Storefront("JPN").charges(Currency("USD"), on: .todayInUTC)   // false
  public func charges(_ currency: Currency, on date: CalendarDate) -> Bool {
    chargesCustom(currency) || currency == self.currency(on: date)
  }

  /// Returns whether a currency is a custom one that the store charges beside its own.
  package func chargesCustom(_ currency: Currency) -> Bool {
    currency.record.custom?.isCharged(in: self) ?? false
  }

  /// Returns the currency of a price, after checking that the store charges it: the store's own for `nil`.
  ///
  /// - Throws: `.currencyMismatch` for a currency that the store does not charge on the date.
  func charged(_ currency: Currency?, onDateOrToday date: CalendarDate?) throws(PriceTagError) -> Currency {
    let own = try self.currency(onDateOrToday: date)
    guard let currency, currency != own else { return own }
    if chargesCustom(currency) { return currency }
    throw PriceTagError(
      .currencyMismatch,
      "the \(id) store charges \(own), not \(currency)",
      fix: currency.kind == .custom
        ? "add the store to the storefronts of \(currency) in custom-currencies.json"
        : "remove the currency, or use a store that charges it (prices are never converted)"
    )
  }

  /// Returns the merchant's override for a currency of this store, merged field by field.
  ///
  /// The override for this storefront and currency wins over the one for the storefront, which wins over the one for
  /// the currency.
  func override(for currency: Currency) -> CurrencyOverride? {
    // The symbol and the digits for all currencies of the storefront are those of its money.
    let store = currency.kind == .custom ? overrides[""]?.withoutSymbolAndDigits : overrides[""]
    let general = store?.merged(over: currency.record.override) ?? currency.record.override
    return overrides[currency.code]?.merged(over: general) ?? general
  }

  /// The identifier.
  public var description: String { id }
}

// MARK: Creating

extension Storefront {
  /// Creates the storefront with an identifier. Case does not matter.
  ///
  ///     try Storefront("JPN").id   // "JPN"
  ///     try Storefront("jp").id    // "JPN"
  ///     try Storefront("USB")      // throws: unknown storefront "USB"; did you mean "USA"?
  ///
  /// - Parameters:
  ///   - id: The alpha-3 code that the App Store uses, or the territory's alpha-2 code.
  ///   - localeData: The registry of storefronts.
  /// - Throws: `.unknownStorefront`, with the closest match if there is one; `.invalidLocaleData` if the registry
  ///   cannot be read.
  public init(_ id: String, in localeData: LocaleData = .embedded) throws(PriceTagError) {
    self = try localeData.storefront(id)
  }

  /// Creates the storefront of a pinned registry.
  ///
  /// - Parameters:
  ///   - storefront: The storefront.
  ///   - pack: The pack that formats its prices.
  ///   - currencies: The currencies of the pinned registry.
  init(_ storefront: Storefront, pinnedTo pack: Pack, _ currencies: LocaleData.CurrencyTable)
    throws(PriceTagError)
  {
    func pinned(_ currency: Currency) throws(PriceTagError) -> Currency {
      try currencies.currency(currency.code) ?? currency.pinned(to: pack)
    }
    self = storefront
    for (index, period) in currencyPeriods.enumerated() {
      currencyPeriods[index].currency = try pinned(period.currency)
    }
    latestCurrency = try pinned(latestCurrency)
  }
}

/// The price locale, the currency and all other facts come from the registry, so only the identifier is stored.
extension Storefront: Identifiable, Codable {
  /// Decodes the identifier of a storefront of the embedded data.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(#"write the identifier of a storefront, such as "JPN""#) {
      text throws(PriceTagError) in try Storefront(text)
    }
  }

  /// Encodes the identifier.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(id)
  }
}

extension Storefront {
  /// A digest of everything that the registry states about the storefront, and of the pack of its prices.
  package var digest: String {
    var digest = ContentDigest()
    for text in [id, alpha2, priceLocale.identifier, defaultLanguage] + languages { digest.add(text) }
    digest.add(timeZone?.identifier)
    digest.add(tax.map { "\($0.kind.rawValue) \($0.isIncluded)" })
    for period in currencyPeriods + [CurrencyPeriod(currency: latestCurrency, firstDay: nil, lastDay: nil)] {
      let record = period.currency.record
      digest.add(record.code)
      digest.add(period.firstDay?.description)
      digest.add(period.lastDay?.description)
      digest.add(record.minorUnitDigits.map { "\($0)" })
      digest.add(record.override.map { String(reflecting: $0) })
    }
    for (code, override) in overrides.sorted(by: { $0.key < $1.key }) {
      digest.add(code)
      digest.add(String(reflecting: override))
    }
    if let pack { digest.add(pack.fileBytes) } else { digest.addNull() }
    return digest.text
  }
}

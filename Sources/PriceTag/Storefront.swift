/// A store territory: the currency it charges, the locale its prices are written in, the languages it shows.
///
///     let japan = try Storefront("JPN")
///     japan.priceLocale                // ja-JP
///     japan.currency(on: .today)       // JPY
///
/// The currency is the store's, not the country's: 109 of the App Store's 175 storefronts charge USD.
public struct Storefront: Hashable, Sendable, CustomStringConvertible {
  /// A currency and the days it is charged.
  public struct CurrencyPeriod: Hashable, Sendable {
    /// The currency.
    public let currency: Currency
    /// The first day; `nil` for always before.
    public let firstDay: CalendarDate?
    /// The last day; `nil` for until further notice.
    public let lastDay: CalendarDate?
  }

  /// The App Store's identifier: ISO 3166-1 alpha-3, and `XKS` for Kosovo.
  public let id: String
  /// ISO 3166-1 alpha-2, and `XK` for Kosovo.
  public let alpha2: String
  /// The currencies in the order of their days, without a gap or an overlap.
  public let currencyPeriods: [CurrencyPeriod]
  /// The locale that prices are written in.
  public let priceLocale: PriceLocale
  /// The language that the store shows where the reader's is not supported, BCP 47.
  public let defaultLanguage: String
  /// The languages that the store supports, BCP 47, the default one first.
  public let languages: [String]

  let latestCurrency: Currency
  /// By currency code; under an empty one for all.
  let overrides: [String: CurrencyOverride]

  init(
    id: String,
    alpha2: String,
    currencyPeriods: [CurrencyPeriod],
    latestCurrency: Currency,
    priceLocale: PriceLocale,
    defaultLanguage: String,
    languages: [String],
    overrides: [String: CurrencyOverride]
  ) {
    self.id = id
    self.alpha2 = alpha2
    self.currencyPeriods = currencyPeriods
    self.latestCurrency = latestCurrency
    self.priceLocale = priceLocale
    self.defaultLanguage = defaultLanguage
    self.languages = languages
    self.overrides = overrides
  }

  /// The storefront of an identifier: alpha-3 as the App Store names it, or alpha-2; in any case.
  ///
  ///     try Storefront("jp").id   // "JPN"
  ///     try Storefront("ZZZ")     // throws, with the closest match where one is close
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - localeData: The registry to look in.
  /// - Throws: `.unknownStorefront`; `.invalidLocaleData` where the data cannot be read.
  public init(_ id: String, in localeData: LocaleData = .embedded) throws(PriceTagError) {
    self = try localeData.storefront(id)
  }

  /// The currency that the store charges on a day.
  ///
  ///     try Storefront("BGR").currency(on: CalendarDate("2025-12-31"))   // BGN; EUR a day later
  public func currency(on date: CalendarDate) -> Currency {
    currencyPeriods.first { $0.lastDay.map { date <= $0 } ?? true }?.currency ?? latestCurrency
  }

  /// The currency on a day, or today in UTC: the date is asked for only where the currency depends on it.
  func currency(onDayOrToday date: CalendarDate?) -> Currency {
    currencyPeriods.count == 1 ? latestCurrency : currency(on: date ?? .today)
  }

  /// What the merchant displays otherwise: what is said of the storefront's currency goes before what is said of the
  /// storefront, and that before what is said of the currency, field by field.
  func override(for currency: Currency) -> CurrencyOverride? {
    let general = overrides[""]?.merged(over: currency.record.override) ?? currency.record.override
    return overrides[currency.code]?.merged(over: general) ?? general
  }

  /// The identifier.
  public var description: String { id }
}

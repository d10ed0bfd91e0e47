/// Whose price something is, by the names that a row, a message's argument or a command line gives.
///
///     let origin = PriceOrigin(storefront: "JPN")
///     try origin.formatter().format("1200").text   // "￥1,200"
///
/// A storefront alone is enough, and so are a price locale and a currency together. Beside a storefront, a price locale
/// wins over the store's own, and a currency must be the store's: nothing is converted.
public struct PriceOrigin: Hashable, Sendable {
  /// The store, as `Storefront` reads it.
  public var storefront: String?
  /// The price locale, BCP 47.
  public var priceLocale: String?
  /// The currency, ISO 4217.
  public var currency: String?
  /// The day whose currency the store charges, `YYYY-MM-DD`.
  public var at: String?

  /// An origin of the names that were given.
  public init(
    storefront: String? = nil,
    priceLocale: String? = nil,
    currency: String? = nil,
    at: String? = nil
  ) {
    (self.storefront, self.priceLocale, self.currency, self.at) = (storefront, priceLocale, currency, at)
  }

  /// The formatter of the prices of this origin.
  ///
  /// - Parameters:
  ///   - localeData: Where storefronts and currencies are looked up.
  ///   - date: The day, where the origin names none; `nil` for today in UTC.
  ///   - style: How prices are written.
  /// - Throws: `.missingStorefront` where neither a storefront nor both a price locale and a currency are given;
  ///   `.currencyMismatch`; what reading the names throws; and as `PriceFormatter.init(storefront:)`.
  public func formatter(
    in localeData: LocaleData = .embedded,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) -> PriceFormatter {
    let locale = try priceLocale.map { (tag) throws(PriceTagError) in try PriceLocale(tag) }
    let named = try currency.map { (code) throws(PriceTagError) in try Currency(code, in: localeData) }
    let day = try at.map { (text) throws(PriceTagError) in try CalendarDate(text) } ?? date
    if let storefront {
      let store = try Storefront(storefront, in: localeData)
      let charged = store.currency(onDayOrToday: day)
      // Before the formatter is compiled: a rejected price should cost less than one that is formatted.
      if let named, named != charged {
        throw PriceTagError(
          .currencyMismatch,
          "the \(store) store charges \(charged), not \(named)",
          fix: "leave the currency out, or name the store that charges it; nothing is converted"
        )
      }
      return try PriceFormatter(storefront: store, locale: locale, on: day, style: style)
    }
    guard let locale, let named else {
      let missing =
        switch (locale, named) {
        case (nil, nil): "nothing says whose price it is"
        case (nil, _): "a currency alone does not say whose price it is"
        default: "a price locale alone does not say what the price is in"
        }
      throw PriceTagError(
        .missingStorefront,
        missing,
        fix: "give a storefront, or both a price locale and a currency"
      )
    }
    return try PriceFormatter(locale: locale, currency: named, style: style)
  }
}

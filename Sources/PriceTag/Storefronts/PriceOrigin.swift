/// The store that a price comes from, as unchecked text from a row, a message argument or a command line.
///
///     let origin = PriceOrigin(storefront: "JPN")
///     try origin.formatter().format("1200").text   // "￥1,200"
///
///     let swiss = PriceOrigin(priceLocale: "de-CH", currency: "CHF")
///     try swiss.formatter().format("9.90").text    // "CHF\u{A0}9.90"
///
/// An origin needs either a storefront, or both a price locale and a currency. With a storefront, a price locale
/// replaces the store's own, and a currency must be one that the store charges: its own, or a custom currency.
package struct PriceOrigin: Hashable, Sendable {
  /// The identifier of the storefront.
  package var storefront: String?
  /// The price locale (BCP 47).
  package var priceLocale: String?
  /// The currency code: of ISO 4217, or of a custom currency.
  package var currency: String?
  /// The date that decides the store's currency, as `YYYY-MM-DD`.
  package var at: String?

  /// Creates an origin from text. The text is checked by ``formatter(in:on:style:)``.
  package init(
    storefront: String? = nil,
    priceLocale: String? = nil,
    currency: String? = nil,
    at: String? = nil
  ) {
    (self.storefront, self.priceLocale, self.currency, self.at) = (storefront, priceLocale, currency, at)
  }

  /// Creates a formatter for the prices of this origin.
  ///
  /// - Parameters:
  ///   - localeData: The registry of storefronts and currencies.
  ///   - day: The day if the origin has no date; `nil` for the current date in the storefront.
  ///   - style: The style of the prices.
  /// - Throws: `.missingStorefront` if there is neither a storefront nor both a price locale and a currency;
  ///   `.currencyMismatch` if the store does not charge the currency; the errors of ``Storefront``, ``PriceLocale``,
  ///   ``Currency``, ``CalendarDate`` and ``PriceFormatter``.
  package func formatter(
    in localeData: LocaleData = .embedded,
    on day: StoreDay? = nil,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) -> PriceFormatter {
    let locale = try priceLocale.map { (tag) throws(PriceTagError) in try PriceLocale(tag) }
    let named = try currency.map { (code) throws(PriceTagError) in try Currency(code, in: localeData) }
    let ownDay = try at.map { (text) throws(PriceTagError) in StoreDay.date(try CalendarDate(text)) }
    if let storefront {
      let store = try Storefront(storefront, in: localeData)
      let date = try store.dateIfNeeded(ownDay ?? day, for: style)
      return try PriceFormatter(storefront: store, locale: locale, currency: named, on: date, style: style)
    }
    guard let locale, let named else {
      let missing =
        switch (locale, named) {
        case (nil, nil): "storefront"
        case (nil, _): "price locale"
        default: "currency"
        }
      throw PriceTagError(
        .missingStorefront,
        "the \(missing) is missing",
        fix: "add a storefront, or both a price locale and a currency"
      )
    }
    return try PriceFormatter(locale: locale, currency: named, style: style)
  }
}

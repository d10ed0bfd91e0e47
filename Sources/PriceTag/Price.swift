/// A price as a store returned it: an amount, its currency, and the locale it is written in.
///
///     let store = try Storefront("USA")
///     let price = Price(amount: "9.99", currency: store.currency(on: .today), locale: store.priceLocale)
///     try PriceFormatter(storefront: store).format(price).text   // "$9.99"
public struct Price: Hashable, Sendable, Codable {
  /// How much, exactly.
  public let amount: Amount
  /// Of what.
  public let currency: Currency
  /// As whose store writes it.
  public let locale: PriceLocale

  /// A price of its parts.
  public init(amount: Amount, currency: Currency, locale: PriceLocale) {
    self.amount = amount
    self.currency = currency
    self.locale = locale
  }

  /// A price of a storefront, in the currency it charges on a day.
  public init(_ amount: Amount, in storefront: Storefront, on date: CalendarDate = .today) {
    self.init(amount: amount, currency: storefront.currency(on: date), locale: storefront.priceLocale)
  }

  /// The same currency and locale with another amount.
  func with(_ amount: Amount) -> Price {
    Price(amount: amount, currency: currency, locale: locale)
  }
}

/// A price as a store returned it: an amount, its currency, and the locale in which the store writes it.
///
/// A `Price` is a value to calculate with and to pass around. ``PriceFormatter`` turns it into text.
///
///     let store = try Storefront("USA")
///     let price = Price("9.99", in: store)
///     try PriceFormatter(storefront: store).format(price).text     // "$9.99"
///     try price.total(quantity: 3).amount                          // 29.97
///
/// No operation converts a currency: a sum of two currencies throws `.currencyMismatch`.
public struct Price: Hashable, Sendable, Codable {
  /// The exact amount.
  public let amount: Amount
  /// The currency of the amount.
  public let currency: Currency
  /// The locale that decides how the price is written. It is the store's, not the shopper's.
  public let locale: PriceLocale

  /// Creates a price from an amount, a currency and a price locale.
  ///
  ///     Price(amount: "9.99", currency: try Currency("USD"), locale: try PriceLocale("en-US"))
  public init(amount: Amount, currency: Currency, locale: PriceLocale) {
    self.amount = amount
    self.currency = currency
    self.locale = locale
  }

  /// Creates a price in the currency that a storefront charges on a date, and in the storefront's price locale.
  ///
  ///     try Price(1200, in: Storefront("JPN"))   // 1200 JPY in ja-JP
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - storefront: The store that charges the price.
  ///   - date: The date that decides the currency, where a storefront has changed it.
  public init(_ amount: Amount, in storefront: Storefront, on date: CalendarDate? = nil) throws(PriceTagError)
  {
    self.init(
      amount: amount,
      currency: try storefront.currency(onDateOrToday: date),
      locale: storefront.priceLocale
    )
  }

  /// Returns the text of the price.
  ///
  ///     try Price("1200", in: Storefront("JPN")).formatted()   // "￥1,200"
  ///     try Price("1200.50", in: Storefront("JPN")).formatted(PriceStyle(rounding: .halfEven))   // "￥1,200"
  ///
  /// This compiles a formatter for each call. To format many prices, create one ``PriceFormatter``.
  ///
  /// A `PriceStyle` is not a `FormatStyle` of Foundation, because `FormatStyle.format(_:)` cannot throw: it would round a
  /// price silently, or write another one. Merchants' overrides of a storefront have no effect, because a price does not
  /// have its storefront.
  ///
  /// - Parameter style: The style of the price.
  /// - Throws: The errors of ``PriceFormatter/init(locale:currency:style:)`` and of `PriceFormatter.string(for:)`.
  public func formatted(_ style: PriceStyle = PriceStyle()) throws(PriceTagError) -> String {
    try PriceFormatter(locale: locale, currency: currency, style: style).string(for: amount)
  }

  /// Returns a price with another amount in the same currency and locale.
  func with(_ amount: Amount) -> Price {
    Price(amount: amount, currency: currency, locale: locale)
  }
}

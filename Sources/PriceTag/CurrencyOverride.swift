/// What a merchant displays otherwise than CLDR, with the reason; an entry of `currency-overrides.json`.
///
/// An override of a storefront's currency goes before one of the storefront, and that before one of the currency.
/// The shipped file has none.
public struct CurrencyOverride: Hashable, Sendable {
  /// The storefront it holds for; `nil` for all.
  public let storefront: String?
  /// The currency it holds for; `nil` for all of the storefront's.
  public let currency: String?
  /// What stands in place of the symbol, in the standard and narrow widths.
  public let symbol: String?
  /// The displayed digits, in place of CLDR's standard ones.
  public let digits: Int?
  /// The numbering system, such as `latn`.
  public let numberingSystem: String?
  /// Why.
  public let reason: String
}

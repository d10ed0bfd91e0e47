import PriceTag
import PriceTagCatalog

/// The currencies of prices that do not name one.
///
/// Google Play charges a country's own money where it can, and US dollars elsewhere; the App Store charges US dollars
/// or euros in many countries with money of their own. So a number for a country is in the storefront's currency for
/// certain only where that is the country's own money.
enum GooglePlayCurrency {
  /// The countries whose only money is the euro, and that Google Play sells in.
  private static let euro: Set<String> = [
    "AT", "BE", "BG", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU", "LV", "MT",
    "NL",
    "PT", "SI", "SK",
  ]
  /// The countries other than the United States where one pays with US dollars.
  private static let dollar: Set<String> = ["EC", "FM", "PA", "PW", "SV", "TC", "VG", "ZW"]

  /// - Throws: `.unknownCurrency` where the currency of an amount cannot be known.
  static func check(_ amount: Amount, in storefront: Storefront, on date: CalendarDate) throws(CatalogError) {
    let charged = storefront.currency(on: date)
    let isOwn =
      switch charged.code {
      case "EUR": euro.contains(storefront.alpha2)
      case "USD" where dollar.contains(storefront.alpha2): true
      // ISO 4217 starts the code of a country's money with the country's own.
      default: charged.code.hasPrefix(storefront.alpha2)
      }
    guard isOwn else {
      throw CatalogError(
        .unknownCurrency,
        "the file does not say whether the price \(amount) is in \(charged) or in the country's own money",
        fix: "read the products as JSON of Google Play's API, which names the currency"
      )
    }
  }
}

import PriceTag
import PriceTagCatalog

/// The currencies of prices without a currency.
///
/// Google Play charges the country's currency if it can, and US dollars elsewhere. The App Store charges US dollars or
/// euros in many countries that have another currency. Therefore a price for a country is known to be in the
/// storefront's currency only if that is the country's own currency.
enum GooglePlayCurrency {
  /// The countries with Google Play whose only currency is the euro.
  private static let euro: Set<String> = [
    "AT", "BE", "BG", "CY", "DE", "EE", "ES", "FI", "FR", "GR", "HR", "IE", "IT", "LT", "LU", "LV", "MT",
    "NL",
    "PT", "SI", "SK",
  ]
  /// The countries other than the United States whose currency is the US dollar.
  private static let dollar: Set<String> = ["EC", "FM", "PA", "PW", "SV", "TC", "VG", "ZW"]

  /// Checks that the currency of an amount is known.
  ///
  /// - Throws: `.unknownCurrency` if it is not.
  static func check(_ amount: Amount, in storefront: Storefront, _ session: ImportSession)
    throws(CatalogError)
  {
    let charged = try session.charged(in: storefront)
    let isOwn =
      switch charged.code {
      case "EUR": euro.contains(storefront.alpha2)
      case "USD" where dollar.contains(storefront.alpha2): true
      // An ISO 4217 code starts with the code of the currency's country.
      default: charged.code.hasPrefix(storefront.alpha2)
      }
    guard isOwn else {
      throw CatalogError(
        .unknownCurrency,
        "the price \(amount) has no currency: it could be in \(charged) or in the country's own currency",
        fix: "import the products as JSON of the Google Play API, which names currencies"
      )
    }
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the prices and texts that all products of the Google Play API have in common.
struct GooglePlayPrices {
  let session: ImportSession

  // MARK: Prices

  /// Returns an amount of the type `google.type.Money`: units and nanos, either of which is omitted if it is zero.
  func money(_ fields: JSONFields) throws(CatalogError) -> (Amount, Currency) {
    let currency = try fields.value("currencyCode", session.currency)
    let units = try fields.optionalInteger64("units") ?? 0
    let nanos = try fields.optionalInteger("nanos", in: -999_999_999...999_999_999) ?? 0
    let amount = try fields.reading("units") { () throws(CatalogError) in
      try withCatalogErrors { () throws(PriceTagError) in
        try Amount(units: units, nanos: Int32(clamping: nanos))
      }
    }
    return (amount, currency)
  }

  /// Returns the price of an in-app product, which is in micros.
  func micros(_ fields: JSONFields) throws(CatalogError) -> (Amount, Currency) {
    let micros = try fields.required(fields.optionalInteger64("priceMicros"), "priceMicros")
    return (Amount(micros: micros).normalized, try fields.value("currency", session.currency))
  }

  /// A price and the field that it is from.
  typealias RegionalPrice = (field: String, amount: Amount, currency: Currency)

  /// Returns the prices of regions and the storefronts where the product is sold.
  ///
  /// - Parameters:
  ///   - isSold: Returns whether a region's data declare the product for sale, or `nil` if they do not state it.
  ///   - discountedPrice: Returns the price of a region with a discount, or `nil` if it has none.
  /// - Returns: The prices, and as the clearance the regions for which `isSold` is true. The clearance is `nil` if
  ///   `isSold` is `nil` for all regions.
  func regions(
    _ owner: JSONFields,
    _ field: String,
    _ label: String,
    isSold: (JSONFields) throws(CatalogError) -> Bool? = { (_) throws(CatalogError) in nil },
    discountedPrice: (JSONFields, Storefront) throws(CatalogError) -> RegionalPrice? = {
      (_, _) throws(CatalogError) in nil
    }
  ) throws(CatalogError) -> (prices: PriceTable, clearedForSale: Clearance?) {
    var prices = PriceTable()
    var sold: Set<String> = []
    var hasAvailability = false
    func place(_ region: JSONValue) -> String {
      label + (region.text(of: "regionCode").map { ", price of \(printable($0, limit: 48))" } ?? "")
    }
    try session.forEachObject(of: owner, field, "a region", at: place) { (fields) throws(CatalogError) in
      let storefront = try fields.value("regionCode", session.storefront)
      if let isSold = try isSold(fields) {
        hasAvailability = true
        if isSold { sold.insert(storefront.id) }
      }
      var price = try discountedPrice(fields, storefront)
      if price == nil, let money = try fields.optionalFields("price") {
        let (amount, currency) = try self.money(money)
        price = ("price", amount, currency)
      }
      guard let price else { return }
      try fields.reading(price.field) { () throws(CatalogError) in
        try prices.add(session.price(price.amount, price.currency, in: storefront))
      }
    }
    return (prices, hasAvailability ? .only(sold) : nil)
  }

  // MARK: Texts

  /// Adds the texts of an array of listings with languages.
  func addListings(
    of owner: JSONFields,
    to product: inout CatalogProduct,
    _ label: String
  ) throws(CatalogError) {
    var hasBenefits = false
    try session.forEachObject(of: owner, "listings", "a listing", at: { _ in label }) {
      (fields) throws(CatalogError) in
      let (language, text) = (try fields.string("languageCode"), try fields.productText(name: "title"))
      try fields.reading("languageCode") { () throws(CatalogError) in
        try product.localizations.add(text, in: session.language(language))
      }
      if try !fields.array("benefits").isEmpty { hasBenefits = true }
    }
    try rejectBenefits(hasBenefits, owner, label)
  }

  func rejectBenefits(
    _ hasBenefits: Bool,
    _ fields: JSONFields,
    _ label: String
  ) throws(CatalogError) {
    guard hasBenefits else { return }
    try session.reject(
      fields.notRepresentable(
        "benefits are not supported",
        "listings",
        fix: "state them in the description"
      ).at(label)
    )
  }

  /// Returns whether a base plan or an offer is active, or `nil` if it has no state.
  func isActive(_ fields: JSONFields) throws(CatalogError) -> Bool? {
    try isOnSale(
      fields,
      "state",
      ["ACTIVE": true, "INACTIVE": false, "DRAFT": false, "STATE_UNSPECIFIED": nil]
    )
  }

  /// Returns whether a state of Google Play means that a product is on sale, or `nil` if there is no state.
  func isOnSale(
    _ fields: JSONFields,
    _ field: String,
    _ words: KeyValuePairs<String, Bool?>
  ) throws(CatalogError) -> Bool? {
    try fields.optionalValue(field) { (word) throws(CatalogError) -> Bool? in
      if let state = words.first(where: { $0.key == word }) { return state.value }
      throw .unknown(field, word, among: words.filter { $0.value != nil }.map(\.key))
    } ?? nil
  }
}

extension JSONFields {
  /// Returns a 64-bit integer, which Google's JSON writes as a string.
  func optionalInteger64(_ field: String) throws(CatalogError) -> Int64? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?, .number(let text)?:
      guard let number = Int64(text) else {
        throw invalid(
          "\(quoted(text)) is not an integer",
          field,
          fix: "write an integer of at most 19 digits",
          code: .malformedAmount
        )
      }
      return number
    case let other?:
      throw invalid(
        "the field \(quoted(field)) must be an integer, not \(other.kind)",
        field,
        fix: "write an integer"
      )
    }
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the in-app products of the Google Play API, an older resource with prices in micros.
struct GooglePlayInAppProductReader {
  let session: ImportSession
  private var shared: GooglePlayPrices { GooglePlayPrices(session: session) }

  func read(_ value: JSONValue, _ line: Int) throws(CatalogError) {
    let label = value.label("product", from: "sku")
    let product = try session.attempt(at: label) { () throws(CatalogError) -> CatalogProduct in
      try self.product(JSONFields(value, "an in-app product", line: line), label)
    }
    if let product { try session.add(.product(product), at: "line \(line), \(label)") }
  }

  private func product(_ fields: JSONFields, _ label: String) throws(CatalogError) -> CatalogProduct {
    var product = try fields.product("sku")
    product.isApproved =
      try session.attempt(at: label) { () throws(CatalogError) in
        try shared.isOnSale(
          fields,
          "status",
          ["active": true, "inactive": false, "statusUnspecified": nil]
        )
      } ?? Optional(false)
    product.kind = try session.attempt(at: label) { () throws(CatalogError) in try kind(fields) } ?? nil
    product.subscriptionPeriod =
      try session.attempt(at: label) { () throws(CatalogError) in
        try fields.optionalValue("subscriptionPeriod", session.period)
      } ?? nil
    product.offers =
      try session.attempt(at: label) { () throws(CatalogError) -> [CatalogOffer]? in
        guard let trial = try fields.optionalValue("trialPeriod", session.period) else { return nil }
        return [try CatalogOffer(.introductory, paymentMode: .freeTrial, period: trial)]
      } ?? nil
    try addListings(fields, to: &product, label)
    try addPrices(fields, to: &product, label)
    return product
  }

  /// Returns the kind of a subscription, or `nil`: Google Play does not distinguish consumable products.
  private func kind(_ fields: JSONFields) throws(CatalogError) -> ProductKind? {
    switch try fields.optionalString("purchaseType") {
    case nil, "managedUser", "purchaseTypeUnspecified": return nil
    case "subscription": return .autoRenewable
    case let type?:
      throw fields.invalid(
        "unknown purchaseType \(quoted(type))",
        "purchaseType",
        fix: "use managedUser or subscription"
      )
    }
  }

  private func addListings(
    _ fields: JSONFields,
    to product: inout CatalogProduct,
    _ label: String
  ) throws(CatalogError) {
    guard let listings = try fields.optionalFields("listings") else { return }
    var hasBenefits = false
    for member in listings.object.members {
      _ = try session.attempt(at: label) { () throws(CatalogError) in
        let listing = try JSONFields(member.value, "a listing", line: member.line)
        let text = try listing.productText(name: "title")
        try JSONFields.reading(member) { () throws(CatalogError) in
          try product.localizations.add(text, in: session.language(member.key))
        }
        if try !listing.array("benefits").isEmpty { hasBenefits = true }
      }
    }
    try shared.rejectBenefits(hasBenefits, fields, label)
  }

  private func addPrices(
    _ fields: JSONFields,
    to product: inout CatalogProduct,
    _ label: String
  ) throws(CatalogError) {
    let regions = try fields.optionalFields("prices")
    for member in regions?.object.members ?? [] {
      _ = try session.attempt(at: "\(label), price of \(printable(member.key, limit: 48))") {
        () throws(CatalogError) in
        let (amount, currency) = try shared.micros(JSONFields(member.value, "a price", line: member.line))
        try JSONFields.reading(member) { () throws(CatalogError) in
          try product.prices.add(session.price(amount, currency, in: session.storefront(member.key)))
        }
      }
    }
    let regionsWithPrices = regions?.object.members.map(\.key) ?? []
    guard let price = fields["defaultPrice"] else { return }
    _ = try session.attempt(at: "\(label), default price") { () throws(CatalogError) in
      let (amount, currency) = try shared.micros(
        JSONFields(price, "a price", line: fields.line(of: "defaultPrice"))
      )
      try fields.reading("defaultPrice") { () throws(CatalogError) in
        try addDefault(amount, currency, regionsWithPrices: regionsWithPrices, to: &product)
      }
    }
  }

  /// Adds the default price, which Google Play converts for regions without a price. It becomes the price of the
  /// storefront in the import options, if that charges its currency. If other regions have prices, it is ignored in all
  /// other cases.
  private func addDefault(
    _ amount: Amount,
    _ currency: Currency,
    regionsWithPrices regions: [String],
    to product: inout CatalogProduct
  ) throws(CatalogError) {
    guard let storefront = session.options.storefront else {
      if regions.isEmpty { throw CatalogError.missingStorefront(of: "\(amount) \(currency)") }
      return
    }
    // A region's own price takes precedence. The region code can be in upper or lower case.
    if regions.contains(where: { [storefront.alpha2, storefront.id].contains($0.uppercased()) }) { return }
    if !regions.isEmpty, try currency != session.charged(in: storefront) { return }
    try product.prices.add(session.price(amount, currency, in: storefront))
  }
}

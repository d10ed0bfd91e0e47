import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the in-app products of Google Play's API: the older resource, with prices in micros.
struct GooglePlayInAppProductReader {
  private let session: ImportSession
  private let shared: GooglePlayPrices

  init(_ session: ImportSession) {
    self.session = session
    shared = GooglePlayPrices(session)
  }

  func take(_ value: JSONValue, _ line: Int) throws(CatalogError) {
    let called = value.called("product", by: "sku")
    let product = try session.attempt(at: called) { () throws(CatalogError) -> CatalogProduct in
      try self.product(JSONFields(value, "an in-app product", line: line), called)
    }
    if let product { try session.take(.product(product), at: "line \(line), \(called)") }
  }

  private func product(_ fields: JSONFields, _ called: String) throws(CatalogError) -> CatalogProduct {
    let identifier = try fields.string("sku")
    var product = try fields.reading("sku") { () throws(CatalogError) in try CatalogProduct(identifier) }
    product.isApproved =
      try session.attempt(at: called) { () throws(CatalogError) in
        try shared.isOnSale(
          fields,
          "status",
          ["active": true, "inactive": false, "statusUnspecified": nil]
        )
      } ?? Optional(false)
    product.kind = try session.attempt(at: called) { () throws(CatalogError) in try kind(fields) } ?? nil
    product.subscriptionPeriod =
      try session.attempt(at: called) { () throws(CatalogError) in
        try fields.optionalPeriod("subscriptionPeriod", session)
      } ?? nil
    product.offers =
      try session.attempt(at: called) { () throws(CatalogError) -> [CatalogOffer]? in
        guard let trial = try fields.optionalPeriod("trialPeriod", session) else { return nil }
        return [try CatalogOffer(.introductory, paymentMode: .freeTrial, period: trial)]
      } ?? nil
    try addListings(fields, to: &product, called)
    try addPrices(fields, to: &product, called)
    return product
  }

  /// Google does not say whether a product is used up.
  private func kind(_ fields: JSONFields) throws(CatalogError) -> ProductKind? {
    switch try fields.optionalString("purchaseType") {
    case nil, "managedUser", "purchaseTypeUnspecified": return nil
    case "subscription": return .autoRenewable
    case let type?:
      throw fields.invalid(
        "there is no purchaseType \(quoted(type))",
        "purchaseType",
        fix: "give managedUser or subscription"
      )
    }
  }

  private func addListings(
    _ fields: JSONFields,
    to product: inout CatalogProduct,
    _ called: String
  ) throws(CatalogError) {
    guard let listings = try fields.optionalFields("listings") else { return }
    var hasBenefits = false
    for member in listings.object.members {
      _ = try session.attempt(at: called) { () throws(CatalogError) in
        let listing = try JSONFields(member.value, "a listing", line: member.line)
        let text = try shared.text(listing)
        try JSONFields.reading(member) { () throws(CatalogError) in
          try product.add(text, in: session.language(member.key))
        }
        if try !listing.array("benefits").isEmpty { hasBenefits = true }
      }
    }
    try shared.setAsideBenefits(hasBenefits, fields, called)
  }

  private func addPrices(
    _ fields: JSONFields,
    to product: inout CatalogProduct,
    _ called: String
  ) throws(CatalogError) {
    let regions = try fields.optionalFields("prices")
    for member in regions?.object.members ?? [] {
      _ = try session.attempt(at: "\(called), price of \(printable(member.key, limit: 48))") {
        () throws(CatalogError) in
        let (amount, currency) = try shared.micros(JSONFields(member.value, "a price", line: member.line))
        try JSONFields.reading(member) { () throws(CatalogError) in
          try product.prices.add(session.price(amount, currency, in: session.storefront(member.key)))
        }
      }
    }
    let named = regions?.object.members.map(\.key) ?? []
    guard let price = fields["defaultPrice"] else { return }
    _ = try session.attempt(at: "\(called), default price") { () throws(CatalogError) in
      let (amount, currency) = try shared.micros(
        JSONFields(price, "a price", line: fields.line(of: "defaultPrice"))
      )
      try fields.reading("defaultPrice") { () throws(CatalogError) in
        try addDefault(amount, currency, beside: named, to: &product)
      }
    }
  }

  /// Adds the price that Google converts where a region has none of its own: the price of the storefront that the
  /// import names, where that charges its currency. Beside regions' own prices it is nobody's otherwise.
  private func addDefault(
    _ amount: Amount,
    _ currency: Currency,
    beside regions: [String],
    to product: inout CatalogProduct
  ) throws(CatalogError) {
    guard let storefront = session.options.storefront else {
      if regions.isEmpty { throw CatalogError.missingStorefront(of: "\(amount) \(currency)") }
      return
    }
    // A region's own price always wins, in whatever case the file writes the region.
    if regions.contains(where: { [storefront.alpha2, storefront.id].contains($0.uppercased()) }) { return }
    if !regions.isEmpty, currency != storefront.currency(on: session.options.date) { return }
    try product.prices.add(session.price(amount, currency, in: storefront))
  }
}

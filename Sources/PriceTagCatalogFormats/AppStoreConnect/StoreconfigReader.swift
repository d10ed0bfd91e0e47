import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads a storeconfig file (github.com/semihcihan/storeconfig, schema 1): in-app purchases and subscriptions with
/// their prices, texts, offers and territories. The price of the app itself is ignored.
struct StoreconfigReader {
  let session: ImportSession

  func read(_ document: JSONFields) throws(CatalogError) {
    let version = try document.string("schemaVersion")
    guard version == "1" || version.hasPrefix("1.") else {
      throw document.invalid(
        "unknown schemaVersion \(quoted(version))",
        "schemaVersion",
        fix: "use a file of version 1, or use a later version of PriceTag",
        code: .unknownVersion
      )
    }
    for value in try document.array("inAppPurchases") {
      try readProduct(value, document.line, inAppPurchase)
    }
    for value in try document.array("subscriptionGroups") {
      _ = try session.attempt(at: "a subscription group") { () throws(CatalogError) in
        try readGroup(JSONFields(value, "a subscription group", line: document.line))
      }
    }
  }

  private func readGroup(_ fields: JSONFields) throws(CatalogError) {
    let name = try fields.name("referenceName")
    let label = "subscription group \(quoted(name))"
    let names = try localizations(fields, label).compactMapValues(\.name)
    try session.add(
      .group(ProductGroup(.subscriptionGroup, name, names: names)),
      at: "line \(fields.line), \(label)"
    )
    for value in try fields.array("subscriptions") {
      try readProduct(value, fields.line) { (fields, label) throws(CatalogError) in
        try subscription(fields, of: name, label)
      }
    }
  }

  private func readProduct(
    _ value: JSONValue,
    _ line: Int,
    _ read: (JSONFields, _ label: String) throws(CatalogError) -> CatalogProduct
  ) throws(CatalogError) {
    let label = value.label("product", from: "productId")
    let product = try session.attempt(at: label) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a product", line: line)
      return (try read(fields, label), fields.line)
    }
    if let (product, line) = product { try session.add(.product(product), at: "line \(line), \(label)") }
  }

  // MARK: Products

  private func inAppPurchase(_ fields: JSONFields, _ label: String) throws(CatalogError) -> CatalogProduct {
    var product = try product(fields, label)
    product.kind = try fields.optionalValue("type", in: AppStoreConnectNames.kinds)
    return product
  }

  private func subscription(
    _ fields: JSONFields,
    of group: String,
    _ label: String
  ) throws(CatalogError) -> CatalogProduct {
    var product = try product(fields, label)
    product.kind = .autoRenewable
    product.subscriptionGroup = group
    product.groupLevel = try fields.optionalInteger("groupLevel", in: 1...9999)
    product.subscriptionPeriod = try fields.optionalNamedPeriod("subscriptionPeriod", session)
    let offers =
      try offers(fields, "introductoryOffers", .introductory, product.subscriptionPeriod, label)
      + offers(fields, "promotionalOffers", .promotional, product.subscriptionPeriod, label)
    let given = ["introductoryOffers", "promotionalOffers"].compactMap { fields[$0] }
    // If all offers were rejected, the offers are unknown, not empty.
    let hasEmptyList = !given.isEmpty && given.allSatisfy(\.isEmptyArray)
    product.offers = offers.isEmpty && !hasEmptyList ? nil : offers
    return product
  }

  private func product(_ fields: JSONFields, _ label: String) throws(CatalogError) -> CatalogProduct {
    var product = try fields.product("productId")
    product.referenceName = try fields.optionalText("referenceName")
    product.prices = try prices(fields, label)
    product.localizations = try localizations(fields, label)
    if let availability = try fields.optionalFields("availability") {
      product.clearedForSale = try clearance(availability, label)
    }
    return product
  }

  private func localizations(
    _ fields: JSONFields,
    _ label: String
  ) throws(CatalogError) -> [String: ProductText] {
    var texts: [String: ProductText] = [:]
    for localization in try fields.fields("localizations") {
      _ = try session.attempt(at: label) { () throws(CatalogError) in
        let language = try localization.value("locale", session.language)
        let text = try localization.productText()
        try localization.reading("locale") { () throws(CatalogError) in try texts.add(text, in: language) }
      }
    }
    return texts
  }

  /// Returns the clearance: `worldwide`, or a list of territories, which can be empty.
  private func clearance(_ fields: JSONFields, _ label: String) throws(CatalogError) -> Clearance? {
    switch fields["availableTerritories"] {
    case nil: return nil
    case .string("worldwide")?: return .everywhere
    default:
      var storefronts: Set<String> = []
      for id in try fields.strings("availableTerritories") {
        let storefront = try session.attempt(at: label) { () throws(CatalogError) in
          try fields.reading("availableTerritories") { () throws(CatalogError) in try session.storefront(id) }
        }
        if let storefront { storefronts.insert(storefront.id) }
      }
      return .only(storefronts)
    }
  }

  // MARK: Prices and offers

  private func prices(_ fields: JSONFields, _ label: String) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    for price in try fields.optionalFields("pricing")?.fields("prices") ?? [] {
      _ = try session.attempt(at: label, line: price.line) { () throws(CatalogError) in
        let storefront = try session.storefront(price.string("territory"))
        guard let amount = try price.optionalDecimal("price") else {
          throw CatalogError(.invalidField, "the price of \(storefront.id) is missing", fix: "add it")
        }
        try table.add(session.price(amount, nil, in: storefront))
      }
    }
    return table
  }

  private func offers(
    _ fields: JSONFields,
    _ field: String,
    _ kind: CatalogOffer.Kind,
    _ period: SubscriptionPeriod?,
    _ label: String
  ) throws(CatalogError) -> [CatalogOffer] {
    var offers: [CatalogOffer] = []
    for (index, offer) in try fields.fields(field).enumerated() {
      let place = "\(label), \(kind.rawValue) offer \(index + 1)"
      let read = try session.attempt(at: place, line: offer.line) { () throws(CatalogError) in
        try self.offer(offer, kind, period, place)
      }
      if let read { offers.append(read) }
    }
    return offers
  }

  /// Returns an offer. A pay-as-you-go offer has the period of the subscription.
  private func offer(
    _ fields: JSONFields,
    _ kind: CatalogOffer.Kind,
    _ ownPeriod: SubscriptionPeriod?,
    _ label: String
  ) throws(CatalogError) -> CatalogOffer {
    guard let mode = try fields.optionalValue("type", in: AppStoreConnectNames.modes) else {
      throw fields.invalid("the field \"type\" is missing", "type", fix: "add it")
    }
    let duration = try fields.optionalNamedPeriod("duration", session)
    guard let period = mode == .payAsYouGo ? ownPeriod : duration else {
      throw fields.invalid(
        mode == .payAsYouGo
          ? "the field \"subscriptionPeriod\" of the subscription is missing"
          : "the field \"duration\" is missing",
        mode == .payAsYouGo ? "type" : "duration",
        fix: "add it"
      )
    }
    // Promotional offers have no territories other than those of their prices.
    let prices = try prices(fields, label)
    let priced: Clearance = prices.isEmpty ? .everywhere : .only(Set(prices.storefronts))
    return try CatalogOffer(
      kind,
      identifier: fields.optionalString("id"),
      paymentMode: mode,
      period: period,
      periodCount: fields.optionalInteger("numberOfPeriods", in: 1...999) ?? 1,
      clearedForSale: clearance(fields, label) ?? priced,
      prices: prices
    )
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads storeconfig's file of an app (github.com/semihcihan/storeconfig, schema 1): its in-app purchases and
/// subscriptions with their prices, texts, offers and territories. The app's own price is no product's, and is not read.
struct StoreconfigReader {
  private let session: ImportSession

  init(_ session: ImportSession) {
    self.session = session
  }

  func read(_ document: JSONFields) throws(CatalogError) {
    let version = try document.string("schemaVersion")
    guard version == "1" || version.hasPrefix("1.") else {
      throw document.invalid(
        "the version \(quoted(version)) is not known",
        "schemaVersion",
        fix: "give a file of version 1, or read it with a newer PriceTag",
        code: .unknownVersion
      )
    }
    for value in try document.array("inAppPurchases") {
      try take(value, document.line) { (fields, called) throws(CatalogError) in
        try inAppPurchase(fields, called)
      }
    }
    for value in try document.array("subscriptionGroups") {
      _ = try session.attempt(at: "a subscription group") { () throws(CatalogError) in
        try takeGroup(JSONFields(value, "a subscription group", line: document.line))
      }
    }
  }

  private func takeGroup(_ fields: JSONFields) throws(CatalogError) {
    let name = try fields.name("referenceName")
    let called = "subscription group \(quoted(name))"
    let names = try localizations(fields, called)?.compactMapValues(\.name) ?? [:]
    try session.take(
      .group(ProductGroup(.subscriptionGroup, name, names: names)),
      at: "line \(fields.line), \(called)"
    )
    for value in try fields.array("subscriptions") {
      try take(value, fields.line) { (fields, called) throws(CatalogError) in
        try subscription(fields, of: name, called)
      }
    }
  }

  private func take(
    _ value: JSONValue,
    _ line: Int,
    _ read: (JSONFields, _ called: String) throws(CatalogError) -> CatalogProduct
  ) throws(CatalogError) {
    let called = value.called("product", by: "productId")
    let product = try session.attempt(at: called) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a product", line: line)
      return (try read(fields, called), fields.line)
    }
    if let (product, line) = product { try session.take(.product(product), at: "line \(line), \(called)") }
  }

  // MARK: Products

  private func inAppPurchase(_ fields: JSONFields, _ called: String) throws(CatalogError) -> CatalogProduct {
    var product = try product(fields, called)
    product.kind = try fields.optionalValue("type", in: AppStoreConnectNames.kinds)
    return product
  }

  private func subscription(
    _ fields: JSONFields,
    of group: String,
    _ called: String
  ) throws(CatalogError) -> CatalogProduct {
    var product = try product(fields, called)
    product.kind = .autoRenewable
    product.subscriptionGroup = group
    product.groupLevel = try fields.optionalInteger("groupLevel", in: 1...9999)
    product.subscriptionPeriod = try fields.optionalLength("subscriptionPeriod", session)
    let offers =
      try offers(fields, "introductoryOffers", .introductory, product.subscriptionPeriod, called)
      + offers(fields, "promotionalOffers", .promotional, product.subscriptionPeriod, called)
    let given = ["introductoryOffers", "promotionalOffers"].compactMap { fields[$0] }
    // That none could be read does not say that there are none.
    let saysNone = !given.isEmpty && given.allSatisfy(\.isEmptyArray)
    product.offers = offers.isEmpty && !saysNone ? nil : offers
    return product
  }

  private func product(_ fields: JSONFields, _ called: String) throws(CatalogError) -> CatalogProduct {
    let identifier = try fields.string("productId")
    var product = try fields.reading("productId") { () throws(CatalogError) in
      try CatalogProduct(identifier)
    }
    product.referenceName = try fields.optionalText("referenceName")
    product.prices = try prices(fields, called)
    product.localizations = try localizations(fields, called) ?? [:]
    if let availability = try fields.optionalFields("availability") {
      product.clearedForSale = try clearance(availability, called)
    }
    return product
  }

  private func localizations(
    _ fields: JSONFields,
    _ called: String
  ) throws(CatalogError) -> [String: ProductText]? {
    guard fields["localizations"] != nil else { return nil }
    var texts: [String: ProductText] = [:]
    for localization in try fields.fields("localizations") {
      _ = try session.attempt(at: called) { () throws(CatalogError) in
        let tag = try localization.string("locale")
        let language = try localization.reading("locale") { () throws(CatalogError) in
          try session.language(tag)
        }
        let text = ProductText(
          name: try localization.optionalString("name"),
          description: try localization.optionalString("description")
        )
        try localization.reading("locale") { () throws(CatalogError) in try texts.add(text, in: language) }
      }
    }
    return texts
  }

  /// Everywhere, or the territories that are named: an empty array is nowhere.
  private func clearance(_ fields: JSONFields, _ called: String) throws(CatalogError) -> Clearance? {
    switch fields["availableTerritories"] {
    case nil: return nil
    case .string("worldwide")?: return .everywhere
    default:
      var storefronts: Set<String> = []
      for id in try fields.strings("availableTerritories") {
        let storefront = try session.attempt(at: called) { () throws(CatalogError) in
          try fields.reading("availableTerritories") { () throws(CatalogError) in try session.storefront(id) }
        }
        if let storefront { storefronts.insert(storefront.id) }
      }
      return .only(storefronts)
    }
  }

  // MARK: Prices and offers

  private func prices(_ fields: JSONFields, _ called: String) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    for price in try fields.optionalFields("pricing")?.fields("prices") ?? [] {
      _ = try session.attempt(at: called, line: price.line) { () throws(CatalogError) in
        let storefront = try session.storefront(price.string("territory"))
        guard let amount = try price.optionalDecimal("price") else {
          throw CatalogError(.invalidField, "the price of \(storefront.id) has no amount", fix: "give it")
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
    _ called: String
  ) throws(CatalogError) -> [CatalogOffer] {
    var offers: [CatalogOffer] = []
    for (index, offer) in try fields.fields(field).enumerated() {
      let place = "\(called), \(kind.rawValue) offer \(index + 1)"
      let read = try session.attempt(at: place, line: offer.line) { () throws(CatalogError) in
        try self.offer(offer, kind, period, place)
      }
      if let read { offers.append(read) }
    }
    return offers
  }

  /// An offer; one that is paid as one goes has the subscription's own period.
  private func offer(
    _ fields: JSONFields,
    _ kind: CatalogOffer.Kind,
    _ ownPeriod: SubscriptionPeriod?,
    _ called: String
  ) throws(CatalogError) -> CatalogOffer {
    guard let mode = try fields.optionalValue("type", in: AppStoreConnectNames.modes) else {
      throw fields.invalid("the field \"type\" is missing", "type", fix: "give it")
    }
    let duration = try fields.optionalLength("duration", session)
    guard let period = mode == .payAsYouGo ? ownPeriod : duration else {
      throw fields.invalid(
        mode == .payAsYouGo ? "the subscription has no period" : "the field \"duration\" is missing",
        mode == .payAsYouGo ? "type" : "duration",
        fix: mode == .payAsYouGo ? "give its subscriptionPeriod" : "give it"
      )
    }
    // Of a promotional offer nothing says where it is made but its prices.
    let prices = try prices(fields, called)
    let priced: Clearance = prices.isEmpty ? .everywhere : .only(Set(prices.storefronts))
    return try CatalogOffer(
      kind,
      identifier: fields.optionalString("id"),
      paymentMode: mode,
      period: period,
      periodCount: fields.optionalInteger("numberOfPeriods", in: 1...999) ?? 1,
      clearedForSale: clearance(fields, called) ?? priced,
      prices: prices
    )
  }
}

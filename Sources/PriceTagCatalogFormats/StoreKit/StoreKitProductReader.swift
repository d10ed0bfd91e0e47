import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the products and subscription groups of a StoreKit configuration. Invalid fields are rejected separately.
/// Unknown fields are ignored, because Xcode adds new ones every year.
struct StoreKitProductReader {
  let session: ImportSession
  /// The storefront of the prices.
  let storefront: StoreKitStorefront

  private static let kinds: [(type: String, kind: ProductKind)] = [
    ("Consumable", .consumable), ("NonConsumable", .nonConsumable),
    ("NonRenewingSubscription", .nonRenewable), ("RecurringSubscription", .autoRenewable),
  ]

  /// Reads the products of an array and adds them to the session.
  ///
  /// - Parameters:
  ///   - kind: The kind of products without a type.
  ///   - group: The subscription group of the products.
  func readProducts(
    of owner: JSONFields,
    _ field: String,
    as kind: ProductKind?,
    in group: String? = nil
  ) throws(CatalogError) {
    func place(_ product: JSONValue) -> String { product.label("product", from: "productID") }
    try session.forEachObject(of: owner, field, "a product", at: place) { (fields) throws(CatalogError) in
      let label = place(.object(fields.object))
      let product = try product(fields, label, kind, group)
      try session.add(.product(product), at: "line \(fields.line), \(label)")
      let plans = StoreKitBillingPlanReader(session: session, storefront: storefront)
      if let monthly = try plans.monthlyPlan(of: product, fields, label) {
        try session.add(.product(monthly), at: "line \(fields.line), \(label)")
      }
    }
  }

  /// Reads a subscription group and its subscriptions and adds them to the session.
  func readGroup(_ fields: JSONFields) throws(CatalogError) {
    let name: String? = if case .string(let id)? = fields["id"] { id } else { nil }
    let label = "subscription group" + (name.map { " \(quoted($0))" } ?? "")
    let group = try session.attempt(at: label) { () throws(CatalogError) in
      var group = ProductGroup(.subscriptionGroup, try fields.name("id"))
      try forEachLocalization(of: fields, label) { (text) throws(CatalogError) in
        guard let name = try text.optionalText("displayName") else { return }
        let language = try text.value("locale", session.language)
        if let other = group.names[language], other != name {
          throw text.invalid(
            "\(quoted(language)) appears twice with different names",
            "locale",
            fix: "remove one",
            code: .duplicate
          )
        }
        group.names[language] = name
      }
      return group
    }
    if let group { try session.add(.group(group), at: "line \(fields.line), \(label)") }
    _ = try session.attempt(at: label) { () throws(CatalogError) in
      try readProducts(of: fields, "subscriptions", as: .autoRenewable, in: group?.identifier)
    }
  }

  private func product(
    _ fields: JSONFields,
    _ label: String,
    _ kind: ProductKind?,
    _ group: String?
  ) throws(CatalogError) -> CatalogProduct {
    var product = try fields.product("productID")
    /// Returns a value; an invalid value is rejected separately.
    func value<Value>(_ read: () throws(CatalogError) -> Value?) throws(CatalogError) -> Value? {
      try session.attempt(at: label, read) ?? nil
    }
    product.kind = try value { () throws(CatalogError) in try self.kind(fields) } ?? kind
    product.referenceName = try value { () throws(CatalogError) in
      try fields.optionalText("referenceName")
    }
    product.subscriptionGroup = group
    product.groupLevel = try value { () throws(CatalogError) in
      try fields.optionalInteger("groupNumber", in: 1...9999)
    }
    product.subscriptionPeriod = try value { () throws(CatalogError) in
      try fields.optionalValue("recurringSubscriptionPeriod", session.period)
    }
    _ = try session.attempt(at: label) { () throws(CatalogError) in
      try forEachLocalization(of: fields, label) { (text) throws(CatalogError) in
        try add(text, to: &product)
      }
    }
    product.prices = try value { () throws(CatalogError) in try prices(fields, label) } ?? PriceTable()
    product.offers = try value { () throws(CatalogError) in
      try StoreKitOfferReader(session: session, storefront: storefront).offers(fields, label)
    }
    return product
  }

  private func kind(_ fields: JSONFields) throws(CatalogError) -> ProductKind? {
    try fields.optionalValue("type") { (type) throws(CatalogError) in
      if let known = Self.kinds.first(where: { $0.type == type }) { return known.kind }
      throw .unknown("type", type, among: Self.kinds.map(\.type))
    }
  }

  private func forEachLocalization(
    of fields: JSONFields,
    _ label: String,
    _ read: (JSONFields) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    try session.forEachObject(of: fields, "localizations", "a localization", at: { _ in label }, read)
  }

  private func add(_ fields: JSONFields, to product: inout CatalogProduct) throws(CatalogError) {
    let text = try fields.productText(name: "displayName")
    guard !text.isEmpty else { return }
    try fields.value("locale") { (tag) throws(CatalogError) in
      try product.localizations.add(text, in: session.language(tag))
    }
  }

  // MARK: Prices

  /// Returns the price. The billing plan that is paid up front repeats it; if the plan's price differs, both are
  /// rejected.
  private func prices(_ fields: JSONFields, _ label: String) throws(CatalogError) -> PriceTable {
    var price: Amount?
    var table = PriceTable()
    _ = try session.attempt(at: label) { () throws(CatalogError) in
      let amount = try fields.required(fields.optionalDecimal("displayPrice"), "displayPrice")
      price = amount
      try fields.reading("displayPrice") { () throws(CatalogError) in
        try table.add(session.price(amount, nil, in: storefront.required(for: amount)))
      }
    }
    try session.forEachObject(of: fields, "billingPlans", "a billing plan", at: { _ in label }) {
      (plan) throws(CatalogError) in
      guard try plan.optionalBool("isEnabled") ?? true else { return }
      let type = try plan.string("billingPlanType")
      if type == StoreKitBillingPlanReader.monthly { return }
      guard type == StoreKitBillingPlanReader.upFront else {
        throw plan.notRepresentable(
          "unknown billing plan \(quoted(type))",
          "billingPlanType",
          fix: "keep it in Xcode; only the price paid up front is imported"
        )
      }
      for field in ["displayPrice", "commitmentDisplayPrice"] {
        guard let price, let other = try plan.optionalDecimal(field), other != price else { continue }
        table = PriceTable()
        throw plan.invalid(
          "the price \(other) of the billing plan differs from the subscription's displayPrice \(price)",
          field,
          fix: "make them equal; both are rejected",
          code: .conflictingPrices
        )
      }
    }
    return table
  }
}

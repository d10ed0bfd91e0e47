import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the products and subscription groups of a StoreKit configuration. What is wrong with a fact sets that fact
/// aside; members that are not known are left alone, for Xcode adds some each year.
struct StoreKitProductReader {
  private let session: ImportSession
  /// The storefront that the prices belong to.
  private let storefront: StoreKitStorefront

  private static let kinds: [(type: String, kind: ProductKind)] = [
    ("Consumable", .consumable), ("NonConsumable", .nonConsumable),
    ("NonRenewingSubscription", .nonRenewable), ("RecurringSubscription", .autoRenewable),
  ]

  init(_ session: ImportSession, storefront: StoreKitStorefront) {
    (self.session, self.storefront) = (session, storefront)
  }

  /// Hands over the products of an array.
  ///
  /// - Parameters:
  ///   - kind: What they are where they do not say.
  ///   - group: The subscription group that they stand in.
  func take(
    _ owner: JSONFields,
    _ field: String,
    as kind: ProductKind?,
    in group: String? = nil
  ) throws(CatalogError) {
    let line = owner.line(of: field)
    for value in try owner.array(field) {
      let called = value.called("product", by: "productID")
      let read = try session.attempt(at: called) { () throws(CatalogError) in
        let fields = try JSONFields(value, "a product", line: line)
        return (try product(fields, called, kind, group), fields)
      }
      guard let (product, fields) = read else { continue }
      try session.take(.product(product), at: "line \(fields.line), \(called)")
      let plans = StoreKitBillingPlanReader(session, storefront: storefront)
      if let monthly = try plans.monthlyPlan(of: product, fields, called) {
        try session.take(.product(monthly), at: "line \(fields.line), \(called)")
      }
    }
  }

  /// Hands over a subscription group and its subscriptions.
  func takeGroup(_ fields: JSONFields) throws(CatalogError) {
    let name: String? = if case .string(let id)? = fields["id"] { id } else { nil }
    let called = "subscription group" + (name.map { " \(quoted($0))" } ?? "")
    let group = try session.attempt(at: called) { () throws(CatalogError) in
      var group = ProductGroup(.subscriptionGroup, try fields.name("id"))
      let line = fields.line(of: "localizations")
      for localization in try fields.array("localizations") {
        _ = try session.attempt(at: called) { () throws(CatalogError) in
          let text = try JSONFields(localization, "a text", line: line)
          guard let name = try text.optionalString("displayName"), !name.isEmpty else { return }
          let language = try language(text)
          if let other = group.names[language], other != name {
            throw text.invalid(
              "another name in \(language) stands before this one",
              "locale",
              fix: "give one name for each language",
              code: .duplicate
            )
          }
          group.names[language] = name
        }
      }
      return group
    }
    if let group { try session.take(.group(group), at: "line \(fields.line), \(called)") }
    _ = try session.attempt(at: called) { () throws(CatalogError) in
      try take(fields, "subscriptions", as: .autoRenewable, in: group?.identifier)
    }
  }

  private func product(
    _ fields: JSONFields,
    _ called: String,
    _ kind: ProductKind?,
    _ group: String?
  ) throws(CatalogError) -> CatalogProduct {
    let identifier = try fields.string("productID")
    var product = try fields.reading("productID") { () throws(CatalogError) in
      try CatalogProduct(identifier)
    }
    /// A fact that may fail alone.
    func fact<Value>(_ read: () throws(CatalogError) -> Value?) throws(CatalogError) -> Value? {
      try session.attempt(at: called, read) ?? nil
    }
    product.kind = try fact { () throws(CatalogError) in try self.kind(fields) } ?? kind
    product.referenceName = try fact { () throws(CatalogError) in
      try fields.optionalString("referenceName").flatMap { $0.isEmpty ? nil : $0 }
    }
    product.subscriptionGroup = group
    product.groupLevel = try fact { () throws(CatalogError) in
      try fields.optionalInteger("groupNumber", in: 1...9999)
    }
    product.subscriptionPeriod = try fact { () throws(CatalogError) in
      try fields.optionalPeriod("recurringSubscriptionPeriod", session)
    }
    _ = try session.attempt(at: called) { () throws(CatalogError) in
      let line = fields.line(of: "localizations")
      for localization in try fields.array("localizations") {
        _ = try session.attempt(at: called) { () throws(CatalogError) in
          try add(
            JSONFields(localization, "a text", line: line),
            to: &product
          )
        }
      }
    }
    product.prices = try fact { () throws(CatalogError) in try prices(fields, called) } ?? PriceTable()
    product.offers = try fact { () throws(CatalogError) in
      try StoreKitOfferReader(session, storefront: storefront).offers(fields, called)
    }
    return product
  }

  private func kind(_ fields: JSONFields) throws(CatalogError) -> ProductKind? {
    guard let type = try fields.optionalString("type") else { return nil }
    guard let known = Self.kinds.first(where: { $0.type == type }) else {
      let types = Self.kinds.map(\.type)
      throw fields.invalid(
        "there is no type \(quoted(type))",
        "type",
        fix: "give one of \(types.joined(separator: ", "))" + didYouMean(type, among: types)
      )
    }
    return known.kind
  }

  private func language(_ text: JSONFields) throws(CatalogError) -> String {
    let tag = try text.string("locale")
    return try text.reading("locale") { () throws(CatalogError) in try session.language(tag) }
  }

  private func add(_ fields: JSONFields, to product: inout CatalogProduct) throws(CatalogError) {
    let text = ProductText(
      name: try fields.optionalString("displayName"),
      description: try fields.optionalString("description")
    )
    guard !text.isEmpty else { return }
    let language = try language(fields)
    try fields.reading("locale") { () throws(CatalogError) in try product.add(text, in: language) }
  }

  // MARK: Prices

  /// The price: that of the billing plan paid up front is the same once more. Where it is another, it holds, for
  /// StoreKit shows what a plan charges; and the difference is reported.
  private func prices(_ fields: JSONFields, _ called: String) throws(CatalogError) -> PriceTable {
    var price: Amount?
    var table = PriceTable()
    _ = try session.attempt(at: called) { () throws(CatalogError) in
      let amount = try fields.required(fields.optionalDecimal("displayPrice"), "displayPrice")
      price = amount
      try fields.reading("displayPrice") { () throws(CatalogError) in
        try table.add(session.price(amount, nil, in: storefront.required(for: amount)))
      }
    }
    let line = fields.line(of: "billingPlans")
    for value in try fields.array("billingPlans") {
      _ = try session.attempt(at: called) { () throws(CatalogError) in
        let plan = try JSONFields(value, "a billing plan", line: line)
        guard try plan.optionalBool("isEnabled") ?? true else { return }
        let type = try plan.string("billingPlanType")
        if type == StoreKitBillingPlanReader.monthly { return }
        guard type == StoreKitBillingPlanReader.upFront else {
          throw plan.invalid(
            "the billing plan \(quoted(type)) is not known",
            "billingPlanType",
            fix: "keep it in Xcode; the price paid up front is read",
            code: .notRepresentable
          )
        }
        guard let other = try plan.optionalDecimal("displayPrice"), other != price else { return }
        table = PriceTable()
        if let storefront = storefront.known {
          try plan.reading("displayPrice") { () throws(CatalogError) in
            try table.add(session.price(other, nil, in: storefront))
          }
        }
        guard let price else { return }
        throw plan.invalid(
          "the billing plan paid up front charges \(other), and the subscription's displayPrice is \(price)",
          "displayPrice",
          fix: "give both the same; what the plan charges is taken",
          code: .conflictingPrices
        )
      }
    }
    return table
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the prices among Stripe objects.
struct StripeReader {
  private let session: ImportSession
  private var amounts: StripeAmounts
  private let language: String?
  /// Products by their identifiers.
  private var products: [String: JSONFields] = [:]
  /// The identifiers of products that prices refer to.
  private var productsWithPrices: Set<String> = []
  private var addedProducts: [String: CatalogProduct] = [:]
  private var countWithoutLanguage = 0
  private var countInTestMode = 0

  /// - Parameter objects: All objects of the file, in which the products of prices are looked up.
  init(_ session: ImportSession, _ objects: [JSONFields]) throws(CatalogError) {
    self.session = session
    amounts = try StripeAmounts(session)
    language = try session.options.language.map(session.language)
    for object in objects {
      guard case .string(let type)? = object["object"] else { continue }
      if type == "product", case .string(let id)? = object["id"] { products[id] = object }
      if type == "price" || type == "plan", case .string(let id)? = object["product"] {
        productsWithPrices.insert(id)
      }
    }
  }

  /// Reads a price, a plan or the default price of a product and adds it to the session. Other objects are rejected.
  mutating func read(_ object: JSONFields) throws(CatalogError) {
    let type: String? = if case .string(let text)? = object["object"] { text } else { nil }
    let id: String? = if case .string(let text)? = object["id"] { text } else { nil }
    let label = printable(type ?? "object", limit: 48) + (id.map { " \(quoted($0))" } ?? "")
    let product = try session.attempt(at: label, line: object.line) {
      () throws(CatalogError) -> CatalogProduct? in
      guard try object.optionalBool("deleted") != true else {
        throw object.invalid("the object was deleted", "deleted", fix: "remove it")
      }
      switch type {
      case "price"?, "plan"?: return try price(object, of: nil, label)
      case "product"?:
        if case .object(let price)? = object["default_price"] {
          return try self.price(JSONFields(price), of: object, label)
        }
        if id.map(productsWithPrices.contains) == true { return nil }
        throw object.invalid(
          "the product has no price in the file",
          "default_price",
          fix: "request it with expand[]=data.default_price, or add its prices"
        )
      case nil:
        throw object.invalid("the field \"object\" is missing", "object", fix: "use Stripe objects")
      case let type?:
        throw object.invalid("unknown object \(quoted(type))", "object", fix: "use prices, plans or products")
      }
    }
    guard let product = product ?? nil else { return }
    if let previous = addedProducts[product.identifier] {
      if previous == product { return }
      return try session.reject(
        .duplicate,
        "\(quoted(product.identifier)) appears twice with different data",
        fix: "remove one; the first is imported",
        place: "line \(object.line), \(label)"
      )
    }
    addedProducts[product.identifier] = product
    try session.add(.product(product), at: "line \(object.line), \(label)")
  }

  /// Reports faults that many prices share, once for all of them.
  func finish() throws(CatalogError) {
    try amounts.reportUncharged()
    if countInTestMode > 0 {
      try session.reject(
        .notRepresentable,
        "\(counted(countInTestMode, "price")) in test mode \(countInTestMode == 1 ? "was" : "were") imported (\"livemode\" is false)",
        fix: "import the prices of live mode into the catalog of a shop"
      )
    }
    guard countWithoutLanguage > 0 else { return }
    try session.reject(
      .unknownLanguage,
      "the names and descriptions of \(counted(countWithoutLanguage, "price")) have no language",
      fix: "name the language with --texts-in or ImportOptions.language"
    )
  }

  // MARK: A price

  private mutating func price(
    _ fields: JSONFields,
    of owner: JSONFields?,
    _ label: String
  ) throws(CatalogError) -> CatalogProduct {
    var product = try fields.product("id")
    try checkKind(fields)
    let names = (try fields.optionalText("nickname"), try fields.optionalText("lookup_key"))
    product.referenceName = names.0 ?? names.1
    if let recurring = try recurring(fields) {
      product.kind = .autoRenewable
      product.subscriptionPeriod = try period(recurring)
      if let trial = try trial(recurring) { product.offers = [trial] }
    }
    product.prices = try amounts.prices(fields, label)
    if try fields.optionalBool("livemode") == false { countInTestMode += 1 }
    product.isApproved = try fields.optionalBool("active")
    let own = try self.owner(of: fields)
    if let owner = owner ?? own { try describe(&product, by: owner, label) }
    return product
  }

  /// Throws an error for a price without a fixed amount.
  private func checkKind(_ fields: JSONFields) throws(CatalogError) {
    func notRepresentable(_ problem: String, _ field: String) -> CatalogError {
      fields.notRepresentable(problem, field, fix: "remove the price")
    }
    let scheme = try fields.optionalString("billing_scheme") ?? "per_unit"
    if scheme != "per_unit" {
      throw notRepresentable(
        "the billing scheme \(quoted(scheme)) is not supported because its price depends on the quantity",
        "billing_scheme"
      )
    }
    for field in ["tiers", "tiers_mode"] where fields[field] != nil {
      throw notRepresentable("an amount that depends on the quantity is not supported", field)
    }
    if fields["custom_unit_amount"] != nil {
      throw notRepresentable("an amount that the customer chooses is not supported", "custom_unit_amount")
    }
    for field in ["transform_quantity", "transform_usage"] where fields[field] != nil {
      throw notRepresentable("an amount for more than one unit is not supported", field)
    }
  }

  /// Returns the fields of a recurring price, or `nil` for a one-time price. The fields of a plan are in the plan
  /// itself.
  private func recurring(_ fields: JSONFields) throws(CatalogError) -> JSONFields? {
    if case .string("plan")? = fields["object"] { return fields }
    let recurring = try fields.optionalFields("recurring")
    guard let type = try fields.optionalString("type") else { return recurring }
    guard type == (recurring == nil ? "one_time" : "recurring") else {
      throw fields.invalid(
        recurring == nil
          ? "the type is \(quoted(type)) but the field \"recurring\" is missing"
          : "the type is \(quoted(type)) but the field \"recurring\" is present",
        "type",
        fix: "use the price as returned by Stripe"
      )
    }
    return recurring
  }

  private func period(_ recurring: JSONFields) throws(CatalogError) -> SubscriptionPeriod {
    let usage =
      try recurring.optionalString("usage_type") ?? (recurring["meter"] == nil ? "licensed" : "metered")
    guard usage == "licensed" else {
      throw recurring.notRepresentable(
        "the usage type \(quoted(usage)) is not supported because its price depends on usage",
        "usage_type",
        fix: "remove the price"
      )
    }
    let interval = try recurring.string("interval")
    guard let unit = SubscriptionPeriod.Unit(rawValue: interval) else {
      throw recurring.invalid(
        "unknown interval \(quoted(interval))",
        "interval",
        fix: "use one of \(SubscriptionPeriod.Unit.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    return try period(recurring.optionalInteger("interval_count", in: 1...9999) ?? 1, unit)
  }

  private func trial(_ recurring: JSONFields) throws(CatalogError) -> CatalogOffer? {
    // 0 also means that there is no trial.
    guard let days = try recurring.optionalInteger("trial_period_days", in: 0...9999), days > 0 else {
      return nil
    }
    return try CatalogOffer(.introductory, paymentMode: .freeTrial, period: period(days, .day))
  }

  private func period(_ count: Int, _ unit: SubscriptionPeriod.Unit) throws(CatalogError)
    -> SubscriptionPeriod
  {
    try withCatalogErrors { () throws(PriceTagError) in try SubscriptionPeriod(count, unit) }
  }

  // MARK: The product of a price

  private func owner(of price: JSONFields) throws(CatalogError) -> JSONFields? {
    switch price["product"] {
    case .object(let object)?: return JSONFields(object)
    case .string(let id)?: return products[id]
    case nil: return nil
    case let other?:
      throw price.invalid(
        "the field \"product\" must be a string or an object, not \(other.kind)",
        "product",
        fix: "write the product or its identifier"
      )
    }
  }

  private mutating func describe(
    _ product: inout CatalogProduct,
    by owner: JSONFields,
    _ label: String
  ) throws(CatalogError) {
    if try owner.optionalBool("active") == false { product.isApproved = false }
    if let unit = try owner.optionalText("unit_label") {
      try session.reject(
        owner.notRepresentable(
          "the unit of the price, \(quoted(unit)), is not supported",
          "unit_label",
          fix: "state it in the name or the description; the price of one unit is imported"
        ).at(label)
      )
    }
    let text = try owner.productText()
    if let language, !text.isEmpty {
      product.localizations[language] = text
    } else if !text.isEmpty {
      countWithoutLanguage += 1
    }
    let addresses =
      try session.attempt(at: label) { () throws(CatalogError) in try owner.strings("images") } ?? []
    var images: [ProductImage] = []
    for address in addresses {
      let image = try session.attempt(at: label) { () throws(CatalogError) in
        guard ImageAddress.isSafe(address) else {
          throw owner.invalid(
            "\(quoted(address)) is not an image address",
            "images",
            fix: "write an http or https URL"
          )
        }
        let image = try ProductImage(address)
        try ProductImage.check(images + [image])
        return image
      }
      guard let image else { continue }
      images.append(image)
    }
    product.image = images.first?.address
    // An empty list removes the pictures of an earlier import.
    product.images = images.count > 1 ? images : addresses.isEmpty ? nil : []
  }
}

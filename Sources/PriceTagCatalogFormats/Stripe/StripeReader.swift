import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the prices among Stripe's objects.
struct StripeReader {
  private let session: ImportSession
  private var amounts: StripeAmounts
  private let language: String?
  /// Products by their identifiers.
  private var products: [String: JSONFields] = [:]
  /// The products that prices name.
  private var named: Set<String> = []
  private var taken: [String: CatalogProduct] = [:]
  private var countWithoutLanguage = 0

  /// - Parameter objects: All of the file, so that a price finds its product.
  init(_ session: ImportSession, _ objects: [JSONFields]) throws(CatalogError) {
    self.session = session
    amounts = StripeAmounts(session)
    language = try session.options.language.map { (tag) throws(CatalogError) in try session.language(tag) }
    for object in objects {
      guard case .string(let type)? = object["object"] else { continue }
      if type == "product", case .string(let id)? = object["id"] { products[id] = object }
      if type == "price" || type == "plan", case .string(let id)? = object["product"] { named.insert(id) }
    }
  }

  /// Takes a price or a plan, or the default price of a product; sets any other object aside.
  mutating func take(_ object: JSONFields) throws(CatalogError) {
    let type: String? = if case .string(let text)? = object["object"] { text } else { nil }
    let id: String? = if case .string(let text)? = object["id"] { text } else { nil }
    let called = printable(type ?? "object", limit: 48) + (id.map { " \(quoted($0))" } ?? "")
    let product = try session.attempt(at: called, line: object.line) {
      () throws(CatalogError) -> CatalogProduct? in
      guard try object.optionalBool("deleted") != true else {
        throw object.invalid("it was deleted", "deleted", fix: "remove it")
      }
      switch type {
      case "price"?, "plan"?: return try price(object, of: nil, called)
      case "product"?:
        if case .object(let price)? = object["default_price"] {
          return try self.price(JSONFields(price), of: object, called)
        }
        if id.map(named.contains) == true { return nil }
        throw object.invalid(
          "no price of the product is in the file",
          "default_price",
          fix: "request it with expand[]=data.default_price, or add its prices"
        )
      case nil:
        throw object.invalid("the field \"object\" is missing", "object", fix: "give objects of Stripe's")
      case let type?:
        throw object.invalid("\(quoted(type)) is no price", "object", fix: "give prices, plans or products")
      }
    }
    guard let product = product ?? nil else { return }
    if let earlier = taken[product.identifier] {
      if earlier == product { return }
      return try session.setAside(
        CatalogError(
          .duplicate,
          "it stands twice, and says something else",
          fix: "remove one; the first was taken",
          place: "line \(object.line), \(called)"
        )
      )
    }
    taken[product.identifier] = product
    try session.take(.product(product), at: "line \(object.line), \(called)")
  }

  /// Reports once what was left out of all prices.
  func finish() throws(CatalogError) {
    try amounts.reportUncharged()
    guard countWithoutLanguage > 0 else { return }
    try session.setAside(
      CatalogError(
        .unknownLanguage,
        "the names and descriptions of \(countWithoutLanguage) prices are in a language that Stripe does not say",
        fix: "say which it is: --texts-in en, or ImportOptions.language"
      )
    )
  }

  // MARK: A price

  private mutating func price(
    _ fields: JSONFields,
    of owner: JSONFields?,
    _ called: String
  ) throws(CatalogError) -> CatalogProduct {
    let identifier = try fields.string("id")
    var product = try fields.reading("id") { () throws(CatalogError) in try CatalogProduct(identifier) }
    try checkKind(fields)
    let names = (try fields.optionalText("nickname"), try fields.optionalText("lookup_key"))
    product.referenceName = names.0 ?? names.1
    if let recurring = try recurring(fields) {
      product.kind = .autoRenewable
      product.subscriptionPeriod = try period(recurring)
      if let trial = try trial(recurring) { product.offers = [trial] }
    }
    product.prices = try amounts.prices(fields, called)
    product.isApproved = try fields.optionalBool("active")
    let own = try self.owner(of: fields)
    if let owner = owner ?? own { try describe(&product, by: owner, called) }
    return product
  }

  /// Refuses what has no one price.
  private func checkKind(_ fields: JSONFields) throws(CatalogError) {
    func refuse(_ problem: String, _ field: String) -> CatalogError {
      fields.invalid(
        problem,
        field,
        fix: "leave it out: a catalogue has one amount for one of a product",
        code: .notRepresentable
      )
    }
    let scheme = try fields.optionalString("billing_scheme") ?? "per_unit"
    if scheme != "per_unit" {
      throw refuse(
        "the price is \(printable(scheme, limit: 48)), so it depends on the quantity",
        "billing_scheme"
      )
    }
    if fields["custom_unit_amount"] != nil {
      throw refuse("the customer chooses the amount", "custom_unit_amount")
    }
    for field in ["transform_quantity", "transform_usage"] where fields[field] != nil {
      throw refuse("the amount pays for several at once", field)
    }
  }

  /// The fields that say how a subscription recurs; `nil` for what is paid once. A plan has them itself.
  private func recurring(_ fields: JSONFields) throws(CatalogError) -> JSONFields? {
    if case .string("plan")? = fields["object"] { return fields }
    let recurring = try fields.optionalFields("recurring")
    guard let type = try fields.optionalString("type") else { return recurring }
    guard type == (recurring == nil ? "one_time" : "recurring") else {
      throw fields.invalid(
        "the type \(quoted(type)) and the field \"recurring\" contradict each other",
        "type",
        fix: "give the price as Stripe answers it"
      )
    }
    return recurring
  }

  private func period(_ recurring: JSONFields) throws(CatalogError) -> SubscriptionPeriod {
    let usage = try recurring.optionalString("usage_type") ?? "licensed"
    guard usage == "licensed" else {
      throw recurring.invalid(
        "the price is \(printable(usage, limit: 48)), so it depends on what is used",
        "usage_type",
        fix: "leave it out: a catalogue has one amount for one of a product",
        code: .notRepresentable
      )
    }
    let interval = try recurring.string("interval")
    guard let unit = SubscriptionPeriod.Unit(rawValue: interval) else {
      throw recurring.invalid(
        "there is no interval \(quoted(interval))",
        "interval",
        fix: "give one of \(SubscriptionPeriod.Unit.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    return try period(recurring.optionalInteger("interval_count", in: 1...9999) ?? 1, unit)
  }

  private func trial(_ recurring: JSONFields) throws(CatalogError) -> CatalogOffer? {
    // No trial is written as 0, too.
    guard let days = try recurring.optionalInteger("trial_period_days", in: 0...9999), days > 0 else {
      return nil
    }
    return try CatalogOffer(.introductory, paymentMode: .freeTrial, period: period(days, .day))
  }

  private func period(_ count: Int, _ unit: SubscriptionPeriod.Unit) throws(CatalogError)
    -> SubscriptionPeriod
  {
    do throws(PriceTagError) { return try SubscriptionPeriod(count, unit) } catch {
      throw CatalogError(error)
    }
  }

  // MARK: Its product

  private func owner(of price: JSONFields) throws(CatalogError) -> JSONFields? {
    switch price["product"] {
    case .object(let object)?: return JSONFields(object)
    case .string(let id)?: return products[id]
    case nil: return nil
    case let other?:
      throw price.invalid(
        "\(other.kind) stands where a product is expected",
        "product",
        fix: "give its identifier, or the product"
      )
    }
  }

  private mutating func describe(
    _ product: inout CatalogProduct,
    by owner: JSONFields,
    _ called: String
  ) throws(CatalogError) {
    if try owner.optionalBool("active") == false { product.isApproved = false }
    let text = ProductText(
      name: try owner.optionalString("name"),
      description: try owner.optionalString("description")
    )
    if let language, !text.isEmpty {
      product.localizations[language] = text
    } else if !text.isEmpty {
      countWithoutLanguage += 1
    }
    product.image =
      try session.attempt(at: called) { () throws(CatalogError) -> String? in
        guard let image = try owner.strings("images").first else { return nil }
        guard ImageAddress.isSafe(image) else {
          throw owner.invalid(
            "\(quoted(image)) is no address of a picture",
            "images",
            fix: "give an http or https address"
          )
        }
        return image
      } ?? nil
  }
}

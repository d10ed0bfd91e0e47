import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the elements inside `<in_app_purchases>`.
struct ITunesPackageReader {
  let session: ImportSession
  /// The elements that were said not to be read: once is enough.
  private var mentioned: Set<String> = []
  /// The territories whose own tiers were set aside: the tier of all others would be another price there.
  var withheld: Set<String> = []
  private static let mostMentioned = 1000

  init(_ session: ImportSession) {
    self.session = session
  }

  /// Hands over what an element says: a purchase, or a family with its purchases.
  mutating func take(_ element: ITunesPackageElement) throws(CatalogError) {
    switch element.name {
    case "in_app_purchase": try takePurchase(element, group: nil)
    case "family": try takeFamily(element)
    default: try mention(element, in: "in_app_purchases")
    }
  }

  /// Sets aside an element that is not read, the first time that it is met.
  private mutating func mention(_ element: ITunesPackageElement, in place: String) throws(CatalogError) {
    guard !mentioned.contains(element.name) else { return }
    if mentioned.count < Self.mostMentioned { mentioned.insert(element.name) }
    let error = element.invalid(
      .notRepresentable,
      "<\(printable(element.name, limit: 48))> is not read, here and behind here",
      fix: "give what it says in another file, such as PriceTag's own JSON"
    )
    try session.setAside(error.at(place))
  }

  /// Sets aside the elements inside another that are not read.
  mutating func mention(
    inside element: ITunesPackageElement,
    but known: [String],
    in place: String
  ) throws(CatalogError) {
    for child in element.children where !known.contains(child.name) { try mention(child, in: place) }
  }

  // MARK: Families

  private mutating func takeFamily(_ element: ITunesPackageElement) throws(CatalogError) {
    let name = element[attribute: "name"] ?? ""
    let place = "family \(quoted(name))"
    let isNamed: Void? = try session.attempt(at: place) { () throws(CatalogError) in
      do throws(CatalogError) { try CatalogName.check(name) } catch {
        throw element.invalid(error.code, error.problem, fix: error.fix)
      }
    }
    if isNamed != nil {
      let texts = try texts(of: element, in: place)
      var group = ProductGroup(.subscriptionGroup, name)
      for (language, text) in texts { group.names[language] = text.name }
      try session.take(.group(group), at: "line \(element.line), \(place)")
    }
    try mention(
      inside: element,
      but: ["locales", "in_app_purchase", "review_screenshot", "review_notes", "read_only_info"],
      in: place
    )
    for purchase in element.children("in_app_purchase") {
      try takePurchase(purchase, group: isNamed == nil ? nil : name)
    }
  }

  /// The texts of `<locales>` by language; a family has titles alone.
  private mutating func texts(
    of element: ITunesPackageElement,
    in place: String
  ) throws(CatalogError) -> [String: ProductText] {
    let known = element.name == "family" ? ["title"] : ["title", "description"]
    var texts: [String: ProductText] = [:]
    for locale in element.children("locales").flatMap({ $0.children("locale") }) {
      let name = locale[attribute: "name"] ?? ""
      let found = try session.attempt(at: "\(place), language \(quoted(name))") {
        () throws(CatalogError) -> (String, ProductText) in
        guard !locale.isToBeRemoved else {
          throw locale.invalid(
            .notRepresentable,
            "the text is to be removed",
            fix: "take it out of the package"
          )
        }
        let text = ProductText(
          name: try locale.child("title")?.text,
          description: known.contains("description") ? try locale.child("description")?.text : nil
        )
        let language = try session.language(name)
        guard texts[language].map({ $0 == text }) ?? true else {
          throw locale.invalid(.duplicate, "the language stands twice", fix: "write each language once")
        }
        return (language, text)
      }
      if let (language, text) = found, !text.isEmpty { texts[language] = text }
      try mention(inside: locale, but: known, in: place)
    }
    return texts
  }

  // MARK: Purchases

  private mutating func takePurchase(
    _ element: ITunesPackageElement,
    group: String?
  ) throws(CatalogError) {
    let found = try session.attempt(at: "in_app_purchase") { () throws(CatalogError) -> CatalogProduct in
      guard let identifier = try element.child("product_id") else {
        throw element.invalid(.invalidField, "<product_id> is missing", fix: "give it")
      }
      return try identifier.reading { (text) throws(CatalogError) in try CatalogProduct(text) }
    }
    guard var product = found else { return }
    let place = "product \(quoted(product.identifier))"
    guard !element.isToBeRemoved else {
      try session.setAside(
        element.invalid(.notRepresentable, "the product is to be removed", fix: "take it out of the package")
          .at(place)
      )
      return
    }
    product.subscriptionGroup = group
    product.referenceName =
      try session.attempt(at: place) { () throws(CatalogError) in
        try element.child("reference_name").flatMap { $0.text.isEmpty ? nil : $0.text }
      } ?? nil
    product.kind = try value(of: element, "type", in: place, Self.kind)
    product.subscriptionPeriod = try value(of: element, "duration", in: place, ITunesPackage.period)
    if let period = try value(of: element, "free_trial_duration", in: place, ITunesPackage.period) {
      product.offers = try session.attempt(at: place) { () throws(CatalogError) in
        [try CatalogOffer(.introductory, paymentMode: .freeTrial, period: period)]
      }
    }
    product.localizations = try texts(of: element, in: place)
    product.isApproved = Self.isApproved(element)
    try mention(
      inside: element,
      but: [
        "product_id", "reference_name", "type", "duration", "free_trial_duration", "products", "locales",
        "read_only_info", "review_screenshot", "review_notes",
      ],
      in: place
    )
    let terms = element.children("products").flatMap { $0.children("product") }
    try readTerms(terms, of: &product, in: place)
    try session.take(.product(product), at: "line \(element.line), \(place)")
  }

  /// What the text of an element means; where it means nothing, it is set aside.
  func value<Value>(
    of element: ITunesPackageElement,
    _ name: String,
    in place: String,
    _ read: (String) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value? {
    try session.attempt(at: place) { () throws(CatalogError) -> Value? in
      guard let child = try element.child(name) else { return nil }
      return try child.reading(read)
    } ?? nil
  }

  private static func kind(_ type: String) throws(CatalogError) -> ProductKind {
    if let found = ITunesPackage.kinds.first(where: { $0.type == type }) { return found.kind }
    if type == "free-subscription" {
      throw CatalogError(
        .notRepresentable,
        "a free-subscription is none of StoreKit's product types",
        fix: "leave it out, or say auto-renewable with the tier 0"
      )
    }
    throw CatalogError(
      .invalidField,
      "there is no type \(quoted(type))",
      fix: "give one of \(ITunesPackage.kinds.map(\.type).joined(separator: ", "))"
    )
  }

  /// Whether Apple approved it; `nil` where the package does not say.
  private static func isApproved(_ element: ITunesPackageElement) -> Bool? {
    element.children("read_only_info").flatMap { $0.children("read_only_value") }
      .first { $0[attribute: "key"] == ITunesPackage.statusKey }
      .map { (try? $0.value) == ITunesPackage.approvedStatus }
  }
}

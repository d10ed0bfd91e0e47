import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the elements in `<in_app_purchases>`.
struct ITunesPackageReader {
  let session: ImportSession
  /// The names of unsupported elements that have been rejected, so that each is rejected once.
  private var rejectedNames: Set<String> = []
  /// The territories whose own tiers were rejected. The general tier would be a wrong price there.
  var territoriesWithRejectedTier: Set<String> = []
  private static let maximumRejectedNameCount = 1000

  init(_ session: ImportSession) {
    self.session = session
  }

  /// Reads an element and adds it to the session: a purchase, or a family with its purchases.
  mutating func read(_ element: ITunesPackageElement) throws(CatalogError) {
    switch element.name {
    case "in_app_purchase": try readPurchase(element, group: nil)
    case "family": try readFamily(element)
    default: try rejectUnsupported(element, in: "in_app_purchases")
    }
  }

  /// Rejects an unsupported element at its first occurrence.
  private mutating func rejectUnsupported(_ element: ITunesPackageElement, in place: String)
    throws(CatalogError)
  {
    guard !rejectedNames.contains(element.name) else { return }
    if rejectedNames.count < Self.maximumRejectedNameCount { rejectedNames.insert(element.name) }
    let error = element.invalid(
      .notRepresentable,
      "<\(printable(element.name, limit: 48))> is not supported (reported once for the file)",
      fix: "put its data in another file, such as PriceTag's own JSON"
    )
    try session.reject(error.at(place))
  }

  /// Rejects the unsupported child elements of an element.
  mutating func rejectUnsupportedChildren(
    of element: ITunesPackageElement,
    except supported: [String],
    in place: String
  ) throws(CatalogError) {
    for child in element.children where !supported.contains(child.name) {
      try rejectUnsupported(child, in: place)
    }
  }

  // MARK: Families

  private mutating func readFamily(_ element: ITunesPackageElement) throws(CatalogError) {
    let name = element[attribute: "name"] ?? ""
    let place = "family \(quoted(name))"
    let isNamed: Void? = try session.attempt(at: place) { () throws(CatalogError) in
      _ = try element.placing { () throws(CatalogError) in try CatalogName.check(name) }
    }
    if isNamed != nil {
      let texts = try texts(of: element, in: place)
      var group = ProductGroup(.subscriptionGroup, name)
      for (language, text) in texts { group.names[language] = text.name }
      try session.add(.group(group), at: "line \(element.line), \(place)")
    }
    try rejectUnsupportedChildren(
      of: element,
      except: ["locales", "in_app_purchase", "review_screenshot", "review_notes", "read_only_info"],
      in: place
    )
    for purchase in element.children("in_app_purchase") {
      try readPurchase(purchase, group: isNamed == nil ? nil : name)
    }
  }

  /// Returns the texts of `<locales>` by language. A family has only titles.
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
            "the text is marked for removal",
            fix: "remove it from the package"
          )
        }
        let text = ProductText(
          name: try locale.child("title")?.text,
          description: known.contains("description") ? try locale.child("description")?.text : nil
        )
        let language = try session.language(name)
        guard texts[language].map({ $0 == text }) ?? true else {
          throw locale.invalid(.duplicate, "\(quoted(language)) appears twice", fix: "remove one")
        }
        return (language, text)
      }
      if let (language, text) = found, !text.isEmpty { texts[language] = text }
      try rejectUnsupportedChildren(of: locale, except: known, in: place)
    }
    return texts
  }

  // MARK: Purchases

  private mutating func readPurchase(
    _ element: ITunesPackageElement,
    group: String?
  ) throws(CatalogError) {
    let found = try session.attempt(at: "in_app_purchase") { () throws(CatalogError) -> CatalogProduct in
      guard let identifier = try element.child("product_id") else {
        throw element.invalid(.invalidField, "<product_id> is missing", fix: "add it")
      }
      return try identifier.reading { (text) throws(CatalogError) in try CatalogProduct(text) }
    }
    guard var product = found else { return }
    let place = "product \(quoted(product.identifier))"
    guard !element.isToBeRemoved else {
      try session.reject(
        element.invalid(
          .notRepresentable,
          "the product is marked for removal",
          fix: "remove it from the package"
        )
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
    try rejectUnsupportedChildren(
      of: element,
      except: [
        "product_id", "reference_name", "type", "duration", "free_trial_duration", "products", "locales",
        "read_only_info", "review_screenshot", "review_notes",
      ],
      in: place
    )
    let terms = element.children("products").flatMap { $0.children("product") }
    try readTerms(terms, of: &product, in: place)
    try session.add(.product(product), at: "line \(element.line), \(place)")
  }

  /// Returns the value of an element's text. An invalid value is rejected.
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
        "the type \"free-subscription\" is not supported",
        fix: "remove the product, or use auto-renewable with the tier 0"
      )
    }
    throw CatalogError(
      .invalidField,
      "unknown type \(quoted(type))",
      fix: "use one of \(ITunesPackage.kinds.map(\.type).joined(separator: ", "))"
    )
  }

  /// Returns whether Apple has approved the product, or `nil` if the package does not state it.
  private static func isApproved(_ element: ITunesPackageElement) -> Bool? {
    element.children("read_only_info").flatMap { $0.children("read_only_value") }
      .first { $0[attribute: "key"] == ITunesPackage.statusKey }
      .map { (try? $0.value) == ITunesPackage.approvedStatus }
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

extension CatalogError {
  /// The error for a product or an offer with a tier of which one price was rejected. Without that price, the tier's
  /// price would be displayed in its storefront, so the complete product or offer is rejected.
  static let tierWouldReplaceRejectedPrice = CatalogError(
    .conflictingPrices,
    "one of its prices was rejected, and the price of its tier would be displayed instead",
    fix: "correct the rejected price"
  )

  /// The error for a price without a storefront when the options do not name one either.
  static func missingStorefront(of amount: String) -> CatalogError {
    CatalogError(
      .missingStorefront,
      "the price \(printable(amount, limit: 48)) has no storefront",
      fix: "name one with --prices-of or ImportOptions.storefront"
    )
  }

  /// Returns the error for a name that is not among those of a format.
  static func unknown(_ what: String, _ name: String, among names: [String]) -> CatalogError {
    CatalogError(
      .invalidField,
      "unknown \(what) \(quoted(name))",
      fix: "use one of \(names.joined(separator: ", "))" + didYouMean(name, among: names)
    )
  }
}

extension [String: ProductText] {
  /// Adds a localized text; an empty text is ignored.
  ///
  /// - Throws: `.duplicate` if there is already a different text in the language.
  mutating func add(_ text: ProductText, in language: String) throws(CatalogError) {
    guard !text.isEmpty else { return }
    if let other = self[language], other != text {
      throw CatalogError(
        .duplicate,
        "\(quoted(language)) appears twice with different texts",
        fix: "remove one"
      )
    }
    self[language] = text
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// Returns the case with a name.
  static func named(_ name: String, _ what: String) throws(CatalogError) -> Self {
    guard let found = Self(rawValue: name) else {
      throw .unknown(what, name, among: allCases.map(\.rawValue))
    }
    return found
  }
}

extension Bool {
  /// Returns the value with a name, `true` or `false`.
  static func named(_ text: String, ignoringCase: Bool = false) throws(CatalogError) -> Bool {
    guard let value = Bool(ignoringCase ? text.lowercased() : text) else {
      throw CatalogError(.invalidField, "\(quoted(text)) is not true or false", fix: "write true or false")
    }
    return value
  }
}

extension SubscriptionPeriod {
  /// Returns a multiple of the period: `P1M` repeated three times is `P3M`.
  ///
  /// - Parameter count: At most 999.
  func repeated(_ count: Int) throws(CatalogError) -> SubscriptionPeriod {
    try withCatalogErrors { () throws(PriceTagError) in try multiplied(by: count) }
  }
}

extension JSONFields {
  /// Returns the text with a name in a field and a description in the field `description`.
  func productText(name field: String = "name") throws(CatalogError) -> ProductText {
    ProductText(name: try optionalString(field), description: try optionalString("description"))
  }

  /// Returns a product with the identifier in a field.
  func product(_ field: String) throws(CatalogError) -> CatalogProduct {
    try value(field) { (identifier) throws(CatalogError) in try CatalogProduct(identifier) }
  }
}

extension JSONValue {
  /// Returns the text of an object's field, for labeling the object in errors before it is read.
  func text(of field: String) -> String? {
    guard case .object(let object) = self, case .string(let text)? = object[field] else { return nil }
    return text
  }

  /// Returns the label of an object in error places, such as `product "com.example.level1"`, or only the kind if the
  /// object has no name.
  func label(_ kind: String, from field: String) -> String {
    kind + (text(of: field).map { " \(quoted($0))" } ?? "")
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

extension CatalogProduct {
  /// Adds a localized text; an empty text is ignored.
  ///
  /// - Throws: `.duplicate` if the product already has a different text in the language.
  mutating func add(_ text: ProductText, in language: String) throws(CatalogError) {
    try localizations.add(text, in: language)
  }
}

extension CatalogError {
  /// The error for a product or an offer with a tier of which one price was rejected. Without that price, the tier's
  /// price would be displayed in its storefront, so the complete product or offer is rejected.
  static let tierWouldReplaceRejectedPrice = CatalogError(
    .conflictingPrices,
    "one of its prices was rejected, and the price of its tier would be displayed instead",
    fix: "correct the rejected price"
  )
}

extension [String: ProductText] {
  /// Adds a localized text; an empty text is ignored.
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

extension CatalogError {
  /// The error for a price without a storefront when the options do not name one either.
  static func missingStorefront(of amount: String) -> CatalogError {
    CatalogError(
      .missingStorefront,
      "the price \(printable(amount, limit: 48)) has no storefront",
      fix: "name one with --prices-of or ImportOptions.storefront"
    )
  }
}

extension SubscriptionPeriod {
  /// Returns a multiple of the period: `P1M` repeated three times is `P3M`.
  ///
  /// - Parameter count: At most 999.
  func repeated(_ count: Int) throws(CatalogError) -> SubscriptionPeriod {
    do throws(PriceTagError) { return try multiplied(by: count) } catch { throw CatalogError(error) }
  }
}

extension JSONFields {
  /// Returns a product with the identifier in a field.
  func product(_ field: String) throws(CatalogError) -> CatalogProduct {
    let identifier = try string(field)
    return try reading(field) { () throws(CatalogError) in try CatalogProduct(identifier) }
  }

  func optionalPeriod(_ field: String, _ session: ImportSession) throws(CatalogError) -> SubscriptionPeriod? {
    guard let text = try optionalString(field) else { return nil }
    return try reading(field) { () throws(CatalogError) in try session.period(text) }
  }

  func period(_ field: String, _ session: ImportSession) throws(CatalogError) -> SubscriptionPeriod {
    try required(optionalPeriod(field, session), field)
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

import PriceTag
import PriceTagCatalog
import PriceTagText

extension CatalogProduct {
  /// Keeps a text; one that says nothing is none.
  ///
  /// - Throws: `.duplicate` where another text of the language was kept before.
  mutating func add(_ text: ProductText, in language: String) throws(CatalogError) {
    try localizations.add(text, in: language)
  }
}

extension CatalogError {
  /// What has both prices of its own and tiers cannot lose one of the former: the tier's would be shown in its place.
  static let tierInPlaceOfAPrice = CatalogError(
    .conflictingPrices,
    "a price of its own was set aside, and its tier would show another one in its place",
    fix: "correct that price; all of it is set aside until then"
  )
}

extension [String: ProductText] {
  /// Keeps a text by its language, as a product does.
  mutating func add(_ text: ProductText, in language: String) throws(CatalogError) {
    guard !text.isEmpty else { return }
    if let other = self[language], other != text {
      throw CatalogError(
        .duplicate,
        "another text in \(language) stands before this one",
        fix: "give one text for each language"
      )
    }
    self[language] = text
  }
}

extension CatalogError {
  /// A price that names no storefront, where none was given.
  static func missingStorefront(of amount: String) -> CatalogError {
    CatalogError(
      .missingStorefront,
      "the file does not say whose price \(printable(amount, limit: 48)) is",
      fix: "say whose they are: --prices-of USA, or ImportOptions.storefront"
    )
  }
}

extension SubscriptionPeriod {
  /// The length of several: three times `P1M` is `P3M`.
  ///
  /// - Parameter count: At most 999.
  func repeated(_ count: Int) throws(CatalogError) -> SubscriptionPeriod {
    do throws(PriceTagError) {
      let (length, overflow) = self.count.multipliedReportingOverflow(by: count)
      return try SubscriptionPeriod(overflow ? .max : length, unit)
    } catch {
      throw CatalogError(error)
    }
  }
}

extension JSONFields {
  func optionalPeriod(_ field: String, _ session: ImportSession) throws(CatalogError) -> SubscriptionPeriod? {
    guard let text = try optionalString(field) else { return nil }
    return try reading(field) { () throws(CatalogError) in try session.period(text) }
  }

  func period(_ field: String, _ session: ImportSession) throws(CatalogError) -> SubscriptionPeriod {
    try required(optionalPeriod(field, session), field)
  }
}

extension JSONValue {
  /// The text of an object's field, to call it by before it is read.
  func text(of field: String) -> String? {
    guard case .object(let object) = self, case .string(let text)? = object[field] else { return nil }
    return text
  }

  /// What an object is called before it is read: `product "com.example.level1"`, or its kind alone.
  func called(_ kind: String, by field: String) -> String {
    kind + (text(of: field).map { " \(quoted($0))" } ?? "")
  }
}

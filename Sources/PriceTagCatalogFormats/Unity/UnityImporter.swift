import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports `IAPProductCatalog.json`, in which Unity stores the products of a game for several stores.
///
/// A product has Unity's own identifier, by which the game requests it; its identifiers in the stores are not read. The
/// price for Google Play has neither a currency nor a country, so it becomes the price of `ImportOptions.storefront`.
/// The price tier of the App Store becomes the product's tier.
///
/// Languages are numbers with a different meaning in each version of Unity, and the file does not state its version.
/// Therefore the texts are imported in `ImportOptions.language`, and translations are rejected.
struct UnityImporter: CatalogImporter {
  private let session: ImportSession
  private let language: String?
  private var countWithoutLanguage = 0

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let document = try JSONFields(JSONFields.document(file), "a Unity catalog", line: 1)
    let language = try session.options.language.map(session.language)
    var importer = UnityImporter(session: session, language: language)
    _ = try document.required(document["products"], "products")
    try session.forEachObject(
      of: document,
      "products",
      "a product",
      at: { $0.label("product", from: "id") },
      { (fields) throws(CatalogError) in try importer.read(fields) }
    )
    guard importer.countWithoutLanguage > 0 else { return }
    try session.reject(
      .unknownLanguage,
      "the texts of \(counted(importer.countWithoutLanguage, "product")) have no language that is the same in all versions of Unity",
      fix: "name the language with --texts-in or ImportOptions.language"
    )
  }

  private mutating func read(_ fields: JSONFields) throws(CatalogError) {
    let label = JSONValue.object(fields.object).label("product", from: "id")
    var product = try fields.value("id") { (identifier) throws(CatalogError) in
      try CatalogProduct(String(identifier.trimmingSpace))
    }
    product.kind = try session.attempt(at: label) { () throws(CatalogError) in try kind(fields) } ?? nil
    _ = try session.attempt(at: label) { () throws(CatalogError) in try addTexts(fields, to: &product) }
    _ = try session.attempt(at: label) { () throws(CatalogError) in try addPrice(fields, to: &product) }
    _ = try session.attempt(at: label) { () throws(CatalogError) in try addTier(fields, to: &product) }
    try session.add(.product(product), at: "line \(fields.line), \(label)")
  }

  private func kind(_ fields: JSONFields) throws(CatalogError) -> ProductKind? {
    let kinds: [ProductKind] = [.consumable, .nonConsumable, .autoRenewable]
    return try fields.optionalInteger("type", in: 0...(kinds.count - 1)).map { kinds[$0] }
  }

  // MARK: Texts

  private mutating func addTexts(_ fields: JSONFields, to product: inout CatalogProduct) throws(CatalogError)
  {
    if let text = try fields.optionalFields("defaultDescription") {
      let read = ProductText(
        name: try Self.text(text, "title"),
        description: try Self.text(text, "description")
      )
      if let language {
        try product.localizations.add(read, in: language)
      } else if !read.isEmpty {
        countWithoutLanguage += 1
      }
    }
    guard try fields.array("descriptions").isEmpty else {
      throw fields.notRepresentable(
        "translations are not supported, because Unity's numbers for languages depend on the version of Unity",
        "descriptions",
        fix: "import GooglePlayProductCatalog.csv, which names the languages"
      )
    }
  }

  /// Returns a text, in which Unity writes characters outside of ASCII as `\uXXXX`.
  private static func text(_ fields: JSONFields, _ field: String) throws(CatalogError) -> String? {
    guard let text = try fields.optionalText(field) else { return nil }
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      let digits = rest.dropFirst().prefix(4)
      let isEscape =
        unit == 0x5C && rest.first == 0x75 && digits.count == 4
        && digits.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
      if isEscape, let escaped = UInt16(String(decoding: digits, as: UTF16.self), radix: 16) {
        units.append(escaped)
        rest = rest.dropFirst(5)
      } else {
        units.append(unit)
      }
    }
    guard let decoded = String(validating: units, as: UTF16.self) else {
      throw fields.invalid(
        "the text has half of a surrogate pair",
        field,
        fix: "save the catalog in Unity again"
      )
    }
    return decoded
  }

  // MARK: Prices

  private func addPrice(_ fields: JSONFields, to product: inout CatalogProduct) throws(CatalogError) {
    let price = try fields.optionalFields("googlePrice")
    // Unity writes 0 for a product without a price.
    if let price, let amount = try decimal(price), amount != .zero {
      try fields.reading("googlePrice") { () throws(CatalogError) in
        guard let storefront = session.options.storefront else {
          throw CatalogError.missingStorefront(of: "\(amount)")
        }
        try product.prices.add(session.price(amount, nil, in: storefront))
      }
    } else if let template = try fields.optionalText("pricingTemplateID") {
      throw fields.notRepresentable(
        "the pricing template \(quoted(template)) is not supported because its prices are not in the file",
        "pricingTemplateID",
        fix: "write the product's own price"
      )
    }
  }

  /// Returns the amount of a price: the four integers of a decimal of .NET, which are 96 bits of the coefficient, then
  /// the scale and the sign. Unity writes the same amount as a floating-point number, and does not read it.
  private func decimal(_ price: JSONFields) throws(CatalogError) -> Amount? {
    let values = try price.array("data")
    if values.isEmpty { return nil }
    let words = values.compactMap { value -> UInt32? in
      guard case .number(let text) = value, let word = Int32(text) else { return nil }
      return UInt32(bitPattern: word)
    }
    guard values.count == 4, words.count == 4 else {
      throw price.invalid(
        "the price is not four 32-bit integers",
        "data",
        fix: "save the catalog in Unity again"
      )
    }
    let coefficient = Int64(exactly: UInt64(words[1]) << 32 | UInt64(words[0]))
    let scale = Int(words[3] >> 16)
    guard words[2] == 0, words[3] & 0xFFFF == 0, let coefficient, scale <= Amount.maximumScale,
      let amount = try? Amount(minorUnits: coefficient, exponent: scale)
    else {
      throw price.invalid(
        "the price is negative or has too many digits",
        "data",
        fix: "correct it in Unity",
        code: .malformedAmount
      )
    }
    return amount
  }

  private func addTier(_ fields: JSONFields, to product: inout CatalogProduct) throws(CatalogError) {
    // Unity writes 0 for a product without a tier.
    guard let tier = try fields.optionalInteger("applePriceTier", in: 0...999), tier > 0 else { return }
    // The tiers of subscriptions had the same numbers and other prices.
    guard product.kind == .consumable || product.kind == .nonConsumable else {
      throw fields.notRepresentable(
        "a price tier is supported only for consumable and non-consumable products",
        "applePriceTier",
        fix: "import the prices of the product from App Store Connect"
      )
    }
    product.tiers = [TierPeriod(String(tier))]
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the prices and texts that all products of Google Play's API share.
struct GooglePlayPrices {
  let session: ImportSession

  init(_ session: ImportSession) {
    self.session = session
  }

  // MARK: Prices

  /// `google.type.Money`: units and nanos, of which a zero is left out.
  func money(_ fields: JSONFields) throws(CatalogError) -> (Amount, Currency) {
    let currency = try currency(fields, "currencyCode")
    let units = try fields.optionalInteger64("units") ?? 0
    let nanos = try fields.optionalInteger("nanos", in: -999_999_999...999_999_999) ?? 0
    let amount = try fields.reading("units") { () throws(CatalogError) in
      do throws(PriceTagError) { return try Amount(units: units, nanos: Int32(clamping: nanos)) } catch {
        throw CatalogError(error)
      }
    }
    return (amount, currency)
  }

  /// A price of an in-app product, in micros.
  func micros(_ fields: JSONFields) throws(CatalogError) -> (Amount, Currency) {
    let micros = try fields.required(fields.optionalInteger64("priceMicros"), "priceMicros")
    return (Amount(micros: micros).normalized, try currency(fields, "currency"))
  }

  private func currency(_ fields: JSONFields, _ field: String) throws(CatalogError) -> Currency {
    let code = try fields.string(field)
    return try fields.reading(field) { () throws(CatalogError) in try session.currency(code) }
  }

  /// The prices of regions, and where a region's own words say that it is sold: `nil` where no region says anything,
  /// and else nowhere that says nothing.
  func regions(
    _ owner: JSONFields,
    _ field: String,
    _ called: String,
    isSold: (JSONFields) throws(CatalogError) -> Bool?
  ) throws(CatalogError) -> (prices: PriceTable, clearedForSale: Clearance?) {
    var prices = PriceTable()
    var sold: Set<String> = []
    var saysWhere = false
    let line = owner.line(of: field)
    for value in try owner.array(field) {
      let region = value.text(of: "regionCode")
      let place = called + (region.map { ", price of \(printable($0, limit: 48))" } ?? "")
      _ = try session.attempt(at: place) { () throws(CatalogError) in
        let fields = try JSONFields(value, "a region", line: line)
        let storefront = try storefront(fields)
        if let isSold = try isSold(fields) {
          saysWhere = true
          if isSold { sold.insert(storefront.id) }
        }
        guard let price = try fields.optionalFields("price") else { return }
        let (amount, currency) = try money(price)
        try fields.reading("price") { () throws(CatalogError) in
          try prices.add(session.price(amount, currency, in: storefront))
        }
      }
    }
    return (prices, saysWhere ? .only(sold) : nil)
  }

  func storefront(_ fields: JSONFields) throws(CatalogError) -> Storefront {
    let region = try fields.string("regionCode")
    return try fields.reading("regionCode") { () throws(CatalogError) in try session.storefront(region) }
  }

  // MARK: Texts

  /// Adds the texts of an array of listings, each with its language.
  func addListings(
    of owner: JSONFields,
    to product: inout CatalogProduct,
    _ called: String
  ) throws(CatalogError) {
    var hasBenefits = false
    let line = owner.line(of: "listings")
    for value in try owner.array("listings") {
      _ = try session.attempt(at: called) { () throws(CatalogError) in
        let fields = try JSONFields(value, "a listing", line: line)
        let (language, text) = (try fields.string("languageCode"), try text(fields))
        try fields.reading("languageCode") { () throws(CatalogError) in
          try product.add(text, in: session.language(language))
        }
        if try !fields.array("benefits").isEmpty { hasBenefits = true }
      }
    }
    try setAsideBenefits(hasBenefits, owner, called)
  }

  func text(_ listing: JSONFields) throws(CatalogError) -> ProductText {
    ProductText(
      name: try listing.optionalString("title"),
      description: try listing.optionalString("description")
    )
  }

  func setAsideBenefits(
    _ hasBenefits: Bool,
    _ fields: JSONFields,
    _ called: String
  ) throws(CatalogError) {
    guard hasBenefits else { return }
    try session.setAside(
      fields.invalid(
        "the benefits cannot be kept",
        "listings",
        fix: "say them in the description",
        code: .notRepresentable
      ).at(called)
    )
  }

  /// A state as Google Play names it: whether it is on sale; `nil` where it is not said.
  func isOnSale(
    _ fields: JSONFields,
    _ field: String,
    _ words: KeyValuePairs<String, Bool?>
  ) throws(CatalogError) -> Bool? {
    guard let word = try fields.optionalString(field) else { return nil }
    guard let state = words.first(where: { $0.key == word }) else {
      let known = words.filter { $0.value != nil }.map(\.key)
      throw fields.invalid(
        "there is no \(field) \(quoted(word))",
        field,
        fix: "give one of \(known.joined(separator: ", "))" + didYouMean(word, among: known)
      )
    }
    return state.value
  }
}

extension JSONFields {
  /// A whole number of 64 bits, which JSON of Google's writes as text.
  func optionalInteger64(_ field: String) throws(CatalogError) -> Int64? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?, .number(let text)?:
      guard let number = Int64(text) else {
        throw invalid(
          "\(quoted(text)) is no whole number",
          field,
          fix: "give one of at most 19 digits",
          code: .malformedAmount
        )
      }
      return number
    case let other?:
      throw invalid("\(other.kind) stands where a whole number is expected", field, fix: "give one")
    }
  }
}

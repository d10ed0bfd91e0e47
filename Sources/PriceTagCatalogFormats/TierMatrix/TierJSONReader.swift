import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads Apple's price tiers from iTunes Connect's JSON responses, which fastlane stores, in one of two forms:
///
///     {"data": {"pricingTiers": [{"tierStem": "1", "tierName": "Tier 1", "pricingInfo": [
///       {"countryCode": "US", "currencyCode": "USD", "retailPrice": 0.99, …}, …]}, …]}}
///     {"data": {"HK": {"countryName": "Hong Kong", "fRetailPrice": "HK$ 5.00", "tierStem": "1", …}, …}}
///
/// The second form lists the equivalent prices of a subscription in all countries, with the subscription tier of each.
/// Its prices are formatted text; a price with an ambiguous amount or currency is rejected.
struct TierJSONReader {
  private let session: ImportSession
  /// The results by country and currency, `nil` after a failure, so that each invalid combination is rejected once.
  private var countries: [String: TierStorefront?] = [:]

  init(_ session: ImportSession) {
    self.session = session
  }

  /// Returns whether text can be the start of such a file, judging by its member names.
  static func isTiers(_ text: String) -> Bool {
    text.contains("\"tierStem\"") && (text.contains("\"pricingInfo\"") || text.contains("\"fRetailPrice\""))
  }

  mutating func read(_ document: JSONValue) throws(CatalogError) {
    var value = document
    if case .object(let object) = document, let data = object["data"] { value = data }
    if case .object(let object) = value, let tiers = object["pricingTiers"] { value = tiers }
    switch value {
    case .array(let tiers):
      for tier in tiers { try readTier(tier) }
    case .object(let countries): try readCountries(countries)
    default:
      throw CatalogError(
        .malformedFile,
        "the price tiers must be an array or an object, not \(value.kind)",
        fix: "use a response of iTunes Connect such as {\"data\": {\"pricingTiers\": […]}}",
        place: "line 1"
      )
    }
  }

  // MARK: Tiers with the prices of all countries

  private mutating func readTier(_ value: JSONValue) throws(CatalogError) {
    let label = value.label("tier", from: "tierName")
    var line = 1
    if case .object(let object) = value { line = object.line }
    let read = try session.attempt(at: label, line: line) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a price tier", line: line)
      let written = try fields.optionalText("tierName")
      return (fields, try Self.name(written, stem: fields.optionalText("tierStem"), fields))
    }
    guard let (fields, name) = read else { return }
    var tier = PriceTier(name, prices: PriceTable())
    let prices = try session.attempt(at: label, line: line) { () throws(CatalogError) in
      try fields.fields("pricingInfo")
    }
    for price in prices ?? [] {
      _ = try session.attempt(at: "tier \(quoted(name))", line: price.line) { () throws(CatalogError) in
        let code = try price.string("countryCode")
        guard let country = try country(code, price.string("currencyCode"), line: price.line) else { return }
        let amount = try price.required(price.optionalDecimal("retailPrice"), "retailPrice")
        try country.add(amount, to: &tier, session)
      }
    }
    try session.add(.tier(tier), at: "line \(line), tier \(quoted(name))")
  }

  /// Returns `1` for `Tier 1`. If the name is a text key of iTunes Connect, returns the tier's number with a prefix.
  private static func name(_ written: String?, stem: String?, _ fields: JSONFields) throws(CatalogError)
    -> String
  {
    if let written, written.hasPrefix("ITC.") {
      guard let stem else {
        throw fields.invalid("the field \"tierStem\" is missing", "tierStem", fix: "add it")
      }
      return try subscriptionTier(stem, fields)
    }
    guard let name = written ?? stem else {
      throw fields.invalid("the field \"tierName\" or \"tierStem\" is missing", "tierName", fix: "add one")
    }
    return try fields.reading("tierName") { () throws(CatalogError) in
      try CatalogName.check(TierName.canonical(name))
    }
  }

  /// Returns the name of a subscription tier. Subscription tiers have the same numbers as others but different prices.
  private static func subscriptionTier(_ stem: String, _ fields: JSONFields) throws(CatalogError) -> String {
    try fields.reading("tierStem") { () throws(CatalogError) in
      try CatalogName.check(TierName.canonical("Subscription Tier \(stem)"))
    }
  }

  /// Returns the country of a price, or `nil` if the country has already been rejected.
  private mutating func country(
    _ code: String,
    _ currencyCode: String,
    line: Int
  ) throws(CatalogError) -> TierStorefront? {
    let key = "\(code) \(currencyCode)"
    if let cached = countries[key] { return cached }
    // Remains `nil` if an error is thrown below.
    countries[key] = .some(nil)
    let country = try TierStorefront(
      session.storefront(code),
      session.currency(currencyCode),
      consequence: ", so its \(currencyCode) prices are rejected"
    )
    countries[key] = country
    return country
  }

  // MARK: Countries with one tier and one price each

  private mutating func readCountries(_ document: JSONObject) throws(CatalogError) {
    var tiers: [String: PriceTier] = [:]
    var names: [String] = []
    for member in document.members {
      _ = try session.attempt(at: "country \(quoted(member.key))", line: member.line) {
        () throws(CatalogError) in
        let fields = try JSONFields(member.value, "the price of a country", line: member.line)
        let stem = try fields.required(fields.optionalText("tierStem"), "tierStem")
        let name = try Self.subscriptionTier(stem, fields)
        let text = try fields.string("fRetailPrice")
        let storefront = try session.storefront(member.key)
        let (amount, currency) = try fields.reading("fRetailPrice") { () throws(CatalogError) in
          try TierPriceText(text: text).price(in: storefront)
        }
        guard let country = try country(member.key, currency.code, line: member.line) else { return }
        if tiers[name] == nil { names.append(name) }
        var tier = tiers[name] ?? PriceTier(name, prices: PriceTable())
        tiers[name] = tier
        try country.add(amount, to: &tier, session)
        tiers[name] = tier
      }
    }
    for name in names {
      if let tier = tiers[name] {
        try session.add(.tier(tier), at: "line \(document.line), tier \(quoted(name))")
      }
    }
  }
}

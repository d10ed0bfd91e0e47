import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads Apple's price tiers as iTunes Connect answered them in JSON, which fastlane keeps, in one of two shapes:
///
///     {"data": {"pricingTiers": [{"tierStem": "1", "tierName": "Tier 1", "pricingInfo": [
///       {"countryCode": "US", "currencyCode": "USD", "retailPrice": 0.99, …}, …]}, …]}}
///     {"data": {"HK": {"countryName": "Hong Kong", "fRetailPrice": "HK$ 5.00", "tierStem": "1", …}, …}}
///
/// The second is what a subscription costs in all countries where it costs so much in one, with the subscription tier
/// of each. It has prices as text alone; one whose currency or amount could be another is rejected.
struct TierJSONReader {
  private let session: ImportSession
  /// By country and currency, so that one that the storefront never charged is rejected once.
  private var countries: [String: Country?] = [:]

  /// Whose prices they are, and when the storefront charges their currency.
  private struct Country {
    let storefront: Storefront
    let currency: Currency
    let periods: [Days]
  }

  init(_ session: ImportSession) {
    self.session = session
  }

  /// Whether a text can be the start of such a file, by the names of its members.
  static func isTiers(_ text: String) -> Bool {
    text.contains("\"tierStem\"") && (text.contains("\"pricingInfo\"") || text.contains("\"fRetailPrice\""))
  }

  mutating func read(_ document: JSONValue) throws(CatalogError) {
    var value = document
    if case .object(let object) = document, let data = object["data"] { value = data }
    if case .object(let object) = value, let tiers = object["pricingTiers"] { value = tiers }
    switch value {
    case .array(let tiers):
      for tier in tiers { try take(tier) }
    case .object(let countries): try take(countries)
    default:
      throw CatalogError(
        .malformedFile,
        "\(value.kind) stands where price tiers are expected",
        fix: "give {\"data\": {\"pricingTiers\": […]}} as iTunes Connect answered it",
        place: "line 1"
      )
    }
  }

  // MARK: Tiers with the prices of all countries

  private mutating func take(_ value: JSONValue) throws(CatalogError) {
    let called = value.called("tier", by: "tierName")
    var line = 1
    if case .object(let object) = value { line = object.line }
    let read = try session.attempt(at: called, line: line) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a price tier", line: line)
      let written = try fields.optionalText("tierName")
      return (fields, try Self.name(written, stem: fields.optionalText("tierStem"), fields))
    }
    guard let (fields, name) = read else { return }
    var tier = PriceTier(name, prices: PriceTable())
    let prices = try session.attempt(at: called, line: line) { () throws(CatalogError) in
      try fields.fields("pricingInfo")
    }
    for price in prices ?? [] {
      _ = try session.attempt(at: "tier \(quoted(name))", line: price.line) { () throws(CatalogError) in
        let code = try price.string("countryCode")
        guard let country = try country(code, price.string("currencyCode"), line: price.line) else { return }
        let amount = try price.required(price.optionalDecimal("retailPrice"), "retailPrice")
        try add(amount, country, to: &tier)
      }
    }
    try session.take(.tier(tier), at: "line \(line), tier \(quoted(name))")
  }

  /// `1` for `Tier 1`; the number alone where the name is a key of iTunes Connect's own texts.
  private static func name(_ written: String?, stem: String?, _ fields: JSONFields) throws(CatalogError)
    -> String
  {
    if let written, written.hasPrefix("ITC.") {
      guard let stem else {
        throw fields.invalid("the field \"tierStem\" is missing", "tierStem", fix: "give it")
      }
      return try subscriptionTier(stem, fields)
    }
    guard let name = written ?? stem else {
      throw fields.invalid("the tier has no name", "tierName", fix: "give tierName or tierStem")
    }
    return try checked(TierName.canonical(name), "tierName", fields)
  }

  /// The tiers of subscriptions have the same numbers as the others, and other prices.
  private static func subscriptionTier(_ stem: String, _ fields: JSONFields) throws(CatalogError) -> String {
    try checked(TierName.canonical("Subscription Tier \(stem)"), "tierStem", fields)
  }

  private static func checked(
    _ canonical: String,
    _ field: String,
    _ fields: JSONFields
  ) throws(CatalogError) -> String {
    try fields.reading(field) { () throws(CatalogError) in try CatalogName.check(canonical) }
    return canonical
  }

  private func add(_ amount: Amount, _ country: Country, to tier: inout PriceTier) throws(CatalogError) {
    for days in country.periods {
      try tier.prices.add(session.price(amount, country.currency, in: country.storefront, days: days))
    }
  }

  /// The country of a price; `nil` where it was rejected before.
  private mutating func country(
    _ code: String,
    _ currencyCode: String,
    line: Int
  ) throws(CatalogError) -> Country? {
    let key = "\(code) \(currencyCode)"
    if let known = countries[key] { return known }
    // Until it is known to be one.
    countries[key] = .some(nil)
    let storefront = try session.storefront(code)
    let currency = try session.currency(currencyCode)
    let periods = storefront.currencyPeriods.filter { $0.currency == currency }
      .map { Days(uncheckedFirst: $0.firstDay, last: $0.lastDay) }
    guard !periods.isEmpty else { throw Self.neverCharged(currencyCode, storefront) }
    let country = Country(storefront: storefront, currency: currency, periods: periods)
    countries[key] = country
    return country
  }

  private static func neverCharged(_ currency: String, _ storefront: Storefront) -> CatalogError {
    let charged = storefront.currencyPeriods.map(\.currency.code).joined(separator: ", then ")
    return CatalogError(
      .currencyMismatch,
      "\(storefront.id) never charged \(currency), as far as is known, but \(charged); none of its prices in \(currency) is taken",
      fix: "give the prices that \(storefront.id) charges; nothing is converted"
    )
  }

  // MARK: Countries with a tier and a price each

  private mutating func take(_ document: JSONObject) throws(CatalogError) {
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
          try TierPriceText(text).price(in: storefront)
        }
        guard let country = try country(member.key, currency.code, line: member.line) else { return }
        if tiers[name] == nil {
          tiers[name] = PriceTier(name, prices: PriceTable())
          names.append(name)
        }
        var tier = tiers[name] ?? PriceTier(name, prices: PriceTable())
        try add(amount, country, to: &tier)
        tiers[name] = tier
      }
    }
    for name in names {
      if let tier = tiers[name] {
        try session.take(.tier(tier), at: "line \(document.line), tier \(quoted(name))")
      }
    }
  }
}

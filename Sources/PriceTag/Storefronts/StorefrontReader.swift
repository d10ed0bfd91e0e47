import CICU
import PriceTagSystem
import PriceTagText

/// Reads and checks entries of `storefronts.json`.
struct StorefrontReader: Sendable {
  let currencies: LocaleData.CurrencyTable
  /// The overrides by storefront and currency code; those for all currencies have an empty code.
  let overrides: [String: [String: CurrencyOverride]]
  /// The file's sources; `nil` for embedded entries, which a test checks completely.
  let sources: [String: String]?

  func storefront(_ entry: LocaleDataEntry) throws(PriceTagError) -> Storefront {
    let (id, alpha2) = (try entry.string("id"), try entry.string("alpha2"))
    if sources != nil {
      try entry.checkFields([
        "id", "alpha2", "currencies", "priceLocale", "timeZone", "defaultLanguage", "languages", "tax",
        "sources",
      ])
      try checkCodes(id: id, alpha2: alpha2, entry)
      try checkSources(entry)
    }
    let periods = try periods(of: entry)
    guard let latest = periods.last?.currency else {
      throw entry.invalid("the storefront has no currency", "currencies", fix: "add one")
    }
    let priceLocale = try locale(entry.string("priceLocale"), entry, "priceLocale")
    guard priceLocale.region == alpha2 else {
      throw entry.invalid(
        "the locale \(quoted(priceLocale.identifier)) is not of the territory \(alpha2)",
        "priceLocale",
        fix: "use a locale that ends in -\(alpha2)"
      )
    }
    let languages = try languages(of: entry)
    return Storefront(
      id: id,
      alpha2: alpha2,
      currencyPeriods: periods,
      priceLocale: priceLocale,
      timeZone: try timeZone(of: entry, id),
      defaultLanguage: languages.first ?? "",
      languages: languages,
      tax: try tax(of: entry),
      latestCurrency: latest,
      overrides: overrides[id] ?? [:]
    )
  }

  /// Checks that CLDR has the territory, and that both codes belong to it. (CLDR has no alpha-3 code XKS for Kosovo.)
  private func checkCodes(id: String, alpha2: String, _ entry: LocaleDataEntry) throws(PriceTagError) {
    guard text(filledBy: { cicu_region_canonical(alpha2, $0, $1) }) == alpha2 else {
      throw entry.invalid("unknown territory \(quoted(alpha2))", "alpha2", fix: "use an ISO 3166-1 code")
    }
    if let other = text(filledBy: { cicu_region_canonical(id, $0, $1) }), other != alpha2 {
      throw entry.invalid(
        "\(id) is the territory \(other), not \(alpha2)",
        "alpha2",
        fix: "use \(quoted(other)), or correct the id"
      )
    }
  }

  private func checkSources(_ entry: LocaleDataEntry) throws(PriceTagError) {
    guard let fileSources = self.sources else { return }
    let fields = ["id", "priceLocale", "languages"]
    let sources = try entry.table("sources")
    for field in fields where sources[field] == nil {
      throw entry.invalid("the source of \(quoted(field)) is missing", "sources", fix: "add it")
    }
    for (field, source) in sources.sorted(by: { $0.key < $1.key }) {
      guard fields.contains(field) else {
        throw entry.invalid("unknown field \(quoted(field))", "sources", fix: "remove it")
      }
      guard fileSources[source] != nil else {
        throw entry.unknown("source", source, "sources", fix: "add it to the file's sources")
      }
    }
  }

  /// Returns the languages in canonical spelling, the default language first.
  private func languages(of entry: LocaleDataEntry) throws(PriceTagError) -> [String] {
    let languages = try entry.strings("languages")
    let defaultLanguage = try entry.string("defaultLanguage")
    guard languages.first == defaultLanguage else {
      throw entry.invalid(
        "the default language \(quoted(defaultLanguage)) is not the first",
        "languages",
        fix: "move it to the start"
      )
    }
    if sources == nil { return languages }
    var checked: Set<String> = []
    for language in languages {
      guard checked.insert(language).inserted else {
        throw entry.invalid("\(quoted(language)) appears twice", "languages", fix: "remove one")
      }
      let locale = try locale(language, entry, "languages")
      guard locale.identifier == language, locale.numberingSystem == nil else {
        throw entry.invalid(
          "\(quoted(language)) is not the canonical spelling of a language",
          "languages",
          fix: "use \(quoted(locale.identifier))"
        )
      }
    }
    return languages
  }

  private func locale(
    _ tag: String,
    _ entry: LocaleDataEntry,
    _ field: String
  ) throws(PriceTagError) -> PriceLocale {
    try entry.checked(field) { () throws(PriceTagError) in
      try PriceLocale(tag, allowsNumberingSystem: true)
    }
  }

  private func periods(of entry: LocaleDataEntry) throws(PriceTagError) -> [Storefront.CurrencyPeriod] {
    var periods: [Storefront.CurrencyPeriod] = []
    for period in try entry.entries("currencies", identifiedBy: "currency") {
      if let sources {
        try period.checkFields(["currency", "from", "until", "source"])
        try period.check("source", isAmong: sources)
      }
      let code = try period.string("currency")
      guard let currency = try currencies.currency(code) else {
        throw period.unknown("currency", code, "currency", fix: "use a code from currencies.json")
      }
      let (from, until) = (try period.optionalDate("from"), try period.optionalDate("until"))
      let expected = periods.last?.lastDay?.next
      if !periods.isEmpty, expected == nil {
        throw period.invalid("the previous period has no last day", "currency", fix: "add \"until\" to it")
      }
      guard from == expected else {
        throw period.invalid(
          expected.map { "the period does not start on \($0), the day after the previous one" }
            ?? "the first period has a first day",
          "from",
          fix: expected.map { "use \($0)" } ?? "remove it"
        )
      }
      if let from, let until, until < from {
        throw period.invalid("the period ends before it starts", "until", fix: "correct the dates")
      }
      guard currency.kind != .custom else {
        throw period.invalid(
          "\(code) is a custom currency",
          "currency",
          fix:
            "use the currency that the store charges; custom-currencies.json lists stores of custom currencies"
        )
      }
      guard currency.kind == .currency else {
        throw period.invalid(
          "\(code) is a \(currency.kind.rawValue), not a currency",
          "currency",
          fix: "use the currency that the store charges"
        )
      }
      if let last = currency.lastDay, until.map({ $0 > last }) ?? true {
        throw period.invalid("\(code) was valid only until \(last)", "until", fix: "end the period by then")
      }
      periods.append(Storefront.CurrencyPeriod(currency: currency, firstDay: from, lastDay: until))
    }
    guard periods.last?.lastDay == nil else {
      throw entry.invalid(
        "the last period has a last day",
        "currencies",
        fix: "remove it, or add the next period"
      )
    }
    return periods
  }
}

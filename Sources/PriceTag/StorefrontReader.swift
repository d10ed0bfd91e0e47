import CICU
import PriceTagText

/// Reads entries of `storefronts.json`, checking every fact that can be checked.
struct StorefrontReader: Sendable {
  let currencies: LocaleData.CurrencyTable
  /// What is overridden for a storefront: of one currency, or (under an empty code) of all.
  let overrides: [String: [String: CurrencyOverride]]
  /// The file's sources; `nil` for embedded entries, which a test reads and checks completely.
  let sources: [String: String]?

  func storefront(_ entry: LocaleDataEntry) throws(PriceTagError) -> Storefront {
    let (id, alpha2) = (try entry.string("id"), try entry.string("alpha2"))
    if sources != nil {
      try entry.allow([
        "id", "alpha2", "currencies", "priceLocale", "defaultLanguage", "languages", "sources",
      ])
      try checkCodes(id: id, alpha2: alpha2, entry)
      try checkSources(entry)
    }
    let periods = try periods(of: entry)
    guard let latest = periods.last?.currency else {
      throw entry.invalid("there is no currency", "currencies")
    }
    let priceLocale = try locale(entry.string("priceLocale"), entry, "priceLocale")
    guard priceLocale.region == alpha2 else {
      throw entry.invalid("\(priceLocale) is not a locale of \(alpha2)", "priceLocale")
    }
    let languages = try languages(of: entry)
    return Storefront(
      id: id,
      alpha2: alpha2,
      currencyPeriods: periods,
      latestCurrency: latest,
      priceLocale: priceLocale,
      defaultLanguage: languages.first ?? "",
      languages: languages,
      overrides: overrides[id] ?? [:]
    )
  }

  /// The territory is one that CLDR knows, and both codes are its own. (CLDR has no alpha-3 for Kosovo's XKS.)
  private func checkCodes(id: String, alpha2: String, _ entry: LocaleDataEntry) throws(PriceTagError) {
    guard text(filledBy: { cicu_region_canonical(alpha2, $0, $1) }) == alpha2 else {
      throw entry.invalid("CLDR knows no territory \(alpha2)", "alpha2")
    }
    if let other = text(filledBy: { cicu_region_canonical(id, $0, $1) }), other != alpha2 {
      throw entry.invalid("\(id) is the territory \(other), not \(alpha2)", "alpha2")
    }
  }

  private func checkSources(_ entry: LocaleDataEntry) throws(PriceTagError) {
    guard let known = self.sources else { return }
    let fields = ["id", "priceLocale", "languages"]
    let sources = try entry.table("sources")
    for field in fields where sources[field] == nil {
      throw entry.invalid("the source of \(field) is missing", "sources")
    }
    for (field, source) in sources.sorted(by: { $0.key < $1.key }) {
      guard fields.contains(field) else {
        throw entry.invalid("there is no field \(quoted(field))", "sources")
      }
      guard known[source] != nil else {
        throw entry.invalid("\(quoted(source)) is not among the sources", "sources")
      }
    }
  }

  /// The languages in canonical spelling, the default one first.
  private func languages(of entry: LocaleDataEntry) throws(PriceTagError) -> [String] {
    let languages = try entry.strings("languages")
    let defaultLanguage = try entry.string("defaultLanguage")
    guard languages.first == defaultLanguage else {
      throw entry.invalid("the default language \(quoted(defaultLanguage)) is not the first", "languages")
    }
    if sources == nil { return languages }
    guard Set(languages).count == languages.count else {
      throw entry.invalid("a language stands twice", "languages")
    }
    for language in languages {
      let known = try locale(language, entry, "languages")
      guard known.identifier == language, known.numberingSystem == nil else {
        throw entry.invalid("\(quoted(language)) is not the canonical spelling of a language", "languages")
      }
    }
    return languages
  }

  private func locale(
    _ tag: String,
    _ entry: LocaleDataEntry,
    _ field: String
  ) throws(PriceTagError) -> PriceLocale {
    do throws(PriceTagError) {
      return try PriceLocale(tag, allowsNumberingSystem: true)
    } catch {
      throw entry.invalid(error.problem, field, fix: error.fix)
    }
  }

  private func periods(of entry: LocaleDataEntry) throws(PriceTagError) -> [Storefront.CurrencyPeriod] {
    var periods: [Storefront.CurrencyPeriod] = []
    for period in try entry.entries("currencies", calledBy: "currency") {
      if let sources {
        try period.allow(["currency", "from", "until", "source"])
        try period.check("source", isAmong: sources)
      }
      let code = try period.string("currency")
      guard let currency = try currencies.currency(code) else {
        throw period.invalid("\(quoted(code)) is no currency of currencies.json", "currency")
      }
      let (from, until) = (try period.optionalDate("from"), try period.optionalDate("until"))
      let expected = periods.last?.lastDay?.next
      if !periods.isEmpty, expected == nil {
        throw period.invalid("it follows a period that does not end", "currency")
      }
      guard from == expected else {
        throw period.invalid(
          expected.map { "it must start on \($0): periods leave no gap and do not overlap" }
            ?? "the first period has no first day",
          "from"
        )
      }
      if let from, let until, until < from { throw period.invalid("it ends before it starts", "until") }
      guard currency.kind == .currency else {
        throw period.invalid("\(code) is a \(currency.kind.rawValue), no money", "currency")
      }
      if let last = currency.lastDay, until.map({ $0 > last }) ?? true {
        throw period.invalid("\(code) was current until \(last) only", "until")
      }
      periods.append(Storefront.CurrencyPeriod(currency: currency, firstDay: from, lastDay: until))
    }
    guard periods.last?.lastDay == nil else { throw entry.invalid("the last period ends", "currencies") }
    return periods
  }
}

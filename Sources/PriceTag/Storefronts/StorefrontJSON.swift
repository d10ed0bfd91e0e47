import PriceTagText

extension Storefront {
  /// Returns an example price with a group separator and decimals, in the form of the pack.
  package func example(on date: CalendarDate) throws(PriceTagError) -> FormattedPrice {
    let formatter = try PriceFormatter(
      storefront: self,
      on: date,
      style: PriceStyle(writtenAs: pack?.writtenAs ?? .icu)
    )
    return try formatter.format(formatter.display.digits == 0 ? 1234 : "1234.50")
  }

  /// Returns the storefront as JSON on one line, with its currency on a date.
  ///
  /// `pricetag storefronts --json` and the HTTP service return the same JSON.
  ///
  /// - Throws: `.formattingFailed` if ICU fails.
  package func json(on date: CalendarDate) throws(PriceTagError) -> String { try json(on: date, nil) }

  /// Returns the storefront as JSON on one line, with the evidence for how it writes prices.
  ///
  /// - Throws: `.formattingFailed` if ICU fails; `.invalidLocaleData` if observations contradict each other.
  package func jsonWithEvidence(on date: CalendarDate, in localeData: LocaleData) throws(PriceTagError)
    -> String
  {
    try json(on: date, StorefrontEvidence(of: self, in: localeData, on: date))
  }

  private func json(on date: CalendarDate, _ evidence: StorefrontEvidence?) throws(PriceTagError) -> String {
    let periods = currencyPeriods.map { period in
      jsonObject([
        ("currency", PriceTagText.json(period.currency.code)),
        ("from", optionalJSON(period.firstDay?.description)),
        ("until", optionalJSON(period.lastDay?.description)),
      ])
    }
    return jsonObject(
      [
        ("id", PriceTagText.json(id)), ("alpha2", PriceTagText.json(alpha2)),
        ("currency", PriceTagText.json(currency(on: date).code)),
        ("currencies", jsonArray(periods)),
        ("priceLocale", PriceTagText.json(priceLocale.identifier)),
        ("dataLocale", PriceTagText.json(priceLocale.dataLocale)),
        ("timeZone", timeZone.map(Self.json) ?? "null"),
        ("defaultLanguage", PriceTagText.json(defaultLanguage)),
        ("languages", jsonArray(languages.map(PriceTagText.json))),
        ("tax", tax.map(Self.json) ?? "null"),
        ("example", PriceTagText.json(try example(on: date).text)),
      ] + (evidence.map { [("evidence", $0.json)] } ?? [])
    )
  }

  private static func json(_ zone: TimeZone) -> String {
    jsonObject([("id", PriceTagText.json(zone.identifier)), ("assumed", zone.isAssumed ? "true" : "false")])
  }

  private static func json(_ tax: Tax) -> String {
    jsonObject([
      ("kind", PriceTagText.json(tax.kind.rawValue)), ("included", tax.isIncluded ? "true" : "false"),
    ])
  }
}

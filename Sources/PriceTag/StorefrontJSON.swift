extension Storefront {
  /// A price as an example: it shows groups, separators and digits.
  package func example(on date: CalendarDate) throws(PriceTagError) -> FormattedPrice {
    let formatter = try PriceFormatter(storefront: self, on: date)
    return try formatter.format(formatter.display.digits == 0 ? 1234 : "1234.50")
  }

  /// The storefront as JSON, on one line, as of a day: what `pricetag storefronts --json` and the service answer.
  ///
  /// - Throws: `.formattingFailed` where ICU fails.
  public func json(on date: CalendarDate) throws(PriceTagError) -> String {
    let periods = currencyPeriods.map { period in
      jsonObject([
        ("currency", PriceTag.json(period.currency.code)),
        ("from", period.firstDay.map { PriceTag.json($0.description) } ?? "null"),
        ("until", period.lastDay.map { PriceTag.json($0.description) } ?? "null"),
      ])
    }
    return jsonObject([
      ("id", PriceTag.json(id)), ("alpha2", PriceTag.json(alpha2)),
      ("currency", PriceTag.json(currency(on: date).code)),
      ("currencies", jsonArray(periods)),
      ("priceLocale", PriceTag.json(priceLocale.identifier)),
      ("dataLocale", PriceTag.json(priceLocale.dataLocale)),
      ("defaultLanguage", PriceTag.json(defaultLanguage)),
      ("languages", jsonArray(languages.map(PriceTag.json))),
      ("example", PriceTag.json(try example(on: date).text)),
    ])
  }
}

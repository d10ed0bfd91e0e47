import CICU

/// The registry of storefronts and currencies: what is embedded, or a folder's files in its place.
///
///     LocaleData.embedded.storefronts.count                    // 175
///     let ours = try LocaleData(folder: "/etc/pricetag")       // its files replace the embedded ones
///     let store = try Storefront("JPN", in: ours)
///
/// The files and their fields are described in `LocaleData/README.md`.
public struct LocaleData: Sendable {
  /// What the binary carries.
  public static let embedded = LocaleData()

  private let contents: Result<Contents, PriceTagError>

  private struct Contents: Sendable {
    let currencies: [Currency]
    let currencyByCode: [String: Currency]
    /// Codes of ISO 4217 that are no money: XXX and XTS.
    let codesWithoutMoney: [String: String]
    let storefronts: [Storefront]
    /// By alpha-3 and by alpha-2.
    let storefrontByID: [String: Storefront]
  }

  private init() {
    do throws(PriceTagError) {
      contents = .success(try Loader(folder: nil).contents())
    } catch {
      // A lookup tells: `embedded` itself cannot throw.
      contents = .failure(error)
    }
  }

  /// The data of a folder: `storefronts.json`, `currencies.json` and `currency-overrides.json` replace the embedded
  /// files of the same name, whole.
  ///
  /// - Throws: `.invalidLocaleData`, naming file, entry and field: a wrong code, an unknown locale, an overlap of
  ///   dates, a duplicate, a misspelt field.
  public init(folder: String) throws(PriceTagError) {
    try LocaleDataFile.checkNames(in: folder)
    do throws(PriceTagError) {
      contents = .success(try Loader(folder: folder).contents())
    } catch {
      throw error.at(folder)
    }
  }

  /// The storefronts in the order of their identifiers. Empty where the embedded data is damaged.
  public var storefronts: [Storefront] { (try? contents.get().storefronts) ?? [] }

  /// The currencies in the order of their codes, historic ones too. Empty where the embedded data is damaged.
  public var currencies: [Currency] { (try? contents.get().currencies) ?? [] }

  func storefront(_ id: String) throws(PriceTagError) -> Storefront {
    let contents = try contents.get()
    if let storefront = contents.storefrontByID[id] { return storefront }
    if id.utf8.count <= 8, let storefront = contents.storefrontByID[id.uppercased()] { return storefront }
    let best = nearest(to: id, among: contents.storefronts.map { id.utf8.count == 2 ? $0.alpha2 : $0.id })
    throw PriceTagError(
      .unknownStorefront, "no storefront is called \(quoted(id))",
      fix: "give a territory such as USA" + (best.map { " (did you mean \($0)?)" } ?? "")
        + "; all are listed by: pricetag storefronts")
  }

  func currency(_ code: String) throws(PriceTagError) -> Currency {
    let contents = try contents.get()
    if let currency = contents.currencyByCode[code] { return currency }
    let upper = code.utf8.count <= 8 ? code.uppercased() : ""
    if let currency = contents.currencyByCode[upper] { return currency }
    if let kind = contents.codesWithoutMoney[upper] {
      throw PriceTagError(
        .unknownCurrency, "\(upper) is ISO 4217's code for \(kind == "test" ? "testing" : "no currency")",
        fix: "give the currency of the price, such as USD")
    }
    let current = contents.currencies.lazy.filter { $0.lastDay == nil }.map(\.code)
    let best = nearest(to: code, among: current)
    throw PriceTagError(
      .unknownCurrency, "\(quoted(code)) is not an ISO 4217 code",
      fix: "give three letters such as USD" + (best.map { " (did you mean \($0)?)" } ?? ""))
  }

  // MARK: Loading

  /// Turns entries into currencies and storefronts, checking every fact that can be checked.
  private struct Loader {
    let folder: String?

    func contents() throws(PriceTagError) -> Contents {
      let overrides = try overrides()
      let file = try LocaleDataFile.currencies.decode(LocaleDataFile.Currencies.self, from: folder)
      try check(schema: file.schema, of: .currencies)
      let (currencies, codesWithoutMoney) = try self.currencies(of: file, overrides: overrides)
      var currencyByCode: [String: Currency] = [:]
      for currency in currencies { currencyByCode[currency.code] = currency }
      let storefronts = try storefronts(currencies: currencyByCode, overrides: overrides)
      var storefrontByID: [String: Storefront] = [:]
      for storefront in storefronts {
        storefrontByID[storefront.id] = storefront
        storefrontByID[storefront.alpha2] = storefront
      }
      for (index, override) in overrides.enumerated() {
        let place = "currency-overrides.json, entry \(index + 1)"
        if let currency = override.currency, currencyByCode[currency] == nil {
          throw invalid("\(quoted(currency)) is no currency of currencies.json", place, "currency")
        }
        if let id = override.storefront, storefrontByID[id] == nil {
          throw invalid("\(quoted(id)) is no storefront of storefronts.json", place, "storefront")
        }
      }
      return Contents(
        currencies: currencies, currencyByCode: currencyByCode, codesWithoutMoney: codesWithoutMoney,
        storefronts: storefronts, storefrontByID: storefrontByID)
    }

    private func invalid(_ problem: String, _ place: String, _ field: String) -> PriceTagError {
      PriceTagError(
        .invalidLocaleData, problem, fix: "correct the field as LocaleData/README.md says",
        place: "\(place), field \(field)")
    }

    private func check(schema: Int, of file: LocaleDataFile) throws(PriceTagError) {
      guard schema == 1 else {
        throw PriceTagError(
          .invalidLocaleData, "the schema \(schema) is not 1, the one this version reads",
          fix: "use the PriceTag version that the file was made for", place: file.rawValue)
      }
    }

    private func overrides() throws(PriceTagError) -> [CurrencyOverride] {
      let file = try LocaleDataFile.overrides.decode(LocaleDataFile.Overrides.self, from: folder)
      try check(schema: file.schema, of: .overrides)
      var overrides: [CurrencyOverride] = []
      for (index, strict) in file.overrides.enumerated() {
        let entry = strict.value
        let place = "currency-overrides.json, entry \(index + 1)"
        if entry.storefront == nil, entry.currency == nil {
          throw invalid("an override needs a storefront or a currency", place, "storefront")
        }
        if entry.symbol == nil, entry.digits == nil, entry.numbering == nil {
          throw invalid("an override changes a symbol, digits or numbering", place, "symbol")
        }
        if let symbol = entry.symbol, symbol.isEmpty || symbol.utf8.count > 32 || symbol.utf8.contains(0) {
          throw invalid("a symbol has 1 to 32 bytes", place, "symbol")
        }
        if let digits = entry.digits, !PriceStyle.fractionDigits.contains(digits) {
          throw invalid("\(digits) digits are outside \(PriceStyle.fractionDigits)", place, "digits")
        }
        if let numbering = entry.numbering, !cicu_numbering_system_is_decimal(numbering) {
          throw invalid("CLDR has no decimal numbering system \(quoted(numbering))", place, "numbering")
        }
        if entry.reason.isEmpty { throw invalid("an override needs its reason", place, "reason") }
        if overrides.contains(where: { $0.storefront == entry.storefront && $0.currency == entry.currency }) {
          throw invalid("another entry overrides the same storefront and currency", place, "storefront")
        }
        overrides.append(
          CurrencyOverride(
            storefront: entry.storefront, currency: entry.currency, symbol: entry.symbol, digits: entry.digits,
            numberingSystem: entry.numbering, reason: entry.reason))
      }
      return overrides
    }

    private func currencies(
      of file: LocaleDataFile.Currencies, overrides: [CurrencyOverride]
    ) throws(PriceTagError) -> ([Currency], codesWithoutMoney: [String: String]) {
      var exceptions: [String: [String: Int]] = [:]
      let providers = Set(file.minorUnitExceptions.map(\.value.provider)).sorted()
      for strict in file.minorUnitExceptions {
        let exception = strict.value
        let place = "currencies.json, exception \(exception.provider) \(exception.code)"
        guard (0...6).contains(exception.minorUnits) else {
          throw invalid("\(exception.minorUnits) digits are outside 0...6", place, "minorUnits")
        }
        guard file.sources[exception.source] != nil else {
          throw invalid("\(quoted(exception.source)) is not among the sources", place, "source")
        }
        let earlier = exceptions[exception.code, default: [:]].updateValue(
          exception.minorUnits, forKey: exception.provider)
        if earlier != nil { throw invalid("the exception stands twice", place, "code") }
      }
      var currencies: [Currency] = []
      var codesWithoutMoney: [String: String] = [:]
      var codes: Set<String> = []
      for strict in file.currencies {
        let entry = strict.value
        let place = "currencies.json, entry \(quoted(entry.code))"
        guard entry.code.utf8.count == 3, entry.code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
          throw invalid("a code is three capital letters", place, "code")
        }
        guard codes.insert(entry.code).inserted else { throw invalid("the code stands twice", place, "code") }
        if let digits = entry.minorUnits, !(0...6).contains(digits) {
          throw invalid("\(digits) digits are outside 0...6", place, "minorUnits")
        }
        if let numeric = entry.numeric, !(1...999).contains(numeric) {
          throw invalid("\(numeric) is outside 1...999", place, "numeric")
        }
        if let from = entry.from, let until = entry.until, until < from {
          throw invalid("the last day \(until) is before the first day \(from)", place, "until")
        }
        guard file.sources[entry.source] != nil else {
          throw invalid("\(quoted(entry.source)) is not among the sources", place, "source")
        }
        if entry.kind == "test" || entry.kind == "none" {
          codesWithoutMoney[entry.code] = entry.kind
          continue
        }
        guard let kind = Currency.Kind(rawValue: entry.kind) else {
          throw invalid("\(quoted(entry.kind)) is no kind of currency", place, "kind")
        }
        currencies.append(
          Currency(
            record: Currency.Record(
              code: entry.code, numericCode: entry.numeric, kind: kind, minorUnitDigits: entry.minorUnits,
              firstDay: entry.from, lastDay: entry.until, successor: entry.replacedBy,
              providerDigits: exceptions[entry.code] ?? [:], providers: providers,
              override: overrides.first { $0.storefront == nil && $0.currency == entry.code })))
      }
      for code in exceptions.keys.sorted() where !codes.contains(code) {
        throw invalid("an exception is for a code that has no entry", "currencies.json, entry \(code)", "code")
      }
      for successor in currencies.compactMap(\.successor) where !codes.contains(successor) {
        throw invalid("\(quoted(successor)) is no code of this file", "currencies.json", "replacedBy")
      }
      currencies.sort { $0.code < $1.code }
      return (currencies, codesWithoutMoney)
    }

    private func storefronts(
      currencies: [String: Currency], overrides: [CurrencyOverride]
    ) throws(PriceTagError) -> [Storefront] {
      let file = try LocaleDataFile.storefronts.decode(LocaleDataFile.Storefronts.self, from: folder)
      try check(schema: file.schema, of: .storefronts)
      var storefronts: [Storefront] = []
      var ids: Set<String> = []
      for strict in file.storefronts {
        let entry = strict.value
        let place = "storefronts.json, entry \(quoted(entry.id))"
        for (id, count, field) in [(entry.id, 3, "id"), (entry.alpha2, 2, "alpha2")] {
          guard id.utf8.count == count, id.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw invalid("\(quoted(id)) is not \(count) capital letters", place, field)
          }
          guard ids.insert(id).inserted else { throw invalid("\(id) stands twice", place, field) }
        }
        for source in entry.sources.values where file.sources[source] == nil {
          throw invalid("\(quoted(source)) is not among the sources", place, "sources")
        }
        for field in ["id", "priceLocale", "languages"] where entry.sources[field] == nil {
          throw invalid("the source of \(field) is missing", place, "sources")
        }
        let periods = try periods(of: entry, sources: file.sources, currencies: currencies, place: place)
        guard let latest = periods.last?.currency else { throw invalid("there is no currency", place, "currencies") }
        guard entry.languages.first == entry.defaultLanguage else {
          throw invalid("the default language \(quoted(entry.defaultLanguage)) is not the first", place, "languages")
        }
        guard Set(entry.languages).count == entry.languages.count else {
          throw invalid("a language stands twice", place, "languages")
        }
        for language in entry.languages { _ = try locale(language, place, "languages") }
        storefronts.append(
          Storefront(
            id: entry.id, alpha2: entry.alpha2, currencyPeriods: periods, latestCurrency: latest,
            priceLocale: try locale(entry.priceLocale, place, "priceLocale"),
            defaultLanguage: entry.defaultLanguage, languages: entry.languages,
            overrides: overrides.filter { $0.storefront == entry.id }))
      }
      storefronts.sort { $0.id < $1.id }
      return storefronts
    }

    private func locale(_ tag: String, _ place: String, _ field: String) throws(PriceTagError) -> PriceLocale {
      do throws(PriceTagError) {
        return try PriceLocale(tag, allowsNumberingSystem: true)
      } catch {
        throw PriceTagError(.invalidLocaleData, error.problem, fix: error.fix, place: "\(place), field \(field)")
      }
    }

    private func periods(
      of entry: LocaleDataFile.Storefronts.Entry, sources: [String: String], currencies: [String: Currency],
      place: String
    ) throws(PriceTagError) -> [Storefront.CurrencyPeriod] {
      var periods: [Storefront.CurrencyPeriod] = []
      for (index, strict) in entry.currencies.enumerated() {
        let period = strict.value
        guard let currency = currencies[period.currency] else {
          throw invalid("\(quoted(period.currency)) is no currency of currencies.json", place, "currencies")
        }
        guard sources[period.source] != nil else {
          throw invalid("\(quoted(period.source)) is not among the sources", place, "currencies")
        }
        let expected = index == 0 ? nil : periods.last?.lastDay?.next
        guard index == 0 || expected != nil else {
          throw invalid("a period follows one that does not end", place, "currencies")
        }
        guard period.from == expected else {
          throw invalid(
            expected.map { "the period of \(period.currency) must start on \($0): periods leave no gap and no overlap" }
              ?? "the first period has no first day", place, "currencies")
        }
        if let from = period.from, let until = period.until, until < from {
          throw invalid("the period of \(period.currency) ends before it starts", place, "currencies")
        }
        periods.append(
          Storefront.CurrencyPeriod(currency: currency, firstDay: period.from, lastDay: period.until))
      }
      guard periods.last?.lastDay == nil else { throw invalid("the last period ends", place, "currencies") }
      return periods
    }
  }
}

import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagPages
import PriceTagService
import PriceTagStrings
import PriceTagText

extension ServiceSettings {
  /// Returns the shop that pages describe.
  func shop() throws -> Shop {
    try Shop(
      name: text(.shop),
      logo: text(.logo),
      url: text(.url),
      checkout: text(.checkout),
      theme: Theme(ShopOptions.colors(list(.theme))),
      showsTaxLabels: flag(.taxLabels),
      productsPerPage: number(.pageSize),
      shownOffers: ShopOptions.shownOffers(list(.offers)),
      announcesIncreases: flag(.announceIncreases),
      showsPriceDate: flag(.priceDate),
      hero: text(.hero),
      legalLinks: [
        Shop.LegalLink.contact: text(.contact), .imprint: text(.imprint), .privacy: text(.privacy),
        .terms: text(.terms),
      ].compactMapValues { $0 }
    )
  }

  /// Adds the options for reading the catalog file, and the date.
  func addReading(to source: inout CatalogSource) throws {
    source.textsIn = try text(.textsIn)
    source.pricesOf = try text(.pricesOf).map { try Storefront($0, in: source.localeData) }
    source.reinterpretAs = try text(.reinterpretAs).map { try Storefront($0, in: source.localeData) }
    guard source.pricesOf == nil || source.reinterpretAs == nil else {
      throw invalid(
        .reinterpretAs,
        "--prices-of and --reinterpret-as cannot be combined",
        fix: "remove one"
      )
    }
    source.day = try text(.at).flatMap { $0 == "today" ? nil : try StoreDay($0) }
    source.format = try choice(.from, "format")
  }

  /// Returns the case of an enumeration whose raw value a setting has; `nil` if it is not set.
  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ setting: ServiceSetting,
    _ noun: String
  ) throws(ServiceError) -> Choice? {
    guard let name = try text(setting) else { return nil }
    if let choice = Choice(rawValue: name) { return choice }
    let all = Choice.allCases.map(\.rawValue)
    throw invalid(setting, "unknown \(noun) \(quoted(name))", fix: didYouMean(name, orOneOf: all))
  }

  /// Adds the storefronts and languages that have pages, and their unit prices.
  func addPages(to source: inout CatalogSource) throws {
    source.unitPriceRounding = try choice(.unitPrices, "rounding mode")
    source.taxInclusion = try choice(.taxIncluded, "value of taxIncluded")
    let storefronts = try list(.storefronts)
    if !storefronts.isEmpty, storefronts != ["all"] {
      source.storefrontsWithPages = try storefronts.map { try Storefront($0, in: source.localeData) }
    }
    // The default for selected storefronts is that of `pricetag pages`. A service for all storefronts supports all
    // languages, because it creates pages on request.
    let defaultLanguages = source.storefrontsWithPages == nil ? "all" : "store"
    let languages = try list(.languages)
    switch languages.isEmpty ? [defaultLanguages] : languages {
    case ["all"]: break
    case ["store"]: source.languagesOfPages = .store
    case let tags:
      // A storefront has pages in its default language instead of a language without UI strings.
      let requested = try tags.map { try UILanguage($0) }
      source.languagesOfPages = .list(
        requested.map { source.strings.closestLanguageIfAny(to: $0) ?? $0 }
      )
    }
  }

  /// Returns the logger of the service.
  func logger() throws(ServiceError) -> Logger {
    let format = try text(.logFormat) ?? ServiceLogHandler.Format.text.rawValue
    guard let format = ServiceLogHandler.Format(rawValue: format) else {
      throw invalid(.logFormat, "unknown log format \(quoted(format))", fix: "use text or json")
    }
    let level: Logger.Level = try choice(.logLevel, "log level") ?? .info
    return Logger(label: "pricetag") { ServiceLogHandler(label: $0, format: format, logLevel: level) }
  }
}

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
  /// What pages say of the shop.
  func shop() throws -> Shop {
    try Shop(
      name: text(.shop),
      logo: text(.logo),
      url: text(.url),
      checkout: text(.checkout),
      theme: Theme(ShopOptions.colors(list(.theme)))
    )
  }

  /// What a catalogue's file means that does not say it itself, and the day.
  func addReading(to source: inout ShopSource) throws {
    source.textsIn = try text(.textsIn)
    source.pricesOf = try text(.pricesOf).map { try Storefront($0, in: source.localeData) }
    source.reinterpretAs = try text(.reinterpretAs).map { try Storefront($0, in: source.localeData) }
    guard source.pricesOf == nil || source.reinterpretAs == nil else {
      throw invalid(
        .reinterpretAs,
        "--prices-of is for files that name no storefront, and --reinterpret-as for files that name one",
        fix: "give one of them"
      )
    }
    source.date = try text(.at).flatMap { $0 == "today" ? nil : try CalendarDate($0) }
    guard let format = try text(.from) else { return }
    guard let known = CatalogFormat(rawValue: format) else {
      let all = CatalogFormat.allCases.map(\.rawValue)
      throw invalid(
        .from,
        "\(quoted(format)) is no format",
        fix: "use one of \(all.joined(separator: ", "))\(didYouMean(format, among: all))"
      )
    }
    source.format = known
  }

  /// The storefronts and languages that have pages.
  func addPages(to source: inout ShopSource) throws {
    let storefronts = try list(.storefronts)
    if !storefronts.isEmpty, storefronts != ["all"] {
      source.storefrontsWithPages = try storefronts.map { try Storefront($0, in: source.localeData) }
    }
    // As pricetag pages has it for some storefronts. A service of all of them shows every language: its pages are made
    // when somebody asks for them.
    let usual = source.storefrontsWithPages == nil ? "all" : "store"
    let languages = try list(.languages)
    switch languages.isEmpty ? [usual] : languages {
    case ["all"]: break
    case ["store"]: source.languagesOfPages = .store
    case let tags:
      source.languagesOfPages = .list(try tags.map { try source.strings.nearest(UILanguage($0)) })
    }
  }

  /// Where the service tells what happens.
  func logger() throws(ServiceError) -> Logger {
    let format = try text(.logFormat) ?? ServiceLogHandler.Format.text.rawValue
    guard let format = ServiceLogHandler.Format(rawValue: format) else {
      throw invalid(.logFormat, "\(quoted(format)) is no format", fix: "use text or json")
    }
    let level = try text(.logLevel) ?? Logger.Level.info.rawValue
    guard let level = Logger.Level(rawValue: level) else {
      let levels = Logger.Level.allCases.map(\.rawValue)
      throw invalid(
        .logLevel,
        "\(quoted(level)) is no level",
        fix: "use one of \(levels.joined(separator: ", "))\(didYouMean(level, among: levels))"
      )
    }
    return Logger(label: "pricetag") { ServiceLogHandler(label: $0, format: format, logLevel: level) }
  }
}

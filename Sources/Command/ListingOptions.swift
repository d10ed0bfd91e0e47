import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagStrings

/// The storefronts and languages for which a catalog is displayed.
struct ListingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The storefronts of a catalog: all, or a list such as USA,JPN (default: all).",
      valueName: "all|ids"
    )
  )
  var storefronts: String?

  @Option(
    help: ArgumentHelp(
      "The languages of a catalog: store for the languages of each store, all for every UI language, or a list such as en,ja (default: store).",
      valueName: "store|all|tags"
    )
  )
  var languages: String?

  @Flag(help: "Fail for a language without UI strings, instead of using the default language of each store.")
  var strictLanguage = false

  @Flag(help: "Include products of a catalog that are not approved.")
  var development = false

  /// Returns the request of the options.
  func request(
    _ data: LocaleDataOptions,
    _ localeData: LocaleData,
    _ style: PriceStyle,
    unitPriceRounding: RoundingMode? = nil,
    taxInclusion: TaxInclusion? = nil,
    ownStrings: ShopStrings? = nil
  ) throws -> ListingRequest {
    var strings = try data.loadStrings()
    if let ownStrings { strings = strings.adding(ownStrings) }
    return ListingRequest(
      storefronts: try Self.storefronts(storefronts, localeData),
      languages: try requestedLanguages(strings),
      isLanguageStrict: strictLanguage,
      at: try data.day,
      mode: development ? .development : .production,
      style: style,
      unitPriceRounding: unitPriceRounding,
      taxInclusion: taxInclusion,
      strings: strings
    )
  }

  /// Returns the storefronts of a value of `--storefronts`.
  static func storefronts(_ list: String?, _ localeData: LocaleData) throws -> [Storefront] {
    guard let list, list != "all" else { return localeData.storefronts }
    return try listItems(list).map { try Storefront($0, in: localeData) }
  }

  private func requestedLanguages(_ strings: StoreStrings) throws -> ListingRequest.Languages {
    switch languages ?? "store" {
    case "store": .store
    case "all": .list(strings.languages)
    case let tags: .list(try listItems(tags).map { try requestedLanguage($0, strings) })
    }
  }

  /// Returns the UI language that matches a tag best; without a match the requested one, for which each store uses its
  /// default language.
  private func requestedLanguage(_ tag: String, _ strings: StoreStrings) throws(StringsError) -> UILanguage {
    let requested = try UILanguage(tag)
    if strictLanguage || requested.isPseudo || strings.closestLanguageIfAny(to: requested) != nil {
      return try strings.resolvedLanguage(tag)
    }
    StandardError.write(
      "pricetag: note: \(requested): the default language of each store, because there are no strings in \(requested)\n"
    )
    return requested
  }
}

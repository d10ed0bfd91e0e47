import PriceTag
import PriceTagStrings

/// The stores from which a shopper chooses, by continent, with all names in one language.
///
/// Names come from ICU, which takes some 30 µs each, so pages that differ only in their links share one choice.
package struct StoreChoice: Sendable {
  /// A store, with the language in which it is linked.
  struct Entry: Sendable {
    let storefront: Storefront
    let language: UILanguage
    let name: String
    /// The store's name in its own language, by which the filter finds it too; `nil` if it is the same.
    let ownName: String?
    let currency: Currency
    let currencyName: String
    /// The name of the linked language if it is not the page's; `nil` if it is.
    let otherLanguage: String?
  }

  /// A continent with its stores.
  struct Region: Sendable {
    /// The UN M.49 code: `150` for Europe.
    let code: String
    let name: String
    let entries: [Entry]
  }

  /// The language of the page.
  let language: UILanguage
  /// The continents in the language's collation order; stores without one come last, under an empty name.
  let regions: [Region]

  /// Creates the choice of stores for pages in a language.
  ///
  /// - Parameters:
  ///   - storefronts: The storefronts, and the languages of the pages of each.
  ///   - language: The language of the page.
  ///   - day: The day that decides the currencies.
  package init(
    of storefronts: [(storefront: Storefront, languages: [UILanguage])],
    in language: UILanguage,
    on day: StoreDay
  ) throws(PagesError) {
    self.language = language
    var names: [Currency: String] = [:]
    var entries: [String: [Entry]] = [:]
    var continents: [(code: String, name: String)] = []
    for (storefront, languages) in storefronts {
      let linked = StorePages.closestLanguage(to: language, among: languages, of: storefront)
      let currency: Currency
      do throws(PriceTagError) { currency = try storefront.currency(on: day) } catch {
        throw PagesError(.catalogFailed, error)
      }
      let currencyName = names[currency] ?? language.name(of: currency)
      names[currency] = currencyName
      let name = language.name(of: storefront)
      let ownName = storefront.defaultLanguage(among: languages)?.name(of: storefront)
      let continent = language.continent(of: storefront) ?? ("", "")
      if entries[continent.code] == nil { continents.append(continent) }
      entries[continent.code, default: []].append(
        Entry(
          storefront: storefront,
          language: linked,
          name: name,
          ownName: ownName == name ? nil : ownName,
          currency: currency,
          currencyName: currencyName,
          otherLanguage: linked == language ? nil : language.name(of: linked)
        )
      )
    }
    let sorted = language.sorted(continents.filter { !$0.code.isEmpty }, by: \.name)
    regions = (sorted + continents.filter(\.code.isEmpty)).map { continent in
      Region(
        code: continent.code,
        name: continent.name,
        entries: language.sorted(entries[continent.code] ?? [], by: \.name)
      )
    }
  }

  /// Returns the template values of the continents.
  ///
  /// - Parameters:
  ///   - page: The page that has the links.
  ///   - target: Returns the page to link to; `nil` for a store that the page does not list.
  func values(on page: PagePath, target: (Entry) -> PagePath?) -> [TemplateValues] {
    regions.compactMap { region in
      let stores = region.entries.compactMap { entry in
        target(entry).map { Self.values(of: entry, page.href(to: $0)) }
      }
      guard !stores.isEmpty else { return nil }
      return TemplateValues([
        .id: "region-\(region.code)", .name: region.name.isEmpty ? nil : pageText(region.name),
        .storefronts: stores,
      ])
    }
  }

  private static func values(of entry: Entry, _ href: String) -> TemplateValues {
    TemplateValues([
      .id: entry.storefront.id, .territory: entry.storefront.alpha2, .name: pageText(entry.name),
      .ownName: entry.ownName.map { attributeText($0) }, .href: href,
      .hreflang: entry.language.identifier,
      .otherLanguage: entry.otherLanguage.map { pageText($0) },
      .currency: entry.currency.code, .currencyName: pageText(entry.currencyName),
    ])
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText
import Testing

@testable import PriceTagPages

/// Tests of the pages on which shoppers choose a store.
@Suite struct ChoicePageTests {
  private static func pages(url: String? = nil) throws -> StorePages {
    StorePages(shop: try Shop(name: "Rocket Garage", url: url))
  }

  private static func choice(_ ids: [String], _ language: String) throws -> StoreChoice {
    let (stores, date) = (try PageShop.storefronts(ids), try CalendarDate(PageShop.date))
    return try StoreChoice(of: stores, in: try UILanguage(language), on: .date(date))
  }

  typealias Region = (language: String, names: [String])

  /// The continents and their stores, in the collation order of the page's language.
  static let regions: [Region] = [
    (
      "de",
      ["Afrika: Ägypten", "Asien: Japan Türkei Zypern", "Europa: Kosovo Schweiz", "Ozeanien: Australien"]
    ),
    (
      "sv",
      ["Afrika: Egypten", "Asien: Cypern Japan Turkiet", "Europa: Kosovo Schweiz", "Oceanien: Australien"]
    ),
  ]

  @Test(arguments: regions) func groupsStoresByContinent(region: Region) throws {
    let choice = try Self.choice(["JPN", "CHE", "AUS", "EGY", "TUR", "XKS", "CYP"], region.language)
    let names = choice.regions.map { "\($0.name): \($0.entries.map(\.name).joined(separator: " "))" }
    #expect(names == region.names)
  }

  @Test func everyStorefrontHasContinent() throws {
    for storefront in LocaleData.embedded.storefronts {
      #expect(UILanguage.development.continent(of: storefront) != nil, "\(storefront)")
    }
  }

  /// Own names as entries of a list, in collation order.
  static let ownNames: [(language: String, name: String)] = [
    ("id", "Bahasa Indonesia"), ("ms", "Bahasa Melayu"), ("ca", "Català"), ("cs", "Čeština"),
    ("fr-FR", "Français (France)"), ("it", "Italiano"), ("nb", "Norsk bokmål"), ("ru", "Русский"),
    ("ja", "日本語"),
  ]

  @Test func sortsLanguagesByOwnName() throws {
    let languages = try Self.ownNames.map { try UILanguage($0.language) }
    #expect(languages.map(\.ownName) == Self.ownNames.map(\.name))
    let pages = try Self.pages()
    let english = try pages.language(UILanguage("en-US"))
    for list in [languages, languages.reversed()] {
      #expect(pages.namedLanguages(list, in: english).map(\.language) == languages)
    }
  }

  /// The titles of entry pages, that of the root first. Several languages have the same words.
  static let titles: [(languages: [String], titles: [String])] = [
    (
      ["en-US", "en-GB", "de", "cs", "sk"],
      [
        "Choose a store", "Choose a store, American English", "Choose a store, British English",
        "Store auswählen", "Vyberte obchod, čeština", "Vyberte obchod, slovenčina",
      ]
    ),
    (["de", "en-US"], ["Store auswählen", "Store auswählen, Deutsch", "Choose a store"]),
    (["en-US"], ["Choose a store", "Choose a store, American English"]),
  ]

  @Test(arguments: titles) func titlesAreUnique(languages: [String], titles: [String]) throws {
    let languages = try languages.map { try UILanguage($0) }
    let pages = try Self.pages()
    let paths = [(PagePath.root, languages[0])] + languages.map { (.entry($0), $0) }
    let found = try paths.map { path, language in
      let page = try pages.entryPage(
        at: path,
        in: language,
        storefronts: PageShop.storefronts(["USA"]),
        languages: languages,
        on: .date(CalendarDate(PageShop.date))
      )
      return try #require(PageSearch.title(of: page))
    }
    #expect(found == titles.map { "Rocket Garage – \($0)" })
  }

  /// The page says in which language a store is if it is not the page's own.
  @Test func namesOtherLanguageOfStore() throws {
    let page = try Self.pages().entryPage(
      at: .entry(UILanguage("fr-FR")),
      in: UILanguage("fr-FR"),
      storefronts: PageShop.storefronts(["CHE", "JPN"]),
      languages: [UILanguage("fr-FR")],
      on: .date(CalendarDate(PageShop.date))
    )
    let swiss =
      #"href="../../store/che/fr-fr/" hreflang="fr-FR"><span>Suisse</span> <span class="code"><abbr"#
    #expect(page.contains(swiss))
    let japanese =
      #"data-own-name="日本"><a href="../../store/jpn/ja/" hreflang="ja"><span>Japon</span> "#
      + #"<span class="code"><span>japonais</span> · <abbr title="yen japonais">JPY</abbr></span>"#
    #expect(page.contains(japanese))
    #expect(page.contains(#"data-filter="Filtre" data-no-matches="Aucun résultat""#))
  }

  /// The switch on a product page names the product, so that the entry page can link it.
  @Test func switchKeepsProduct() throws {
    let store = try PageShop().store("USA", "de", languages: ["de", "en-US"])
    #expect(
      try Self.pages().productPage("car", in: store).contains(
        #"href="../../../../../choose/de/#product=car""#
      )
    )
    #expect(try Self.pages().storePage(store).contains(#"href="../../../choose/de/""#))
  }

  @Test func listsStoresOfProduct() throws {
    let store = try PageShop(PageShop.json.replacing("\"Car\"", with: "\"<Car>\"")).store("USA", "en-US")
    let text = store.products.first { $0.identifier == "car" }?.text
    let page = try Self.pages(url: "https://shop.example/").productEntryPage(
      "car",
      text,
      image: nil,
      Self.choice(["USA", "JPN", "DEU"], "en-US")
    ) { $0.id != "JPN" }
    let links = page.matches(of: #/<li data-storefront="(\w+)"[^>]*><a href="([^"]*)"/#).map {
      "\($0.1) \($0.2)"
    }
    #expect(
      links == [
        "USA ../../../store/usa/en-us/products/car/", "DEU ../../../store/deu/en-gb/products/car/",
      ]
    )
    #expect(page.contains("<title>&lt;Car&gt; – Rocket Garage – Choose a store</title>"))
    #expect(page.contains(#"<link rel="canonical" href="https://shop.example/choose/products/car/">"#))
    #expect(!page.contains("noindex") && !page.contains("$"))
  }

  // MARK: An address that does not exist

  typealias Root = (url: String?, root: String)

  static let roots: [Root] = [
    (nil, "/"), ("https://shop.example", "/"), ("https://shop.example/", "/"),
    ("http://a.example:80/b/c", "/b/c/"),
  ]

  /// One file answers addresses in any folder, so its links do not depend on the address.
  @Test(arguments: roots) func linksFromSiteRoot(root: Root) throws {
    let folder = try TemporaryFolder()
    // The page names no products.
    let shop = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"a","image":"https://cdn.example/a.png","prices":{"USA":"1","DEU":"1"}}]}"#
    )
    let (path, ownShop) = ("\(folder.path)/site", try Shop(name: "Rocket Garage", url: root.url))
    try shop.writeSite(to: path, ["USA", "DEU"], languages: ["en-US", "de"], shop: ownShop)
    let page = try folder.read("site/404.html")
    let links = page.matches(of: #/ (?:href|src)="([^"]*)"/#).map { String($0.1) }
    #expect(links.count > 8)
    for link in links { #expect(link.hasPrefix(root.root) || link == "#content", "\(link)") }
    #expect(page.contains(#"href="\#(root.root)store/deu/en-us/""#))
    #expect(page.contains(#"<meta name="robots" content="noindex">"#) && !page.contains("canonical"))
  }

  @Test func containsTextsOfAllLanguages() throws {
    let languages = StoreStrings.embedded.languages
    let page = try Self.pages().notFoundPage(
      root: "/",
      Self.choice(["USA"], "en-US"),
      languages: languages,
      isStatic: true
    )
    let json = try #require(
      page.firstMatch(of: #/<script type="application\/json" id="translations">(.*)<\/script>/#)
    )
    guard case .array(let translations)? = try? JSONReader.value(of: Array(json.1.utf8)) else {
      Issue.record("the translations are not an array")
      return
    }
    #expect(translations.count == languages.count)
    #expect(
      page.contains(#"{"lang":"de","dir":"ltr","href":"/choose/de/","page_not_found":"Seite nicht gefunden""#)
    )
    #expect(page.contains(#"{"lang":"ar","dir":"rtl""#))
    #expect(page.contains("<h1 data-message=\"page_not_found\">Page not found</h1>"))
  }

  @Test func shopsOwnPageHasPrecedence() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "assets/404.html")
    let assets = try SiteAssets(folder: "\(folder.path)/assets")
    try PageShop().writeSite(to: "\(folder.path)/site", shop: Shop(name: "Rocket Garage"), assets: assets)
    #expect(try folder.read("site/404.html") == "mine")
  }
}

import PriceTag
import Testing

/// Tests the storefronts of buyers in territories that are not storefronts: `territories.json`.
@Suite struct TerritoryMapTests {
  /// All territories of the embedded map, by storefront.
  static let storefronts = [
    ("AUS", "CC CX KI NF TV"), ("CHE", "LI"), ("DNK", "FO GL"), ("ESP", "AD"), ("FIN", "AX"),
    ("FRA", "BL GF GP MC MF MQ NC PF PM RE WF YT"), ("GBR", "GG IM JE"), ("ITA", "SM VA"), ("NLD", "BQ"),
    ("NOR", "SJ"), ("NZL", "CK NU PN TK"), ("USA", "AS GU MH MP PR TL VI"),
  ]

  @Test(arguments: storefronts) func mapsTerritories(storefront: String, territories: String) throws {
    for data in [LocaleData.embedded, try LocaleData.readEmbeddedCompletely()] {
      for territory in territories.split(separator: " ") {
        for country in [String(territory), territory.lowercased()] {
          #expect(try data.storefront(forBuyerIn: country).id == storefront, "\(country)")
        }
        // The map is for buyers only.
        #expect(throws: PriceTagError.self) { try Storefront(String(territory), in: data) }
      }
    }
  }

  /// A storefront is that of its own buyers.
  @Test func keepsStorefronts() throws {
    for storefront in LocaleData.embedded.storefronts {
      #expect(try LocaleData.embedded.storefront(forBuyerIn: storefront.alpha2) == storefront)
    }
  }

  @Test(arguments: ["BD", "CU", "AQ", "XX", "", "M", "MCO", "\u{131}M"]) func rejectsOtherCountries(
    country: String
  ) {
    let error = #expect(throws: PriceTagError.self) {
      try LocaleData.embedded.storefront(forBuyerIn: country)
    }
    #expect(error?.code == .unknownStorefront)
  }

  static let ireland = LocaleDataTests.storefronts(LocaleDataTests.storefront())

  static func file(_ entries: String) -> String {
    #"{"schema":1,"sources":{"s":"our contract"},"territories":[\#(entries)]}"#
  }

  @Test func readsFolder() throws {
    let data = try LocaleData([
      "storefronts.json": Self.ireland,
      "territories.json": Self.file(#"{"territory":"GB","storefront":"IRL","source":"s"}"#),
    ])
    #expect(try data.storefront(forBuyerIn: "gb").id == "IRL")
    #expect(throws: PriceTagError.self) { try data.storefront(forBuyerIn: "MC") }
    // The embedded map has no effect for storefronts that do not exist.
    let own = try LocaleData(["storefronts.json": Self.ireland])
    #expect(throws: PriceTagError.self) { try own.storefront(forBuyerIn: "MC") }
    // A storefront of the folder wins over the embedded map.
    let monaco = LocaleDataTests.storefronts(
      LocaleDataTests.storefront(#""id":"MCO","alpha2":"MC""#, locale: "fr-MC")
    )
    #expect(try LocaleData(["storefronts.json": monaco]).storefront(forBuyerIn: "MC").id == "MCO")
  }

  @Test(arguments: [
    (
      #"{"territory":"ZQ","storefront":"IRL","source":"s"}"#,
      "unknown territory \"ZQ\"; use an ISO 3166-1 alpha-2 code"
    ),
    (#"{"territory":"GBR","storefront":"IRL","source":"s"}"#, "unknown territory \"GBR\""),
    (#"{"territory":"IE","storefront":"IRL","source":"s"}"#, "IE is the storefront IRL; remove the entry"),
    (#"{"territory":"GB","storefront":"USA","source":"s"}"#, "unknown storefront \"USA\""),
    (#"{"territory":"GB","storefront":"IE","source":"s"}"#, "unknown storefront \"IE\""),
    (#"{"territory":"GB","storefront":"IRL","source":"t"}"#, "unknown source \"t\""),
    (#"{"territory":"GB","storefront":"IRL"}"#, "the field \"source\" is missing; add it"),
    (#"{"territory":"GB","storefront":"IRL","source":"s","note":""}"#, "unknown field \"note\"; remove it"),
    (
      #"{"territory":"GB","storefront":"IRL","source":"s"},{"territory":"GB","storefront":"IRL","source":"s"}"#,
      "entry \"GB\", field territory: \"GB\" appears twice; remove one"
    ),
  ])
  func reportsInvalidEntry(entries: String, hint: String) throws {
    let error = try #require(throws: PriceTagError.self) {
      try LocaleData(["storefronts.json": Self.ireland, "territories.json": Self.file(entries)])
    }
    #expect(error.code == .invalidLocaleData)
    #expect(error.description.contains(hint) && error.description.contains("territories.json"), "\(error)")
  }
}

import CatalogSamples
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagDrift
import PriceTagReading
import PriceTagStrings
import Testing

/// Golden files and displayed prices in currencies of the merchant's own.
@Suite struct CustomCurrencyDriftTests {
  private static func currency(
    symbol: String = "💎",
    name: String = "gems",
    storefronts: String = "\"all\""
  ) -> String {
    #"""
    {"code":"GEMS","digits":0,"symbol":"\#(symbol)","like":"USD","storefronts":\#(storefronts),"reason":"coins",
     "names":{"en":{"one":"gem","other":"gems"}}}
    """#
  }

  private static let coin = #"""
    {"code":"COIN2","digits":2,"symbol":"C","like":"USD","storefronts":"all","reason":"a code with a digit"}
    """#

  private static let products = """
    {"productIdentifier":"car","prices":{"USA":"9.99","DEU":{"amount":"3000","currency":"GEMS"}}}
    {"productIdentifier":"hat","prices":{"USA":{"amount":"2500","currency":"GEMS"},"DEU":{"amount":"1","currency":"COIN2"}}}
    """

  /// A shop with its locale data. The folder exists as long as the shop.
  private final class GemShop {
    private let folder: ScratchFolder
    let localeData: LocaleData
    let catalog: Catalog

    init(_ currency: String) throws {
      let text = #"{"schema":1,"currencies":[\#(currency),\#(coin)]}"#
      folder = try ScratchFolder(["custom-currencies.json": text])
      localeData = try LocaleData(folder: folder.path)
      catalog = try Catalog(localeData: localeData)
      try catalog.importFiles(
        [CatalogFile(name: "shop.jsonl", bytes: Array(products.utf8))],
        options: ImportOptions(localeData: localeData)
      ) { (error) throws(CatalogError) in throw error }
    }

    func request(_ style: PriceStyle = PriceStyle()) throws -> ListingRequest {
      ListingRequest(
        storefronts: try ["DEU", "USA"].map { try Storefront($0, in: localeData) },
        languages: .list([try UILanguage("en")]),
        at: try .date(CalendarDate("2026-11-21")),
        style: style
      )
    }

    func goldenFile() throws -> GoldenFile {
      var text = ""
      try DisplayRecording(of: catalog, request()).writeGoldenFile(
        GoldenFileHeader(request(), in: localeData)
      ) { text += $0 }
      return try GoldenFile(name: "prices.golden", text: text)
    }
  }

  @Test func recordsPrices() throws {
    let shop = try GemShop(Self.currency())
    let file = try shop.goldenFile()
    let report = try DriftCheck(file, in: shop.localeData).check(shop.catalog, shop.request())
    #expect(report.checked == 4 && report.changes.isEmpty && report.problems.isEmpty)
    #expect(report.recorded.registry == (try shop.localeData.revision()))
  }

  @Test func reportsOtherSymbol() throws {
    let file = try GemShop(Self.currency()).goldenFile()
    let new = try GemShop(Self.currency(symbol: "♦"))
    let report = try DriftCheck(file, in: new.localeData).check(new.catalog, new.request())
    let changed = report.changes.map {
      "\($0.productIdentifier) \($0.storefront) \($0.classes.map(\.rawValue).joined(separator: " "))"
    }
    #expect(changed == ["car DEU symbol", "hat USA symbol"])
  }

  @Test(arguments: [
    (PriceStyle.Width.standard, "GEMS", "💎1,234", "1234 GEMS"),
    (.iso, "GEMS", "GEMS\u{A0}1,234", "1234 GEMS"),
    (.name, "GEMS", "1,234 gems", "1234 GEMS"), (.name, "GEMS", "1 gem", "1 GEMS"),
    (.hidden, "GEMS", "1,234", "1234 GEMS"), (.iso, "COIN2", "COIN2\u{A0}1.50", "1.50 COIN2"),
    (.name, "COIN2", "COIN2\u{A0}1.50", "1.50 COIN2"), (.standard, "COIN2", "C\u{A0}1.50", "1.50 COIN2"),
  ])
  func readsDisplays(width: PriceStyle.Width, code: String, text: String, price: String) throws {
    let shop = try GemShop(Self.currency())
    let formatter = try PriceFormatter(
      storefront: Storefront("USA", in: shop.localeData),
      currency: Currency(code, in: shop.localeData),
      style: PriceStyle(width: width)
    )
    let reader = PriceReader(formatter, in: shop.localeData)
    for strictness in PriceReader.Strictness.allCases {
      let read = try reader.read(text, strictness)
      #expect("\(read.amount) \(read.currency)" == price)
      #expect(try formatter.string(for: read.amount) == text)
    }
  }

  /// A reader of another currency knows the symbol, code and name of a custom one.
  @Test(arguments: ["💎5", "GEMS 5", "5 gems", "5 GEMS"])
  func readsAmongOtherCurrencies(text: String) throws {
    let shop = try GemShop(Self.currency())
    let reader = PriceReader(
      try PriceFormatter(storefront: Storefront("USA", in: shop.localeData)),
      in: shop.localeData
    )
    #expect(try reader.read(text, .lenient).currency.code == "GEMS")
  }
}

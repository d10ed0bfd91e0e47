import CatalogSamples
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagDrift
import PriceTagStrings
import Synchronization

/// A small catalog with prices above 1000, in storefronts with different notations.
struct SmallShop {
  static let storefronts = ["BGR", "CHE", "DEU", "EGY", "FRA", "HUN", "IDN", "JPN", "TWN", "USA"]
  static let date = "2026-11-21"

  /// A product as a line of JSON.
  static let car = """
    {"productIdentifier":"com.example.car","localizations":{"en-US":{"name":"Rocket car","description":"It flies."},"de":{"name":"Raketenauto","description":"Es fliegt."}},"prices":{"CHE":"1234.50","DEU":"1234.50","EGY":"1234.50","FRA":"1234.50","HUN":"123400","IDN":"1234000","JPN":"1234","TWN":"1234","USA":"1234.50","BGR":[{"amount":"1234.50","currency":"BGN","until":"2025-12-31"},{"amount":"1234.50","currency":"EUR","from":"2026-01-01"}]}}
    """
  static let free = """
    {"productIdentifier":"com.example.free","localizations":{"en-US":{"name":"First lap"}},"prices":{"BGR":[{"amount":"0.00","currency":"BGN","until":"2025-12-31"},{"amount":"0.00","currency":"EUR","from":"2026-01-01"}],"CHE":"0","DEU":"0","EGY":"0","FRA":"0","HUN":"0","IDN":"0","JPN":"0","TWN":"0","USA":"0"}}
    """
  static let garage = """
    {"productIdentifier":"com.example.garage","localizations":{"en-US":{"name":"Garage\\t\\\\ \\"A\\"","description":"Two\\nlines."}},"prices":{"CHE":"5","DEU":"5","EGY":"5","FRA":"5","HUN":"500","IDN":"5000","JPN":"5","TWN":"5","USA":"5","BGR":[{"amount":"5.00","currency":"BGN","until":"2025-12-31"},{"amount":"5.00","currency":"EUR","from":"2026-01-01"}]}}
    """
  static let tour = """
    {"productIdentifier":"com.example.tour","kind":"auto-renewable-subscription","subscriptionGroup":"tours","subscriptionPeriod":"P1Y","localizations":{"en-US":{"name":"Tour","description":"A year."}},"prices":{"CHE":"1200","DEU":"1200","EGY":"1200","FRA":"1200","HUN":"120000","IDN":"1200000","JPN":"1200","TWN":"1200","USA":"1200","BGR":[{"amount":"1200.00","currency":"BGN","until":"2025-12-31"},{"amount":"1200.00","currency":"EUR","from":"2026-01-01"}]},"offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P2W"}]}
    """

  /// A subscription for sale in two storefronts.
  static let pass = """
    {"productIdentifier":"com.example.pass","kind":"auto-renewable-subscription","subscriptionGroup":"tours","subscriptionPeriod":"P1Y","localizations":{"en-US":{"name":"Pass","description":"A year."}},"prices":{"DEU":"12","USA":"12"},"offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P2W"}]}
    """

  let catalog: Catalog
  let localeData: LocaleData
  /// The folder must exist while the revision of the registry is computed.
  private let folder: ScratchFolder?

  /// Creates a shop with products as JSON lines, and with a merchant's overrides.
  init(_ lines: [String] = [car, free, garage, tour], overrides: [String]? = nil) throws {
    folder = try overrides.map {
      let text = #"{"schema":1,"overrides":[\#($0.joined(separator: ","))]}"#
      return try ScratchFolder(["currency-overrides.json": text])
    }
    localeData = try folder.map { try LocaleData(folder: $0.path) } ?? .embedded
    catalog = try Catalog(localeData: localeData)
    let text = lines.joined(separator: "\n")
    try catalog.importFiles([CatalogFile(name: "shop.jsonl", bytes: Array(text.utf8))]) {
      (error) throws(CatalogError) in
      // An empty shop is allowed.
      if error.code != .emptyFile { throw error }
    }
  }

  func request(
    _ storefronts: [String] = storefronts,
    languages: [String] = ["en"],
    at date: String = date,
    style: PriceStyle = PriceStyle()
  ) throws -> ListingRequest {
    ListingRequest(
      storefronts: try storefronts.map { try Storefront($0, in: localeData) },
      languages: .list(try languages.map { try UILanguage($0) }),
      at: try .date(CalendarDate(date)),
      style: style
    )
  }

  /// The text of the golden file of each list of products, without overrides.
  private static let recorded = Mutex<[[String]: String]>([:])

  /// Returns the text of the golden file of a shop with these products, which is recorded once for all tests.
  static func goldenText(_ lines: [String] = [car, free, garage, tour]) throws -> String {
    if let text = recorded.withLock({ $0[lines] }) { return text }
    let text = try SmallShop(lines).goldenText()
    recorded.withLock { $0[lines] = text }
    return text
  }

  static func goldenFile(_ lines: [String] = [car, free, garage, tour]) throws -> GoldenFile {
    try GoldenFile(name: "prices.golden", text: goldenText(lines))
  }

  /// Returns the text of the shop's golden file.
  func goldenText(_ request: ListingRequest? = nil) throws -> String {
    let request = try request ?? self.request()
    var text = ""
    try DisplayRecording(of: catalog, request).writeGoldenFile(GoldenFileHeader(request, in: localeData)) {
      text += $0
    }
    return text
  }

  func goldenFile(_ request: ListingRequest? = nil) throws -> GoldenFile {
    try GoldenFile(name: "prices.golden", text: goldenText(request))
  }
}

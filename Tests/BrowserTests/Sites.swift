import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// The sites that the checks look at, made by the built command as a shop makes them.
struct Sites: Sendable {
  /// A site of them.
  struct Site: Sendable, CustomTestStringConvertible {
    /// The folder's name.
    let name: String
    /// What it sells.
    let catalog: SampleCatalog
    /// What the command is told of it.
    let arguments: [String]

    var testDescription: String { name }
  }

  private static let assets = Programs.package.appending(path: "Examples/rocket-garage-assets").path

  /// The sample shop, in the stores that are looked at and all their languages.
  static let garage = Site(
    name: "garage",
    catalog: .garage,
    arguments: [
      "--storefronts", "USA,DEU,SAU,ISR,JPN,IND,THA", "--shop", "Rocket Garage", "--url",
      "https://shop.example/garage/", "--assets", assets, "--logo", "images/logo.svg",
    ]
  )
  /// The same in few languages, without a name, an address or pictures, and with buttons that lead to a checkout.
  static let small = Site(
    name: "small",
    catalog: .garage,
    arguments: [
      "--storefronts", "USA,JPN", "--languages", "en-US,de,ar,ja", "--checkout",
      "https://pay.example/?product={product}&storefront={storefront}",
    ]
  )
  /// The same for readers who may not pay.
  static let closed = Site(
    name: "closed",
    catalog: .garage,
    arguments: ["--storefronts", "USA", "--no-payments"]
  )
  /// A shop whose products want to be more than text.
  static let hostile = Site(name: "hostile", catalog: .hostile, arguments: ["--storefronts", "USA,SAU"])
  /// A shop with reduced prices.
  static let sale = Site(name: "sale", catalog: .sale, arguments: ["--storefronts", "USA,SAU"])

  static let all = [garage, small, closed, hostile, sale]

  /// The day of all prices.
  static let date = "2026-11-21"

  /// The folder that has a folder of each site.
  let folder: URL

  @TaskLocal fileprivate static var current: Sites?

  /// The sites of this run.
  static func made() throws -> Sites {
    try #require(current, "a check of sites belongs into the suite that makes them")
  }

  fileprivate static func make() throws -> Sites {
    let sites = Sites(folder: try Programs.temporaryFolder())
    do {
      let pricetag = try #require(Programs.pricetag, "the command is not beside the tests")
      for site in all {
        let catalog = sites.folder.appending(path: "\(site.name).json")
        try site.catalog.bytes().write(to: catalog)
        let outcome = try Programs.run(
          pricetag,
          ["pages", catalog.path, "-o", sites.folder(of: site).path, "--at", date] + site.arguments
        )
        guard outcome.status == 0 else {
          throw Failure(description: "\(site.name): status \(outcome.status): \(outcome.errors)")
        }
      }
      return sites
    } catch {
      sites.remove()
      throw error
    }
  }

  fileprivate func remove() { try? FileManager.default.removeItem(at: folder) }

  func folder(of site: Site) -> URL { folder.appending(path: site.name) }

  /// The paths of a site's files, from its own folder on.
  func files(of site: Site) throws -> [String] {
    let folder = folder(of: site).resolvingSymlinksInPath().path + "/"
    let found = FileManager.default.enumerator(atPath: folder)
    let files = (found?.allObjects as? [String] ?? []).filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder + path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    try #require(!files.isEmpty, "\(site.name) has no files")
    return files.sorted()
  }

  /// A page of a site.
  func page(_ path: String, of site: Site) throws -> HTMLPage {
    HTMLPage(try Data(contentsOf: folder(of: site).appending(path: path)))
  }
}

/// Makes the sites before the first check, and removes them after the last.
struct MadeSites: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let sites = try Sites.make()
    defer { sites.remove() }
    try await Sites.$current.withValue(sites) { try await function() }
  }
}

extension Trait where Self == MadeSites {
  static var madeSites: MadeSites { MadeSites() }
}

/// A store page that is looked at, and what the library says of it.
struct StoreRow: Sendable, CustomTestStringConvertible {
  let language: String
  let storefront: String

  static let all: [StoreRow] = [
    StoreRow(language: "en-US", storefront: "USA"),
    // Prices that run one way, in words that run the other.
    StoreRow(language: "ar", storefront: "USA"),
    StoreRow(language: "en-GB", storefront: "SAU"),
    StoreRow(language: "de", storefront: "DEU"),
    StoreRow(language: "ar", storefront: "SAU"),
    StoreRow(language: "he", storefront: "ISR"),
    StoreRow(language: "ja", storefront: "JPN"),
    StoreRow(language: "hi", storefront: "IND"),
    StoreRow(language: "th", storefront: "THA"),
  ]

  var testDescription: String { "\(language) in \(storefront)" }

  /// `store/usa/en-us/`
  var path: String { "store/\(storefront.lowercased())/\(language.lowercased())/" }

  func words() throws -> UILanguage { try UILanguage(language) }

  /// What the library shows there.
  func response(of catalog: SampleCatalog = .garage) throws -> ProductsResponse {
    try catalog.imported().products(
      for: ProductsRequest(
        nil,
        storefront: Storefront(storefront),
        language: words(),
        at: CalendarDate(Sites.date)
      )
    )
  }
}

/// A text whose every character can be seen: two that look the same here are the same.
func visible(_ text: String) -> String {
  text.unicodeScalars.map {
    $0.isASCII && $0.value >= 0x20 ? String($0) : "\\u{\(String($0.value, radix: 16))}"
  }
  .joined()
}

/// What is heard of a text, every character visible: marks of direction and isolates are silent, and so are spaces.
func heard(_ text: String) -> String {
  var heard = ""
  for scalar in text.unicodeScalars {
    if scalar.properties.generalCategory == .format || scalar.properties.isWhitespace { continue }
    heard.unicodeScalars.append(scalar)
  }
  return visible(heard)
}

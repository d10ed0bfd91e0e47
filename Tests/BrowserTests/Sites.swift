import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// The sites under test, written by the built command.
struct Sites: Sendable {
  /// One of the sites.
  struct Site: Sendable, CustomTestStringConvertible {
    /// The name of its folder.
    let name: String
    /// Its catalog.
    let catalog: SampleCatalog
    /// The arguments of the command.
    let arguments: [String]

    var testDescription: String { name }
  }

  private static let examples = Programs.package.appending(path: "Examples").path
  private static let assets = "\(examples)/rocket-garage-assets"

  /// The sample shop in the stores under test, in all their languages.
  static let garage = Site(
    name: "garage",
    catalog: .garage,
    arguments: [
      "--storefronts", "USA,DEU,SAU,ISR,JPN,IND,THA", "--shop", "Rocket Garage", "--url",
      "https://shop.example/garage/", "--assets", assets, "--logo", "images/logo.svg",
    ]
  )
  /// The sample shop with everything that it has: words of its own, offers for some shoppers, increases, tax labels and a footer.
  static let complete = Site(
    name: "complete",
    catalog: .garage,
    arguments: [
      "--storefronts", "USA,SAU,JPN", "--shop", "Rocket Garage", "--assets", assets,
      "--strings", "\(examples)/rocket-garage-strings", "--templates", "\(examples)/rocket-garage-templates",
      "--offers", "introductory,promotional,win-back", "--announce-increases", "--tax-labels",
      "--contact", "mailto:pit@shop.example", "--imprint", "https://shop.example/imprint",
    ]
  )
  /// The sample shop in few languages, without a name, an address, or images, and with a checkout.
  static let small = Site(
    name: "small",
    catalog: .garage,
    arguments: [
      "--storefronts", "USA,JPN", "--languages", "en-US,de,ar,ja", "--checkout",
      "https://pay.example/?product={product}&storefront={storefront}",
    ]
  )
  /// The sample shop for shoppers who may not pay.
  static let closed = Site(
    name: "closed",
    catalog: .garage,
    arguments: ["--storefronts", "USA", "--no-payments"]
  )
  /// A shop whose texts try to inject markup.
  static let hostile = Site(name: "hostile", catalog: .hostile, arguments: ["--storefronts", "USA,SAU"])
  /// A shop with reduced prices.
  static let sale = Site(name: "sale", catalog: .sale, arguments: ["--storefronts", "USA,SAU"])

  static let all = [garage, complete, small, closed, hostile, sale]

  /// The date of all prices.
  static let date = "2026-11-21"

  /// The folder that contains the folders of the sites.
  let folder: URL

  @TaskLocal fileprivate static var current: Sites?

  /// Returns the sites of this run.
  static func generated() throws -> Sites {
    try #require(current, "a test of sites must be in the suite that generates them")
  }

  fileprivate static func generate() throws -> Sites {
    let sites = Sites(folder: try Programs.temporaryFolder())
    do {
      let pricetag = try #require(Programs.pricetag, "the command was not built")
      for site in all {
        let catalog = sites.folder.appending(path: "\(site.name).json")
        try site.catalog.bytes().write(to: catalog)
        let outcome = try Programs.run(
          pricetag,
          ["pages", catalog.path, "-o", sites.folder(of: site).path, "--at", date, "--everywhere"]
            + site.arguments
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

  /// Returns the paths of a site's files, relative to its folder.
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

  /// Returns a page of a site.
  func page(_ path: String, of site: Site) throws -> HTMLPage {
    HTMLPage(try Data(contentsOf: folder(of: site).appending(path: path)))
  }
}

/// Generates the sites before the first test and removes them after the last.
struct GeneratedSites: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let sites = try Sites.generate()
    defer { sites.remove() }
    try await Sites.$current.withValue(sites) { try await function() }
  }
}

extension Trait where Self == GeneratedSites {
  static var generatedSites: GeneratedSites { GeneratedSites() }
}

/// A store page under test, and the response of the library for it.
struct StoreRow: Sendable, CustomTestStringConvertible {
  let language: String
  let storefront: String

  static let all: [StoreRow] = [
    StoreRow(language: "en-US", storefront: "USA"),
    // Prices whose direction differs from that of the page.
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

  func uiLanguage() throws -> UILanguage { try UILanguage(language) }

  /// Returns the library's response for the page.
  func response(of catalog: SampleCatalog = .garage) throws -> ProductsResponse {
    try catalog.imported().products(
      for: ProductsRequest(
        nil,
        storefront: Storefront(storefront),
        language: uiLanguage(),
        at: .date(CalendarDate(Sites.date))
      )
    )
  }
}

/// Returns a text with all non-ASCII and control characters escaped, so that different texts look different.
func visible(_ text: String) -> String {
  text.unicodeScalars.map {
    $0.isASCII && $0.value >= 0x20 ? String($0) : "\\u{\(String($0.value, radix: 16))}"
  }
  .joined()
}

/// Returns a text for comparing what a screen reader says: without format characters and spaces, and escaped.
func audible(_ text: String) -> String {
  var audible = ""
  for scalar in text.unicodeScalars {
    if scalar.properties.generalCategory == .format || scalar.properties.isWhitespace { continue }
    audible.unicodeScalars.append(scalar)
  }
  return visible(audible)
}

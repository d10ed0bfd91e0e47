import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats

/// A catalogue that a site is made of.
enum SampleCatalog: Sendable {
  /// The sample shop.
  case garage
  /// Texts that would be more than texts on a careless page.
  case hostile
  /// Prices that were reduced some days before.
  case sale

  private static let garageFile = Programs.package.appending(path: "Examples/rocket-garage.json")
  private static let catalogs: [SampleCatalog: Result<Catalog, any Error>] = [
    .garage: Result { try read(.garage) }, .sale: Result { try read(.sale) },
  ]

  /// The bytes of its file.
  func bytes() throws -> Data {
    switch self {
    case .garage: try Data(contentsOf: Self.garageFile)
    case .hostile: try Self.file(["products": Self.hostileProducts, "categories": [Self.hostileCategory]])
    case .sale: try Self.file(["products": Self.saleProducts])
    }
  }

  private static func file(_ contents: [String: Any]) throws -> Data {
    let head: [String: Any] = ["format": "pricetag-catalog", "version": 1]
    return try JSONSerialization.data(withJSONObject: head.merging(contents) { $1 })
  }

  /// The catalogue in memory, as the library reads it.
  func imported() throws -> Catalog {
    if let known = Self.catalogs[self] { return try known.get() }
    return try Self.read(self)
  }

  private static func read(_ sample: SampleCatalog) throws -> Catalog {
    let catalog = try Catalog()
    let folder = try Programs.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "catalog.json")
    try sample.bytes().write(to: file)
    try catalog.importFiles([CatalogFile(path: file.path)]) { (error) throws(CatalogError) in throw error }
    return catalog
  }

  // MARK: Hostile texts

  /// They end a script, an attribute of either quote (an accent makes the quote and itself one character, which is no
  /// quote to who looks for characters) and a title, open a tag, an image that fails and a section of a template, and
  /// turn what stands behind them.
  static let hostileNames: [(identifier: String, name: String)] = [
    ("com.example.script", #"<script>alert(1)</script>"'><img src=x onerror=alert(1)>"#),
    ("com.example.accent", "Car\"\u{301} onmouseover=\"alert(1)\" onfocus=alert(1) autofocus x='\u{301}"),
    ("com.example.angle", "Car<\u{338}script>alert(1)<\u{338}/script>&lt;img src=x onerror=alert(1)&gt;"),
    ("com.example.title", "</title></bdi></script><svg onload=alert(1)>{{{name}}}"),
    ("com.example.template", "{{words.buy}}{{#storefront}}{{id}}{{/storefront}}${alert(1)}"),
    // An override and an isolate that are never ended.
    ("com.example.override", "Car \u{202E}live\u{2067} \u{202D}"),
  ]

  private static var hostileProducts: [[String: Any]] {
    hostileNames.map { identifier, name in
      let text = ["name": name, "description": "\(name) described"]
      return [
        "productIdentifier": identifier, "kind": "non-consumable", "category": "hostile",
        "localizations": ["en-US": text, "ar": text], "prices": ["USA": "1234.50", "SAU": "1234.50"],
      ]
    }
  }

  private static var hostileCategory: [String: Any] {
    ["identifier": "hostile", "names": ["en-US": hostileNames[0].name, "ar": hostileNames[1].name]]
  }

  // MARK: Reduced prices

  /// A price from ten days before the day of the sites, and the one before it.
  private static func reduced(_ before: String, _ now: String) -> [String: Any] {
    let prices: [[String: String]] = [
      ["amount": before, "until": "2026-11-10"], ["amount": now, "from": "2026-11-11"],
    ]
    return ["USA": prices, "SAU": prices]
  }

  private static var saleProducts: [[String: Any]] {
    [
      [
        "productIdentifier": "com.example.once", "kind": "non-consumable",
        "localizations": ["en-US": ["name": "Once"], "ar": ["name": "\u{645}\u{631}\u{629}"]],
        "prices": reduced("1999.50", "1234.50"),
      ],
      [
        "productIdentifier": "com.example.monthly", "kind": "auto-renewable-subscription",
        "subscriptionGroup": "club", "groupLevel": 1, "subscriptionPeriod": "P1M",
        "localizations": ["en-US": ["name": "Monthly"]], "prices": reduced("9.99", "4.99"),
      ],
    ]
  }
}

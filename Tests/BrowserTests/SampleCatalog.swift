import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats

/// A catalog for a site.
enum SampleCatalog: Sendable {
  /// The sample shop.
  case garage
  /// A shop whose texts try to inject HTML, scripts, and bidi controls.
  case hostile
  /// A shop with recently reduced prices.
  case sale

  private static let garageFile = Programs.package.appending(path: "Examples/rocket-garage.json")
  private static let catalogs: [SampleCatalog: Result<Catalog, any Error>] = [
    .garage: Result { try read(.garage) }, .sale: Result { try read(.sale) },
  ]

  /// Returns the contents of its file.
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

  /// Returns the imported catalog.
  func imported() throws -> Catalog {
    if let cached = Self.catalogs[self] { return try cached.get() }
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

  /// Names that end a script, a title, or an attribute, start a tag, an image, or a template section, or reorder the text
  /// that follows. A quote followed by a combining accent is one `Character`, so code that escapes by `Character` misses it.
  static let hostileNames: [(identifier: String, name: String)] = [
    ("com.example.script", #"<script>alert(1)</script>"'><img src=x onerror=alert(1)>"#),
    ("com.example.accent", "Car\"\u{301} onmouseover=\"alert(1)\" onfocus=alert(1) autofocus x='\u{301}"),
    ("com.example.angle", "Car<\u{338}script>alert(1)<\u{338}/script>&lt;img src=x onerror=alert(1)&gt;"),
    ("com.example.title", "</title></bdi></script><svg onload=alert(1)>{{{name}}}"),
    ("com.example.template", "{{words.buy}}{{#storefront}}{{id}}{{/storefront}}${alert(1)}"),
    // Unclosed bidi override and isolate.
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

  /// Returns a price that was reduced ten days before the date of the sites.
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
      [
        "productIdentifier": "com.example.pass", "kind": "non-renewing-subscription",
        "subscriptionPeriod": "P3M", "localizations": ["en-US": ["name": "Pass"]],
        "prices": reduced("29.99", "24.50"),
      ],
    ]
  }
}

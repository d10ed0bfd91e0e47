import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests the structured data of every page of the sample shop against what Google documents for merchant listings,
/// breadcrumbs, organizations and lists.
@Suite struct StructuredDataTests {
  private static let url = "https://rocket-garage.example/"

  typealias Rule = (type: String, required: [String], recommended: [String])

  /// The fields that objects must have, and those that at least one object must have.
  static let rules: [Rule] = [
    ("Product", ["name", "offers", "sku", "url"], ["description", "category", "image"]),
    ("Offer", ["price", "priceCurrency", "availability", "url"], ["priceSpecification", "priceValidUntil"]),
    (
      "UnitPriceSpecification", ["price", "priceCurrency"],
      ["valueAddedTaxIncluded", "billingDuration", "referenceQuantity"]
    ),
    ("QuantitativeValue", ["value", "unitCode"], ["valueReference"]), ("Country", ["name"], []),
    ("BreadcrumbList", ["itemListElement"], []), ("ItemList", ["itemListElement", "numberOfItems"], []),
    ("ListItem", ["position"], ["name", "item"]),
    ("Organization", ["name", "url", "logo"], []),
  ]

  /// The kinds of pages, by the path of the file, and the types of their structured data.
  static let kinds: [(name: String, path: String, types: [String])] = [
    ("entry page", #"(choose/[a-z-]+/)?index\.html"#, ["Organization"]),
    ("product in all stores", #"choose/products/[^/]+/index\.html"#, []),
    ("store", #"store/[a-z]+/[a-z-]+/index\.html"#, ["ItemList"]),
    (
      "list", #"store/[a-z]+/[a-z-]+/(all|categories/[^/]+)/([0-9]+/)?index\.html"#,
      ["BreadcrumbList", "ItemList"]
    ),
    ("product", #"store/[a-z]+/[a-z-]+/products/[^/]+/index\.html"#, ["BreadcrumbList", "Product"]),
    ("everywhere", #"everywhere/(products/[^/]+/)?index\.html"#, []), ("not found", #"404\.html"#, []),
  ]

  /// The shops, each with the number of products that its pages exceed.
  ///
  /// The products of a store with lists have the same pages except for their breadcrumbs, so it is written in fewer
  /// storefronts and languages.
  static let shops: [(productsPerPage: Int, storefronts: [String], languages: [String], products: Int)] = [
    (48, ["USA", "SAU", "DEU"], ["en-US", "ar", "de"], 150), (4, ["USA", "DEU"], ["en-US", "ar"], 90),
  ]

  @Test(arguments: shops)
  func hasDocumentedFields(
    productsPerPage: Int,
    storefronts: [String],
    languages: [String],
    products: Int
  ) throws {
    let folder = try TemporaryFolder()
    let catalog = try Catalog()
    let sample = PageShop.examples.appending(path: "rocket-garage.json").path
    try catalog.importFiles([CatalogFile(path: sample)]) { (error) throws(CatalogError) in throw error }
    let site = try Site(
      catalog,
      ListingRequest(
        storefronts: storefronts.map { try Storefront($0) },
        languages: .list(languages.map { try UILanguage($0) }),
        at: .date(CalendarDate("2026-11-21")),
        unitPriceRounding: .halfUp
      ),
      shop: Shop(
        logo: "images/logo.svg",
        url: Self.url,
        productsPerPage: productsPerPage,
        announcesIncreases: true
      ),
      assets: SiteAssets(folder: PageShop.examples.appending(path: "rocket-garage-assets").path),
      includesEverywherePages: true,
      jobs: 2
    )
    _ = try site.write(to: "\(folder.path)/site")
    var checker = Checker(files: Set(folder.files(in: "site")))
    var pages: [String: Int] = [:]
    let kinds = try Self.kinds.map { (name: $0.name, path: try Regex($0.path), types: $0.types) }
    for file in checker.files.sorted() where file.hasSuffix(".html") {
      let kind = kinds.first { file.wholeMatch(of: $0.path) != nil }
      var search = PageSearch(try folder.read("site/\(file)"))
      var types: [String] = []
      while search.skip(past: #"<script type="application/ld+json">"#),
        let json = search.text(before: "</script>")
      {
        let data = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let object = try #require(data as? [String: Any])
        #expect(object["@context"] as? String == "https://schema.org")
        types.append(object["@type"] as? String ?? "")
        checker.check(object, file)
      }
      #expect(kind != nil && types.sorted() == kind?.types, "\(file): \(types)")
      if let kind { pages[kind.name, default: 0] += 1 }
    }
    let isPaged = productsPerPage == 4
    for kind in Self.kinds {
      #expect((pages[kind.name] ?? 0 > 0) == (isPaged || kind.name != "list"), "\(kind.name)")
    }
    for rule in Self.rules {
      let missing = Set(rule.recommended).subtracting(checker.found[rule.type] ?? [])
      #expect(missing.isEmpty, "\(rule.type): \(missing)")
    }
    #expect(checker.productCount > products)
  }

  /// Checks objects of structured data.
  private struct Checker {
    let files: Set<String>
    /// The fields that objects of a type have.
    var found: [String: Set<String>] = [:]
    var productCount = 0

    init(files: Set<String>) { self.files = files }

    mutating func check(_ value: Any, _ file: String) {
      if let values = value as? [Any] { for value in values { check(value, file) } }
      guard let object = value as? [String: Any] else { return }
      let type = object["@type"] as? String ?? ""
      guard let rule = StructuredDataTests.rules.first(where: { $0.type == type }) else {
        Issue.record("\(file): unknown type \(type)")
        return
      }
      let missing = rule.required.filter { object[$0] == nil }
      #expect(missing.isEmpty, "\(file): a \(type) has no \(missing)")
      found[type, default: []].formUnion(object.keys)
      for (key, value) in object {
        if let text = value as? String { #expect(!text.isEmpty, "\(file): \(type).\(key)") }
        switch key {
        case "url", "logo", "image": for address in addresses(value) { checkAddress(address, file) }
        case "item" where value is String: for address in addresses(value) { checkAddress(address, file) }
        case "price": checkPrice(value, isFreeAllowed: type == "Offer", file)
        case "priceCurrency": #expect((value as? String)?.wholeMatch(of: /[A-Z]{3}/) != nil, "\(file)")
        case "priceValidUntil":
          #expect((value as? String).flatMap { try? CalendarDate($0) } != nil, "\(file): \(value)")
        case "availability": #expect(value as? String == "https://schema.org/InStock")
        default: break
        }
        check(value, file)
      }
      switch type {
      case "Product":
        productCount += 1
        #expect(object["offers"] is [String: Any])
      case "BreadcrumbList": checkList(object, file, ["name", "item"], isLastWithoutAddress: true)
      case "ItemList":
        let isSummary = ((object["itemListElement"] as? [[String: Any]])?.first)?["url"] != nil
        checkList(object, file, [isSummary ? "url" : "item"], isLastWithoutAddress: false)
      default: break
      }
    }

    private func addresses(_ value: Any?) -> [String] {
      value as? [String] ?? (value as? String).map { [$0] } ?? []
    }

    /// An address is absolute, and leads to a file of the site.
    private func checkAddress(_ address: String, _ file: String) {
      guard address.hasPrefix(StructuredDataTests.url) else {
        Issue.record("\(file): \(address)")
        return
      }
      let path = address.dropFirst(StructuredDataTests.url.count).prefix { $0 != "#" }
      let isPage = path.isEmpty || path.hasSuffix("/")
      #expect(files.contains(isPage ? "\(path)index.html" : String(path)), "\(file): \(address)")
    }

    private func checkPrice(_ value: Any, isFreeAllowed: Bool, _ file: String) {
      guard let text = value as? String, let amount = try? Amount(decimal: text) else {
        Issue.record("\(file): the price \(value)")
        return
      }
      #expect(amount > .zero || isFreeAllowed && amount == .zero, "\(file): \(text)")
    }

    /// The items of a list are numbered without gaps.
    private func checkList(
      _ list: [String: Any],
      _ file: String,
      _ required: [String],
      isLastWithoutAddress: Bool
    ) {
      let items = list["itemListElement"] as? [[String: Any]] ?? []
      let positions = items.compactMap { $0["position"] as? Int }
      let first = positions.first ?? 0
      #expect(!items.isEmpty && positions == Array(first..<first + items.count), "\(file): \(positions)")
      #expect(isLastWithoutAddress ? items.count > 1 && first == 1 : first > 0, "\(file)")
      for (index, item) in items.enumerated() {
        let isLast = isLastWithoutAddress && index == items.count - 1
        for key in required where item[key] == nil && !(isLast && key == "item") {
          Issue.record("\(file): an item has no \(key)")
        }
      }
    }
  }
}

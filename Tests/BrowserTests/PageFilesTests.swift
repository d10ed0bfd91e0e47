import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagStrings
import Testing

/// Tests of a site's files, without a browser.
extension SiteTests {
  @Suite struct PageFiles {
    // MARK: Links

    /// Every link leads to an existing file and element of the site or to another site, identifiers are unique, and pages
    /// contain no event handlers.
    @Test(arguments: Sites.all)
    func linksAreValid(site: Sites.Site) throws {
      let sites = try Sites.generated()
      let files = try sites.files(of: site)
      let pages = try files.filter { $0.hasSuffix(".html") }.map {
        (path: $0, page: try sites.page($0, of: site))
      }
      let fileSet = Set(files)
      var problems: [String] = []
      var anchors: [String: Set<String>] = [:]
      for (path, page) in pages {
        anchors[path] = Set(page.identifiers)
        let repeated = Dictionary(grouping: page.identifiers) { $0 }.filter { $1.count > 1 }.keys
        if !repeated.isEmpty {
          problems.append("\(path) has more than one \(repeated.sorted().joined(separator: ", "))")
        }
      }
      var links = 0
      let root = site.address.flatMap { URL(string: $0)?.path() } ?? "/"
      for (path, page) in pages {
        let actions = page.elements.flatMap(\.attributes.keys).filter { $0.hasPrefix("on") }
        if !actions.isEmpty { problems.append("\(path) has \(actions.sorted().joined(separator: ", "))") }
        for address in page.addresses {
          links += 1
          // One file answers addresses in any folder, so its links start with the path of the site.
          let isFixed = path == "404.html" && address.hasPrefix(root)
          let relative = isFixed ? "./\(address.dropFirst(root.count))" : address
          switch LinkTarget(relative, on: path, of: site.address) {
          case .otherSite: break
          case .invalid(let reason): problems.append("\(path) leads to \(reason): \(address)")
          case .file(let file, let fragment):
            if !fileSet.contains(file) {
              problems.append("\(path) leads to \(file), which does not exist: \(address)")
            } else if let fragment, !fragment.hasPrefix("product="), let identifiers = anchors[file],
              !identifiers.contains(fragment)
            {
              problems.append("\(path) leads to #\(fragment), which \(file) does not have")
            }
          }
        }
      }
      #expect(
        problems.isEmpty,
        "\(problems.count) of \(links) links:\n\(problems.prefix(20).joined(separator: "\n"))"
      )
      #expect(links >= pages.count)
    }

    // MARK: Structured data

    private struct Offer: Decodable {
      let price: String
      let priceCurrency: String
    }

    private struct Item: Decodable {
      let sku: String
      let name: String
      let offers: Offer
    }

    private struct ItemList: Decodable {
      struct Element: Decodable {
        let item: Item
      }

      let itemListElement: [Element]
    }

    private static func check(_ item: Item, _ product: Product) {
      #expect(item.name == product.displayName)
      #expect(item.offers.price.wholeMatch(of: #/[0-9]+(\.[0-9]+)?/#) != nil, "\(item.offers.price)")
      #expect(item.offers.price == product.price.amount.description)
      #expect(item.offers.priceCurrency == product.price.currency.code)
    }

    /// Structured data contains the decimal amount in every language, never the formatted price.
    @Test(arguments: StoreRow.all)
    func writesAmountAsStructuredData(row: StoreRow) throws {
      let sites = try Sites.generated()
      let response = try row.response()
      let store = try sites.page("\(row.path)index.html", of: Sites.garage)
      let list = try JSONDecoder().decode(ItemList.self, from: #require(store.structuredData.first))
      #expect(list.itemListElement.map(\.item.sku) == response.products.map(\.identifier))
      for (element, product) in zip(list.itemListElement, response.products) {
        Self.check(element.item, product)
      }
      for product in response.products {
        let page = try sites.page("\(row.path)products/\(product.identifier)/index.html", of: Sites.garage)
        let item = try JSONDecoder().decode(Item.self, from: #require(page.structuredData.first))
        #expect(item.sku == product.identifier)
        Self.check(item, product)
      }
    }

    /// All language versions of a page link to each other, to a canonical address, and to a default.
    @Test(arguments: StoreRow.all)
    func linksLanguages(row: StoreRow) throws {
      let sites = try Sites.generated()
      let site = Sites.garage
      let base = try #require(site.address)
      let storefront = try Storefront(row.storefront)
      let product = try #require(try row.response().products.first).identifier
      for page in ["", "products/\(product)/"] {
        func address(_ language: String) -> String {
          "\(base)store/\(storefront.id.lowercased())/\(language.lowercased())/\(page)"
        }
        let languages = try storefront.languages.map { try UILanguage($0) }
        var expected = Dictionary(
          uniqueKeysWithValues: storefront.searchLanguages(languages).map {
            ($0.tag, address($0.language.identifier))
          }
        )
        expected["x-default"] = page.isEmpty ? base : "\(base)choose/\(page)"
        for language in storefront.languages {
          let path = "\(address(language).dropFirst(base.count))index.html"
          let html = try sites.page(path, of: site)
          #expect(html.alternates == expected, "\(path)")
          #expect(html.canonical == [address(language)], "\(path)")
          #expect(html.elements.first { $0.name == "html" }?.attributes["lang"] == language, "\(path)")
        }
      }
    }

    /// The entry pages link to each other in the same way. The root page is one of them.
    @Test func linksEntryPages() throws {
      let sites = try Sites.generated()
      let base = try #require(Sites.garage.address)
      let paths = try sites.files(of: Sites.garage).filter {
        $0.hasPrefix("choose/") && !$0.hasPrefix("choose/products/") && $0.hasSuffix(".html")
      }
      let pages = try paths.map { (path: $0, page: try sites.page($0, of: Sites.garage)) }
      var expected = Dictionary(
        pages.map {
          ($0.page.elements.first?.attributes["lang"] ?? "", base + $0.path.dropLast("index.html".count))
        }
      ) { $1 }
      #expect(expected.count == pages.count && pages.count >= 15)
      // The root page is the entry page in the default language, and choose/en-us/ its copy.
      expected["en-US"] = base
      expected["x-default"] = base
      for (path, page) in pages {
        #expect(page.alternates == expected, "\(path)")
        let isDefault = page.elements.first?.attributes["lang"] == "en-US"
        #expect(page.canonical == [isDefault ? base : base + path.dropLast("index.html".count)])
      }
      let first = try sites.page("index.html", of: Sites.garage)
      #expect(first.alternates == expected)
      #expect(first.canonical == [expected["en-US"]].compactMap(\.self))
    }

    /// Without an address of the site, links to other languages are relative.
    @Test func linksLanguagesWithoutAddress() throws {
      let sites = try Sites.generated()
      let page = try sites.page("store/usa/en-us/index.html", of: Sites.small)
      #expect(page.canonical.isEmpty)
      #expect(page.alternates["ar-US"] == "../ar/")
      #expect(page.alternates["x-default"] == "../../../")
    }

    // MARK: Payments not allowed

    @Test func showsNoticeInsteadOfPrices() throws {
      let sites = try Sites.generated()
      for path in try sites.files(of: Sites.closed) where path.hasPrefix("store/") {
        let file = sites.folder(of: Sites.closed).appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        let language = try #require(HTMLPage(Data(text.utf8)).elements.first).attributes["lang"]
        let notice = try StoreStrings.embedded.format(
          "payments_not_allowed",
          in: UILanguage(try #require(language))
        )
        #expect(text.contains(notice.plain), "\(path)")
        #expect(!text.contains("class=\"price\"") && !text.contains("\"price\""), "\(path)")
      }
    }

    // MARK: HTML

    /// The Nu HTML checker of the W3C reports no problems in a sample of all kinds of pages and languages.
    @Test(
      .enabled(
        if: Programs.java != nil && Programs.nu != nil,
        "needs Java and the Nu HTML checker: Scripts/setup/setup-browser"
      )
    )
    func passesHTMLChecker() throws {
      struct Report: Decodable {
        struct Message: Decodable {
          let type: String
          let url: String?
          let lastLine: Int?
          let message: String
        }

        let messages: [Message]
      }
      let sites = try Sites.generated()
      let sample = try Sites.all.flatMap { site in
        Self.sample(of: try sites.files(of: site)).map { sites.folder(of: site).appending(path: $0).path }
      }
      #expect(sample.count >= 60)
      // Language detection is off because it guesses wrong for short texts.
      let outcome = try Programs.run(
        try #require(Programs.java),
        ["-jar", try #require(Programs.nu).path, "--format", "json", "--stdout", "--no-langdetect"] + sample
      )
      let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
      let messages = report.messages.compactMap { message -> String? in
        let page = message.url?.components(separatedBy: sites.folder.lastPathComponent).last ?? ""
        let isExpected =
          message.message.hasPrefix(Self.isDecomposed) && page.hasPrefix("/\(Sites.hostile.name)/")
        return isExpected
          ? nil : "\(message.type) in \(page), line \(message.lastLine ?? 0): \(message.message)"
      }
      #expect(messages.isEmpty, "\(messages.count) messages:\n\(messages.prefix(20).joined(separator: "\n"))")
    }

    /// The expected message about combining accents on brackets and quotes in the hostile shop.
    private static let isDecomposed = "Text run is not in Unicode Normalization Form C."

    /// Returns all pages except for most product pages, of which each store and language contributes one.
    private static func sample(of files: [String]) -> [String] {
      var counts: [String: Int] = [:]
      return files.filter { $0.hasSuffix(".html") }.filter { path in
        guard let products = path.range(of: "/products/") else { return true }
        let folder = String(path[..<products.lowerBound])
        counts[folder, default: 0] += 1
        // The third one, because the first may be free.
        return counts[folder] == 3
      }
    }
  }
}

extension Sites.Site {
  /// The base address of its pages, if it has one.
  var address: String? { arguments.firstIndex(of: "--url").map { arguments[$0 + 1] } }
}

extension HTMLPage {
  /// All addresses of links and embedded resources.
  var addresses: [String] {
    elements.flatMap { element in
      ["href", "src", "action", "formaction", "poster", "data", "srcset"].compactMap {
        element.attributes[$0]
      }
    }
  }

  var identifiers: [String] { elements.compactMap { $0.attributes["id"] } }

  private func links(_ relation: String) -> [Element] {
    elements.filter { $0.name == "link" && $0.attributes["rel"] == relation }
  }

  var canonical: [String] { links("canonical").compactMap { $0.attributes["href"] } }

  /// The addresses of its language versions by language.
  var alternates: [String: String] {
    Dictionary(
      links("alternate").compactMap { link in
        link.attributes["hreflang"].map { ($0, link.attributes["href"] ?? "") }
      }
    ) { "\($0) and \($1)" }
  }
}

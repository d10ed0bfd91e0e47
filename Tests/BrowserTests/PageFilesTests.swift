import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// What the files of a site say, without a browser.
extension SiteTests {
  @Suite struct PageFiles {
    // MARK: Links

    /// Every link of every page leads to a file of the site, and to an element of it where it names one; no two elements
    /// of a page have one name, and none acts by an address or by an attribute.
    @Test(arguments: Sites.all)
    func everyLinkLeadsSomewhere(site: Sites.Site) throws {
      let sites = try Sites.made()
      let files = try sites.files(of: site)
      let pages = try files.filter { $0.hasSuffix(".html") }.map {
        (path: $0, page: try sites.page($0, of: site))
      }
      let known = Set(files)
      var wrong: [String] = []
      var anchors: [String: Set<String>] = [:]
      for (path, page) in pages {
        anchors[path] = Set(page.identifiers)
        let repeated = Dictionary(grouping: page.identifiers) { $0 }.filter { $1.count > 1 }.keys
        if !repeated.isEmpty {
          wrong.append("\(path) has more than one \(repeated.sorted().joined(separator: ", "))")
        }
      }
      var links = 0
      for (path, page) in pages {
        let actions = page.elements.flatMap(\.attributes.keys).filter { $0.hasPrefix("on") }
        if !actions.isEmpty { wrong.append("\(path) has \(actions.sorted().joined(separator: ", "))") }
        for address in page.addresses {
          links += 1
          switch LinkTarget(address, on: path, of: site.address) {
          case .elsewhere: break
          case .refused(let reason): wrong.append("\(path) leads to \(reason): \(address)")
          case .file(let file, let fragment):
            if !known.contains(file) {
              wrong.append("\(path) leads to \(file), which is not there: \(address)")
            } else if let fragment, let identifiers = anchors[file], !identifiers.contains(fragment) {
              wrong.append("\(path) leads to #\(fragment), which \(file) does not have")
            }
          }
        }
      }
      #expect(wrong.isEmpty, "\(wrong.count) of \(links) links:\n\(wrong.prefix(20).joined(separator: "\n"))")
      #expect(links >= pages.count)
    }

    // MARK: Data for search engines

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

    /// Machines read an amount, never the text of a display: in each language and of each storefront the same.
    @Test(arguments: StoreRow.all)
    func machinesReadTheAmount(row: StoreRow) throws {
      let sites = try Sites.made()
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

    /// A page names itself and its other languages, all of them name each other, and one is for readers of none.
    @Test(arguments: StoreRow.all)
    func languagesNameEachOther(row: StoreRow) throws {
      let sites = try Sites.made()
      let site = Sites.garage
      let base = try #require(site.address)
      let storefront = try Storefront(row.storefront)
      let product = try #require(try row.response().products.first).identifier
      for page in ["", "products/\(product)/"] {
        func address(_ language: String) -> String {
          "\(base)store/\(storefront.id.lowercased())/\(language.lowercased())/\(page)"
        }
        var expected = Dictionary(uniqueKeysWithValues: storefront.languages.map { ($0, address($0)) })
        expected["x-default"] = address(storefront.defaultLanguage)
        for language in storefront.languages {
          let path = "\(address(language).dropFirst(base.count))index.html"
          let html = try sites.page(path, of: site)
          #expect(html.alternates == expected, "\(path)")
          #expect(html.canonical == [address(language)], "\(path)")
          #expect(html.elements.first { $0.name == "html" }?.attributes["lang"] == language, "\(path)")
        }
      }
    }

    /// So do the entry pages, of which the site's first is one.
    @Test func entryPagesNameEachOther() throws {
      let sites = try Sites.made()
      let base = try #require(Sites.garage.address)
      let paths = try sites.files(of: Sites.garage).filter {
        $0.hasPrefix("choose/") && $0.hasSuffix(".html")
      }
      let pages = try paths.map { (path: $0, page: try sites.page($0, of: Sites.garage)) }
      var expected = Dictionary(
        pages.map {
          ($0.page.elements.first?.attributes["lang"] ?? "", base + $0.path.dropLast("index.html".count))
        }
      ) { $1 }
      #expect(expected.count == pages.count && pages.count >= 15)
      expected["x-default"] = expected["en-US"]
      for (path, page) in pages {
        #expect(page.alternates == expected, "\(path)")
        #expect(page.canonical == [base + path.dropLast("index.html".count)])
      }
      let first = try sites.page("index.html", of: Sites.garage)
      #expect(first.alternates == expected)
      #expect(first.canonical == [expected["en-US"]].compactMap(\.self))
    }

    /// A site that has no address names its languages by where they stand.
    @Test func aSiteWithoutAnAddressHasNoWholeOnes() throws {
      let sites = try Sites.made()
      let page = try sites.page("store/usa/en-us/index.html", of: Sites.small)
      #expect(page.canonical.isEmpty)
      #expect(page.alternates["ar"] == "../ar/")
      #expect(page.alternates["x-default"] == "./")
    }

    // MARK: A reader who may not pay

    @Test func aReaderWhoMayNotPaySeesWhyAndNoPrice() throws {
      let sites = try Sites.made()
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

    /// The W3C's checker has nothing to say, of a sample with every kind of page and every language.
    @Test(
      .enabled(
        if: Programs.java != nil && Programs.nu != nil,
        "needs Java and the Nu HTML checker: Scripts/setup-browser"
      )
    )
    func theCheckerHasNothingToSay() throws {
      struct Report: Decodable {
        struct Message: Decodable {
          let type: String
          let url: String?
          let lastLine: Int?
          let message: String
        }

        let messages: [Message]
      }
      let sites = try Sites.made()
      let sample = try Sites.all.flatMap { site in
        Self.sample(of: try sites.files(of: site)).map { sites.folder(of: site).appending(path: $0).path }
      }
      #expect(sample.count >= 60)
      // Which language a page is in is told by its row, better than by a guess.
      let outcome = try Programs.run(
        try #require(Programs.java),
        ["-jar", try #require(Programs.nu).path, "--format", "json", "--stdout", "--no-langdetect"] + sample
      )
      let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
      let messages = report.messages.compactMap { message -> String? in
        let page = message.url?.components(separatedBy: sites.folder.lastPathComponent).last ?? ""
        let isOurs = message.message.hasPrefix(Self.isDecomposed) && page.hasPrefix("/\(Sites.hostile.name)/")
        return isOurs
          ? nil : "\(message.type) in \(page), line \(message.lastLine ?? 0): \(message.message)"
      }
      #expect(messages.isEmpty, "\(messages.count) messages:\n\(messages.prefix(20).joined(separator: "\n"))")
    }

    /// What the hostile shop's accents on brackets and quotes are, of all pages.
    private static let isDecomposed = "Text run is not in Unicode Normalization Form C."

    /// A page of each kind and folder: two products are written by the same template.
    private static func sample(of files: [String]) -> [String] {
      var counts: [String: Int] = [:]
      return files.filter { $0.hasSuffix(".html") }.filter { path in
        guard let products = path.range(of: "/products/") else { return true }
        let folder = String(path[..<products.lowerBound])
        counts[folder, default: 0] += 1
        // Not the first, which may be the free one, and not in a language of which there are several such pages.
        return counts[folder] == 3
      }
    }
  }
}

extension Sites.Site {
  /// What the addresses of its pages start with, where it knows.
  var address: String? { arguments.firstIndex(of: "--url").map { arguments[$0 + 1] } }
}

extension HTMLPage {
  /// Every address that it leads to, or shows something of.
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

  /// Its addresses by their languages.
  var alternates: [String: String] {
    Dictionary(
      links("alternate").compactMap { link in
        link.attributes["hreflang"].map { ($0, link.attributes["href"] ?? "") }
      }
    ) { "\($0) and \($1)" }
  }
}

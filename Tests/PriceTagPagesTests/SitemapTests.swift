import Foundation
import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagPages

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Tests of sitemaps.
@Suite struct SitemapTests {
  private static func files(
    pages: Int,
    maximumAddressCount: Int = Sitemap.maximumAddressCount,
    maximumByteCount: Int = Sitemap.maximumByteCount
  ) throws -> [(path: String, text: String)] {
    let (storefront, languages) = (try Storefront("CHE"), try ["de", "fr-FR"].map { try UILanguage($0) })
    var files: [(path: String, text: String)] = []
    var text = ""
    var sitemap = Sitemap(
      url: "https://shop.example/?a&b/",
      maximumAddressCount: maximumAddressCount,
      maximumByteCount: maximumByteCount
    ) { output in
      switch output {
      case .text(let part): text += part
      case .end(let path):
        files.append((path, text))
        text = ""
      }
    }
    for number in 0..<pages {
      try sitemap.add(
        languages,
        searchLanguages: storefront.searchLanguages(languages),
        defaultPage: .productEntry("p\(number)")
      ) { .product("p\(number)", storefront, $0) }
    }
    try sitemap.finish()
    return files
  }

  private static func document(_ text: String) throws -> XMLDocument {
    try XMLDocument(data: Data(text.utf8))
  }

  @Test func listsPageInAllLanguages() throws {
    let files = try Self.files(pages: 1)
    #expect(files.map(\.path) == ["sitemap.xml"])
    let address = "https://shop.example/?a&b/store/che"
    let document = try Self.document(files[0].text)
    let urls = try document.nodes(forXPath: "//*[local-name()='url']").compactMap { $0 as? XMLElement }
    #expect(
      urls.map { $0.elements(forName: "loc").first?.stringValue } == [
        "\(address)/de/products/p0/", "\(address)/fr-fr/products/p0/",
      ]
    )
    for url in urls {
      let links = url.elements(forName: "xhtml:link").map { link in
        ["hreflang", "href"].map { name in
          (link.attributes ?? []).first { $0.localName == name || $0.name == name }?.stringValue ?? ""
        }.joined(separator: " ")
      }
      #expect(
        links == [
          "de-CH \(address)/de/products/p0/", "fr-CH \(address)/fr-fr/products/p0/",
          "x-default https://shop.example/?a&b/choose/products/p0/",
        ]
      )
    }
  }

  static let sizes: [(pages: Int, maximum: Int, bytes: Int, files: [Int])] = [
    (0, 10, 1 << 20, [0]), (5, 10, 1 << 20, [10]), (6, 10, 1 << 20, [10, 2]), (12, 10, 1 << 20, [10, 10, 4]),
    // An address takes about 400 bytes here.
    (4, 10, 1100, [2, 2, 2, 2]),
  ]

  @Test(arguments: sizes)
  func dividesLargeSitemap(pages: Int, maximum: Int, bytes: Int, files: [Int]) throws {
    var written = try Self.files(pages: pages, maximumAddressCount: maximum, maximumByteCount: bytes)
    if files.count > 1 {
      let index = written.removeLast()
      #expect(index.path == "sitemap.xml")
      let names = try Self.document(index.text).nodes(forXPath: "//*[local-name()='loc']").compactMap(
        \.stringValue
      )
      #expect(names == written.map { "https://shop.example/?a&b/\($0.path)" })
    }
    #expect(
      try written.map { try Self.document($0.text).nodes(forXPath: "//*[local-name()='url']").count } == files
    )
    #expect(written.allSatisfy { $0.text.utf8.count <= bytes })
  }
}

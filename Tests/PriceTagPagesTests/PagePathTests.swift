import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of page paths and the links between pages.
@Suite struct PagePathTests {
  private static func path(_ text: String) throws -> PagePath {
    let parts = text.split(separator: " ").map(String.init)
    switch parts.first {
    case "store": return .store(try Storefront(parts[1]), try UILanguage(parts[2]))
    case "product": return .product(parts[3], try Storefront(parts[1]), try UILanguage(parts[2]))
    case "choose": return .entry(try UILanguage(parts[1]))
    case "everywhere": return parts.count > 1 ? .everywhere(parts[1]) : .everywhereList
    default: return .root
    }
  }

  static let links: [(from: String, to: String, path: String, href: String)] = [
    ("", "choose ar", "choose/ar/", "choose/ar/"),
    ("", "", "", "./"),
    ("choose ar", "", "", "../../"),
    ("choose ar", "choose zh-Hant", "choose/zh-hant/", "../zh-hant/"),
    ("store USA en-US", "store USA en-US", "store/usa/en-us/", "./"),
    ("store USA en-US", "store USA es-MX", "store/usa/es-mx/", "../es-mx/"),
    ("store USA en-US", "choose en-US", "choose/en-us/", "../../../choose/en-us/"),
    ("store USA en-US", "product USA en-US level1", "store/usa/en-us/products/level1/", "products/level1/"),
    ("product USA en-US level1", "store USA en-US", "store/usa/en-us/", "../../"),
    (
      "product USA en-US level1", "product USA ar level1", "store/usa/ar/products/level1/",
      "../../../ar/products/level1/"
    ),
    ("product USA en-US level1", "product USA en-US a:b", "store/usa/en-us/products/a:b/", "../a:b/"),
    (
      "product USA en-US a", "product USA en-US index.html", "store/usa/en-us/products/index.html/",
      "../index.html/"
    ),
    ("everywhere level1", "everywhere", "everywhere/", "../../"),
    ("everywhere level1", "store JPN ja", "store/jpn/ja/", "../../../store/jpn/ja/"),
  ]

  @Test(arguments: links)
  func linksToPage(from: String, to: String, path: String, href: String) throws {
    let (start, end) = (try Self.path(from), try Self.path(to))
    #expect(end.description == path)
    #expect(end.file == "\(path)index.html")
    #expect(start.href(to: end) == href)
    // A colon before the first slash would make the first segment a URL scheme.
    #expect(!href.prefix { $0 != "/" }.contains(":") || href.hasPrefix("../"))
  }

  static let files: [(address: String, isPath: Bool, path: String)] = [
    ("images/a.png", true, "images/a.png"), ("/images//./a.png?2#x", true, "images/a.png"),
    ("./javascript:alert(1)", true, ""), ("/javascript:x/a.png", true, ""),
    ("../../etc/passwd", true, ""), ("images/../a.png", true, ""),
    ("https://cdn.example/a.png", false, ""),
    ("HTTP://cdn.example/a.png", false, ""),
  ]

  @Test(arguments: files)
  func keepsFilePathsInSite(address: String, isPath: Bool, path: String) {
    #expect(SiteFile.isPath(address) == isPath)
    #expect(SiteFile.path(address) == path)
  }

  /// Different identifiers have different fragments, which need no escaping in URLs and attributes.
  @Test func createsUniqueFragments() {
    let identifiers = [
      "cars", "Cars", "a b", "a%20b", "a~20b", "a-b", "\u{1}", "\u{2}", "é", "e\u{301}", "<b>\"'", "",
    ]
    let fragments = identifiers.map { fragment(of: $0) }
    #expect(Set(fragments).count == identifiers.count)
    #expect(
      fragments.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"'<>&%#".utf8.contains($0) } }
    )
    #expect(fragments[2] == "a~20b" && fragments[4] == "a~7e20b")
  }
}

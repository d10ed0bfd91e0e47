import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of complete sites: their files, and how one replaces another.
@Suite struct SiteTests {
  private static let url = "https://shop.example/"

  /// - Parameter url: The address of the site; `nil` for a site without sitemap.
  private static func site(
    _ storefronts: [String] = ["USA", "JPN"],
    shop: PageShop? = nil,
    assets: SiteAssets = .none,
    url: String? = nil,
    jobs: Int = 2
  ) throws -> Site {
    let shop = try shop ?? PageShop()
    return try Site(
      shop.catalog,
      shop.request(storefronts, languages: ["en-US", "ja"]),
      shop: Shop(name: "Rocket Garage", url: url),
      assets: assets,
      includesEverywherePages: true,
      jobs: jobs
    )
  }

  /// A product that no store can show is an error before anything is written.
  @Test(arguments: [
    (
      "cars", #"the catalog has no product "cars" for the hero of store pages; did you mean "car"?"#
    ),
    (
      "com.example.nothing",
      #"the catalog has no product "com.example.nothing" for the hero of store pages; use the identifier of one of its products"#
    ),
  ]) func rejectsUnknownHero(hero: String, error: String) throws {
    let folder = try TemporaryFolder()
    let shop = try PageShop()
    let site = try Site(shop.catalog, shop.request(["USA"], languages: ["en-US"]), shop: Shop(hero: hero))
    let thrown = try #require(throws: PagesError.self) { try site.write(to: "\(folder.path)/site") }
    #expect(thrown.code == .invalidShop && thrown.description == error)
    #expect(folder.files().isEmpty)
  }

  @Test func writesAllPages() throws {
    let folder = try TemporaryFolder()
    let summary = try Self.site(url: Self.url).write(to: "\(folder.path)/site")
    var expected = [
      ".pricetag-site", "404.html", "assets/choose.js", "assets/icon.svg", "assets/licenses.txt",
      "assets/store.css",
      "assets/store.js",
      "choose/en-us/index.html",
      "choose/ja/index.html",
      "everywhere/index.html", "index.html", "robots.txt", "sitemap.xml",
    ]
    for product in ["car", "coins", "free", "kit", "monthly", "pass", "yearly"] {
      expected.append("everywhere/products/\(product)/index.html")
      expected.append("everywhere/products/\(product)/prices.csv")
      expected.append("choose/products/\(product)/index.html")
      for store in ["usa/en-us", "usa/ja"] {
        expected.append("store/\(store)/products/\(product)/index.html")
      }
    }
    for product in ["car", "coins", "free", "monthly", "yearly"] {
      for store in ["jpn/en-us", "jpn/ja"] {
        expected.append("store/\(store)/products/\(product)/index.html")
      }
    }
    for store in ["usa/en-us", "usa/ja", "jpn/en-us", "jpn/ja"] {
      expected.append("store/\(store)/index.html")
    }
    #expect(folder.files(in: "site") == expected.sorted())
    #expect(summary.pages == expected.count { $0.hasSuffix(".html") })
    #expect(summary.files == expected.count - 1)
    #expect(summary.written == summary.files && summary.removed == 0)
    // The staging folder is gone.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["site"])
  }

  /// The table of a product's prices is also a file for spreadsheets.
  @Test func writesPricesAsCSV() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site(["USA", "JPN", "DEU"]).write(to: "\(folder.path)/site")
    let lines = try folder.read("site/everywhere/products/coins/prices.csv").split(separator: "\n")
    #expect(
      lines[..<3] == [
        "productIdentifier,storefront,currency,amount,displayedPrice,reason",
        #"coins,USA,USD,0.99,"$0.99","#, #"coins,JPN,JPY,160,"￥160","#,
      ]
    )
    #expect(lines.count == 4 && lines[3].hasPrefix(#"coins,DEU,,,,"the product has no price in DEU"#))
    let page = try folder.read("site/everywhere/products/coins/index.html")
    #expect(page.contains(#"<a href="prices.csv" download>CSV</a>"#) && page.contains("assets/choose.js"))
  }

  /// The sitemap lists the page to choose a store with the pages of all stores, and each of these with their store's languages.
  @Test func listsProductInAllStorefronts() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site(url: Self.url).write(to: "\(folder.path)/site")
    let sitemap = try folder.read("site/sitemap.xml")
    var alternates: [String: [String]] = [:]
    for url in sitemap.split(separator: "<url>").dropFirst() {
      let page = try #require(url.firstMatch(of: /<loc>https:\/\/shop.example\/([^<]*)/)?.1)
      #expect(alternates[String(page)] == nil, "\(page)")
      alternates[String(page)] = url.matches(of: /hreflang="([^"]*)" href="https:\/\/shop.example\/([^"]*)"/)
        .map {
          "\($0.1) \($0.2)"
        }
    }
    #expect(
      alternates["choose/products/car/"] == [
        "en-US store/usa/en-us/products/car/", "ja-US store/usa/ja/products/car/",
        "en-JP store/jpn/en-us/products/car/", "ja-JP store/jpn/ja/products/car/",
        "x-default choose/products/car/",
      ]
    )
    #expect(
      alternates["store/jpn/ja/products/car/"] == [
        "en-JP store/jpn/en-us/products/car/", "ja-JP store/jpn/ja/products/car/",
        "x-default choose/products/car/",
      ]
    )
    // Japan does not sell the season pass.
    #expect(alternates["choose/products/pass/"]?.count == 3)
    #expect(alternates[""]?.count == 7 && alternates[""]?.last == "ja-JP store/jpn/ja/")
    #expect(alternates["choose/ja/"] == ["en-US ", "ja choose/ja/", "x-default "])
    // Each page that the sitemap lists is a file, and the other way around.
    let files = folder.files(in: "site").filter {
      $0.hasSuffix("index.html") && !$0.hasPrefix("everywhere/") && $0 != "choose/en-us/index.html"
    }
    #expect(Set(files) == Set(alternates.keys.map { "\($0)index.html" }))
  }

  @Test func pointsSearchEnginesToSitemap() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site(url: Self.url).write(to: "\(folder.path)/site")
    let expected = "User-agent: *\nAllow: /\n\nSitemap: https://shop.example/sitemap.xml\n"
    #expect(try folder.read("site/robots.txt") == expected)
    // Without an address of the site there is no sitemap to point to.
    _ = try Self.site().write(to: "\(folder.path)/local")
    #expect(!folder.files(in: "local").contains("robots.txt"))
  }

  /// Every link of every page leads to a file of the site or to another site.
  @Test func linksAreValid() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site().write(to: "\(folder.path)/site")
    let files = Set(folder.files(in: "site"))
    var count = 0
    for file in files where file.hasSuffix(".html") {
      let base = URL(filePath: "/\(file)")
      let page = try folder.read("site/\(file)")
      let ids = Set(PageSearch.values(of: "id", in: page))
      for link in PageSearch.values(of: "href", in: page) + PageSearch.values(of: "src", in: page) {
        if link.hasPrefix("#") {
          #expect(ids.contains(String(link.dropFirst())), "\(file): \(link)")
          continue
        }
        // The pictures of some products.
        if link.hasPrefix("https://cdn.example/") { continue }
        let target = try #require(URL(string: link, relativeTo: base)).absoluteURL.path(percentEncoded: false)
        let isFolder = link.hasSuffix("/") || link.contains("/#")
        let path =
          String(target.drop { $0 == "/" })
          + (isFolder ? (target.hasSuffix("/") ? "" : "/") + "index.html" : "")
        #expect(files.contains(path.hasPrefix("/") ? String(path.dropFirst()) : path), "\(file): \(link)")
        count += 1
      }
    }
    #expect(count > 400)
  }

  /// The pages do not depend on the number of threads and equal those of `StorePages`.
  @Test func threadCountDoesNotChangePages() throws {
    let folder = try TemporaryFolder()
    for jobs in [1, 2, 7] {
      _ = try Self.site(url: Self.url, jobs: jobs).write(to: "\(folder.path)/site\(jobs)")
    }
    let files = folder.files(in: "site1")
    for jobs in [2, 7] {
      #expect(folder.files(in: "site\(jobs)") == files)
      // The list has the files in the order in which they were written.
      for file in files where file != ".pricetag-site" {
        let (one, other) = ("\(folder.path)/site1/\(file)", "\(folder.path)/site\(jobs)/\(file)")
        #expect(FileManager.default.contentsEqual(atPath: one, andPath: other), "\(file)")
      }
    }
    let store = try PageShop().store("JPN", "ja", languages: ["en-US", "ja"])
    let pages = StorePages(
      shop: try Shop(name: "Rocket Garage", url: Self.url),
      hasFile: { _ in false }
    )
    #expect(try folder.read("site1/store/jpn/ja/index.html") == pages.storePage(store))
    #expect(
      try folder.read("site1/store/jpn/ja/products/car/index.html") == pages.productPage("car", in: store)
    )
  }

  @Test func keepsUnchangedFiles() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    _ = try Self.site(url: Self.url).write(to: path)
    let before = try folder.number(of: "site/store/usa/en-us/products/coins/index.html")
    let again = try Self.site(url: Self.url).write(to: path)
    #expect(again.written == 0 && again.removed == 0)
    #expect(try folder.number(of: "site/store/usa/en-us/products/coins/index.html") == before)

    let dearer = try PageShop(PageShop.json.replacing("1234.50\",\"DEU", with: "1234.51\",\"DEU"))
    let changed = try Self.site(shop: dearer, url: Self.url).write(to: path)
    // Two store pages and two product pages of the United States, two pages that show the product as a related one, and
    // one "everywhere" page with its CSV.
    #expect(changed.written == 8)
    #expect(try folder.read("site/store/usa/ja/products/car/index.html").contains("$1,234.51"))
    #expect(try folder.number(of: "site/store/usa/en-us/products/coins/index.html") == before)

    let fewer = try Self.site(["JPN"], url: Self.url).write(to: path)
    // 2 store pages, 14 product pages, and the pages of the 2 products that Japan does not sell.
    #expect(fewer.removed == 18)
    #expect(!folder.files(in: "site").contains { $0.contains("/usa/") })
  }

  // MARK: Folders

  @Test func rejectsFolderWithOtherFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "home/letter.txt")
    let text = #"contains "letter.txt", which does not belong to a site; use a new or empty folder"#
    try expectError(.foreignFolder, text) { try Self.site().write(to: "\(folder.path)/home") }
    #expect(try folder.read("home/letter.txt") == "mine")
    // A site to which a file was added.
    _ = try Self.site().write(to: "\(folder.path)/site")
    try folder.write("mine", to: "site/store/letter.txt")
    #expect(throws: PagesError.self) { try Self.site(["JPN"]).write(to: "\(folder.path)/site") }
    #expect(try folder.read("site/store/letter.txt") == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["home", "site"])
    for path in ["/", ".", "..", "", "\(folder.path)/home/letter.txt"] {
      #expect(throws: PagesError.self, "\(path)") { try Self.site().write(to: path) }
    }
  }

  /// The staging folder of a killed run is removed, but not another folder of that name.
  @Test func removesStagingFolderOfKilledRun() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "site.pricetag-new/.pricetag-site")
    try folder.write("half", to: "site.pricetag-new/store/usa/en-us/index.html")
    _ = try Self.site().write(to: "\(folder.path)/site")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["site"])
    try folder.write("mine", to: "site.pricetag-new/letter.txt")
    try expectError(.foreignFolder) { try Self.site().write(to: "\(folder.path)/site") }
    #expect(try folder.read("site.pricetag-new/letter.txt") == "mine")
  }

  @Test func rejectsConcurrentWriter() throws {
    let folder = try TemporaryFolder()
    let other = try SiteFolder("\(folder.path)/site")
    try expectError(.busy) { try Self.site().write(to: "\(folder.path)/site") }
    withExtendedLifetime(other) {}
  }

  @Test func keepsSymbolicLinkToFolder() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site().write(to: "\(folder.path)/real")
    try folder.link("link", to: "real")
    _ = try Self.site(["JPN"]).write(to: "\(folder.path)/link")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link") == "real")
    #expect(!folder.files(in: "real").contains { $0.contains("/usa/") })
  }

  @Test func includesAssets() throws {
    let folder = try TemporaryFolder()
    try folder.write("<svg/>", to: "files/images/car.svg")
    try folder.write("x", to: "files/.git/config")
    try folder.write("y", to: "files/.well-known/z")
    _ = try Self.site(assets: SiteAssets(folder: "\(folder.path)/files")).write(to: "\(folder.path)/site")
    #expect(try folder.read("site/images/car.svg") == "<svg/>")
    #expect(try folder.read("site/.well-known/z") == "y")
    #expect(!folder.files(in: "site").contains(".git/config"))
    #expect(try folder.read("site/store/usa/ja/index.html").contains(#"src="../../../images/car.svg""#))

    try folder.write("mine", to: "files/index.html")
    let text =
      #""index.html" is both a file of the shop and a page or folder of the site; rename the shop's file"#
    try expectError(.invalidShop, text) {
      try Self.site(assets: SiteAssets(folder: "\(folder.path)/files")).write(to: "\(folder.path)/site")
    }
    #expect(try folder.read("site/images/car.svg") == "<svg/>")
    #expect(throws: PagesError.self) { try SiteAssets(folder: "\(folder.path)/nothing") }
  }

  static let invalidAssets: [(name: String, error: String)] = [
    ("a\nb.png", "contains control characters"), ("store", "is both a file of the shop"),
    ("sitemap.xml", "is both a file of the shop"), ("assets/store.css", "is both a file of the shop"),
  ]

  @Test(arguments: invalidAssets)
  func rejectsConflictingAssets(name: String, error: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "files/\(name)")
    try expectError(.invalidShop, error) {
      let assets = try SiteAssets(folder: "\(folder.path)/files")
      return try Self.site(assets: assets, url: Self.url).write(to: "\(folder.path)/site")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["files"])
  }

  /// Names that differ only in Unicode normalization are different files, and a pipe does not block.
  @Test func handlesUnusualFiles() throws {
    let folder = try TemporaryFolder()
    for name in ["images/\u{301}x.svg", "\u{E9}.svg", "e\u{301}.svg", "my car.svg"] {
      try folder.write(name, to: "files/\(name)")
    }
    let site = try Self.site(assets: SiteAssets(folder: "\(folder.path)/files"))
    for _ in 0..<2 { _ = try site.write(to: "\(folder.path)/site") }
    for name in ["images/\u{301}x.svg", "\u{E9}.svg", "e\u{301}.svg"] {
      #expect(try folder.read("site/\(name)") == name)
    }
    #expect(try SiteAssets(folder: "\(folder.path)/files").has("/my%20car.svg?1"))

    #expect(mkfifo("\(folder.path)/files/pipe.svg", 0o600) == 0)
    try expectError(.unreadableFile) {
      try Self.site(assets: SiteAssets(folder: "\(folder.path)/files")).write(to: "\(folder.path)/site")
    }
    #expect(mkfifo("\(folder.path)/files/x.mustache", 0o600) == 0)
    #expect(throws: PagesError.self) { try PageTemplates(folder: "\(folder.path)/files") }
  }

  @Test func keepsPermissionsOfFolder() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site().write(to: "\(folder.path)/site")
    try FileManager.default.setAttributes([.posixPermissions: 0o2750], ofItemAtPath: "\(folder.path)/site")
    _ = try Self.site(["JPN"]).write(to: "\(folder.path)/site")
    let permissions = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/site")[
      .posixPermissions
    ]
    #expect(permissions as? Int == 0o2750)
  }

  /// A file that is added to the old site while the new one is written is not removed.
  @Test func keepsFilesAddedMeanwhile() throws {
    let folder = try TemporaryFolder()
    _ = try Self.site().write(to: "\(folder.path)/site")
    let path = folder.path
    try expectError(.foreignFolder) {
      try Self.site(["JPN"]).write(
        to: "\(path)/site",
        progress: { now in
          if now.done == 1 { try? Data("mine".utf8).write(to: URL(filePath: "\(path)/site/token")) }
        }
      )
    }
    #expect(try folder.read("site/token") == "mine")
    #expect(folder.files(in: "site").contains("store/usa/ja/index.html"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["site"])
    // An added empty folder is kept too.
    try FileManager.default.removeItem(atPath: "\(path)/site/token")
    #expect(mkdir("\(path)/site/uploads", 0o777) == 0)
    #expect(throws: PagesError.self) { try Self.site(["JPN"]).write(to: "\(path)/site") }
  }

  /// A sparse file of 8 TB.
  @Test func rejectsTooLargeTemplate() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "templates/store.mustache")
    #expect(truncate("\(folder.path)/templates/store.mustache", 1 << 43) == 0)
    try expectError(.unreadableFile, "the file is larger than 1 MB") {
      try PageTemplates(folder: "\(folder.path)/templates")
    }
  }

  @Test func reportsRejectedProducts() throws {
    let shop = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"a","prices":{"USA":"1.00"}},{"productIdentifier":"b","approved":false,"prices":{"USA":"1.00"}}]}"#
    )
    let rejects = CollectedTexts()
    let folder = try TemporaryFolder()
    let summary = try Self.site(shop: shop).write(
      to: "\(folder.path)/site",
      onReject: { storefront, invalid in
        rejects.add("\(storefront.id) \(invalid.productIdentifier) \(invalid.reason)")
      }
    )
    // Once, not for each language; a product that is not approved is not a reject.
    #expect(rejects.all == ["JPN a noPrice"])
    #expect(summary.rejected == 1)
    let row = try folder.read("site/everywhere/products/a/index.html")
    #expect(row.contains(#"<td colspan="3">the product has no price in JPN"#))
    // A product that no storefront shows has no page.
    #expect(!folder.files(in: "site").contains("everywhere/products/b/index.html"))
    #expect(try !folder.read("site/everywhere/index.html").contains(#"data-product="b""#))
  }

  /// Texts collected by a callback.
  private final class CollectedTexts: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    func add(_ text: String) { lock.withLock { texts.append(text) } }
    var all: [String] { lock.withLock { texts } }
  }
}

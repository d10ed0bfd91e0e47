import Foundation
import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagPages

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Tests of what pages show instead of pictures that a product or the shop lacks, and that they link no missing file.
@Suite struct InitialTests {
  private static let url = "https://shop.example/"

  /// Names, and their initials as HTML.
  static let initials: [(name: String, initial: String?)] = [
    ("Rocket Garage", "R"), ("3 laps", "3"), ("école", "é"), ("e\u{301}cole", "e\u{301}"), ("متجر", "م"),
    ("日本", "日"), ("ไทย", "ไ"),
    // Spaces, quotation marks, bidi controls and pictures before a name are not its initial.
    (" car", "c"), ("«Rocket»", "R"), ("\u{202E}evil", "e"), ("🚀 Kit", "K"), ("<script>", "s"),
    // Names without letters and digits.
    ("🚀🏁", "🚀"), ("👩‍🚀", "👩‍🚀"), ("<>", "&lt;"), ("\"", "&quot;"), ("&", "&amp;"), ("\u{0}", "\u{FFFD}"),
    ("", nil),
  ]

  @Test(arguments: initials) func hasInitial(name: String, initial: String?) {
    #expect(StorePages.initial(of: name) == initial)
  }

  /// A product without a picture shows its initial in its store and on its own page. One with a picture does not.
  @Test func pagesShowInitials() throws {
    let store = try PageShop().store("USA", "en-US")
    let pages = StorePages(shop: try Shop(name: "Shop"))
    func picture(_ initial: String) -> String {
      #"<div class="picture"><svg class="pattern" viewBox="0 0 400 300" aria-hidden="true">"#
        + #"<text x="50%" y="50%" font-size="140" text-anchor="middle" dominant-baseline="central">"#
        + "\(initial)</text></svg></div>"
    }
    #expect(try pages.storePage(store).contains(picture("K")))
    #expect(try pages.productPage("kit", in: store).contains(picture("K")))
    #expect(try pages.productPage("coins", in: store).contains(picture("s")))
    let article = try pages.productPage("car", in: store).components(separatedBy: "</article>")[0]
    #expect(!article.contains("<svg"))
    let without = StorePages(shop: try Shop(name: "Shop")) { _ in false }
    #expect(try without.productPage("car", in: store).contains(picture("C")))
  }

  // MARK: Link previews

  typealias Row = (image: String?, url: String?, hasFile: Bool, preview: String?, absolute: String?)

  /// The image of a product, its address for link previews, and that for search engines.
  static let pictures: [Row] = [
    (nil, url, true, nil, nil), ("a.png", url, false, nil, nil),
    ("a.png", url, true, "https://shop.example/a.png", "https://shop.example/a.png"),
    ("https://x.example/svg", url, true, "https://x.example/svg", "https://x.example/svg"),
    // Search engines accept SVG, and link previews do not.
    ("/a/b.SVG?2", url, true, nil, "https://shop.example/a/b.SVG"),
    ("https://x.example/a.svgz#b", url, true, nil, "https://x.example/a.svgz#b"),
    // Without the address of the site, only images of other sites have an absolute address.
    ("a.png", nil, true, nil, nil),
    ("https://x.example/a.png", nil, true, "https://x.example/a.png", "https://x.example/a.png"),
  ]

  @Test(arguments: pictures) func selectsPictures(row: Row) throws {
    let pages = StorePages(shop: try Shop(url: row.url)) { _ in row.hasFile }
    let preview = pages.linkPicture(row.image, named: "Car")
    #expect(preview?.address == row.preview && (preview == nil || preview?.text == "Car"))
    #expect(pages.absoluteAddress(of: row.image) == row.absolute)
  }

  /// Pages of a product name its picture, with the product's name. Without one, pages name none.
  @Test func namesPictures() throws {
    let store = try PageShop(
      PageShop.json.replacing(#""sortOrder":2,"#, with: #""sortOrder":2,"image":"coins.png","#)
    ).store("USA", "en-US")
    let pages = StorePages(shop: try Shop(name: "Shop", url: Self.url))
    let page = try pages.productPage("coins", in: store)
    let alternative = "&lt;script&gt;alert(1)&lt;/script&gt; &quot;\u{301} &amp; &#39;coins&#39;"
    #expect(page.contains("<meta property=\"og:image\" content=\"\(Self.url)coins.png\">"))
    #expect(page.contains("<meta property=\"og:image:alt\" content=\"\(alternative)\">"))
    #expect(page.contains(#"<meta name="twitter:card" content="summary_large_image">"#))
    #expect(page.contains("\"image\":\"\(Self.url)coins.png\""))
    #expect(try pages.storePage(store).contains("\"image\":\"\(Self.url)coins.png\""))
    for page in [try pages.storePage(store), try pages.productPage("car", in: store)] {
      #expect(!page.contains("og:image") && !page.contains("twitter:card"))
    }
  }

  /// The values that a shop's own template may use are empty.
  @Test func iconsOfOwnTemplatesAreEmpty() throws {
    let head = #"""
      own[{{#icons}}{{#tab}}<link rel="icon" href="{{tab}}">{{/tab}}{{#isVector}}{{logo}}{{/isVector}}
      <link rel="apple-touch-icon" href="{{touch}}"><link rel="manifest" href="{{manifest}}">{{/icons}}{{twitterCard}}]
      """#
    let pages = StorePages(
      shop: try Shop(logo: "logo.svg"),
      templates: try PageTemplates(["ownHead.mustache": head])
    )
    #expect(try pages.storePage(PageShop().store("USA", "en-US")).contains("own[]"))
  }

  // MARK: Icon

  /// The logo of a shop, and the icon of a browser's tab on its pages.
  static let logos: [(logo: String?, hasFile: Bool, address: String)] = [
    (nil, true, "../../../assets/icon.svg"), ("logo.png", false, "../../../assets/icon.svg"),
    ("logo.svg", true, "../../../logo.svg"), ("logo.png", true, "../../../logo.png"),
    ("https://x.example/l.webp", false, "https://x.example/l.webp"),
  ]

  @Test(arguments: logos) func linksIcon(logo: String?, hasFile: Bool, address: String) throws {
    let pages = StorePages(shop: try Shop(logo: logo)) { _ in hasFile }
    let page = try pages.storePage(PageShop().store("USA", "en-US"))
    let links = page.matches(of: #/<link rel="(?:[a-z-]*icon|manifest)"[^>]*>/#).map { String($0.0) }
    #expect(links == ["<link rel=\"icon\" href=\"\(address)\">"])
  }

  /// The icon has the initial of the shop's name in the theme's colors, and is well-formed XML.
  @Test func iconHasInitial() throws {
    let rows: [(name: String?, text: String)] = [
      ("Rocket Garage", ">R</text>"), ("متجر", ">م</text>"), ("<&>", ">&lt;</text>"), (nil, "></text>"),
    ]
    for row in rows {
      let shop = try Shop(name: row.name, theme: Theme(["accent": "#8a2be2"]))
      let icon = try #require(StorePages(shop: shop).assets.first { $0.path == "assets/icon.svg" }).text
      #expect(icon.contains(row.text) && icon.contains(##"fill="#8a2be2""##), "\(icon)")
      #expect(icon.contains(##"fill="#ffffff""##))
      #expect(XMLParser(data: Data(icon.utf8)).parse(), "\(icon)")
    }
  }

  /// Each file that pages name exists, also with the address of the site.
  @Test func namesNoMissingFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("GIF", to: "files/images/own.gif")
    let shop = try PageShop(
      """
      {"format":"pricetag-catalog","version":1,"products":[
        {"productIdentifier":"none","prices":{"USA":"1"}},
        {"productIdentifier":"own","image":"images/own.gif","prices":{"USA":"1"}}]}
      """
    )
    let (path, assets) = ("\(folder.path)/site", try SiteAssets(folder: "\(folder.path)/files"))
    try shop.writeSite(to: path, languages: ["en-US", "ar"], shop: Shop(url: Self.url), assets: assets)
    let files = folder.files(in: "site")
    var named: Set<String> = []
    for file in files where file.hasSuffix(".html") {
      let page = try folder.read("site/\(file)")
      #expect(page.contains("og:image") == file.contains("/products/own/"), "\(file)")
      for match in page.matches(of: #/https:\/\/shop\.example\/([^"]*\.[a-z]+)"/#) {
        named.insert(String(match.1))
      }
    }
    #expect(named == ["assets/icon.svg", "images/own.gif"] && named.isSubset(of: files))
  }
}

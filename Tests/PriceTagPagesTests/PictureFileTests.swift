import Foundation
import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the pictures of products and the icons of the shop that are files: which there are, and that pages link them.
@Suite struct PictureFileTests {
  private static let url = "https://shop.example/"

  typealias Row = (
    image: String?, url: String?, hasFile: Bool, preview: String?, images: [String], isGenerated: Bool
  )

  /// The image of a product, and the pictures that pages name.
  static let pictures: [Row] = [
    // Without an image, or its file.
    (nil, url, true, "choose/products/car/picture.png", ["choose/products/car/picture.png"], true),
    ("a.png", url, false, "choose/products/car/picture.png", ["choose/products/car/picture.png"], true),
    ("a.svg", url, false, "choose/products/car/picture.png", ["choose/products/car/picture.png"], true),
    // Search engines accept SVG, and link previews do not.
    (
      "/a/b.SVG?2", url, true, "choose/products/car/picture.png",
      ["a/b.SVG", "choose/products/car/picture.png"], true
    ),
    (
      "https://x.example/a.svgz#b", url, true, "choose/products/car/picture.png",
      ["https://x.example/a.svgz#b", "choose/products/car/picture.png"], true
    ),
    // An image of its own.
    ("a.png", url, true, "a.png", ["a.png"], false),
    ("https://x.example/svg", url, true, "https://x.example/svg", ["https://x.example/svg"], false),
    // Without the address of the site, only images of other sites have an absolute address.
    (nil, nil, true, nil, [], false), ("a.png", nil, true, nil, [], false),
    ("https://x.example/a.png", nil, true, "https://x.example/a.png", ["https://x.example/a.png"], false),
    ("https://x.example/a.svg", nil, true, nil, ["https://x.example/a.svg"], false),
  ]

  @Test(arguments: pictures) func selectsPictures(row: Row) throws {
    let pages = StorePages(shop: try Shop(url: row.url)) { _ in row.hasFile }
    func absolute(_ address: String) -> String {
      address.hasPrefix("https:") ? address : Self.url + address
    }
    let preview = pages.linkPicture(of: "car", image: row.image, named: "Car")
    #expect(preview?.address == row.preview.map(absolute))
    #expect(preview == nil || preview?.text == "Car")
    #expect((preview?.size?.width == 1200 && preview?.size?.height == 630) == row.isGenerated)
    #expect(pages.searchImages(of: "car", images: row.image.map { [$0] } ?? []) == row.images.map(absolute))
    let picture = pages.picture(of: "car", image: row.image)
    #expect(picture?.path == (row.isGenerated ? "choose/products/car/picture.png" : nil))
    if let picture {
      let image = try PNGImage(picture.bytes)
      #expect(image.width == 1200 && image.height == 630)
    }
  }

  /// Pages of a product name the picture, with its size and the product's name.
  @Test func namesPictures() throws {
    let store = try PageShop().store("USA", "en-US")
    let pages = StorePages(shop: try Shop(name: "Shop", url: Self.url)) { $0 != "images/car.svg" }
    let page = try pages.productPage("coins", in: store)
    let address = "\(Self.url)choose/products/coins/picture.png"
    for (property, content) in [
      ("og:image", address), ("og:image:width", "1200"), ("og:image:height", "630"),
      ("og:image:alt", "&lt;script&gt;alert(1)&lt;/script&gt; &quot;\u{301} &amp; &#39;coins&#39;"),
    ] {
      let tag = "<meta property=\"\(property)\" content=\"\(content)\">"
      #expect(page.contains(tag), "\(tag)")
    }
    #expect(page.contains(#"<meta name="twitter:card" content="summary_large_image">"#))
    #expect(page.contains("\"image\":\"\(address)\""))
    // The store page names the shop's picture, and those of its products to search engines.
    let list = try pages.storePage(store)
    let images = list.matches(of: #/<meta property="og:image[^"]*" content="([^"]*)">/#).map { String($0.1) }
    #expect(images == ["\(Self.url)assets/picture.png", "1200", "630", "Shop"])
    #expect(list.contains(#"<meta name="twitter:card" content="summary_large_image">"#))
    #expect(list.contains("\"image\":\"\(Self.url)choose/products/car/picture.png\""))
    let without = try StorePages(shop: Shop()).productPage("coins", in: store)
    #expect(!without.contains("og:image") && !without.contains("twitter:card"))
  }

  private static func site(
    _ json: String = PageShop.json,
    assets: SiteAssets = .none,
    logo: String? = nil,
    name: String? = "Rocket Garage",
    url: String? = url
  ) throws -> Site {
    let shop = try PageShop(json)
    return try Site(
      shop.catalog,
      shop.request(["USA"], languages: ["en-US", "ar"]),
      shop: Shop(name: name, logo: logo, url: url),
      assets: assets,
      defaultLanguage: UILanguage("ar")
    )
  }

  /// A site has a picture for each product that needs one, and the icons; each file that pages name exists, also for the
  /// longest identifier.
  @Test func writesFiles() throws {
    let folder = try TemporaryFolder()
    let long = "a" + String(repeating: ".:_-x", count: 50) + "zzzz"
    #expect(long.utf8.count == 255)
    try folder.write("GIF", to: "files/images/own.gif")
    let json = """
      {"format":"pricetag-catalog","version":1,"products":[
        {"productIdentifier":"\(long)","prices":{"USA":"1"}},
        {"productIdentifier":"own","image":"images/own.gif","prices":{"USA":"1"}},
        {"productIdentifier":"not-sold","clearedForSale":["JPN"],"prices":{"JPN":"1"}}]}
      """
    let assets = try SiteAssets(folder: "\(folder.path)/files")
    let summary = try Self.site(json, assets: assets).write(to: "\(folder.path)/site")
    let files = folder.files(in: "site")
    #expect(
      files.filter { $0.hasSuffix(".png") || $0.hasSuffix(".webmanifest") } == [
        "assets/icon-180.png", "assets/icon-192.png", "assets/icon-32.png", "assets/icon-512.png",
        "assets/picture.png",
        "choose/products/\(long)/picture.png", "manifest.webmanifest",
      ]
    )
    for file in files where file.hasSuffix(".png") {
      let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/site/\(file)"))
      let image = try PNGImage(Array(bytes))
      if let size = file.firstMatch(of: #/icon-(\d+)/#).flatMap({ Int($0.1) }) {
        #expect(image.width == size && image.height == size)
      }
    }
    let page = try folder.read("site/store/usa/en-us/products/own/index.html")
    #expect(page.contains(#"<meta property="og:image" content="https://shop.example/images/own.gif">"#))
    #expect(!page.contains("og:image:width"))
    for file in files where file.hasSuffix(".html") {
      for match in try folder.read("site/\(file)").matches(
        of: #/https:\/\/shop\.example\/([^"]*\.(?:png|gif))/#
      ) {
        #expect(files.contains(String(match.1)), "\(file): \(match.1)")
      }
    }
    // A second run writes the same bytes.
    #expect(summary.files == files.count - 1)
    let again = try Self.site(json, assets: assets).write(to: "\(folder.path)/site")
    #expect(again.written == 0 && again.removed == 0)
    // Without the site's address, no page could name the pictures.
    _ = try Self.site(json, assets: assets, url: nil).write(to: "\(folder.path)/local")
    #expect(!folder.files(in: "local").contains { $0.hasSuffix("picture.png") })
  }

  // MARK: Icons

  /// The logo of a shop, and the icons of a browser's tab on its pages.
  static let logos: [(logo: String?, hasFile: Bool, links: [String])] = [
    (nil, true, [#"<link rel="icon" href="../../../assets/icon-32.png" type="image/png" sizes="32x32">"#]),
    (
      "logo.svg", true,
      [
        #"<link rel="icon" href="../../../assets/icon-32.png" type="image/png" sizes="32x32">"#,
        #"<link rel="icon" href="../../../logo.svg" type="image/svg+xml" sizes="any">"#,
      ]
    ),
    ("logo.png", true, [#"<link rel="icon" href="../../../logo.png">"#]),
    ("https://x.example/l.webp", false, [#"<link rel="icon" href="https://x.example/l.webp">"#]),
    (
      "logo.png", false,
      [#"<link rel="icon" href="../../../assets/icon-32.png" type="image/png" sizes="32x32">"#]
    ),
  ]

  @Test(arguments: logos) func linksIcons(logo: String?, hasFile: Bool, links: [String]) throws {
    let pages = StorePages(shop: try Shop(logo: logo)) { _ in hasFile }
    let page = try pages.storePage(PageShop().store("USA", "en-US"))
    let found = page.split(separator: "\n").filter { $0.contains("rel=\"icon\"") }
    #expect(found.map(String.init) == links)
    #expect(page.contains(#"<link rel="apple-touch-icon" href="../../../assets/icon-180.png">"#))
    #expect(page.contains(#"<link rel="manifest" href="../../../manifest.webmanifest">"#))
  }

  struct Manifest: Decodable {
    struct Icon: Decodable {
      let src, sizes, type, purpose: String
    }

    let name, dir, id, start_url, display, background_color, theme_color: String
    let lang: String?
    let icons: [Icon]
  }

  /// The manifest names icons that exist, for both purposes. Its language is known only for a shop without a name.
  @Test func writesManifest() throws {
    let rows: [(name: String?, text: String, lang: String?, dir: String)] = [
      ("Rocket \"Garage\" </script>", "Rocket \"Garage\" </script>", nil, "auto"),
      ("متجر", "متجر", nil, "auto"), (nil, "المتجر", "ar", "rtl"),
    ]
    for row in rows {
      let folder = try TemporaryFolder()
      _ = try Self.site(name: row.name, url: nil).write(to: "\(folder.path)/site")
      let text = try folder.read("site/manifest.webmanifest")
      let manifest = try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
      #expect(manifest.name == row.text && manifest.lang == row.lang && manifest.dir == row.dir)
      // The start is the page to choose a store.
      #expect(manifest.start_url == "./" && manifest.id == "./" && manifest.display == "browser")
      let background = Theme.standard.light[.background]?.description
      #expect(manifest.background_color == background && manifest.theme_color == background)
      let purposes = manifest.icons.map { "\($0.sizes) \($0.purpose)" }
      #expect(purposes == ["192x192 any", "192x192 maskable", "512x512 any", "512x512 maskable"])
      let files = folder.files(in: "site")
      #expect(manifest.icons.allSatisfy { files.contains($0.src) && $0.type == "image/png" })
    }
  }

  /// The shop's picture is for pages that name it, which need the address of the site.
  @Test func writesPictureOfTheShop() throws {
    let pages = StorePages(shop: try Shop(name: "Shop", url: Self.url))
    let picture = try PNGImage(
      try #require(try pages.iconAsset(at: "assets/picture.png", in: .development))
    )
    #expect(picture.width == 1200 && picture.height == 630)
    let without = StorePages(shop: try Shop(name: "Shop"))
    #expect(try without.iconAsset(at: "assets/picture.png", in: .development) == nil)
    #expect(try !without.storePage(PageShop().store("USA", "en-US")).contains("og:image"))
  }

  /// A file of the shop's own replaces an icon or the manifest.
  @Test func prefersFilesOfTheShop() throws {
    let folder = try TemporaryFolder()
    for file in StorePages.iconPaths { try folder.write("own", to: "files/\(file)") }
    let assets = try SiteAssets(folder: "\(folder.path)/files")
    _ = try Self.site(assets: assets).write(to: "\(folder.path)/site")
    #expect(StorePages.iconPaths.count == 6)
    for file in StorePages.iconPaths { #expect(try folder.read("site/\(file)") == "own") }
  }

  /// Icons differ by name, and have the colors of the theme's accent.
  @Test func iconsDiffer() throws {
    var files: Set<[UInt8]> = []
    for name in ["Rocket Garage", "Shop", "متجر", String(repeating: "x", count: 10_000)] {
      let pages = StorePages(shop: try Shop(name: name))
      let icon = try #require(try pages.iconAsset(at: "assets/icon-180.png", in: .development))
      #expect(try pages.iconAsset(at: "assets/icon-180.png", in: .development) == icon)
      let colors = Theme.standard.patternColors(hue: 0, dark: false)
      #expect(try PNGImage(icon).palette.prefix(6) == colors.map { [$0.red, $0.green, $0.blue] }[...])
      files.insert(icon)
    }
    #expect(files.count == 4)
    let pages = StorePages(shop: try Shop())
    for path in ["assets/icon-64.png", "icon-32.png", "", "assets/icon-32.png/"] {
      #expect(try pages.iconAsset(at: path, in: .development) == nil)
    }
  }
}

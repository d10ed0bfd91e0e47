import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the pictures of a product's own page.
@Suite struct GalleryTests {
  static func shop(_ fields: String) throws -> PageShop {
    try PageShop(
      #"""
      {"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"car","prices":{"USA":"1.99","DEU":"1.99"},
       "localizations":{"en-US":{"name":"Car"}},\#(fields)}]}
      """#
    )
  }

  /// Returns the `<img>` elements of the product.
  private static func images(_ page: String) -> [String] {
    page.matches(of: /<img src="[^"]*car[^>]*>/).map { String($0.0) }
  }

  private static func page(
    _ fields: String,
    _ storefront: String = "USA",
    _ language: String = "en-US",
    missing: Set<String> = []
  ) throws -> String {
    let pages = StorePages(shop: try Shop(url: "https://shop.example/")) { !missing.contains($0) }
    return try pages.productPage("car", in: shop(fields).store(storefront, language))
  }

  static let full = #"""
    "image":"car.jpg","images":[{"src":"car-side.jpg","alt":{"en-US":"The \"side\"","de":"Die Seite"}},
     {"src":"car.jpg","width":1600,"height":900,"alt":{"en-US":"The front"},
      "sources":[{"src":"car-400.jpg","width":400},{"src":"https://cdn.example/car,800.jpg","width":800}]}]
    """#

  /// Only commas at the start and the end of an address would separate it from others.
  @Test(arguments: [
    ("a,b.jpg", "a,b.jpg"), (",a.jpg", "%2Ca.jpg"), ("a.jpg?x,,", "a.jpg?x%2C%2C"), (",", "%2C"),
  ])
  func encodesSeparators(address: String, candidate: String) {
    #expect(ProductValues.candidate(address) == candidate)
  }

  /// The main picture is first. The others are loaded when they are needed, and each has its size.
  @Test func showsAllPictures() throws {
    let page = try Self.page(Self.full)
    let root = "../../../../../"
    #expect(
      Self.images(page) == [
        #"<img src="\#(root)car.jpg" srcset="\#(root)car-400.jpg 400w, https://cdn.example/car,800.jpg 800w, \#(root)car.jpg 1600w" "#
          + #"sizes="(max-width: 42rem) 100vw, 57vw" alt="The front" width="1600" height="900">"#,
        #"<img src="\#(root)car-side.jpg" alt="The &quot;side&quot;" loading="lazy" width="800" height="600">"#,
      ]
    )
    #expect(page.contains(#"<div class="gallery" role="region" aria-label="Pictures" tabindex="0">"#))
    #expect(!page.contains("<svg"))
    #expect(
      page.contains(#""image":["https://shop.example/car.jpg","https://shop.example/car-side.jpg"]"#)
    )
    #expect(page.contains(#"<meta property="og:image" content="https://shop.example/car.jpg">"#))
  }

  /// A card loads the version of the main picture that fits: the first product's picture is large.
  @Test func cardsLoadFittingPicture() throws {
    let pages = StorePages(shop: try Shop())
    let page = try pages.storePage(Self.shop(Self.full).store("USA", "en-US"))
    let root = "../../../"
    #expect(
      Self.images(page) == [
        #"<img src="\#(root)car.jpg" srcset="\#(root)car-400.jpg 400w, https://cdn.example/car,800.jpg 800w, \#(root)car.jpg 1600w" "#
          + #"sizes="(max-width: 35rem) 100vw, 36rem" alt="" width="400" height="300">"#
      ]
    )
    let single = try pages.storePage(Self.shop(#""image":"car.jpg""#).store("USA", "en-US"))
    #expect(Self.images(single) == [#"<img src="\#(root)car.jpg" alt="" width="400" height="300">"#])
  }

  /// The text of a picture follows the rules of a product's name, and states its language if it is another one.
  static let texts: [(storefront: String, language: String, alternatives: [String])] = [
    ("DEU", "de", [#"alt="The front" lang="en-US""#, #"alt="Die Seite" loading"#]),
    ("USA", "de", [#"alt="The front" lang="en-US""#, #"alt="The &quot;side&quot;" lang="en-US""#]),
    ("DEU", "fr-FR", [#"alt="The front" lang="en-US""#, #"alt="Die Seite" lang="de""#]),
  ]

  @Test(arguments: texts)
  func textsFollowNames(storefront: String, language: String, alternatives: [String]) throws {
    let images = Self.images(try Self.page(Self.full, storefront, language))
    #expect(images.count == 2)
    for (image, alternative) in zip(images, alternatives) { #expect(image.contains(alternative), "\(image)") }
  }

  static let single: [(fields: String, missing: Set<String>, image: String?)] = [
    (#""image":"car.jpg""#, [], #"<img src="../../../../../car.jpg" alt="" width="800" height="600">"#),
    (
      #""images":[{"src":"car.jpg","width":4,"height":3}]"#, [],
      #"<img src="../../../../../car.jpg" alt="" width="4" height="3">"#
    ),
    // The first picture is missing, then a source, then all.
    (
      #""image":"car.jpg","images":[{"src":"car2.jpg"}]"#, ["car.jpg"],
      #"<img src="../../../../../car2.jpg" alt="" width="800" height="600">"#
    ),
    (
      #""images":[{"src":"car.jpg","width":8,"sources":[{"src":"car4.jpg","width":4}]}]"#, ["car4.jpg"],
      #"<img src="../../../../../car.jpg" alt="" width="800" height="600">"#
    ),
    (#""images":[{"src":"car.jpg"}]"#, ["car.jpg"], nil),
    (#""sortOrder":1"#, [], nil),
  ]

  /// A single picture needs no list. Without one, the page has the product's initial.
  @Test(arguments: single)
  func showsSinglePicture(fields: String, missing: Set<String>, image: String?) throws {
    let page = try Self.page(fields, missing: missing)
    #expect(Self.images(page) == [image].compactMap(\.self))
    #expect(!page.contains("class=\"gallery\"") && page.contains("<svg") == (image == nil))
  }

  /// Cards show the first picture that the site has.
  @Test func cardsShowFirstPicture() throws {
    let store = try Self.shop(#""images":[{"src":"car1.jpg"},{"src":"car2.jpg"}]"#).store("USA", "en-US")
    let pages = StorePages(shop: try Shop()) { $0 != "car1.jpg" }
    #expect(try pages.storePage(store).contains(#"<img src="../../../car2.jpg" alt="""#))
  }

  /// A site reports each picture and each source whose file is missing.
  @Test func siteReportsMissingFiles() throws {
    let (output, assets) = (try TemporaryFolder(), try TemporaryFolder())
    try assets.write("", to: "car.jpg")
    let shop = try Self.shop(
      #""image":"car.jpg","images":[{"src":"car2.jpg","sources":[{"src":"car3.jpg","width":4}]}]"#
    )
    let files = try SiteAssets(folder: assets.path)
    let summary = try shop.writeSite(to: output.path + "/site", shop: Shop(), assets: files)
    #expect(summary.missingPictures == ["car2.jpg, of car", "car3.jpg, of car"])
    let page = try output.read("site/store/usa/en-us/products/car/index.html")
    #expect(Self.images(page).count == 1)
  }

  @Test func responseHasPictures() throws {
    let request = try ProductsRequest(nil, storefront: Storefront("DEU"), language: UILanguage("de"))
    let response = try Self.shop(Self.full).catalog.products(for: request)
    #expect(
      response.json.contains(
        #""image":"car.jpg","images":[{"src":"car.jpg","width":1600,"height":900,"alt":"The front","altLanguage":"en-US","#
          + #""sources":[{"src":"car-400.jpg","width":400},{"src":"https://cdn.example/car,800.jpg","width":800}]},"#
          + #"{"src":"car-side.jpg","width":null,"height":null,"alt":"Die Seite","altLanguage":"de","sources":[]}],"related":null"#
      )
    )
  }
}

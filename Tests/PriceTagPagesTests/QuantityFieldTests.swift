import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// The field for the quantity on product pages, and the files that it needs.
@Suite struct QuantityFieldTests {
  /// Creates a kernel from files in place of the real ones, which pages only copy.
  private static func kernel(
    script: String = "export {}",
    module: [UInt8] = [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0],
    localeData: LocaleData = .embedded,
    style: PriceStyle = PriceStyle()
  ) throws -> PageKernel {
    let folder = try TemporaryFolder()
    try folder.write(script, to: "pricetag.js")
    try folder.write("export {}", to: "phrases.js")
    try Data(module).write(to: URL(filePath: "\(folder.path)/pricetag-full.wasm"))
    return try withExtendedLifetime(folder) {
      try PageKernel(folder: folder.path, localeData: localeData, style: style)
    }
  }

  private static func pages(_ kernel: PageKernel?) throws -> StorePages {
    StorePages(shop: try Shop(name: "Rocket Garage"), kernel: kernel)
  }

  /// The attributes of the field on a product page; `nil` if the page has none.
  private static func field(_ page: String) throws -> [String: String]? {
    guard let tag = page.firstMatch(of: /<div class="quantity"([^>]*)>/)?.1 else { return nil }
    var attributes: [String: String] = [:]
    for match in tag.matches(of: /data-([a-z]+)="([^"]*)"/) {
      attributes[String(match.1)] = String(match.2).replacing("&quot;", with: "\"")
        .replacing("&#34;", with: "\"")
    }
    #expect(tag.hasSuffix(" hidden"))
    return attributes
  }

  private static func prices(_ amounts: String) -> String {
    #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"coins","kind":"consumable",\#(amounts)}]}"#
  }

  // MARK: Which products

  @Test(arguments: [
    ("coins", true), ("pass", true), ("car", false), ("kit", false), ("free", false), ("monthly", false),
  ])
  func isForProductsThatAreBoughtTogether(product: String, hasField: Bool) throws {
    let store = try PageShop().store("USA", "en-US")
    let page = try Self.pages(Self.kernel()).productPage(product, in: store)
    #expect(page.contains("<div class=\"quantity\"") == hasField)
    #expect(page.contains("type=\"module\"") == hasField)
    // Store pages have none.
    #expect(try !Self.pages(Self.kernel()).storePage(store).contains("class=\"quantity\""))
  }

  @Test func productWithoutKindHasField() throws {
    let shop = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"hat","prices":{"USA":"9.99"}}]}"#
    )
    let page = try Self.pages(Self.kernel()).productPage("hat", in: shop.store("USA", "en-US"))
    #expect(try Self.field(page)?["amount"] == "9.99")
  }

  /// Without a kernel, a page is the same as with it, except for the field and its script.
  @Test func isOptional() throws {
    let store = try PageShop().store("USA", "en-US")
    let (with, without) = (
      try Self.pages(Self.kernel()).productPage("coins", in: store),
      try Self.pages(nil).productPage("coins", in: store)
    )
    var rest = with.replacing(/[ ]*<div class="quantity"(?s).*?<\/div>\n/, with: "")
    rest.replace(/<script type="module"[^>]*><\/script>\n/, with: "")
    #expect(rest == without && with != without)
    #expect(try Self.pages(nil).kernelAssets.isEmpty)
  }

  @Test func isClosedWithTheStore() throws {
    let store = try PageShop().store("USA", "en-US", canMakePayments: false)
    #expect(try !Self.pages(Self.kernel()).productPage("coins", in: store).contains("quantity"))
  }

  /// The checkout receives the quantity, or pages have no field.
  @Test(arguments: [
    (
      "https://pay.example/?p={product}&n={quantity}", "https://pay.example/?p=coins&amp;n={quantity}",
      "https://pay.example/?p=coins&amp;n=1"
    ), ("https://pay.example/?p={product}", nil, "https://pay.example/?p=coins"),
  ])
  func checkoutReceivesQuantity(checkout: String, address: String?, link: String) throws {
    let shop = try Shop(name: "Rocket Garage", checkout: checkout)
    let store = try PageShop().store("USA", "en-US")
    for kernel in [nil, try Self.kernel()] {
      let page = try StorePages(shop: shop, kernel: kernel).productPage("coins", in: store)
      #expect(try Self.field(page)?["checkout"] == (kernel == nil ? nil : address))
      #expect(page.contains("href=\"\(link)\""))
    }
  }

  // MARK: Contents

  @Test func hasLabelsAndLimits() throws {
    let page = try Self.pages(Self.kernel()).productPage("coins", in: PageShop().store("JPN", "ja"))
    #expect(page.contains("<label for=\"quantity\">数量</label>"))
    #expect(page.contains("min=\"1\" max=\"999\" step=\"1\" value=\"1\""))
    #expect(page.contains("<output for=\"quantity\" data-label=\"合計\"></output>"))
    let field = try #require(try Self.field(page))
    #expect(field["amount"] == "160" && field["price"] == "￥160")
    #expect(field["options"] == #"{"storefront":"JPN","date":"2026-11-21","currency":"JPY"}"#)
    let pack = try #require(field["pack"])
    #expect(pack.wholeMatch(of: #/\.\./\.\./\.\./\.\./\.\./assets/packs/jpn-ja\.pack\?[0-9a-f]{16}/#) != nil)
    let script = try #require(page.firstMatch(of: /<script type="module" src="([^"]*)"/)?.1)
    #expect(
      String(script).wholeMatch(
        of: #/\.\./\.\./\.\./\.\./\.\./assets/kernel-[0-9a-f]{16}/quantity\.js/#
      ) != nil
    )
  }

  /// The pack of a page writes the totals that the library writes.
  @Test(arguments: [
    ("JPN", "160"), ("EGY", "199.99"), ("USA", "0.99"), ("IND", "1234567.50"), ("CHE", "4.95"),
    ("BGR", "3.49"), ("KWT", "1.990"), ("ISR", "19.90"),
  ])
  func packWritesTotals(storefront: String, amount: String) throws {
    let shop = try PageShop(Self.prices(#""prices":{"\#(storefront)":"\#(amount)"}"#))
    let store = try shop.store(storefront, "en-US")
    let pages = try Self.pages(Self.kernel())
    let field = try #require(try Self.field(pages.productPage("coins", in: store)))
    let address = try #require(field["pack"])
    let path = String(address.drop { $0 == "." || $0 == "/" }.prefix { $0 != "?" })
    let bytes = try #require(try pages.pack(at: path, on: CalendarDate(PageShop.date)))
    #expect(pages.kernelAssets.contains { $0.path == path && $0.bytes == bytes })
    #expect(bytes.count < 4096)
    let price = try #require(store.products.first?.price)
    let formatter = try PriceFormatter(
      storefront: Storefront(storefront, in: .embedded.pinned(to: Pack(bytes))),
      currency: price.currency,
      on: store.date
    )
    for quantity in [1, 2, 3, 10, 100, 999] {
      let total = try price.amount * quantity
      #expect(try formatter.format(total).text == price.formatter.format(total).text)
      #expect(try formatter.format(total).spoken == price.formatter.format(total).spoken)
    }
  }

  /// The page states what one item saves and how long it lasts, and its pack has the words in the language of the page.
  @Test func hasSavingPeriodAndWords() throws {
    let shop = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"pass","kind":"non-renewing-subscription","subscriptionPeriod":"P3M","prices":{"DEU":[{"amount":"29.99","until":"2026-11-10"},{"amount":"24.50","from":"2026-11-11"}]}}]}"#
    )
    let pages = try Self.pages(Self.kernel())
    let field = try #require(try Self.field(pages.productPage("pass", in: shop.store("DEU", "de"))))
    #expect(field["amount"] == "24.50" && field["saving"] == "5.49" && field["period"] == "P3M")
    let bytes = try #require(
      try pages.pack(at: "assets/packs/deu-de.pack", on: CalendarDate(PageShop.date))
    )
    let contents = try Pack(bytes).phraseContents
    #expect(contents.languages == ["de"])
    #expect(contents.keys == ["days", "months", "save_price", "total_for", "weeks", "years"])
    let usa = try PageShop().store("USA", "en-US")
    let coins = try #require(try Self.field(pages.productPage("coins", in: usa)))
    #expect(coins["saving"] == nil && coins["period"] == nil)
  }

  /// The options that the page passes to the browser are those of the style.
  @Test func namesStyle() throws {
    let style = PriceStyle(width: .iso, zeros: .trim, rounding: .halfEven, numberingSystem: "latn")
    let shop = try PageShop(Self.prices(#""prices":{"EGY":"12"}"#))
    let request = try ListingRequest(
      storefronts: [Storefront("EGY")],
      languages: .list([UILanguage("ar")]),
      at: .date(CalendarDate(PageShop.date)),
      style: style
    )
    let folder = try TemporaryFolder()
    let site = try Site(
      shop.catalog,
      request,
      shop: Shop(name: "Shop"),
      kernel: Self.kernel(style: style)
    )
    _ = try site.write(to: "\(folder.path)/site")
    let page = try folder.read("site/store/egy/ar/products/coins/index.html")
    #expect(
      try Self.field(page)?["options"]
        == #"{"storefront":"EGY","date":"2026-11-21","currency":"EGP","width":"iso","zeros":"trim","rounding":"half-even","numbering":"latn"}"#
    )
  }

  // MARK: Prices that the pack cannot write

  /// A price in another style than that of the kernel, in the product's own price locale, or with totals that are out of
  /// range has no field.
  @Test func priceThatPackCannotWriteHasNoField() throws {
    let usa = try PageShop().store("USA", "en-US")
    let iso = try Self.pages(Self.kernel(style: PriceStyle(width: .iso)))
    #expect(try Self.field(iso.productPage("coins", in: usa)) == nil)
    let ownLocale = try PageShop(Self.prices(#""prices":{"CHE":"5"},"priceLocales":{"CHE":"fr-CH"}"#))
    #expect(
      try Self.field(Self.pages(Self.kernel()).productPage("coins", in: ownLocale.store("CHE", "en-US")))
        == nil
    )
    let large = try PageShop(Self.prices(#""prices":{"JPN":"99999999999999999"}"#))
    #expect(
      try Self.field(Self.pages(Self.kernel()).productPage("coins", in: large.store("JPN", "en-US"))) == nil
    )
  }

  /// Prices of a pinned registry are totaled with its pack. A pack that lacks the storefront gives no field.
  @Test func usesPackOfPinnedRegistry() throws {
    var writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate(PageShop.date))
    writer.add(try Storefront("USA"))
    let bytes = writer.bytes(revision: "1")
    let pinned = LocaleData.embedded.pinned(to: try Pack(bytes))
    let kernel = try Self.kernel(localeData: pinned)
    let pages = try Self.pages(kernel)
    let page = try pages.productPage("coins", in: PageShop().store("USA", "en-US"))
    #expect(try Self.field(page)?["pack"]?.contains("assets/packs/all.pack?") == true)
    #expect(try pages.pack(at: "assets/packs/all.pack", on: CalendarDate(PageShop.date)) == bytes)
    #expect(try pages.pack(at: "assets/packs/usa.pack", on: CalendarDate(PageShop.date)) == nil)
    #expect(try Self.field(pages.productPage("coins", in: PageShop().store("JPN", "ja"))) == nil)
  }

  @Test(arguments: [
    "assets/packs/USA-en-us.pack", "assets/packs/us-en-us.pack", "assets/packs/xxx-en-us.pack",
    "assets/packs/usa.pack", "assets/packs/usa-xx.pack", "assets/packs/usa-EN-US.pack", "assets/packs/.pack",
    "assets/packs/../usa-en-us.pack", "assets/usa-en-us.pack", "usa-en-us.pack", "assets/packs/usa-en-us", "",
  ])
  func onlyCanonicalPathsHavePacks(path: String) throws {
    let pages = try Self.pages(Self.kernel())
    #expect(try pages.pack(at: path, on: CalendarDate(PageShop.date)) == nil)
    #expect(try pages.pack(at: "assets/packs/usa-en-us.pack", on: CalendarDate(PageShop.date)) != nil)
    #expect(
      try Self.pages(nil).pack(at: "assets/packs/usa-en-us.pack", on: CalendarDate(PageShop.date)) == nil
    )
  }

  // MARK: Sites

  @Test func siteHasKernelAndPacks() throws {
    let folder = try TemporaryFolder()
    let shop = try PageShop()
    func write(_ kernel: PageKernel?) throws -> SiteSummary {
      let (path, ownShop) = ("\(folder.path)/site", try Shop(name: "Rocket Garage"))
      return try shop.writeSite(to: path, ["USA", "JPN", "DEU"], shop: ownShop, kernel: kernel)
    }
    func kernelFiles() -> [String] {
      folder.files(in: "site/assets").map { $0.replacing(/kernel-[0-9a-f]{16}/, with: "kernel") }
    }
    let first = try write(Self.kernel())
    // No product of the German store has a quantity.
    #expect(
      kernelFiles() == [
        "choose.js", "icon.svg", "kernel/phrases.js", "kernel/pricetag-full.wasm", "kernel/pricetag.js",
        "kernel/quantity.js", "licenses.txt", "packs/jpn-en-us.pack", "packs/usa-en-us.pack", "store.css",
        "store.js",
      ]
    )
    #expect(first.written == first.files)
    let second = try write(Self.kernel())
    #expect(second.written == 0 && second.files == first.files)
    // Another kernel has another address.
    let names = folder.files(in: "site/assets")
    _ = try write(Self.kernel(script: "export { }"))
    #expect(folder.files(in: "site/assets") != names && folder.files(in: "site/assets").count == names.count)
    _ = try write(nil)
    #expect(kernelFiles() == ["choose.js", "icon.svg", "licenses.txt", "store.css", "store.js"])
  }

  // MARK: Errors

  @Test func rejectsInvalidKernel() throws {
    let missing = #expect(throws: PagesError.self) { try PageKernel(folder: "/no/such/folder") }
    #expect(missing?.code == .unreadableFile && missing?.place == "/no/such/folder/pricetag.js")
    #expect(missing?.fix == "name the folder that make kernel or make install wrote")
    let invalid = #expect(throws: PagesError.self) { try Self.kernel(module: Array("<html>".utf8)) }
    #expect(invalid?.code == .invalidKernel && invalid?.problem == "the file is not a WebAssembly module")
    let large: [UInt8] = [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0] + Array(repeating: 0, count: 1 << 20)
    let tooLarge = #expect(throws: PagesError.self) { try Self.kernel(module: large) }
    #expect(tooLarge?.code == .invalidKernel && tooLarge?.problem == "the file is larger than 1 MB")
  }
}

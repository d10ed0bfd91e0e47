import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// C strings end at U+0000, so text with that character would be truncated in the database.
@Suite struct NULCharacterTests {
  static let files: [(name: String, format: CatalogFormat, text: String, rejects: String)] = [
    (
      "a name", .jsonl,
      #"{"productIdentifier":"a","localizations":{"en":{"name":"Gold\u0000 trial"}}}"#,
      #"product "a", line 1, language "en", line 1, field name: "Gold\u{0} trial" contains a NUL character (U+0000); remove \u0000"#
    ),
    (
      "an identifier", .jsonl, #"{"productIdentifier":"a\u0000b"}"#,
      #"product "a\u{0}b", line 1, field productIdentifier: "a\u{0}b" contains a NUL character (U+0000); remove \u0000"#
    ),
    (
      "a reference name", .storekit,
      #"""
      {"version":{"major":3},"settings":{"_storefront":"USA"},"products":[
      {"productID":"a","type":"Consumable","displayPrice":"1","referenceName":"Go\u0000ld"}]}
      """#,
      #"product "a", line 2, field referenceName: "Go\u{0}ld" contains a NUL character (U+0000); remove \u0000"#
    ),
    (
      "a name in CSV", .csv, "productIdentifier,name[en]\na,Go\u{0}ld\n",
      #"line 2, product "a", the name in en: "Go\u{0}ld" contains a NUL character (U+0000); remove it"#
    ),
    (
      "a tier in a matrix", .tiers, "tier,USA\n1\u{0},0.99\n",
      "line 2: the name is empty, too long or has a control character; use 1 to 100 characters on one line"
    ),
    (
      "a Stripe nickname", .stripe,
      #"{"id":"p","object":"price","currency":"usd","unit_amount":100,"nickname":"Go\u0000ld"}"#,
      #"price "p", line 1, field nickname: "Go\u{0}ld" contains a NUL character (U+0000); remove \u0000"#
    ),
  ]

  @Test(arguments: files)
  func rejectsTextWithNUL(
    name: String,
    format: CatalogFormat,
    text: String,
    rejects: String
  ) {
    let imported = Imported(format, text)
    #expect(imported.failure == nil)
    #expect(imported.rejectText == rejects)
    let texts = imported.products.flatMap {
      [$0.identifier, $0.referenceName ?? ""] + $0.localizations.values.map { $0.name ?? "" }
    }
    #expect(!texts.contains { $0.utf8.contains(0) || $0 == "Go" || $0 == "Gold" })
  }

  /// Every field of an imported item is checked.
  @Test func checksEveryField() throws {
    var product = try CatalogProduct("a")
    var items: [(field: String, item: ImportedItem)] = []
    func add(_ field: String, _ change: (inout CatalogProduct) throws -> Void) rethrows {
      var changed = product
      try change(&changed)
      items.append((field, .product(changed)))
    }
    product.kind = .autoRenewable
    add("the reference name") { $0.referenceName = "x\u{0}" }
    add("the category") { $0.category = "x\u{0}" }
    add("the subscription group") { $0.subscriptionGroup = "x\u{0}" }
    add("the image") { $0.image = "x\u{0}" }
    try add("the alternative text in en") {
      $0.images = [try ProductImage("a.jpg", alternativeTexts: ["en": "x\u{0}"])]
    }
    add("the related product") { $0.related = ["x\u{0}"] }
    add("the language") { $0.localizations = ["en\u{0}": ProductText(name: "a")] }
    add("the name in en") { $0.localizations = ["en": ProductText(name: "x\u{0}")] }
    add("the description in en") { $0.localizations = ["en": ProductText(name: nil, description: "\u{0}")] }
    add("the tier") { $0.tiers = [TierPeriod("x\u{0}")] }
    try add("the offer's identifier") {
      $0.offers = [
        try CatalogOffer(
          .code,
          identifier: "x\u{0}",
          paymentMode: .freeTrial,
          period: SubscriptionPeriod("P1W")
        )
      ]
    }
    items.append(("the tier's name", .tier(PriceTier("x\u{0}", prices: PriceTable()))))
    items.append(("the identifier", .group(ProductGroup(.category, "x\u{0}"))))
    items.append(("the name in en", .group(ProductGroup(.category, "x", names: ["en": "\u{0}"]))))
    for (field, item) in items {
      let error = #expect(throws: CatalogError.self) { try item.rejectNUL() }
      #expect(error?.place == field)
    }
    try ImportedItem.product(product).rejectNUL()
  }

  @Test func identifierListRejectsNUL() throws {
    let list = try ProductIdentifierList(Array(#"["a", "b\u0000c"]"#.utf8), name: "list.json")
    #expect(list.identifiers == ["a"] && list.rejects.count == 1)
  }
}

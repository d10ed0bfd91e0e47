import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct UnityTests {
  /// Returns a catalog of one product.
  private static func file(_ fields: String) -> String {
    #"{"appleSKU": "", "products": [{"id": "gems", "type": 0, "storeIDs": [], \#(fields)}]}"#
  }

  private static func price(_ data: String) -> String { #""googlePrice": {"data": \#(data), "num": 0.99}"# }

  static let products: [(name: String, fields: String, expected: String)] = [
    (
      "a consumable product with a tier",
      #""applePriceTier": 3, "googlePrice": {"data": [0, 0, 0, 0], "num": 0.0}, "pricingTemplateID": "", "descriptions": [], "payouts": []"#,
      "gems, consumable, tier 3"
    ),
    ("no tier", #""applePriceTier": 0"#, "gems, consumable"),
    ("a price", price("[99, 0, 0, 131072]"), "gems, consumable\nUSA 0.99 USD"),
    (
      "a price with a wrong floating-point number", price("[1999, 0, 0, 131072]"),
      "gems, consumable\nUSA 19.99 USD"
    ),
    ("a price without decimals", price("[1, 0, 0, 0]"), "gems, consumable\nUSA 1.00 USD"),
    ("a price with many digits", price("[-1, 0, 0, 131072]"), "gems, consumable\nUSA 42949672.95 USD"),
    (
      "texts, in which Unity escapes characters",
      #""defaultDescription": {"googleLocale": 11, "title": "\\u30b8\\u30a7\\u30e0 \\ud83d\\ude00", "description": "100 \\u00 \\x"}"#,
      #"gems, consumable\#nja: ジェム 😀 | 100 \u00 \x"#
    ),
    (
      "empty texts", #""defaultDescription": {"googleLocale": 11, "title": "", "description": ""}"#,
      "gems, consumable"
    ),
  ]

  @Test(arguments: products)
  func importsProduct(name: String, fields: String, expected: String) throws {
    var options = ImportOptions.inFebruary
    (options.storefront, options.language) = (try Storefront("USA"), "ja")
    #expect(Imported(.unity, Self.file(fields), options).text == expected)
  }

  /// Products of which only the invalid part is rejected.
  static let wrong: [(name: String, fields: String, reject: String)] = [
    (
      "a price with fractions of a cent", price("[995, 0, 0, 196608]"),
      #"field googlePrice: 0.995 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded"#
    ),
    (
      "a negative price", price("[99, 0, 0, -2147352576]"),
      #"field data: the price is negative or has too many digits; correct it in Unity"#
    ),
    (
      "a price of 96 bits", price("[99, 0, 1, 131072]"),
      #"field data: the price is negative or has too many digits; correct it in Unity"#
    ),
    (
      "three integers", price("[99, 0, 0]"),
      #"field data: the price is not four 32-bit integers; save the catalog in Unity again"#
    ),
    (
      "a pricing template", #""pricingTemplateID": "4722""#,
      #"field pricingTemplateID: the pricing template "4722" is not supported because its prices are not in the file; write the product's own price"#
    ),
    (
      "translations", #""descriptions": [{"googleLocale": 30, "title": "a", "description": "b"}]"#,
      #"field descriptions: translations are not supported, because Unity's numbers for languages depend on the version of Unity; import GooglePlayProductCatalog.csv, which names the languages"#
    ),
    (
      "half of a surrogate pair", #""defaultDescription": {"title": "\\ud83d"}"#,
      #"field title: the text has half of a surrogate pair; save the catalog in Unity again"#
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidPart(name: String, fields: String, reject: String) throws {
    try importsProduct(
      name: name,
      fields: fields,
      expected: "gems, consumable\nrejected: product \"gems\", line 1, \(reject)"
    )
  }

  /// A subscription has no tier, because the numbers of its tiers meant other prices, and without options the file has
  /// neither a storefront nor a language.
  @Test func rejectsWhatTheFileDoesNotState() {
    let text = #"""
      {"products": [
        {"id": " club ", "type": 2, "applePriceTier": 5},
        {"id": "", "type": 0},
        {"id": "hat", "type": 7, "defaultDescription": {"title": "Hat"}, "googlePrice": {"data": [99, 0, 0, 131072]}}]}
      """#
    let read = Imported(.unity, text)
    #expect(read.products.map(\.lines) == [["club, auto-renewable-subscription"], ["hat"]])
    #expect(
      read.rejects == [
        #"product " club ", line 2, field applePriceTier: a price tier is supported only for consumable and non-consumable products; import the prices of the product from App Store Connect"#,
        #"product "", line 3, field id: the product identifier is empty; use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#,
        #"product "hat", line 4, field type: 7 is not an integer from 0 to 2; write a number in that range"#,
        #"product "hat", line 4, field googlePrice: the price 0.99 has no storefront; name one with --prices-of or ImportOptions.storefront"#,
        "the texts of 1 product have no language that is the same in all versions of Unity; name the language with --texts-in or ImportOptions.language",
      ]
    )
  }
}

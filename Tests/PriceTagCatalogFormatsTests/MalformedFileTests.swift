import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Damaged files of every format cause an error or rejects, but never a crash or an amount that is not in the
/// file.
@Suite struct MalformedFileTests {
  /// A complete file of each format with a price of 1.99.
  static let files: [(format: CatalogFormat, text: String)] = [
    (
      .json,
      #"{"format":"pricetag-catalog","version":1,"tiers":[{"tier":"1","prices":{"USA":"1.99"}}],"products":[{"productIdentifier":"a","localizations":{"en":{"name":"é"}},"prices":{"USA":"1.99","JPN":{"amount":"160","from":"2026-01-01"}}}]}"#
    ),
    (
      .jsonl,
      #"{"type":"tier","tier":"1","prices":{"USA":"1.99"}}"# + "\n"
        + #"{"productIdentifier":"a","tier":"1","offers":[{"paymentMode":"pay-up-front","period":"P3M","prices":{"USA":"1.99"}}]}"#
    ),
    (.csv, "productIdentifier,name[en-US],storefront,amount\na,\"A \"\"b\"\", c\",USA,1.99\na,,JPN,160\n"),
    (
      .storekit,
      #"{"identifier":"1","version":{"major":4,"minor":0},"settings":{"_storefront":"USA"},"products":[{"productID":"a","type":"Consumable","displayPrice":"1.99","localizations":[{"locale":"en_US","displayName":"é","description":""}]}],"subscriptionGroups":[{"id":"g","name":"G","subscriptions":[{"productID":"s","type":"RecurringSubscription","recurringSubscriptionPeriod":"P1M","displayPrice":"1.99","introductoryOffer":{"paymentMode":"payUpFront","subscriptionPeriod":"P3M","displayPrice":"1.99"}}]}]}"#
    ),
    (
      .googlePlayCSV,
      "Product ID,Published State,Purchase Type,Auto Translate,Locale; Title; Description,Auto Fill Prices,Price\na,published,managed_by_android,false,en_US; é; D,false,US; 1990000; JP; 160000000\n"
    ),
    (
      .googlePlayJSON,
      #"{"sku":"a","status":"active","purchaseType":"managedUser","prices":{"US":{"priceMicros":"1990000","currency":"USD"}},"listings":{"en-US":{"title":"é"}}}"#
    ),
    (
      .appStoreConnect,
      #"{"schemaVersion":"1.0.0","inAppPurchases":[{"productId":"a","type":"CONSUMABLE","referenceName":"é","pricing":{"baseTerritory":"USA","prices":[{"price":"1.99","territory":"USA"}]}}],"subscriptionGroups":[]}"#
    ),
    (
      .itmsp,
      #"<?xml version="1.0" encoding="UTF-8"?><package xmlns="http://apple.com/itunes/importer" version="software5.4"><software><software_metadata><in_app_purchases><in_app_purchase><product_id>a</product_id><type>consumable</type><products><product><cleared_for_sale>true</cleared_for_sale><intervals><interval><wholesale_price_tier>1</wholesale_price_tier></interval></intervals></product></products><locales><locale name="en-US"><title>é</title></locale></locales></in_app_purchase></in_app_purchases></software_metadata></software></package>"#
    ),
    (
      .stripe,
      #"{"object":"price","id":"price_1","active":true,"currency":"usd","unit_amount":199,"billing_scheme":"per_unit","nickname":"é","recurring":{"interval":"month","interval_count":1}}"#
    ),
    (
      .tiers,
      ",\"United States (USD)\",,\"Japan (JPY)\",\n,Price,Proceeds,Price,Proceeds\nTier 1,1.99,1.39,\"160\",112\n"
    ),
    (
      .unity,
      #"{"appleSKU":"","products":[{"id":"a","type":0,"storeIDs":[],"defaultDescription":{"googleLocale":0,"title":"","description":""},"applePriceTier":2,"googlePrice":{"data":[0,0,0,0],"num":0.0},"pricingTemplateID":""}]}"#
    ),
  ]

  private static func run(_ format: CatalogFormat, _ bytes: [UInt8]) throws -> Imported {
    let options = ImportOptions(day: try .date(CalendarDate("2026-11-21")), storefront: nil)
    return Imported(format, CatalogFile(name: "file", bytes: bytes), options)
  }

  /// Returns whether an error is one line of limited length without control characters.
  private static func isReadable(_ error: String) -> Bool {
    !error.contains(where: \.isNewline) && error.utf8.count < 1000
      && !error.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  @Test func hasFileOfEveryFormat() {
    #expect(Set(Self.files.map(\.format)) == Set(CatalogFormat.allCases))
  }

  @Test(arguments: files)
  func importsCompleteFile(format: CatalogFormat, text: String) throws {
    let imported = try Self.run(format, Array(text.utf8))
    #expect(imported.failure == nil && imported.rejects == [])
    #expect(imported.products.count + imported.tiers.count > 0)
    #expect(
      try CatalogFormat(of: CatalogFile(name: "file", bytes: Array(text.utf8))) == format || format == .jsonl
    )
    // With a byte order mark, which some editors add.
    let marked = try Self.run(format, [0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(marked.failure == nil && marked.products == imported.products && marked.tiers == imported.tiers)
  }

  /// Truncates each file at every byte.
  @Test(arguments: files)
  func importsTruncatedFile(format: CatalogFormat, text: String) throws {
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let imported = try Self.run(format, Array(bytes[..<count]))
      for error in imported.rejects + (imported.failure.map { [$0] } ?? []) {
        #expect(Self.isReadable(error), "\(count): \(error)")
      }
      // Truncated documents are errors. In formats of lines and records, the last one may be truncated.
      let isDocument = ![.jsonl, .csv, .googlePlayCSV, .tiers].contains(format)
      if isDocument { #expect(imported.failure != nil, "\(count)") }
    }
  }

  /// Replaces every third byte by bytes that are invalid in most places.
  @Test(arguments: files)
  func importsDamagedFile(format: CatalogFormat, text: String) throws {
    let bytes = Array(text.utf8)
    for byte in [UInt8(0), 0xFF, 0x22, 0x7B, 0x3C, 0x39, 0x0A] {
      for index in stride(from: 0, to: bytes.count, by: 3) {
        var damaged = bytes
        damaged[index] = byte
        let imported = try Self.run(format, damaged)
        for error in imported.rejects + (imported.failure.map { [$0] } ?? []) {
          #expect(Self.isReadable(error), "\(byte) at \(index): \(error)")
        }
      }
    }
  }

  /// Invalid dates and amounts.
  @Test(
    arguments: [
      #"{"amount":"1","from":"2027-01-01","until":"2026-01-01"}"#, #"{"amount":"1e9"}"#, #""NaN""#, #""-1""#,
      #""1,99""#,
      #""1.999""#, #""99999999999999999999""#, #"{"amount":"1","currency":"EUR"}"#,
      #"{"amount":"1","from":"2026-02-30"}"#, "true", "[[]]",
      #"{}"#,
    ] as [String]
  )
  func rejectsInvalidPrice(price: String) throws {
    let imported = try Self.run(
      .jsonl,
      Array(#"{"productIdentifier":"a","prices":{"USA":\#(price),"JPN":"160"}}"#.utf8)
    )
    #expect(imported.failure == nil)
    #expect(imported.prices(of: "a") == ["JPN 160 JPY"])
    #expect(
      imported.rejects.count == 1 && imported.rejects.allSatisfy(Self.isReadable),
      "\(imported.rejects)"
    )
  }
}

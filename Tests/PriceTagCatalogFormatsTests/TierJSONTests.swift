import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Tests Apple's tiers in JSON responses of iTunes Connect.
@Suite struct TierJSONTests {
  private static let matrix = #"""
    {"data": {"pricingTiers": [
      {"tierStem": "0", "tierName": "Free", "pricingInfo": [
        {"country": "United States", "countryCode": "US", "currencySymbol": "$", "currencyCode": "USD",
         "wholesalePrice": 0, "retailPrice": 0, "fRetailPrice": "$0.00", "fWholesalePrice": "$0.00"},
        {"countryCode": "KR", "currencyCode": "USD", "retailPrice": 0}]},
      {"tierStem": "1", "tierName": "Tier 1", "pricingInfo": [
        {"countryCode": "US", "currencyCode": "USD", "retailPrice": 0.99},
        {"countryCode": "JP", "currencyCode": "JPY", "retailPrice": 120},
        {"countryCode": "KR", "currencyCode": "USD", "retailPrice": 1.09},
        {"countryCode": "MX", "currencyCode": "MXN", "retailPrice": "17"},
        {"countryCode": "CA", "retailPrice": 1}]},
      {"tierStem": "510", "tierName": "Alternate Tier A", "pricingInfo": [
        {"countryCode": "US", "currencyCode": "USD", "retailPrice": 0.999}]},
      {"tierStem": "5", "tierName": "ITC.addons.pricing.tier.5", "pricingInfo": [
        {"countryCode": "US", "currencyCode": "USD", "retailPrice": 4.99}]}
    ]}, "messages": {"warn": null}, "statusCode": "SUCCESS"}
    """#

  @Test func importsMatrix() throws {
    let file = CatalogFile(name: "pricing_tiers.json", bytes: Array(Self.matrix.utf8))
    #expect(try CatalogFormat(of: file) == .tiers)
    let read = Imported(.tiers, file, try .on("2026-10-01"))
    #expect(read.failure == nil)
    #expect(
      read.tiers.lines == [
        "0: USA 0.00 USD", "1: JPN 120 JPY", "1: MEX 17.00 MXN", "1: USA 0.99 USD", "alternate-A: none",
        "subscription-5: USA 4.99 USD",
      ]
    )
    #expect(
      read.rejects == [
        #"line 5, tier "0": KOR has never charged USD (known currencies: KRW), so its USD prices are rejected; write the prices in a known currency; prices are not converted"#,
        #"tier "1", line 11, field currencyCode: the field "currencyCode" is missing; add it"#,
        #"line 13, tier "alternate-A": 0.999 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded"#,
      ]
    )
  }

  static let texts: [(storefront: String, text: String, expected: String)] = [
    ("HKG", "HK$ 5.00", "5.00 HKD"), ("PRT", "0,49 €", "0.49 EUR"), ("HND", "US$0.49", "0.49 USD"),
    ("QAT", "1.99 QAR", "1.99 QAR"), ("SWE", "5,00 kr", "5.00 SEK"), ("SGP", "S$ .48", "0.48 SGD"),
    ("JPN", "JP¥50", "50 JPY"), ("TZA", "900.00 TZS", "900.00 TZS"), ("VNM", "9.000đ", "9000 VND"),
    ("MEX", "$9.00", "9.00 MXN"), ("IDN", "Rp 4.200", "4200 IDR"), ("IND", "Rs 30", "30 INR"),
    ("IDN", "Rp 1.234.567", "1234567 IDR"), ("USA", "US$1,234.50", "1234.50 USD"),
    // Thousands in words, another country's currency, and ambiguous digits.
    ("IDN", "Rp 6ribu", "is not a price in"), ("KOR", "US$0.54", "is not a price in"),
    ("USA", "$0.49", "is not a price in"), ("USA", "US$1,2345", "unambiguous"),
    ("USA", "US$0.499", "unambiguous"), ("USA", "US$", "unambiguous"), ("USA", "", "unambiguous"),
    ("USA", "US$12,34,567.00", "unambiguous"),
  ]

  @Test(arguments: texts)
  func parsesUnambiguousPrice(storefront: String, text: String, expected: String) throws {
    do throws(CatalogError) {
      let (amount, currency) = try TierPriceText(text: text).price(in: try Self.storefront(storefront))
      #expect("\(amount) \(currency)" == expected)
    } catch { #expect(error.description.contains(expected), "\(error)") }
  }

  private static func storefront(_ id: String) throws(CatalogError) -> Storefront {
    do throws(PriceTagError) { return try Storefront(id) } catch { throw CatalogError(error) }
  }

  /// Subscription tiers, which start at 0.49 dollars and are separate from other tiers.
  @Test func importsCountries() throws {
    let read = Imported(
      .tiers,
      #"""
      {"data": {"HK": {"countryName": "Hong Kong", "fRetailPrice": "HK$ 5.00", "tierStem": "1"},
        "ID": {"countryName": "Indonesia", "fRetailPrice": "Rp 6ribu", "tierStem": "3"},
        "IN": {"countryName": "India", "fRetailPrice": "Rs 30", "tierStem": "3"}}}
      """#,
      try .on("2026-10-01")
    )
    #expect(read.failure == nil)
    #expect(read.tiers.lines == ["subscription-1: HKG 5.00 HKD", "subscription-3: IND 30.00 INR"])
    #expect(
      read.rejects == [
        #"country "ID", line 2, field fRetailPrice: "Rp 6ribu" is not a price in a currency that IDN charges (IDR); write the price in such a currency; prices are not converted"#
      ]
    )
  }
}

import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private func read(_ text: String, _ format: CatalogFormat = .json) -> Imported {
  Imported(format, text, .inFebruary)
}

private func product(_ fields: String) -> String {
  "{\"format\": \"pricetag-catalog\", \"version\": 1, \"products\": [\n{\"productIdentifier\": \"a\",\n\(fields)}]}"
}

@Suite struct CatalogJSONTests {
  @Test func importsAllFields() {
    #expect(
      read(
        #"""
        {"$schema": "catalog.schema.json", "format": "pricetag-catalog", "version": 1,
         "tiers": [{"tier": "3", "prices": {"USA": "2.99", "JPN": 450}}],
         "categories": [{"identifier": "levels", "names": {"en": "Levels", "iw_IL": "שלבים"}}],
         "subscriptionGroups": [{"identifier": "garage"}],
         "products": [
          {"productIdentifier": "com.example.level1", "kind": "consumable", "referenceName": "Level 1", "category": "levels",
           "localizations": {"en-US": {"name": "One", "description": "The first"}, "zh_Hans": {"name": "一"}},
           "tier": [{"tier": "4", "from": "2026-07-01"}, {"tier": "3", "until": "2026-06-30"}],
           "prices": {"USA": [{"amount": 1.5, "from": "2026-03-01"}, {"amount": "0.990", "currency": "usd", "until": "2026-02-28"}],
             "bg": {"amount": "1.95", "currency": "BGN", "until": "2025-12-31"}, "BGR": [{"amount": "1", "from": "2026-01-01"}]},
           "priceLocales": {"CHE": "fr-CH"}, "approved": true, "clearedForSale": {"except": ["FRA"]},
           "image": "/level1.png", "sortOrder": 2},
          {"productIdentifier": "com.example.monthly", "kind": "auto-renewable-subscription", "subscriptionGroup": "garage",
           "groupLevel": 1, "subscriptionPeriod": "P1M", "clearedForSale": false, "offers": [
            {"paymentMode": "free-trial", "period": "P1W"},
            {"kind": "win-back", "identifier": "back", "paymentMode": "pay-as-you-go", "period": "P1M", "periodCount": 3,
             "from": "2026-01-01", "until": "2026-12-31", "prices": {"USA": "0.99"}, "tier": "1", "clearedForSale": ["USA"]}]},
          {"productIdentifier": "com.example.empty", "offers": [], "tier": null}]}
        """#
      ).text.split(separator: "\n") == [
        "tier 3", "JPN 450 JPY", "USA 2.99 USD",
        "category levels, en: Levels, he-IL: שלבים", "subscription-group garage",
        #"com.example.level1, consumable, "Level 1", approved, sold everywhere but in [FRA], in levels, tier 3 until 2026-06-30, tier 4 from 2026-07-01, written as fr-CH in CHE, /level1.png, number 2"#,
        "en-US: One | The first", "zh-Hans: 一 | -",
        "BGR 1.95 BGN until 2025-12-31", "BGR 1.00 EUR from 2026-01-01",
        "USA 0.99 USD until 2026-02-28", "USA 1.50 USD from 2026-03-01",
        "com.example.monthly, auto-renewable-subscription, of garage, level 1, P1M, sold in []",
        "introductory -, free-trial, 1 × P1W",
        "win-back back, pay-as-you-go, 3 × P1M from 2026-01-01 until 2026-12-31, sold in [USA], tier 1",
        "  USA 0.99 USD",
        "com.example.empty", "no offers",
      ]
    )
  }

  static let failures: [(name: String, text: String, expected: String)] = [
    ("an empty file", "", "line 1, column 1: expected a value, but the text ends; correct the JSON"),
    (
      "a NUL byte", "\u{0}",
      "line 1: the file starts with a zero byte, so it is not text; use a text file in UTF-8"
    ),
    ("an array", "[]", "line 1: the document must be an object, not an array; write an object"),
    (
      "another format", #"{"format": "price-tag", "version": 1}"#,
      #"line 1, field format: unknown format "price-tag"; write "pricetag-catalog""#
    ),
    (
      "no format", "{\n\"version\": 1}",
      #"line 1, field format: the field "format" is missing; write "format": "pricetag-catalog", "version": 1"#
    ),
    (
      "no version", #"{"format": "pricetag-catalog"}"#,
      "line 1, field version: the version is not 1; write \"version\": 1, or use a later version of PriceTag"
    ),
    (
      "a later version", "{\"format\": \"pricetag-catalog\",\n\"version\": 2}",
      "line 2, field version: the version is not 1; write \"version\": 1, or use a later version of PriceTag"
    ),
    (
      "a version that is not an integer", #"{"format": "pricetag-catalog", "version": 1.5}"#,
      "line 1, field version: 1.5 is not an integer from 0 to 999999; write a number in that range"
    ),
    (
      "a misspelled field", #"{"format": "pricetag-catalog", "version": 1, "product": []}"#,
      #"line 1, field product: unknown field "product"; remove it (did you mean "products"?)"#
    ),
    (
      "products that are not an array", #"{"format": "pricetag-catalog", "version": 1, "products": {}}"#,
      "line 1, field products: the field \"products\" must be an array, not an object; write an array"
    ),
    (
      "a field twice", "{\"format\": \"pricetag-catalog\",\n\"format\": \"pricetag-catalog\"}",
      #"line 2, column 1: the field "format" appears twice; correct the JSON"#
    ),
    (
      "deep nesting", String(repeating: #"{"a":"#, count: 5000),
      "line 1, column 161: values are nested more than 32 deep; correct the JSON"
    ),
    (
      "text after the document", #"{"format": "pricetag-catalog", "version": 1} x"#,
      "line 1, column 46: unexpected text after the value; correct the JSON"
    ),
    (
      "a lone surrogate", #"{"format": "\ud800"}"#,
      "line 1, column 19: unpaired surrogate; correct the JSON"
    ),
  ]

  @Test(arguments: failures)
  func formatViolationEndsImport(name: String, text: String, expected: String) {
    #expect(read(text).failure == expected)
  }

  static let encodings: [(name: String, bytes: [UInt8], expected: String?)] = [
    ("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(product(#""approved": true"#).utf8), nil),
    ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00], "line 1: the file is UTF-16; save it as UTF-8"),
    ("UTF-16 without a byte order mark", [0x00, 0x7B], "line 1: the file is UTF-16; save it as UTF-8"),
    (
      "invalid UTF-8", Array("{\n\"".utf8) + [0xFF],
      "line 2, column 2: the text is not UTF-8; correct the JSON"
    ),
    (
      "an encoded surrogate", Array("{\"".utf8) + [0xED, 0xA0, 0x80],
      "line 1, column 3: the text is not UTF-8; correct the JSON"
    ),
  ]

  @Test(arguments: encodings)
  func checksEncoding(name: String, bytes: [UInt8], expected: String?) {
    #expect(Imported(.json, CatalogFile(name: "file", bytes: bytes), .inFebruary).failure == expected)
  }

  static let wrong: [(name: String, fields: String, expected: String)] = [
    (
      "a misspelled field", #""prize": {}"#,
      #"rejected: product "a", line 3, field prize: unknown field "prize"; remove it (did you mean "prices"?)"#
    ),
    (
      "another type", #""type": "tier""#,
      #"rejected: product "a", line 3, field type: the field "type" must be "product", not "tier"; correct the type, or move the object to the array of its type"#
    ),
    (
      "an unknown kind", #""kind": "nonconsumable""#,
      #"rejected: product "a", line 3, field kind: unknown kind "nonconsumable"; use one of consumable, non-consumable, auto-renewable-subscription, non-renewing-subscription (did you mean "non-consumable"?)"#
    ),
    (
      "a kind that is not a string", #""kind": 1"#,
      #"rejected: product "a", line 3, field kind: the field "kind" must be a string, not a number; write a string"#
    ),
    (
      "a category of two lines", #""category": "a\nb""#,
      #"rejected: product "a", line 3, field category: the name is empty, too long or has a control character; use 1 to 100 characters on one line"#
    ),
    (
      "a level outside its range", #""groupLevel": 99999999999999999999"#,
      #"rejected: product "a", line 3, field groupLevel: 99999999999999999999 is not an integer from 1 to 9999; write a number in that range"#
    ),
    (
      "an invalid period", #""subscriptionPeriod": "1 month""#,
      #"rejected: product "a", line 3, field subscriptionPeriod: "1 month" is not an ISO 8601 duration in days, weeks, months or years; write one such as P7D, P2W, P1M or P1Y"#
    ),
    (
      "an unknown storefront", #""prices": {"JPX": "1", "USA": "1"}"#,
      """
      a
      USA 1.00 USD
      rejected: product "a", line 3, price of JPX: unknown storefront "JPX"; did you mean "JPN"?
      """
    ),
    (
      "too many decimals", #""prices": {"JPN": "0.5", "USA": 0.999}"#,
      """
      a
      rejected: product "a", line 3, price of JPN: 0.5 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded
      rejected: product "a", line 3, price of USA: 0.999 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded
      """
    ),
    (
      "an invalid price", #""prices": {"USA": [true, null]}"#,
      """
      a
      rejected: product "a", line 3, price of USA, line 3: a price must be an object, not a boolean; write an object
      rejected: product "a", line 3, price of USA, line 3: a price must be an object, not null; write an object
      """
    ),
    (
      "two prices on the same dates", #""prices": {"USA": "1", "us": "2", "CAN": ["3", "3.00"]}"#,
      """
      a
      CAN 3.00 CAD
      rejected: product "a", line 3, price of us: USA has 2.00 USD and 1.00 USD on the same dates; keep one price per date (all prices of USA were rejected)
      """
    ),
    (
      "three conflicting prices", #""prices": {"USA": ["1", "2", "3"], "CAN": "1"}"#,
      """
      a
      CAN 1.00 CAD
      rejected: product "a", line 3, price of USA: USA has 2.00 USD and 1.00 USD on the same dates; keep one price per date (all prices of USA were rejected)
      rejected: product "a", line 3, price of USA: USA has 3.00 USD and other prices on the same dates; keep one price per date (all prices of USA were rejected)
      """
    ),
    (
      "an unknown language", #""localizations": {"xx": {"name": "One"}, "fr": {"name": "Un"}}"#,
      """
      a
      fr: Un | -
      rejected: product "a", line 3, language "xx": unknown language "xx" (ICU has no data for the language); use a BCP 47 tag such as "en-US"
      """
    ),
    (
      "a language twice", #""localizations": {"en-US": {"name": "One"}, "en_US": {"name": "Two"}}"#,
      """
      a
      en-US: One | -
      rejected: product "a", line 3, language "en_US": "en-US" appears twice with different texts; remove one
      """
    ),
    (
      "an invalid localization",
      #""localizations": {"fr": "Un", "de": {"title": "Eins"}, "it": {"name": 1}}"#,
      """
      a
      rejected: product "a", line 3, language "fr", line 3: a localization must be an object, not a string; write an object
      rejected: product "a", line 3, language "de", line 3, field title: unknown field "title"; remove it
      rejected: product "a", line 3, language "it", line 3, field name: the field "name" must be a string, not a number; write a string
      """
    ),
    (
      "an invalid price locale", #""priceLocales": {"CHE": "de_CH@currency=EUR"}"#,
      #"rejected: product "a", line 3, field CHE: "de_CH@currency=EUR" has keywords, which would change a price; remove the @ and the text after it"#
    ),
    (
      "a price locale twice", #""priceLocales": {"CHE": "de-CH", "CH": "fr-CH"}"#,
      #"rejected: product "a", line 3, field CH: "CHE" appears twice; remove one"#
    ),
    (
      "tiers on the same dates", #""tier": [{"tier": "1"}, {"tier": "2", "from": "2026-01-01"}]"#,
      #"rejected: product "a", line 3, field tier: the tiers "1" and "2" apply on the same dates; keep one tier per date"#
    ),
    (
      "an invalid clearance", #""clearedForSale": "USA""#,
      #"rejected: product "a", line 3, field clearedForSale: the field "clearedForSale" must be true, false, an array or an object, not a string; write true, false, an array of storefronts, or {"except":[…]}"#
    ),
    (
      "a clearance of an unknown storefront", #""clearedForSale": {"except": ["Japan"]}"#,
      #"rejected: product "a", line 3, field except: unknown storefront "Japan"; did you mean "JPN"?"#
    ),
    (
      "a clearance without storefronts", #""clearedForSale": {}"#,
      #"rejected: product "a", line 3, field except: the field "except" is missing; add it"#
    ),
    (
      "an image address that is a script", #""image": "javascript:alert(1)""#,
      #"rejected: product "a", line 3, field image: "javascript:alert(1)" is not an image address; use an http or https URL, or a path"#
    ),
    (
      "a content and a reference", #""content": "6x330ml", "unitReference": "100 ml""#,
      "a, content 6 × 330 mL, priced per 100 mL"
    ),
    ("a reference without a content", #""unitReference": "kg""#, "a, priced per kg"),
    (
      "an invalid content", #""prices": {"USA": "1"}, "content": "0,75 l", "unitReference": "L""#,
      #"rejected: product "a", line 3, field content: "0,75 l" contains a comma; write a decimal point and no group separators, such as 0.75 L"#
    ),
    (
      "an invalid reference", #""content": "0.75 L", "unitReference": "3 L""#,
      #"rejected: product "a", line 3, field unitReference: "3 L" is not a reference for unit prices; write a unit, or 1, 10, 50, 75, 100 or 1000 of it, such as kg or 100 mL"#
    ),
    (
      "a reference that measures something else", #""content": "0.75 L", "unitReference": "kg""#,
      #"rejected: product "a", line 3, field unitReference: the content 0.75 L has no price per kg; use a reference for volume, such as L"#
    ),
    (
      "a reference in another system of units", #""content": "0.75 L", "unitReference": "fl oz""#,
      #"rejected: product "a", line 3, field unitReference: the content 0.75 L and the reference fl oz belong to different systems of units; use a metric reference such as L"#
    ),
    (
      "a content that is a number", #""content": 0.75"#,
      #"rejected: product "a", line 3, field content: the field "content" must be a string, not a number; write a string"#
    ),
    (
      "a valid and an invalid offer",
      #""offers": [{"paymentMode": "free-trial", "period": "P1W", "periodCount": 2}, {"paymentMode": "pay-up-front", "period": "P1Y", "prices": {"USA": "9", "JPN": "0.1"}}]"#,
      """
      a
      introductory -, pay-up-front, 1 × P1Y
        USA 9.00 USD
      rejected: line 3, product "a", offer 1: an offer with the payment mode free-trial cannot have 2 periods; use one period of the complete length
      rejected: product "a", offer 2, line 3, price of JPN: 0.1 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded
      """
    ),
    (
      "an offer of two phases, one without a price in a store",
      #""offers": [{"paymentMode": "free-trial", "period": "P7D", "laterPhases": [{"paymentMode": "pay-as-you-go", "period": "P1M", "periodCount": 3, "prices": {"USA": "2.49", "JPN": "0.1"}}]}]"#,
      """
      a
      introductory -, free-trial, 1 × P7D
        then pay-as-you-go, 3 × P1M
        USA 2.49 USD
      rejected: product "a", offer 1, phase 2, line 3, price of JPN: 0.1 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded
      """
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, fields: String, expected: String) {
    #expect(read(product(fields)).text == expected)
  }

  /// Products of which only the invalid part is rejected.
  static let partlyWrong: [(name: String, fields: String, reject: String)] = [
    (
      "a storefront with a hidden character", #""prices": {"US\u202eA": "1"}"#,
      #"line 3, price of US\u{202E}A: unknown storefront "US\u{202E}A"; did you mean "USA"?"#
    ),
    (
      "a currency that is not the storefront's", #""prices": {"JPN": {"amount": "1", "currency": "USD"}}"#,
      #"line 3, price of JPN: 1 USD is not a price for JPN, which charges JPY; write the price in JPY; prices are not converted"#
    ),
    (
      "an unknown currency", #""prices": {"JPN": {"amount": "1", "currency": "YEN"}}"#,
      #"line 3, price of JPN: unknown currency "YEN"; did you mean "JPY"?"#
    ),
    (
      "a former currency",
      #""prices": {"BGR": {"amount": "1", "currency": "BGN", "from": "2026-01-01"}}"#,
      #"line 3, price of BGR: 1 BGN is not a price for BGR, which charges EUR; write the price in EUR; prices are not converted"#
    ),
    (
      "too large an amount", #""prices": {"USA": "99999999999999999999"}"#,
      #"line 3, price of USA: "99999999999999999999" is out of range; use at most 18 significant digits, of which at most 18 are after the decimal point"#
    ),
    (
      "an exponent", #""prices": {"USA": 1e999999999}"#,
      #"line 3, price of USA: "1e999999999" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
    ),
    (
      "a negative price", #""prices": {"USA": "-0.01"}"#,
      #"line 3, price of USA: the price -0.01 is negative; write zero or more"#
    ),
    (
      "a price with a currency symbol", #""prices": {"USA": "$1"}"#,
      #"line 3, price of USA: "$1" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
    ),
    (
      "a price without an amount", #""prices": {"USA": {"currency": "USD"}}"#,
      #"line 3, price of USA: the field "amount" is missing; add it"#
    ),
    (
      "overlapping dates",
      #""prices": {"USA": [{"amount": "1", "until": "2026-03-01"}, {"amount": "2", "from": "2026-03-01"}]}"#,
      #"line 3, price of USA: USA has 2.00 USD and 1.00 USD on the same dates; keep one price per date, and end the earlier one before 2026-03-01 (all prices of USA were rejected)"#
    ),
    (
      "an end date before the start date",
      #""prices": {"USA": {"amount": "1", "from": "2026-03-02", "until": "2026-03-01"}}"#,
      #"line 3, price of USA, line 3, field until: the last day 2026-03-01 is before the first day 2026-03-02; correct one of the dates"#
    ),
    (
      "a date that does not exist", #""prices": {"USA": {"amount": "1", "from": "2026-02-29"}}"#,
      #"line 3, price of USA, line 3, field from: the date "2026-02-29" does not exist; correct the date"#
    ),
    (
      "a misspelled field of a price", #""prices": {"USA": {"amount": "1", "untill": "2026-02-01"}}"#,
      #"line 3, price of USA, line 3, field untill: unknown field "untill"; remove it (did you mean "until"?)"#
    ),
    (
      "an offer without a period", #""offers": [{"paymentMode": "free-trial"}]"#,
      #"offer 1, line 3, field paymentMode: the field "paymentMode" or "period" is missing; add both"#
    ),
    (
      "an invalid second phase",
      #""offers": [{"paymentMode": "free-trial", "period": "P7D", "laterPhases": [{"paymentMode": "free-trial"}]}]"#,
      #"offer 1, phase 2, line 3, field paymentMode: the field "paymentMode" or "period" is missing; add both"#
    ),
  ]

  @Test(arguments: partlyWrong)
  func rejectsInvalidPart(name: String, fields: String, reject: String) {
    #expect(read(product(fields)).text == "a\nrejected: product \"a\", \(reject)")
  }

  static let wrongGroups: [(name: String, sections: String, expected: String)] = [
    (
      "a tier without a name", #""tiers": [{"prices": {"USA": "1"}}]"#,
      #"rejected: tier, line 1, field tier: the field "tier" is missing; add it"#
    ),
    (
      "a tier with a wrong price", #""tiers": [{"tier": "1", "prices": {"USA": "1", "JPN": "1.5"}}]"#,
      """
      tier 1
      USA 1.00 USD
      rejected: tier "1", line 1, price of JPN: 1.5 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded
      """
    ),
    (
      "a name in two spellings",
      #""categories": [{"identifier": "a", "names": {"en-US": "A", "en_us": "B"}}]"#,
      #"rejected: category "a", line 1, field en_us: "en-US" appears twice; remove one"#
    ),
    (
      "an invalid name", #""categories": [{"identifier": "a", "names": {"en": 1}}]"#,
      #"rejected: category "a", line 1, field en: a name must be a non-empty string; write a string"#
    ),
    (
      "a name too long", #""subscriptionGroups": [{"identifier": "\#(String(repeating: "x", count: 101))"}]"#,
      #"rejected: subscription-group "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", line 1, field identifier: the name is empty, too long or has a control character; use 1 to 100 characters on one line"#
    ),
    (
      "a wrong section", #""tiers": [{"type": "product", "productIdentifier": "a"}]"#,
      #"rejected: tier, line 1, field type: the field "type" must be "tier", not "product"; correct the type, or move the object to the array of its type"#
    ),
    (
      "a product that is not an object", #""products": [7, {"productIdentifier": "a"}]"#,
      "a\nrejected: products, line 1: a product must be an object, not a number; write an object"
    ),
  ]

  @Test(arguments: wrongGroups)
  func rejectsInvalidGroupOrTier(name: String, sections: String, expected: String) {
    #expect(read(#"{"format": "pricetag-catalog", "version": 1, \#(sections)}"#).text == expected)
  }
}

@Suite struct CatalogJSONLinesTests {
  static let files: [(name: String, text: String, expected: String)] = [
    ("an empty file", "", ""),
    ("empty lines", "\n\r\n\n", ""),
    (
      "all types",
      """
      {"productIdentifier": "a", "prices": {"USA": "0.99"}}

      {"type": "tier", "tier": "1", "prices": {"USA": "0.99"}}\r
      {"type": "category", "identifier": "levels"}
      {"type": "subscription-group", "identifier": "garage", "names": {"en": "Garage"}}
      {"type": "product", "productIdentifier": "b"}
      """,
      """
      tier 1
      USA 0.99 USD
      category levels
      subscription-group garage, en: Garage
      a
      USA 0.99 USD
      b
      """
    ),
    (
      "a byte order mark", "\u{FEFF}{\"productIdentifier\": \"a\"}",
      "a"
    ),
    (
      "an unknown type", "{\"productIdentifier\": \"a\"}\n{\"type\": \"group\"}",
      """
      a
      rejected: line 2: unknown type "group"; use one of tier, category, subscription-group, product
      """
    ),
    (
      "invalid data, with line numbers",
      "\n{\"productIdentifier\": \"a\", \"prices\": {\"USA\": \"x\"}}\n{\"productIdentifier\": \"a b\"}\n{}\n{\"productIdentifier\": \"c\", \"prize\": 1}",
      """
      a
      rejected: product "a", line 2, price of USA: "x" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50
      rejected: product "a b", line 3, field productIdentifier: "a b" is not a product identifier; use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit
      rejected: product, line 4, field productIdentifier: the field "productIdentifier" is missing; add it
      rejected: product "c", line 5, field prize: unknown field "prize"; remove it (did you mean "prices"?)
      """
    ),
    (
      "malformed JSON", "{\"productIdentifier\": \"a\"}\n\n{\"productIdentifier\": \"b\"",
      """
      failure: line 3, column 26: expected "," or "}", but the text ends; correct the JSON
      a
      """
    ),
    (
      "an array", "[]",
      "rejected: line 1: a line must be an object, not an array; write one object per line"
    ),
    (
      "a document", "{\n \"format\": \"pricetag-catalog\"\n}",
      "failure: line 1, column 2: expected the name of a field, but the text ends; correct the JSON"
    ),
    (
      "deep nesting", "{\"productIdentifier\": \"a\"}\n" + String(repeating: "[", count: 100_000),
      "failure: line 2, column 33: values are nested more than 32 deep; correct the JSON\na"
    ),
    (
      "two products on one line", "{\"productIdentifier\": \"a\"}{\"productIdentifier\": \"a\"}",
      "failure: line 1, column 27: unexpected text after the value; correct the JSON"
    ),
  ]

  @Test(arguments: files)
  func importsLines(name: String, text: String, expected: String) {
    #expect(read(text, .jsonl).text == expected)
  }

  /// Rejecting an unknown language takes microseconds. Comparing each of these with every locale took minutes.
  @Test(.timeLimit(.minutes(20))) func rejectsManyUnknownLanguagesInSeconds() {
    let languages = (0..<20_000).map { "\"q\(String($0, radix: 36))-zz\":{\"name\":\"N\"}" }
    let found = read(
      product("\"localizations\": {\(languages.joined(separator: ",")), \"fr\": {\"name\": \"Un\"}}")
    ).text.split(separator: "\n")
    #expect(found.prefix(2) == ["a", "fr: Un | -"])
    #expect(found.count == languages.count + 2)
    #expect(found.last?.contains(#"such as "en-US""#) == true)
  }
}

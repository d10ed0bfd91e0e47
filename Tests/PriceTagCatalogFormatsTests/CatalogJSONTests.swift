import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private let options: ImportOptions = {
  var options = ImportOptions()
  if let date = try? CalendarDate("2026-02-01") { options.date = date }
  return options
}()

/// What was read and set aside, as lines.
private func lines(_ text: String, _ format: CatalogFormat = .json) -> [String] {
  let read = Imported(format, text, options)
  return (read.failure.map { ["failure: \($0)"] } ?? [])
    + read.tiers.flatMap { ["tier \($0.name)"] + $0.prices.lines }
    + read.groups.map { group in
      "\(group.kind.rawValue) \(group.identifier)"
        + group.names.sorted { $0.key < $1.key }.map { ", \($0): \($1)" }.joined()
    } + read.products.flatMap(\.lines) + read.setAside.map { "aside: \($0)" }
}

private func product(_ fields: String) -> String {
  "{\"format\": \"pricetag-catalog\", \"version\": 1, \"products\": [\n{\"productIdentifier\": \"a\",\n\(fields)}]}"
}

@Suite struct CatalogJSONTests {
  @Test func aDocumentSaysAll() {
    #expect(
      lines(
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
      ) == [
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
    ("nothing", "", "line 1, column 1: the text ends where a value is expected: correct the JSON"),
    (
      "a byte that is no JSON", "\u{0}",
      "line 1: the file starts with a zero byte, so it is no text: give a text file in UTF-8"
    ),
    ("an array", "[]", "line 1: an array stands where a catalogue is expected: give an object"),
    (
      "another format", #"{"format": "price-tag", "version": 1}"#,
      #"line 1, field format: the format "price-tag" is not known: write "pricetag-catalog""#
    ),
    (
      "no format", "{\n\"version\": 1}",
      #"line 1, field format: the field "format" is missing: write "format": "pricetag-catalog", "version": 1"#
    ),
    (
      "no version", #"{"format": "pricetag-catalog"}"#,
      "line 1, field version: the version is not 1: write version 1, or read the file with a newer PriceTag"
    ),
    (
      "a later version", "{\"format\": \"pricetag-catalog\",\n\"version\": 2}",
      "line 2, field version: the version is not 1: write version 1, or read the file with a newer PriceTag"
    ),
    (
      "a version that is no whole number", #"{"format": "pricetag-catalog", "version": 1.5}"#,
      "line 1, field version: 1.5 is no whole number of 0 to 999999: give one"
    ),
    (
      "a field that is misspelt", #"{"format": "pricetag-catalog", "version": 1, "product": []}"#,
      #"line 1, field product: there is no field "product": remove it (did you mean products?)"#
    ),
    (
      "products that are no array", #"{"format": "pricetag-catalog", "version": 1, "products": {}}"#,
      "line 1, field products: an object stands where an array is expected: give an array"
    ),
    (
      "a field twice", "{\"format\": \"pricetag-catalog\",\n\"format\": \"pricetag-catalog\"}",
      #"line 2, column 1: the field "format" stands twice: correct the JSON"#
    ),
    (
      "deep nesting", String(repeating: #"{"a":"#, count: 5000),
      "line 1, column 161: values are nested more than 32 deep: correct the JSON"
    ),
    (
      "something behind the document", #"{"format": "pricetag-catalog", "version": 1} x"#,
      "line 1, column 46: something follows the value: correct the JSON"
    ),
    (
      "a lone surrogate", #"{"format": "\ud800"}"#,
      "line 1, column 19: a surrogate stands alone: correct the JSON"
    ),
  ]

  @Test(arguments: failures)
  func whatBreaksTheFormatEndsTheImport(name: String, text: String, expected: String) {
    #expect(Imported(.json, text, options).failure == expected)
  }

  static let encodings: [(name: String, bytes: [UInt8], expected: String?)] = [
    ("a mark", [0xEF, 0xBB, 0xBF] + Array(product(#""approved": true"#).utf8), nil),
    ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00], "line 1: the file is UTF-16: save it as UTF-8"),
    ("UTF-16 without a mark", [0x00, 0x7B], "line 1: the file is UTF-16: save it as UTF-8"),
    (
      "bytes that are no text", Array("{\n\"".utf8) + [0xFF],
      "line 2, column 2: the text is not UTF-8: correct the JSON"
    ),
    (
      "an encoded surrogate", Array("{\"".utf8) + [0xED, 0xA0, 0x80],
      "line 1, column 3: the text is not UTF-8: correct the JSON"
    ),
  ]

  @Test(arguments: encodings)
  func aFileIsUTF8(name: String, bytes: [UInt8], expected: String?) {
    #expect(Imported(.json, CatalogFile(name: "file", bytes: bytes), options).failure == expected)
  }

  static let wrong: [(name: String, fields: String, expected: [String])] = [
    (
      "a field that is misspelt", #""prize": {}"#,
      [
        #"aside: product "a", line 3, field prize: there is no field "prize": remove it (did you mean prices?)"#
      ]
    ),
    (
      "another type", #""type": "tier""#,
      [
        #"aside: product "a", line 3, field type: the type "tier" stands where a product is expected: move it to where it belongs"#
      ]
    ),
    (
      "an unknown kind", #""kind": "nonconsumable""#,
      [
        #"aside: product "a", line 3, field kind: there is no kind "nonconsumable": give one of consumable, non-consumable, auto-renewable-subscription, non-renewing-subscription (did you mean non-consumable?)"#
      ]
    ),
    (
      "a kind that is no text", #""kind": 1"#,
      [
        #"aside: product "a", line 3, field kind: a number stands where a string is expected: give a string"#
      ]
    ),
    (
      "a category of two lines", #""category": "a\nb""#,
      [
        #"aside: product "a", line 3, field category: the name is empty or long: give 1 to 100 characters of one line"#
      ]
    ),
    (
      "a level outside its range", #""groupLevel": 99999999999999999999"#,
      [
        #"aside: product "a", line 3, field groupLevel: 99999999999999999999 is no whole number of 1 to 9999: give one"#
      ]
    ),
    (
      "a period that is none", #""subscriptionPeriod": "1 month""#,
      [
        #"aside: product "a", line 3, field subscriptionPeriod: "1 month" is not an ISO 8601 duration of whole days, weeks, months or years: write one such as P7D, P2W, P1M or P1Y"#
      ]
    ),
    (
      "a storefront that is none", #""prices": {"JPX": "1", "USA": "1"}"#,
      [
        "a",
        "USA 1.00 USD",
        #"aside: product "a", line 3, price of JPX: no storefront is called "JPX": give a territory such as USA (did you mean JPN?); pricetag storefronts lists them all"#,
      ]
    ),
    (
      "a storefront with a hidden character", #""prices": {"US\u202eA": "1"}"#,
      [
        "a",
        #"aside: product "a", line 3, price of US\u{202E}A: no storefront is called "US\u{202E}A": give a territory such as USA (did you mean USA?); pricetag storefronts lists them all"#,
      ]
    ),
    (
      "a currency that is not the storefront's", #""prices": {"JPN": {"amount": "1", "currency": "USD"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of JPN: 1 USD is a price of JPN, which charges JPY: give the price that JPN charges in JPY; nothing is converted"#,
      ]
    ),
    (
      "a currency that is none", #""prices": {"JPN": {"amount": "1", "currency": "YEN"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of JPN: "YEN" is not an ISO 4217 code: give three letters such as USD (did you mean JPY?)"#,
      ]
    ),
    (
      "a currency of days gone by",
      #""prices": {"BGR": {"amount": "1", "currency": "BGN", "from": "2026-01-01"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of BGR: 1 BGN is a price of BGR, which charges EUR: give the price that BGR charges in EUR; nothing is converted"#,
      ]
    ),
    (
      "too many digits", #""prices": {"JPN": "0.5", "USA": 0.999}"#,
      [
        "a",
        #"aside: product "a", line 3, price of JPN: 0.5 JPY has more digits than JPY, which has 0: give a price that can be paid; nothing is rounded"#,
        #"aside: product "a", line 3, price of USA: 0.999 USD has more digits than USD, which has 2: give a price that can be paid; nothing is rounded"#,
      ]
    ),
    (
      "too large an amount", #""prices": {"USA": "99999999999999999999"}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA: "99999999999999999999" is outside what an amount holds: keep to 18 significant digits, at most 18 of them after the decimal point"#,
      ]
    ),
    (
      "an exponent", #""prices": {"USA": 1e999999999}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA: "1e999999999" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50"#,
      ]
    ),
    (
      "a price below zero", #""prices": {"USA": "-0.01"}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA: the price -0.01 is below zero: give zero or more"#,
      ]
    ),
    (
      "a price with a sign", #""prices": {"USA": "$1"}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA: "$1" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50"#,
      ]
    ),
    (
      "a price without an amount", #""prices": {"USA": {"currency": "USD"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA: the field "amount" is missing: give it"#,
      ]
    ),
    (
      "a price that is none", #""prices": {"USA": [true, null]}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA, line 3: a boolean stands where a price is expected: give an object"#,
        #"aside: product "a", line 3, price of USA, line 3: null stands where a price is expected: give an object"#,
      ]
    ),
    (
      "two prices on the same days", #""prices": {"USA": "1", "us": "2", "CAN": ["3", "3.00"]}"#,
      [
        "a",
        "CAN 3.00 CAD",
        #"aside: product "a", line 3, price of us: USA has 2.00 USD and 1.00 USD on the same days: give one price for each day; none of them was taken"#,
      ]
    ),
    (
      "a third price of a contradiction", #""prices": {"USA": ["1", "2", "3"], "CAN": "1"}"#,
      [
        "a",
        "CAN 1.00 CAD",
        #"aside: product "a", line 3, price of USA: USA has 2.00 USD and 1.00 USD on the same days: give one price for each day; none of them was taken"#,
        #"aside: product "a", line 3, price of USA: USA has 3.00 USD and others on the same days: give one price for each day; none of them was taken"#,
      ]
    ),
    (
      "days that overlap",
      #""prices": {"USA": [{"amount": "1", "until": "2026-03-01"}, {"amount": "2", "from": "2026-03-01"}]}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA: USA has 2.00 USD and 1.00 USD on the same days: give one price for each day, and end the earlier one before 2026-03-01; none of them was taken"#,
      ]
    ),
    (
      "days that run backwards",
      #""prices": {"USA": {"amount": "1", "from": "2026-03-02", "until": "2026-03-01"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA, line 3, field until: the days from 2026-03-02 to 2026-03-01 run backwards: give a last day that is not before the first"#,
      ]
    ),
    (
      "a day that the calendar lacks", #""prices": {"USA": {"amount": "1", "from": "2026-02-29"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA, line 3, field from: the calendar has no "2026-02-29": write YYYY-MM-DD, such as 2026-01-01"#,
      ]
    ),
    (
      "a field of a price that is misspelt", #""prices": {"USA": {"amount": "1", "untill": "2026-02-01"}}"#,
      [
        "a",
        #"aside: product "a", line 3, price of USA, line 3, field untill: there is no field "untill": remove it (did you mean until?)"#,
      ]
    ),
    (
      "a language that is none", #""localizations": {"xx": {"name": "One"}, "fr": {"name": "Un"}}"#,
      [
        "a",
        "fr: Un | -",
        #"aside: product "a", line 3, language "xx": ICU has no data for the language of "xx": give a locale that CLDR knows, such as en-US"#,
      ]
    ),
    (
      "a language twice", #""localizations": {"en-US": {"name": "One"}, "en_US": {"name": "Two"}}"#,
      [
        "a",
        "en-US: One | -",
        #"aside: product "a", line 3, language "en_US": another text in en-US stands before this one: give one text for each language"#,
      ]
    ),
    (
      "a text that is none", #""localizations": {"fr": "Un", "de": {"title": "Eins"}, "it": {"name": 1}}"#,
      [
        "a",
        #"aside: product "a", line 3, language "fr", line 3: a string stands where a text is expected: give an object"#,
        #"aside: product "a", line 3, language "de", line 3, field title: there is no field "title": remove it"#,
        #"aside: product "a", line 3, language "it", line 3, field name: a number stands where a string is expected: give a string"#,
      ]
    ),
    (
      "a price locale that is none", #""priceLocales": {"CHE": "de_CH@currency=EUR"}"#,
      [
        #"aside: product "a", line 3, field CHE: "de_CH@currency=EUR" has keywords, which would change a price: give the locale without what follows the @"#
      ]
    ),
    (
      "a price locale twice", #""priceLocales": {"CHE": "de-CH", "CH": "fr-CH"}"#,
      [
        #"aside: product "a", line 3, field CH: another price locale of CHE stands before this one: give one for each storefront"#
      ]
    ),
    (
      "tiers on the same days", #""tier": [{"tier": "1"}, {"tier": "2", "from": "2026-01-01"}]"#,
      [
        #"aside: product "a", line 3, field tier: the tiers "1" and "2" hold on the same days: give one tier for each day"#
      ]
    ),
    (
      "a clearance that is none", #""clearedForSale": "USA""#,
      [
        #"aside: product "a", line 3, field clearedForSale: a string stands where storefronts are expected: give true, false, an array of storefronts, or {"except":[…]}"#
      ]
    ),
    (
      "a clearance of an unknown storefront", #""clearedForSale": {"except": ["Japan"]}"#,
      [
        #"aside: product "a", line 3, field except: no storefront is called "Japan": give a territory such as USA (did you mean JPN?); pricetag storefronts lists them all"#
      ]
    ),
    (
      "a clearance without storefronts", #""clearedForSale": {}"#,
      [
        #"aside: product "a", line 3, field except: the field "except" is missing: give it"#
      ]
    ),
    (
      "a picture that is a script", #""image": "javascript:alert(1)""#,
      [
        #"aside: product "a", line 3, field image: "javascript:alert(1)" is no address of a picture: give an http or https address, or a path of the shop's"#
      ]
    ),
    (
      "an offer without a period", #""offers": [{"paymentMode": "free-trial"}]"#,
      [
        "a",
        #"aside: product "a", offer 1, line 3, field paymentMode: the offer has no paymentMode or no period: give both"#,
      ]
    ),
    (
      "offers, one of them wrong",
      #""offers": [{"paymentMode": "free-trial", "period": "P1W", "periodCount": 2}, {"paymentMode": "pay-up-front", "period": "P1Y", "prices": {"USA": "9", "JPN": "0.1"}}]"#,
      [
        "a",
        "introductory -, pay-up-front, 1 × P1Y",
        "  USA 9.00 USD",
        #"aside: line 3, product "a", offer 1: 2 periods of an offer that is free-trial: give one period of the whole length"#,
        #"aside: product "a", offer 2, line 3, price of JPN: 0.1 JPY has more digits than JPY, which has 0: give a price that can be paid; nothing is rounded"#,
      ]
    ),
  ]

  @Test(arguments: wrong)
  func whatIsWrongIsSetAside(name: String, fields: String, expected: [String]) {
    #expect(lines(product(fields)) == expected)
  }

  static let wrongGroups: [(name: String, sections: String, expected: [String])] = [
    (
      "a tier without a name", #""tiers": [{"prices": {"USA": "1"}}]"#,
      [
        #"aside: tier, line 1, field tier: the field "tier" is missing: give it"#
      ]
    ),
    (
      "a tier with a wrong price", #""tiers": [{"tier": "1", "prices": {"USA": "1", "JPN": "1.5"}}]"#,
      [
        "tier 1",
        "USA 1.00 USD",
        #"aside: tier "1", line 1, price of JPN: 1.5 JPY has more digits than JPY, which has 0: give a price that can be paid; nothing is rounded"#,
      ]
    ),
    (
      "a name in two spellings",
      #""categories": [{"identifier": "a", "names": {"en-US": "A", "en_us": "B"}}]"#,
      [
        #"aside: category "a", line 1, field en_us: another name in en-US stands before this one: give one name for each language"#
      ]
    ),
    (
      "a name that is none", #""categories": [{"identifier": "a", "names": {"en": 1}}]"#,
      [
        #"aside: category "a", line 1, field en: the name is no text: give a string"#
      ]
    ),
    (
      "a name too long", #""subscriptionGroups": [{"identifier": "\#(String(repeating: "x", count: 101))"}]"#,
      [
        #"aside: subscription-group "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…", line 1, field identifier: the name is empty or long: give 1 to 100 characters of one line"#
      ]
    ),
    (
      "a wrong section", #""tiers": [{"type": "product", "productIdentifier": "a"}]"#,
      [
        #"aside: tier, line 1, field type: the type "product" stands where a tier is expected: move it to where it belongs"#
      ]
    ),
    (
      "a product that is no object", #""products": [7, {"productIdentifier": "a"}]"#,
      ["a", "aside: products, line 1: a number stands where a product is expected: give an object"]
    ),
  ]

  @Test(arguments: wrongGroups)
  func aGroupOrATierThatIsWrongIsSetAside(name: String, sections: String, expected: [String]) {
    #expect(lines(#"{"format": "pricetag-catalog", "version": 1, \#(sections)}"#) == expected)
  }
}

@Suite struct CatalogJSONLinesTests {
  static let files: [(name: String, text: String, expected: [String])] = [
    ("nothing", "", []),
    ("empty lines", "\n\r\n\n", []),
    (
      "all that there is",
      """
      {"productIdentifier": "a", "prices": {"USA": "0.99"}}

      {"type": "tier", "tier": "1", "prices": {"USA": "0.99"}}\r
      {"type": "category", "identifier": "levels"}
      {"type": "subscription-group", "identifier": "garage", "names": {"en": "Garage"}}
      {"type": "product", "productIdentifier": "b"}
      """,
      [
        "tier 1",
        "USA 0.99 USD",
        "category levels",
        "subscription-group garage, en: Garage",
        "a",
        "USA 0.99 USD",
        "b",
      ]
    ),
    (
      "a mark", "\u{FEFF}{\"productIdentifier\": \"a\"}",
      [
        "a"
      ]
    ),
    (
      "an unknown type", "{\"productIdentifier\": \"a\"}\n{\"type\": \"group\"}",
      [
        "a",
        #"aside: line 2: there is no type "group": write one of tier, category, subscription-group, product"#,
      ]
    ),
    (
      "wrong facts, with their lines",
      "\n{\"productIdentifier\": \"a\", \"prices\": {\"USA\": \"x\"}}\n{\"productIdentifier\": \"a b\"}\n{}\n{\"productIdentifier\": \"c\", \"prize\": 1}",
      [
        "a",
        #"aside: product "a", line 2, price of USA: "x" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50"#,
        #"aside: product "a b", line 3, field productIdentifier: "a b" is not a product identifier: give 1 to 255 letters, digits, ".", "_", "-" and ":", a letter or digit first"#,
        #"aside: product, line 4, field productIdentifier: the field "productIdentifier" is missing: give it"#,
        #"aside: product "c", line 5, field prize: there is no field "prize": remove it (did you mean prices?)"#,
      ]
    ),
    (
      "malformed JSON", "{\"productIdentifier\": \"a\"}\n\n{\"productIdentifier\": \"b\"",
      [
        #"failure: line 3, column 26: the text ends where "," or "}" is expected: correct the JSON"#,
        "a",
      ]
    ),
    (
      "an array", "[]",
      [
        "aside: line 1: an array stands where a product is expected: write an object a line"
      ]
    ),
    (
      "a document", "{\n \"format\": \"pricetag-catalog\"\n}",
      [
        "failure: line 1, column 2: the text ends where a field's name is expected: correct the JSON"
      ]
    ),
    (
      "deep nesting", "{\"productIdentifier\": \"a\"}\n" + String(repeating: "[", count: 100_000),
      ["failure: line 2, column 33: values are nested more than 32 deep: correct the JSON", "a"]
    ),
    (
      "a product on a line twice", "{\"productIdentifier\": \"a\"}{\"productIdentifier\": \"a\"}",
      [
        "failure: line 1, column 27: something follows the value: correct the JSON"
      ]
    ),
  ]

  @Test(arguments: files)
  func aLineIsAnObject(name: String, text: String, expected: [String]) {
    #expect(lines(text, .jsonl) == expected)
  }

  /// A name that is unknown costs microseconds: each of these was compared with every locale, in minutes.
  @Test(.timeLimit(.minutes(1))) func manyUnknownLanguagesAreRejectedInSeconds() {
    let languages = (0..<20_000).map { "\"q\(String($0, radix: 36))-zz\":{\"name\":\"N\"}" }
    let found = lines(
      product("\"localizations\": {\(languages.joined(separator: ",")), \"fr\": {\"name\": \"Un\"}}")
    )
    #expect(found.prefix(2) == ["a", "fr: Un | -"])
    #expect(found.count == languages.count + 2)
    #expect(found.last?.contains("such as en-US") == true)
  }
}

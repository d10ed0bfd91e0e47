import Foundation
import JSONSchemas
import PriceTag
import PriceTagSystem
import PriceTagText
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private func schema() throws -> JSONSchema {
  let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Sources/PriceTagCatalogFormats/PriceTagJSON/catalog.schema.json"
  )
  return try JSONSchema(Array(Data(contentsOf: path.standardized)))
}

private func value(_ text: String) throws -> JSONValue {
  try Array(text.utf8).withUnsafeBufferPointer { try JSONReader.value(of: $0) }
}

/// Returns whether the importer imports a document without rejects.
private func isImported(_ format: CatalogFormat, _ text: String) -> Bool {
  let read = Imported(format, text)
  return read.failure == nil && read.rejects.isEmpty
}

private func document(_ sections: String) -> String {
  #"{"format": "pricetag-catalog", "version": 1\#(sections.isEmpty ? "" : ", " + sections)}"#
}

private func product(_ fields: String) -> String {
  document(
    #""products": [{"productIdentifier": "com.example.level1"\#(fields.isEmpty ? "" : ", " + fields)}]"#
  )
}

private func offer(_ fields: String) -> String { product(#""offers": [{\#(fields)}]"#) }

private func later(_ phases: String) -> String {
  offer(#""paymentMode": "free-trial", "period": "P1W", "laterPhases": [\#(phases)]"#)
}

@Suite struct CatalogSchemaTests {
  @Test(
    arguments: [
      (nil, CatalogJSON.documentFields), ("tier", CatalogJSON.tierFields),
      ("category", CatalogJSON.groupFields), ("subscriptionGroup", CatalogJSON.groupFields),
      ("product", CatalogJSON.productFields), ("text", CatalogJSON.textFields),
      ("price", CatalogJSON.priceFields), ("productPrice", CatalogJSON.productPriceFields),
      ("tierPeriod", CatalogJSON.tierPeriodFields),
      ("exception", CatalogJSON.exceptionFields), ("image", CatalogJSON.imageFields),
      ("source", CatalogJSON.sourceFields), ("offer", CatalogJSON.offerFields),
      ("offerPhase", CatalogJSON.phaseFields),
    ] as [(String?, [String])]
  )
  func schemaHasTheFieldsOfTheCode(definition: String?, fields: [String]) throws {
    #expect(try schema().properties(of: definition) == fields)
  }

  @Test func schemaHasTheKindsOfTheCode() throws {
    for kind in ProductKind.allCases { #expect(isImported(.json, product(#""kind": "\#(kind.rawValue)""#))) }
    for kind in CatalogOffer.Kind.allCases {
      let text = offer(#""kind": "\#(kind.rawValue)", "paymentMode": "free-trial", "period": "P1W""#)
      #expect(try isImported(.json, text) && schema().allows(value(text)))
    }
    for mode in CatalogOffer.PaymentMode.allCases {
      let text = offer(#""paymentMode": "\#(mode.rawValue)", "period": "P1W""#)
      #expect(try isImported(.json, text) && schema().allows(value(text)))
    }
  }

  static let documents: [(text: String, isAllowed: Bool)] = [
    (document(""), true),
    ("[]", false),
    (#"{"format": "pricetag-catalog"}"#, false),
    (#"{"version": 1}"#, false),
    (#"{"format": "pricetag", "version": 1}"#, false),
    (#"{"format": "pricetag-catalog", "version": 2}"#, false),
    (#"{"format": "pricetag-catalog", "version": "1"}"#, false),
    (document(#""$schema": "catalog.schema.json""#), true),
    (document(#""$schema": 1"#), false),
    (document(#""product": []"#), false),
    (document(#""products": {}"#), false),
    (document(#""products": [1]"#), false),
    (document(#""products": [{}]"#), false),
    (document(#""products": [{"productIdentifier": 1}]"#), false),
    (document(#""products": [{"productIdentifier": "a b"}]"#), false),
    (document(#""products": [{"productIdentifier": "-a"}]"#), false),
    (document(#""products": [{"productIdentifier": ""}]"#), false),
    (product(""), true),
    (product(#""type": "product""#), true),
    (product(#""type": "tier""#), false),
    (product(#""names": {}"#), false),
    (product(#""kind": "consumable""#), true),
    (product(#""kind": "Consumable""#), false),
    (product(#""referenceName": "Level 1", "category": "levels", "subscriptionGroup": "garage""#), true),
    (product(#""referenceName": 1"#), false),
    (product(#""category": """#), false),
    (product(#""category": "a\nb""#), false),
    (product(#""category": "\#(String(repeating: "a", count: 100))""#), true),
    (product(#""category": "\#(String(repeating: "a", count: 101))""#), false),
    (product(#""groupLevel": 1"#), true),
    (product(#""groupLevel": 0"#), false),
    (product(#""groupLevel": 1.5"#), false),
    (product(#""groupLevel": "1""#), false),
    (product(#""subscriptionPeriod": "P1M""#), true),
    (product(#""subscriptionPeriod": "P0M""#), false),
    (product(#""subscriptionPeriod": "P1M2D""#), false),
    (product(#""subscriptionPeriod": "P12345D""#), false),
    (product(#""subscriptionPeriod": "1M""#), false),
    (product(#""localizations": {"en-US": {"name": "One", "description": "The first"}, "fr": {}}"#), true),
    (product(#""localizations": {"zh_Hans": {"name": "一"}}"#), true),
    (product(#""localizations": {"": {"name": "One"}}"#), false),
    (product(#""localizations": {"en": {"title": "One"}}"#), false),
    (product(#""localizations": {"en": "One"}"#), false),
    (product(#""localizations": [{"name": "One"}]"#), false),
    (product(#""tier": "3""#), true),
    (product(#""tier": [{"tier": "3", "until": "2026-06-30"}, {"tier": "4", "from": "2026-07-01"}]"#), true),
    (product(#""tier": [{"name": "3"}]"#), false),
    (product(#""tier": ["3"]"#), false),
    (product(#""tier": 3"#), false),
    (product(#""prices": {"USA": "0.99", "JP": 160, "DEU": {"amount": "0.99", "currency": "EUR"}}"#), true),
    (
      product(
        #""prices": {"USA": [{"amount": 0.99, "until": "2026-06-30"}, {"amount": "1.99", "from": "2026-07-01"}]}"#
      ), true
    ),
    (product(#""prices": {"USA": []}"#), true),
    (product(#""prices": {"USA": "-0.99"}"#), false),
    (product(#""prices": {"USA": -1}"#), false),
    (product(#""prices": {"USA": "0,99"}"#), false),
    (product(#""prices": {"USA": "$0.99"}"#), false),
    (product(#""prices": {"USA": ".99"}"#), false),
    (product(#""prices": {"USA": true}"#), false),
    (product(#""prices": {"USA": {"currency": "USD"}}"#), false),
    (product(#""prices": {"USA": {"amount": "1", "currency": "dollars"}}"#), false),
    (product(#""prices": {"USA": {"amount": "1", "from": "2026-13-01"}}"#), false),
    (product(#""prices": {"USA": {"amount": "1", "from": "1.1.2026"}}"#), false),
    (product(#""prices": {"USA": {"amount": "1", "start": "2026-01-01"}}"#), false),
    (product(#""prices": {"United States": "1"}"#), false),
    (product(#""prices": ["1"]"#), false),
    (product(#""priceLocales": {"CHE": "de-CH"}"#), true),
    (product(#""priceLocales": {"CHE": 1}"#), false),
    (product(#""priceLocales": {"CHE": "deutsch (Schweiz)"}"#), false),
    (product(#""approved": false, "sortOrder": -3"#), true),
    (product(#""approved": "no""#), false),
    (product(#""sortOrder": 1000000001"#), false),
    (product(#""content": "0.75 L", "unitReference": "100 mL""#), true),
    (product(#""content": """#), false),
    (product(#""content": 0.75"#), false),
    (product(#""unitReference": true"#), false),
    (product(#""clearedForSale": true"#), true),
    (product(#""clearedForSale": ["USA", "jp"]"#), true),
    (product(#""clearedForSale": []"#), true),
    (product(#""clearedForSale": {"except": ["USA"]}"#), true),
    (product(#""clearedForSale": {}"#), false),
    (product(#""clearedForSale": {"only": ["USA"]}"#), false),
    (product(#""clearedForSale": "USA""#), false),
    (product(#""clearedForSale": ["Japan"]"#), false),
    (product(#""image": "https://example.com/level1.png?x=1#y""#), true),
    (product(#""image": "HTTP://example.com""#), true),
    (product(#""image": "/images/level1.png""#), true),
    (product(#""image": "images/a:b.png""#), true),
    (product(#""image": "javascript:alert(1)""#), false),
    (product(#""image": "data:image/png;base64,AA==""#), false),
    (product(#""image": "//example.com/x.png""#), false),
    (product(#""image": "a b.png""#), false),
    (product(#""image": "a\\b.png""#), false),
    (product(#""image": """#), false),
    (
      product(
        #""images": [{"src": "a.jpg", "width": 800, "height": 600, "alt": {"en-US": "A car"}, "sources": [{"src": "b.jpg", "width": 400}]}]"#
      ), true
    ),
    (product(#""images": []"#), true),
    (product(#""images": ["a.jpg"]"#), false),
    (product(#""images": [{"src": "javascript:alert(1)"}]"#), false),
    (product(#""images": [{"src": "a.jpg", "width": 0}]"#), false),
    (product(#""images": [{"src": "a.jpg", "alt": "A car"}]"#), false),
    (product(#""images": [{"src": "a.jpg", "sources": [{"src": "b.jpg"}]}]"#), false),
    (product(#""images": [{"width": 800}]"#), false),
    (product(#""related": ["a", "b"]"#), true),
    (product(#""related": []"#), true),
    (product(#""related": "a""#), false),
    (product(#""related": ["a b"]"#), false),
    (product(#""related": ["a", "a"]"#), false),
    (product(#""offers": []"#), true),
    (product(#""offers": {}"#), false),
    (offer(#""paymentMode": "free-trial", "period": "P1W""#), true),
    (
      offer(
        #""kind": "promotional", "identifier": "back", "paymentMode": "pay-as-you-go", "period": "P1M", "periodCount": 3, "clearedForSale": ["USA"], "from": "2026-01-01", "until": "2026-12-31", "prices": {"USA": "0.99"}, "tier": "1""#
      ), true
    ),
    (offer(#""paymentMode": "free-trial", "period": "P1W", "periodCount": 1"#), true),
    (offer(#""paymentMode": "free-trial", "period": "P1W", "periodCount": 2"#), false),
    (offer(#""paymentMode": "pay-as-you-go", "period": "P1W", "periodCount": 0"#), false),
    (offer(#""paymentMode": "free-trial""#), false),
    (offer(#""period": "P1W""#), false),
    (offer(#""paymentMode": "free", "period": "P1W""#), false),
    (offer(#""kind": "intro", "paymentMode": "free-trial", "period": "P1W""#), false),
    (offer(#""paymentMode": "free-trial", "period": "P1W", "laterPhases": []"#), true),
    (
      later(#"{"paymentMode": "pay-as-you-go", "period": "P1M", "periodCount": 3, "prices": {"USA": "1"}}"#),
      true
    ),
    (later(#"{"paymentMode": "pay-up-front", "period": "P1M", "periodCount": 3}"#), false),
    (later(#"{"paymentMode": "pay-up-front"}"#), false),
    (later(#"{"paymentMode": "pay-up-front", "period": "P1M", "kind": "code"}"#), false),
    (
      later(
        Array(repeating: #"{"paymentMode": "free-trial", "period": "P1W"}"#, count: 4).joined(separator: ",")
      ), true
    ),
    (
      later(
        Array(repeating: #"{"paymentMode": "free-trial", "period": "P1W"}"#, count: 5).joined(separator: ",")
      ), false
    ),
    (document(#""tiers": [{"tier": "3", "prices": {"USA": "2.99"}}]"#), true),
    (document(#""tiers": [{"tier": "3", "type": "tier"}]"#), true),
    (document(#""tiers": [{"prices": {"USA": "2.99"}}]"#), false),
    (document(#""tiers": [{"tier": "3", "price": "2.99"}]"#), false),
    (document(#""categories": [{"identifier": "levels", "names": {"en": "Levels", "de": "Stufen"}}]"#), true),
    (document(#""categories": [{"identifier": "levels", "type": "category"}]"#), true),
    (document(#""categories": [{"identifier": "levels", "type": "subscription-group"}]"#), false),
    (document(#""categories": [{"identifier": "levels", "names": {"en": ""}}]"#), false),
    (document(#""categories": [{"identifier": "levels", "names": ["Levels"]}]"#), false),
    (document(#""categories": [{"names": {}}]"#), false),
    (document(#""subscriptionGroups": [{"identifier": "garage", "type": "subscription-group"}]"#), true),
  ]

  @Test(arguments: documents)
  func schemaAndImporterAgree(text: String, isAllowed: Bool) throws {
    #expect(try schema().allows(value(text)) == isAllowed, "the schema")
    #expect(isImported(.json, text) == isAllowed, "the importer")
  }

  static let lines: [(text: String, isAllowed: Bool)] = [
    (#"{"productIdentifier": "a"}"#, true), (#"{"type": "product", "productIdentifier": "a"}"#, true),
    (#"{"type": "tier", "tier": "1"}"#, true), (#"{"tier": "1"}"#, false),
    (#"{"type": "category", "identifier": "a"}"#, true),
    (#"{"type": "subscription-group", "identifier": "a"}"#, true), (#"{"identifier": "a"}"#, false),
    (#"{"type": "offer"}"#, false), ("{}", false),
  ]

  @Test(arguments: lines)
  func schemaAndImporterAgreeOnLine(text: String, isAllowed: Bool) throws {
    #expect(try schema().allows(value(text), as: "line") == isAllowed, "the schema")
    #expect(isImported(.jsonl, text) == isAllowed, "the importer")
  }

  /// Documents that the schema and the importer treat differently.
  static let differences: [(why: String, text: String, schema: Bool, importer: Bool)] = [
    ("which storefronts there are", product(#""prices": {"ZZZ": "1"}"#), true, false),
    (
      "which currencies they charge", product(#""prices": {"USA": {"amount": "1", "currency": "EUR"}}"#),
      true, false
    ),
    ("the digits of a currency", product(#""prices": {"JPN": "0.5"}"#), true, false),
    ("the calendar", product(#""prices": {"USA": {"amount": "1", "from": "2026-02-30"}}"#), true, false),
    (
      "the order of dates",
      product(#""prices": {"USA": {"amount": "1", "from": "2026-02-02", "until": "2026-02-01"}}"#), true,
      false
    ),
    ("conflicting prices", product(#""prices": {"USA": "1", "US": "2"}"#), true, false),
    ("which languages there are", product(#""localizations": {"xx": {"name": "One"}}"#), true, false),
    ("an exponent", product(#""prices": {"USA": 1e2}"#), true, false),
    ("null for an omitted value", product(#""kind": null"#), false, true),
  ]

  @Test(arguments: differences)
  func schemaAndImporterDiffer(why: String, text: String, schema isAllowed: Bool, importer: Bool) throws {
    #expect(try schema().allows(value(text)) == isAllowed, "the schema")
    #expect(isImported(.json, text) == importer, "the importer")
  }
}

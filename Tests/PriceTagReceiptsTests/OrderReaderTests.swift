import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagReceipts

/// Reading orders in PriceTag's own format.
@Suite struct OrderReaderTests {
  /// Errors of the module for strings have the codes of this one.
  @Test(arguments: [
    (StringsErrorCode.unknownLanguage, ReceiptErrorCode.unknownLanguage),
    (.malformedLanguage, .unknownLanguage), (.unknownKey, .formattingFailed),
  ])
  func convertsErrorsOfStrings(code: StringsErrorCode, expected: ReceiptErrorCode) {
    #expect(ReceiptError(StringsError(code, "problem", fix: "fix")).code == expected)
  }

  private static func order(_ changes: [String: String?]) -> String { ReceiptHarness.order(changes) }

  static let errors: [(json: String, code: ReceiptErrorCode, error: String)] = [
    ("{", .malformedJSON, "line 1, column 2: "), ("[]", .invalidField, "expected an object, not an array"),
    (#"{"lines":[],"lines":[]}"#, .malformedJSON, #"line 1, column 13: the field "lines" appears twice"#),
    ("{}", .missingStorefront, #"/storefront: the order has no storefront"#),
    (
      order(["storefront": "\"USB\""]), .unknownStorefront,
      #"/storefront: unknown storefront "USB"; did you mean "USA"?"#
    ),
    (order(["date": nil]), .missingField, #"/date: the field "date" is missing; add it"#),
    (order(["date": "\"23.11.2026\""]), .malformedDate, #"/date: "23.11.2026" is not a date"#),
    (order(["charged": nil]), .missingField, "/charged: "),
    (order(["charged": "\"1e9\""]), .malformedAmount, "/charged: \"1e9\" is not a decimal amount"),
    (order(["charged": "1e999999999"]), .malformedAmount, "/charged: "),
    (order(["charged": "true"]), .invalidField, "/charged: the field \"charged\" must be an amount"),
    (order(["charge": "1"]), .unknownField, #"/charge: unknown field "charge"; remove it"#),
    (
      order(["lines": #"[{"name":"a","unitPrice":"1","qty":2}]"#]), .unknownField,
      #"/lines/0/qty: unknown field "qty""#
    ),
    (order(["lines": "[]"]), .missingField, "/lines: the order has no lines"),
    (order(["lines": "[1]"]), .invalidField, "/lines/0: expected an object, not a number"),
    (order(["lines": #"[{"unitPrice":"1"}]"#]), .missingField, "/lines/0/productIdentifier: "),
    (
      order(["lines": #"[{"name":"a","quantity":1.0625,"unitPrice":"1"}]"#]), .invalidField,
      "/lines/0/quantity: the quantity 1.0625 is zero, beyond 1000000, or has more than 3 decimals"
    ),
    (
      order(["lines": #"[{"name":"a","quantity":0,"unitPrice":"1"}]"#]), .invalidField,
      "/lines/0/quantity: the quantity 0"
    ),
    (
      order(["lines": #"[{"name":"a","quantity":1000001,"unitPrice":"1"}]"#]), .invalidField,
      "/lines/0/quantity: the quantity 1000001 "
    ),
    (
      order(["lines": #"[{"name":"a","quantity":1e3,"unitPrice":"1"}]"#]), .malformedAmount,
      "/lines/0/quantity: \"1e3\" is not a decimal amount"
    ),
    (
      order(["lines": #"[{"name":"a","quantity":2}]"#]), .missingField,
      "/lines/0/unitPrice: the line has no price; add \"unitPrice\", or \"subtotal\" if the quantity does not divide it exactly"
    ),
    (
      order(["lines": #"[{"name":"a\nb","unitPrice":"1"}]"#]), .invalidField,
      #"/lines/0/name: "a\u{A}b" contains the control character \u{A}"#
    ),
    (
      order(["id": "\"\(String(repeating: "a", count: 1001))\""]), .tooLarge,
      "/id: the text has 1001 bytes, more than 1000"
    ),
    (
      order(["lines": "[\((0...1000).map { _ in "{}" }.joined(separator: ","))]"]), .tooLarge,
      "/lines: \"lines\" has 1001 entries, more than 1000"
    ),
    (
      order(["tax": "1"]), .missingField,
      "/taxIncluded: the field \"taxIncluded\" is missing; write true if prices include the tax"
    ),
    (
      order(["taxes": #"[{"amount":"1"}]"#]), .missingField,
      "/taxes/0/included: the field \"included\" is missing; write true if prices include the tax"
    ),
    (
      order(["taxes": #"[{"amount":"1","included":false}]"#, "tax": "1"]), .invalidField,
      "/tax: there are both \"tax\" and \"taxes\"; remove one"
    ),
    (
      order(["taxes": #"[{"amount":"1","included":true,"percent":7}]"#]), .unknownField,
      "/taxes/0/percent: unknown field \"percent\""
    ),
    (
      order(["taxes": #"[{"amount":"1","included":true,"rate":1000.1}]"#]), .invalidField,
      "/taxes/0/rate: the rate 1000.1 is not from 0 to 1000 with at most 6 decimals; write the rate in percent, such as 19"
    ),
    (
      order(["taxes": #"[{"amount":"1","included":true,"rate":"1e9"}]"#]), .malformedAmount,
      "/taxes/0/rate: \"1e9\" is not a decimal amount"
    ),
    (
      order(["taxes": "[\((0...20).map { _ in "{}" }.joined(separator: ","))]"]), .tooLarge,
      "/taxes: \"taxes\" has 21 entries, more than 20"
    ),
    (
      order([
        "lines": #"[{"name":"a","unitPrice":"9.98","taxes":[{"amount":"1","name":"","included":true}]}]"#
      ]),
      .invalidField, "/lines/0/taxes/0/name: the text is empty"
    ),
    (
      order(["state": "\"payed\""]), .invalidField,
      #"/state: unknown state "payed"; use one of paid, pending, refunded, partially-refunded, revoked, test"#
    ),
    (
      order(["state": "\"partially-refunded\""]), .missingField,
      #"/refunded: the field "refunded" is missing"#
    ),
    (order(["language": "\"xx\""]), .unknownLanguage, "/language: "),
    (order(["currency": "\"USX\""]), .unknownCurrency, "/currency: "),
    (#"{"signedTransactionInfo":"eyJ"}"#, .unknownFormat, "the transaction is signed; verify the signature"),
  ]

  @Test(arguments: errors) func namesTheField(json: String, code: ReceiptErrorCode, error: String) throws {
    let thrown = try #require(throws: ReceiptError.self) { try ReceiptHarness.receipt(json) }
    #expect(thrown.code == code, "\(thrown)")
    #expect(thrown.description.hasPrefix(error), "\(thrown)")
  }

  @Test func boundsTheSize() throws {
    let json = "{\"id\":\"" + String(repeating: "a", count: 1 << 20) + "\"}"
    let thrown = try #require(throws: ReceiptError.self) { try ReceiptHarness.receipt(json) }
    #expect(thrown.description == "the order is larger than 1 MB; split it")
  }

  /// An option is the storefront of orders that name none. It has no effect on others.
  @Test(arguments: [
    (ReceiptHarness.order(["storefront": nil]), "Total 9,98 €"), (ReceiptHarness.order(), "Total $9.98"),
    (ProviderOrderTests.transaction(), "Total $2.97"),
    (ProviderOrderTests.transaction(["storefront": nil, "currency": "\"EUR\""]), "Total 2,97 €"),
    (ProviderOrderTests.session(), "Total $19.98"),
    (ProviderOrderTests.session(["customer_details": nil]), "Total 19,98 $"),
  ])
  func anOptionProvidesTheStorefront(json: String, totals: String) {
    #expect(ReceiptHarness.totals(json, storefront: "DEU") == totals)
  }
}

import HTTPTypes
import Hummingbird
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests `POST /v1/receipts`.
@Suite struct ReceiptRouteTests {
  private static let shop = #"""
    {"format":"pricetag-catalog","version":1,"products":[
      {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"},"ja":{"name":"車"}},
       "prices":{"USA":"4.99","JPN":"700"}}
    ]}
    """#

  private static let order =
    #"{"storefront":"USA","date":"2026-11-23","lines":[{"productIdentifier":"car","unitPrice":"4.99"}],"charged":"4.99"}"#

  static let answers: [(body: String, status: Int, parts: [String])] = [
    (#"{"orders":[]}"#, 200, [#"{"receipts":[]}"#]),
    (
      "{\"orders\":[\(order)]}", 200,
      [
        #""title":"Receipt""#, #""name":"Car","nameLanguage":"en-US""#, #""display":"$4.99""#,
        #""findings":[]}]}"#,
      ]
    ),
    (
      "{\"orders\":[\(order)],\"language\":\"ja\",\"forms\":[\"email\",\"text\",\"page\"]}", 200,
      [#""title":"領収書""#, #""email":"<!doctype html>"#, #""text":"領収書"#, #""page":"<!doctype html>"#]
    ),
    // Null is a missing member.
    (
      "{\"orders\":[\(order)],\"language\":null,\"forms\":null,\"storefront\":null,\"compare\":null,\"writtenAs\":null}",
      200,
      [#""findings":[]"#]
    ),
    (
      "{\"orders\":[\(order.replacing("4.99", with: "3.99"))]}", 200,
      [
        #""findings":[{"code":"unit-price-differs","line":0,"productIdentifier":"car","charged":"3.99","catalog":"4.99""#
      ]
    ),
    ("{\"orders\":[\(order.replacing("4.99", with: "3.99"))],\"compare\":false}", 200, [#""findings":[]"#]),
    // An order without a receipt is replaced by its error.
    (
      "{\"orders\":[\(order.replacing("\"charged\":\"4.99\"", with: "\"charged\":5")),\(order),7]}", 200,
      [
        #"{"receipts":[{"error":{"code":"sum-mismatch","message":"the lines add up to 4.99 USD, but 5.00 USD was charged; correct the amounts of the order","pointer":"/orders/0/charged"}},{"id""#,
        #"{"error":{"code":"invalid-field","message":"expected an object, not a number; write an object","pointer":"/orders/2"}}]}"#,
      ]
    ),
    (
      #"{"orders":[{"date":"2026-11-23","lines":[{"name":"a","unitPrice":"1"}],"charged":1}],"storefront":"JPN"}"#,
      200,
      [#""display":"￥1""#]
    ),
    (
      #"{"orders":[{"storefront":"HUN","date":"2026-11-23","lines":[{"name":"a","unitPrice":"8990"}],"charged":8990}],"writtenAs":"store-web"}"#,
      200,
      [#""display":"HUF8,990.00""#]
    ),
    // A language without strings.
    (
      "{\"orders\":[\(order)],\"language\":\"bg\"}", 200,
      [#""language":"en-US","requestedLanguage":"bg""#, #""title":"Receipt""#]
    ),
    (
      "{\"orders\":[\(order)],\"language\":\"bg\",\"strictLanguage\":true}", 200,
      [#"{"receipts":[{"error":{"code":"unknown-language","message":"no strings are available in \"bg\""#]
    ),
    (#"{"orders":[],"strictLanguage":1}"#, 422, [#""pointer":"/strictLanguage""#]),
    // Taxes with names and rates, and a line without the price of one item.
    (
      #"{"orders":[{"storefront":"CAN","date":"2026-11-23","lines":[{"name":"Pen","quantity":1.5,"subtotal":"5.00"}],"taxes":[{"name":"GST","rate":5,"amount":"0.25"},{"name":"QST","amount":"0.50"}],"taxIncluded":false,"charged":"5.75"}]}"#,
      200,
      [
        #""quantity":1.5,"unitPrice":null"#, #""name":"GST","rate":"5","price""#, #""name":"QST","price""#,
      ]
    ),
    (#"{"orders":[],"writtenAs":"store"}"#, 422, [#""code":"invalid-option""#, #""pointer":"/writtenAs""#]),
    (#"{"orders":[{"charged":tru}]}"#, 400, [#""code":"malformed-json""#, #""pointer":"/orders/0""#]),
    (#"{}"#, 422, [#""code":"missing-field""#, #""pointer":"/orders""#]),
    (#"{"orders":[],"forms":["pdf"]}"#, 422, [#""pointer":"/forms/0""#, "use one of page, email, text"]),
    (#"{"orders":[],"forms":["page","page"]}"#, 422, [#""pointer":"/forms/1""#]),
    (#"{"orders":[],"language":"xx"}"#, 422, [#""code":"unknown-language""#, #""pointer":"/language""#]),
    (#"{"orders":[],"storefront":"USB"}"#, 422, [#""code":"unknown-storefront""#]),
    (#"{"orders":[],"form":"page"}"#, 422, [#""code":"unknown-field""#, "forms"]),
  ]

  @Test(arguments: answers)
  func answersReceipts(body: String, status: Int, parts: [String]) async throws {
    let answer = try await ServiceFixture(Self.shop).service().post("/v1/receipts", body)
    #expect(answer.status.code == status, "\(answer.text)")
    for part in parts { #expect(answer.text.contains(part), "\(answer.text)") }
  }
}

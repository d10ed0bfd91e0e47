import Foundation
import PriceTag
import PriceTagReceipts
import Testing

/// The sums of orders, and the errors of orders that do not add up.
@Suite struct OrderSumTests {
  typealias Row = (changes: [String: String?], totals: String)

  static let sums: [Row] = [
    ([:], "Total $9.98"),
    // Numbers are read as their own text, so that no binary fraction is involved.
    (
      ["lines": #"[{"name":"a","unitPrice":0.1},{"name":"b","unitPrice":0.2}]"#, "charged": "0.3"],
      "Total $0.30"
    ),
    (["discount": "\"1.00\"", "charged": "\"8.98\""], "Subtotal $9.98, Discount -$1.00, Total $8.98"),
    (
      ["discounts": #"[{"name":"SUMMER","amount":"1.00"},{"amount":"0.98"}]"#, "charged": "\"8.00\""],
      "Subtotal $9.98, Discount (SUMMER) -$1.00, Discount -$0.98, Total $8.00"
    ),
    (
      [
        "lines": #"[{"name":"a","quantity":2,"unitPrice":"4.99","discount":"0.98","tax":"0.72"}]"#,
        "taxIncluded": "false", "charged": "\"9.72\"",
      ], "Subtotal $9.00, Tax $0.72, Total $9.72"
    ),
    // The discount of a line is a part of the subtotal; that of the order is not. A stated subtotal is before both.
    (
      [
        "lines": #"[{"name":"a","quantity":2,"unitPrice":"4.99","discount":"0.98"}]"#, "discount": "1.00",
        "subtotal": "9.98", "charged": "\"8.00\"",
      ], "Subtotal $9.00, Discount -$1.00, Total $8.00"
    ),
    (
      ["lines": #"[{"name":"a","unitPrice":"4.99","discount":"0.99"}]"#, "charged": "\"4.00\""],
      "Total $4.00"
    ),
    (
      ["tax": "\"0.80\"", "taxIncluded": "false", "charged": "\"10.78\""],
      "Subtotal $9.98, Tax $0.80, Total $10.78"
    ),
    (
      ["storefront": "\"DEU\"", "tax": "\"1.59\"", "taxIncluded": "true"],
      "Total 9,98 €, VAT included 1,59 €"
    ),
    (
      [
        "storefront": "\"AUS\"",
        "lines":
          #"[{"name":"a","unitPrice":"11.00","tax":"1.00","taxIncluded":true},{"name":"b","unitPrice":"10.00","tax":"1.00","taxIncluded":false}]"#,
        "charged": "\"22.00\"",
      ], "Subtotal $21.00, GST $1.00, Total $22.00, GST included $1.00"
    ),
    (
      ["shipping": #"{"amount":"4.50","tax":"0.36","taxIncluded":false}"#, "charged": "\"14.84\""],
      "Subtotal $9.98, Shipping $4.50, Tax $0.36, Total $14.84"
    ),
    // Taxes with the same name and rate are one row, in the order in which they appear.
    (
      [
        "storefront": "\"CAN\"", "lines": #"[{"name":"Pen","unitPrice":"5.00"}]"#,
        "taxes": #"[{"name":"GST","amount":"0.25"},{"name":"QST","rate":"9.975","amount":"0.50"}]"#,
        "taxIncluded": "false", "charged": "\"5.75\"",
      ], "Subtotal $5.00, Tax (GST) $0.25, Tax (QST 9.975%) $0.50, Total $5.75"
    ),
    (
      [
        "storefront": "\"DEU\"",
        "lines":
          #"[{"name":"Buch","unitPrice":"10.70","taxes":[{"rate":7,"amount":"0.70","included":true}]},{"name":"Stift","unitPrice":"11.90","taxes":[{"name":"VAT","rate":19,"amount":"1.90","included":true}]},{"name":"Heft","unitPrice":"10.70","taxes":[{"rate":"7.0","amount":"0.70","included":true}]}]"#,
        "charged": "\"33.30\"",
      ], "Total 33,30 €, VAT included (7%) 1,40 €, VAT included (VAT 19%) 1,90 €"
    ),
    // The tax of a line without a name, of the shipping and of the order.
    (
      [
        "lines": #"[{"name":"a","unitPrice":"10.00","tax":"0.50","taxIncluded":false}]"#,
        "shipping": #"{"amount":"4.00","taxes":[{"name":"City","amount":"0.10","included":false}]}"#,
        "taxes": #"[{"name":"City","amount":"0.20","included":false},{"rate":0,"amount":0,"included":true}]"#,
        "charged": "\"14.80\"",
      ], "Subtotal $10.00, Shipping $4.00, Tax $0.50, Tax (City) $0.30, Total $14.80, Tax included (0%) $0.00"
    ),
    // Quantities with decimals, and a line that has only a subtotal.
    (
      [
        "storefront": "\"SWE\"", "lines": #"[{"name":"Timmar","quantity":2.5,"unitPrice":"362.98"}]"#,
        "charged": "907.45",
      ], "Total 907,45 kr"
    ),
    (
      [
        "lines":
          #"[{"name":"kg","quantity":"0.125","unitPrice":"8"},{"name":"back","quantity":-1.5,"unitPrice":"0.20"}]"#,
        "charged": "0.7",
      ], "Total $0.70"
    ),
    (
      [
        "lines": #"[{"name":"Seats","quantity":7,"subtotal":"20","discount":"1","total":"19"}]"#,
        "charged": "19",
      ],
      "Total $19.00"
    ),
    (["lines": #"[{"name":"Seats","quantity":-7,"subtotal":"-20"}]"#, "charged": "-20"], "Total -$20.00"),
    // A tax of zero is stated.
    (["tax": "0", "taxIncluded": "false"], "Subtotal $9.98, Tax $0.00, Total $9.98"),
    // Returned items, a credit, and an order that is a refund.
    (
      [
        "lines":
          #"[{"name":"a","quantity":3,"unitPrice":"4.99"},{"name":"a","quantity":-1,"unitPrice":"4.99"}]"#
      ], "Total $9.98"
    ),
    (
      [
        "lines": #"[{"name":"a","quantity":2,"unitPrice":"4.99"},{"name":"credit","unitPrice":"-5.00"}]"#,
        "charged": "\"4.98\"",
      ], "Total $4.98"
    ),
    (
      [
        "lines": #"[{"name":"a","quantity":-2,"unitPrice":"4.99","discount":"-1.00","tax":"-0.72"}]"#,
        "taxIncluded": "false", "charged": "\"-9.70\"",
      ], "Subtotal -$8.98, Tax -$0.72, Total -$9.70"
    ),
    // States.
    (["state": "\"pending\""], "Total $9.98"), (["state": "\"revoked\""], "Total $9.98"),
    (["state": "\"test\""], "Total $9.98"),
    (["state": "\"refunded\""], "Total $9.98, Refund -$9.98, Total after refund $0.00"),
    (
      ["state": "\"partially-refunded\"", "refunded": "\"4.99\""],
      "Total $9.98, Refund -$4.99, Total after refund $4.99"
    ),
    // The storefront's currency depends on the date.
    (["storefront": "\"BGR\"", "date": "\"2025-12-31\""], "Total BGN 9.98"),
    (["storefront": "\"BGR\"", "date": "\"2026-01-01\""], "Total €9.98"),
    (
      [
        "storefront": "\"JPN\"", "lines": #"[{"name":"a","quantity":3,"unitPrice":"160"}]"#,
        "charged": "\"480\"",
        "subtotal": "480.00",
      ], "Total ￥480"
    ),
    // A free order.
    (["lines": #"[{"name":"a","unitPrice":"0"}]"#, "charged": "0"], "Total $0.00"),
  ]

  @Test(arguments: sums) func addsUp(row: Row) {
    #expect(ReceiptHarness.totals(ReceiptHarness.order(row.changes)) == row.totals)
  }

  static let errors: [(changes: [String: String?], code: ReceiptErrorCode, error: String)] = [
    (
      ["charged": "\"9.99\""], .sumMismatch,
      "/charged: the lines add up to 9.98 USD, but 9.99 USD was charged; correct the amounts of the order"
    ),
    (
      ["storefront": "\"JPN\"", "lines": #"[{"name":"a","unitPrice":"160"}]"#, "charged": "161"],
      .sumMismatch,
      "/charged: the lines add up to 160 JPY, but 161 JPY was charged"
    ),
    (
      ["lines": #"[{"name":"a","quantity":2,"unitPrice":"4.99","total":"9.90"}]"#], .sumMismatch,
      "/lines/0/total: the line adds up to 9.98 USD, but 9.90 USD is stated"
    ),
    (
      ["subtotal": "9"], .sumMismatch,
      "/subtotal: the lines add up to a subtotal of 9.98 USD, but 9.00 USD is stated"
    ),
    (
      ["lines": #"[{"name":"a","unitPrice":"9.985"}]"#, "charged": "\"9.985\""], .tooManyDecimals,
      "/lines/0/unitPrice: 9.985 has more decimals than USD has (2); write the exact amount that was charged; amounts are never rounded"
    ),
    (
      ["storefront": "\"JPN\"", "lines": #"[{"name":"a","unitPrice":"160.5"}]"#], .tooManyDecimals,
      "/lines/0/unitPrice: 160.5 has more decimals than JPY has (0)"
    ),
    (["discount": "\"0.001\""], .tooManyDecimals, "/discount: 0.001 has more decimals"),
    (["charged": "\"9.980001\""], .tooManyDecimals, "/charged: 9.980001 has more decimals"),
    (
      ["discount": "10"], .contradictoryAmounts,
      "/discount: the discount 10.00 USD is not between 0.00 USD and 9.98 USD"
    ),
    (
      ["discount": "-1"], .contradictoryAmounts,
      "/discount: the discount -1.00 USD is not between 0.00 USD and 9.98 USD"
    ),
    (
      ["discounts": #"[{"amount":"1"},{"amount":"9"}]"#], .contradictoryAmounts,
      "/discounts/1/amount: the discount 9.00 USD is not between 0.00 USD and 8.98 USD"
    ),
    (
      ["discount": "1", "discounts": #"[{"amount":"1"},{"amount":"9"}]"#], .contradictoryAmounts,
      "/discounts/1/amount: the discount 9.00 USD is not between 0.00 USD and 7.98 USD"
    ),
    (
      ["discount": "0", "discounts": #"[{"amount":"0.001"}]"#], .tooManyDecimals,
      "/discounts/0/amount: 0.001 has more decimals"
    ),
    (
      ["lines": #"[{"name":"a","unitPrice":"1","discount":"1.01"}]"#], .contradictoryAmounts,
      "/lines/0/discount: the discount 1.01 USD is not between 0.00 USD and 1.00 USD"
    ),
    (
      ["tax": "10", "taxIncluded": "true"], .contradictoryAmounts,
      "/tax: the included tax 10.00 USD is not between 0.00 USD and 9.98 USD"
    ),
    (
      ["tax": "-1", "taxIncluded": "false"], .contradictoryAmounts,
      "/tax: the tax -1.00 USD has another sign than its price 9.98 USD"
    ),
    (
      ["lines": #"[{"name":"a","quantity":-1,"unitPrice":"-1"}]"#], .contradictoryAmounts,
      "/lines/0/unitPrice: both the quantity -1 and the price -1.00 USD are negative"
    ),
    (
      ["lines": #"[{"name":"a","quantity":-7,"subtotal":"20"}]"#], .contradictoryAmounts,
      "/lines/0/subtotal: the quantity -7 is negative, but the subtotal 20.00 USD is not"
    ),
    (
      ["lines": #"[{"name":"a","quantity":2.5,"unitPrice":"0.99"}]"#], .tooManyDecimals,
      "/lines/0/unitPrice: 2.5 × 0.99 is 2.475, which has more decimals than USD has (2); write \"subtotal\" with the exact amount that was charged instead of \"unitPrice\""
    ),
    (
      ["lines": #"[{"name":"a","quantity":2,"unitPrice":"4.99","subtotal":"10"}]"#], .sumMismatch,
      "/lines/0/subtotal: the price times the quantity is 9.98 USD, but 10.00 USD is stated"
    ),
    (
      ["taxes": #"[{"amount":"5","included":true},{"amount":"5","included":true}]"#], .contradictoryAmounts,
      "/taxes: the sum of the included taxes 10.00 USD is not between 0.00 USD and 9.98 USD"
    ),
    (
      ["taxes": #"[{"name":"GST","amount":"0.255","included":false}]"#], .tooManyDecimals,
      "/taxes/0/amount: 0.255 has more decimals"
    ),
    (
      ["taxes": #"[{"name":"GST","amount":"0.25","included":false}]"#], .sumMismatch,
      "/charged: the lines add up to 10.23 USD, but 9.98 USD was charged"
    ),
    (
      ["refunded": "1"], .invalidRefund,
      "/refunded: 1.00 USD was refunded, but the state is \"paid\"; use the state refunded or partially-refunded"
    ),
    (
      ["state": "\"refunded\"", "refunded": "1"], .invalidRefund,
      "/refunded: 1.00 USD was refunded, but 9.98 USD was charged"
    ),
    (
      ["state": "\"partially-refunded\"", "refunded": "\"9.98\""], .invalidRefund,
      "/refunded: 9.98 USD of 9.98 USD is not a part; use the state refunded or paid"
    ),
    (
      ["state": "\"partially-refunded\"", "refunded": "10"], .contradictoryAmounts,
      "/refunded: the refund 10.00 USD is not between 0.00 USD and 9.98 USD"
    ),
    (
      ["currency": "\"EUR\""], .currencyMismatch,
      "/currency: the USA store charges USD on 2026-11-23, not EUR"
    ),
    (
      ["lines": #"[{"name":"a","quantity":1000000,"unitPrice":"99999999999999.99"}]"#], .malformedAmount,
      "/lines/0/unitPrice: "
    ),
  ]

  @Test(arguments: errors)
  func explainsWhatDoesNotAddUp(changes: [String: String?], code: ReceiptErrorCode, error: String) throws {
    let json = ReceiptHarness.order(changes)
    let thrown = try #require(throws: ReceiptError.self) { try ReceiptHarness.receipt(json) }
    #expect(thrown.code == code)
    #expect(thrown.description.hasPrefix(error), "\(thrown)")
  }

  /// A currency whose prices are displayed with fewer decimals than it has: all amounts have the decimals of the currency
  /// if one needs them.
  @Test func displaysDecimalsThatAmountsNeed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "receipts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let overrides =
      #"{"schema":1,"overrides":[{"storefront":"TWN","currency":"TWD","digits":0,"reason":"as our shops write it"}]}"#
    try Data(overrides.utf8).write(to: folder.appending(path: "currency-overrides.json"))
    let reader = OrderReader(localeData: try LocaleData(folder: folder.path))
    for (price, texts) in [("59", ["$59", "$59"]), ("59.50", ["$59.50", "$59.50"])] {
      let json = ReceiptHarness.order([
        "storefront": "\"TWN\"", "lines": "[{\"name\":\"a\",\"unitPrice\":\"\(price)\"}]", "charged": price,
      ])
      let receipt = try Receipt(reader.order(Array(json.utf8)))
      #expect(receipt.lines.map { $0.unitPrice?.text } + receipt.totals.map(\.price.text) == texts)
    }
    let mixed = ReceiptHarness.order([
      "storefront": "\"TWN\"", "lines": #"[{"name":"a","unitPrice":"59"},{"name":"b","unitPrice":"0.50"}]"#,
      "charged": "59.50",
    ])
    #expect(
      try Receipt(reader.order(Array(mixed.utf8))).lines.map { $0.unitPrice?.text } == ["$59.00", "$0.50"]
    )
  }
}

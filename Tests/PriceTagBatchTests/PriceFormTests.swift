import Foundation
import PriceTag
import PriceTagBatch
import Testing

/// The other forms of a row's price: its unit price and its installments.
@Suite struct PriceFormTests {
  private static let euro = #""priceLocale":"de-DE","currency":"EUR""#

  typealias Payments = (fields: String, rounding: RoundingMode, payment: String, last: String)

  static let payments: [Payments] = [
    (#""storefront":"DEU","amount":"100","installments":6"#, .halfUp, "16,67\u{A0}€", "16,65\u{A0}€"),
    (#""storefront":"DEU","amount":"100","installments":"6""#, .down, "16,66\u{A0}€", "16,70\u{A0}€"),
    (#""storefront":"DEU","amount":"100","installments":4"#, .exact, "25,00\u{A0}€", "25,00\u{A0}€"),
    (
      #""storefront":"DEU","amountMinor":10000,"installments":"\u0034""#, .exact, "25,00\u{A0}€",
      "25,00\u{A0}€"
    ),
    (#""storefront":"JPN","amount":1000,"installments":3"#, .halfEven, "￥333", "￥334"),
    (#""storefront":"USA","amount":"100","installments":1"#, .exact, "$100.00", "$100.00"),
    // The payments add up to the displayed amount.
    (#""storefront":"USA","amount":"100.005","installments":2"#, .halfUp, "$50.01", "$50.00"),
    (#""storefront":"IND","amount":"150000","installments":12"#, .exact, "₹12,500.00", "₹12,500.00"),
  ]

  @Test(arguments: payments)
  func writesInstallments(fields: String, rounding: RoundingMode, payment: String, last: String) throws {
    let options = BatchOptions.test {
      $0.fields = [.lastInstallment, .installment]
      $0.style.rounding = rounding
    }
    let found = try Outcome("{\(fields)}", options)
    #expect(
      found.text.hasSuffix(",\"lastInstallment\":\"\(last)\",\"installment\":\"\(payment)\"}\n"),
      "\(found.text) \(found.rejects)"
    )
  }

  typealias UnitPrice = (fields: String, rounding: RoundingMode, reference: String, amount: Amount)

  static let unitPrices: [UnitPrice] = [
    (#"\#(euro),"amount":"5.25","content":"0.75 L""#, .exact, "L", "7.00"),
    (#"\#(euro),"amount":"5.25","content":"6 × 330 ml""#, .halfUp, "L", "2.65"),
    (#"\#(euro),"amount":"5.25","content":"6 \u00d7 330 ml""#, .halfUp, "L", "2.65"),
    (#"\#(euro),"amount":"1.99","content":"250g","unitReference":"100 g""#, .halfUp, "100 g", "0.80"),
    (#"\#(euro),"amount":"1.99","content":"250g","unitReference":null"#, .exact, "kg", "7.96"),
    (#"\#(euro),"amount":"2.40","content":"12 pieces""#, .exact, "piece", "0.20"),
    (#"\#(euro),"amountMinor":240,"content":"12""#, .exact, "piece", "0.20"),
    (#""storefront":"USA","amount":"8","content":"2 lb","unitReference":"lb""#, .exact, "lb", "4.00"),
    // Rounded once, from the amount of the row.
    (#""storefront":"JPN","amount":"0.5","content":"0.1 L""#, .halfUp, "L", "5"),
  ]

  @Test(arguments: unitPrices)
  func writesUnitPrice(fields: String, rounding: RoundingMode, reference: String, amount: Amount) throws {
    let options = BatchOptions.test {
      $0.fields = [.unitPrice]
      $0.style.rounding = rounding
    }
    let found = try Outcome("{\(fields)}", options)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(found.text.utf8)) as? [String: Any],
      "\(found.rejects)"
    )
    // The library writes the same.
    let formatter: PriceFormatter
    if let storefront = object["storefront"] as? String {
      formatter = try PriceFormatter(storefront: Storefront(storefront), style: options.style)
    } else {
      formatter = try PriceFormatter(
        locale: PriceLocale("de-DE"),
        currency: Currency("EUR"),
        style: options.style
      )
    }
    let price = (object["amount"] as? String) ?? "2.40"
    let content = try ProductContent(try #require(object["content"] as? String))
    let expected = try formatter.unitPrice(
      of: Amount(decimal: price),
      content: content,
      per: UnitPriceReference(reference)
    )
    #expect(expected.amount == amount)
    #expect(object["unitPrice"] as? String == expected.text)
    #expect(expected.text.contains(try formatter.string(for: amount).prefix { $0 != "\u{A0}" }))
  }

  typealias Row = (name: String, change: Change, input: String, output: String)

  static let rows: [Row] = [
    (
      "a row without the fields has null", { $0.fields = [.unitPrice, .installment] },
      #"{"storefront":"USA","amount":"1"}"#,
      #"{"storefront":"USA","amount":"1","display":"$1.00","unitPrice":null,"installment":null}"#
    ),
    (
      "a unit price is in standard notation",
      {
        $0.fields = [.unitPrice]
        $0.style.notation = .compactShort
      },
      #"{"storefront":"USA","amount":"1200000","content":"500 lb"}"#,
      #"{"storefront":"USA","amount":"1200000","content":"500 lb","display":"$1.2M","unitPrice":"$2,400.00/lb"}"#
    ),
    (
      "a null is absent", { $0.fields = [.lastInstallment] },
      #"{"storefront":"USA","amount":"1","installments":null}"#,
      #"{"storefront":"USA","amount":"1","installments":null,"display":"$1.00","lastInstallment":null}"#
    ),
    (
      "fields are passed through if no form is requested", { _ in },
      #"{"storefront":"USA","amount":"1","content":[1],"installments":"x","unitReference":7,"unitPrice":"y","installment":0}"#,
      #"{"storefront":"USA","amount":"1","content":[1],"installments":"x","unitReference":7,"unitPrice":"y","installment":0,"display":"$1.00"}"#
    ),
    (
      "a content is passed through if only installments are requested", { $0.fields = [.installment] },
      #"{"storefront":"USA","amount":"1","content":"a text","installments":2}"#,
      #"{"storefront":"USA","amount":"1","content":"a text","installments":2,"display":"$1.00","installment":"$0.50"}"#
    ),
    (
      "a range without the fields", { $0.fields = [.installment] },
      #"{"storefront":"DEU","amount":"1","amountTo":"2"}"#,
      #"{"storefront":"DEU","amount":"1","amountTo":"2","display":"1,00–2,00\#u{A0}€","installment":null}"#
    ),
    (
      "CSV", { $0.fields = [.installment, .lastInstallment] },
      "storefront,amount,installments\nUSA,6000,4\nUSA,3,\nUSA,1,\"2\"\n",
      "storefront,amount,installments,display,installment,lastInstallment\n"
        + "USA,6000,4,\"$6,000.00\",\"$1,500.00\",\"$1,500.00\"\nUSA,3,,$3.00,,\nUSA,1,\"2\",$1.00,$0.50,$0.50\n"
    ),
    (
      "CSV to JSON",
      {
        $0.fields = [.installment]
        $0.output = .jsonl
      }, "storefront,amount,installments\nUSA,6,4\nUSA,3,\n",
      #"{"storefront":"USA","amount":"6","installments":"4","display":"$6.00","installment":"$1.50"}"# + "\n"
        + #"{"storefront":"USA","amount":"3","installments":"","display":"$3.00","installment":null}"# + "\n"
    ),
    (
      "JSON to CSV",
      {
        $0.fields = [.installment]
        $0.output = .csv
      },
      #"{"storefront":"USA","amount":6,"installments":4}"# + "\n" + #"{"storefront":"USA","amount":3}"#,
      "storefront,amount,installments,display,installment\nUSA,6,4,$6.00,$1.50\nUSA,3,,$3.00,\n"
    ),
    (
      "values are replaced",
      {
        $0.fields = [.installment]
        $0.overwrites = true
      }, #"{"installment":"old","storefront":"USA","amount":6,"installments":4,"display":null}"#,
      #"{"installment":"$1.50","storefront":"USA","amount":6,"installments":4,"display":"$6.00"}"#
    ),
    (
      "a value is replaced by null",
      {
        $0.fields = [.unitPrice]
        $0.overwrites = true
      }, #"{"unitPrice":"old","storefront":"USA","amount":6}"#,
      #"{"unitPrice":null,"storefront":"USA","amount":6,"display":"$6.00"}"#
    ),
  ]

  @Test(arguments: rows)
  func writesRows(name: String, change: Change, input: String, output: String) throws {
    let found = try Outcome(input, .test(change))
    #expect(found.text == output + (output.hasSuffix("\n") ? "" : "\n"), "\(name): \(found.rejects)")
  }

  /// The payments of a row do not depend on the rows before it.
  @Test func dividesEachRow() throws {
    let rows = ["USA", "JPN", "DEU", "DEU", "USA", "USA"].enumerated().map { number, storefront in
      #"{"storefront":"\#(storefront)","amount":\#(number < 4 ? 100 : 90),"installments":\#(number % 3 + 1)}"#
    }
    func texts(_ rows: [String]) throws -> [String] {
      let options = BatchOptions.test {
        $0.fields = [.installment, .lastInstallment]
        $0.style.rounding = .halfUp
      }
      return try Outcome(rows.joined(separator: "\n"), options).text.split(separator: "\n").map(String.init)
    }
    let together = try texts(rows)
    #expect(together == (try rows.flatMap { try texts([$0]) }))
    #expect(together.count == 6 && Set(together).count == 6)
  }

  static let headers: [(fields: [BatchField], header: String, problem: String)] = [
    (
      [.unitPrice], "storefront,amount", #"the column "content" is missing, which unitPrice is computed from"#
    ),
    (
      [.installment], "storefront,amount,instalments",
      #"rename the column "instalments" to "installments", or do not request installment"#
    ),
    ([.lastInstallment], "storefront,amount,content", #"the column "installments" is missing"#),
  ]

  @Test(arguments: headers)
  func rejectsHeaderWithoutSource(fields: [BatchField], header: String, problem: String) throws {
    let error = #expect(throws: BatchError.self) {
      try Outcome("\(header)\nUSA,1,2\n", .test { $0.fields = fields })
    }
    #expect(error?.code == .malformedHeader)
    #expect(error?.description.contains(problem) == true, "\(error.debugDescription)")
  }
}

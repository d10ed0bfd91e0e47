import CatalogSamples
import Foundation
import GRDB
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import SeededNumbers
import Testing

@testable import PriceTagCatalog

/// Tests of the prices that imports replace, and of the lowest price of the 30 days before a reduction.
@Suite struct PriceHistoryTests {
  /// One import: when, and what.
  enum Step {
    /// Fields of the product `a`, effective on a date.
    case on(String, String)
    /// Fields of the product `a`, which correct the stored ones.
    case correct(String)
    /// Fields of the product `a`, imported at an instant.
    case at(String, String)
    /// A file with another product only, which replaces the contents of the catalog on a date.
    case remove(String)
    /// A tier, effective on a date.
    case tier(String, String)
  }

  private static func product(_ fields: String) -> CatalogFile {
    lines(#"{"productIdentifier":"a",\#(fields)}"#)
  }

  @discardableResult
  private static func importing(_ step: Step, _ catalog: Catalog, day: String = "2026-12-31") throws
    -> ImportSummary
  {
    var options = ImportOptions(day: .date(try CalendarDate(day)))
    switch step {
    case .on(let date, let fields):
      options.effective = try CalendarDate(date)
      return try catalog.importFiles([product(fields)], options: options)
    case .correct(let fields):
      options.corrects = true
      return try catalog.importFiles([product(fields)], options: options)
    case .at(let instant, let fields):
      options.day = try StoreDay(instant)
      return try catalog.importFiles([product(fields)], options: options)
    case .remove(let date):
      options.effective = try CalendarDate(date)
      return try catalog.importFiles([lines(#"{"productIdentifier":"b"}"#)], options: options, mode: .replace)
    case .tier(let date, let prices):
      options.effective = try CalendarDate(date)
      return try catalog.importFiles(
        [lines(#"{"type":"tier","tier":"1","prices":\#(prices)}"#)],
        options: options
      )
    }
  }

  /// Returns the lowest price before the reduction; `nil` if there is none, `?` if it is unknown.
  private static func before(_ catalog: Catalog, on date: String, in storefront: String = "DEU") throws
    -> String?
  {
    let request = try ProductsRequest(
      ["a"],
      storefront: Storefront(storefront),
      language: UILanguage("en"),
      at: .date(CalendarDate(date))
    )
    guard let product = try catalog.products(for: request).products.first else { return nil }
    return product.isReductionUnknown ? "?" : product.priceBeforeReduction?.price.amount.description
  }

  private static func eur(_ amount: String) -> String { #""prices":{"DEU":"\#(amount)"}"# }

  static let cases: [(name: String, steps: [Step], before: String?)] = [
    (
      "four imports: the lowest price of the 30 days before the last reduction",
      [
        .on("2026-10-01", eur("4.99")), .on("2026-10-20", eur("3.99")), .on("2026-11-10", eur("2.99")),
        .on("2026-11-25", eur("1.99")),
      ], "2.99"
    ),
    ("one import has no history", [.on("2026-10-01", eur("4.99"))], nil),
    ("31 days of history", [.on("2026-10-20", eur("4.99")), .on("2026-11-20", eur("3.99"))], "4.99"),
    ("30 days of history", [.on("2026-10-21", eur("4.99")), .on("2026-11-20", eur("3.99"))], "4.99"),
    ("29 days of history", [.on("2026-10-22", eur("4.99")), .on("2026-11-20", eur("3.99"))], "?"),
    (
      "a short history does not matter for an increase",
      [.on("2026-11-10", eur("3.99")), .on("2026-11-20", eur("4.99"))], nil
    ),
    (
      "a reduction of more than 30 days ago",
      [.on("2026-09-01", eur("4.99")), .on("2026-10-20", eur("3.99"))], nil
    ),
    (
      "raised before the reduction",
      [.on("2026-10-01", eur("3.99")), .on("2026-11-10", eur("6.99")), .on("2026-11-20", eur("4.99"))], nil
    ),
    (
      "a lower price until the day before the 30 days",
      [.on("2026-09-01", eur("3.99")), .on("2026-10-21", eur("6.99")), .on("2026-11-20", eur("4.99"))], "6.99"
    ),
    (
      "a lower price on the first of the 30 days",
      [.on("2026-09-01", eur("3.99")), .on("2026-10-22", eur("6.99")), .on("2026-11-20", eur("4.99"))], nil
    ),
    (
      "two prices on one date: the lower counts",
      [
        .on("2026-09-01", eur("6.99")), .on("2026-11-10", eur("4.49")), .on("2026-11-10", eur("6.99")),
        .on("2026-11-20", eur("3.99")),
      ], "4.49"
    ),
    (
      "an import at an instant: both prices count on its date",
      [
        .on("2026-09-01", eur("4.49")), .at("2026-10-21T10:00Z", eur("6.99")), .on("2026-11-20", eur("3.99")),
      ], "4.49"
    ),
    (
      "an import at an instant on the date after, in the storefront's time zone",
      [
        .on("2026-09-01", eur("4.49")), .at("2026-10-19T22:30Z", eur("6.99")), .on("2026-11-20", eur("3.99")),
      ], "6.99"
    ),
    (
      "a correction leaves no trace",
      [
        .on("2026-09-01", eur("4.99")), .on("2026-11-10", eur("0.49")), .correct(eur("4.99")),
        .on("2026-11-20", eur("3.99")),
      ],
      "4.99"
    ),
    (
      "the dates of the file take precedence",
      [
        .on("2026-09-01", eur("4.99")),
        .on(
          "2026-11-20",
          #""prices":{"DEU":[{"amount":"5.99","from":"2026-10-01","until":"2026-11-19"},{"amount":"3.99","from":"2026-11-20"}]}"#
        ),
      ], "5.99"
    ),
    (
      "the dates of a replaced price",
      [
        .on(
          "2026-09-01",
          #""prices":{"DEU":[{"amount":"4.99","until":"2026-10-31"},{"amount":"5.99","from":"2026-11-01"}]}"#
        ),
        .on("2026-11-20", eur("3.99")),
      ], "4.99"
    ),
    (
      "removed and added again at a lower price: a new price",
      [.on("2026-09-01", eur("4.99")), .remove("2026-11-01"), .on("2026-11-20", eur("3.99"))], nil
    ),
    (
      "removed and added again, then reduced",
      [
        .on("2026-09-01", eur("4.99")), .remove("2026-11-01"), .on("2026-11-10", eur("5.99")),
        .on("2026-11-20", eur("3.99")),
      ], "4.99"
    ),
    (
      "a storefront that was added later is known since then",
      [
        .on("2026-09-01", #""prices":{"USA":"4.99"}"#), .on("2026-11-10", eur("5.99")),
        .on("2026-11-20", eur("3.99")),
      ], "?"
    ),
    (
      "a tier's price changes",
      [
        .tier("2026-09-01", #"{"DEU":"4.99"}"#), .on("2026-09-01", #""tier":"1""#),
        .tier("2026-11-20", #"{"DEU":"3.99"}"#),
      ], "4.99"
    ),
    (
      "an own price replaces the tier's",
      [
        .tier("2026-09-01", #"{"DEU":"4.99"}"#), .on("2026-09-01", #""tier":"1""#),
        .on("2026-11-20", eur("3.99")),
      ], "4.99"
    ),
    (
      "a product of a tier whose price changed before",
      [
        .tier("2026-09-01", #"{"DEU":"6.99"}"#), .on("2026-09-01", #""tier":"1""#),
        .tier("2026-11-01", #"{"DEU":"5.99"}"#), .on("2026-11-20", eur("3.99")),
      ], "5.99"
    ),
  ]

  @Test(arguments: cases)
  func returnsLowestPrice(name: String, steps: [Step], before: String?) throws {
    let catalog = try Catalog()
    for step in steps { try Self.importing(step, catalog) }
    #expect(try Self.before(catalog, on: "2026-11-28") == before, "\(name)")
    #expect(try catalog.verify().damages == 0, "\(name)")
  }

  @Test func importOfSamePricesAddsNothing() throws {
    let catalog = try Catalog()
    for date in ["2026-10-01", "2026-11-01", "2026-11-02"] {
      let summary = try Self.importing(.on(date, Self.eur("4.99")), catalog)
      #expect(summary.isUnchanged == (date != "2026-10-01") && summary.replacedPrices == 0)
    }
    try Self.importing(.on("2026-11-03", #""category":"c","# + Self.eur("4.99")), catalog)
    #expect(try Self.recordCount(catalog) == 0)
    #expect(try Self.importing(.on("2026-11-04", Self.eur("3.99")), catalog).replacedPrices == 1)
  }

  private static func recordCount(_ catalog: Catalog) throws -> Int {
    try catalog.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM price_history WHERE number > 0") ?? -1
    }
  }

  /// Several files of one import are one change.
  @Test func filesOfOneImportAreOneChange() throws {
    let catalog = try Catalog()
    try Self.importing(.tier("2026-09-01", #"{"DEU":"4.99","FRA":"4.99"}"#), catalog)
    try Self.importing(.on("2026-09-01", #""tier":"1""#), catalog)
    var options = ImportOptions(day: .date(try CalendarDate("2026-11-28")))
    options.effective = try CalendarDate("2026-11-20")
    let summary = try catalog.importFiles(
      [
        lines(#"{"type":"tier","tier":"1","prices":{"DEU":"0.99","FRA":"3.99"}}"#, name: "1.jsonl"),
        lines(#"{"productIdentifier":"a","prices":{"DEU":"4.99"}}"#, name: "2.jsonl"),
      ],
      options: options
    )
    #expect(summary.replacedPrices == 1)
    #expect(try Self.recordCount(catalog) == 1)
    #expect(try Self.before(catalog, on: "2026-11-28") == nil)
    #expect(try Self.before(catalog, on: "2026-11-28", in: "FRA") == "4.99")
  }

  static let rejected: [(date: String, problem: String)] = [
    ("2026-12-01", "the price in DEU cannot count from 2026-12-01: the date there is 2026-11-28"),
    (
      "2026-10-31",
      "the price in DEU cannot count from 2026-10-31: the price that it replaces counts from 2026-11-01"
    ),
  ]

  @Test(arguments: rejected)
  func rejectsWrongDate(date: String, problem: String) throws {
    let catalog = try Catalog()
    try Self.importing(.on("2026-10-01", Self.eur("4.99")), catalog)
    try Self.importing(.on("2026-11-01", Self.eur("3.99")), catalog)
    var options = ImportOptions(day: .date(try CalendarDate("2026-11-28")))
    options.effective = try CalendarDate(date)
    var errors: [CatalogError] = []
    let files = [Self.product(Self.eur("2.99"))]
    try catalog.importFiles(files, options: options) { (error) throws(CatalogError) in errors.append(error) }
    #expect(errors.map(\.problem) == [problem])
    #expect(errors.first?.code == .invalidRequest)
    #expect(try Self.before(catalog, on: "2026-11-28") == "4.99")
  }

  @Test func deletesOldRecords() throws {
    let catalog = try Catalog()
    for (date, amount) in [("2025-01-01", "4.99"), ("2025-02-01", "3.99"), ("2026-10-01", "5.99")] {
      try Self.importing(.on(date, Self.eur(amount)), catalog, day: "2026-10-01")
    }
    #expect(try Self.recordCount(catalog) == 1)
    try Self.importing(.on("2026-11-20", Self.eur("4.99")), catalog, day: "2026-11-28")
    #expect(try Self.before(catalog, on: "2026-11-28") == "5.99")
    #expect(try catalog.verify().damages == 0)
  }

  @Test(arguments: [
    "UPDATE price_history SET replaced = replace(replaced, '4.99', '9.99')",
    "UPDATE price_history SET day = '2026-10-02' WHERE number = 1",
    "DELETE FROM price_history WHERE number = 1",
    "DELETE FROM price_history WHERE number = 0", "UPDATE price_history SET product = 'b'",
    "INSERT INTO price_history SELECT product, 7, day, replaced, checksum FROM price_history WHERE number = 1",
    "UPDATE catalog SET history_count = NULL, history_digest = NULL", "UPDATE product SET known_since = NULL",
  ])
  func verifyFindsDamage(statement: String) throws {
    let catalog = try Catalog()
    try Self.importing(.on("2026-10-01", Self.eur("4.99")), catalog)
    try Self.importing(.on("2026-11-20", Self.eur("3.99")), catalog)
    #expect(try catalog.verify().damages == 0)
    try catalog.write { try $0.execute(sql: statement) }
    #expect(try catalog.verify().damages > 0, "\(statement)")
  }

  @Test(arguments: [ExportFormat.json, .jsonl])
  func exportCarriesHistory(format: ExportFormat) throws {
    let catalog = try Catalog()
    try Self.importing(.on("2026-10-01", #""prices":{"DEU":"4.99"}"#), catalog)
    try Self.importing(.at("2026-11-10T12:00Z", #""prices":{"DEU":"3.99","BGR":"2.99"}"#), catalog)
    try Self.importing(.on("2026-11-20", #""prices":{"DEU":"2.99"}"#), catalog)
    func text(of catalog: Catalog) throws -> String {
      var text = ""
      try catalog.export(as: format) { text += $0 }
      return text
    }
    let exported = try text(of: catalog)
    #expect(
      exported.contains(
        #""history":[{"day":"2026-10-01"},{"day":"2026-11-10T12:00:00Z","prices":{"DEU":"4.99"},"added":["BGR"]},{"day":"2026-11-20","prices":{"DEU":"3.99"}}]"#
      )
    )
    let restored = try Catalog()
    let files = [CatalogFile(name: "shop.\(format.rawValue)", bytes: Array(exported.utf8))]
    #expect(try restored.importFiles(files).rejected == 0)
    #expect(try text(of: restored) == exported)
    #expect(try Self.before(restored, on: "2026-11-28") == "3.99")
    #expect(try restored.importFiles(files).isUnchanged)
    #expect(try restored.verify().damages == 0)
    try Self.importing(.on("2026-11-25", #""prices":{"DEU":"1.99"}"#), restored)
    #expect(try Self.before(restored, on: "2026-11-28") == "2.99")
  }

  /// Without a currency, a price starts on the first day of the storefront's currency. That is not a date of the file.
  @Test func storefrontWithSeveralCurrencies() throws {
    let catalog = try Catalog()
    for (date, amount) in [("2026-09-01", "4.99"), ("2026-11-20", "3.99")] {
      try Self.importing(.on(date, #""prices":{"BGR":"\#(amount)"}"#), catalog)
    }
    #expect(try Self.before(catalog, on: "2026-11-28", in: "BGR") == "4.99")
  }

  // MARK: Comparison with a calculation for each day

  /// The prices of each day, of which nothing is known before the first import. It does not know what replaced what.
  private struct Days {
    /// An amount in cents and its currency.
    typealias Price = (cents: Int, currency: String)
    static let count = 260
    static let first = 20_393  // 2025-11-01
    var prices: [[Price?]?] = Array(repeating: nil, count: count)
    /// The day of the last change.
    var last: Int?

    static func date(_ day: Int) throws -> CalendarDate {
      try #require(CalendarDate(daysSince1970: first + day))
    }

    mutating func change(to price: Price?, on day: Int, corrects: Bool) {
      guard let last else {
        for day in day..<Self.count { prices[day] = [price] }
        self.last = day
        return
      }
      let current = prices[Self.count - 1]?.last ?? nil
      if current?.cents == price?.cents, current?.currency == price?.currency { return }
      let start = corrects ? last : day
      for day in start..<Self.count {
        if day == start, corrects || last == day {
          let others = prices[day] ?? []
          prices[day] = others.dropLast(corrects ? 1 : 0) + [price]
        } else {
          prices[day] = [price]
        }
      }
      self.last = start
    }

    /// Returns the lowest price before the reduction.
    func before(on day: Int, currency: (Int) -> String) -> String? {
      /// The prices that the store charged on a day.
      func charged(_ day: Int) -> [Price]? {
        prices[day].map { $0.compactMap(\.self).filter { $0.currency == currency(day) } }
      }
      guard let current = charged(day)?.last, prices[day]?.last??.currency == currency(day) else {
        return nil
      }
      // Of two prices on the day, the lower one counts.
      if let today = charged(day), today.contains(where: { $0.cents < current.cents }) { return nil }
      // The first day of the current price.
      var start = day
      while start > 0, let prices = charged(start - 1), let lowest = prices.map(\.cents).min(),
        lowest == current.cents, prices.allSatisfy({ $0.currency == current.currency })
      { start -= 1 }
      guard start > 0, day - start < 30, let previous = charged(start - 1), !previous.isEmpty else {
        return nil
      }
      let window = (start - 30..<start).map { $0 < 0 ? nil : charged($0) }
      let known = window.compactMap(\.self).joined()
      guard known.allSatisfy({ $0.currency == current.currency }), let lowest = known.map(\.cents).min(),
        lowest > current.cents
      else { return nil }
      return window.contains { $0 == nil } ? "?" : "\(lowest / 100).\(lowest % 100)"
    }
  }

  @Test(arguments: ["DEU", "BGR"], 0..<25)
  func matchesCalculationForEachDay(store: String, seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let storefront = try Storefront(store)
    func currency(_ day: Int) -> String { (try? storefront.currency(on: Days.date(day)).code) ?? "" }
    let catalog = try Catalog()
    var days = Days()
    var day = 0
    var log: [String] = []
    for step in 0..<18 {
      let isRemoval = step > 1 && numbers.isOne(in: 8)
      let corrects = step > 1 && !isRemoval && numbers.isOne(in: 8)
      let date = try Days.date(day)
      var options = ImportOptions(day: .date(try CalendarDate("2026-08-01")))
      if corrects { options.corrects = true } else { options.effective = date }
      let cents = numbers.pick([199, 299, 399, 499])
      // A correction in another currency would state a currency for earlier days.
      let charged = corrects ? currency(days.last ?? day) : currency(day)
      let file =
        isRemoval
        ? lines(#"{"productIdentifier":"b"}"#)
        : Self.product(
          #""prices":{"\#(store)":{"amount":"\#(cents / 100).\#(cents % 100)","currency":"\#(charged)"}}"#
        )
      var errors: [CatalogError] = []
      try catalog.importFiles([file], options: options, mode: isRemoval ? .replace : .update) {
        (error) throws(CatalogError) in errors.append(error)
      }
      #expect(errors.isEmpty, "\(errors)")
      days.change(to: isRemoval ? nil : (cents, charged), on: day, corrects: corrects)
      log.append("\(date) \(isRemoval ? "removed" : "\(cents) \(charged)")\(corrects ? " corrected" : "")")
      for later in [0, 1, 5, 29, 30] where day + later < Days.count {
        let date = try Days.date(day + later)
        let expected = days.before(on: day + later, currency: currency)
        #expect(
          try Self.before(catalog, on: date.description, in: store) == expected,
          "\(date) after \(log)"
        )
      }
      day += numbers.pick([0, 1, 3, 9, 14, 31])
      if day >= Days.count { break }
    }
    #expect(try catalog.verify().damages == 0)
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// A price that an application displays, with what it should be: a row of a file, or a marked price of a page.
package struct ShownPrice: Sendable {
  package var file: String
  package var line: Int
  /// The product's identifier; empty if it is unknown.
  package var productIdentifier = ""
  /// The storefront, and what the price states besides it. Its date may be an instant.
  package var origin: PriceOrigin
  /// The amount as decimal text.
  package var amount: String
  /// The displayed text.
  package var text: String

  package init(file: String, line: Int, origin: PriceOrigin, amount: String, text: String) {
    (self.file, self.line, self.origin, self.amount, self.text) = (file, line, origin, amount, text)
  }
}

/// The problem of a displayed price. The raw values are the same in all hosts.
package enum ShownPriceCode: String, Sendable {
  /// The amount is right, but its storefront writes it differently.
  case writtenDifferently = "written-differently"
  /// Another amount is displayed.
  case amount
  case notAPrice = "not-a-price"
  case notAsWritten = "not-as-written"
  case ambiguousNumber = "ambiguous-number"
  case amountOutOfRange = "amount-out-of-range"
  case textTooLong = "text-too-long"

  fileprivate init(_ result: PatternReader.Result, expected: Amount) {
    switch result.problem {
    case nil: self = result.amount == expected ? .writtenDifferently : .amount
    case .notAPrice: self = .notAPrice
    case .notAsWritten: self = .notAsWritten
    case .ambiguousNumber: self = .ambiguousNumber
    case .amountOutOfRange: self = .amountOutOfRange
    case .textTooLong: self = .textTooLong
    }
  }
}

/// Checks displayed prices without a golden file: each text must be what its storefront writes for its amount.
///
///     let check = ShownPriceCheck(style: PriceStyle(), on: .now, in: .embedded)
///     check.add(ShownPrice(file: "shop.csv", line: 2, origin: PriceOrigin(storefront: "DEU"), amount: "4.99", text: "4.99 €"))
///     try check.report().changes.map(\.code)   // [.notAsWritten]
package final class ShownPriceCheck {
  /// Something that was not checked, with the places where it was found.
  package struct Unchecked: Sendable {
    package let noun: String
    package let reason: String
    package fileprivate(set) var count = 0
    /// The first places.
    package fileprivate(set) var places: [String] = []
  }

  /// The writer and the readers of a storefront's prices.
  private struct Prices {
    let storefront: String
    let formatter: PriceFormatter
    let patterns: PatternReader?
  }

  private let style: PriceStyle
  private let day: StoreDay
  private let localeData: LocaleData
  private let readers: PriceReaders
  private var prices: [PriceOrigin: Prices] = [:]
  private var changes: [DisplayChange] = []
  private var checkedByStorefront: [String: Int] = [:]
  private var problems: [DriftError] = []
  private var unchecked: [Unchecked] = []

  /// The maximum number of findings and rejected prices, after which the check ends.
  private static let maximumFindingCount = 100_000
  private static let (maximumFormatterCount, maximumPlaceCount, maximumStoredByteCount) = (2048, 1000, 512)

  /// - Parameters:
  ///   - style: The style of the prices.
  ///   - day: The day of prices that state none.
  ///   - localeData: The registry of storefronts and currencies.
  package init(style: PriceStyle, on day: StoreDay, in localeData: LocaleData) {
    (self.style, self.day, self.localeData) = (style, day, localeData)
    readers = PriceReaders(in: localeData)
  }

  // MARK: Checking

  /// Checks a price. One whose storefront, currency, date or amount is invalid is rejected.
  package func add(_ price: ShownPrice) {
    guard hasRoom else { return }
    do throws(PriceTagError) {
      let prices = try self.prices(of: price.origin)
      let amount = try Amount(decimal: price.amount)
      let expected = try prices.formatter.string(for: amount)
      checkedByStorefront[prices.storefront, default: 0] += 1
      if !expected.utf8.elementsEqual(price.text.utf8) {
        changes.append(change(of: price, prices, expected, try prices.formatter.format(amount).displayedAmount))
      }
    } catch { reject(DriftError(.malformedRow, error).at("\(printable(price.file)), line \(price.line)")) }
  }

  /// Adds an error of a file, a page or a row.
  package func reject(_ problem: DriftError) {
    if hasRoom { problems.append(problem) }
  }

  /// Adds something that cannot be checked, such as a price without a storefront.
  package func skip(_ noun: String, _ reason: String, at place: String) {
    let known = unchecked.firstIndex { $0.noun == noun && $0.reason == reason }
    let index = known ?? unchecked.count
    if known == nil { unchecked.append(Unchecked(noun: noun, reason: reason)) }
    unchecked[index].count += 1
    if unchecked[index].count <= Self.maximumPlaceCount { unchecked[index].places.append(place) }
  }

  /// Whether further findings can be stored. The last one says that there are more.
  private var hasRoom: Bool {
    let count = changes.count + problems.count
    if count == Self.maximumFindingCount {
      problems.append(
        DriftError(
          .malformedRow,
          "more than \(count) prices differ or are rejected, and the others were not checked",
          fix: "correct these first"
        )
      )
    }
    return count < Self.maximumFindingCount
  }

  private func change(
    of price: ShownPrice,
    _ prices: Prices,
    _ expected: String,
    _ amount: Amount
  ) -> DisplayChange {
    let reader = readers.reader(prices.formatter)
    let read = prices.patterns?.read(price.text, isLenient: true)
    let isLong = price.text.utf8.count > Self.maximumStoredByteCount
    let text = isLong ? String(price.text.unicodeScalars.prefix(Self.maximumStoredByteCount / 4)) + "…" : price.text
    let comparison = DisplayComparison(
      expected: expected,
      actual: text,
      reader,
      amount: amount,
      actualAmount: read?.problem == nil ? read?.amount : nil
    )
    var classes = Set(comparison.classes)
    let code =
      read.map { ShownPriceCode($0, expected: amount) } ?? (classes.contains(.amount) ? .amount : .notAsWritten)
    if code == .amount { classes.insert(.amount) }
    if code == .notAPrice || isLong { classes.insert(.notAPrice) }
    let reason = classes.contains(.notAPrice) ? reader.reasonAgainst(text) : nil
    return DisplayChange(
      [price.productIdentifier, prices.storefront],
      line: price.line,
      fields: [.init(field: .display, comparison: DisplayComparison(expected, text, classes))],
      reason: reason.map { "\($0.problem); \($0.fix)" },
      file: price.file,
      code: code
    )
  }

  private func prices(of origin: PriceOrigin) throws(PriceTagError) -> Prices {
    if let cached = prices[origin] { return cached }
    var dateless = origin
    let day = try dateless.at.map { (text) throws(PriceTagError) in try StoreDay(text) } ?? self.day
    dateless.at = nil
    let formatter = try dateless.formatter(in: localeData, on: day, style: style)
    let storefront = try Storefront(origin.storefront ?? "", in: localeData).id
    let new = Prices(storefront: storefront, formatter: formatter, patterns: PatternReader(formatter))
    if prices.count >= Self.maximumFormatterCount { prices = [:] }
    prices[origin] = new
    return new
  }

  /// What was found.
  ///
  /// - Throws: `.catalogFailed` if the registry can no longer be read.
  package func report() throws(DriftError) -> DriftReport {
    var report = DriftReport(
      recorded: try DriftReport.Origin(in: localeData, on: day),
      current: nil,
      changes: changes,
      checkedByStorefront: checkedByStorefront,
      unchecked: unchecked.filter { $0.noun == "price" }.reduce(0) { $0 + $1.count },
      problems: problems
    )
    report.notChecked = unchecked
    return report
  }

  // MARK: Rows

  /// Checks the rows of a file: JSON Lines, or CSV below a header.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - storefront: The storefront of rows that name none.
  /// - Throws: `.unreadableFile`; `.malformedRow` for a CSV header without the required columns, and for a file without valid rows.
  package func addRows(of file: CatalogFile, storefront: String?) throws(DriftError) {
    let rows = DisplayRows(
      fields: [
        ["amount"], ["text", "display"], ["storefront"], ["currency"], ["at"], ["productIdentifier", "identifier"],
      ],
      requiredCount: storefront == nil ? 3 : 2,
      expected: "storefront, amount, and text"
    )
    let problems = try rows.forEach(of: file) { values, line in
      let origin = PriceOrigin(storefront: values[2] ?? storefront, currency: values[3], at: values[4])
      var price = ShownPrice(file: file.name, line: line, origin: origin, amount: values[0] ?? "", text: values[1] ?? "")
      price.productIdentifier = values[5] ?? ""
      add(price)
    }
    problems.forEach(reject)
  }
}

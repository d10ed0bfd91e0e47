import PriceTag
import PriceTagCatalog
import PriceTagReading
import PriceTagText

/// Checks displayed prices without a golden file: each text must be what its storefront writes for its amount.
///
///     let check = ShownPriceCheck(style: PriceStyle(), on: .now, in: .embedded)
///     check.add("4.99 €", amount: "4.99", PriceOrigin(storefront: "DEU"), file: "shop.csv", line: 2)
///     try check.report().changes[0].code   // "not-as-written"
package final class ShownPriceCheck {
  /// The places of what was not checked: at most the first ones.
  package struct Unchecked: Sendable {
    package var count = 0
    package var places: [String] = []
  }

  /// The code of a text that shows the right amount in another form, and of one that shows another amount. The other codes are
  /// those of `PatternReader.Problem`. They are the same in all hosts.
  private static let (writtenDifferently, amount) = ("written-differently", "amount")
  /// The check ends after this number of findings and rejected prices.
  private static let maximumFindingCount = 100_000
  private static let (maximumFormatterCount, maximumPlaceCount, maximumTextLength) = (2048, 1000, 128)

  /// The prices of an origin. Their reader is created for the first text that differs.
  private final class Prices {
    let storefront: String
    let formatter: PriceFormatter
    private let readers: PriceReaders
    private(set) lazy var reader = readers.reader(formatter)

    init(storefront: String, _ formatter: PriceFormatter, _ readers: PriceReaders) {
      (self.storefront, self.formatter, self.readers) = (storefront, formatter, readers)
    }
  }

  private let style: PriceStyle
  private let day: StoreDay
  private let localeData: LocaleData
  private let readers: PriceReaders
  private var prices: [PriceOrigin: Prices] = [:]
  private var changes: [DisplayChange] = []
  private var checkedByStorefront: [String: Int] = [:]
  private var problems: [DriftError] = []
  private var unchecked: [String: Unchecked] = [:]

  /// - Parameter day: The day of prices that state none.
  package init(style: PriceStyle, on day: StoreDay, in localeData: LocaleData) {
    (self.style, self.day, self.localeData) = (style, day, localeData)
    readers = PriceReaders(in: localeData)
  }

  /// Checks a displayed text. One whose storefront, currency, date or amount is invalid is rejected.
  package func add(
    _ text: String,
    amount: String,
    _ origin: PriceOrigin,
    product: String? = nil,
    file: String,
    line: Int
  ) {
    guard hasRoom else { return }
    do throws(PriceTagError) {
      let prices = try self.prices(of: origin)
      let amount = try Amount(decimal: amount)
      let expected = try prices.formatter.string(for: amount)
      checkedByStorefront[prices.storefront, default: 0] += 1
      if expected.utf8.elementsEqual(text.utf8) { return }
      let displayed = try prices.formatter.format(amount).displayedAmount
      let (code, comparison, reason) = compare(text, expected, displayed, prices)
      changes.append(
        DisplayChange(
          [String((product ?? "").unicodeScalars.prefix(Self.maximumTextLength)), prices.storefront],
          line: line,
          fields: [.init(field: .display, comparison: comparison)],
          reason: reason,
          file: file,
          code: code
        )
      )
    } catch { reject(DriftError(.malformedRow, error).at("\(printable(file)), line \(line)")) }
  }

  /// Adds an error of a file, a page or a row.
  package func reject(_ problem: DriftError) {
    if hasRoom { problems.append(problem) }
  }

  /// Adds something that cannot be checked.
  ///
  /// - Parameter reason: What it is, in the plural, such as `prices without a storefront`.
  package func skip(_ reason: String, at place: String) {
    unchecked[reason, default: Unchecked()].count += 1
    if unchecked[reason, default: Unchecked()].count <= Self.maximumPlaceCount {
      unchecked[reason]?.places.append(place)
    }
  }

  /// Whether further findings are stored.
  package var hasRoom: Bool {
    let count = changes.count + problems.count
    if count == Self.maximumFindingCount {
      let problem = "more than \(count) prices differ or are rejected, and the others were not checked"
      problems.append(DriftError(.malformedRow, problem, fix: "correct these first"))
    }
    return count < Self.maximumFindingCount
  }

  private func compare(_ text: String, _ expected: String, _ amount: Amount, _ prices: Prices) -> (
    code: String, comparison: DisplayComparison, reason: String?
  ) {
    let reader = prices.reader
    let read = reader.patterns?.read(text, isLenient: true)
    let isLong = text.utf8.count > Self.maximumTextLength * 4
    let text = isLong ? "\(text.unicodeScalars.prefix(Self.maximumTextLength))…" : text
    let actualAmount = read?.problem == nil ? read?.amount : nil
    let comparison = DisplayComparison(
      expected: expected,
      actual: text,
      reader,
      amount: amount,
      actualAmount: actualAmount
    )
    var classes = Set(comparison.classes)
    let hasAmount = read.map { $0.amount == amount } ?? !classes.contains(.amount)
    let code =
      read?.problem?.rawValue
      ?? (!hasAmount ? Self.amount : read == nil ? "not-as-written" : Self.writtenDifferently)
    if code == Self.amount { classes.insert(.amount) }
    if code == "not-a-price" || isLong { classes.insert(.notAPrice) }
    let reason = classes.contains(.notAPrice) ? reader.reasonAgainst(text) : nil
    return (code, DisplayComparison(expected, text, classes), reason.map { "\($0.problem); \($0.fix)" })
  }

  private func prices(of origin: PriceOrigin) throws(PriceTagError) -> Prices {
    if let cached = prices[origin] { return cached }
    let day = try origin.at.map { (text) throws(PriceTagError) in try StoreDay(text) } ?? self.day
    var dateless = origin
    dateless.at = nil
    let formatter = try dateless.formatter(in: localeData, on: day, style: style)
    let storefront = try Storefront(origin.storefront ?? "", in: localeData).id
    if prices.count >= Self.maximumFormatterCount { prices = [:] }
    let new = Prices(storefront: storefront, formatter, readers)
    prices[origin] = new
    return new
  }

  /// Checks the rows of a file: JSON Lines, or CSV below a header.
  ///
  /// - Parameter storefront: The storefront of rows that name none.
  /// - Throws: `.unreadableFile`; `.malformedRow` for a CSV header without the required columns, and for a file without valid rows.
  package func addRows(of file: CatalogFile, storefront: String?) throws(DriftError) {
    let rows = DisplayRows(
      fields: [
        ["amount"], ["text", "display"], ["storefront"], ["currency"], ["at"],
        ["productIdentifier", "identifier"],
      ],
      requiredCount: storefront == nil ? 3 : 2,
      expected: "storefront, amount, and text"
    )
    let problems = try rows.forEach(of: file) { values, line in
      let origin = PriceOrigin(storefront: values[2] ?? storefront, currency: values[3], at: values[4])
      add(values[1] ?? "", amount: values[0] ?? "", origin, product: values[5], file: file.name, line: line)
    }
    problems.forEach(reject)
  }

  /// Returns what was found.
  ///
  /// - Throws: `.catalogFailed` if the registry can no longer be read.
  package func report() throws(DriftError) -> DriftReport {
    var report = DriftReport(
      recorded: try DriftReport.Origin(in: localeData, on: day),
      current: nil,
      changes: changes,
      checkedByStorefront: checkedByStorefront,
      unchecked: unchecked.filter { $0.key.hasPrefix("price") }.reduce(0) { $0 + $1.value.count },
      problems: problems
    )
    report.notChecked = unchecked.sorted { $0.key < $1.key }
    return report
  }
}

import PriceTag
import PriceTagCatalog

/// Holds a golden against what is displayed now.
///
///     let golden = try Golden(path: "prices.golden")
///     let report = try DriftCheck(golden).check(catalog, golden.header.request())
///     report.sums     // how many displays changed, and how
public struct DriftCheck: Sendable {
  private let golden: Golden
  private let localeData: LocaleData

  /// A check of a golden.
  public init(_ golden: Golden, in localeData: LocaleData = .embedded) {
    (self.golden, self.localeData) = (golden, localeData)
  }

  private var recorded: DriftReport.Origin { Self.origin(of: golden) }

  private static func origin(of golden: Golden) -> DriftReport.Origin {
    let header = golden.header
    return .init(name: golden.name, versions: header.versions, registry: header.registry, date: header.date)
  }

  // MARK: A catalogue

  /// Formats a catalogue again, and tells what changed.
  ///
  /// - Parameters:
  ///   - catalog: The catalogue.
  ///   - request: What the golden was made of: `GoldenHeader.request()`.
  /// - Throws: `.catalogFailed`.
  public func check(_ catalog: Catalog, _ request: ListingRequest) throws(DriftError) -> DriftReport {
    let recording = try DisplayRecording(of: catalog, request)
    var changes = Changes(golden, request.style, localeData)
    while let product = try recording.next() {
      changes.refusals = (product.productIdentifier, product.refusals)
      for display in product.displays { changes.take(DisplayLine(display.line)) }
    }
    changes.finish()
    let now = try GoldenHeader(request, in: localeData)
    return report(
      changes,
      .init(name: "", versions: now.versions, registry: now.registry, date: now.date)
    )
  }

  // MARK: Another golden

  /// Tells what changed from this golden to another one, made on another machine or later.
  public func check(against other: Golden) -> DriftReport {
    var changes = Changes(golden, golden.header.style, localeData)
    for line in other.lines { changes.take(line) }
    changes.finish()
    changes.problems += other.problems
    return report(changes, Self.origin(of: other))
  }

  private func report(_ changes: Changes, _ current: DriftReport.Origin) -> DriftReport {
    DriftReport(
      recorded: recorded,
      current: current,
      changes: changes.changes,
      checkedByStorefront: changes.checkedByStorefront,
      problems: golden.problems + changes.problems
    )
  }

  // MARK: A shop's own displays

  /// Holds a shop's own displays against the golden: what it shows its customers, by whatever it formats prices with.
  ///
  /// What the golden has and the shop does not tell of is not checked.
  public func check(_ shop: ShopDisplays) -> DriftReport {
    var byStorefront: [String: DisplayLine] = [:]
    var byLanguage: [String: DisplayLine] = [:]
    for line in golden.lines {
      let key = line.key.fields
      guard key.count == 3 else { continue }
      byLanguage[key.joined(separator: "\t")] = line
      byStorefront[key.dropLast().joined(separator: "\t")] = line
    }
    var changes = Changes(golden, golden.header.style, localeData)
    for row in shop.rows {
      let id = (try? PriceTag.Storefront(row.storefront, in: localeData))?.id ?? row.storefront
      let key = [row.productIdentifier, id] + (row.language.map { [$0] } ?? [])
      let known = (row.language == nil ? byStorefront : byLanguage)[key.joined(separator: "\t")]
      changes.take(row, known, key)
    }
    return DriftReport(
      recorded: recorded,
      current: nil,
      changes: changes.changes,
      checkedByStorefront: changes.checkedByStorefront,
      problems: golden.problems + shop.problems + changes.problems
    )
  }
}

/// Collects changes: a golden's lines on one side, in order, and what is displayed now on the other.
private struct Changes {
  private(set) var changes: [DisplayChange] = []
  private(set) var checkedByStorefront: [String: Int] = [:]
  var problems: [DriftError] = []
  /// Why the product at hand is not displayed, by storefront.
  var refusals: (product: String, byStorefront: [String: InvalidProductIdentifier]) = ("", [:]) {
    willSet { takeLines(before: newValue.product) }
  }

  private let golden: Golden
  private var rest: ArraySlice<DisplayLine>
  private var readers: DisplayReaders

  init(_ golden: Golden, _ style: PriceStyle, _ localeData: LocaleData) {
    self.golden = golden
    rest = golden.lines[...]
    readers = DisplayReaders(golden.header.date, style, localeData)
  }

  /// Takes the next line that is displayed now.
  mutating func take(_ line: DisplayLine) {
    while let recorded = rest.first, recorded.key < line.key {
      rest.removeFirst()
      isGone(recorded)
    }
    guard let recorded = rest.first, recorded.key == line.key else {
      count(line)
      changes.append(
        DisplayChange(
          line.key.fields,
          line: nil,
          .new,
          display: (try? RecordedDisplay(line: line.text))?.display
        )
      )
      return
    }
    rest.removeFirst()
    count(recorded)
    // The same bytes are the same display.
    if recorded.text != line.text { compare(recorded, line) }
  }

  /// Takes what a shop shows of a product.
  mutating func take(_ row: ShopDisplays.Row, _ recorded: DisplayLine?, _ key: [String]) {
    checkedByStorefront[key[1], default: 0] += 1
    guard let recorded else {
      let reason = "the golden has no such product, storefront and language"
      changes.append(DisplayChange(key, line: row.line, .new, display: row.text, reason: reason))
      return
    }
    guard let display = display(recorded) else { return }
    let comparison = DisplayComparison(
      expected: display.display,
      actual: row.text,
      readers.reader(of: display),
      amount: display.amount
    )
    if !comparison.classes.isEmpty {
      changes.append(DisplayChange(key, line: row.line, [.init(field: .display, comparison: comparison)]))
    }
  }

  mutating func finish() {
    for line in rest { isGone(line) }
    rest = []
  }

  /// What stands before a product in the golden and not in the catalogue is gone, for the catalogue has no such product.
  private mutating func takeLines(before product: String) {
    let key = DisplayLine.Key(goldenEscaped(product))
    while let recorded = rest.first, recorded.key < key {
      rest.removeFirst()
      isGone(recorded)
    }
  }

  private mutating func isGone(_ line: DisplayLine) {
    count(line)
    let key = line.key.fields
    guard let product = key.first, key.count == 3 else { return }
    let refusal = product == refusals.product ? refusals.byStorefront[key[1]] : nil
    let display = (try? RecordedDisplay(line: line.text))?.display
    changes.append(
      DisplayChange(key, line: line.number, .gone, display: display, reason: refusal?.message)
    )
  }

  private mutating func count(_ line: DisplayLine) {
    let key = line.key.fields
    checkedByStorefront[key.count > 1 ? key[1] : "", default: 0] += 1
  }

  private mutating func display(_ line: DisplayLine) -> RecordedDisplay? {
    do throws(DriftError) { return try RecordedDisplay(line: line.text) } catch {
      let place = line.number.map { "\(printable(golden.name)), line \($0)" }
      problems.append(place.map(error.at) ?? error)
      return nil
    }
  }

  private mutating func compare(_ line: DisplayLine, _ other: DisplayLine) {
    guard let old = display(line), let new = display(other) else { return }
    var fields: [DisplayChange.FieldChange] = []
    let costs = { (display: RecordedDisplay) in "\(display.amount) \(display.currency)" }
    var known: Set<DriftClass> = []
    if old.amount != new.amount { known.insert(.amount) }
    if old.currency != new.currency { known.insert(.currency) }
    if !known.isEmpty {
      fields.append(.init(field: .amount, comparison: DisplayComparison(costs(old), costs(new), known)))
    }
    let reader = readers.reader(of: old)
    func compare(_ field: RecordedDisplay.Field, _ comparison: (String, String) -> DisplayComparison) {
      if old[field] != new[field] {
        fields.append(.init(field: field, comparison: comparison(old[field], new[field])))
      }
    }
    for field in [RecordedDisplay.Field.display, .spoken] {
      compare(field) {
        // What another currency is written with says nothing of how this one was.
        known.contains(.currency)
          ? DisplayComparison($0, $1, known)
          : DisplayComparison(expected: $0, actual: $1, reader, amount: known.isEmpty ? old.amount : nil)
      }
    }
    for field in [RecordedDisplay.Field.name, .description] {
      compare(field) { DisplayComparison(expectedText: $0, actual: $1) }
    }
    for field in [RecordedDisplay.Field.subscription, .offers] {
      compare(field) { DisplayComparison(expectedText: $0, actual: $1, reader) }
    }
    // What is left is in how the line is written, or in a price locale that changes no display.
    if !fields.isEmpty { changes.append(DisplayChange(line.key.fields, line: line.number, fields)) }
  }
}

/// Readers of recorded displays, one for each storefront, price locale and currency.
private struct DisplayReaders {
  private let date: CalendarDate
  private let style: PriceStyle
  private let localeData: LocaleData
  private let all: PriceReaders
  private var readers: [String: PriceReader?] = [:]

  init(_ date: CalendarDate, _ style: PriceStyle, _ localeData: LocaleData) {
    (self.date, self.style, self.localeData) = (date, style, localeData)
    all = PriceReaders(localeData.currencies.filter { $0.lastDay == nil })
  }

  /// The reader of a display; `nil` where its locale or currency is not known here.
  mutating func reader(of display: RecordedDisplay) -> PriceReader? {
    let key = "\(display.storefront) \(display.priceLocale) \(display.currency)"
    if let known = readers[key] { return known }
    let origins = [
      // The storefront's own overrides come first; its currency may be another one by now.
      PriceOrigin(
        storefront: display.storefront,
        priceLocale: display.priceLocale,
        currency: display.currency
      ),
      PriceOrigin(priceLocale: display.priceLocale, currency: display.currency),
    ]
    let formatter = origins.lazy.compactMap { [localeData, date, style] in
      try? $0.formatter(in: localeData, on: date, style: style)
    }.first
    let reader = formatter.map(all.reader)
    readers[key] = .some(reader)
    return reader
  }
}

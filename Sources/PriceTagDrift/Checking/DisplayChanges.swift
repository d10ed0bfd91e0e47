import PriceTag
import PriceTagCatalog
import PriceTagReading

/// Collects changes by merging the sorted lines of a golden file with the current displays.
struct DisplayChanges {
  private(set) var changes: [DisplayChange] = []
  private(set) var checkedByStorefront: [String: Int] = [:]
  /// Why storefronts do not display the current product.
  private var rejects: (product: String, byStorefront: [String: InvalidProductIdentifier]) = ("", [:])

  /// The reason for a removed display whose product is not in the catalog.
  static let noProduct = "the catalog has no such product"

  /// The lines of the golden file that were not compared yet.
  private var rest: ArraySlice<DisplayLine>
  private var readers: DisplayReaders

  init(_ goldenFile: GoldenFile, _ style: PriceStyle, _ localeData: LocaleData) {
    rest = goldenFile.lines[...]
    readers = DisplayReaders(goldenFile.header.day, style, localeData)
  }

  /// Compares the displays of the next product.
  mutating func compare(_ product: DisplayRecording.Displays) {
    // Lines that sort before this product belong to products that the catalog does not have.
    let key = DisplayLine.Key(escapedForGoldenFile(product.productIdentifier))
    while let recorded = rest.first, recorded.key < key {
      rest.removeFirst()
      addGone(recorded, Self.noProduct)
    }
    rejects = (product.productIdentifier, product.rejects)
    for display in product.displays { compare(DisplayLine(display.line)) }
  }

  /// Compares the next current line.
  mutating func compare(_ line: DisplayLine) {
    while let recorded = rest.first, recorded.key < line.key {
      rest.removeFirst()
      addGone(recorded)
    }
    guard let recorded = rest.first, recorded.key == line.key else {
      if line.isRejected { return }
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
    if recorded.isRejected || line.isRejected { return }
    count(recorded)
    if !recorded.text.utf8.elementsEqual(line.text.utf8) { compare(recorded, line) }
  }

  /// Compares a row of a shop's displays with the recorded line.
  mutating func compare(_ row: ShopDisplays.Row, _ recorded: DisplayLine?, _ key: [String]) {
    if recorded?.isRejected == true { return }
    checkedByStorefront[key[1], default: 0] += 1
    guard let recorded else {
      let reason = "the golden file has no such display of the product"
      changes.append(DisplayChange(key, line: row.line, .new, display: row.text, reason: reason))
      return
    }
    guard let display = try? RecordedDisplay(line: recorded.text) else { return }
    let reader = readers.reader(of: display)
    let comparison = DisplayComparison(
      expected: display.display,
      actual: row.text,
      reader,
      amount: display.amount
    )
    if comparison.classes.isEmpty { return }
    let error = comparison.classes.contains(.notAPrice) ? reader?.reasonAgainst(row.text) : nil
    changes.append(
      DisplayChange(
        key,
        line: row.line,
        fields: [.init(field: .display, comparison: comparison)],
        reason: error.map { "\($0.problem); \($0.fix)" }
      )
    )
  }

  /// Reports the remaining lines of the golden file as gone.
  mutating func finish(reason: String?) {
    for line in rest { addGone(line, reason) }
    rest = []
  }

  private mutating func addGone(_ line: DisplayLine, _ reason: String? = nil) {
    if line.isRejected { return }
    count(line)
    let key = line.key.fields
    let isCurrentProduct = key.first == rejects.product
    let display = (try? RecordedDisplay(line: line.text))?.display
    changes.append(
      DisplayChange(
        key,
        line: line.number,
        .gone,
        display: display,
        reason: isCurrentProduct ? rejects.byStorefront[key[1]]?.message : reason
      )
    )
  }

  private mutating func count(_ line: DisplayLine) {
    let key = line.key.fields
    checkedByStorefront[key.count > 1 ? key[1] : "", default: 0] += 1
  }

  private mutating func compare(_ line: DisplayLine, _ other: DisplayLine) {
    guard let old = try? RecordedDisplay(line: line.text),
      let new = try? RecordedDisplay(line: other.text)
    else { return }
    var fields: [DisplayChange.FieldChange] = []
    let price = { (display: RecordedDisplay) in "\(display.amount) \(display.currency)" }
    var priceClasses: Set<DriftClass> = []
    if old.amount != new.amount { priceClasses.insert(.amount) }
    if old.currency != new.currency { priceClasses.insert(.currency) }
    if !priceClasses.isEmpty {
      fields.append(
        .init(field: .amount, comparison: DisplayComparison(price(old), price(new), priceClasses))
      )
    }
    let reader = readers.reader(of: old)
    func compare(_ field: RecordedDisplay.Field, _ comparison: (String, String) -> DisplayComparison) {
      // String equality would ignore differences in Unicode normalization.
      if !old[field].utf8.elementsEqual(new[field].utf8) {
        fields.append(.init(field: field, comparison: comparison(old[field], new[field])))
      }
    }
    for field in [RecordedDisplay.Field.display, .spoken] {
      compare(field) {
        // The notation of two different currencies cannot be compared.
        priceClasses.contains(.currency)
          ? DisplayComparison($0, $1, priceClasses)
          : priceClasses.contains(.amount)
            ? DisplayComparison(
              expected: $0,
              actual: $1,
              reader,
              amount: old.amount,
              actualAmount: new.amount
            )
            : DisplayComparison($0, $1, reader, of: old.amount)
      }
    }
    for field in [RecordedDisplay.Field.name, .description] {
      compare(field) { DisplayComparison(expectedText: $0, actual: $1) }
    }
    for field in [RecordedDisplay.Field.subscription, .offers] {
      compare(field) {
        var classes = DisplayComparison.classesOfTexts(
          $0,
          $1,
          reader,
          isSameCurrency: !priceClasses.contains(.currency)
        )
        if priceClasses.contains(.currency), !classes.isDisjoint(with: priceClasses) {
          classes.formIntersection([.amount, .currency, .text])
        }
        return DisplayComparison($0, $1, classes)
      }
    }
    // Otherwise only the escaping of the line differs, or a price locale that changes no text.
    if !fields.isEmpty { changes.append(DisplayChange(line.key.fields, line: line.number, fields: fields)) }
  }
}

/// Price readers of recorded displays, one for each storefront, price locale, and currency.
private struct DisplayReaders {
  private let day: StoreDay
  private let style: PriceStyle
  private let localeData: LocaleData
  private let all: PriceReaders
  private var readers: [String: PriceReader?] = [:]

  init(_ day: StoreDay, _ style: PriceStyle, _ localeData: LocaleData) {
    (self.day, self.style, self.localeData) = (day, style, localeData)
    all = PriceReaders(in: localeData)
  }

  /// Returns the reader of a display; `nil` if its price locale or currency is unknown.
  mutating func reader(of display: RecordedDisplay) -> PriceReader? {
    let key = "\(display.storefront) \(display.priceLocale) \(display.currency)"
    if let cached = readers[key] { return cached }
    let origins = [
      // The storefront's overrides come first. Its currency may have changed since the recording.
      PriceOrigin(
        storefront: display.storefront,
        priceLocale: display.priceLocale,
        currency: display.currency
      ),
      PriceOrigin(priceLocale: display.priceLocale, currency: display.currency),
    ]
    // A display may be of a storefront, currency or style that the pack of the locale data does not have.
    let registries = localeData.pack == nil ? [localeData] : [localeData, localeData.unpinned]
    let formatter = registries.lazy.flatMap { [day, style] registry in
      origins.lazy.compactMap { try? $0.formatter(in: registry, on: day, style: style) }
    }.first
    let reader = formatter.map(all.reader)
    readers[key] = .some(reader)
    return reader
  }
}

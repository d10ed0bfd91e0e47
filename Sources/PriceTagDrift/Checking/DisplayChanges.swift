import PriceTag
import PriceTagCatalog

/// Collects changes: a golden's lines on one side, in order, and what is displayed now on the other.
struct DisplayChanges {
  private(set) var changes: [DisplayChange] = []
  private(set) var checkedByStorefront: [String: Int] = [:]
  /// Why the product at hand is not displayed, by storefront.
  private var refusals: (product: String, byStorefront: [String: InvalidProductIdentifier]) = ("", [:])

  /// Why a product is gone that the catalogue does not have.
  static let noProduct = "the catalogue has no such product"

  private var rest: ArraySlice<DisplayLine>
  private var readers: DisplayReaders

  init(_ golden: Golden, _ style: PriceStyle, _ localeData: LocaleData) {
    rest = golden.lines[...]
    readers = DisplayReaders(golden.header.date, style, localeData)
  }

  /// Takes what is displayed of the next product.
  mutating func take(_ product: DisplayRecording.Displays) {
    // What stands before it in the golden is of products that the catalogue does not have.
    let key = DisplayLine.Key(goldenEscaped(product.productIdentifier))
    while let recorded = rest.first, recorded.key < key {
      rest.removeFirst()
      isGone(recorded, Self.noProduct)
    }
    refusals = (product.productIdentifier, product.refusals)
    for display in product.displays { take(DisplayLine(display.line)) }
  }

  /// Takes the next line that is displayed now.
  mutating func take(_ line: DisplayLine) {
    while let recorded = rest.first, recorded.key < line.key {
      rest.removeFirst()
      isGone(recorded)
    }
    guard let recorded = rest.first, recorded.key == line.key else {
      if line.isSetAside { return }
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
    if recorded.isSetAside || line.isSetAside { return }
    count(recorded)
    // The same bytes are the same display.
    if !recorded.text.utf8.elementsEqual(line.text.utf8) { compare(recorded, line) }
  }

  /// Takes what a shop shows of a product.
  mutating func take(_ row: ShopDisplays.Row, _ recorded: DisplayLine?, _ key: [String]) {
    if recorded?.isSetAside == true { return }
    checkedByStorefront[key[1], default: 0] += 1
    guard let recorded else {
      let reason = "the golden has no such display of the product"
      changes.append(DisplayChange(key, line: row.line, .new, display: row.text, reason: reason))
      return
    }
    guard let display = try? RecordedDisplay(line: recorded.text) else { return }
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

  /// Takes what is left of the golden: it is not displayed any more, for a reason where there is one for all of it.
  mutating func finish(reason: String?) {
    for line in rest { isGone(line, reason) }
    rest = []
  }

  private mutating func isGone(_ line: DisplayLine, _ reason: String? = nil) {
    if line.isSetAside { return }
    count(line)
    let key = line.key.fields
    let isAtHand = key.first == refusals.product
    let display = (try? RecordedDisplay(line: line.text))?.display
    changes.append(
      DisplayChange(
        key,
        line: line.number,
        .gone,
        display: display,
        reason: isAtHand ? refusals.byStorefront[key[1]]?.message : reason
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
    let costs = { (display: RecordedDisplay) in "\(display.amount) \(display.currency)" }
    var known: Set<DriftClass> = []
    if old.amount != new.amount { known.insert(.amount) }
    if old.currency != new.currency { known.insert(.currency) }
    if !known.isEmpty {
      fields.append(.init(field: .amount, comparison: DisplayComparison(costs(old), costs(new), known)))
    }
    let reader = readers.reader(of: old)
    func compare(_ field: RecordedDisplay.Field, _ comparison: (String, String) -> DisplayComparison) {
      // Not as Swift compares: é is another text than e with an accent.
      if !old[field].utf8.elementsEqual(new[field].utf8) {
        fields.append(.init(field: field, comparison: comparison(old[field], new[field])))
      }
    }
    for field in [RecordedDisplay.Field.display, .spoken] {
      compare(field) {
        // What another currency is written with says nothing of how this one was.
        known.contains(.currency)
          ? DisplayComparison($0, $1, known)
          : known.contains(.amount)
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
          isSameCurrency: !known.contains(.currency)
        )
        if known.contains(.currency), !classes.isDisjoint(with: known) {
          classes.formIntersection([.amount, .currency, .text])
        }
        return DisplayComparison($0, $1, classes)
      }
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
    all = PriceReaders(in: localeData)
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

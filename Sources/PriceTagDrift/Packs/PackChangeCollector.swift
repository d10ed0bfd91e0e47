import PriceTag
import PriceTagReading

/// Compares two packs, and collects each change with the places that have it.
struct PackChangeCollector {
  let old: PackIndex
  let new: PackIndex
  private(set) var combinationCount = 0
  private(set) var equivalentCount = 0
  private(set) var notComparedCount = 0
  private(set) var phraseCounts = (phrases: 0, languages: 0)

  /// What identifies a change. All places that have it are reported together.
  private struct Key: Hashable {
    let driftClass: DriftClass
    let subject: String
    let pairs: [PackChange.Pair]
  }

  /// A change, and the indices of the places that have it.
  private struct Group {
    var example: PackChange.Example?
    /// The number of differences that the example shows.
    var exampleDifferenceCount = Int.max
    var storefronts: Set<String> = []
    /// The currencies of each locale, by the indices of the pack that has the locale.
    var locales: [String: Set<String>] = [:]
    var currencies: Set<String> = []
    var styles: Set<String> = []
  }

  /// Two formatters, by number, or two rows, by index.
  private struct IndexPair: Hashable {
    let old: Int
    let new: Int
  }

  /// A currency whose formatters in two rows differ, with their indices.
  private struct ChangedCurrency {
    let code: String
    let old: Int?
    let new: Int?
  }

  private let oldNumbers: [Int]
  private let newNumbers: [Int]
  private var groups: [Key: Group] = [:]
  private var differences: [IndexPair: [FormatterComparison.Difference]] = [:]
  private var changedCurrencies: [IndexPair: [ChangedCurrency]] = [:]

  private let limits: PackComparison.Limits

  init(_ old: PackIndex, _ new: PackIndex, _ limits: PackComparison.Limits) {
    (self.old, self.new, self.limits) = (old, new, limits)
    var numbers = FormatterNumbers()
    oldNumbers = numbers.numbers(of: old.pack)
    newNumbers = numbers.numbers(of: new.pack)
  }

  mutating func compareAll() {
    compareStyles()
    compareCurrencies()
    for storefront in old.storefronts {
      guard let index = new.storefrontIndices[storefront.id] else {
        add(.gone, "storefront", "in the pack", "", storefront.id, to: \.storefronts)
        continue
      }
      compare(storefront, new.storefronts[index])
    }
    for storefront in new.storefronts where old.storefrontIndices[storefront.id] == nil {
      add(.new, "storefront", "", "in the pack", storefront.id, to: \.storefronts)
    }
    compareLocales()
    comparePhrases(old.pack.phraseContents, new.pack.phraseContents)
  }

  // MARK: Changes

  private mutating func add(
    _ driftClass: DriftClass,
    _ subject: String,
    _ pairs: [PackChange.Pair],
    _ body: (inout Group) -> Void
  ) {
    body(&groups[Key(driftClass: driftClass, subject: subject, pairs: pairs), default: Group()])
  }

  /// Adds a change of a value at one place, unless the value is the same.
  private mutating func add(
    _ driftClass: DriftClass,
    _ subject: String,
    _ expected: String,
    _ actual: String,
    _ place: String,
    to places: WritableKeyPath<Group, Set<String>>
  ) {
    if expected == actual { return }
    add(driftClass, subject, [.init(expected, actual)]) { $0[keyPath: places].insert(place) }
  }

  /// The changes, the most severe class first, then those in the most places.
  var changes: [PackChange] {
    let locales = old.pack.locales + new.pack.locales.filter { old.localeIndices[$0] == nil }
    let storefronts = old.storefronts + new.storefronts.filter { old.storefrontIndices[$0.id] == nil }
    let styles = old.styles + new.styles.filter { old.styleIndices[$0] == nil }
    let orders = (
      locales: indices(of: locales), storefronts: indices(of: storefronts.map(\.id)),
      styles: indices(of: styles.map(\.description))
    )
    func sorted(_ names: Set<String>, _ order: [String: Int] = [:]) -> [String] {
      names.sorted { (order[$0] ?? .max, $0) < (order[$1] ?? .max, $1) }
    }
    var changes = groups.map { key, group in
      PackChange(
        driftClass: key.driftClass,
        subject: key.subject,
        pairs: key.pairs,
        example: group.example,
        storefronts: sorted(group.storefronts, orders.storefronts),
        locales: sorted(Set(group.locales.keys), orders.locales).map {
          PackChange.LocaleCurrencies(locale: $0, currencies: sorted(group.locales[$0] ?? []))
        },
        currencies: sorted(group.currencies),
        styles: sorted(group.styles, orders.styles)
      )
    }
    changes.sort { first, second in
      if first.driftClass != second.driftClass { return first.driftClass < second.driftClass }
      if first.placeCount != second.placeCount { return first.placeCount > second.placeCount }
      return (first.subject, first.sortText) < (second.subject, second.sortText)
    }
    return changes
  }

  private mutating func compareStyles() {
    for style in old.styles where new.styleIndices[style] == nil {
      add(.gone, "style", "in the pack", "", style.description, to: \.styles)
    }
    for style in new.styles where old.styleIndices[style] == nil {
      add(.new, "style", "", "in the pack", style.description, to: \.styles)
    }
  }

  private mutating func compareCurrencies() {
    for currency in old.currencies {
      let code = currency.code
      guard let index = new.currencyIndices[code] else {
        add(.gone, "currency", "in the pack", "", code, to: \.currencies)
        continue
      }
      let other = new.currencies[index]
      let minorUnits = [currency, other].map { $0.minorUnitDigits.map(String.init) ?? "none" }
      // An amount in minor units is then another price.
      add(.amount, "digits of the minor unit", minorUnits[0], minorUnits[1], code, to: \.currencies)
      for (subject, one, other) in [
        ("standard digits", currency.standardDigits, other.standardDigits),
        ("cash digits", currency.cashDigits, other.cashDigits),
        ("rounding step for cash", currency.cashStep, other.cashStep),
      ] {
        add(.digits, subject, "\(one)", "\(other)", code, to: \.currencies)
      }
    }
    for currency in new.currencies where old.currencyIndices[currency.code] == nil {
      add(.new, "currency", "", "in the pack", currency.code, to: \.currencies)
    }
  }

  // MARK: Storefronts

  private mutating func compare(_ storefront: Pack.StorefrontContents, _ other: Pack.StorefrontContents) {
    let id = storefront.id
    for (driftClass, subject, expected, actual) in [
      (DriftClass.currency, "currency by date", storefront.datedCurrencies, other.datedCurrencies),
      (.currency, "custom currencies", storefront.customCurrencies, other.customCurrencies),
      (.text, "price locale", storefront.locale, other.locale),
      (.text, "alpha-2 code", storefront.alpha2, other.alpha2),
    ] {
      add(driftClass, subject, expected, actual, id, to: \.storefronts)
    }
    var rest = Array(other.periods.enumerated())
    for (index, period) in storefront.periods.enumerated() {
      let place =
        rest.firstIndex { $0.element == period }
        ?? rest.firstIndex {
          $0.element.currency == period.currency && $0.element.isCustom == period.isCustom
        }
      guard let place else { continue }
      let match = rest.remove(at: place).offset
      for (oldStyle, style) in old.styles.enumerated() {
        guard let newStyle = new.styleIndices[style] else { continue }
        let formatters = (
          old: old.pack.formatterIndex(ofPeriod: storefront.firstPeriod + index, style: oldStyle),
          new: new.pack.formatterIndex(ofPeriod: other.firstPeriod + match, style: newStyle)
        )
        compare(formatters.old, formatters.new, id, period.currency, style) {
          $0.storefronts.insert(id)
        }
      }
    }
  }

  // MARK: Locales

  private mutating func compareLocales() {
    for (index, locale) in old.pack.locales.enumerated() where old.pack.hasRow(locale: index) {
      guard let other = new.localeIndices[locale], new.pack.hasRow(locale: other) else {
        add(.gone, "price locale", [.init("in the pack", "")]) { $0.locales[locale] = [] }
        combinationCount += combinationCount(ofLocale: index)
        continue
      }
      combinationCount += combinationCount(ofLocale: index)
      for (oldStyle, style) in old.styles.enumerated() {
        guard let newStyle = new.styleIndices[style],
          let oldRow = old.pack.rowIndex(ofLocale: index, style: oldStyle),
          let newRow = new.pack.rowIndex(ofLocale: other, style: newStyle)
        else { continue }
        for changed in changedCurrencies(of: IndexPair(old: oldRow, new: newRow)) {
          compare(changed.old, changed.new, locale, changed.code, style) {
            $0.locales[locale, default: []].insert(changed.code)
          }
        }
      }
    }
    for (index, locale) in new.pack.locales.enumerated() where new.pack.hasRow(locale: index) {
      if let other = old.localeIndices[locale], old.pack.hasRow(locale: other) { continue }
      add(.new, "price locale", [.init("", "in the pack")]) { $0.locales[locale] = [] }
    }
  }

  // MARK: Phrases

  private mutating func comparePhrases(_ old: PhraseContents, _ new: PhraseContents) {
    phraseCounts = (old.messages.count, old.languages.count)
    let (places, tags, keys) = (indices(of: new.languages), indices(of: new.tags), indices(of: new.keys))
    for (index, tag) in old.tags.enumerated() {
      if let match = tags[tag], old.rules[index] != new.rules[match] {
        add(.text, "rules of a language", ("the old rules", "the new rules"), in: [tag])
      }
    }
    for (index, language) in old.languages.enumerated() {
      guard let match = places[language] else {
        add(.gone, "language of phrases", ("in the pack", ""), in: [language])
        continue
      }
      for message in old.messages {
        guard let other = keys[message.name].map({ new.messages[$0] }) else { continue }
        let (one, another) = (message.messages[index], other.messages[match])
        let isSame = message.arguments.elementsEqual(other.arguments) { $0 == $1 }
        if isSame, one.code == another.code, old.tags[one.language] == new.tags[another.language] { continue }
        add(.text, "phrase \(message.name)", ("the old message", "the new message"), in: [language])
      }
    }
    let (languages, names) = (Set(old.languages), Set(old.keys))
    for language in new.languages where !languages.contains(language) {
      add(.new, "language of phrases", ("", "in the pack"), in: [language])
    }
    let common = old.languages.filter { places[$0] != nil }
    if common.isEmpty { return }
    for name in old.keys where keys[name] == nil {
      add(.gone, "phrase \(name)", ("in the pack", ""), in: common)
    }
    for name in new.keys where !names.contains(name) {
      add(.new, "phrase \(name)", ("", "in the pack"), in: common)
    }
    for tag in Set(old.matchedTags + new.matchedTags) {
      let (one, other) = (old.language(of: tag), new.language(of: tag))
      // The tags of languages that only one pack has differ.
      guard one != other, one.map({ places[$0] != nil }) ?? true, other.map(languages.contains) ?? true else {
        continue
      }
      add(.text, "language of a tag", (one ?? "none", other ?? "none"), in: [tag])
    }
  }

  /// Adds a change of phrases in languages, which are among the locales of the change.
  private mutating func add(
    _ driftClass: DriftClass,
    _ subject: String,
    _ pair: (String, String),
    in languages: [String]
  ) {
    let addPlaces = { (group: inout Group) in
      for language in languages { group.locales[language] = [] }
    }
    guard groups.count < limits.changes else { return addNotCompared(addPlaces) }
    add(driftClass, subject, [.init(pair.0, pair.1)], addPlaces)
  }

  /// Adds a place whose changes are not compared, because a limit was reached.
  private mutating func addNotCompared(_ body: (inout Group) -> Void) {
    notComparedCount += 1
    add(.text, PackChange.notComparedSubject, [.init("the old patterns", "the new patterns")], body)
  }

  /// Returns the number of currencies of a locale, in any style.
  private func combinationCount(ofLocale locale: Int) -> Int {
    old.styles.indices.map { style in
      guard let row = old.pack.rowIndex(ofLocale: locale, style: style) else { return 0 }
      return old.currencies.indices.count { old.pack.formatterIndex(ofRow: row, currency: $0) != nil }
    }.max() ?? 0
  }

  /// Returns the currencies whose formatters in two rows differ. Many locales share a row.
  private mutating func changedCurrencies(of rows: IndexPair) -> [ChangedCurrency] {
    if let stored = changedCurrencies[rows] { return stored }
    var changed: [ChangedCurrency] = []
    for (index, currency) in old.currencies.enumerated() {
      // A currency that only one pack has is reported once.
      guard let other = new.currencyIndices[currency.code] else { continue }
      let oldFormatter = old.pack.formatterIndex(ofRow: rows.old, currency: index)
      let newFormatter = new.pack.formatterIndex(ofRow: rows.new, currency: other)
      if oldFormatter.map({ oldNumbers[$0] }) == newFormatter.map({ newNumbers[$0] }) { continue }
      changed.append(ChangedCurrency(code: currency.code, old: oldFormatter, new: newFormatter))
    }
    changedCurrencies[rows] = changed
    return changed
  }

  // MARK: Formatters

  /// Compares two formatters, and adds a place to their differences.
  private mutating func compare(
    _ oldFormatter: Int?,
    _ newFormatter: Int?,
    _ place: String,
    _ currency: String,
    _ style: Pack.StyleContents,
    _ addPlace: (inout Group) -> Void
  ) {
    guard let oldFormatter, let newFormatter else {
      if oldFormatter == nil, newFormatter == nil { return }
      let pair = oldFormatter == nil ? PackChange.Pair("", "in the pack") : PackChange.Pair("in the pack", "")
      add(oldFormatter == nil ? .new : .gone, "pattern", [pair]) { group in
        addPlace(&group)
        group.styles.insert(style.description)
      }
      return
    }
    let numbers = IndexPair(old: oldNumbers[oldFormatter], new: newNumbers[newFormatter])
    if numbers.old == numbers.new { return }
    guard let found = differences(of: numbers, oldFormatter, newFormatter) else {
      return addNotCompared { group in
        addPlace(&group)
        group.styles.insert(style.description)
      }
    }
    for difference in found {
      add(difference.driftClass, difference.subject, difference.pairs) { group in
        addPlace(&group)
        group.styles.insert(style.description)
        // The best example shows nothing else.
        if group.exampleDifferenceCount <= found.count { return }
        group.exampleDifferenceCount = found.count
        group.example = PackChange.Example(
          place: place,
          amount: difference.amount,
          currency: currency,
          style: style.description,
          expected: difference.expected,
          actual: difference.actual
        )
      }
    }
  }

  /// Returns how two formatters differ; `nil` if a limit is reached.
  private mutating func differences(
    of numbers: IndexPair,
    _ oldFormatter: Int,
    _ newFormatter: Int
  ) -> [FormatterComparison.Difference]? {
    if let stored = differences[numbers] { return stored }
    guard differences.count < limits.comparedPatterns, groups.count < limits.changes else { return nil }
    let found = FormatterComparison((old.pack, oldFormatter), (new.pack, newFormatter)).differences
    if found.isEmpty { equivalentCount += 1 }
    differences[numbers] = found
    return found
  }
}

extension PackChange {
  /// The number of places, for the order of a report.
  fileprivate var placeCount: Int {
    storefronts.count + locales.reduce(0) { $0 + max(1, $1.currencies.count) } + currencies.count
      + styles.count
  }

  fileprivate var sortText: String { pairs.map { "\($0.expected)\t\($0.actual)" }.joined(separator: "\n") }
}

extension Pack.StorefrontContents {
  /// The store's own currencies with their dates: `BGN until 2025-12-31, EUR from 2026-01-01`.
  fileprivate var datedCurrencies: String {
    periods.filter { !$0.isCustom }.map { period in
      period.currency + (period.firstDay.map { " from \($0)" } ?? "")
        + (period.lastDay.map { " until \($0)" } ?? "")
    }.joined(separator: ", ")
  }

  /// The currencies of the merchant that the store charges too.
  fileprivate var customCurrencies: String {
    periods.filter(\.isCustom).map(\.currency).joined(separator: ", ")
  }
}

/// Writes a pack: a file of compiled patterns, which the kernel reads without ICU.
///
///     var writer = PackWriter(styles: [PriceStyle()], on: .todayInUTC)
///     for storefront in LocaleData.embedded.storefronts { writer.add(storefront) }
///     let bytes = writer.bytes(revision: try LocaleData.embedded.revision())
///
/// The same input gives the same bytes. docs/packs.md describes the layout.
package struct PackWriter {
  /// A combination that the pack does not contain.
  package struct Omission: Sendable {
    /// The price locale.
    package let locale: PriceLocale
    /// The currency.
    package let currency: Currency
    /// The style.
    package let style: Pack.StyleContents
    /// Why the pack does not have it: no pattern reproduces ICU's output, or the price cannot be formatted at all.
    package let reason: String
  }

  /// What writes the prices of a formatter.
  private enum Contents: Hashable {
    /// The index of a pattern.
    case pattern(Int)
    /// Patterns by number of digits, and after them the one for zero if it has one of its own.
    case family(minimumDigits: Int, maximumDigits: Int, hasZero: Bool, patterns: [Int])
  }

  /// A formatter, before it has a place in the pack.
  private struct FormatterKey: Hashable {
    let contents: Contents
    /// The contents of the spoken form; `nil` if the pack does not have it.
    let spoken: Contents?
    /// The names of the currency, as `FoldedNames` has them; empty for a member of a family.
    var names: [UInt8] = []
  }

  private struct StorefrontEntry {
    let storefront: Storefront
    var periods: [Period] = []
  }

  /// A currency of a storefront, and its formatter in each style.
  private struct Period {
    let currency: Currency
    let firstDay: CalendarDate?
    let lastDay: CalendarDate?
    let formatters: [Int?]
  }

  /// The combinations that the pack does not contain.
  package private(set) var omissions: [Omission] = []

  /// The number of different formatters.
  package var formatterCount: Int { formatters.count }

  private let styles: [Pack.StyleContents]
  private let date: CalendarDate
  private var patterns: [[UInt8]] = []
  /// The symbols of each pattern.
  private var symbols: [[[UInt8]]] = []
  private var patternIndices: [[UInt8]: Int] = [:]
  private var formatters: [FormatterKey] = []
  private var formatterIndices: [FormatterKey: Int] = [:]
  private var storefronts: [String: StorefrontEntry] = [:]
  private var locales: [String: PriceLocale] = [:]
  private var currencies: [String: Currency] = [:]
  /// The formatter of each locale, style and currency.
  private var grid: [String: [[String: Int]]] = [:]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - styles: The styles. Their rounding modes have no effect: the program that formats a price names the mode.
  ///   - references: The units of unit prices, which the pack has in each style. Pieces have none.
  ///   - includesSpoken: Whether the pack also has the spoken form of each style.
  ///   - date: The date that decides which symbols are ambiguous.
  package init(
    styles: [PriceStyle],
    per references: [UnitPriceReference] = [],
    includesSpoken: Bool = true,
    on date: CalendarDate
  ) {
    var all: Set<Pack.StyleContents> = []
    for style in includesSpoken ? styles + styles.map(\.spoken) : styles {
      var style = style
      style.rounding = .exact
      all.insert(Pack.StyleContents(style: style, reference: nil))
      for reference in references {
        all.insert(Pack.StyleContents(style: style, reference: reference))
      }
    }
    self.init(exactly: all, on: date)
  }

  /// Creates a writer of exactly these styles, such as those of another pack.
  package init(exactly styles: Set<Pack.StyleContents>, on date: CalendarDate) {
    self.styles = styles.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    self.date = date
  }

  /// Adds the formatters of a storefront: for each of its currencies, and for the custom currencies that it charges too.
  ///
  /// - Parameters:
  ///   - storefront: The storefront.
  ///   - localeData: The registry of the storefront, with its custom currencies.
  package mutating func add(_ storefront: Storefront, in localeData: LocaleData = .embedded) {
    let locale = storefront.priceLocale
    locales[locale.identifier] = locale
    var entry = StorefrontEntry(storefront: storefront)
    for period in storefront.currencyPeriods {
      entry.periods.append(add(period.currency, of: storefront, period.firstDay, period.lastDay))
    }
    for currency in localeData.currencies where storefront.chargesCustom(currency) {
      entry.periods.append(add(currency, of: storefront, nil, nil))
    }
    storefronts[storefront.id] = entry
  }

  private mutating func add(
    _ currency: Currency,
    of storefront: Storefront,
    _ firstDay: CalendarDate?,
    _ lastDay: CalendarDate?
  ) -> Period {
    currencies[currency.code] = currency
    // The date is within the period, as that of each price in its currency is.
    let date = max(firstDay ?? date, min(lastDay ?? date, date))
    let override = storefront.override(for: currency)
    let found = allFormatters(storefront.priceLocale, currency, storefront, override, date)
    return Period(currency: currency, firstDay: firstDay, lastDay: lastDay, formatters: found)
  }

  /// Adds the formatters of a price locale for currencies.
  package mutating func add(_ locale: PriceLocale, _ added: [Currency]) {
    locales[locale.identifier] = locale
    for currency in added {
      currencies[currency.code] = currency
      let found = allFormatters(locale, currency, nil, currency.record.override, date)
      for (style, formatter) in found.enumerated() {
        grid[locale.identifier, default: styles.map { _ in [:] }][style][currency.code] = formatter
      }
    }
  }

  // MARK: Patterns

  /// Returns the formatter of each style.
  private mutating func allFormatters(
    _ locale: PriceLocale,
    _ currency: Currency,
    _ storefront: Storefront?,
    _ override: CurrencyOverride?,
    _ date: CalendarDate
  ) -> [Int?] {
    var found: [Contents?] = []
    for style in styles { found.append(contents(locale, currency, style, storefront, override, date)) }
    let names = names(of: currency, found)
    return styles.indices.map { index in
      guard let contents = found[index] else { return nil }
      if case .family(_, _, _, let members) = contents {
        for member in members { _ = formatter(FormatterKey(contents: .pattern(member), spoken: nil)) }
      }
      let spoken = spokenStyle(of: index).flatMap { found[$0] }
      return formatter(FormatterKey(contents: contents, spoken: spoken, names: names))
    }
  }

  /// Returns the names of a currency in all styles but the spoken ones.
  private func names(of currency: Currency, _ contents: [Contents?]) -> [UInt8] {
    var found: [[UInt8]] = []
    for (style, contents) in zip(styles, contents) where style.style.width != .name {
      switch contents {
      case .pattern(let index): found += symbols[index]
      case .family(_, _, _, let members): found += members.first.map { symbols[$0] } ?? []
      case nil: break
      }
    }
    return FoldedNames.bytes(of: currency, symbols: found)
  }

  /// Returns the index of the style of the spoken form; `nil` if the pack does not have it.
  private func spokenStyle(of index: Int) -> Int? {
    styles[index].style.isSpoken ? index : styles.firstIndex(of: styles[index].spoken)
  }

  private mutating func contents(
    _ locale: PriceLocale,
    _ currency: Currency,
    _ style: Pack.StyleContents,
    _ storefront: Storefront?,
    _ override: CurrencyOverride?,
    _ date: CalendarDate
  ) -> Contents? {
    var specification = FormatterSpecification(
      locale: locale,
      currency: currency,
      style: style.style,
      merchantOverride: override,
      date: date,
      reference: style.reference
    )
    var reason = "no pattern reproduces ICU's output"
    do throws(PriceTagError) {
      try specification.findWebForm(of: storefront)
      let compiled = try PriceFormatter.Compiled(specification)
      if let contents = try contents(of: compiled) { return contents }
    } catch {
      reason = "\(error)"
    }
    omissions.append(Omission(locale: locale, currency: currency, style: style, reason: reason))
    return nil
  }

  private mutating func contents(of compiled: PriceFormatter.Compiled) throws(PriceTagError) -> Contents? {
    guard case .family(let family) = compiled.backend else {
      return pattern(of: compiled).map(Contents.pattern)
    }
    let (digits, hasZero, members) = try family.allMembers()
    var patterns: [Int] = []
    for member in members {
      guard let pattern = pattern(of: member) else { return nil }
      patterns.append(pattern)
    }
    let fixed = compiled.display.digits
    return .family(
      minimumDigits: digits?.lowerBound ?? fixed,
      maximumDigits: digits?.upperBound ?? fixed,
      hasZero: hasZero,
      patterns: patterns
    )
  }

  /// Returns the index of a formatter's pattern; `nil` if ICU formats its prices.
  private mutating func pattern(of compiled: PriceFormatter.Compiled) -> Int? {
    guard let pattern = compiled.pattern else { return nil }
    var bytes = pattern.bytes.bytes
    let step = UInt32(compiled.display.step)
    for index in 0..<4 { bytes[PatternBytes.Field.step + index] = UInt8(step >> (8 * index) & 0xFF) }
    if let index = patternIndices[bytes] { return index }
    patternIndices[bytes] = patterns.count
    patterns.append(bytes)
    symbols.append(pattern.bytes.symbols)
    return patterns.count - 1
  }

  private mutating func formatter(_ key: FormatterKey) -> Int {
    if let index = formatterIndices[key] { return index }
    formatterIndices[key] = formatters.count
    formatters.append(key)
    return formatters.count - 1
  }

  // MARK: Encoding

  /// Returns the bytes of the pack.
  ///
  /// - Parameters:
  ///   - revision: The revision of the registry of storefronts and currencies.
  ///   - phrases: The bytes of `PhraseEncoder`, for a pack with phrases.
  package func bytes(revision: String, phrases: [UInt8] = []) -> [UInt8] {
    var encoder = PackEncoder()
    let places = PatternPlaces(patterns)
    let order = formatterOrder(places)
    let sortedLocales = locales.values.sorted { $0.identifier.lowercased() < $1.identifier.lowercased() }
    let localeIndices = Dictionary(
      uniqueKeysWithValues: sortedLocales.enumerated().map { ($1.identifier, $0) }
    )
    let sortedCurrencies = currencies.values.sorted { $0.code < $1.code }
    let currencyIndices = Dictionary(
      uniqueKeysWithValues: sortedCurrencies.enumerated().map { ($1.code, $0) }
    )

    let versions = Versions.current
    // Which symbols are unambiguous depends on the date. Packs without them are the same on every date.
    let dates = styles.contains { $0.style.width == .unambiguous } ? [("date", "\(date)")] : []
    let form = styles.first { $0.style.isWebForm }.map { [("writtenAs", "\($0.style.writtenAs)")] } ?? []
    for (name, version) in [("cldr", versions.cldr)] + dates + [
      ("icu", versions.icu), ("license", "Unicode-3.0"), ("pricetag", versions.priceTag),
      ("registry", revision), ("unicode", versions.unicode),
    ] + form {
      encoder.append(text: name, to: .metadata)
      encoder.append(text: version, to: .metadata)
    }
    for locale in sortedLocales { encoder.append(locale: locale.identifier) }
    for currency in sortedCurrencies { encoder.append(currency) }
    for index in styles.indices { encoder.append(styles[index], spoken: spokenStyle(of: index)) }
    for entry in storefronts.values.sorted(by: { $0.storefront.id < $1.storefront.id }) {
      encoder.append(
        entry.storefront,
        periodCount: entry.periods.count,
        locale: localeIndices[entry.storefront.priceLocale.identifier] ?? 0
      )
      for period in entry.periods {
        encoder.append(
          period: period.firstDay,
          period.lastDay,
          currency: currencyIndices[period.currency.code] ?? 0,
          isCustom: period.currency.kind == .custom
        )
        for formatter in period.formatters {
          encoder.append(index: formatter.map { order.places[$0] }, to: .periodFormatters)
        }
      }
    }
    var rows: [[Int?]: Int] = [:]
    for locale in sortedLocales {
      for style in styles.indices {
        let found = grid[locale.identifier]?[style]
        let row = found.map { found in
          let formatters = sortedCurrencies.map { found[$0.code].map { order.places[$0] } }
          if let row = rows[formatters] { return row }
          rows[formatters] = rows.count
          for formatter in formatters { encoder.append(index: formatter, to: .rows) }
          return rows.count - 1
        }
        encoder.append(index: row, to: .localeRows)
      }
    }
    for (place, index) in order.sorted.enumerated() {
      let spoken = formatters[index].spoken
        .flatMap { formatterIndices[FormatterKey(contents: $0, spoken: $0, names: formatters[index].names)] }
        .map { order.places[$0] - place }
      let names = formatters[index].names
      switch formatters[index].contents {
      case .pattern(let pattern):
        encoder.append(
          formatter: place,
          pattern: places.offsets[pattern],
          distanceToSpoken: spoken,
          names: names
        )
      case .family(let minimumDigits, let maximumDigits, let hasZero, let patterns):
        let members =
          patterns
          .compactMap { formatterIndices[FormatterKey(contents: .pattern($0), spoken: nil)] }
          .map { order.places[$0] - place }
        encoder.append(
          formatter: place,
          digits: minimumDigits...maximumDigits,
          hasZero: hasZero,
          members: members,
          distanceToSpoken: spoken,
          names: names
        )
      }
    }
    for pattern in places.sorted { encoder.append(pattern: pattern) }
    return encoder.bytes(phrases: phrases)
  }

  /// Returns the formatters in the order of their patterns, and the place of each in this order.
  private func formatterOrder(_ patterns: PatternPlaces) -> (sorted: [Int], places: [Int]) {
    let keys = formatters.map { formatter in
      key(of: formatter.contents, patterns) + (formatter.spoken.map { key(of: $0, patterns) } ?? [])
        + [Int.min] + formatter.names.map { Int($0) }
    }
    let sorted = formatters.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    var places = Array(repeating: 0, count: formatters.count)
    for (place, index) in sorted.enumerated() { places[index] = place }
    return (sorted, places)
  }

  /// Returns numbers that order contents: patterns by place, and families after them.
  private func key(of contents: Contents, _ places: PatternPlaces) -> [Int] {
    switch contents {
    case .pattern(let pattern): [PackBytes.patternFormatter, places.offsets[pattern]]
    case .family(let minimumDigits, let maximumDigits, let hasZero, let patterns):
      [PackBytes.familyFormatter, minimumDigits, maximumDigits, hasZero ? 1 : 0]
        + patterns.map { places.offsets[$0] }
    }
  }

  /// The patterns in the order of the pack.
  private struct PatternPlaces {
    /// The patterns, sorted so that similar ones are close and the order does not depend on the input's.
    let sorted: [[UInt8]]
    /// The offset of each pattern, in the order of the input.
    let offsets: [Int]

    init(_ patterns: [[UInt8]]) {
      let order = patterns.indices.sorted { patterns[$0].lexicographicallyPrecedes(patterns[$1]) }
      var offsets = Array(repeating: 0, count: patterns.count)
      var end = 0
      for index in order {
        offsets[index] = end
        end += patterns[index].count
      }
      sorted = order.map { patterns[$0] }
      self.offsets = offsets
    }
  }
}

extension PatternBytes {
  /// The bytes of the record.
  var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: start, count: start.uint16(at: Field.size)))
  }
}

/// Writes a pack: a file of compiled patterns, which the kernel reads without ICU.
///
///     var writer = PackWriter(styles: [PriceStyle()], on: .today)
///     for storefront in LocaleData.embedded.storefronts { writer.add(storefront) }
///     let bytes = writer.bytes(revision: try LocaleData.embedded.revision())
///
/// The same input gives the same bytes. docs/pack-format.md describes the layout.
package struct PackWriter {
  /// A combination that the pack does not contain, because no pattern reproduces ICU's output.
  package struct Omission: Sendable {
    /// The price locale.
    package let locale: PriceLocale
    /// The currency.
    package let currency: Currency
    /// The style.
    package let style: PriceStyle
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
  }

  private struct StorefrontEntry {
    let storefront: Storefront
    let periods: [(period: Storefront.CurrencyPeriod, formatters: [Int?])]
  }

  /// The combinations that the pack does not contain.
  package private(set) var omissions: [Omission] = []

  /// The number of different formatters.
  package var formatterCount: Int { formatters.count }

  private let styles: [PriceStyle]
  private let date: CalendarDate
  private var patterns: [[UInt8]] = []
  private var patternIndices: [[UInt8]: Int] = [:]
  private var formatters: [FormatterKey] = []
  private var formatterIndices: [FormatterKey: Int] = [:]
  private var storefronts: [StorefrontEntry] = []
  private var locales: [String: PriceLocale] = [:]
  private var currencies: [String: Currency] = [:]
  /// The formatter of each locale, style and currency.
  private var grid: [String: [[String: Int]]] = [:]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - styles: The styles. Their rounding modes have no effect: the program that formats a price names the mode.
  ///   - includesSpoken: Whether the pack also has the spoken form of each style.
  ///   - date: The date that decides which symbols are ambiguous.
  package init(styles: [PriceStyle], includesSpoken: Bool = true, on date: CalendarDate) {
    var all: [PriceStyle] = []
    for style in includesSpoken ? styles + styles.map(\.spoken) : styles {
      var style = style
      style.rounding = .exact
      if !all.contains(style) { all.append(style) }
    }
    self.styles = all
    self.date = date
  }

  /// Adds the formatters of a storefront, for each of its currencies.
  package mutating func add(_ storefront: Storefront) {
    let locale = storefront.priceLocale
    locales[locale.identifier] = locale
    let periods = storefront.currencyPeriods.map { period in
      currencies[period.currency.code] = period.currency
      let override = storefront.override(for: period.currency)
      return (period, allFormatters(locale, period.currency, override))
    }
    storefronts.append(StorefrontEntry(storefront: storefront, periods: periods))
  }

  /// Adds the formatters of a price locale for currencies.
  package mutating func add(_ locale: PriceLocale, _ added: [Currency]) {
    locales[locale.identifier] = locale
    for currency in added {
      currencies[currency.code] = currency
      let found = allFormatters(locale, currency, currency.record.override)
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
    _ override: CurrencyOverride?
  ) -> [Int?] {
    var found: [Contents?] = []
    for style in styles { found.append(contents(locale, currency, style, override)) }
    return styles.indices.map { index in
      guard let contents = found[index] else { return nil }
      if case .family(_, _, _, let members) = contents {
        for member in members { _ = formatter(FormatterKey(contents: .pattern(member), spoken: nil)) }
      }
      let spoken = spokenStyle(of: index).flatMap { found[$0] }
      return formatter(FormatterKey(contents: contents, spoken: spoken))
    }
  }

  /// Returns the index of the style of the spoken form; `nil` if the pack does not have it.
  private func spokenStyle(of index: Int) -> Int? {
    styles[index].isSpoken ? index : styles.firstIndex(of: styles[index].spoken)
  }

  private mutating func contents(
    _ locale: PriceLocale,
    _ currency: Currency,
    _ style: PriceStyle,
    _ override: CurrencyOverride?
  ) -> Contents? {
    let compiled = try? PriceFormatter.Compiled(
      FormatterSpecification(
        locale: locale,
        currency: currency,
        style: style,
        override: override,
        date: date
      )
    )
    guard let compiled, let contents = contents(of: compiled) else {
      omissions.append(Omission(locale: locale, currency: currency, style: style))
      return nil
    }
    return contents
  }

  private mutating func contents(of compiled: PriceFormatter.Compiled) -> Contents? {
    guard let family = compiled.family else { return pattern(of: compiled).map(Contents.pattern) }
    guard let (digits, hasZero, members) = try? family.allMembers() else { return nil }
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
  /// - Parameter revision: The revision of the registry of storefronts and currencies.
  package func bytes(revision: String) -> [UInt8] {
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
    for (name, version) in [
      ("cldr", versions.cldr), ("icu", versions.icu), ("license", "Unicode-3.0"),
      ("pricetag", versions.priceTag), ("registry", revision), ("unicode", versions.unicode),
    ] {
      encoder.append(text: name, to: .metadata)
      encoder.append(text: version, to: .metadata)
    }
    for locale in sortedLocales { encoder.append(locale: locale.identifier) }
    for currency in sortedCurrencies { encoder.append(currency) }
    for index in styles.indices { encoder.append(styles[index], spoken: spokenStyle(of: index)) }
    for entry in storefronts.sorted(by: { $0.storefront.id < $1.storefront.id }) {
      encoder.append(
        entry.storefront,
        periodCount: entry.periods.count,
        locale: localeIndices[entry.storefront.priceLocale.identifier] ?? 0
      )
      for (period, found) in entry.periods {
        encoder.append(period, currency: currencyIndices[period.currency.code] ?? 0)
        for formatter in found {
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
        .flatMap { formatterIndices[FormatterKey(contents: $0, spoken: $0)] }
        .map { order.places[$0] - place }
      switch formatters[index].contents {
      case .pattern(let pattern):
        encoder.append(formatter: place, pattern: places.offsets[pattern], distanceToSpoken: spoken)
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
          distanceToSpoken: spoken
        )
      }
    }
    for pattern in places.sorted { encoder.append(pattern: pattern) }
    return encoder.bytes()
  }

  /// Returns the formatters in the order of their patterns, and the place of each in this order.
  private func formatterOrder(_ patterns: PatternPlaces) -> (sorted: [Int], places: [Int]) {
    let keys = formatters.map { formatter in
      key(of: formatter.contents, patterns) + (formatter.spoken.map { key(of: $0, patterns) } ?? [])
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

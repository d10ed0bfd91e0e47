import PriceTag

/// The contents of a pack, by name.
struct PackIndex {
  let pack: Pack
  let storefronts: [Pack.StorefrontContents]
  let styles: [Pack.StyleContents]
  let currencies: [Pack.CurrencyContents]
  let storefrontIndices: [String: Int]
  let styleIndices: [Pack.StyleContents: Int]
  let currencyIndices: [String: Int]
  let localeIndices: [String: Int]

  /// - Throws: `.invalidPack` for contents that this version of PriceTag does not have.
  init(_ pack: Pack) throws(PriceTagError) {
    self.pack = pack
    (storefronts, styles) = (try pack.storefrontContents, try pack.styles)
    currencies = pack.currencyContents
    storefrontIndices = indices(of: storefronts.map(\.id))
    styleIndices = indices(of: styles)
    currencyIndices = indices(of: currencies.map(\.code))
    localeIndices = indices(of: pack.locales)
  }
}

/// Returns the index of each key, the first one if a key appears twice.
func indices<Key: Hashable>(of keys: [Key]) -> [Key: Int] {
  Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
}

extension Pack {
  /// Returns whether the pack has a locale not only for storefronts.
  func hasRow(locale: Int) -> Bool {
    (0..<styleCount).contains { rowIndex(ofLocale: locale, style: $0) != nil }
  }
}

/// Numbers the formatters of two packs, so that formatters with equal contents have the same number.
struct FormatterNumbers {
  /// The contents of a formatter, with a number for each pattern.
  private struct Key: Hashable {
    let family: [Int]
    let patterns: [Int]
  }

  private var patterns: [[UInt8]: Int] = [:]
  private var formatters: [Key: Int] = [:]

  /// Returns the number of each formatter of a pack, by its index.
  mutating func numbers(of pack: Pack) -> [Int] {
    // Formatters may share a pattern, which is read once.
    var numbersByOffset: [Int: Int] = [:]
    return (0..<pack.formatterCount).map { index in
      let contents = pack.contents(ofFormatter: index)
      let numbers = contents.patterns.map { offset in
        if let number = numbersByOffset[offset] { return number }
        let bytes = pack.patternBytes(at: offset)
        let number = patterns[bytes] ?? patterns.count
        patterns[bytes] = number
        numbersByOffset[offset] = number
        return number
      }
      let key = Key(family: contents.family, patterns: numbers)
      let number = formatters[key] ?? formatters.count
      formatters[key] = number
      return number
    }
  }
}

import PriceTag
import Synchronization

/// The codes, symbols, and names of currencies in a price locale.
///
/// It is needed only for a display that does not name the expected currency, so each table is built on first use.
final class CurrencySymbols: Sendable {
  private typealias Table = [String: Set<Currency>]

  private let locale: PriceLocale
  private let currencies: [Currency]
  private let codes: Table
  /// The tables by width; without one, that of the symbols used internationally.
  private let tables = Mutex<[PriceStyle.Width?: Table]>([:])
  /// The order of the tables: the standard symbols, which are unambiguous in the locale; the narrow symbols, which
  /// currencies may share; the full names; symbols such as `US$` that are understood internationally, for locales without
  /// their own; CLDR's other symbols, such as `TL` of the Turkish lira.
  private static let order: [PriceStyle.Width?] = [.standard, .narrow, .name, nil, .variant, .formal]

  private let compactWords = Mutex<Set<String>?>(nil)

  init(locale: PriceLocale, currencies: [Currency]) {
    (self.locale, self.currencies) = (locale, currencies)
    codes = Dictionary(currencies.map { (foldedSymbol($0.code), [$0]) }) { first, _ in first }
  }

  /// Returns the currencies that a symbol, code, or name identifies, or else those that have it as their narrow symbol.
  func currencies(of symbols: (prefix: String, suffix: String)) -> Set<Currency> {
    let joined = currencies(of: symbols.prefix + symbols.suffix)
    if !joined.isEmpty || symbols.prefix.isEmpty || symbols.suffix.isEmpty { return joined }
    // "$4.99 USD" names its currency twice, and each symbol may be ambiguous.
    let (one, other) = (foldedSymbol(symbols.prefix), foldedSymbol(symbols.suffix))
    return allCurrencies(of: one).intersection(allCurrencies(of: other))
  }

  private func currencies(of symbol: String) -> Set<Currency> {
    let symbol = foldedSymbol(symbol)
    if let currency = codes[symbol] { return currency }
    return tables.withLock { tables in
      for width in Self.order {
        if let found = table(width, &tables)[symbol] { return found }
      }
      return []
    }
  }

  private func allCurrencies(of symbol: String) -> Set<Currency> {
    tables.withLock { tables in
      [PriceStyle.Width.standard, .narrow].reduce(codes[symbol] ?? []) {
        $0.union(table($1, &tables)[symbol] ?? [])
      }
    }
  }

  /// Returns whether text beside a number is a word of compact notation in the locale, such as "K" or "million".
  func isCompactWord(_ text: String) -> Bool {
    compactWords.withLock { words in
      let known = words ?? Self.compactWords(in: locale, currencies.first)
      words = known
      return known.contains(foldedSymbol(text))
    }
  }

  private static func compactWords(in locale: PriceLocale, _ currency: Currency?) -> Set<String> {
    guard let currency else { return [] }
    var words: Set<String> = []
    for notation in [PriceStyle.Notation.compactShort, .compactLong] {
      for width in [PriceStyle.Width.standard, .name] {
        let style = PriceStyle(width: width, notation: notation)
        guard let formatter = formatter(locale, currency, style) else { continue }
        for mantissa in ["1", "2", "3", "5", "1.1", "11", "21"] as [Amount] {
          var amount = mantissa
          for _ in 0..<15 {
            guard let next = try? amount * 10 else { break }
            amount = next
            let parts = (try? formatter.format(amount))?.parts ?? []
            words.formUnion(parts.filter { $0.type == .compact }.map { foldedSymbol($0.value) })
          }
        }
      }
    }
    return words
  }

  // MARK: Tables

  private static func formatter(
    _ locale: PriceLocale,
    _ currency: Currency,
    _ style: PriceStyle
  ) -> PriceFormatter? {
    try? PriceFormatter(locale: locale, currency: currency, style: style, compilesPattern: false)
  }

  /// Returns a table, which is filled on first use.
  private func table(_ width: PriceStyle.Width?, _ tables: inout [PriceStyle.Width?: Table]) -> Table {
    if let table = tables[width] { return table }
    let amounts = width == .name ? amountsOfEachPlural : ["1"]
    let locale = width == nil ? (try? PriceLocale("en-GB")) ?? self.locale : self.locale
    var filled: Table = [:]
    for currency in currencies {
      // Without trailing zeros an integer has its own plural form: "1 US dollar", not "1.00 US dollars".
      let style = PriceStyle(width: width ?? .standard, zeros: .trim, rounding: .halfEven)
      guard let formatter = Self.formatter(locale, currency, style) else { continue }
      for amount in amounts {
        // These amounts have no separators, so no notation is needed.
        guard let text = try? formatter.string(for: amount),
          let symbol = try? ParsedDisplay(text, nil).foldedSymbol, !symbol.isEmpty
        else { continue }
        filled[symbol, default: []].insert(currency)
      }
    }
    tables[width] = filled
    return filled
  }

  /// One amount for each plural category of the locale's language.
  private var amountsOfEachPlural: [Amount] {
    guard let rules = PluralRules(icuLocale: locale.identifier.replacing("-", with: "_")) else {
      return PriceNotation.amountsOfAllPlurals
    }
    var seen: Set<PluralRules.Category> = []
    return PriceNotation.amountsOfAllPlurals.filter {
      seen.insert(rules.category(for: .init($0, fractionDigits: $0.scale))).inserted
    }
  }
}

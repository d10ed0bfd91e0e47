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
  /// The standard symbols, which are unambiguous in the locale; the narrow symbols, which currencies may share; the full
  /// names; the symbols used internationally; CLDR's other symbols, such as `TL` of the Turkish lira.
  private let tables = Mutex<
    (standard: Table?, narrow: Table?, names: Table?, international: Table?, variants: Table?, formal: Table?)
  >(
    (nil, nil, nil, nil, nil, nil)
  )

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
      if let standard = standard(&tables.standard)[symbol] { return standard }
      if let narrow = narrow(&tables.narrow)[symbol] { return narrow }
      if let named = names(&tables.names)[symbol] { return named }
      if let used = international(&tables.international)[symbol] { return used }
      return variants(&tables.variants)[symbol] ?? formal(&tables.formal)[symbol] ?? []
    }
  }

  private func allCurrencies(of symbol: String) -> Set<Currency> {
    let codes = codes[symbol] ?? []
    return tables.withLock { tables in
      codes.union(standard(&tables.standard)[symbol] ?? []).union(narrow(&tables.narrow)[symbol] ?? [])
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
        guard
          let formatter = try? PriceFormatter(
            locale: locale,
            currency: currency,
            style: style,
            compilesPattern: false
          )
        else { continue }
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

  private func standard(_ table: inout Table?) -> Table { filled(&table, .standard, ["1"]) }
  private func narrow(_ table: inout Table?) -> Table { filled(&table, .narrow, ["1"]) }
  private func variants(_ table: inout Table?) -> Table { filled(&table, .variant, ["1"]) }
  private func formal(_ table: inout Table?) -> Table { filled(&table, .formal, ["1"]) }
  private func names(_ table: inout Table?) -> Table { filled(&table, .name, amountsOfEachPlural) }

  /// Symbols such as `US$` that are understood internationally, for locales without their own.
  private func international(_ table: inout Table?) -> Table {
    let british = try? PriceLocale("en-GB")
    return filled(&table, .standard, ["1"], in: british ?? locale)
  }

  /// Returns a table, which is filled on first use.
  private func filled(
    _ table: inout Table?,
    _ width: PriceStyle.Width,
    _ amounts: [Amount],
    in other: PriceLocale? = nil
  ) -> Table {
    if let table { return table }
    var filled: Table = [:]
    for currency in currencies {
      // Without trailing zeros an integer has its own plural form: "1 US dollar", not "1.00 US dollars".
      let style = PriceStyle(width: width, zeros: .trim, rounding: .halfEven)
      guard
        let formatter = try? PriceFormatter(
          locale: other ?? locale,
          currency: currency,
          style: style,
          compilesPattern: false
        )
      else { continue }
      for amount in amounts {
        // These amounts have no separators, so no notation is needed.
        guard let text = try? formatter.string(for: amount),
          let symbol = try? ParsedDisplay(text, nil).foldedSymbol, !symbol.isEmpty
        else { continue }
        filled[symbol, default: []].insert(currency)
      }
    }
    table = filled
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

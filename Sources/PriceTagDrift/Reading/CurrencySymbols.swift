import PriceTag
import Synchronization

/// What currencies are called in a price locale: by codes, symbols and names.
///
/// Looked up when a display names another currency than the one that was expected; each table is made when the ones
/// before it do not answer, and then kept.
final class CurrencySymbols: Sendable {
  private typealias Table = [String: Set<Currency>]

  private let locale: PriceLocale
  private let currencies: [Currency]
  private let codes: Table
  /// The symbols that are clear in the locale; the short ones, which several currencies may have; the names.
  private let tables = Mutex<(clear: Table?, narrow: Table?, names: Table?, international: Table?)>(
    (nil, nil, nil, nil)
  )

  init(locale: PriceLocale, currencies: [Currency]) {
    (self.locale, self.currencies) = (locale, currencies)
    codes = Dictionary(currencies.map { (foldedSymbol($0.code), [$0]) }) { first, _ in first }
  }

  /// The currencies that a symbol, code or name stands for: those that it is clear for, or else those that have it as
  /// their short one.
  func currencies(of symbols: (before: String, behind: String)) -> Set<Currency> {
    let whole = currencies(of: symbols.before + symbols.behind)
    if !whole.isEmpty || symbols.before.isEmpty || symbols.behind.isEmpty { return whole }
    // "$4.99 USD" says it twice: each of both may be short.
    let (one, other) = (foldedSymbol(symbols.before), foldedSymbol(symbols.behind))
    return allCurrencies(of: one).intersection(allCurrencies(of: other))
  }

  private func currencies(of symbol: String) -> Set<Currency> {
    let symbol = foldedSymbol(symbol)
    if let known = codes[symbol] { return known }
    return tables.withLock { tables in
      if let clear = clear(&tables.clear)[symbol] { return clear }
      if let narrow = narrow(&tables.narrow)[symbol] { return narrow }
      if let named = names(&tables.names)[symbol] { return named }
      return international(&tables.international)[symbol] ?? []
    }
  }

  private func allCurrencies(of symbol: String) -> Set<Currency> {
    let codes = codes[symbol] ?? []
    return tables.withLock { tables in
      codes.union(clear(&tables.clear)[symbol] ?? []).union(narrow(&tables.narrow)[symbol] ?? [])
    }
  }

  // MARK: Tables

  private func clear(_ table: inout Table?) -> Table { made(&table, .standard, ["1"]) }
  private func narrow(_ table: inout Table?) -> Table { made(&table, .narrow, ["1"]) }
  private func names(_ table: inout Table?) -> Table { made(&table, .name, plurals) }

  /// What is written around the world, such as `US$`: looked up where the locale has nothing of the kind.
  private func international(_ table: inout Table?) -> Table {
    let british = try? PriceLocale("en-GB")
    return made(&table, .standard, ["1"], in: british ?? locale)
  }

  private func made(
    _ table: inout Table?,
    _ width: PriceStyle.Width,
    _ amounts: [Amount],
    in other: PriceLocale? = nil
  ) -> Table {
    if let table { return table }
    var made: Table = [:]
    for currency in currencies {
      // Whole amounts have both plurals that "1 US dollar" and "1.00 US dollars" take.
      let style = PriceStyle(width: width, zeros: .trim, rounding: .halfEven)
      guard
        let formatter = try? PriceFormatter(
          locale: other ?? locale,
          currency: currency,
          style: style,
          isStamped: false
        )
      else { continue }
      for amount in amounts {
        // Without separators there is nothing of a notation to know.
        guard let text = try? formatter.string(for: amount),
          let symbol = try? DisplayAnatomy(text, nil).symbol, !symbol.isEmpty
        else { continue }
        made[symbol, default: []].insert(currency)
      }
    }
    table = made
    return made
  }

  /// An amount for each plural form of the locale's language.
  private var plurals: [Amount] {
    guard let rules = PluralRules(icuLocale: locale.identifier.replacing("-", with: "_")) else {
      return PriceNotation.plurals
    }
    var seen: Set<PluralRules.Category> = []
    return PriceNotation.plurals.filter {
      seen.insert(rules.category(for: .init($0, fractionDigits: $0.scale))).inserted
    }
  }
}

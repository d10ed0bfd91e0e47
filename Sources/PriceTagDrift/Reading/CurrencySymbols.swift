import PriceTag
import Synchronization

/// What the currencies are called in a price locale: by symbols, codes and names.
///
/// Made when a display names another currency than the one that was expected, and then kept.
final class CurrencySymbols: Sendable {
  private let locale: PriceLocale
  private let currencies: [Currency]
  private let tables = Mutex<Tables?>(nil)

  private struct Tables {
    /// Symbols that are clear in the locale, codes and names.
    var clear: [String: Set<Currency>] = [:]
    /// Short symbols, which several currencies may have.
    var narrow: [String: Set<Currency>] = [:]
  }

  init(locale: PriceLocale, currencies: [Currency]) {
    (self.locale, self.currencies) = (locale, currencies)
  }

  /// The currencies that a symbol, code or name stands for: those that it is clear for, or else those that have it as
  /// their short one.
  func currencies(of symbols: (before: String, behind: String)) -> Set<Currency> {
    let whole = currencies(of: symbols.before + symbols.behind)
    if !whole.isEmpty || symbols.before.isEmpty || symbols.behind.isEmpty { return whole }
    // "$4.99 USD" says it twice.
    return currencies(of: symbols.before, clearOnly: false)
      .intersection(currencies(of: symbols.behind, clearOnly: false))
  }

  func currencies(of symbol: String, clearOnly: Bool = true) -> Set<Currency> {
    let symbol = foldedSymbol(symbol)
    return tables.withLock { tables in
      let known = tables ?? makeTables()
      tables = known
      let (clear, narrow) = (known.clear[symbol] ?? [], known.narrow[symbol] ?? [])
      if clearOnly { return clear.isEmpty ? narrow : clear }
      return clear.union(narrow)
    }
  }

  /// Amounts whose names take each of the plural forms that a language has.
  private static let plurals: [Amount] = ["0", "1", "2", "3", "5", "6", "11", "20", "1000000", "1.5", "2.25"]

  private func makeTables() -> Tables {
    var tables = Tables()
    for currency in currencies {
      for width in PriceStyle.Width.allCases {
        let style = PriceStyle(width: width, rounding: .halfEven)
        guard
          let formatter = try? PriceFormatter(
            locale: locale,
            currency: currency,
            style: style,
            isStamped: false
          )
        else { continue }
        let notation = PriceNotation(formatter)
        for amount in width == .name ? Self.plurals : ["1"] {
          guard let text = try? formatter.string(for: amount),
            let anatomy = try? DisplayAnatomy(text, notation)
          else { continue }
          if width == .narrow {
            tables.narrow[anatomy.symbol, default: []].insert(currency)
          } else {
            tables.clear[anatomy.symbol, default: []].insert(currency)
          }
        }
      }
      tables.clear[foldedSymbol(currency.code), default: []].insert(currency)
    }
    return tables
  }
}

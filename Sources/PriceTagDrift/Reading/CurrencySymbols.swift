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

  private func makeTables() -> Tables {
    var tables = Tables()
    let plurals = plurals
    for currency in currencies {
      // The width of codes needs no formatter, and whole amounts have both plurals that "1 US dollar" and "1.00 US
      // dollars" take.
      tables.clear[foldedSymbol(currency.code), default: []].insert(currency)
      for width in [PriceStyle.Width.standard, .narrow, .name] {
        let style = PriceStyle(width: width, zeros: .trim, rounding: .halfEven)
        guard
          let formatter = try? PriceFormatter(
            locale: locale,
            currency: currency,
            style: style,
            isStamped: false
          )
        else { continue }
        for amount in width == .name ? plurals : ["1"] {
          // Without separators there is nothing of a notation to know.
          guard let text = try? formatter.string(for: amount),
            let symbol = try? DisplayAnatomy(text, nil).symbol, !symbol.isEmpty
          else { continue }
          if width == .narrow {
            tables.narrow[symbol, default: []].insert(currency)
          } else {
            tables.clear[symbol, default: []].insert(currency)
          }
        }
      }
    }
    return tables
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

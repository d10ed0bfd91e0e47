import PriceTag
import Synchronization

/// Readers of many formatters' prices: those of locales with the same data share what currencies are called there.
package final class PriceReaders: Sendable {
  private let currencies: [Currency]
  /// By the locale whose data is used.
  private let symbols = Mutex<[String: CurrencySymbols]>([:])

  /// - Parameter currencies: The currencies that displays may name, besides each formatter's own.
  package init(_ currencies: [Currency]) {
    self.currencies = currencies
  }

  /// Readers of displays that may name any currency of today.
  convenience init(in localeData: LocaleData) {
    self.init(localeData.currencies.filter { $0.lastDay == nil })
  }

  /// A reader of a formatter's prices.
  package func reader(_ formatter: PriceFormatter) -> PriceReader {
    guard currencies.contains(formatter.currency) else {
      return PriceReader(
        formatter,
        CurrencySymbols(locale: formatter.locale, currencies: currencies + [formatter.currency])
      )
    }
    return PriceReader(formatter, symbols(in: formatter.locale))
  }

  /// The currencies that the symbol, code or name of a display stands for in a locale: those that it is clear for, or
  /// else those that have it as their short one.
  package func currenciesNamed(by text: String, in locale: PriceLocale) throws(DriftError) -> Set<Currency> {
    symbols(in: locale).currencies(of: try DisplayAnatomy(text, nil).symbols)
  }

  private func symbols(in locale: PriceLocale) -> CurrencySymbols {
    symbols.withLock { symbols in
      if let known = symbols[locale.dataLocale] { return known }
      let made = CurrencySymbols(locale: locale, currencies: currencies)
      symbols[locale.dataLocale] = made
      return made
    }
  }
}

import PriceTag
import Synchronization

/// Creates price readers, which share the currency symbols of locales with the same data.
package final class PriceReaders: Sendable {
  private let currencies: [Currency]
  /// The maximum number of locales whose symbols are stored.
  private static let maximumLocaleCount = 256
  /// The symbols by data locale.
  private let symbols = Mutex<[String: CurrencySymbols]>([:])

  /// - Parameter currencies: The currencies that displays may name besides each formatter's own.
  package init(_ currencies: [Currency]) {
    self.currencies = currencies
  }

  /// Creates readers of displays that may name any current currency.
  package convenience init(in localeData: LocaleData) {
    self.init(localeData.currencies.filter { $0.lastDay == nil })
  }

  /// Returns a reader of a formatter's prices.
  package func reader(_ formatter: PriceFormatter) -> PriceReader {
    guard currencies.contains(formatter.currency) else {
      return PriceReader(
        formatter,
        CurrencySymbols(locale: formatter.locale, currencies: currencies + [formatter.currency])
      )
    }
    return PriceReader(formatter, symbols(in: formatter.locale))
  }

  /// Returns the currencies that the symbol, code, or name of a display identifies in a locale, or else those that have
  /// it as their narrow symbol.
  package func currenciesNamed(by text: String, in locale: PriceLocale) throws(ReadingError) -> Set<Currency>
  {
    symbols(in: locale).currencies(of: try ParsedDisplay(text, nil).symbols)
  }

  private func symbols(in locale: PriceLocale) -> CurrencySymbols {
    symbols.withLock { symbols in
      if let cached = symbols[locale.dataLocale] { return cached }
      let new = CurrencySymbols(locale: locale, currencies: currencies)
      if symbols.count == Self.maximumLocaleCount { symbols = [:] }
      symbols[locale.dataLocale] = new
      return new
    }
  }
}

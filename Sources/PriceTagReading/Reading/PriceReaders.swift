import PriceTag
import Synchronization

/// Creates price readers, which share the currency symbols of locales with the same data.
package final class PriceReaders: Sendable {
  private let currencies: [Currency]
  /// The maximum number of locales whose symbols are stored.
  private static let maximumLocaleCount = 256
  /// The symbols by data locale, and by the currency that is added to the others.
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
    let isListed = currencies.contains(formatter.currency)
    return PriceReader(formatter, symbols(in: formatter.locale, adding: isListed ? nil : formatter.currency))
  }

  /// Returns the currencies that the symbol, code, or name of a display identifies in a locale, or else those that have
  /// it as their narrow symbol.
  package func currenciesNamed(by text: String, in locale: PriceLocale) throws(ReadingError) -> Set<Currency>
  {
    symbols(in: locale).currencies(of: try ParsedDisplay(text, nil).symbols)
  }

  private func symbols(in locale: PriceLocale, adding added: Currency? = nil) -> CurrencySymbols {
    let key = added.map { "\(locale.dataLocale) \($0.code)" } ?? locale.dataLocale
    let all = currencies + [added].compactMap(\.self)
    return symbols.withLock { symbols in
      if let cached = symbols[key] { return cached }
      let new = CurrencySymbols(locale: locale, currencies: all)
      if symbols.count == Self.maximumLocaleCount { symbols = [:] }
      symbols[key] = new
      return new
    }
  }
}

import CICU
import Synchronization

/// The narrow symbols of all currencies in one locale: `$` for USD, CAD and others in `en-US`.
///
/// The width `unambiguous` needs them. They take about as long to look up as a few formatters take to compile, so they
/// are stored for each locale.
final class NarrowSymbols: Sendable {
  private static let stored = Mutex<[String: NarrowSymbols]>([:])
  private static let maximumLocaleCount = 64

  private let currencies: [String: [Currency]]

  private init(_ icuLocale: String) {
    var currencies: [String: [Currency]] = [:]
    for currency in LocaleData.embedded.currencies {
      guard let symbol = Self.symbol(of: currency, isNarrow: true, icuLocale) else { continue }
      currencies[symbol, default: []].append(currency)
    }
    self.currencies = currencies
  }

  /// Returns the symbols in a locale.
  static func symbols(icuLocale: String) -> NarrowSymbols {
    if let symbols = stored.withLock({ $0[icuLocale] }) { return symbols }
    let symbols = NarrowSymbols(icuLocale)
    stored.withLock { stored in
      // Locales that are used often are soon stored again.
      if stored.count >= maximumLocaleCount { stored.removeAll(keepingCapacity: true) }
      stored[icuLocale] = symbols
    }
    return symbols
  }

  /// Returns whether a symbol is the narrow symbol of another currency that is current on a date.
  func isShared(_ symbol: String, by currency: Currency, on date: CalendarDate) -> Bool {
    currencies[symbol]?.contains { $0 != currency && $0.isCurrent(on: date) } ?? false
  }

  /// Returns CLDR's symbol of a currency, or its code if CLDR has no symbol; `nil` if ICU fails.
  static func symbol(of currency: Currency, isNarrow: Bool, _ icuLocale: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 96) { buffer in
      guard let start = buffer.baseAddress,
        cicu_currency_symbol(icuLocale, currency.code, isNarrow, start, Int32(buffer.count))
      else { return nil }
      return String(cString: start)
    }
  }
}

import CICU
import Synchronization

/// The narrow symbols of all currencies in one locale: `$` for USD, CAD and others in `en-US`.
///
/// The width `unambiguous` needs them. They take about as long to look up as a few formatters take to compile, so they
/// are stored for each locale.
final class NarrowSymbols: Sendable {
  /// A currency that may share its symbol with others. It is not a `Currency`, which would refer to its registry, and
  /// with it to this one.
  struct Candidate: Sendable {
    let code: String
    let firstDay: CalendarDate?
    let lastDay: CalendarDate?
    /// The narrow symbol of a custom currency; `nil` for CLDR's.
    let symbol: String?

    init(_ currency: Currency) {
      (code, firstDay, lastDay) = (currency.code, currency.firstDay, currency.lastDay)
      symbol = currency.record.custom.map { $0.narrowSymbol ?? $0.symbol }
    }

    fileprivate func isCurrent(on date: CalendarDate) -> Bool {
      (firstDay.map { $0 <= date } ?? true) && (lastDay.map { date <= $0 } ?? true)
    }
  }

  /// The currencies of a registry, with their narrow symbols in the locales that were used.
  final class Registry: Sendable {
    /// The currencies of the embedded data.
    static let embedded = Registry()

    private static let maximumLocaleCount = 64
    private let candidates = SetOnce<Box<[Candidate]>>()
    private let stored = Mutex<[String: NarrowSymbols]>([:])

    /// Sets the currencies, once, after all of them were read. Until then they are those of the embedded data.
    func setCurrencies(_ currencies: [Currency]) {
      _ = candidates.storeIfNil(Box(currencies.map(Candidate.init)))
    }

    /// Returns the symbols in a locale.
    func symbols(icuLocale: String) -> NarrowSymbols {
      if let symbols = stored.withLock({ $0[icuLocale] }) { return symbols }
      let candidates =
        candidates.load()?.value ?? LocaleData.embedded.currencies.map(Candidate.init)
      let symbols = NarrowSymbols(candidates, icuLocale)
      stored.withLock { stored in
        // Locales that are used often are soon stored again.
        if stored.count >= Self.maximumLocaleCount { stored.removeAll(keepingCapacity: true) }
        stored[icuLocale] = symbols
      }
      return symbols
    }
  }

  private let candidates: [String: [Candidate]]

  private init(_ all: [Candidate], _ icuLocale: String) {
    var candidates: [String: [Candidate]] = [:]
    for candidate in all {
      guard let symbol = candidate.symbol ?? Self.symbol(of: candidate.code, isNarrow: true, icuLocale) else {
        continue
      }
      candidates[symbol, default: []].append(candidate)
    }
    self.candidates = candidates
  }

  /// Returns whether a symbol is the narrow symbol of another currency that is current on a date.
  func isShared(_ symbol: String, by currency: Currency, on date: CalendarDate) -> Bool {
    candidates[symbol]?.contains { $0.code != currency.code && $0.isCurrent(on: date) } ?? false
  }

  /// Returns the standard symbol of a currency, or its code if CLDR has no symbol; `nil` if ICU fails.
  static func standardSymbol(of currency: Currency, _ icuLocale: String) -> String? {
    currency.record.custom?.symbol ?? symbol(of: currency.code, isNarrow: false, icuLocale)
  }

  private static func symbol(of code: String, isNarrow: Bool, _ icuLocale: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 96) { buffer in
      guard let start = buffer.baseAddress,
        cicu_currency_symbol(icuLocale, code, isNarrow, start, Int32(buffer.count))
      else { return nil }
      return String(cString: start)
    }
  }
}

import PriceTag
import Synchronization

/// The formatters that requests for products of one catalog share.
///
/// Sendable notes: a lock protects the formatters, which are compiled outside it.
final class StoredFormatters: Sendable {
  struct Key: Hashable {
    let storefront: Storefront
    let locale: PriceLocale?
    /// The currency's data, because registries may have different data for one code. The formatter keeps it in memory.
    let currency: ObjectIdentifier
    let date: CalendarDate
    let style: PriceStyle
  }

  /// All storefronts with prices and unit prices, and some more. A formatter takes up to 30 KB.
  private let formatters = Mutex(BoundedCache<Key, PriceFormatter>(limit: 512))

  /// Returns the formatter of a key, which is compiled if it is not stored.
  func formatter(
    _ key: Key,
    _ compile: () throws(PriceTagError) -> PriceFormatter
  ) throws(PriceTagError) -> PriceFormatter {
    if let stored = formatters.withLock({ $0[key] }) { return stored }
    let formatter = try compile()
    formatters.withLock { $0.store(formatter, for: key) }
    return formatter
  }
}

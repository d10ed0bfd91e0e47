import PriceTag
import PriceTagCatalog
import Synchronization

/// A cache for the outlines of the stores of one snapshot.
///
/// Sendable notes: a lock protects the stored outlines. Outlines are read outside the lock.
final class OutlineCache: Sendable {
  private struct Key: Hashable {
    let storefront: String
    let date: CalendarDate
  }

  /// The stored outlines. Each of their products takes less than 50 bytes. An outline costs as much as 100 products more,
  /// because those of stores without products are bounded too.
  private let outlines = Mutex(RecentValues<Key, StoreOutline>(maximumCost: 1_000_000))

  /// Returns the outline of a storefront on a date, which is read if it is not stored.
  func outline(
    of storefront: Storefront,
    on date: CalendarDate,
    _ read: () throws(CatalogError) -> StoreOutline
  ) throws(CatalogError) -> StoreOutline {
    let key = Key(storefront: storefront.id, date: date)
    if let stored = outlines.withLock({ $0.value(for: key) }) { return stored }
    let outline = try read()
    outlines.withLock { $0.store(outline, for: key, cost: outline.products.count + 100) }
    return outline
  }
}

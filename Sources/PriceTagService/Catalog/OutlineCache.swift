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

  private struct State {
    var outlines: [Key: StoreOutline] = [:]
    var productCount = 0
  }

  private let state = Mutex(State())
  /// The maximum number of products of all stored outlines. Each takes less than 50 bytes.
  private let maximumProductCount: Int

  init(maximumProductCount: Int = 1_000_000) {
    self.maximumProductCount = maximumProductCount
  }

  /// Returns the outline of a storefront on a date, which is read if it is not stored.
  func outline(
    of storefront: Storefront,
    on date: CalendarDate,
    _ read: () throws(CatalogError) -> StoreOutline
  ) throws(CatalogError) -> StoreOutline {
    let key = Key(storefront: storefront.id, date: date)
    if let stored = state.withLock({ $0.outlines[key] }) { return stored }
    let outline = try read()
    state.withLock { state in
      // Outlines that are used often are soon stored again.
      if state.productCount + outline.products.count > maximumProductCount { state = State() }
      guard state.outlines.updateValue(outline, forKey: key) == nil else { return }
      state.productCount += outline.products.count
    }
    return outline
  }
}

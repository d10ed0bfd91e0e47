/// A cache with a maximum number of values, so that memory does not grow with the catalog.
struct BoundedCache<Key: Hashable, Value> {
  private var values: [Key: Value] = [:]
  private let limit: Int

  /// Creates a cache that is emptied when it reaches the limit. Values that are used often are soon cached again.
  init(limit: Int) {
    self.limit = limit
  }

  subscript(key: Key) -> Value? { values[key] }

  mutating func store(_ value: Value, for key: Key) {
    if values.count >= limit { values.removeAll(keepingCapacity: true) }
    values[key] = value
  }
}

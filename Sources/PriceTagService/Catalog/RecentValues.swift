/// Values by their keys, with a limit for their total cost. When the values used most recently take half of it, the others
/// are dropped.
struct RecentValues<Key: Hashable, Value> {
  private var recent: [Key: (value: Value, cost: Int)] = [:]
  private var previous: [Key: (value: Value, cost: Int)] = [:]
  private var recentCost = 0
  let maximumCost: Int

  init(maximumCost: Int) { self.maximumCost = maximumCost }

  /// The number of stored values.
  var count: Int { recent.count + previous.count }

  /// Returns a stored value, which then counts as used.
  mutating func value(for key: Key) -> Value? {
    if let stored = recent[key] { return stored.value }
    guard let stored = previous[key] else { return nil }
    store(stored.value, for: key, cost: stored.cost)
    return stored.value
  }

  /// Stores a value. It replaces that of the key.
  mutating func store(_ value: Value, for key: Key, cost: Int = 1) {
    recentCost += cost - (recent[key]?.cost ?? 0)
    if recentCost > maximumCost / 2 { (previous, recent, recentCost) = (recent, [:], cost) }
    recent[key] = (value, cost)
  }
}

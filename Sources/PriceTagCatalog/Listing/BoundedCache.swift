/// What was found before, so that it is not looked for again: so much of it that a catalogue of any size fits.
struct BoundedCache<Key: Hashable, Value> {
  private var values: [Key: Value] = [:]
  private let limit: Int

  /// A cache that forgets everything when it holds so many: what is asked for often is soon there again.
  init(limit: Int) {
    self.limit = limit
  }

  subscript(key: Key) -> Value? { values[key] }

  mutating func keep(_ value: Value, for key: Key) {
    if values.count >= limit { values.removeAll(keepingCapacity: true) }
    values[key] = value
  }
}

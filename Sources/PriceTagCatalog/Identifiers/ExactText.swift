import PriceTagSystem

/// A text as a key, which equals another only if it has the same bytes. Swift treats canonically equivalent strings as equal,
/// but they are different identifiers.
package struct ExactText: Hashable {
  private let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.text.utf8.count == other.text.utf8.count && compare(one.text, other.text) == 0
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether a text is before another in the order of their bytes, which is the order of SQLite.
  static func precedes(_ one: String, _ other: String) -> Bool {
    let order = compare(one, other)
    return order == 0 ? one.utf8.count < other.utf8.count : order < 0
  }

  /// Compares the bytes that both texts have: negative if the first is before the second, and 0 if they are equal.
  private static func compare(_ one: String, _ other: String) -> Int32 {
    var (one, other) = (one, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return 0 }
        return memcmp(first, second, min(one.count, other.count))
      }
    }
  }
}

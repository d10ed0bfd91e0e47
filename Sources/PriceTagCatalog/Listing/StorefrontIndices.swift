import PriceTag

/// Maps the identifiers of the requested storefronts to their indices.
struct StorefrontIndices {
  private let keys: [UInt64?]
  private let indices: [UInt64: Int]

  init(_ storefronts: [Storefront]) {
    keys = storefronts.map { Self.key($0.id) }
    let pairs = keys.enumerated().compactMap { index, key in key.map { ($0, index) } }
    indices = Dictionary(pairs) { first, _ in first }
  }

  /// Packs an identifier into one integer; `nil` for one of more than seven bytes.
  private static func key(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count < 8 else { return nil }
    var key = UInt64(truncatingIfNeeded: bytes.count)
    for byte in bytes { key = key << 8 | UInt64(byte) }
    return key
  }

  private static func key(_ id: String) -> UInt64? {
    var id = id
    return id.withUTF8 { key(UnsafeRawBufferPointer($0)) }
  }

  subscript(bytes: UnsafeRawBufferPointer) -> Int? { index(bytes, after: keys.count) }
  subscript(id: String) -> Int? { Self.key(id).flatMap { indices[$0] } }

  /// Returns the index of an identifier, which in a sorted list is often the one after the last index.
  func index(_ bytes: UnsafeRawBufferPointer, after last: Int) -> Int? {
    guard let key = Self.key(bytes) else { return nil }
    return last + 1 < keys.count && keys[last + 1] == key ? last + 1 : indices[key]
  }
}

import PriceTag

/// Maps the identifiers of the requested storefronts to their indices.
struct StorefrontIndices {
  private let indices: [UInt64: Int]

  init(_ storefronts: [Storefront]) {
    indices = Dictionary(storefronts.enumerated().map { (Self.key($1.id), $0) }) { first, _ in first }
  }

  /// Packs an identifier of at most seven bytes into one integer.
  private static func key(_ bytes: some Collection<UInt8>) -> UInt64 {
    var key = UInt64(truncatingIfNeeded: bytes.count)
    for byte in bytes.prefix(7) { key = key << 8 | UInt64(byte) }
    return key
  }

  private static func key(_ id: String) -> UInt64 { key(id.utf8) }

  subscript(bytes: UnsafeRawBufferPointer) -> Int? { bytes.count < 8 ? indices[Self.key(bytes)] : nil }
  subscript(id: String) -> Int? { id.utf8.count < 8 ? indices[Self.key(id)] : nil }
}

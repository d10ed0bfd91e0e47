import PriceTag

/// The number of each storefront among those that were asked for, by the bytes of its identifier.
struct StorefrontNumbers {
  private let numbers: [UInt64: Int]

  init(_ storefronts: [Storefront]) {
    numbers = Dictionary(storefronts.enumerated().map { (Self.key($1.id), $0) }) { first, _ in first }
  }

  /// A text of at most seven bytes in one number; `nil` would be one of no storefront.
  private static func key(_ bytes: some Collection<UInt8>) -> UInt64 {
    var key = UInt64(truncatingIfNeeded: bytes.count)
    for byte in bytes.prefix(7) { key = key << 8 | UInt64(byte) }
    return key
  }

  private static func key(_ id: String) -> UInt64 { key(id.utf8) }

  subscript(bytes: UnsafeRawBufferPointer) -> Int? { bytes.count < 8 ? numbers[Self.key(bytes)] : nil }
  subscript(id: String) -> Int? { id.utf8.count < 8 ? numbers[Self.key(id)] : nil }
}

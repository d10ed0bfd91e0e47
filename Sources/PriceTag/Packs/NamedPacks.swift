import PriceTagLocaleData
import PriceTagText

/// The packs that PriceTag has.
extension Pack {
  /// The names of the packs for ``init(named:)``, sorted: one for each version of CLDR.
  public static var names: [String] { ["cldr-42", "cldr-48"] }

  /// Creates a pack that PriceTag has: all storefronts of the App Store, as one version of CLDR writes their prices.
  ///
  ///     let pinned = LocaleData.embedded.pinned(to: try Pack(named: "cldr-48"))
  ///     try PriceFormatter(storefront: Storefront("HUN", in: pinned)).string(for: "1234")   // "1234 Ft"
  ///
  /// A program that does not call it does not contain these packs: only its caller refers to them, because linkers keep all
  /// public functions of a module.
  ///
  /// - Throws: `.invalidPack` if there is no pack of that name.
  @_alwaysEmitIntoClient
  public convenience init(named name: String) throws(PriceTagError) {
    var count = 0
    let bytes = pricetag_named_pack(name, &count)
    try self.init(named: name, UnsafeBufferPointer(start: bytes, count: count))
  }

  @usableFromInline
  convenience init(named name: String, _ bytes: UnsafeBufferPointer<UInt8>) throws(PriceTagError) {
    guard Self.isName(name), !bytes.isEmpty else {
      throw PriceTagError(
        .invalidPack,
        "unknown pack \(quoted(name))",
        fix:
          "use \(Self.names.joined(separator: " or ")), or write ./\(printable(name)) for a file of that name"
      )
    }
    try self.init([UInt8](bytes))
  }

  /// Returns whether a value, such as that of `--pack`, is a name and not a path.
  package static func isName(_ value: String) -> Bool {
    let prefix = "cldr-", digits = value.utf8.dropFirst(prefix.utf8.count)
    return value.hasPrefix(prefix) && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}

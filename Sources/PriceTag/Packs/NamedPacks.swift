import PriceTagLocaleData
import PriceTagText

/// The packs that PriceTag has.
extension Pack {
  /// The names of the packs for ``init(named:)``, sorted: one for each version of CLDR.
  public static var names: [String] {
    var names: [String] = []
    while let name = pricetag_named_pack_name(names.count) { names.append(String(cString: name)) }
    return names
  }

  /// Creates a pack that PriceTag has: all storefronts of the App Store, as one version of CLDR writes their prices.
  ///
  ///     let pinned = LocaleData.embedded.pinned(to: try Pack(named: "cldr-48"))
  ///     try PriceFormatter(storefront: Storefront("HUN", in: pinned)).string(for: "1234")   // "1234 Ft"
  ///
  /// A program that does not call it does not contain these packs.
  ///
  /// - Throws: `.invalidPack` if there is no pack of that name.
  public convenience init(named name: String) throws(PriceTagError) {
    var count = 0
    guard Self.isName(name), let bytes = pricetag_named_pack(name, &count) else {
      throw PriceTagError(
        .invalidPack,
        "unknown pack \(quoted(name))",
        fix:
          "use \(Self.names.joined(separator: " or ")), or write ./\(printable(name)) for a file of that name"
      )
    }
    try self.init([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
  }

  /// Returns whether a value, such as that of `--pack`, is a name and not a path.
  package static func isName(_ value: String) -> Bool {
    let prefix = "cldr-", digits = value.utf8.dropFirst(prefix.utf8.count)
    return value.hasPrefix(prefix) && !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Creates a pack from a name, or from the file of a path.
  package convenience init(at nameOrPath: String) throws(PriceTagError) {
    if Self.isName(nameOrPath) {
      try self.init(named: nameOrPath)
    } else {
      try self.init(contentsOf: nameOrPath)
    }
  }
}

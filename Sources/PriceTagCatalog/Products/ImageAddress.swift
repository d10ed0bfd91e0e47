import PriceTag
import PriceTagText

/// The rule of addresses that a page may show a picture from.
package enum ImageAddress {
  /// - Throws: `.invalidField`.
  package static func check(_ address: String) throws(CatalogError) {
    guard isSafe(address) else {
      throw CatalogError(
        .invalidField,
        "\(quoted(address)) is no address of a picture",
        fix: "give an http or https address, or a path of the shop's"
      )
    }
  }

  /// Whether an address is http or https, or a path without a scheme; never `javascript:` or `data:`.
  package static func isSafe(_ address: String) -> Bool {
    guard (1...2048).contains(address.utf8.count),
      address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
    else { return false }
    let lowered = address.lowercased()
    if lowered.hasPrefix("https://") || lowered.hasPrefix("http://") { return true }
    // A path: no scheme, and no other host.
    let first = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !first.contains(":") && !address.hasPrefix("//")
  }
}

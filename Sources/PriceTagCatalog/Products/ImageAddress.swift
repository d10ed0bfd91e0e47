import PriceTag
import PriceTagText

/// Checks the addresses of images that a page may show.
package enum ImageAddress {
  /// Checks that an address is safe.
  ///
  /// - Throws: `.invalidField`.
  @discardableResult
  package static func check(_ address: String) throws(CatalogError) -> String {
    guard isSafe(address) else {
      throw CatalogError(
        .invalidField,
        "\(quoted(address)) is not an image address",
        fix: "use an http or https URL, or a path"
      )
    }
    return address
  }

  /// Returns whether an address is an http or https URL, or a path without a scheme. Schemes such as `javascript:` and
  /// `data:` are not safe.
  package static func isSafe(_ address: String) -> Bool {
    guard (1...2048).contains(address.utf8.count),
      address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
    else { return false }
    let lowered = address.lowercased()
    if lowered.hasPrefix("https://") || lowered.hasPrefix("http://") { return true }
    // A path has no scheme and no host.
    let first = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !first.contains(":") && !address.hasPrefix("//")
  }
}

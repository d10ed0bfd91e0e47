import PriceTag
import PriceTagCatalog

/// The addresses of the shop's own files in a site.
enum SiteFile {
  /// Returns whether an address is a path within the site, not an http or https address.
  static func isPath(_ address: String) -> Bool {
    let lowered = address.lowercased()
    return !lowered.hasPrefix("https://") && !lowered.hasPrefix("http://")
  }

  /// Returns the path relative to the site's folder: `images/car.png` for `/images/./car.png?2`. The result is empty for a
  /// path that leaves the site, and for one that becomes unsafe without its leading slash.
  static func path(_ address: String) -> String {
    let parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").filter { $0 != "." }
    let path = parts.joined(separator: "/")
    return parts.contains("..") || !ImageAddress.isSafe(path) ? "" : path
  }

  /// Returns the percent-decoded bytes of a path.
  static func decoded(_ path: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(path.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

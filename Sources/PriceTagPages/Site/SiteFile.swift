import PriceTag
import PriceTagCatalog

/// Files of a site that are the shop's own: pictures, a logo.
enum SiteFile {
  /// Whether an address is a path within the site, not one of the web.
  static func isPath(_ address: String) -> Bool {
    let lowered = address.lowercased()
    return !lowered.hasPrefix("https://") && !lowered.hasPrefix("http://")
  }

  /// A path within the site from its own folder on: `images/car.png` for `/images/./car.png?2`. One that would lead out
  /// of the site leads nowhere, and so does one that is something else once it starts without a slash.
  static func path(_ address: String) -> String {
    let parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").filter { $0 != "." }
    let path = parts.joined(separator: "/")
    return parts.contains("..") || !ImageAddress.isSafe(path) ? "" : path
  }

  /// The bytes that percent-encoding stands for.
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

import PriceTag

/// Files of a site that are the shop's own: pictures, a logo.
enum SiteFile {
  /// Whether an address is a path within the site, not one of the web.
  static func isPath(_ address: String) -> Bool {
    let lowered = address.lowercased()
    return !lowered.hasPrefix("https://") && !lowered.hasPrefix("http://")
  }

  /// A path within the site from its own folder on: `images/car.png` for `/images/./car.png?2`. One that would lead out
  /// of the site leads nowhere.
  static func path(_ address: String) -> String {
    let parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").filter { $0 != "." }
    return parts.contains("..") ? "" : parts.joined(separator: "/")
  }
}

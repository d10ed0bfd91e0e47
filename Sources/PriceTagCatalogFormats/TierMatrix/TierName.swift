/// The names of Apple's tiers in a catalog, which connect the products of one file with the tiers of another.
///
/// `Tier 1` in a matrix and `<wholesale_price_tier>1` in a package are both `1`. Subscription tiers used the same
/// numbers with different prices, so their names have a prefix.
enum TierName {
  static let alternatePrefix = "alternate-"
  static let subscriptionPrefix = "subscription-"

  /// Returns the catalog name of a tier: `1` for `Tier 1`, `0` for `Free`, `alternate-3` for `Alternate Tier 3`,
  /// `alternate-A` for `Alternate Tier A`, `subscription-5` for `Subscription Tier 5`. Other names are unchanged.
  static func canonical(_ text: String) -> String {
    guard text.utf8.count <= 100 else { return text }
    let words = text.split { $0.isWhitespace }
    let lowered = words.map { $0.lowercased() }
    switch lowered.count {
    case 1 where lowered[0] == "free": return "0"
    case 1: return number(words[0]) ?? text
    case 2 where lowered[0] == "tier": return number(words[1]) ?? text
    case 3 where lowered[0] == "alternate" && lowered[1] == "tier":
      let isLetter =
        words[2].utf8.count == 1 && words[2].utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
      let name = isLetter ? words[2].uppercased() : number(words[2])
      return name.map { alternatePrefix + $0 } ?? text
    case 3 where lowered[0] == "subscription" && lowered[1] == "tier":
      return number(words[2]).map { subscriptionPrefix + $0 } ?? text
    default: return text
    }
  }

  /// Returns an integer of up to nine digits without leading zeros, or `nil` if the text is not one.
  static func number(_ text: some StringProtocol) -> String? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let digits = text.drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }
}

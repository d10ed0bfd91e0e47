import PriceTag
import PriceTagCatalog

/// What Apple's tiers are called in a catalogue, so that a product of one file finds its tier in another.
///
/// A matrix says `Tier 1`, a package `<wholesale_price_tier>1`: both are `1`. Subscriptions had tiers of their own with
/// the same numbers and other prices, which are kept apart.
enum TierName {
  static let alternatePrefix = "alternate-"
  static let subscriptionPrefix = "subscription-"

  /// The name of a tier that somebody wrote: `1` for `Tier 1`, `0` for `Free`, `alternate-3` for `Alternate Tier 3`,
  /// `alternate-A` for `Alternate Tier A`, `subscription-5` for `Subscription Tier 5`. Another stays as it stands.
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

  /// A whole number without zeros before it; `nil` where the text is none.
  static func number(_ text: some StringProtocol) -> String? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let digits = text.drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }
}

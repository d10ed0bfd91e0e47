import PriceTag

@testable import PriceTagCatalog

extension CatalogProduct {
  /// What is known of it, a fact a line.
  var lines: [String] {
    var facts = [identifier]
    if let kind { facts.append(kind.rawValue) }
    if let referenceName { facts.append("\"\(referenceName)\"") }
    if let subscriptionGroup { facts.append("of \(subscriptionGroup)") }
    if let groupLevel { facts.append("level \(groupLevel)") }
    if let subscriptionPeriod { facts.append("\(subscriptionPeriod)") }
    if let isApproved { facts.append(isApproved ? "approved" : "not approved") }
    if let clearedForSale { facts.append(clearedForSale.line) }
    return [facts.joined(separator: ", ")] + texts + prices.lines + (offers ?? []).flatMap(\.lines)
      + (offers == [] ? ["no offers"] : [])
  }

  private var texts: [String] {
    localizations.sorted { $0.key < $1.key }.map { language, text in
      "\(language): \(text.name ?? "-") | \(text.description ?? "-")"
    }
  }
}

extension CatalogOffer {
  fileprivate var lines: [String] {
    [
      "\(kind.rawValue) \(identifier ?? "-"), \(paymentMode.rawValue), \(periodCount) × \(period)"
        + (clearedForSale == .everywhere ? "" : ", \(clearedForSale.line)")
    ] + prices.lines.map { "  \($0)" }
  }
}

extension Clearance {
  fileprivate var line: String {
    switch self {
    case .everywhere: "sold everywhere"
    case .only(let storefronts): "sold in [\(storefronts.sorted().joined(separator: " "))]"
    case .except(let storefronts): "sold everywhere but in [\(storefronts.sorted().joined(separator: " "))]"
    }
  }
}

import CatalogSamples
import PriceTag

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

extension CatalogProduct {
  /// A description of the product: one line for its fields, then one per text, price and offer.
  var lines: [String] {
    var facts = [identifier]
    if let kind { facts.append(kind.rawValue) }
    if let referenceName { facts.append("\"\(referenceName)\"") }
    if let subscriptionGroup { facts.append("of \(subscriptionGroup)") }
    if let groupLevel { facts.append("level \(groupLevel)") }
    if let subscriptionPeriod { facts.append("\(subscriptionPeriod)") }
    if let isApproved { facts.append(isApproved ? "approved" : "not approved") }
    if let clearedForSale { facts.append(clearedForSale.line) }
    if let category { facts.append("in \(category)") }
    if let tiers { facts += tiers.map(\.line) }
    for (storefront, locale) in priceLocales.sorted(by: { $0.key < $1.key }) {
      facts.append("written as \(locale) in \(storefront)")
    }
    if let image { facts.append(image) }
    if let images, !images.isEmpty { facts.append("images \(images.map(\.address).joined(separator: " "))") }
    if let sortOrder { facts.append("number \(sortOrder)") }
    if let content { facts.append("content \(content)") }
    if let unitReference { facts.append("priced per \(unitReference)") }
    if let taxInclusion { facts.append("tax included \(taxInclusion.rawValue)") }
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
      "\(kind.rawValue) \(identifier ?? "-"), \(paymentMode.rawValue), \(periodCount) × \(period)\(days.text)"
        + (clearedForSale == .everywhere ? "" : ", \(clearedForSale.line)")
        + tiers.map { ", " + $0.line }.joined()
    ] + prices.lines.map { "  \($0)" }
      + laterPhases.flatMap { phase in
        [
          "  then \(phase.paymentMode.rawValue), \(phase.periodCount) × \(phase.period)"
            + phase.tiers.map { ", " + $0.line }.joined()
        ] + phase.prices.lines.map { "  \($0)" }
      }
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

extension [PriceTier] {
  /// One line per price: `1: USA 0.99 USD`.
  var lines: [String] {
    flatMap { tier in
      tier.prices.isEmpty ? ["\(tier.name): none"] : tier.prices.lines.map { "\(tier.name): \($0)" }
    }
  }
}

extension ProductGroup {
  /// The group as text: `category levels, en: Levels`.
  var line: String {
    let names = names.sorted { $0.key < $1.key }.map { ", \($0): \($1)" }
    return "\(kind.rawValue) \(identifier)" + names.joined()
  }
}

extension TierPeriod {
  /// The tier as text: `tier 1 until 2026-12-31`.
  var line: String { "tier \(tier)\(days.text)" }
}

extension DateRange {
  fileprivate var text: String {
    (first.map { " from \($0)" } ?? "") + (last.map { " until \($0)" } ?? "")
  }
}

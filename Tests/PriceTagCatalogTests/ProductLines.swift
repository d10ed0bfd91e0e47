import PriceTag

@testable import PriceTagCatalog

extension CatalogProduct {
  /// What is known of it, a line a fact, in a fixed order: what nothing is known of is left out.
  var lines: [String] {
    var lines = ["product \(identifier)"]
    func add(_ name: String, _ value: Any?) { if let value { lines.append("\(name): \(value)") } }
    add("kind", kind?.rawValue)
    add("reference name", referenceName)
    add("category", category)
    add("group", subscriptionGroup)
    add("level", groupLevel)
    add("period", subscriptionPeriod)
    for (language, text) in localizations.sorted(by: { $0.key < $1.key }) {
      add(language, [text.name ?? "-", text.description].compactMap(\.self).joined(separator: " | "))
    }
    add("tiers", tiers.map { $0.map(\.line) })
    lines += prices.lines.map { "price: \($0)" }
    for (storefront, locale) in priceLocales.sorted(by: { $0.key < $1.key }) {
      add("price locale", "\(storefront) \(locale)")
    }
    if offers?.isEmpty == true { lines.append("offers: none") }
    for offer in offers ?? [] { lines += offer.lines }
    add("approved", isApproved)
    add("cleared", clearedForSale?.line)
    add("image", image)
    add("sort order", sortOrder)
    return lines
  }
}

extension CatalogOffer {
  /// Its terms, and its prices below.
  fileprivate var lines: [String] {
    let name = identifier.map { " \($0)" } ?? ""
    let days = "\(days.first.map { " from \($0)" } ?? "")\(days.last.map { " until \($0)" } ?? "")"
    return [
      "offer: \(kind.rawValue)\(name) \(paymentMode.rawValue) \(periodCount) x \(period)\(days)"
        + ", \(clearedForSale.line)" + (tiers.isEmpty ? "" : ", tiers \(tiers.map(\.line))")
    ] + prices.lines.map { "  price: \($0)" }
  }
}

extension Clearance {
  fileprivate var line: String {
    switch self {
    case .everywhere: "everywhere"
    case .only(let storefronts): "only \(storefronts.sorted())"
    case .except(let storefronts): "except \(storefronts.sorted())"
    }
  }
}

extension TierPeriod {
  fileprivate var line: String {
    tier + (days.first.map { " from \($0)" } ?? "") + (days.last.map { " until \($0)" } ?? "")
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// The `<product>` elements of a purchase: where it is cleared for sale, and its tiers.
extension ITunesPackageReader {
  /// Reads where a product is cleared for sale, and its tiers.
  mutating func readTerms(
    _ terms: [ITunesPackageElement],
    of product: inout CatalogProduct,
    in place: String
  ) throws(CatalogError) {
    withheld = []
    var general: Bool?
    var cleared: [Bool: Set<String>] = [:]
    var tiers: [TierPeriod] = []
    for element in terms {
      let isCleared = try value(of: element, "cleared_for_sale", in: place, Self.bool)
      if element.children("territory").isEmpty {
        if let isCleared, let said = general, said != isCleared {
          try session.setAside(
            element.invalid(
              .duplicate,
              "the product is cleared for sale, and is not",
              fix: "say one of them; it is not until then"
            ).at(place)
          )
        }
        general = isCleared.map { $0 && general ?? true } ?? general
        tiers += try self.tiers(of: element, in: place)
      } else if let territory = try value(of: element, "territory", in: place, session.storefront) {
        if let isCleared { cleared[isCleared, default: []].insert(territory.id) }
        // One that cannot be read is none.
        if isCleared == nil, !element.children("cleared_for_sale").isEmpty {
          cleared[false, default: []].insert(territory.id)
        }
        if element.children.contains(where: { Self.tierFields.contains($0.name) || $0.name == "intervals" }) {
          try setAsideTiers(of: element, territory.id, in: place)
        }
      }
      try mention(
        inside: element,
        but: Self.tierFields + ["cleared_for_sale", "territory", "intervals"],
        in: place
      )
    }
    // Where nothing is said of all, it is cleared in the territories that are named, and nowhere else.
    cleared[false, default: []].formUnion(withheld)
    let hasTerritories = terms.contains { !$0.children("territory").isEmpty }
    product.clearedForSale = Self.clearance(general ?? (hasTerritories ? false : nil), cleared)
    let sorted = try session.attempt(at: place) { () throws(CatalogError) -> [TierPeriod] in
      do throws(CatalogError) { return try TierPeriod.sorted(tiers) } catch {
        throw terms.first?.invalid(error.code, error.problem, fix: error.fix) ?? error
      }
    }
    if let sorted, !sorted.isEmpty { product.tiers = sorted }
  }

  private static let tierFields = ["wholesale_price_tier", "subscription_price_tier"]

  private static func bool(_ text: String) throws(CatalogError) -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default: throw CatalogError(.invalidField, "\(quoted(text)) is neither true nor false", fix: "write one")
    }
  }

  /// Where a product is cleared: what is said of a territory goes before what is said of all.
  private static func clearance(_ general: Bool?, _ territories: [Bool: Set<String>]) -> Clearance? {
    let (allowed, refused) = (territories[true] ?? [], territories[false] ?? [])
    switch general {
    case nil where refused.isEmpty: return nil
    case nil, true?: return refused.isEmpty ? .everywhere : .except(refused)
    case false?: return .only(allowed.subtracting(refused))
    }
  }

  private mutating func setAsideTiers(
    of element: ITunesPackageElement,
    _ territory: String,
    in place: String
  ) throws(CatalogError) {
    withheld.insert(territory)
    try session.setAside(
      element.invalid(
        .notRepresentable,
        "a tier for \(territory) alone cannot be kept",
        fix:
          "give the product's price in \(territory) in another file, and clear it there; until then it is not sold there"
      ).at(place)
    )
  }

  /// The tiers of a `<product>`: one for all days, or one for each interval.
  private mutating func tiers(
    of element: ITunesPackageElement,
    in place: String
  ) throws(CatalogError) -> [TierPeriod] {
    var tiers: [TierPeriod] = []
    func add(_ element: ITunesPackageElement, _ days: Days) throws(CatalogError) {
      for field in Self.tierFields {
        guard let tier = try element.child(field) else { continue }
        let name = try tier.reading { (text) throws(CatalogError) in try Self.tierName(text, field) }
        tiers.append(TierPeriod(name, days: days))
      }
    }
    _ = try session.attempt(at: place) { () throws(CatalogError) in try add(element, .always) }
    for interval in element.children("intervals").flatMap({ $0.children("interval") }) {
      if let territory = try value(of: interval, "territory", in: place, session.storefront) {
        try setAsideTiers(of: interval, territory.id, in: place)
      } else if interval.children("territory").isEmpty {
        _ = try session.attempt(at: place) { () throws(CatalogError) in
          try add(interval, days(of: interval))
        }
      }
      try mention(
        inside: interval,
        but: Self.tierFields + ["start_date", "end_date", "territory"],
        in: place
      )
    }
    return tiers
  }

  private static func tierName(_ text: String, _ field: String) throws(CatalogError) -> String {
    guard let number = TierName.number(text) else {
      throw CatalogError(.invalidField, "\(quoted(text)) is no tier", fix: "give its number, such as 3")
    }
    return field == "subscription_price_tier" ? TierName.subscriptionPrefix + number : number
  }

  /// The days of an interval. Its end is the first day that it no longer holds: where prices follow each other, one's
  /// end is the next one's start.
  private func days(of interval: ITunesPackageElement) throws(CatalogError) -> Days {
    func date(_ name: String) throws(CatalogError) -> CalendarDate? {
      guard let child = try interval.child(name) else { return nil }
      return try child.reading { (text) throws(CatalogError) in try session.date(text) }
    }
    let (first, end) = (try date("start_date"), try date("end_date"))
    guard let end else { return Days(uncheckedFirst: first, last: nil) }
    guard let last = end.previous, first.map({ $0 <= last }) ?? true else {
      throw interval.invalid(
        .malformedDate,
        "the interval ends on \(end) and holds on no day",
        fix: "give the first day on which it no longer holds"
      )
    }
    return Days(uncheckedFirst: first, last: last)
  }
}

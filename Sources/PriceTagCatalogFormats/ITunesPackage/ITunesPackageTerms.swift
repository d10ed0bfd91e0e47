import PriceTag
import PriceTagCatalog
import PriceTagText

/// The `<product>` elements of a purchase: its clearance for sale and its tiers.
extension ITunesPackageReader {
  /// Reads the clearance and the tiers of a product.
  mutating func readTerms(
    _ terms: [ITunesPackageElement],
    of product: inout CatalogProduct,
    in place: String
  ) throws(CatalogError) {
    territoriesWithRejectedTier = []
    var general: Bool?
    var cleared: [Bool: Set<String>] = [:]
    var tiers: [TierPeriod] = []
    for element in terms {
      let isCleared = try value(of: element, "cleared_for_sale", in: place) { (text) throws(CatalogError) in
        try Bool.named(text)
      }
      if element.children("territory").isEmpty {
        if let isCleared, let previous = general, previous != isCleared {
          try session.reject(
            element.invalid(
              .duplicate,
              "<cleared_for_sale> is both true and false",
              fix: "remove one; until then the product is not for sale"
            ).at(place)
          )
        }
        general = isCleared.map { $0 && general ?? true } ?? general
        tiers += try self.tiers(of: element, in: place)
      } else if let territory = try value(of: element, "territory", in: place, session.storefront) {
        if let isCleared { cleared[isCleared, default: []].insert(territory.id) }
        // If the value is invalid, the product is not for sale there.
        if isCleared == nil, !element.children("cleared_for_sale").isEmpty {
          cleared[false, default: []].insert(territory.id)
        }
        if element.children.contains(where: { Self.tierFields.contains($0.name) || $0.name == "intervals" }) {
          try rejectTiers(of: element, territory.id, in: place)
        }
      }
      try rejectUnsupportedChildren(
        of: element,
        except: Self.tierFields + ["cleared_for_sale", "territory", "intervals"],
        in: place
      )
    }
    // Without a general clearance, the product is cleared only in the territories that are named.
    cleared[false, default: []].formUnion(territoriesWithRejectedTier)
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

  /// Returns the clearance of a product. The clearance of a territory takes precedence over the general one.
  private static func clearance(_ general: Bool?, _ territories: [Bool: Set<String>]) -> Clearance? {
    let (allowed, refused) = (territories[true] ?? [], territories[false] ?? [])
    switch general {
    case nil where refused.isEmpty: return nil
    case nil, true?: return refused.isEmpty ? .everywhere : .except(refused)
    case false?: return .only(allowed.subtracting(refused))
    }
  }

  private mutating func rejectTiers(
    of element: ITunesPackageElement,
    _ territory: String,
    in place: String
  ) throws(CatalogError) {
    territoriesWithRejectedTier.insert(territory)
    try session.reject(
      element.invalid(
        .notRepresentable,
        "a tier for a single territory (\(territory)) is not supported",
        fix:
          "put the price and clearance for \(territory) in another file; until then the product is not for sale there"
      ).at(place)
    )
  }

  /// Returns the tiers of a `<product>`: one without dates, or one for each interval.
  private mutating func tiers(
    of element: ITunesPackageElement,
    in place: String
  ) throws(CatalogError) -> [TierPeriod] {
    var tiers: [TierPeriod] = []
    func add(_ element: ITunesPackageElement, _ days: DateRange) throws(CatalogError) {
      for field in Self.tierFields {
        guard let tier = try element.child(field) else { continue }
        let name = try tier.reading { (text) throws(CatalogError) in try Self.tierName(text, field) }
        tiers.append(TierPeriod(name, days: days))
      }
    }
    _ = try session.attempt(at: place) { () throws(CatalogError) in try add(element, .always) }
    for interval in element.children("intervals").flatMap({ $0.children("interval") }) {
      if let territory = try value(of: interval, "territory", in: place, session.storefront) {
        try rejectTiers(of: interval, territory.id, in: place)
      } else if interval.children("territory").isEmpty {
        _ = try session.attempt(at: place) { () throws(CatalogError) in
          try add(interval, days(of: interval))
        }
      }
      try rejectUnsupportedChildren(
        of: interval,
        except: Self.tierFields + ["start_date", "end_date", "territory"],
        in: place
      )
    }
    return tiers
  }

  private static func tierName(_ text: String, _ field: String) throws(CatalogError) -> String {
    guard let number = TierName.number(text) else {
      throw CatalogError(
        .invalidField,
        "\(quoted(text)) is not a tier number",
        fix: "write an integer such as 3"
      )
    }
    return field == "subscription_price_tier" ? TierName.subscriptionPrefix + number : number
  }

  /// Returns the dates of an interval. Its end date is not part of it: the end date of a price is the start date of the
  /// next one.
  private func days(of interval: ITunesPackageElement) throws(CatalogError) -> DateRange {
    func date(_ name: String) throws(CatalogError) -> CalendarDate? {
      guard let child = try interval.child(name) else { return nil }
      return try child.reading { (text) throws(CatalogError) in try session.date(text) }
    }
    let (first, end) = (try date("start_date"), try date("end_date"))
    guard let end else { return DateRange(uncheckedFirst: first, last: nil) }
    guard let last = end.previous, first.map({ $0 <= last }) ?? true else {
      throw interval.invalid(
        .malformedDate,
        "the interval that ends on \(end) is empty",
        fix: "write an end date after the start date; the end date is not part of the interval"
      )
    }
    return DateRange(uncheckedFirst: first, last: last)
  }
}

import PriceTag
import PriceTagText

/// A range of dates that includes its first and last day. Either end may be open.
public struct DateRange: Hashable, Sendable {
  /// The first day; `nil` if the range has no start.
  public let first: CalendarDate?
  /// The last day; `nil` if the range has no end.
  public let last: CalendarDate?

  /// The range of all dates.
  public static let always = DateRange(uncheckedFirst: nil, last: nil)

  package init(uncheckedFirst first: CalendarDate?, last: CalendarDate?) {
    (self.first, self.last) = (first, last)
  }

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - first: The first day; `nil` for a range without a start.
  ///   - last: The last day, included in the range; `nil` for a range without an end.
  /// - Throws: `.malformedDate` if the last day is before the first.
  public init(from first: CalendarDate?, until last: CalendarDate?) throws(CatalogError) {
    if let first, let last, last < first {
      throw CatalogError(
        .malformedDate,
        "the last day \(last) is before the first day \(first)",
        fix: "correct one of the dates"
      )
    }
    self.init(uncheckedFirst: first, last: last)
  }

  /// Returns whether the range includes a date.
  public func contains(_ date: CalendarDate) -> Bool {
    (first.map { $0 <= date } ?? true) && (last.map { date <= $0 } ?? true)
  }

  /// Returns whether both ranges include a common date.
  package func overlaps(_ other: DateRange) -> Bool {
    starts(onOrBefore: other.last) && other.starts(onOrBefore: last)
  }

  private func starts(onOrBefore date: CalendarDate?) -> Bool {
    guard let first, let date else { return true }
    return first <= date
  }

  /// Compares the first days of two ranges.
  package static func < (first: DateRange, second: DateRange) -> Bool {
    guard let day = first.first else { return second.first != nil }
    return second.first.map { day < $0 } ?? false
  }
}

/// A price in a catalog for one storefront, and the dates on which it applies. A price change is a second price.
public struct CatalogPrice: Hashable, Sendable {
  /// The storefront, as an alpha-3 code.
  public let storefront: String
  /// The amount, with at most as many decimals as the currency's minor unit.
  public let amount: Amount
  /// The currency, which the storefront charges on at least one of the dates, or a custom currency that it charges beside
  /// its own.
  public let currency: Currency
  /// The dates on which the price applies.
  public let days: DateRange
  /// Whether the price includes tax; `nil` if it is not stated. All prices of a product in one storefront state the same.
  public internal(set) var taxInclusion: TaxInclusion?

  package init(
    storefront: String,
    amount: Amount,
    currency: Currency,
    days: DateRange,
    taxInclusion: TaxInclusion? = nil
  ) {
    (self.storefront, self.amount, self.currency, self.days) = (storefront, amount, currency, days)
    self.taxInclusion = taxInclusion
  }
}

/// The prices of a product, an offer or a tier. The dates of a storefront's prices never overlap.
public struct PriceTable: Hashable, Sendable {
  /// The prices, sorted by storefront and first day.
  public private(set) var prices: [CatalogPrice] = []
  /// The storefronts with contradictory prices, all of which were rejected.
  private var conflictingStorefronts: Set<String> = []

  /// What the prices of each storefront state about tax, without those that state nothing.
  var taxInclusions: [String: TaxInclusion] {
    get {
      var stated: [String: TaxInclusion] = [:]
      for price in prices { if let tax = price.taxInclusion { stated[price.storefront] = tax } }
      return stated
    }
    set { for index in prices.indices { prices[index].taxInclusion = newValue[prices[index].storefront] } }
  }

  private static let maximumCountPerStorefront = 1000

  /// Creates an empty table.
  public init() {}

  /// Creates a table from a catalog's prices, which are already sorted.
  init(sorted prices: [CatalogPrice]) {
    self.prices = prices
  }

  /// Whether the table has no price.
  public var isEmpty: Bool { prices.isEmpty }

  /// The storefronts that have a price, sorted.
  public var storefronts: [String] {
    var found: [String] = []
    for price in prices where found.last != price.storefront { found.append(price.storefront) }
    return found
  }

  /// The prices of a storefront, sorted by their first days.
  public subscript(storefront: String) -> ArraySlice<CatalogPrice> {
    let start = prices.partitioningIndex(where: { $0.storefront >= storefront })
    return prices[start...].prefix { $0.storefront == storefront }
  }

  /// Adds a price.
  ///
  /// Adding an equal price again has no effect. A different price for the same dates is a conflict. The table then
  /// rejects all prices of the storefront, because it cannot know which one is right. Prices of a storefront that do not
  /// state the same about tax are a conflict, too.
  ///
  /// - Throws: `.conflictingPrices`, naming both prices; `.tooLarge` for more than 1000 prices of a storefront.
  public mutating func add(_ price: CatalogPrice) throws(CatalogError) {
    if let last = prices.last, last.storefront < price.storefront, conflictingStorefronts.isEmpty {
      prices.append(price)
      return
    }
    let others = self[price.storefront]
    guard others.count < Self.maximumCountPerStorefront else {
      throw CatalogError(
        .tooLarge,
        "\(price.storefront) has more than \(Self.maximumCountPerStorefront) prices",
        fix: "remove prices that have ended"
      )
    }
    if others.contains(price) { return }
    let other =
      others.first { $0.taxInclusion != price.taxInclusion } ?? others.first { $0.days.overlaps(price.days) }
    guard other == nil, !conflictingStorefronts.contains(price.storefront) else {
      prices.removeSubrange(others.indices)
      conflictingStorefronts.insert(price.storefront)
      if let other, other.taxInclusion != price.taxInclusion { throw Self.conflict(other, price) }
      let otherPrice = other.map { "\($0.amount) \($0.currency)" } ?? "other prices"
      let later = other.flatMap { price.days < $0.days ? $0.days : $0.days < price.days ? price.days : nil }
      let endEarlier = later?.first.map { ", and end the earlier one before \($0)" } ?? ""
      throw CatalogError(
        .conflictingPrices,
        "\(price.storefront) has \(price.amount) \(price.currency) and \(otherPrice) on the same dates",
        fix: "keep one price per date\(endEarlier) (all prices of \(price.storefront) were rejected)"
      )
    }
    let index = others.firstIndex { price.days < $0.days } ?? others.endIndex
    prices.insert(price, at: index)
  }

  /// The error for two prices of a storefront that do not state the same about tax.
  private static func conflict(_ first: CatalogPrice, _ second: CatalogPrice) -> CatalogError {
    let values = [first, second].map { $0.taxInclusion?.rawValue ?? "not stated" }.joined(separator: " and ")
    return CatalogError(
      .conflictingPrices,
      "\(first.storefront) has prices whose taxIncluded differs (\(values))",
      fix: "state the same for each price of \(first.storefront) (all of them were rejected)"
    )
  }

  /// Returns the table with the prices of every storefront of another table replaced by those of the other table.
  func updated(by other: PriceTable) -> PriceTable {
    if other.isEmpty { return self }
    if isEmpty { return other }
    let replaced = Set(other.storefronts)
    var merged = PriceTable()
    merged.prices = (prices.filter { !replaced.contains($0.storefront) } + other.prices).sorted {
      $0.storefront == $1.storefront ? $0.days < $1.days : $0.storefront < $1.storefront
    }
    return merged
  }

  /// Returns whether both tables have the same prices.
  public static func == (first: PriceTable, second: PriceTable) -> Bool { first.prices == second.prices }

  /// Hashes the prices.
  public func hash(into hasher: inout Hasher) { hasher.combine(prices) }
}

/// A price tier: a named set of prices, one or more per storefront, to which products and offers refer.
public struct PriceTier: Hashable, Sendable {
  /// The name of the tier, such as `3`.
  public let name: String
  /// The prices of the tier.
  public var prices: PriceTable

  /// Creates a tier.
  public init(_ name: String, prices: PriceTable) {
    (self.name, self.prices) = (name, prices)
  }
}

/// The tier of a product or an offer, and the dates on which it applies.
public struct TierPeriod: Hashable, Sendable {
  /// The name of the tier.
  public let tier: String
  /// The dates on which the tier applies.
  public let days: DateRange

  /// Creates a tier period.
  public init(_ tier: String, days: DateRange = .always) {
    (self.tier, self.days) = (tier, days)
  }
}

extension TierPeriod {
  /// Returns tier periods sorted by their first days.
  ///
  /// - Throws: `.conflictingPrices` if two tiers apply on the same date; `.tooLarge` for more than 1000 tiers.
  package static func sorted(_ tiers: [TierPeriod]) throws(CatalogError) -> [TierPeriod] {
    guard tiers.count <= 1000 else {
      throw CatalogError(.tooLarge, "there are more than 1000 tiers", fix: "remove tiers that have ended")
    }
    let sorted = tiers.sorted { $0.days < $1.days }
    for (earlier, later) in zip(sorted, sorted.dropFirst()) where earlier.days.overlaps(later.days) {
      throw CatalogError(
        .conflictingPrices,
        "the tiers \(quoted(earlier.tier)) and \(quoted(later.tier)) apply on the same dates",
        fix: "keep one tier per date"
      )
    }
    return sorted
  }
}

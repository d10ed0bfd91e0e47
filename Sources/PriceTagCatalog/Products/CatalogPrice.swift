import PriceTag
import PriceTagText

/// The days that something holds: from a first to a last, both included.
public struct Days: Hashable, Sendable {
  /// The first day; `nil` for always before.
  public let first: CalendarDate?
  /// The last day; `nil` for until further notice.
  public let last: CalendarDate?

  /// Always.
  public static let always = Days(uncheckedFirst: nil, last: nil)

  package init(uncheckedFirst first: CalendarDate?, last: CalendarDate?) {
    (self.first, self.last) = (first, last)
  }

  /// The days from one to another.
  ///
  /// - Throws: `.malformedDate` where the last day is before the first.
  public init(from first: CalendarDate?, until last: CalendarDate?) throws(CatalogError) {
    if let first, let last, last < first {
      throw CatalogError(
        .malformedDate,
        "the days from \(first) to \(last) run backwards",
        fix: "give a last day that is not before the first"
      )
    }
    self.init(uncheckedFirst: first, last: last)
  }

  /// Whether a day is among them.
  public func contains(_ date: CalendarDate) -> Bool {
    (first.map { $0 <= date } ?? true) && (last.map { date <= $0 } ?? true)
  }

  /// Whether both have a day in common.
  package func overlaps(_ other: Days) -> Bool {
    isAfterStart(of: other.last) && other.isAfterStart(of: last)
  }

  private func isAfterStart(of last: CalendarDate?) -> Bool {
    guard let first, let last else { return true }
    return first <= last
  }

  /// In the order of their first days.
  package static func < (first: Days, second: Days) -> Bool {
    guard let day = first.first else { return second.first != nil }
    return second.first.map { day < $0 } ?? false
  }
}

/// A price that a catalogue has for a storefront, and the days it holds: a change next month is a second one.
public struct CatalogPrice: Hashable, Sendable {
  /// The storefront, alpha-3.
  public let storefront: String
  /// How much, with the digits of the currency's minor unit.
  public let amount: Amount
  /// Of what: one that the storefront charges on some of the days.
  public let currency: Currency
  /// When it holds.
  public let days: Days

  package init(storefront: String, amount: Amount, currency: Currency, days: Days) {
    (self.storefront, self.amount, self.currency, self.days) = (storefront, amount, currency, days)
  }
}

/// The prices of a product, an offer or a tier: by storefront, and in each by date without an overlap.
public struct PriceTable: Hashable, Sendable {
  /// In the order of storefronts, then of days.
  public private(set) var prices: [CatalogPrice] = []
  /// The storefronts whose prices contradict each other: they have none.
  private var disputed: Set<String> = []

  private static let mostOfAStorefront = 1000

  /// No prices.
  public init() {}

  /// For prices that a catalogue has kept, in their order.
  init(sorted prices: [CatalogPrice]) {
    self.prices = prices
  }

  /// Whether there is no price.
  public var isEmpty: Bool { prices.isEmpty }

  /// The storefronts that have a price, in order.
  public var storefronts: [String] {
    var found: [String] = []
    for price in prices where found.last != price.storefront { found.append(price.storefront) }
    return found
  }

  /// The prices of a storefront, in the order of their days.
  public subscript(storefront: String) -> ArraySlice<CatalogPrice> {
    let start = firstIndex(of: storefront)
    return prices[start...].prefix { $0.storefront == storefront }
  }

  private func firstIndex(of storefront: String) -> Int {
    var (low, high) = (0, prices.count)
    while low < high {
      let middle = (low + high) / 2
      if prices[middle].storefront < storefront { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds a price. The same one again changes nothing; another one on the same days is a contradiction, and then none
  /// of the storefront's is taken: which of them is meant is not guessed.
  ///
  /// - Throws: `.conflictingPrices`, naming both.
  public mutating func add(_ price: CatalogPrice) throws(CatalogError) {
    if let last = prices.last, last.storefront < price.storefront, disputed.isEmpty {
      prices.append(price)
      return
    }
    let others = self[price.storefront]
    guard others.count < Self.mostOfAStorefront else {
      throw CatalogError(
        .tooLarge,
        "\(price.storefront) has more than \(Self.mostOfAStorefront) prices",
        fix: "leave out those of days gone by"
      )
    }
    if others.contains(price) { return }
    let other = others.first { $0.days.overlaps(price.days) }
    guard other == nil, !disputed.contains(price.storefront) else {
      prices.removeSubrange(others.indices)
      disputed.insert(price.storefront)
      let contradicted = other.map { " and \($0.amount) \($0.currency)" } ?? " and others"
      let later = other.flatMap { price.days < $0.days ? $0.days : $0.days < price.days ? price.days : nil }
      throw CatalogError(
        .conflictingPrices,
        "\(price.storefront) has \(price.amount) \(price.currency)\(contradicted) on the same days",
        fix:
          "give one price for each day\(later?.first.map { ", and end the earlier one before \($0)" } ?? ""); none of them was taken"
      )
    }
    let index = others.firstIndex { price.days < $0.days } ?? others.endIndex
    prices.insert(price, at: index)
  }

  /// The table with another's prices in place of its own in every storefront that the other has.
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

  /// Whether both have the same prices.
  public static func == (first: PriceTable, second: PriceTable) -> Bool { first.prices == second.prices }

  /// Hashes the prices.
  public func hash(into hasher: inout Hasher) { hasher.combine(prices) }
}

/// A name for a row of prices over storefronts, which products and offers refer to.
public struct PriceTier: Hashable, Sendable {
  /// What it is called, such as `3`.
  public let name: String
  /// Its prices.
  public var prices: PriceTable

  /// A tier of its parts.
  public init(_ name: String, prices: PriceTable) {
    (self.name, self.prices) = (name, prices)
  }
}

/// The tier that a product or an offer has on some days.
public struct TierPeriod: Hashable, Sendable {
  /// The tier's name.
  public let tier: String
  /// When it holds.
  public let days: Days

  /// A tier on some days.
  public init(_ tier: String, days: Days = .always) {
    (self.tier, self.days) = (tier, days)
  }
}

extension TierPeriod {
  /// Tiers in the order of their days.
  ///
  /// - Throws: `.conflictingPrices` where two hold on the same day.
  package static func sorted(_ tiers: [TierPeriod]) throws(CatalogError) -> [TierPeriod] {
    guard tiers.count <= 1000 else {
      throw CatalogError(.tooLarge, "there are more than 1000 tiers", fix: "leave out those of days gone by")
    }
    let sorted = tiers.sorted { $0.days < $1.days }
    for (earlier, later) in zip(sorted, sorted.dropFirst()) where earlier.days.overlaps(later.days) {
      throw CatalogError(
        .conflictingPrices,
        "the tiers \(quoted(earlier.tier)) and \(quoted(later.tier)) hold on the same days",
        fix: "give one tier for each day"
      )
    }
    return sorted
  }
}

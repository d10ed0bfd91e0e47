import PriceTag

/// The prices of one list, in the storefronts that were asked for.
struct StorefrontPrices: Sendable {
  /// A price and the days it holds.
  struct Price: Sendable {
    let amount: Amount
    /// The currency's code: a text of three letters is copied without counting who has it, which threads would wait
    /// for each other to do.
    let currency: String
    let days: Days
  }

  /// By storefront, and in each in the order of their days.
  private(set) var prices: [Price] = []
  /// By the number of the storefront among those asked for.
  private var ranges: [Range<Int32>]

  init(storefronts count: Int) {
    ranges = Array(repeating: 0..<0, count: count)
  }

  /// Adds a price of a storefront, all of whose prices are added one behind another.
  mutating func append(_ price: Price, in storefront: Int) {
    let end = Int32(prices.count)
    ranges[storefront] = (ranges[storefront].isEmpty ? end : ranges[storefront].lowerBound)..<end + 1
    prices.append(price)
  }

  /// Whether days come after those of the price that was added last.
  func isAfterLast(_ days: Days) -> Bool { prices.last.map { $0.days < days } ?? true }

  /// Where the prices of a storefront stand.
  func indices(in storefront: Int) -> Range<Int> {
    Int(ranges[storefront].lowerBound)..<Int(ranges[storefront].upperBound)
  }

  /// The price of a storefront on a day.
  func index(in storefront: Int, on date: CalendarDate) -> Int? {
    for index in indices(in: storefront) where prices[index].days.contains(date) { return index }
    return nil
  }
}

/// What something costs, storefront by storefront and day by day: its own prices, and where it has none, those of its
/// tiers.
struct PriceSchedule: Sendable {
  /// A tier that it has on some days.
  struct Tier: Sendable {
    let name: String
    let days: Days
    /// `nil` for one that the catalogue does not have.
    let prices: StorefrontPrices?
  }

  let own: StorefrontPrices
  /// In the order of their days.
  let tiers: [Tier]

  /// What it costs on a day.
  enum Answer {
    case price(Amount, tier: String?)
    case none(Gap)
  }

  /// Why it costs nothing that is known.
  enum Gap {
    case startsOn(CalendarDate)
    case hasEnded
    case isMissing
    case unknownTier(String)
    case isMissingInTier(String)
    case isInAnotherCurrency(String)
  }

  /// What it costs in a storefront, by its number, on a day when that charges a currency.
  func answer(in storefront: Int, on date: CalendarDate, charging currency: String) -> Answer {
    if let index = own.index(in: storefront, on: date) {
      return Self.answer(own.prices[index], nil, charging: currency)
    }
    let tier = tiers.first { $0.days.contains(date) }
    if let tier, let prices = tier.prices, let index = prices.index(in: storefront, on: date) {
      return Self.answer(prices.prices[index], tier.name, charging: currency)
    }
    return .none(gap(in: storefront, on: date, tier))
  }

  private static func answer(
    _ price: StorefrontPrices.Price,
    _ tier: String?,
    charging currency: String
  ) -> Answer {
    price.currency == currency
      ? .price(price.amount, tier: tier) : .none(.isInAnotherCurrency(price.currency))
  }

  private func gap(in storefront: Int, on date: CalendarDate, _ tier: Tier?) -> Gap {
    var known = own.indices(in: storefront).map { own.prices[$0].days }
    if let prices = tier?.prices { known += prices.indices(in: storefront).map { prices.prices[$0].days } }
    if let next = known.lazy.compactMap(\.first).first(where: { $0 > date }) { return .startsOn(next) }
    if !known.isEmpty { return .hasEnded }
    guard let tier else { return .isMissing }
    return tier.prices == nil ? .unknownTier(tier.name) : .isMissingInTier(tier.name)
  }

  /// The next price that is another one, and the day that it holds from.
  ///
  /// - Parameter charged: The currency that the storefront charges on a day.
  func change(
    in storefront: Int,
    after date: CalendarDate,
    charged: (CalendarDate) -> String
  ) -> (firstDay: CalendarDate, amount: Amount)? {
    // Mostly there is one price, for good.
    guard hasDays(in: storefront) else { return nil }
    let currency = charged(date)
    guard case .price(let today, _) = answer(in: storefront, on: date, charging: currency) else { return nil }
    var turns: Set<CalendarDate> = []
    func add(_ days: Days) {
      for day in [days.first, days.last?.next].compactMap(\.self) where day > date { turns.insert(day) }
    }
    for index in own.indices(in: storefront) { add(own.prices[index].days) }
    for tier in tiers {
      add(tier.days)
      guard let prices = tier.prices else { continue }
      for index in prices.indices(in: storefront) { add(prices.prices[index].days) }
    }
    for day in turns.sorted() {
      let then = charged(day)
      if case .price(let amount, _) = answer(in: storefront, on: day, charging: then),
        amount != today || then != currency
      {
        return (day, amount)
      }
    }
    return nil
  }

  /// For how many days before a reduction the lowest price counts, and for how many after it the price is a reduced one.
  private static let daysOfReduction = 30

  /// What it cost before it was reduced: the lowest price of the 30 days before the reduction, where that is at most 30
  /// days old and each of those prices was in the currency of today; `nil` where nothing was reduced.
  ///
  /// - Parameter charged: The currency that the storefront charges on a day.
  func amountBeforeReduction(
    in storefront: Int,
    on date: CalendarDate,
    charged: (CalendarDate) -> String
  ) -> Amount? {
    guard hasDays(in: storefront) else { return nil }
    let currency = charged(date)
    func amount(on day: CalendarDate) -> Amount? {
      guard case .price(let amount, _) = answer(in: storefront, on: day, charging: charged(day)) else {
        return nil
      }
      return amount
    }
    guard let today = amount(on: date) else { return nil }
    var day = date.previous
    var age = 1
    while let earlier = day, amount(on: earlier) == today, charged(earlier) == currency {
      guard age < Self.daysOfReduction else { return nil }
      age += 1
      day = earlier.previous
    }
    // A price that begins where there was none is a new one, not a reduced one.
    guard let last = day, amount(on: last) != nil else { return nil }
    var lowest: Amount?
    for _ in 0..<Self.daysOfReduction {
      guard let earlier = day else { break }
      if let amount = amount(on: earlier) {
        guard charged(earlier) == currency else { return nil }
        lowest = lowest.map { min($0, amount) } ?? amount
      }
      day = earlier.previous
    }
    return lowest.flatMap { $0 > today ? $0 : nil }
  }

  /// Whether anything starts or ends.
  private func hasDays(in storefront: Int) -> Bool {
    for index in own.indices(in: storefront) where !own.prices[index].days.isAlways { return true }
    for tier in tiers {
      if !tier.days.isAlways { return true }
      guard let prices = tier.prices else { continue }
      for index in prices.indices(in: storefront) where !prices.prices[index].days.isAlways { return true }
    }
    return false
  }
}

extension Days {
  /// Whether they neither start nor end.
  var isAlways: Bool { first == nil && last == nil }
}

import PriceTag

/// The prices of one price list in the requested storefronts.
struct StorefrontPrices: Sendable {
  /// A price and the dates on which it applies.
  struct Price: Sendable {
    var amount: Amount
    /// The currency's code. A short string is stored inline, so copying it does not update a reference count, for which
    /// threads would contend.
    let currency: String
    var days: DateRange
    /// The currency, if it is a custom one that the storefront charges beside its own.
    var custom: Currency?
    /// Whether the currency is a custom one, even if the storefront does not charge it.
    var isCustom = false
  }

  /// The prices, grouped by storefront, sorted by first day within each.
  private(set) var prices: [Price] = []
  /// The range of each storefront in `prices`, by the storefront's index in the request.
  private var ranges: [Range<Int32>]

  init(storefronts count: Int) {
    ranges = Array(repeating: 0..<0, count: count)
  }

  /// Adds a price. All prices of a storefront must be added consecutively.
  mutating func append(_ price: Price, in storefront: Int) {
    let end = Int32(prices.count)
    ranges[storefront] = (ranges[storefront].isEmpty ? end : ranges[storefront].lowerBound)..<end + 1
    prices.append(price)
  }

  /// Returns whether a date range starts after that of the last price added.
  func isAfterLast(_ days: DateRange) -> Bool { prices.last.map { $0.days < days } ?? true }

  /// Returns the indices of a storefront's prices.
  func indices(in storefront: Int) -> Range<Int> {
    Int(ranges[storefront].lowerBound)..<Int(ranges[storefront].upperBound)
  }

  /// Returns the index of a storefront's price on a date.
  func index(in storefront: Int, on date: CalendarDate) -> Int? {
    for index in indices(in: storefront) where prices[index].days.contains(date) { return index }
    return nil
  }
}

/// The prices of a product or an offer by storefront and date: its own prices, or else those of its tiers.
struct PriceSchedule: Sendable {
  /// A tier and the dates on which it applies.
  struct Tier: Sendable {
    let name: String
    let days: DateRange
    /// `nil` if the catalog does not have the tier.
    let prices: StorefrontPrices?
  }

  let own: StorefrontPrices
  /// The tiers, sorted by first day.
  let tiers: [Tier]
  /// The replaced prices by storefront: `nil` where no price was replaced; empty for offers, and if the catalog has no history.
  var histories: [PriceHistory?] = []

  /// The price on a date.
  enum DatedPrice {
    /// `custom` is the currency, if it is not the storefront's own.
    case price(Amount, custom: Currency?, tier: String?)
    case missing(MissingReason)
  }

  /// The reason why there is no price on a date.
  enum MissingReason {
    case startsOn(CalendarDate)
    case hasEnded
    case isMissing
    case unknownTier(String)
    case isMissingInTier(String)
    case isInAnotherCurrency(String, isCustom: Bool)
  }

  /// Returns the price on a date.
  ///
  /// - Parameters:
  ///   - storefront: The index of the storefront.
  ///   - date: The date.
  ///   - currency: The currency that the storefront charges on the date.
  func price(in storefront: Int, on date: CalendarDate, currency: String) -> DatedPrice {
    if let index = own.index(in: storefront, on: date) {
      return Self.price(own.prices[index], nil, currency: currency)
    }
    let tier = tiers.first { $0.days.contains(date) }
    if let tier, let prices = tier.prices, let index = prices.index(in: storefront, on: date) {
      return Self.price(prices.prices[index], tier.name, currency: currency)
    }
    return .missing(missingReason(in: storefront, on: date, tier))
  }

  private static func price(
    _ price: StorefrontPrices.Price,
    _ tier: String?,
    currency: String
  ) -> DatedPrice {
    price.custom != nil || price.currency == currency
      ? .price(price.amount, custom: price.custom, tier: tier)
      : .missing(.isInAnotherCurrency(price.currency, isCustom: price.isCustom))
  }

  private func missingReason(in storefront: Int, on date: CalendarDate, _ tier: Tier?) -> MissingReason {
    var ranges = own.indices(in: storefront).map { own.prices[$0].days }
    if let prices = tier?.prices { ranges += prices.indices(in: storefront).map { prices.prices[$0].days } }
    if let next = ranges.lazy.compactMap(\.first).first(where: { $0 > date }) { return .startsOn(next) }
    if !ranges.isEmpty { return .hasEnded }
    guard let tier else { return .isMissing }
    return tier.prices == nil ? .unknownTier(tier.name) : .isMissingInTier(tier.name)
  }

  /// Returns the next price that differs from the current one, and its first day.
  ///
  /// - Parameters:
  ///   - storefront: The index of the storefront.
  ///   - date: The date of the current price.
  ///   - currency: Returns the currency that the storefront charges on a date.
  func change(
    in storefront: Int,
    after date: CalendarDate,
    currency currencyOn: (CalendarDate) -> String
  ) -> (firstDay: CalendarDate, amount: Amount, custom: Currency?)? {
    // Most products have one price without dates.
    guard hasDates(in: storefront), let current = price(in: storefront, on: date, currencyOn) else {
      return nil
    }
    for day in changeDates(in: storefront, after: date) {
      if let next = price(in: storefront, on: day, currencyOn), next != current {
        return (day, next.amount, next.custom)
      }
    }
    return nil
  }

  /// The price of a day, with the code of its currency.
  private struct DayPrice: Equatable {
    let amount: Amount
    let currency: String
    let custom: Currency?
  }

  private func price(
    in storefront: Int,
    on day: CalendarDate,
    _ currencyOn: (CalendarDate) -> String
  ) -> DayPrice? {
    let currency = currencyOn(day)
    guard case .price(let amount, let custom, _) = price(in: storefront, on: day, currency: currency)
    else { return nil }
    return DayPrice(amount: amount, currency: custom?.code ?? currency, custom: custom)
  }

  /// Returns the last day of the price on a date: the day before another price, or before days without a price.
  ///
  /// - Parameters:
  ///   - storefront: The index of the storefront.
  ///   - date: The date of the price.
  ///   - currency: Returns the currency that the storefront charges on a date.
  /// - Returns: The day; `nil` if the price has no end.
  func lastDay(
    in storefront: Int,
    on date: CalendarDate,
    currency currencyOn: (CalendarDate) -> String
  ) -> CalendarDate? {
    guard hasDates(in: storefront), let current = price(in: storefront, on: date, currencyOn) else {
      return nil
    }
    let end = changeDates(in: storefront, after: date).first { day in
      price(in: storefront, on: day, currencyOn) != current
    }
    return end?.previous
  }

  /// Returns the days after a date on which a price or a tier starts, or is over, in order.
  private func changeDates(in storefront: Int, after date: CalendarDate) -> [CalendarDate] {
    var changeDates: Set<CalendarDate> = []
    func add(_ days: DateRange) {
      for day in [days.first, days.last?.next].compactMap(\.self) where day > date { changeDates.insert(day) }
    }
    for index in own.indices(in: storefront) { add(own.prices[index].days) }
    for tier in tiers {
      add(tier.days)
      guard let prices = tier.prices else { continue }
      for index in prices.indices(in: storefront) { add(prices.prices[index].days) }
    }
    return changeDates.sorted()
  }

  /// The number of days before a reduction whose lowest price is the previous price, and the number of days after it
  /// for which the price counts as reduced.
  private static let reductionDayCount = 30

  /// The previous price of a price.
  enum Reduction: Equatable {
    /// The price was not reduced, the reduction is more than 30 days old, or an earlier price was in another currency.
    case none
    /// The price was reduced from this one, the lowest of the 30 days before the reduction.
    case from(Amount)
    /// The price was reduced, but the prices of the 30 days before are not known.
    case unknown
  }

  /// Returns the previous price of a reduced price: the lowest price of the 30 days before the reduction.
  ///
  /// - Parameters:
  ///   - storefront: The index of the storefront.
  ///   - date: The date of the current price.
  ///   - currency: Returns the currency that the storefront charges on a date.
  func reduction(
    in storefront: Int,
    on date: CalendarDate,
    currency currencyOn: (CalendarDate) -> String
  ) -> Reduction {
    let history = histories.isEmpty ? nil : histories[storefront]
    guard history != nil || hasDates(in: storefront),
      let current = price(in: storefront, on: date, currencyOn)
    else { return .none }
    /// The prices of a day; `nil` if they are unknown.
    func prices(on day: CalendarDate) -> [DayPrice]? {
      func current() -> DayPrice? { price(in: storefront, on: day, currencyOn) }
      func isStated(_ days: DateRange) -> Bool {
        guard let first = days.first, first <= day else { return false }
        // A price without dates starts on the first day of its currency.
        return first.previous.map { currencyOn($0) == currencyOn(first) } ?? true
      }
      func replaced(_ price: StorefrontPrices.Price) -> DayPrice? {
        guard case .price(let amount, let custom, _) = Self.price(price, nil, currency: currencyOn(day))
        else { return nil }
        return DayPrice(amount: amount, currency: custom?.code ?? price.currency, custom: custom)
      }
      // The dates of a file take precedence.
      guard let history, !states(in: storefront, on: day, isStated) else {
        return [current()].compactMap(\.self)
      }
      return history.prices(on: day, current: current, replaced: replaced, isStated: isStated)
    }
    func isSame(_ prices: [DayPrice]) -> Bool {
      prices.min { $0.amount < $1.amount } == current && prices.allSatisfy { $0.currency == current.currency }
    }
    // Of two prices on the date itself, the lower one counts.
    if let today = prices(on: date),
      today.contains(where: { $0.currency != current.currency || $0.amount < current.amount })
    {
      return .none
    }
    var day = date.previous
    var age = 1
    while let earlier = day, let prices = prices(on: earlier), isSame(prices) {
      guard age < Self.reductionDayCount else { return .none }
      age += 1
      day = earlier.previous
    }
    // A price that follows a gap is a new price, not a reduced one.
    guard let last = day, let previous = prices(on: last), !previous.isEmpty else { return .none }
    var lowest: Amount?
    var isUnknown = false
    for _ in 0..<Self.reductionDayCount {
      guard let earlier = day else { break }
      if let prices = prices(on: earlier) {
        for price in prices {
          guard price.currency == current.currency else { return .none }
          lowest = lowest.map { min($0, price.amount) } ?? price.amount
        }
      } else {
        isUnknown = true
      }
      day = earlier.previous
    }
    guard let lowest, lowest > current.amount else { return .none }
    return isUnknown ? .unknown : .from(lowest)
  }

  /// Returns whether the current prices state the price of a date.
  private func states(in storefront: Int, on date: CalendarDate, _ isStated: (DateRange) -> Bool) -> Bool {
    // Only the price of the day can state it: one that has ended says nothing about the days after it.
    func isStatedPrice(_ prices: StorefrontPrices) -> Bool? {
      prices.index(in: storefront, on: date).map { isStated(prices.prices[$0].days) }
    }
    if let own = isStatedPrice(own) { return own }
    return tiers.first { $0.days.contains(date) }?.prices.flatMap(isStatedPrice) ?? false
  }

  /// Returns whether a price or a tier has a start or an end.
  private func hasDates(in storefront: Int) -> Bool {
    for index in own.indices(in: storefront) where !own.prices[index].days.isAlways { return true }
    for tier in tiers {
      if !tier.days.isAlways { return true }
      guard let prices = tier.prices else { continue }
      for index in prices.indices(in: storefront) where !prices.prices[index].days.isAlways { return true }
    }
    return false
  }
}

extension DateRange {
  /// Whether the range has neither a start nor an end.
  var isAlways: Bool { first == nil && last == nil }
}

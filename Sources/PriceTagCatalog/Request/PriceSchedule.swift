import PriceTag

/// What something costs in one storefront, day by day: its own prices, and where it has none, those of its tiers.
struct PriceSchedule {
  /// In the order of their days.
  var own: [CatalogPrice] = []
  var tiers: [TierPeriod] = []
  /// By the bytes of the tier's name (two that look alike are two tiers), in the order of their days.
  var tierPrices: [[UInt8]: [CatalogPrice]] = [:]
  let storefront: Storefront

  /// What it costs on a day.
  enum Answer: Equatable {
    case price(CatalogPrice, tier: String?)
    /// There is none, and why.
    case none(String)
  }

  func answer(on date: CalendarDate) -> Answer {
    let tier = tiers.first { $0.days.contains(date) }?.tier
    let price: CatalogPrice
    var isOfTier = false
    if let found = own.first(where: { $0.days.contains(date) }) {
      price = found
    } else if let tier, let found = tierPrices[Array(tier.utf8)]?.first(where: { $0.days.contains(date) }) {
      price = found
      isOfTier = true
    } else {
      let known = own + (tier.flatMap { tierPrices[Array($0.utf8)] } ?? [])
      let reason =
        if let next = known.first(where: { ($0.days.first ?? date) > date })?.days.first {
          "its first price there is of \(next)"
        } else if !known.isEmpty {
          "its last price there has ended"
        } else if let tier {
          tierPrices[Array(tier.utf8)] == nil
            ? "the catalogue has no tier \(quoted(tier))" : "its tier \(quoted(tier)) has none there"
        } else { "it has none there" }
      return .none(reason)
    }
    let charged = storefront.currency(on: date)
    guard price.currency == charged else {
      return .none("its price is in \(price.currency), and \(storefront.id) charges \(charged) then")
    }
    return .price(price, tier: isOfTier ? tier : nil)
  }

  /// The next price that is another one, and the day that it holds from.
  func change(after date: CalendarDate) -> (firstDay: CalendarDate, price: CatalogPrice)? {
    guard case .price(let today, _) = answer(on: date) else { return nil }
    let days = own.map(\.days) + tiers.map(\.days) + tierPrices.values.flatMap { $0.map(\.days) }
    let turns = Set(days.flatMap { [$0.first, $0.last?.next] }.compactMap(\.self)).filter { $0 > date }
    for day in turns.sorted() {
      if case .price(let price, _) = answer(on: day),
        price.amount != today.amount || price.currency != today.currency
      {
        return (day, price)
      }
    }
    return nil
  }
}

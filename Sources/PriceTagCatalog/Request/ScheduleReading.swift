import GRDB
import PriceTag

/// Reads what something costs in one storefront, from one state of a catalogue.
final class ScheduleReading {
  private let storefront: Storefront
  private let localeData: LocaleData
  private let findPrices: Statement
  private let findTiers: Statement
  private let findTier: Statement
  /// Of the tiers that were read so far; `nil` for one that the catalogue does not have.
  private var tierPrices: [[UInt8]: [CatalogPrice]?] = [:]

  init(_ database: Database, _ storefront: Storefront, _ localeData: LocaleData) throws {
    (self.storefront, self.localeData) = (storefront, localeData)
    findPrices = try database.cachedStatement(
      sql: "SELECT amount, currency, first_day, last_day FROM price WHERE list = ? AND storefront = ?"
    )
    findTiers = try database.cachedStatement(
      sql: "SELECT tier, first_day, last_day FROM tier_period WHERE list = ?"
    )
    findTier = try database.cachedStatement(sql: "SELECT list FROM tier WHERE name = ?")
  }

  /// The schedule of a list of prices and of its tiers.
  func schedule(of list: Int64) throws -> PriceSchedule {
    var schedule = PriceSchedule(storefront: storefront)
    schedule.own = try prices(of: list)
    let tiers = try Row.fetchCursor(findTiers, arguments: [list])
    while let row = try tiers.next() {
      schedule.tiers.append(TierPeriod(try row.decode(atIndex: 0), days: try .stored(row, at: 1)))
    }
    for period in schedule.tiers {
      schedule.tierPrices[Array(period.tier.utf8)] = try prices(ofTier: period.tier)
    }
    return schedule
  }

  private func prices(ofTier tier: String) throws -> [CatalogPrice]? {
    let key = Array(tier.utf8)
    if let known = tierPrices[key] { return known }
    let found = try Int64.fetchOne(findTier, arguments: [tier]).map { try prices(of: $0) }
    tierPrices[key] = found
    return found
  }

  private func prices(of list: Int64) throws -> [CatalogPrice] {
    let found = try Row.fetchCursor(findPrices, arguments: [list, storefront.id])
    var prices: [CatalogPrice] = []
    while let row = try found.next() {
      let code: String = try row.decode(atIndex: 1)
      // Mostly what the storefront charges: that one is at hand.
      let charged = storefront.currencyPeriods.first { $0.currency.code == code }?.currency
      prices.append(
        CatalogPrice(
          storefront: storefront.id,
          amount: try Amount(decimal: row.decode(atIndex: 0)),
          currency: try charged ?? Currency(code, in: localeData),
          days: try .stored(row, at: 2)
        )
      )
    }
    return prices
  }
}

import GRDB
import PriceTag

/// Reads what products and offers cost in some storefronts: their own prices, and those of their tiers. Every row is
/// checked, and that none is missing.
final class PriceScheduleReading {
  private let database: Database
  private let storefronts: [Storefront]
  private let numbers: StorefrontNumbers
  private let localeData: LocaleData
  private let hasChecksums: Bool
  private let sets: PartSets

  private let findPrices: CatalogStatement
  private let findTiers: CatalogStatement
  private let findTier: CatalogStatement

  /// By the bytes of the name: two that look alike are two tiers. `nil` for one that the catalog does not have.
  private var tiers = BoundedCache<[UInt8], StorefrontPrices?>(limit: 1000)
  private var currencies: [String: String] = [:]
  /// By the number of a set of storefronts.
  private var knownCounts = BoundedCache<Int64, [Int]>(limit: 1000)

  init(
    _ database: Database,
    _ storefronts: [Storefront],
    _ numbers: StorefrontNumbers,
    _ localeData: LocaleData,
    hasChecksums: Bool
  ) throws {
    (self.database, self.storefronts, self.numbers) = (database, storefronts, numbers)
    (self.localeData, self.hasChecksums, sets) = (localeData, hasChecksums, PartSets(database))
    // One storefront's rows are found without passing over the others'.
    findPrices = try CatalogTable.price.select(
      storefronts.count == 1
        ? "list = ? AND storefront = ? ORDER BY first_day" : "list = ? ORDER BY storefront, first_day",
      database,
      hasChecksums
    )
    findTiers = try CatalogTable.tierPeriod.select("list = ? ORDER BY first_day", database, hasChecksums)
    findTier = try CatalogTable.tier.select("name = ?", database, hasChecksums)
  }

  private func verify(_ table: CatalogTable, _ row: CatalogStatement) throws {
    if hasChecksums { try table.verify(row) }
  }

  /// Returns how many rows a set has of each of the storefronts, by their numbers.
  func counts(_ number: Int64) throws -> [Int] {
    if let known = knownCounts[number] { return known }
    var counts = Array(repeating: 0, count: storefronts.count)
    for (name, count) in try sets.set(number).members {
      if let index = numbers[name] { counts[index] = count }
    }
    knownCounts.keep(counts, for: number)
    return counts
  }

  /// A list of prices and its tiers.
  ///
  /// - Parameters:
  ///   - set: The number of the set of its storefronts; `nil` where the catalog has no checksums.
  ///   - periods: How many tiers it has; `nil` where the catalog has no checksums.
  func schedule(of list: Int64, _ set: Int64?, _ periods: Int64?) throws -> PriceSchedule {
    var tiers: [TierPeriod] = []
    if periods != 0 {
      try findTiers.forEachRow(.integer(list)) {
        try verify(.tierPeriod, findTiers)
        tiers.append(
          TierPeriod(
            try findTiers.requiredText(TierPeriodColumn.tier),
            days: try .stored(findTiers, TierPeriodColumn.firstDay, .lastDay)
          )
        )
      }
      guard periods == nil || periods == Int64(tiers.count) else {
        throw DamagedCatalog(problem: "its tiers are not those that were imported")
      }
    }
    return PriceSchedule(
      own: try prices(of: list, set),
      tiers: try tiers.map { period in
        PriceSchedule.Tier(name: period.tier, days: period.days, prices: try prices(ofTier: period.tier))
      }
    )
  }

  private func prices(ofTier name: String) throws -> StorefrontPrices? {
    let key = Array(name.utf8)
    if let known = tiers[key] { return known }
    let list = try findTier.firstRow(.text(name)) {
      try verify(.tier, findTier)
      guard try findTier.requiredText(TierColumn.name).utf8.elementsEqual(name.utf8) else {
        throw DamagedCatalog.checksum(of: .tier)
      }
      return (
        number: try findTier.requiredInteger(TierColumn.list),
        set: hasChecksums ? try findTier.requiredInteger(TierColumn.priceSet) : nil
      )
    }
    if list == nil, hasChecksums { try SecondIndex.tier.check(name, isFound: false, database) }
    let found = try list.map { try prices(of: $0.number, $0.set) }
    tiers.keep(found, for: key)
    return found
  }

  private func prices(of list: Int64, _ set: Int64?) throws -> StorefrontPrices {
    var prices = StorefrontPrices(storefronts: storefronts.count)
    if set == 0 { return prices }
    let ofList = hasChecksums ? PriceRow.checksum(of: list) : nil
    var last = -1
    try findPrices.forEachRow(arguments(list)) {
      guard let number = numbers[try findPrices.requiredBytes(PriceColumn.storefront)] else { return }
      let row = try PriceRow(findPrices, ofList)
      let price = StorefrontPrices.Price(
        amount: try row.amount(),
        currency: try currency(row.currency),
        days: try row.days()
      )
      // A storefront's prices stand together, in the order of their days.
      guard number == last || prices.indices(in: number).isEmpty,
        number != last || prices.isAfterLast(price.days)
      else { throw DamagedCatalog(problem: "its prices are out of order") }
      last = number
      prices.append(price, in: number)
    }
    guard let set else { return prices }
    for (number, count) in try counts(set).enumerated() {
      guard prices.indices(in: number).count == count else {
        throw DamagedCatalog(
          problem: "its prices in \(storefronts[number].id) are not those that were imported"
        )
      }
    }
    return prices
  }

  /// A currency's code as the registry writes it.
  private func currency(_ code: String) throws -> String {
    if let known = currencies[code] { return known }
    let currency = try Currency(code, in: localeData).code
    currencies[code] = currency
    return currency
  }

  /// The arguments that find a list's prices, or those of one storefront where there is one.
  private func arguments(_ list: Int64) -> [CatalogValue] {
    if storefronts.count == 1, let only = storefronts.first { return [.integer(list), .text(only.id)] }
    return [.integer(list)]
  }
}

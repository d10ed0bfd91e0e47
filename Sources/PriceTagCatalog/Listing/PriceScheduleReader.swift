import GRDB
import PriceTag

/// Reads the price schedules of products and offers in the requested storefronts: their own prices and those of their
/// tiers. Verifies every row, and that no row is missing.
final class PriceScheduleReader {
  private let database: Database
  private let storefronts: [Storefront]
  private let storefrontIndices: StorefrontIndices
  private let localeData: LocaleData
  private let hasChecksums: Bool
  private let sets: PartSetStore

  private let findPrices: CatalogStatement
  private let findTiers: CatalogStatement
  private let findTier: CatalogStatement

  /// The prices of tiers, by name; `nil` for a tier that the catalog does not have.
  private var tiers = BoundedCache<ExactText, StorefrontPrices?>(limit: 1000)
  private var currencies: [String: Currency] = [:]
  /// The row counts of part sets, by set ID.
  private var cachedCounts = BoundedCache<Int64, [Int]>(limit: 1000)

  init(
    _ database: Database,
    _ storefronts: [Storefront],
    _ storefrontIndices: StorefrontIndices,
    _ localeData: LocaleData,
    hasChecksums: Bool
  ) throws {
    (self.database, self.storefronts, self.storefrontIndices) = (database, storefronts, storefrontIndices)
    (self.localeData, self.hasChecksums, sets) = (localeData, hasChecksums, PartSetStore(database))
    // For a single storefront, the primary key finds its rows without scanning the others.
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

  /// Returns the number of rows that a part set has for each requested storefront.
  func counts(_ setID: Int64) throws -> [Int] {
    if let cached = cachedCounts[setID] { return cached }
    var counts = Array(repeating: 0, count: storefronts.count)
    for (name, count) in try sets.set(setID).members {
      if let index = storefrontIndices[name] { counts[index] = count }
    }
    cachedCounts.store(counts, for: setID)
    return counts
  }

  /// Returns the schedule of a price list.
  ///
  /// - Parameters:
  ///   - list: The ID of the list.
  ///   - setID: The ID of the set of its storefronts; `nil` for a catalog without checksums.
  ///   - tierCount: The number of its tiers; `nil` for a catalog without checksums.
  func schedule(of list: Int64, _ setID: Int64?, _ tierCount: Int64?) throws -> PriceSchedule {
    var tiers: [TierPeriod] = []
    if tierCount != 0 {
      try findTiers.forEachRow(.integer(list)) {
        try verify(.tierPeriod, findTiers)
        tiers.append(
          TierPeriod(
            try findTiers.requiredText(TierPeriodColumn.tier),
            days: try .stored(findTiers, TierPeriodColumn.firstDay, .lastDay)
          )
        )
      }
      guard tierCount == nil || tierCount == Int64(tiers.count) else {
        throw DamagedCatalog.mismatch("tiers")
      }
    }
    return PriceSchedule(
      own: try prices(of: list, setID),
      tiers: try tiers.map { period in
        PriceSchedule.Tier(name: period.tier, days: period.days, prices: try prices(ofTier: period.tier))
      }
    )
  }

  private func prices(ofTier name: String) throws -> StorefrontPrices? {
    let key = ExactText(name)
    if let cached = tiers[key] { return cached }
    let list = try findTier.firstRow(.text(name)) {
      try verify(.tier, findTier)
      guard try findTier.requiredText(TierColumn.name).utf8.elementsEqual(name.utf8) else {
        throw DamagedCatalog.checksum(of: .tier)
      }
      return (
        id: try findTier.requiredInteger(TierColumn.list),
        setID: hasChecksums ? try findTier.requiredInteger(TierColumn.priceSet) : nil
      )
    }
    if list == nil, hasChecksums { try IndexCrossCheck.tier.check(name, isFound: false, database) }
    let found = try list.map { try prices(of: $0.id, $0.setID) }
    tiers.store(found, for: key)
    return found
  }

  private func prices(of list: Int64, _ setID: Int64?) throws -> StorefrontPrices {
    var prices = StorefrontPrices(storefronts: storefronts.count)
    if setID == 0 { return prices }
    let listChecksum = hasChecksums ? PriceRow.checksum(ofList: list) : nil
    var lastIndex = -1
    try findPrices.forEachRow(arguments(list)) {
      guard let index = storefrontIndices[try findPrices.requiredBytes(PriceColumn.storefront)] else {
        return
      }
      let row = try PriceRow(findPrices, listChecksum)
      let currency = try currency(row.currency)
      var price = StorefrontPrices.Price(
        amount: try row.amount(),
        currency: currency.code,
        days: try row.days()
      )
      price.isCustom = currency.kind == .custom
      // The store's own currency depends on the date, and is compared later.
      if storefronts[index].chargesCustom(currency) { price.custom = currency }
      // A storefront's prices are consecutive, sorted by first day.
      guard index == lastIndex || prices.indices(in: index).isEmpty,
        index != lastIndex || prices.isAfterLast(price.days)
      else { throw DamagedCatalog(problem: "its prices are out of order") }
      lastIndex = index
      prices.append(price, in: index)
    }
    guard let setID else { return prices }
    for (index, count) in try counts(setID).enumerated() {
      guard prices.indices(in: index).count == count else {
        throw DamagedCatalog.mismatch("prices in \(storefronts[index].id)")
      }
    }
    return prices
  }

  private func currency(_ code: String) throws -> Currency {
    if let cached = currencies[code] { return cached }
    let currency = try localeData.currency(ofIntactRow: hasChecksums, code)
    currencies[code] = currency
    return currency
  }

  /// Returns the arguments of `findPrices`.
  private func arguments(_ list: Int64) -> [CatalogValue] {
    if storefronts.count == 1, let storefront = storefronts.first {
      return [.integer(list), .text(storefront.id)]
    }
    return [.integer(list)]
  }
}

import GRDB
import PriceTag

/// Reads the price schedules of products and offers in the requested storefronts: their own prices and those of their
/// tiers. Verifies every row, and that no row is missing.
final class PriceScheduleReader {
  private let store: CatalogStore
  private let storefronts: [Storefront]
  private let storefrontIndices: StorefrontIndices
  private let findPrices: CatalogStatement

  /// The prices of tiers, by name; `nil` for a tier that the catalog does not have.
  private var tiers = BoundedCache<ExactText, StorefrontPrices?>(limit: 1000)
  /// The last price of each storefront. Most of its prices are in the same currency.
  @exclusivity(unchecked) private var lastPrices: [StorefrontPrices.Price?]
  /// Whether the catalog has a history.
  private lazy var hasHistory = Result { try store.hasHistory() }
  /// The row counts of part sets, by set ID.
  private var cachedCounts = BoundedCache<Int64, [Int]>(limit: 1000)

  init(
    _ store: CatalogStore,
    _ storefronts: [Storefront],
    _ storefrontIndices: StorefrontIndices
  ) throws {
    (self.store, self.storefronts, self.storefrontIndices) = (store, storefronts, storefrontIndices)
    lastPrices = Array(repeating: nil, count: storefronts.count)
    // For a single storefront, the primary key finds its rows without scanning the others.
    findPrices = try store.select(
      .price,
      storefronts.count == 1
        ? "list = ? AND storefront = ? ORDER BY first_day" : "list = ? ORDER BY storefront, first_day"
    )
  }

  /// Returns the number of rows that a part set has for each requested storefront.
  func counts(_ setID: Int64) throws -> [Int] {
    if let cached = cachedCounts[setID] { return cached }
    var counts = Array(repeating: 0, count: storefronts.count)
    for (name, count) in try store.sets.set(setID).members {
      if let index = storefrontIndices[name] { counts[index] = count }
    }
    cachedCounts.store(counts, for: setID)
    return counts
  }

  /// Returns the schedule of a price list.
  ///
  /// - Parameters:
  ///   - list: The ID of the list.
  ///   - setID: The ID of the set of its storefronts.
  ///   - tierCount: The number of its tiers.
  func schedule(of list: Int64, _ setID: Int64, _ tierCount: Int64) throws -> PriceSchedule {
    let tiers = try tiers(of: list, tierCount)
    return PriceSchedule(own: try prices(of: list, setID), tiers: tiers)
  }

  /// Returns the histories of a product's prices in the requested storefronts; an empty array if the catalog has no history.
  func histories(of product: String) throws -> [PriceHistory?] {
    guard try hasHistory.get() else { return [] }
    return try store.histories(of: product, in: storefronts, storefrontIndices) { index, price in
      self.price(price.amount, try store.currency(price.currency), price.days, of: index)
    }
  }

  /// Calls the body with the schedule of each product of the catalog, in store order. One statement reads the prices of all
  /// products, which is half the work of one statement for each.
  ///
  /// - Parameters:
  ///   - products: All products of the catalog, in store order.
  ///   - storefront: The only requested storefront.
  ///   - body: A closure called with each product and with its schedule.
  func forEachSchedule(
    of products: [OutlinedProduct],
    in storefront: Storefront,
    body: (OutlinedProduct, PriceSchedule) throws -> Void
  ) throws {
    // A product without prices has a row, too, so that no step of SQLite passes over many products. The prices of a product are
    // in the order of their key, which `add` checks.
    let rows = try CatalogStatement(
      store.database,
      """
      SELECT \(CatalogTable.price.selection), owner \
      FROM (SELECT id AS owner, list AS owned, sort_order, identifier FROM product) \
      LEFT JOIN price ON list = owned AND storefront = ? ORDER BY \(ProductOrder.columns)
      """
    )
    let ownerIndex = PriceColumn.allCases.count
    var remaining = products.makeIterator()
    var current: OutlinedProduct?
    var prices = StorefrontPrices(storefronts: 1)
    func finishProduct(_ product: OutlinedProduct) throws {
      let schedule = try DamagedCatalog.naming(product.terms.identifier) {
        try check(prices, product.priceSet)
        return PriceSchedule(own: prices, tiers: try tiers(of: product.list, product.tierCount))
      }
      try body(product, schedule)
      prices = StorefrontPrices(storefronts: 1)
    }
    try rows.forEachRow(.text(storefront.id)) {
      let owner = try rows.integer(at: ownerIndex)
      if current?.row != owner {
        if let current { try finishProduct(current) }
        current = remaining.next()
      }
      guard let product = current, product.row == owner else { throw DamagedCatalog.mismatch("products") }
      guard let list = try rows.integer(PriceColumn.list) else { return }
      try DamagedCatalog.naming(product.terms.identifier) {
        guard list == product.list else { throw DamagedCatalog.mismatch("prices") }
        try add(rows, of: 0, PriceRow.checksum(ofList: list), to: &prices)
      }
    }
    if let current { try finishProduct(current) }
    guard remaining.next() == nil else { throw DamagedCatalog.mismatch("products") }
  }

  private func tiers(of list: Int64, _ count: Int64) throws -> [PriceSchedule.Tier] {
    if count == 0 { return [] }
    return try store.tiers(of: list, count: count).map { period in
      PriceSchedule.Tier(name: period.tier, days: period.days, prices: try prices(ofTier: period.tier))
    }
  }

  private func prices(ofTier name: String) throws -> StorefrontPrices? {
    let key = ExactText(name)
    if let cached = tiers[key] { return cached }
    let found = try store.priceList(ofTier: name).map { try prices(of: $0.list, $0.setID) }
    tiers.store(found, for: key)
    return found
  }

  private func prices(of list: Int64, _ setID: Int64) throws -> StorefrontPrices {
    var prices = StorefrontPrices(storefronts: storefronts.count)
    if setID == 0 { return prices }
    let listChecksum = PriceRow.checksum(ofList: list)
    var lastIndex = -1
    try findPrices.forEachRow(list, in: storefronts) {
      let storefront = try findPrices.requiredBytes(PriceColumn.storefront)
      guard let index = storefrontIndices.index(storefront, after: lastIndex) else { return }
      // The prices of a storefront are consecutive.
      guard index == lastIndex || prices.indices(in: index).isEmpty else { throw Self.wrongOrder }
      lastIndex = index
      try add(findPrices, of: index, listChecksum, to: &prices)
    }
    try check(prices, setID)
    return prices
  }

  /// Adds the price of a statement's current row.
  private func add(
    _ row: CatalogStatement,
    of storefront: Int,
    _ listChecksum: RowChecksum,
    to prices: inout StorefrontPrices
  ) throws {
    let row = try PriceRow(row, listChecksum)
    let (amount, days) = (try row.amount(), try row.days())
    let price: StorefrontPrices.Price
    if var last = lastPrices[storefront], row.isIn(currency: last.currency) {
      (last.amount, last.days) = (amount, days)
      price = last
    } else {
      price = self.price(amount, try store.currency(row.currency), days, of: storefront)
      lastPrices[storefront] = price
    }
    guard prices.indices(in: storefront).isEmpty || prices.isAfterLast(price.days) else {
      throw Self.wrongOrder
    }
    prices.append(price, in: storefront)
  }

  private func price(
    _ amount: Amount,
    _ currency: Currency,
    _ days: DateRange,
    of storefront: Int
  ) -> StorefrontPrices.Price {
    var price = StorefrontPrices.Price(amount: amount, currency: currency.code, days: days)
    price.isCustom = currency.kind == .custom
    // The store's own currency depends on the date, and is compared later.
    if price.isCustom, storefronts[storefront].chargesCustom(currency) { price.custom = currency }
    return price
  }

  private static var wrongOrder: DamagedCatalog { DamagedCatalog(problem: "its prices are out of order") }

  /// Checks that no price of a set is missing.
  private func check(_ prices: StorefrontPrices, _ setID: Int64) throws {
    for (index, count) in try counts(setID).enumerated() {
      guard prices.indices(in: index).count == count else {
        throw DamagedCatalog.mismatch("prices in \(storefronts[index].id)")
      }
    }
  }
}

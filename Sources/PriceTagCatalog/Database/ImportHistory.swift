import GRDB
import PriceTag
import PriceTagText

/// When the prices of an import start, and what becomes of the prices that it replaces.
package struct ImportTiming: Sendable {
  /// The day of the import.
  package var day: StoreDay
  /// The date from which the prices count; `nil` for the day of the import.
  package var effective: CalendarDate?
  /// Whether the prices correct the replaced ones, which the history does not keep.
  package var corrects: Bool
  /// The number of days for which the history keeps a replaced price.
  package var historyDays: Int

  package init(
    day: StoreDay = .now,
    effective: CalendarDate? = nil,
    corrects: Bool = false,
    historyDays: Int = 400
  ) {
    (self.day, self.effective) = (day, effective)
    (self.corrects, self.historyDays) = (corrects, historyDays)
  }

  /// The day from which the prices count.
  var start: StoreDay { effective.map { .date($0) } ?? day }
}

/// Writes the prices that one import replaces to the history.
final class ImportHistory {
  private let store: CatalogStore
  private let timing: ImportTiming
  /// The products with a record of this import.
  private var recorded: Set<ExactText> = []
  /// The prices of tiers, by name.
  private var tiers = BoundedCache<ExactText, PriceTable?>(limit: 1000)
  /// The number of replaced prices.
  private(set) var replacedCount = 0

  init(_ store: CatalogStore, _ timing: ImportTiming) {
    (self.store, self.timing) = (store, timing)
  }

  /// Whether the history does not keep the replaced prices.
  var isCorrection: Bool { timing.corrects }
  /// Whether `check` may reject a product.
  var checksDates: Bool { timing.effective != nil && !timing.corrects }

  /// The day since which the catalog has a product that the import adds.
  var start: String { timing.start.description }

  /// Returns the day since which the catalog has a stored product. A product that schema 4 stored has been unchanged since the last
  /// import at the latest.
  func knownSince(_ stored: CatalogStore.StoredProduct) throws -> String {
    if let day = stored.knownSince { return day }
    return try store.currentTotals().changedAt
  }

  /// Returns the regular prices of a product.
  ///
  /// - Parameters:
  ///   - changed: A tier that does not have its stored prices.
  ///   - prices: The prices of this tier; `nil` if the catalog does not have it.
  func regularPrices(
    of product: CatalogProduct,
    tier changed: String? = nil,
    prices: PriceTable? = nil
  ) throws -> PriceTable {
    try store.regularPrices(of: product) { name in
      if name == changed { return prices }
      let key = ExactText(name)
      if let cached = tiers[key] { return cached }
      let prices = try store.tier(name)?.tier.prices
      tiers.store(prices, for: key)
      return prices
    }
  }

  /// Records that a product's prices change.
  ///
  /// - Parameters:
  ///   - knownSince: The day since which the catalog has the product; `nil` for a new product.
  ///   - isNew: Whether the import added the product.
  func record(_ product: String, knownSince: String?, isNew: Bool, _ old: PriceTable, _ new: PriceTable)
    throws
  {
    if timing.corrects { return }
    let last = try lastRecord(of: product)
    let isKnown = last != nil
    var number = last ?? 0
    // A new product has no history, even if several files describe it.
    if isNew, !isKnown { return }
    var old = old
    if recorded.remove(ExactText(product)) != nil {
      // An earlier file of this import has replaced the prices already.
      old = try original(old, product, number)
      try store.deleteRecord(of: product, number)
      number &-= 1
    }
    let replaced = ReplacedPrices.between(old, new)
    if replaced.isEmpty { return }
    if !isKnown, let knownSince, !knownSince.isEmpty {
      try store.insertRecord(of: product, 0, knownSince, "")
    }
    try store.insertRecord(of: product, number &+ 1, start, ReplacedPrices.text(replaced))
    recorded.insert(ExactText(product))
    replacedCount += replaced.lazy.filter { !$0.prices.isEmpty }.count
  }

  /// Stores the records of a product that the catalog does not have, unless it has a history of it.
  func restore(_ records: [PriceRecord], of product: String) throws {
    guard try lastRecord(of: product) == nil else { return }
    let isKnown = records.first?.text.isEmpty ?? false
    for (index, record) in records.enumerated() {
      let number = Int64(isKnown ? index : index + 1)
      try store.insertRecord(of: product, number, record.day.description, record.text)
    }
  }

  /// Returns the number of a product's last record.
  private func lastRecord(of product: String) throws -> Int64? {
    guard try store.hasHistory() else { return nil }
    let row = try store.statement("SELECT max(number) AS value FROM price_history WHERE product = ?")
    return try row.firstRow(.text(product)) { try row.integer(SingleColumn.value) } ?? nil
  }

  /// Returns the prices from before this import, whose record has the number `number`.
  private func original(_ prices: PriceTable, _ product: String, _ number: Int64) throws -> PriceTable {
    var original = prices.prices
    try store.forEachRecord(of: product) { found, _, text in
      guard found == number else { return }
      try store.forEachReplaced(in: text) { storefront, prices in
        original.removeAll { $0.storefront == storefront }
        if !prices.isEmpty { replacedCount -= 1 }
        original += prices
      }
    }
    return PriceTable(
      sorted: original.sorted {
        $0.storefront == $1.storefront ? $0.days < $1.days : $0.storefront < $1.storefront
      }
    )
  }

  /// Checks that products may be removed on the date of the import.
  ///
  /// - Throws: `.invalidRequest` if the date is in the future.
  func checkRemoval() throws(CatalogError) {
    guard !timing.corrects, let effective = timing.effective, effective > timing.day.dateInUTC else { return }
    throw CatalogError(
      .invalidRequest,
      "products cannot be removed from \(effective) on: that is after the date of the import",
      fix: "import the files on that date"
    )
  }

  /// Whether a new product needs its prices compared: with the date of the import, or with the history of a removed one.
  var concernsNewProducts: Bool {
    get throws { try checksDates || store.hasHistory() }
  }

  /// Checks that the date from which new prices count is not after the storefront's date, nor before the date from which the
  /// replaced prices count.
  ///
  /// - Throws: `RejectedItem`.
  func check(_ product: String, _ knownSince: String?, _ old: PriceTable, _ new: PriceTable) throws {
    guard checksDates, let effective = timing.effective else { return }
    let storefronts = ReplacedPrices.between(old, new).compactMap {
      try? Storefront($0.storefront, in: store.localeData)
    }
    let histories =
      try store.hasHistory()
      ? store.histories(of: product, in: storefronts, StorefrontIndices(storefronts)) { _, price in
        StorefrontPrices.Price(amount: price.amount, currency: price.currency, days: price.days)
      } : []
    func reject(_ storefront: Storefront, _ reason: String, fix: String) -> CatalogImport.RejectedItem {
      CatalogImport.RejectedItem(
        error: CatalogError(
          .invalidRequest,
          "the price in \(storefront.id) cannot count from \(effective): \(reason)",
          fix: fix
        )
      )
    }
    for (index, storefront) in storefronts.enumerated() {
      let date = try timing.day.date(in: storefront)
      guard effective <= date else {
        throw reject(
          storefront,
          "the date there is \(date)",
          fix: "import it on that date, or write the date into the file"
        )
      }
      var start = histories.isEmpty ? nil : histories[index]?.start
      if start == nil, let knownSince, !knownSince.isEmpty {
        start = try StoreDay(knownSince).date(in: storefront)
      }
      if let start, effective < start {
        throw reject(
          storefront,
          "the price that it replaces counts from \(start)",
          fix: "use that date or a later one, or --correct to replace the price without a history"
        )
      }
    }
  }

  /// Forgets the prices of tiers, of which one changes.
  func forgetTiers() { tiers = BoundedCache(limit: 1000) }

  /// Deletes the records that are too old.
  func deleteOld() throws {
    let day = timing.day.dateInUTC.daysSince1970
    guard let first = CalendarDate(daysSince1970: day - timing.historyDays) else { return }
    try store.deleteRecords(before: first)
  }
}

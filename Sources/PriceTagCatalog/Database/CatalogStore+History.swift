import GRDB
import PriceTag
import PriceTagSystem
import PriceTagText

// The history of prices.

extension CatalogStore {
  /// Whether the catalog has a history of any price.
  func hasHistory() throws -> Bool { try currentTotals().history.count > 0 }

  /// Calls the body with each record of a product's history, the oldest first. The record with the number 0 has no prices; its day
  /// is that since which the catalog has the product.
  func forEachRecord(
    of product: String,
    _ body: (_ number: Int64, _ day: StoreDay, _ replaced: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let row = try select(.priceHistory, "product = ? ORDER BY number")
    try row.forEachRow(.text(product)) {
      try CatalogTable.priceHistory.verify(row)
      guard try row.requiredText(PriceHistoryColumn.product).utf8.elementsEqual(product.utf8) else {
        throw DamagedCatalog.checksum(of: .priceHistory)
      }
      try body(
        row.requiredInteger(PriceHistoryColumn.number),
        StoreDay(row.requiredText(PriceHistoryColumn.day)),
        row.requiredBytes(PriceHistoryColumn.replaced)
      )
    }
  }

  /// Returns the histories of a product's prices in the requested storefronts; `nil` where no price was replaced.
  ///
  /// - Parameter price: Returns a price of a storefront, given by its index.
  func histories(
    of product: String,
    in storefronts: [Storefront],
    _ indices: StorefrontIndices,
    price: (_ storefront: Int, (amount: Amount, currency: String, days: DateRange)) throws ->
      StorefrontPrices.Price
  ) throws -> [PriceHistory?] {
    var histories: [PriceHistory?] = Array(repeating: nil, count: storefronts.count)
    var knownSince: StoreDay?
    try forEachRecord(of: product) { number, day, replaced in
      if number == 0 { knownSince = day }
      try ReplacedPrices.forEach(in: replaced) { id, entry in
        guard let index = indices[id] else { return }
        let storefront = storefronts[index]
        var history = try histories[index] ?? PriceHistory(start: knownSince?.date(in: storefront))
        let prices = try ReplacedPrices.prices(entry).map { try price(index, $0) }
        try history.replace(prices, on: day, day.date(in: storefront))
        histories[index] = history
      }
    }
    return histories
  }

  /// Returns the records of a product's history, the oldest first.
  func records(of product: String) throws -> [PriceRecord] {
    guard try hasHistory() else { return [] }
    var records: [PriceRecord] = []
    try forEachRecord(of: product) { _, day, replaced in
      var (prices, added): ([CatalogPrice], [String]) = ([], [])
      try forEachReplaced(in: replaced) { storefront, replaced in
        if replaced.isEmpty { added.append(storefront) }
        prices += replaced
      }
      records.append(PriceRecord(day: day, prices: PriceTable(sorted: prices), added: added))
    }
    return records
  }

  /// Calls the body with each storefront of a record's text, and the prices that were replaced in it.
  func forEachReplaced(
    in text: UnsafeRawBufferPointer,
    _ body: (_ storefront: String, _ prices: [CatalogPrice]) throws -> Void
  ) throws {
    try ReplacedPrices.forEach(in: text) { storefront, entry in
      let storefront = String(decoding: storefront, as: UTF8.self)
      let prices = try ReplacedPrices.prices(entry).map { amount, currency, days in
        CatalogPrice(
          storefront: storefront,
          amount: amount,
          currency: try self.currency(currency),
          days: days
        )
      }
      try body(storefront, prices)
    }
  }

  func insertRecord(of product: String, _ number: Int64, _ day: String, _ replaced: String) throws {
    try insert([
      PriceHistoryColumn.product: .text(product), .number: .integer(number), .day: .text(day),
      .replaced: .text(replaced),
    ])
    try changeTotals { $0.history.insert(.priceHistory, product, String(number)) }
  }

  func deleteRecord(of product: String, _ number: Int64) throws {
    try statement("DELETE FROM price_history WHERE product = ? AND number = ?")
      .run(.text(product), .integer(number))
    try changeTotals { $0.history.remove(.priceHistory, product, String(number)) }
  }

  /// Deletes the records of days before a date. The record with the number 0 remains.
  func deleteRecords(before date: CalendarDate) throws {
    guard try hasHistory() else { return }
    let row = try statement("SELECT product, number FROM price_history WHERE day < ? AND number > 0")
    var records: [(product: String, number: Int64)] = []
    try row.forEachRow(.text(date.description)) {
      records.append((try row.requiredText(RecordKey.product), try row.requiredInteger(RecordKey.number)))
    }
    for record in records { try deleteRecord(of: record.product, record.number) }
  }

  /// Verifies all records, and that none is missing.
  func checkHistory() throws {
    guard try CatalogSchema.version(database) > CatalogSchema.firstVersion else { return }
    let row = try CatalogTable.priceHistory.select("true", database)
    var found = KeyDigest()
    try row.forEachRow {
      try CatalogTable.priceHistory.verify(row)
      let product = try row.requiredText(PriceHistoryColumn.product)
      found.insert(.priceHistory, product, String(try row.requiredInteger(PriceHistoryColumn.number)))
      try DamagedCatalog.naming(product) {
        _ = try StoreDay(row.requiredText(PriceHistoryColumn.day))
        try ReplacedPrices.forEach(in: row.requiredBytes(PriceHistoryColumn.replaced)) { _, prices in
          _ = try ReplacedPrices.prices(prices)
        }
      }
    }
    try currentTotals().check(\.history, found, "records of the price history")
  }

  private enum RecordKey: Int, CatalogColumn {
    case product, number
  }

  /// Returns the regular prices of a product: its own, and those of its tiers where it has none.
  ///
  /// - Parameter tier: Returns the prices of a tier.
  func regularPrices(of product: CatalogProduct, tier: (String) throws -> PriceTable?) throws -> PriceTable {
    guard let tiers = product.tiers, !tiers.isEmpty else { return product.prices }
    let periods = try tiers.map { (days: $0.days, prices: try tier($0.tier) ?? PriceTable()) }
    let storefronts = Set(product.prices.storefronts + periods.flatMap(\.prices.storefronts)).sorted()
    return PriceTable(
      sorted: storefronts.flatMap { storefront in
        let own = product.prices[storefront]
        let tiers = periods.map { (days: $0.days, prices: $0.prices[storefront]) }
        if own.count == 1, own.first?.days == .always { return Array(own) }
        if own.isEmpty, tiers.count == 1, tiers[0].days == .always { return Array(tiers[0].prices) }
        // The days on which a price may change.
        let days = (own + tiers.flatMap(\.prices)).map(\.days) + tiers.map(\.days)
        let starts = Set(days.flatMap { [$0.first, $0.last?.next].compactMap(\.self) }).sorted()
        func price(_ contains: (DateRange) -> Bool) -> CatalogPrice? {
          own.first { contains($0.days) }
            ?? tiers.first { contains($0.days) }?.prices.first { contains($0.days) }
        }
        var prices: [CatalogPrice] = []
        for (first, last) in zip([nil] + starts, starts.map(\.previous) + [nil]) {
          let found = price { days in
            first.map { days.contains($0) } ?? (days.first == nil)
          }
          guard let found else { continue }
          prices.append(
            CatalogPrice(
              storefront: storefront,
              amount: found.amount,
              currency: found.currency,
              days: DateRange(uncheckedFirst: first, last: last)
            )
          )
        }
        return prices
      }
    )
  }
}

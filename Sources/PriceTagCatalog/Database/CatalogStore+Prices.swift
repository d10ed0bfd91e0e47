import GRDB
import PriceTag
import PriceTagSystem

// Price lists, tiers and groups.

extension CatalogStore {
  /// Returns the ID of a new price list.
  func newList() throws -> Int64 {
    let list = try currentTotals().nextList
    let (next, overflow) = list.addingReportingOverflow(1)
    guard !overflow else { throw DamagedCatalog(problem: "no price list ID is left") }
    try changeTotals { $0.nextList = next }
    return list
  }

  func prices(of list: Int64, setID: Int64) throws -> PriceTable {
    let rows = try select(.price, "list = ? ORDER BY storefront, first_day")
    let listChecksum = PriceRow.checksum(ofList: list)
    var prices: [CatalogPrice] = []
    var found = PartSet()
    try rows.forEachRow(.integer(list)) {
      let row = try PriceRow(rows, listChecksum)
      let storefront = String(decoding: row.storefront, as: UTF8.self)
      found.add(storefront)
      prices.append(
        CatalogPrice(
          storefront: storefront,
          amount: try row.amount(),
          currency: try currency(row.currency),
          days: try row.days()
        )
      )
    }
    try check(found, setID: setID, "prices")
    return PriceTable(sorted: prices)
  }

  /// Inserts the prices of a list.
  ///
  /// - Returns: The ID of the set of their storefronts.
  func write(_ table: PriceTable, of list: Int64) throws -> Int64 {
    if table.isEmpty { return 0 }
    let listChecksum = PriceRow.checksum(ofList: list)
    var storefronts = PartSet()
    var rest = table.prices[...]
    while !rest.isEmpty {
      let prices = rest.prefix(PriceRow.maximumInsertedCount)
      rest = rest[prices.endIndex...]
      // The texts of all rows, one after the other, and where they end; `nil` for null.
      var (texts, ends): ([UInt8], [Int?]) = ([], [])
      func append(_ text: String?) {
        if let text { texts += text.utf8 }
        ends.append(text == nil ? nil : texts.count)
      }
      for price in prices {
        storefronts.add(price.storefront)
        append(price.storefront)
        append(price.days.storedFirst)
        append(price.days.storedLast)
        append(price.amount.description)
        append(price.currency.code)
      }
      let rows = try statement(
        StatementKey(address: nil, table: .price, rowCount: prices.count),
        PriceRow.insertion(of: prices.count)
      )
      try rows.bind(0, list)
      // SQLite does not copy the texts.
      try texts.withUnsafeBytes { texts in
        var (checksum, start, parameter) = (listChecksum, 0, 1)
        for (index, end) in ends.enumerated() {
          if let end {
            let text = UnsafeRawBufferPointer(rebasing: texts[start..<end])
            checksum.add(text)
            try rows.bind(parameter, text, nil)
            start = end
          } else {
            checksum.addNull()
            try rows.bindNull(parameter)
          }
          parameter += 1
          // The checksum covers the five texts of a row, and is bound after them.
          guard index % 5 == 4 else { continue }
          try rows.bind(parameter, checksum.value)
          (checksum, parameter) = (listChecksum, parameter + 1)
        }
        try rows.runBound()
      }
    }
    return try sets.id(of: storefronts)
  }

  func tiers(of list: Int64, count: Int64) throws -> [TierPeriod] {
    let row = try select(.tierPeriod, "list = ? ORDER BY first_day")
    var tiers: [TierPeriod] = []
    try row.forEachRow(.integer(list)) {
      try CatalogTable.tierPeriod.verify(row)
      tiers.append(try TierPeriod(row))
    }
    try check(tiers.count, count: count, "tiers")
    return tiers
  }

  func write(_ tiers: [TierPeriod], of list: Int64) throws {
    for period in tiers {
      try insert([
        TierPeriodColumn.list: .integer(list),
        .firstDay: .text(period.days.storedFirst),
        .lastDay: CatalogValue(period.days.storedLast),
        .tier: .text(period.tier),
      ])
    }
  }

  func deleteList(_ list: Int64) throws {
    try statement("DELETE FROM price WHERE list = ?").run(.integer(list))
    try statement("DELETE FROM tier_period WHERE list = ?").run(.integer(list))
  }

  /// Returns the currency of a stored price.
  func currency(_ code: String) throws -> Currency {
    if let cached = currencies[code] { return cached }
    let currency = try localeData.currency(stored: code)
    currencies[code] = currency
    return currency
  }

  // MARK: Tiers and groups

  func tier(_ name: String) throws -> (list: Int64, tier: PriceTier)? {
    guard let found = try priceList(ofTier: name) else { return nil }
    return (found.list, PriceTier(name, prices: try prices(of: found.list, setID: found.setID)))
  }

  /// Returns the price list of a tier and the ID of the set of its storefronts, or `nil`.
  func priceList(ofTier name: String) throws -> (list: Int64, setID: Int64)? {
    let row = try select(.tier, "name = ?")
    let found = try row.firstRow(.text(name)) {
      try CatalogTable.tier.verify(row)
      guard try row.requiredText(TierColumn.name).utf8.elementsEqual(name.utf8) else {
        throw DamagedCatalog.checksum(of: .tier)
      }
      let list = try row.requiredInteger(TierColumn.list)
      return (list: list, setID: try row.requiredInteger(TierColumn.priceSet))
    }
    if found == nil { try IndexCrossCheck.tier.checkMissing(name, database) }
    return found
  }

  /// Inserts a tier, or replaces the stored one, whose price list is `storedList`.
  func write(_ tier: PriceTier, replacing storedList: Int64?) throws {
    if let storedList { try delete(tier: tier.name, storedList) }
    let list = try storedList ?? newList()
    let priceSet = try write(tier.prices, of: list)
    try insert([TierColumn.name: .text(tier.name), .list: .integer(list), .priceSet: .integer(priceSet)])
    try changeTotals { $0.tiers.insert(.tier, tier.name) }
  }

  func delete(tier name: String, _ list: Int64) throws {
    try deleteList(list)
    try statement("DELETE FROM tier WHERE name = ?").run(.text(name))
    try changeTotals { $0.tiers.remove(.tier, name) }
  }

  func group(_ kind: ProductGroup.Kind, _ identifier: String) throws -> ProductGroup? {
    let row = try select(.productGroup, "kind = ? AND identifier = ? ORDER BY language")
    var names: [String: String] = [:]
    var count = 0
    try row.forEachRow(.text(kind.rawValue), .text(identifier)) {
      try CatalogTable.productGroup.verify(row)
      let language = try row.requiredText(ProductGroupColumn.language)
      let name = try row.requiredText(ProductGroupColumn.name)
      // A group without names is stored as one row with an empty language.
      if !language.isEmpty { names[language] = name }
      count += 1
    }
    try IndexCrossCheck.checkGroup(kind.rawValue, identifier, count: count, database)
    return count == 0 ? nil : ProductGroup(kind, identifier, names: names)
  }

  func write(_ group: ProductGroup) throws {
    if let stored = try self.group(group.kind, group.identifier) { try delete(stored) }
    for (language, name) in Self.rows(of: group) {
      try insert([
        ProductGroupColumn.kind: .text(group.kind.rawValue),
        .identifier: .text(group.identifier),
        .language: .text(language),
        .name: .text(name),
      ])
      try changeTotals { $0.names.insert(.productGroup, group.kind.rawValue, group.identifier, language) }
    }
  }

  func delete(_ group: ProductGroup) throws {
    try statement("DELETE FROM product_group WHERE kind = ? AND identifier = ?").run(
      .text(group.kind.rawValue),
      .text(group.identifier)
    )
    for (language, _) in Self.rows(of: group) {
      try changeTotals { $0.names.remove(.productGroup, group.kind.rawValue, group.identifier, language) }
    }
  }

  private static func rows(of group: ProductGroup) -> [(language: String, name: String)] {
    group.names.isEmpty ? [("", "")] : group.names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// An intact price in a currency that the locale data does not have. This is not damage: the catalog was imported with
/// other locale data, such as a file of custom currencies.
struct UnknownStoredCurrency: Error {
  let code: String
}

extension LocaleData {
  /// Returns the currency of a price in a catalog, whose row has a valid checksum.
  ///
  /// - Throws: `UnknownStoredCurrency`, or `.invalidLocaleData`.
  func currency(stored code: String) throws -> Currency {
    do throws(PriceTagError) { return try Currency(code, in: self) } catch {
      guard error.code == .unknownCurrency else { throw error }
      throw UnknownStoredCurrency(code: code)
    }
  }
}

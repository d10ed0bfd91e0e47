import GRDB
import PriceTag

/// The prepared statements that read and write whole products, tiers and groups.
///
/// One belongs to one connection while it is used.
final class CatalogRecords {
  private let database: Database
  private let localeData: LocaleData
  private var statements: [StaticStringKey: Statement] = [:]
  private var currencies: [String: Currency] = [:]

  init(_ database: Database, localeData: LocaleData) {
    (self.database, self.localeData) = (database, localeData)
  }

  private struct StaticStringKey: Hashable {
    let address: UnsafePointer<UInt8>
  }

  /// A statement, prepared once: known by where its text stands in the program.
  private func statement(_ sql: StaticString) throws -> Statement {
    let key = StaticStringKey(address: sql.utf8Start)
    if let known = statements[key] { return known }
    let made = try database.makeStatement(sql: sql.description)
    statements[key] = made
    return made
  }

  private func execute(_ sql: StaticString, _ arguments: StatementArguments) throws {
    let statement = try statement(sql)
    statement.setUncheckedArguments(arguments)
    try statement.execute()
  }

  /// The first row, which lives on when the statement does not.
  private func row(_ sql: StaticString, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(statement(sql), arguments: arguments)
  }

  private func rows(_ sql: StaticString, _ arguments: StatementArguments) throws -> RowCursor {
    try Row.fetchCursor(statement(sql), arguments: arguments)
  }

  // MARK: Products

  /// A product as it is kept, with the numbers of its row and its list of prices.
  struct Kept {
    let id: Int64
    let list: Int64
    let product: CatalogProduct
  }

  func product(_ identifier: String) throws -> Kept? {
    let found = try row(
      """
      SELECT id, list, kind, reference_name, category, subscription_group, group_level, subscription_period, \
      is_approved, cleared_for_sale, image, sort_order FROM product WHERE identifier = ?
      """,
      [identifier]
    )
    guard let row = found else { return nil }
    let (id, list): (Int64, Int64) = try (row.decode(atIndex: 0), row.decode(atIndex: 1))
    var product = CatalogProduct(kept: identifier)
    product.kind = try stored(row.decode(atIndex: 2), ProductKind.init)
    product.referenceName = try row.decode(atIndex: 3)
    product.category = try row.decode(atIndex: 4)
    product.subscriptionGroup = try row.decode(atIndex: 5)
    product.groupLevel = try row.decode(atIndex: 6)
    product.subscriptionPeriod = try stored(row.decode(atIndex: 7)) { try? SubscriptionPeriod($0) }
    product.isApproved = try row.decode(atIndex: 8)
    product.clearedForSale = try stored(row.decode(atIndex: 9), Clearance.init(stored:))
    product.image = try row.decode(atIndex: 10)
    product.sortOrder = try row.decode(atIndex: 11)
    let texts = try rows("SELECT language, name, description FROM product_text WHERE product = ?", [id])
    while let text = try texts.next() {
      product.localizations[try text.decode(atIndex: 0)] = try ProductText(
        name: text.decode(atIndex: 1),
        description: text.decode(atIndex: 2)
      )
    }
    let locales = try rows("SELECT storefront, locale FROM price_locale WHERE product = ?", [id])
    while let locale = try locales.next() {
      product.priceLocales[try locale.decode(atIndex: 0)] = try stored(locale.decode(atIndex: 1)) {
        try? PriceLocale($0, allowsNumberingSystem: true)
      }
    }
    product.prices = try prices(of: list)
    let tiers = try tiers(of: list)
    product.tiers = tiers.isEmpty ? nil : tiers
    let offers = try offers(of: id)
    product.offers = offers.isEmpty ? nil : offers
    return Kept(id: id, list: list, product: product)
  }

  /// Writes a product in the place of what is kept of it.
  ///
  /// - Returns: The number of its row.
  func write(_ product: CatalogProduct, over kept: Kept?) throws -> Int64 {
    let list = try kept?.list ?? takeList()
    let facts: StatementArguments = [
      product.identifier, list, product.kind?.rawValue, product.referenceName, product.category,
      product.subscriptionGroup, product.groupLevel, product.subscriptionPeriod?.description,
      product.isApproved, product.clearedForSale?.stored, product.image, product.sortOrder,
    ]
    let id: Int64
    if let kept {
      id = kept.id
      try execute(
        """
        UPDATE product SET identifier = ?, list = ?, kind = ?, reference_name = ?, category = ?, \
        subscription_group = ?, group_level = ?, subscription_period = ?, is_approved = ?, \
        cleared_for_sale = ?, image = ?, sort_order = ? WHERE id = ?
        """,
        facts + [id]
      )
      try deleteParts(of: kept)
    } else {
      try execute(
        """
        INSERT INTO product (identifier, list, kind, reference_name, category, subscription_group, group_level, \
        subscription_period, is_approved, cleared_for_sale, image, sort_order) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        facts
      )
      id = database.lastInsertedRowID
    }
    for (language, text) in product.localizations.sorted(by: { $0.key < $1.key }) {
      try execute(
        "INSERT INTO product_text VALUES (?, ?, ?, ?)",
        [id, language, text.name, text.description]
      )
    }
    for (storefront, locale) in product.priceLocales.sorted(by: { $0.key < $1.key }) {
      try execute("INSERT INTO price_locale VALUES (?, ?, ?)", [id, storefront, locale.identifier])
    }
    try write(product.prices, of: list)
    try write(product.tiers ?? [], of: list)
    for (position, offer) in (product.offers ?? []).enumerated() {
      let list = try takeList()
      try execute(
        "INSERT INTO offer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          id, position, list, offer.kind.rawValue, offer.identifier, offer.paymentMode.rawValue,
          offer.period.description, offer.periodCount, offer.clearedForSale.stored, offer.days.storedFirst,
          offer.days.storedLast,
        ]
      )
      try write(offer.prices, of: list)
      try write(offer.tiers, of: list)
    }
    return id
  }

  func delete(_ kept: Kept) throws {
    try deleteParts(of: kept)
    try execute("DELETE FROM product WHERE id = ?", [kept.id])
  }

  private func deleteParts(of kept: Kept) throws {
    try execute("DELETE FROM product_text WHERE product = ?", [kept.id])
    try execute("DELETE FROM price_locale WHERE product = ?", [kept.id])
    if kept.product.offers != nil {
      try execute("DELETE FROM price WHERE list IN (SELECT list FROM offer WHERE product = ?)", [kept.id])
      try execute(
        "DELETE FROM tier_period WHERE list IN (SELECT list FROM offer WHERE product = ?)",
        [kept.id]
      )
      try execute("DELETE FROM offer WHERE product = ?", [kept.id])
    }
    try deleteList(kept.list)
  }

  private func offers(of product: Int64) throws -> [CatalogOffer] {
    let found = try rows(
      """
      SELECT list, kind, identifier, payment_mode, period, period_count, cleared_for_sale, first_day, last_day \
      FROM offer WHERE product = ? ORDER BY position
      """,
      [product]
    )
    var lists: [Int64] = []
    var offers: [CatalogOffer] = []
    while let row = try found.next() {
      guard let kind = try stored(row.decode(atIndex: 1), CatalogOffer.Kind.init),
        let mode = try stored(row.decode(atIndex: 3), CatalogOffer.PaymentMode.init),
        let period = try stored(row.decode(atIndex: 4), { try? SubscriptionPeriod($0) })
      else { throw DamagedCatalog(problem: "an offer is not whole") }
      lists.append(try row.decode(atIndex: 0))
      offers.append(
        try CatalogOffer(
          kind,
          identifier: try row.decode(atIndex: 2),
          paymentMode: mode,
          period: period,
          periodCount: try row.decode(atIndex: 5),
          clearedForSale: try stored(row.decode(atIndex: 6), Clearance.init(stored:)) ?? .everywhere,
          days: try .stored(row, at: 7)
        )
      )
    }
    for (index, list) in lists.enumerated() {
      offers[index].prices = try prices(of: list)
      offers[index].tiers = try tiers(of: list)
    }
    return offers
  }

  // MARK: Tiers and groups

  func tier(_ name: String) throws -> (list: Int64, tier: PriceTier)? {
    guard let row = try row("SELECT list FROM tier WHERE name = ?", [name]) else { return nil }
    let list: Int64 = try row.decode(atIndex: 0)
    return (list, PriceTier(name, prices: try prices(of: list)))
  }

  func write(_ tier: PriceTier, over list: Int64?) throws {
    if let list {
      try deleteList(list)
      try write(tier.prices, of: list)
    } else {
      let list = try takeList()
      try execute("INSERT INTO tier VALUES (?, ?)", [tier.name, list])
      try write(tier.prices, of: list)
    }
  }

  func delete(tier name: String, _ list: Int64) throws {
    try deleteList(list)
    try execute("DELETE FROM tier WHERE name = ?", [name])
  }

  func group(_ kind: ProductGroup.Kind, _ identifier: String) throws -> ProductGroup? {
    let found = try rows(
      "SELECT language, name FROM product_group WHERE kind = ? AND identifier = ?",
      [kind.rawValue, identifier]
    )
    var group: ProductGroup?
    while let row = try found.next() {
      let (language, name): (String, String) = try (row.decode(atIndex: 0), row.decode(atIndex: 1))
      var names = group?.names ?? [:]
      // A group without a name is kept under no language.
      if !language.isEmpty { names[language] = name }
      group = ProductGroup(kind, identifier, names: names)
    }
    return group
  }

  func write(_ group: ProductGroup) throws {
    try execute(
      "DELETE FROM product_group WHERE kind = ? AND identifier = ?",
      [group.kind.rawValue, group.identifier]
    )
    let names = group.names.isEmpty ? ["": ""] : group.names
    for (language, name) in names.sorted(by: { $0.key < $1.key }) {
      try execute(
        "INSERT INTO product_group VALUES (?, ?, ?, ?)",
        [group.kind.rawValue, group.identifier, language, name]
      )
    }
  }

  // MARK: Prices

  private var nextList: Int64?

  /// The number of a new list of prices.
  private func takeList() throws -> Int64 {
    let list = try nextList ?? Int64.fetchOne(database, sql: "SELECT next_list FROM catalog") ?? 1
    let (next, overflow) = list.addingReportingOverflow(1)
    guard !overflow else { throw DamagedCatalog(problem: "there is no number for another list of prices") }
    nextList = next
    return list
  }

  /// Keeps what the next list's number is.
  func finish() throws {
    if let nextList { try execute("UPDATE catalog SET next_list = ?", [nextList]) }
  }

  private func prices(of list: Int64) throws -> PriceTable {
    let found = try rows(
      "SELECT storefront, amount, currency, first_day, last_day FROM price WHERE list = ?",
      [list]
    )
    var prices: [CatalogPrice] = []
    while let row = try found.next() {
      prices.append(
        CatalogPrice(
          storefront: try row.decode(atIndex: 0),
          amount: try Amount(decimal: row.decode(atIndex: 1)),
          currency: try currency(row.decode(atIndex: 2)),
          days: try .stored(row, at: 3)
        )
      )
    }
    return PriceTable(sorted: prices)
  }

  private func write(_ table: PriceTable, of list: Int64) throws {
    for price in table.prices {
      try execute(
        "INSERT INTO price VALUES (?, ?, ?, ?, ?, ?)",
        [
          list, price.storefront, price.days.storedFirst, price.days.storedLast, price.amount.description,
          price.currency.code,
        ]
      )
    }
  }

  private func tiers(of list: Int64) throws -> [TierPeriod] {
    let found = try rows("SELECT tier, first_day, last_day FROM tier_period WHERE list = ?", [list])
    var tiers: [TierPeriod] = []
    while let row = try found.next() {
      tiers.append(TierPeriod(try row.decode(atIndex: 0), days: try .stored(row, at: 1)))
    }
    return tiers
  }

  private func write(_ tiers: [TierPeriod], of list: Int64) throws {
    for period in tiers {
      try execute(
        "INSERT INTO tier_period VALUES (?, ?, ?, ?)",
        [list, period.days.storedFirst, period.days.storedLast, period.tier]
      )
    }
  }

  private func deleteList(_ list: Int64) throws {
    try execute("DELETE FROM price WHERE list = ?", [list])
    try execute("DELETE FROM tier_period WHERE list = ?", [list])
  }

  private func currency(_ code: String) throws -> Currency {
    if let known = currencies[code] { return known }
    let currency = try Currency(code, in: localeData)
    currencies[code] = currency
    return currency
  }
}

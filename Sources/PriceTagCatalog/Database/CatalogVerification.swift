import GRDB
import PriceTag
import PriceTagText

/// What `Catalog.verify` has checked.
public struct CatalogVerification: Hashable, Sendable {
  /// How many products are complete and say what was imported.
  public var products = 0
  /// How many prices of products, offers and tiers were checked.
  public var prices = 0
  /// How many damages were reported.
  public var damages = 0
  /// Whether the catalog has checksums; without them only SQLite's own structures were checked, and that every value can
  /// be read.
  public var hasChecksums = true

  /// Problems of the database's pages and indexes, as SQLite finds them.
  static func pageProblems(_ database: Database, limit: Int) throws -> [String] {
    let check = try CatalogStatement(database, "PRAGMA integrity_check(\(limit))")
    var problems: [String] = []
    try check.forEachRow {
      let line = try check.requiredText(OnlyColumn.value)
      if line != "ok" { problems.append(printable(line)) }
    }
    return problems
  }
}

extension Catalog {
  /// Verifies all of the catalog: every row, every count and every index.
  ///
  ///     let verification = try catalog.verify { print($0) }
  ///     verification.damages    // 0
  ///
  /// - Parameters:
  ///   - report: Receives each damage, naming the product that it is noticed at.
  ///   - progress: Receives how many products were verified, and how many there are.
  /// - Throws: `.databaseFailed` where the catalog cannot be read, and what `report` throws. Damage is reported, and not
  ///   thrown.
  public func verify(
    report: (CatalogError) throws(CatalogError) -> Void = { (_) throws(CatalogError) in },
    progress: (_ products: Int, _ count: Int) -> Void = { _, _ in }
  ) throws(CatalogError) -> CatalogVerification {
    try read { database in
      var verification = CatalogVerification(hasChecksums: hasChecksums)
      /// Runs one check; damage is reported, and the others go on.
      func check<Answer>(_ body: () throws -> Answer) throws -> Answer? {
        do { return try body() } catch {
          guard Self.isDamage(error) else { throw error }
          verification.damages += 1
          try report(CatalogError(database: error))
          return nil
        }
      }
      let problems = try check { try CatalogVerification.pageProblems(database, limit: 100) }
      for problem in problems ?? [] { _ = try check { throw DamagedCatalog(problem: problem) } }
      var rows = VerifiedRows()
      let records = CatalogRecords(database, localeData: localeData, hasChecksums: hasChecksums)
      let keys = try check { try CatalogKeys(database, hasChecksums: hasChecksums) }
      for name in try check({ try keys?.tierNames() ?? [] }) ?? [] {
        _ = try check {
          guard let (_, tier) = try records.tier(name) else { return }
          rows.count(tier.prices, periods: 0)
        }
      }
      let groups = try check { try keys?.groups() ?? [] } ?? []
      for group in groups { _ = try check { try records.group(group.kind, group.identifier) } }
      let identifiers = try check { try keys?.productIdentifiers() ?? [] } ?? identifiersByRow(database)
      for (index, identifier) in identifiers.enumerated() {
        let product = try check { try records.product(identifier)?.product }
        if let product = product ?? nil {
          verification.products += 1
          rows.count(product)
        }
        progress(index + 1, identifiers.count)
      }
      verification.prices = rows.prices
      // Rows that belong to nothing are left where a product's rows are damaged, which was reported.
      if verification.damages == 0 { _ = try check { try rows.check(database) } }
      return verification
    }
  }

  /// The identifiers of the products that can be found at all, where the index of their order is damaged.
  private func identifiersByRow(_ database: Database) -> [String] {
    var identifiers: [String] = []
    // What cannot be read was reported.
    guard let row = try? CatalogStatement(database, "SELECT identifier AS value FROM product NOT INDEXED")
    else {
      return []
    }
    try? row.forEachRow {
      if let identifier = try? row.text(OnlyColumn.value) { identifiers.append(identifier) }
    }
    return identifiers
  }

  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case is DamagedCatalog, is PriceTagError, is RowDecodingError: true
    case let error as DatabaseError:
      [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    case let error as CatalogError: error.code != .databaseFailed
    default: false
    }
  }
}

/// How many rows were read of each table that products have rows in.
private struct VerifiedRows {
  var prices = 0
  private var periods = 0
  private var texts = 0
  private var locales = 0
  private var offers = 0

  mutating func count(_ table: PriceTable, periods: Int) {
    prices += table.prices.count
    self.periods += periods
  }

  mutating func count(_ product: CatalogProduct) {
    count(product.prices, periods: product.tiers?.count ?? 0)
    for offer in product.offers ?? [] { count(offer.prices, periods: offer.tiers.count) }
    texts += product.localizations.count
    locales += product.priceLocales.count
    offers += product.offers?.count ?? 0
  }

  /// Checks that every row was read: one more belongs to nothing, and is what is left of something.
  func check(_ database: Database) throws {
    let counts: [(table: CatalogTable, count: Int)] = [
      (.price, prices), (.tierPeriod, periods), (.productText, texts), (.priceLocale, locales),
      (.offer, offers),
    ]
    for (table, count) in counts {
      let rows = try CatalogStatement(database, "SELECT count(*) AS value FROM \(table.name)")
      let found = try rows.firstRow { try rows.requiredInteger(OnlyColumn.value) }
      guard found == Int64(count) else {
        throw DamagedCatalog(
          problem: "the table \(table.name) has \(found ?? 0) rows, and \(count) of them belong to something"
        )
      }
    }
  }
}

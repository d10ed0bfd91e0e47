import GRDB
import PriceTag
import PriceTagText

/// The result of `Catalog.verify`.
public struct CatalogVerification: Hashable, Sendable {
  /// The number of products that are complete and match what was imported.
  public var products = 0
  /// The number of verified prices of products, offers and tiers.
  public var prices = 0
  /// The number of reported problems.
  public var damages = 0

  /// Returns the problems that SQLite's integrity check finds in pages and indexes.
  static func pageProblems(_ database: Database, limit: Int) throws -> [String] {
    let check = try CatalogStatement(database, "PRAGMA integrity_check(\(limit))")
    var problems: [String] = []
    try check.forEachRow {
      let line = try check.requiredText(SingleColumn.value)
      if line != "ok" { problems.append(printable(line)) }
    }
    return problems
  }
}

extension Catalog {
  /// Verifies every row, count and index of the catalog.
  ///
  ///     let verification = try catalog.verify { print($0) }
  ///     verification.damages    // 0
  ///
  /// - Parameters:
  ///   - report: A closure called with each problem. The error's place is the affected product, if known.
  ///   - progress: A closure called with the number of verified products and the total number.
  /// - Returns: The counts of what was verified. Damage is reported and counted, not thrown.
  /// - Throws: `.databaseFailed` if the catalog cannot be read; `.unknownCurrency` if the locale data does not have a
  ///   currency of its prices; the errors of `report`.
  public func verify(
    report: (CatalogError) throws(CatalogError) -> Void = { (_) throws(CatalogError) in },
    progress: (_ products: Int, _ count: Int) -> Void = { _, _ in }
  ) throws(CatalogError) -> CatalogVerification {
    try read { database in
      var verification = CatalogVerification()
      /// Runs one check. Reports damage instead of throwing it, so that the other checks still run.
      func check<Value>(_ body: () throws -> Value) throws -> Value? {
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
      let store = CatalogStore(database, localeData: localeData)
      let keys = try check { try CatalogKeys(database) }
      for name in try check({ try keys?.tierNames() ?? [] }) ?? [] {
        _ = try check {
          guard let (_, tier) = try store.tier(name) else { return }
          rows.count(tier.prices, periods: 0)
        }
      }
      let groups = try check { try keys?.groups() ?? [] } ?? []
      for group in groups { _ = try check { try store.group(group.kind, group.identifier) } }
      let identifiers = try check { try keys?.productIdentifiers() ?? [] } ?? identifiersByRow(database)
      for (index, identifier) in identifiers.enumerated() {
        let product = try check { try store.product(identifier)?.product }
        if let product = product ?? nil {
          verification.products += 1
          rows.count(product)
        }
        progress(index + 1, identifiers.count)
      }
      verification.prices = rows.prices
      _ = try check { try store.checkHistory() }
      _ = try check { try store.repeatableInputs() }
      // A damaged product, which was already reported, would make its rows look orphaned.
      if verification.damages == 0 { _ = try check { try rows.check(database) } }
      return verification
    }
  }

  /// Returns the identifiers that can be read without an index, for when the index of the store order is damaged.
  private func identifiersByRow(_ database: Database) -> [String] {
    var identifiers: [String] = []
    // Rows that cannot be read were already reported.
    guard
      let row = try? CatalogStatement(database, "SELECT identifier AS value FROM main.product NOT INDEXED")
    else {
      return []
    }
    try? row.forEachRow {
      if let identifier = try? row.text(SingleColumn.value) { identifiers.append(identifier) }
    }
    return identifiers
  }

  private static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case is UnknownStoredCurrency: false
    case is DamagedCatalog, is PriceTagError, is RowDecodingError: true
    case let error as DatabaseError:
      [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    case let error as CatalogError: error.code != .databaseFailed
    default: false
    }
  }
}

/// The numbers of rows that were read from the tables with the parts of products.
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
    for offer in product.offers ?? [] {
      for phase in offer.phases { count(phase.prices, periods: phase.tiers.count) }
      offers += offer.phases.count
    }
    texts += product.localizations.count
    locales += product.priceLocales.count
  }

  /// Checks that the tables contain no orphaned rows.
  func check(_ database: Database) throws {
    let counts: [(table: CatalogTable, count: Int)] = [
      (.price, prices), (.tierPeriod, periods), (.productText, texts), (.priceLocale, locales),
      (.offer, offers),
    ]
    for (table, count) in counts {
      let found = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name)")
      guard found == count else {
        throw DamagedCatalog(
          problem: "the table \(table.name) has \(found ?? 0) rows, but only \(count) are in use"
        )
      }
    }
  }
}

import GRDB
import PriceTag
import PriceTagSystem
import PriceTagText

extension Catalog {
  /// What an import does with the existing contents of the catalog.
  public enum ImportMode: Sendable {
    /// Fields that the files contain replace the stored ones. Everything else remains.
    case update
    /// The files replace the complete contents of the catalog.
    case replace
  }

  /// Imports items in one transaction, which is rolled back if the closure throws.
  ///
  /// - Parameters:
  ///   - mode: What happens to the existing contents.
  ///   - read: A closure that adds each item to the import.
  /// - Returns: The summary of the import.
  package func importItems(
    mode: ImportMode,
    _ read: (CatalogImport) throws(CatalogError) -> Void
  ) throws(CatalogError) -> ImportSummary {
    try write { database in
      let writing = try CatalogImport(database, path: path, localeData: localeData, mode: mode)
      try read(writing)
      return try writing.finish()
    }
  }
}

/// One import into a catalog: merges the items of files with the stored ones, and counts the changes.
package final class CatalogImport {
  package var summary = ImportSummary()
  private let database: Database
  /// The path of the catalog, for errors.
  private let path: String
  private let store: CatalogStore
  private let mode: Catalog.ImportMode
  private let findSeen: Statement
  private let markSeen: Statement

  /// What the import did to an item.
  enum Outcome: Int64 {
    case added, changed, unchanged
  }

  init(_ database: Database, path: String, localeData: LocaleData, mode: Catalog.ImportMode) throws {
    (self.database, self.path, self.mode) = (database, path, mode)
    store = CatalogStore(database, localeData: localeData)
    // The items of the import, with the last file that contained each. SQLite moves a large temporary table to disk.
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS seen (
          kind INTEGER NOT NULL, name TEXT NOT NULL, file INTEGER NOT NULL, outcome INTEGER NOT NULL,
          PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        DELETE FROM seen;
        """
    )
    findSeen = try database.makeStatement(sql: "SELECT file, outcome FROM seen WHERE kind = ? AND name = ?")
    markSeen = try database.makeStatement(
      sql: "INSERT OR REPLACE INTO seen (kind, name, file, outcome) VALUES (?, ?, ?, ?)"
    )
  }

  private enum Kind: Int64 {
    case product, tier, subscriptionGroup, category
  }

  /// Adds an item of a file.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - file: The number of the file. An item that its file already contained is rejected; an item of an earlier file
  ///     is updated.
  /// - Returns: The reason why the item was rejected, or `nil` if it was added.
  /// - Throws: An error that ends the import.
  package func add(_ item: ImportedItem, fromFile file: Int) throws(CatalogError) -> CatalogError? {
    do { return try merge(item, fromFile: file) } catch {
      if let rejected = error as? RejectedItem { return rejected.error }
      throw CatalogError(database: error, path)
    }
  }

  /// An item that contradicts what the catalog has. Nothing of it was written.
  private struct RejectedItem: Error {
    let error: CatalogError
  }

  private func merge(_ item: ImportedItem, fromFile file: Int) throws -> CatalogError? {
    switch item {
    case .product(let product):
      return try write(.product, product.identifier, fromFile: file, \.products) { isFirst in
        let stored = try store.product(product.identifier)
        let base = mode == .replace && isFirst ? nil : stored?.product
        let merged = (base?.updated(by: product) ?? product).normalized
        if merged == stored?.product { return .unchanged }
        // The content may be stored, and the reference new.
        do throws(CatalogError) { try merged.checkUnitReference() } catch { throw RejectedItem(error: error) }
        _ = try store.write(merged, replacing: stored)
        return stored == nil ? .added : .changed
      }
    case .tier(let tier):
      return try write(.tier, tier.name, fromFile: file, \.tiers) { isFirst in
        let stored = try store.tier(tier.name)
        var merged = tier
        if let stored, mode == .update || !isFirst {
          merged.prices = stored.tier.prices.updated(by: tier.prices)
        }
        if merged == stored?.tier { return .unchanged }
        try store.write(merged, replacing: stored?.list)
        return stored == nil ? .added : .changed
      }
    case .group(let group):
      let kind = group.kind == .category ? Kind.category : .subscriptionGroup
      return try write(kind, group.identifier, fromFile: file, \.groups) { isFirst in
        let stored = try store.group(group.kind, group.identifier)
        var merged = group
        if let stored, mode == .update || !isFirst { merged.names = stored.names.merging(group.names) { $1 } }
        if merged == stored { return .unchanged }
        try store.write(merged)
        return stored == nil ? .added : .changed
      }
    }
  }

  /// Rejects a duplicate within a file; otherwise writes the item and updates the counts.
  private func write(
    _ kind: Kind,
    _ name: String,
    fromFile file: Int,
    _ counts: WritableKeyPath<ImportSummary, ImportSummary.Counts>,
    _ writeItem: (_ isFirst: Bool) throws -> Outcome
  ) throws -> CatalogError? {
    let seen = try Row.fetchOne(findSeen, arguments: [kind.rawValue, name])
    if let seen, try seen.decode(forColumn: "file") == file {
      return CatalogError(
        .duplicate,
        "\(quoted(name)) appears twice",
        fix: "remove one (the first was imported)"
      )
    }
    var outcome = try writeItem(seen == nil)
    if let seen, let earlier = try Outcome(rawValue: seen.decode(forColumn: "outcome")) {
      // An item that an earlier file added still counts as added.
      if earlier == .added || outcome == .unchanged { outcome = earlier }
      summary[keyPath: counts].count(earlier, -1)
    }
    summary[keyPath: counts].count(outcome, 1)
    try markSeen.execute(arguments: [kind.rawValue, name, file, outcome.rawValue])
    return nil
  }

  /// Removes items that no file contains, in `replace` mode; writes the totals, and completes the summary.
  func finish() throws -> ImportSummary {
    if mode == .replace { try removeUnseen() }
    try store.finish(isChanged: !summary.isUnchanged)
    summary.revision = Int(clamping: try store.currentTotals().revision)
    summary.missingTiers = try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT tier FROM tier_period WHERE tier NOT IN (SELECT name FROM tier) ORDER BY tier LIMIT 100
        """
    )
    summary.subscriptionsWithoutPeriod = try String.fetchAll(
      database,
      sql: """
        SELECT identifier FROM product WHERE kind = ? AND subscription_period IS NULL ORDER BY identifier LIMIT 100
        """,
      arguments: [ProductKind.autoRenewable.rawValue]
    )
    return summary
  }

  private func removeUnseen() throws {
    let products = summary.products
    guard products.added + products.changed + products.unchanged > 0 else {
      throw CatalogError(
        .invalidRequest,
        "the files contain no valid product, so replacing would empty the catalog",
        fix: "correct the files, or delete the catalog's file"
      )
    }
    // The keys are checked against the totals: a product that a damaged index hides would not be removed.
    let keys = try CatalogKeys(database, totals: try store.currentTotals())
    for identifier in try keys.productIdentifiers() where try !isSeen(.product, identifier) {
      if let stored = try store.product(identifier) { try store.delete(stored) }
      summary.products.removed += 1
    }
    for name in try keys.tierNames() where try !isSeen(.tier, name) {
      if let (list, _) = try store.tier(name) { try store.delete(tier: name, list) }
      summary.tiers.removed += 1
    }
    for group in try keys.groups() {
      if try isSeen(group.kind == .category ? .category : .subscriptionGroup, group.identifier) { continue }
      if let stored = try store.group(group.kind, group.identifier) { try store.delete(stored) }
      summary.groups.removed += 1
    }
  }

  private func isSeen(_ kind: Kind, _ name: String) throws -> Bool {
    try Row.fetchOne(findSeen, arguments: [kind.rawValue, name]) != nil
  }
}

extension ImportSummary.Counts {
  fileprivate mutating func count(_ outcome: CatalogImport.Outcome, _ number: Int) {
    switch outcome {
    case .added: added += number
    case .changed: changed += number
    case .unchanged: unchanged += number
    }
  }
}

extension CatalogProduct {
  /// The product in the form in which a catalog stores it: without empty texts and lists.
  var normalized: CatalogProduct {
    var product = self
    product.localizations = localizations.filter { !$0.value.isEmpty }
    if tiers?.isEmpty == true { product.tiers = nil }
    if offers?.isEmpty == true { product.offers = nil }
    if images?.isEmpty == true { product.images = nil }
    return product
  }
}

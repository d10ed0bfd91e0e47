import GRDB
import PriceTag
import PriceTagText

extension Catalog {
  /// How an import deals with what is there.
  public enum ImportMode: Sendable {
    /// What the files say replaces what it speaks of; everything else stays.
    case update
    /// Afterwards the catalogue says what the files say, and nothing else.
    case replace
  }

  /// Imports the items that a body reads: all of them in one transaction, or nothing where it throws.
  ///
  /// - Parameters:
  ///   - mode: How what is there is dealt with.
  ///   - read: Hands each item to the import.
  package func importItems(
    mode: ImportMode,
    _ read: (CatalogImport) throws(CatalogError) -> Void
  ) throws(CatalogError) -> ImportSummary {
    try write { database in
      let writing = try CatalogImport(database, localeData: localeData, mode: mode)
      try read(writing)
      return try writing.finish()
    }
  }
}

/// One import into a catalog: puts what files say together with what is kept, and counts. Importers of other modules hand
/// it what they read, item by item.
package final class CatalogImport {
  package var summary = ImportSummary()
  private let database: Database
  private let records: CatalogRecords
  private let mode: Catalog.ImportMode
  private let find: Statement
  private let keep: Statement

  /// What became of a thing in this import.
  enum Outcome: Int64 {
    case added, changed, unchanged
  }

  init(_ database: Database, localeData: LocaleData, mode: Catalog.ImportMode) throws {
    self.database = database
    self.mode = mode
    records = CatalogRecords(database, localeData: localeData)
    // What was seen so far, by the file that it was seen in last. On disk where it is large.
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS seen (
          kind INTEGER NOT NULL, name TEXT NOT NULL, file INTEGER NOT NULL, outcome INTEGER NOT NULL,
          PRIMARY KEY (kind, name)
        ) WITHOUT ROWID;
        DELETE FROM seen;
        """
    )
    find = try database.makeStatement(sql: "SELECT file, outcome FROM seen WHERE kind = ? AND name = ?")
    keep = try database.makeStatement(
      sql: "INSERT OR REPLACE INTO seen (kind, name, file, outcome) VALUES (?, ?, ?, ?)"
    )
  }

  private enum Kind: Int64 {
    case product, tier, subscriptionGroup, category
  }

  /// Takes an item of a file.
  ///
  /// - Parameter file: The number of the file: what it has twice is rejected, and what an earlier file has is updated.
  /// - Returns: Why it cannot be taken; `nil` where it was.
  /// - Throws: What ends the import.
  package func take(_ item: ImportedItem, ofFile file: Int) throws(CatalogError) -> CatalogError? {
    do { return try put(item, ofFile: file) } catch { throw CatalogError(database: error) }
  }

  private func put(_ item: ImportedItem, ofFile file: Int) throws -> CatalogError? {
    switch item {
    case .product(let product):
      return try take(.product, product.identifier, ofFile: file, \.products) { isFirst in
        let kept = try records.product(product.identifier)
        let before = mode == .replace && isFirst ? nil : kept?.product
        let merged = (before?.updated(by: product) ?? product).normalized
        if merged == kept?.product { return .unchanged }
        _ = try records.write(merged, over: kept)
        return kept == nil ? .added : .changed
      }
    case .tier(let tier):
      return try take(.tier, tier.name, ofFile: file, \.tiers) { isFirst in
        let kept = try records.tier(tier.name)
        var merged = tier
        if let kept, mode == .update || !isFirst { merged.prices = kept.tier.prices.updated(by: tier.prices) }
        if merged == kept?.tier { return .unchanged }
        try records.write(merged, over: kept?.list)
        return kept == nil ? .added : .changed
      }
    case .group(let group):
      let kind = group.kind == .category ? Kind.category : .subscriptionGroup
      return try take(kind, group.identifier, ofFile: file, \.groups) { isFirst in
        let kept = try records.group(group.kind, group.identifier)
        var merged = group
        if let kept, mode == .update || !isFirst { merged.names = kept.names.merging(group.names) { $1 } }
        if merged == kept { return .unchanged }
        try records.write(merged)
        return kept == nil ? .added : .changed
      }
    }
  }

  private func take(
    _ kind: Kind,
    _ name: String,
    ofFile file: Int,
    _ counts: WritableKeyPath<ImportSummary, ImportSummary.Counts>,
    _ write: (_ isFirst: Bool) throws -> Outcome
  ) throws -> CatalogError? {
    let seen = try Row.fetchOne(find, arguments: [kind.rawValue, name])
    if let seen, try seen.decode(forColumn: "file") == file {
      return CatalogError(
        .duplicate,
        "\(quoted(name)) stands twice in the file",
        fix: "remove one of them; the first was taken"
      )
    }
    var outcome = try write(seen == nil)
    if let seen, let before = try Outcome(rawValue: seen.decode(forColumn: "outcome")) {
      // What was added stays so, whatever a later file says.
      if before == .added || outcome == .unchanged { outcome = before }
      summary[keyPath: counts].count(before, -1)
    }
    summary[keyPath: counts].count(outcome, 1)
    try keep.execute(arguments: [kind.rawValue, name, file, outcome.rawValue])
    return nil
  }

  /// Removes what no file spoke of, where the catalogue is replaced; and looks for tiers that are missing.
  func finish() throws -> ImportSummary {
    if mode == .replace { try removeUnseen() }
    try records.finish(isChanged: !summary.isUnchanged)
    summary.revision = Int(clamping: try records.currentTotals().revision)
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
    let taken = summary.products
    guard taken.added + taken.changed + taken.unchanged > 0 else {
      throw CatalogError(
        .invalidRequest,
        "no product was taken from the files, and nothing would be left of the catalogue",
        fix: "correct the files, or remove the catalogue's file"
      )
    }
    // Counted against what is there: a product that an index hides would stay.
    let keys = CatalogKeys(database, totals: try records.currentTotals())
    for identifier in try keys.productIdentifiers() where try !isSeen(.product, identifier) {
      if let kept = try records.product(identifier) { try records.delete(kept) }
      summary.products.removed += 1
    }
    for name in try keys.tierNames() where try !isSeen(.tier, name) {
      if let (list, _) = try records.tier(name) { try records.delete(tier: name, list) }
      summary.tiers.removed += 1
    }
    for group in try keys.groups() {
      if try isSeen(group.kind == .category ? .category : .subscriptionGroup, group.identifier) { continue }
      if let kept = try records.group(group.kind, group.identifier) { try records.delete(kept) }
      summary.groups.removed += 1
    }
  }

  private func isSeen(_ kind: Kind, _ name: String) throws -> Bool {
    try Row.fetchOne(find, arguments: [kind.rawValue, name]) != nil
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
  /// The product as a catalogue keeps it: a list that is empty says as much as none.
  var normalized: CatalogProduct {
    var product = self
    product.localizations = localizations.filter { !$0.value.isEmpty }
    if tiers?.isEmpty == true { product.tiers = nil }
    if offers?.isEmpty == true { product.offers = nil }
    return product
  }
}

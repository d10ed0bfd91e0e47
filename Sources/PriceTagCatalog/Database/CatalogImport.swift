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
  ///   - timing: When the prices start, and what becomes of the replaced ones.
  ///   - read: A closure that adds each item to the import.
  /// - Returns: The summary of the import.
  package func importItems(
    mode: ImportMode,
    timing: ImportTiming = ImportTiming(),
    _ read: (CatalogImport) throws(CatalogError) -> Void
  ) throws(CatalogError) -> ImportSummary {
    try write { database in
      let writing = try CatalogImport(database, path: path, localeData: localeData, mode: mode, timing)
      try read(writing)
      return try writing.finish()
    }
  }
}

/// One import into a catalog: merges the items of files with the stored ones, and counts the changes.
package final class CatalogImport {
  package var summary = ImportSummary()
  /// The digest of the input, if importing it again may be skipped.
  package var input: String?
  /// Whether nothing needs to be imported.
  private var isRepeated = false
  private let database: Database
  /// The path of the catalog, for errors.
  private let path: String
  private let store: CatalogStore
  private let mode: Catalog.ImportMode
  private let history: ImportHistory

  /// Whether several files contain the same item.
  private var mergesFiles = false

  /// What the import did to an item.
  enum Outcome: Int64 {
    case added, changed, unchanged
  }

  init(
    _ database: Database,
    path: String,
    localeData: LocaleData,
    mode: Catalog.ImportMode,
    _ timing: ImportTiming
  ) throws {
    (self.database, self.path, self.mode) = (database, path, mode)
    store = CatalogStore(database, localeData: localeData)
    history = ImportHistory(store, timing)
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
  }

  /// Returns whether importing an input again would change nothing. The summary is then that of the import.
  ///
  /// - Parameter input: Returns the digest of the input, which is only computed if the catalog has another one to compare with.
  package func isRepeated(_ input: @autoclosure () -> String?) throws(CatalogError) -> Bool {
    do {
      let inputs = try store.repeatableInputs()
      guard !inputs.isEmpty, let input = input(), let found = inputs[input] else { return false }
      (summary, isRepeated) = (found, true)
      return true
    } catch { throw CatalogError(database: error, path) }
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
  struct RejectedItem: Error {
    let error: CatalogError
  }

  private func merge(_ item: ImportedItem, fromFile file: Int) throws -> CatalogError? {
    switch item {
    case .product(var product):
      let records = product.history
      product.history = []
      return try write(.product, product.identifier, fromFile: file, \.products) { isFirst in
        let stored = try store.product(product.identifier)
        let base = mode == .replace && isFirst ? nil : stored?.product
        let merged = (base?.updated(by: product) ?? product).normalized
        if merged == stored?.product { return .unchanged }
        // The content may be stored, and the reference new.
        do throws(CatalogError) { try merged.checkUnitReference() } catch { throw RejectedItem(error: error) }
        let knownSince = try stored.map(history.knownSince)
        let comparesPrices =
          if let product = stored?.product {
            product.prices != merged.prices || product.tiers != merged.tiers
          } else {
            try history.concernsNewProducts
          }
        if comparesPrices {
          let old = try stored.map { try history.regularPrices(of: $0.product) } ?? PriceTable()
          let new = try history.regularPrices(of: merged)
          try history.check(product.identifier, knownSince, old, new)
          let isNew = try stored == nil || isAdded(product.identifier)
          try history.record(product.identifier, knownSince: knownSince, isNew: isNew, old, new)
        }
        let start = records.first?.day.description ?? history.start
        _ = try store.write(merged, replacing: stored, knownSince: knownSince ?? start)
        if stored == nil { try history.restore(records, of: product.identifier) }
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
        if history.checksDates {
          try forEachChange(ofTier: tier.name, stored?.tier.prices, merged.prices, history.check)
        }
        try recordChange(ofTier: tier.name, stored?.tier.prices, merged.prices)
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

  /// Records the changes of the prices of the products that refer to a tier.
  private func recordChange(ofTier name: String, _ old: PriceTable?, _ new: PriceTable?) throws {
    if !history.isCorrection {
      try forEachChange(ofTier: name, old, new) { product, knownSince, old, new in
        try history.record(product, knownSince: knownSince, isNew: isAdded(product), old, new)
      }
    }
    history.forgetTiers()
  }

  /// Calls the body with each product that refers to a tier, the day since which the catalog has it, and its prices before and after
  /// a change of the tier.
  private func forEachChange(
    ofTier name: String,
    _ old: PriceTable?,
    _ new: PriceTable?,
    _ body: (_ product: String, _ knownSince: String?, _ old: PriceTable, _ new: PriceTable) throws -> Void
  ) throws {
    let find = try store.statement(
      "SELECT identifier AS value FROM product WHERE list IN (SELECT list FROM tier_period WHERE tier = ?)"
    )
    var products: [String] = []
    try find.forEachRow(.text(name)) { products.append(try find.requiredText(SingleColumn.value)) }
    let hasHistory = try store.hasHistory()
    for identifier in products {
      // The products of a new catalog have no history, so they need not be read.
      if !hasHistory, try isAdded(identifier) { continue }
      guard let stored = try store.product(identifier) else { continue }
      try body(
        identifier,
        history.knownSince(stored),
        history.regularPrices(of: stored.product, tier: name, prices: old),
        history.regularPrices(of: stored.product, tier: name, prices: new)
      )
    }
  }

  /// Returns the last file that contained an item, and what the import did to it; `nil` if no file did.
  private func seen(_ kind: Kind, _ name: String) throws -> (file: Int64?, outcome: Outcome?)? {
    let row = try store.statement("SELECT file, outcome FROM seen WHERE kind = ? AND name = ?")
    return try row.firstRow(.integer(kind.rawValue), .text(name)) {
      (try row.integer(at: 0), try row.integer(at: 1).flatMap(Outcome.init))
    }
  }

  /// Returns whether the import has added a product.
  private func isAdded(_ product: String) throws -> Bool { try seen(.product, product)?.outcome == .added }

  /// Rejects a duplicate within a file; otherwise writes the item and updates the counts.
  private func write(
    _ kind: Kind,
    _ name: String,
    fromFile file: Int,
    _ counts: WritableKeyPath<ImportSummary, ImportSummary.Counts>,
    _ writeItem: (_ isFirst: Bool) throws -> Outcome
  ) throws -> CatalogError? {
    let seen = try seen(kind, name)
    if let seen, seen.file == Int64(file) {
      return CatalogError(
        .duplicate,
        "\(quoted(name)) appears twice",
        fix: "remove one (the first was imported)"
      )
    }
    // Files that contradict each other change the item each time.
    if seen != nil { mergesFiles = true }
    var outcome = try writeItem(seen == nil)
    if let earlier = seen?.outcome {
      // An item that an earlier file added still counts as added.
      if earlier == .added || outcome == .unchanged { outcome = earlier }
      summary[keyPath: counts].count(earlier, -1)
    }
    summary[keyPath: counts].count(outcome, 1)
    try store.statement("INSERT OR REPLACE INTO seen (kind, name, file, outcome) VALUES (?, ?, ?, ?)").run(
      .integer(kind.rawValue),
      .text(name),
      CatalogValue(file),
      .integer(outcome.rawValue)
    )
    return nil
  }

  /// Removes items that no file contains, in `replace` mode; writes the totals, and completes the summary.
  func finish() throws -> ImportSummary {
    if mode == .replace, !isRepeated { try removeUnseen() }
    if !summary.isUnchanged { try history.deleteOld() }
    summary.replacedPrices = history.replacedCount
    try store.finish(isChanged: !summary.isUnchanged)
    if let input, !mergesFiles, summary.rejected == 0 { try store.insertInput(input, summary) }
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
    guard summary.products.imported > 0 else {
      throw CatalogError(
        .invalidRequest,
        "the files contain no valid product, so replacing would empty the catalog",
        fix: "correct the files, or delete the catalog's file"
      )
    }
    try history.checkRemoval()
    // The keys are checked against the totals: a product that a damaged index hides would not be removed.
    let keys = try CatalogKeys(database, totals: try store.currentTotals())
    for identifier in try keys.productIdentifiers() where try !isSeen(.product, identifier) {
      if let stored = try store.product(identifier) {
        let prices = try history.regularPrices(of: stored.product)
        let knownSince = try history.knownSince(stored)
        try history.record(identifier, knownSince: knownSince, isNew: false, prices, PriceTable())
        try store.delete(stored)
      }
      summary.products.removed += 1
    }
    for name in try keys.tierNames() where try !isSeen(.tier, name) {
      if let (list, tier) = try store.tier(name) {
        try recordChange(ofTier: name, tier.prices, nil)
        try store.delete(tier: name, list)
      }
      summary.tiers.removed += 1
    }
    for group in try keys.groups() {
      if try isSeen(group.kind == .category ? .category : .subscriptionGroup, group.identifier) { continue }
      if let stored = try store.group(group.kind, group.identifier) { try store.delete(stored) }
      summary.groups.removed += 1
    }
  }

  private func isSeen(_ kind: Kind, _ name: String) throws -> Bool { try seen(kind, name) != nil }
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

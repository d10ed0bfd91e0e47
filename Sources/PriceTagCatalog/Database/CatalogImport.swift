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

  /// Imports files, in their order: all of them in one transaction, or nothing where one cannot be read.
  ///
  ///     let catalog = try Catalog(path: "shop.pricetag", access: .readAndImport)
  ///     let summary = try catalog.importFiles([CatalogFile(path: "Products.storekit")])
  ///     summary.products.added    // 12
  ///
  /// Importing the same files again changes nothing. A product that two files speak of has what both say; where they
  /// differ, the later one holds. A price of a product's own goes before its tier's, also where the tier came later.
  ///
  /// - Parameters:
  ///   - files: The files, each of any format that PriceTag reads.
  ///   - format: The format of all of them; `nil` to tell it by each file's ending and first bytes.
  ///   - options: What prices mean that do not say it themselves.
  ///   - mode: How what is there is dealt with.
  ///   - setAside: Is handed what could not be taken, with file, place and reason; where it throws, nothing is imported.
  ///   - progress: Is told which file is read, and how many of its bytes were.
  /// - Throws: `CatalogError`, naming file and place.
  @discardableResult
  public func importFiles(
    _ files: [CatalogFile],
    format: CatalogFormat? = nil,
    options: ImportOptions = ImportOptions(),
    mode: ImportMode = .update,
    setAside: (CatalogError) throws(CatalogError) -> Void = { _ in },
    progress: @escaping @Sendable (_ file: String, _ bytes: Int) -> Void = { _, _ in }
  ) throws(CatalogError) -> ImportSummary {
    try write { database in
      try withoutActuallyEscaping(setAside) { setAside in
        let writing = try CatalogWriting(database, localeData: self.localeData, mode: mode)
        for (number, file) in files.enumerated() {
          let name = printable(file.name)
          var file = file
          file.progress = { progress(name, $0) }
          var isEmpty = true
          func tell(_ error: CatalogError) throws(CatalogError) {
            isEmpty = false
            writing.summary.setAside += 1
            try setAside(error.at(name))
          }
          let session = ImportSession(
            options: options,
            take: { (item, place) throws(CatalogError) in
              isEmpty = false
              do {
                if let error = try writing.take(item, ofFile: number) { try tell(error.at(place)) }
              } catch { throw CatalogError(database: error) }
            },
            setAside: { (error) throws(CatalogError) in try tell(error) }
          )
          do throws(CatalogError) {
            let known = if let format { format } else { try CatalogFormat(of: file) }
            if let storefront = options.reinterpretAs, known != .storekit {
              throw CatalogError(
                .invalidRequest,
                "the prices cannot be reinterpreted as those of \(storefront.id): the format \(known.rawValue) names no storefront for a complete file",
                fix: "leave out --reinterpret-as for this file, or give a StoreKit configuration"
              )
            }
            try known.importer.read(file, into: session)
            writing.noteReinterpretation(of: name, session)
            if isEmpty { try tell(.emptyFile) }
          } catch {
            // What is set aside names its file already; so does the database.
            throw error.place.hasPrefix(name) ? error : error.at(name)
          }
        }
        return try writing.finish()
      }
    }
  }
}

extension CatalogError {
  /// A file that says nothing, such as an answer without products: it may be the wrong one, or cut off.
  fileprivate static let emptyFile = CatalogError(
    .emptyFile,
    "the file has no product, tier or group",
    fix: "check that it is the right file and complete"
  )
}

/// One import's writing: puts what files say together with what is kept, and counts.
final class CatalogWriting {
  var summary = ImportSummary()
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
    keep = try database.makeStatement(sql: "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)")
  }

  private enum Kind: Int64 {
    case product, tier, subscriptionGroup, category
  }

  /// Takes an item of a file.
  ///
  /// - Returns: Why it cannot be taken; `nil` where it was.
  func take(_ item: ImportedItem, ofFile file: Int) throws -> CatalogError? {
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
    if let seen, try seen.decode(atIndex: 0) == file {
      return CatalogError(
        .duplicate,
        "\(quoted(name)) stands twice in the file",
        fix: "remove one of them; the first was taken"
      )
    }
    var outcome = try write(seen == nil)
    if let seen, let before = try Outcome(rawValue: seen.decode(atIndex: 1)) {
      // What was added stays so, whatever a later file says.
      if before == .added || outcome == .unchanged { outcome = before }
      summary[keyPath: counts].count(before, -1)
    }
    summary[keyPath: counts].count(outcome, 1)
    try keep.execute(arguments: [kind.rawValue, name, file, outcome.rawValue])
    return nil
  }

  /// Records that a file's prices were read as another storefront's.
  func noteReinterpretation(of file: String, _ session: ImportSession) {
    guard let own = session.reinterpretedStorefront, let storefront = session.options.reinterpretAs else {
      return
    }
    summary.reinterpretations.append(
      ImportSummary.Reinterpretation(file: file, storefront: own, reinterpretedAs: storefront.id)
    )
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
  fileprivate mutating func count(_ outcome: CatalogWriting.Outcome, _ number: Int) {
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

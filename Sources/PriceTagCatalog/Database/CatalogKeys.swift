import GRDB
import PriceTag
import PriceTagText

/// Reads the keys of all products, tiers and groups, and checks that none is missing.
struct CatalogKeys {
  private let database: Database
  /// What there must be; `nil` for a catalog without checksums.
  private let totals: CatalogTotals?

  init(_ database: Database, totals: CatalogTotals?) {
    (self.database, self.totals) = (database, totals)
  }

  init(_ database: Database, hasChecksums: Bool) throws {
    self.init(database, totals: hasChecksums ? try CatalogTotals(database, hasChecksums: true) : nil)
  }

  /// Returns the identifiers of all products, in the order of a store.
  ///
  /// - Throws: `DamagedCatalog` where the index that has their order lacks one.
  func productIdentifiers() throws -> [String] {
    let row = try CatalogStatement(
      database,
      """
      SELECT \(OrderColumn.selection) FROM product ORDER BY sort_order IS NULL, sort_order, identifier
      """
    )
    var identifiers: [String] = []
    var found = KeyDigest()
    var order = ProductOrder()
    let budget = WorkBudget.current
    try row.forEachRow {
      if identifiers.count.isMultiple(of: 256) { try budget?.goOn() }
      let identifier = try row.requiredText(OrderColumn.identifier)
      try order.check(number: row.integer(OrderColumn.sortOrder), identifier)
      found.insert(.product, identifier)
      identifiers.append(identifier)
    }
    try totals?.check(products: found)
    return identifiers
  }

  /// Returns the names of all tiers.
  ///
  /// - Throws: `DamagedCatalog`.
  func tierNames() throws -> [String] {
    let row = try CatalogStatement(database, "SELECT name AS value FROM tier ORDER BY name")
    var (names, found): ([String], KeyDigest) = ([], KeyDigest())
    try row.forEachRow {
      let name = try row.requiredText(OnlyColumn.value)
      names.append(name)
      found.insert(.tier, name)
    }
    try totals?.check(tiers: found)
    return names
  }

  /// Returns all groups, each once.
  ///
  /// - Throws: `DamagedCatalog`.
  func groups() throws -> [(kind: ProductGroup.Kind, identifier: String)] {
    let row = try CatalogStatement(
      database,
      "SELECT \(GroupKeyColumn.selection) FROM product_group ORDER BY kind, identifier, language"
    )
    var groups: [(kind: ProductGroup.Kind, identifier: String)] = []
    var found = KeyDigest()
    try row.forEachRow {
      let kind = try row.requiredText(GroupKeyColumn.kind)
      let identifier = try row.requiredText(GroupKeyColumn.identifier)
      found.insert(.productGroup, kind, identifier, try row.requiredText(GroupKeyColumn.language))
      guard let kind = try stored(kind, ProductGroup.Kind.init) else { return }
      if let last = groups.last, last.kind == kind, last.identifier.utf8.elementsEqual(identifier.utf8) {
        return
      }
      groups.append((kind, identifier))
    }
    try totals?.check(names: found)
    return groups
  }

  /// Returns the languages that products have texts in, in the order of their tags.
  ///
  /// - Throws: `DamagedCatalog`.
  func languages() throws -> [String] {
    guard let totals else {
      return try String.fetchAll(
        database,
        sql: "SELECT DISTINCT language FROM product_text ORDER BY language"
      )
    }
    let row = try CatalogStatement(database, "SELECT \(CatalogTable.product.selection(true)) FROM product")
    let sets = PartSets(database)
    var (numbers, languages): (Set<Int64>, Set<String>) = ([], [])
    var found = KeyDigest()
    try row.forEachRow {
      try CatalogTable.product.verify(row)
      found.insert(.product, try row.requiredText(ProductColumn.identifier))
      let number = try row.requiredInteger(ProductColumn.textSet)
      if numbers.insert(number).inserted { languages.formUnion(try sets.set(number).names) }
    }
    try totals.check(products: found)
    return languages.sorted()
  }
}

/// What products are ordered by.
private enum OrderColumn: Int, CatalogColumn {
  case sortOrder, identifier
}

/// The key of the table `product_group`.
enum GroupKeyColumn: Int, CatalogColumn {
  case kind, identifier, language
}

/// Checks that products come in their order, each once.
struct ProductOrder {
  private var last: (number: Int64?, identifier: String)?

  init() {}

  /// - Throws: `DamagedCatalog`.
  mutating func check(number: Int64?, _ identifier: String) throws {
    if let last {
      let isAfter =
        switch (last.number, number) {
        case (let last?, let number?) where last != number: last < number
        case (nil, .some): false
        case (.some, nil): true
        default: last.identifier.utf8.lexicographicallyPrecedes(identifier.utf8)
        }
      guard isAfter else {
        throw DamagedCatalog(problem: "the product \(quoted(identifier)) is out of order")
      }
    }
    last = (number, identifier)
  }
}

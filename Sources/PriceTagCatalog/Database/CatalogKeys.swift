import GRDB
import PriceTag
import PriceTagText

/// Reads the keys of all products, tiers and groups, and checks that no key is missing.
struct CatalogKeys {
  private let database: Database
  /// The expected counts and digests.
  private let totals: CatalogTotals

  /// - Parameter totals: The expected counts and digests; `nil` reads them.
  init(_ database: Database, totals: CatalogTotals? = nil) throws {
    self.database = database
    self.totals = try totals ?? CatalogTotals(database)
  }

  /// Returns the identifiers of all products, in store order.
  ///
  /// - Throws: `DamagedCatalog` if the index of the store order is damaged.
  func productIdentifiers() throws -> [String] {
    let row = try CatalogStatement(
      database,
      "SELECT \(OrderColumn.selection) FROM product ORDER BY \(ProductOrder.columns)"
    )
    var identifiers: [String] = []
    var order = ProductOrder()
    let budget = WorkBudget.current
    try row.forEachRow {
      if identifiers.count.isMultiple(of: 256) { try budget?.checkpoint() }
      let identifier = try row.requiredText(OrderColumn.identifier)
      try order.check(sortOrder: row.integer(OrderColumn.sortOrder), identifier)
      identifiers.append(identifier)
    }
    try totals.check(\.products, order.found, "products")
    return identifiers
  }

  /// Returns the names of all tiers.
  ///
  /// - Throws: `DamagedCatalog`.
  func tierNames() throws -> [String] {
    let row = try CatalogStatement(database, "SELECT name AS value FROM tier ORDER BY name")
    var (names, found): ([String], KeyDigest) = ([], KeyDigest())
    try row.forEachRow {
      let name = try row.requiredText(SingleColumn.value)
      names.append(name)
      found.insert(.tier, name)
    }
    try totals.check(\.tiers, found, "tiers")
    return names
  }

  /// Returns all groups without duplicates.
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
    try totals.check(\.names, found, "group names")
    return groups
  }

  /// Returns the languages of the products' texts, sorted by tag.
  ///
  /// - Throws: `DamagedCatalog`.
  func languages() throws -> [String] {
    let row = try CatalogTable.product.select("true", database)
    let sets = PartSetStore(database)
    var (setIDs, languages): (Set<Int64>, Set<String>) = ([], [])
    var found = KeyDigest()
    try row.forEachRow {
      try CatalogTable.product.verify(row)
      found.insert(.product, try row.requiredText(ProductColumn.identifier))
      let setID = try row.requiredInteger(ProductColumn.textSet)
      if setIDs.insert(setID).inserted { languages.formUnion(try sets.set(setID).names) }
    }
    try totals.check(\.products, found, "products")
    return languages.sorted()
  }
}

/// The columns that define the store order.
private enum OrderColumn: Int, CatalogColumn {
  case sortOrder, identifier
}

/// The key of the table `product_group`.
enum GroupKeyColumn: Int, CatalogColumn {
  case kind, identifier, language
}

/// Checks that products arrive in store order without duplicates, and counts them.
struct ProductOrder {
  /// The columns of the index of the store order, for `ORDER BY`.
  static let columns = "sort_order IS NULL, sort_order, identifier"

  private var last: (sortOrder: Int64?, identifier: String)?
  /// The count and the digest of the products so far.
  private(set) var found = KeyDigest()

  init() {}

  /// Checks the next product.
  ///
  /// - Throws: `DamagedCatalog`.
  mutating func check(sortOrder: Int64?, _ identifier: String) throws {
    if let last {
      let isAfter =
        switch (last.sortOrder, sortOrder) {
        case (let last?, let next?) where last != next: last < next
        case (nil, .some): false
        case (.some, nil): true
        default: ExactText.precedes(last.identifier, identifier)
        }
      guard isAfter else {
        throw DamagedCatalog(problem: "the product \(quoted(identifier)) is out of order")
      }
    }
    last = (sortOrder, identifier)
    found.insert(.product, identifier)
  }
}

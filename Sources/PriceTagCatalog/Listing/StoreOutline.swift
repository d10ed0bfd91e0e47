import GRDB
import PriceTag
import PriceTagStrings

/// The products that one storefront shows on a date, in store order, by the IDs of their rows: what the lists of a store
/// contain, without the products themselves.
///
/// It takes a few bytes for each product, so pages of long lists can be written without all products in memory.
package struct StoreOutline: Sendable {
  /// The products of one category.
  package struct Section: Sendable {
    /// The category's identifier; `nil` for products without a category.
    package let category: String?
    /// The products, in store order.
    package var products: [Int64] = []
  }

  /// All products, in store order.
  package fileprivate(set) var products: [Int64] = []
  /// The products by category, in the order of the first product of each.
  package fileprivate(set) var sections: [Section] = []
  /// The auto-renewable subscriptions by group, in the order of the first product of each.
  package fileprivate(set) var subscriptionGroups: [Section] = []

  /// The positions of the products among all products of the catalog, in store order.
  package fileprivate(set) var positions = PositionSet()

  /// A set of positions, which takes one bit for each product of the catalog.
  package struct PositionSet: Sendable {
    private var words: [UInt64] = []

    package init() {}

    package var isEmpty: Bool { words.isEmpty }

    package mutating func insert(_ position: Int) {
      while words.count <= position / 64 { words.append(0) }
      words[position / 64] |= 1 << UInt64(position % 64)
    }

    package func contains(_ position: Int) -> Bool {
      position / 64 < words.count && words[position / 64] >> UInt64(position % 64) & 1 == 1
    }
  }

  fileprivate mutating func add(
    _ id: Int64,
    _ record: ProductRecord,
    at position: Int,
    _ indices: inout Indices
  ) {
    products.append(id)
    positions.insert(position)
    Self.add(id, record.category?.identifier, to: &sections, &indices.sections)
    if record.kind == .autoRenewable, record.subscriptionPeriod != nil, let group = record.subscriptionGroup {
      Self.add(id, group.identifier, to: &subscriptionGroups, &indices.groups)
    }
  }

  private static func add(
    _ id: Int64,
    _ key: String?,
    to sections: inout [Section],
    _ indices: inout [ExactText?: Int]
  ) {
    let text = key.map(ExactText.init)
    if let index = indices[text] {
      sections[index].products.append(id)
    } else {
      indices[text] = sections.count
      sections.append(Section(category: key, products: [id]))
    }
  }

  fileprivate struct Indices {
    var sections: [ExactText?: Int] = [:]
    var groups: [ExactText?: Int] = [:]
  }
}

/// Reads the outline and the products of one storefront, in any order, from one consistent state of a catalog.
///
/// A reader must be used by one thread at a time.
package final class StoreReader {
  private let reader: any DatabaseReader
  /// The path of the catalog, for errors.
  private let path: String
  private let request: ListingRequest
  private let localeData: LocaleData
  private let hasChecksums: Bool
  /// The reader of the records; `nil` if each call may use another connection.
  private var recordReader: ProductRecordReader?
  private let isOneConnection: Bool

  /// - Parameter request: A request with one storefront.
  fileprivate init(
    _ reader: any DatabaseReader,
    _ path: String,
    _ request: ListingRequest,
    _ localeData: LocaleData,
    hasChecksums: Bool
  ) {
    (self.reader, self.path, self.request) = (reader, path, request)
    (self.localeData, self.hasChecksums) = (localeData, hasChecksums)
    isOneConnection = !(reader is DatabasePool)
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    do { return try reader.read(body) } catch { throw CatalogError(database: error, path) }
  }

  /// Returns the outline of the storefront.
  ///
  /// - Parameters:
  ///   - onRecord: Called with each product of the catalog, without its texts, and its position in store order.
  ///   - onInvalid: Called with each product that the storefront cannot show.
  package func outline(
    onRecord: (Int, ProductRecord) -> Void = { _, _ in },
    onInvalid: (InvalidProductIdentifier) -> Void = { _ in }
  ) throws(CatalogError) -> StoreOutline {
    try read { database in
      var outline = StoreOutline()
      var indices = StoreOutline.Indices()
      let builder = try ListingBuilder(request)
      // The texts do not matter.
      let records = try ProductRecordReader(
        database,
        request.storefronts,
        localeData,
        hasChecksums: hasChecksums
      ) { _ in nil }
      let selection = try CatalogTable.product.selection(hasChecksums, database)
      let row = try CatalogStatement(
        database,
        "SELECT \(selection) FROM product ORDER BY sort_order IS NULL, sort_order, identifier"
      )
      let isPinned = localeData.pack != nil
      var order = ProductOrder()
      var found = KeyDigest()
      let budget = WorkBudget.current
      var position = 0
      try row.forEachRow {
        if position.isMultiple(of: 256) { try budget?.checkpoint() }
        let record = try records.product(row)
        try order.check(sortOrder: row.integer(ProductColumn.sortOrder), record.identifier)
        found.insert(.product, record.identifier)
        onRecord(position, record)
        if let unavailability = builder.unavailability(of: record, inStorefront: 0, isPinned: isPinned) {
          onInvalid(unavailability.invalidIdentifier(record.identifier))
        } else {
          outline.add(try row.requiredInteger(ProductColumn.id), record, at: position, &indices)
        }
        position += 1
      }
      if hasChecksums {
        try CatalogTotals(database, hasChecksums: true).check(products: found)
      }
      return outline
    }
  }

  /// Calls the body with the identifiers of all products of the catalog, in store order, with their positions.
  package func forEachIdentifier(_ body: (Int, String) throws -> Void) throws(CatalogError) {
    try read { database in
      let row = try CatalogStatement(
        database,
        "SELECT identifier AS value FROM product ORDER BY sort_order IS NULL, sort_order, identifier"
      )
      var position = 0
      try row.forEachRow {
        try body(position, try row.requiredText(SingleColumn.value))
        position += 1
      }
    }
  }

  /// Returns the records of products by the IDs of their rows.
  package func records(_ ids: some Sequence<Int64>) throws(CatalogError) -> [ProductRecord] {
    try read { database in
      let reader =
        try recordReader
        ?? ProductRecordReader(database, request.storefronts, localeData, hasChecksums: hasChecksums)
      if isOneConnection { recordReader = reader }
      var records: [ProductRecord] = []
      for id in ids { if let record = try reader.product(row: id) { records.append(record) } }
      return records
    }
  }

  /// Returns the IDs of the rows of products, without those of unknown identifiers.
  package func rows(_ identifiers: [String]) throws(CatalogError) -> [Int64] {
    try read { database in
      let find = try CatalogStatement(database, "SELECT id AS value FROM product WHERE identifier = ?")
      var rows: [Int64] = []
      for identifier in identifiers {
        let row = try find.firstRow(.text(identifier)) { try find.requiredInteger(SingleColumn.value) }
        if let row { rows.append(row) }
      }
      return rows
    }
  }
}

extension Catalog {
  /// Returns a reader of the products of one storefront. Later imports do not affect it if it has a snapshot.
  ///
  /// - Parameters:
  ///   - request: A request with one storefront.
  ///   - snapshot: The reader whose state of the catalog is read; `nil` for the current state.
  package func storeReader(for request: ListingRequest, from snapshot: ListingReader? = nil) -> StoreReader {
    StoreReader(snapshot?.snapshot ?? reader, path, request, localeData, hasChecksums: hasChecksums)
  }

  /// Returns the outline of the storefront of a request.
  package func outline(for request: ProductsRequest) throws(CatalogError) -> StoreOutline {
    try storeReader(for: ListingRequest(request)).outline()
  }

  /// Returns the products of a request by the IDs of their rows, in this order.
  ///
  /// - Parameter request: The request. Its identifiers are not used.
  package func products(_ ids: [Int64], for request: ProductsRequest) throws(CatalogError) -> [Product] {
    try read { database in
      let builder = try ListingBuilder(ListingRequest(request))
      let reader = try ProductRecordReader(
        database,
        [request.storefront],
        localeData,
        hasChecksums: hasChecksums
      ) { builder.shownLanguageIndex(among: $0) }
      var products: [Product] = []
      for id in ids {
        guard let record = try reader.product(row: id),
          case .success(let product) = try builder.product(record)
        else { continue }
        products.append(product)
      }
      return products
    }
  }
}

extension ListingRequest {
  /// The request with the one storefront and the one language of a products request.
  fileprivate init(_ request: ProductsRequest) {
    self.init(
      storefronts: [request.storefront],
      languages: .list([request.language]),
      at: request.date,
      mode: request.mode,
      style: request.style,
      unitPriceRounding: request.unitPriceRounding,
      strings: request.strings
    )
  }

  /// Returns the same request for one storefront.
  package func restricted(to storefront: Storefront) -> ListingRequest {
    ListingRequest(
      storefronts: [storefront],
      languages: languages,
      at: date,
      mode: mode,
      style: style,
      unitPriceRounding: unitPriceRounding,
      strings: strings
    )
  }
}

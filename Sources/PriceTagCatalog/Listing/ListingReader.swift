import GRDB
import PriceTag

extension Catalog {
  /// Returns a reader of all products of the catalog in its current state. Later imports do not affect the reader.
  ///
  ///     let request = ListingRequest(storefronts: LocaleData.embedded.storefronts)
  ///     let reader = try catalog.listings(for: request)
  ///     let builder = try ListingBuilder(request)
  ///     while case let records = try reader.next(100), !records.isEmpty {
  ///       for record in records { try builder.forEach(record) { listing in write(listing) } }
  ///     }
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - order: The order of the products.
  /// - Returns: The reader.
  /// - Throws: `.databaseFailed`.
  public func listings(
    for request: ListingRequest,
    order: ListingReader.Order = .store
  ) throws(CatalogError) -> ListingReader {
    do {
      if let pool = reader as? DatabasePool {
        let snapshot = try pool.makeSnapshot()
        return try ListingReader(snapshot, path, request, order, localeData)
      }
      // A catalog in memory has only one connection, which imports also use.
      let copy = try DatabaseQueue()
      try reader.backup(to: copy)
      return try ListingReader(copy, path, request, order, localeData)
    } catch { throw CatalogError(database: error, path) }
  }
}

extension Catalog {
  /// Returns a reader of all products in store order, from the state of another reader.
  package func listings(
    for request: ListingRequest,
    from other: ListingReader
  ) throws(CatalogError) -> ListingReader {
    do {
      return try ListingReader(other.snapshot, path, request, .store, localeData)
    } catch { throw CatalogError(database: error, path) }
  }
}

/// Reads the products of a catalog in batches, from one consistent state. Memory use does not grow with the number of
/// products.
///
/// If the catalog is closed with `Catalog.close()`, no import into its file is possible while the reader exists.
///
/// Safe to share between threads: the mutable state is used only on the connection's queue.
public final class ListingReader: @unchecked Sendable {
  /// The order of the products.
  public enum Order: Hashable, Sendable {
    /// Store order.
    case store
    /// The order of the bytes of the product identifiers, in which two lists can be compared.
    case identifier
  }

  /// The number of products.
  public let count: Int

  let snapshot: any DatabaseReader
  /// The path of the catalog, for errors.
  let path: String
  let storefronts: [Storefront]
  let localeData: LocaleData
  private let totals: CatalogTotals
  private var recordReader: ProductRecordReader?
  private var position: Position
  private var order = ProductOrder()

  /// The position of the last product that was read; the start of a part has the least possible keys. In store order, products
  /// with a sort order come first.
  enum Position {
    case sorted(Int64, String)
    case unsorted(String)
    case all(String)
    case end
  }

  init(
    _ snapshot: any DatabaseReader,
    _ path: String,
    _ request: ListingRequest,
    _ order: Order,
    _ localeData: LocaleData
  ) throws {
    position = order == .store ? .sorted(.min, "") : .all("")
    (self.snapshot, self.path, self.localeData) = (snapshot, path, localeData)
    storefronts = request.storefronts
    totals = try snapshot.read { try CatalogTotals($0) }
    count = Int(clamping: totals.products.count)
  }

  /// Returns the next products.
  ///
  /// Several threads may call this method. Each product is returned only once.
  ///
  /// - Parameter maximum: The maximum number of products. At least one is returned unless the reader is at the end.
  /// - Returns: The products; an empty array at the end.
  /// - Throws: `.databaseFailed`. The position does not change, so the next call throws the same error.
  public func next(_ maximum: Int) throws(CatalogError) -> [ProductRecord] {
    try snapshot.read(path) { database in
      let recordReader =
        try self.recordReader ?? ProductRecordReader(database, storefronts, localeData)
      self.recordReader = recordReader
      var products: [ProductRecord] = []
      var (position, order) = (position, order)
      while products.isEmpty, let (sql, arguments) = Self.query(after: position) {
        let row = try CatalogStatement(database, sql)
        try row.forEachRow(arguments + [.integer(Int64(max(1, maximum)))]) {
          let product = try recordReader.product(row)
          products.append(product)
          var sortOrder = try row.integer(ProductColumn.sortOrder)
          if case .all = position {
            (position, sortOrder) = (.all(product.identifier), nil)
          } else {
            position = sortOrder.map { .sorted($0, product.identifier) } ?? .unsorted(product.identifier)
          }
          try order.check(sortOrder: sortOrder, product.identifier)
        }
        if products.isEmpty { position = if case .sorted = position { .unsorted("") } else { .end } }
      }
      if products.isEmpty { try totals.check(\.products, order.found, "products") }
      (self.position, self.order) = (position, order)
      return products
    }
  }

  /// Returns the statement that reads the products after a position, and its arguments without the maximum count.
  ///
  /// Each statement finds its start in the index `product_in_order`, or in the index of the identifiers.
  static func query(after position: Position) -> (sql: String, arguments: [CatalogValue])? {
    let condition: String
    let arguments: [CatalogValue]
    var order = "sort_order, identifier"
    switch position {
    case .sorted(let number, let identifier):
      condition = "(sort_order IS NULL) = 0 AND (sort_order, identifier) > (?, ?)"
      arguments = [.integer(number), .text(identifier)]
    case .unsorted(let identifier):
      condition = "(sort_order IS NULL) = 1 AND sort_order IS NULL AND identifier > ?"
      arguments = [.text(identifier)]
    case .all(let identifier):
      (condition, order, arguments) = ("identifier > ?", "identifier", [.text(identifier)])
    case .end: return nil
    }
    let sql =
      "SELECT \(CatalogTable.product.selection) FROM product WHERE \(condition) ORDER BY \(order) LIMIT ?"
    return (sql, arguments)
  }
}

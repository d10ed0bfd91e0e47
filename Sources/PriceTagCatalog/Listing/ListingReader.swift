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
  private let storefronts: [Storefront]
  let localeData: LocaleData
  private let totals: CatalogTotals
  private var recordReader: ProductRecordReader?
  private var position: Position
  private var order = ProductOrder()
  /// The digest of the products that were read.
  private var found = KeyDigest()

  /// The position of the last product that was read. In store order, products with a sort order come first.
  enum Position {
    case start
    case sorted(Int64, String)
    case startOfUnsorted
    case unsorted(String)
    case startOfAll
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
    position = order == .store ? .start : .startOfAll
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
    do {
      return try snapshot.read { database in
        let recordReader =
          try self.recordReader ?? ProductRecordReader(database, storefronts, localeData)
        self.recordReader = recordReader
        var products: [ProductRecord] = []
        var (position, order, found) = (position, order, found)
        while products.isEmpty, let sql = Self.sql(at: position) {
          let start = position
          let row = try CatalogStatement(database, sql)
          try row.forEachRow(Self.arguments(at: start) + [.integer(Int64(max(1, maximum)))]) {
            let product = try recordReader.product(row)
            products.append(product)
            found.insert(.product, product.identifier)
            let sortOrder = try row.integer(ProductColumn.sortOrder)
            switch start {
            case .startOfAll, .all:
              try order.check(sortOrder: nil, product.identifier)
              position = .all(product.identifier)
            default:
              try order.check(sortOrder: sortOrder, product.identifier)
              position = sortOrder.map { .sorted($0, product.identifier) } ?? .unsorted(product.identifier)
            }
          }
          if products.isEmpty { position = Self.next(after: start) }
        }
        if products.isEmpty { try totals.check(products: found) }
        (self.position, self.order, self.found) = (position, order, found)
        return products
      }
    } catch { throw CatalogError(database: error, path) }
  }

  /// Returns the statement that reads the products after a position.
  ///
  /// Each statement finds its start in the index `product_in_order`, or in the index of the identifiers.
  static func sql(at position: Position) -> String? {
    let condition: String
    var order = "sort_order, identifier"
    switch position {
    case .start: condition = "(sort_order IS NULL) = 0"
    case .sorted: condition = "(sort_order IS NULL) = 0 AND (sort_order, identifier) > (?, ?)"
    case .startOfUnsorted: condition = "(sort_order IS NULL) = 1 AND sort_order IS NULL"
    case .unsorted: condition = "(sort_order IS NULL) = 1 AND sort_order IS NULL AND identifier > ?"
    case .startOfAll: (condition, order) = ("true", "identifier")
    case .all: (condition, order) = ("identifier > ?", "identifier")
    case .end: return nil
    }
    return """
      SELECT \(CatalogTable.product.selection) FROM product WHERE \(condition) ORDER BY \(order) LIMIT ?
      """
  }

  static func arguments(at position: Position) -> [CatalogValue] {
    switch position {
    case .start, .startOfUnsorted, .startOfAll, .end: []
    case .sorted(let number, let identifier): [.integer(number), .text(identifier)]
    case .unsorted(let identifier), .all(let identifier): [.text(identifier)]
    }
  }

  /// Returns the next position to read from when a statement returns no more rows.
  private static func next(after position: Position) -> Position {
    switch position {
    case .start, .sorted: .startOfUnsorted
    case .startOfUnsorted, .unsorted, .startOfAll, .all, .end: .end
    }
  }
}

import GRDB
import PriceTag

extension Catalog {
  /// Reads the whole catalogue for listings, as it is now: an import meanwhile changes nothing of it.
  ///
  ///     let request = ListingRequest(storefronts: LocaleData.embedded.storefronts)
  ///     let reading = try catalog.listings(for: request)
  ///     let maker = try ListingMaker(request)
  ///     while case let products = try reading.next(100), !products.isEmpty {
  ///       for facts in products { try maker.forEach(facts) { listing in write(listing) } }
  ///     }
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - order: The order of the products.
  /// - Throws: `.databaseFailed`.
  public func listings(
    for request: ListingRequest,
    order: ListingReading.Order = .store
  ) throws(CatalogError) -> ListingReading {
    do {
      if let pool = reader as? DatabasePool {
        return try ListingReading(pool.makeSnapshot(), request, order, localeData)
      }
      // A catalogue in memory has one connection, which imports too.
      let copy = try DatabaseQueue()
      try reader.backup(to: copy)
      return try ListingReading(copy, request, order, localeData)
    } catch { throw CatalogError(database: error) }
  }
}

/// Reads a catalogue's products one after another, in one order and in one state of the catalogue. What is held of them does not grow with their number.
///
/// While it lives, a file that `Catalog.close()` has left alone takes no import: it is the reading's.
///
/// Sendable notes: what changes is used on the connection's own queue alone.
public final class ListingReading: @unchecked Sendable {
  /// The order of the products.
  public enum Order: Hashable, Sendable {
    /// As they stand in a store.
    case store
    /// By the bytes of their identifiers, as lists that are compared have them.
    case identifier
  }

  /// How many products there are.
  public let count: Int

  private let state: any DatabaseReader
  private let storefronts: [Storefront]
  private let localeData: LocaleData
  private var facts: ProductFactsReading?
  private var position: Position

  /// Which products were read: first come those with a number, in its order, then those without one.
  ///
  /// The values stay the database's own: a damaged one is compared as the database does, and no product comes twice.
  enum Position {
    case start
    case sorted(DatabaseValue, DatabaseValue)
    case startOfUnsorted
    case unsorted(DatabaseValue)
    case startOfAll
    case all(DatabaseValue)
    case end
  }

  init(
    _ state: any DatabaseReader,
    _ request: ListingRequest,
    _ order: Order,
    _ localeData: LocaleData
  ) throws {
    position = order == .store ? .start : .startOfAll
    (self.state, self.localeData, storefronts) = (state, localeData, request.storefronts)
    count = try state.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") ?? 0 }
  }

  /// The facts of the next products.
  ///
  /// Any thread may ask, and what it gets may be used by any; whoever asks gets what nobody else has got.
  ///
  /// - Parameter most: How many at most; one at least.
  /// - Returns: The next products; none at the end.
  /// - Throws: `.databaseFailed`; where that is thrown, nothing was taken, and the next call throws it again.
  public func next(_ most: Int) throws(CatalogError) -> [ProductFacts] {
    do {
      return try state.read { database in
        let facts = try self.facts ?? ProductFactsReading(database, storefronts, localeData)
        self.facts = facts
        var products: [ProductFacts] = []
        var position = position
        while products.isEmpty, let sql = Self.sql(at: position) {
          // Rows of their own: what they hold is not taken for what it could be read as.
          let rows = try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: Self.arguments(at: position) + [max(1, most)]
          )
          let start = position
          for row in rows {
            products.append(try facts.product(row))
            let identifier: DatabaseValue = try row.decode(atIndex: 10)
            switch start {
            case .start, .sorted: position = .sorted(try row.decode(atIndex: 11), identifier)
            case .startOfAll, .all: position = .all(identifier)
            case .startOfUnsorted, .unsorted, .end: position = .unsorted(identifier)
            }
          }
          if products.isEmpty { position = Self.next(after: start) }
        }
        self.position = position
        return products
      }
    } catch { throw CatalogError(database: error) }
  }

  /// A store's order is `Catalog.inOrder`'s; each statement finds its place in the index `product_in_order`, or in that
  /// of the identifiers.
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
      SELECT \(ProductFactsReading.columns) FROM product WHERE \(condition) ORDER BY \(order) LIMIT ?
      """
  }

  static func arguments(at position: Position) -> StatementArguments {
    switch position {
    case .start, .startOfUnsorted, .startOfAll, .end: []
    case .sorted(let number, let identifier): [number, identifier]
    case .unsorted(let identifier), .all(let identifier): [identifier]
    }
  }

  /// Where to look when nothing is left.
  private static func next(after position: Position) -> Position {
    switch position {
    case .start, .sorted: .startOfUnsorted
    case .startOfUnsorted, .unsorted, .startOfAll, .all, .end: .end
    }
  }
}

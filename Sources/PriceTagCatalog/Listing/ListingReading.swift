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
        return try ListingReading(pool.makeSnapshot(), request, order, localeData, hasChecksums: hasChecksums)
      }
      // A catalogue in memory has one connection, which imports too.
      let copy = try DatabaseQueue()
      try reader.backup(to: copy)
      return try ListingReading(copy, request, order, localeData, hasChecksums: hasChecksums)
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
  private let totals: CatalogTotals
  private let hasChecksums: Bool
  private var facts: ProductFactsReading?
  private var position: Position
  private var order = ProductOrder()
  /// The products that were read.
  private var found = KeyDigest()

  /// Which products were read: first come those with a number, in its order, then those without one.
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
    _ state: any DatabaseReader,
    _ request: ListingRequest,
    _ order: Order,
    _ localeData: LocaleData,
    hasChecksums: Bool
  ) throws {
    self.hasChecksums = hasChecksums
    position = order == .store ? .start : .startOfAll
    (self.state, self.localeData, storefronts) = (state, localeData, request.storefronts)
    (totals, count) = try state.read { database in
      let totals = try CatalogTotals(database, hasChecksums: hasChecksums)
      if hasChecksums { return (totals, Int(clamping: totals.products.count)) }
      return (totals, try Int.fetchOne(database, sql: "SELECT count(*) FROM product") ?? 0)
    }
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
        let facts =
          try self.facts ?? ProductFactsReading(database, storefronts, localeData, hasChecksums: hasChecksums)
        self.facts = facts
        var products: [ProductFacts] = []
        var (position, order, found) = (position, order, found)
        while products.isEmpty, let sql = Self.sql(at: position, hasChecksums: hasChecksums) {
          let start = position
          let row = try CatalogStatement(database, sql)
          try row.forEachRow(Self.arguments(at: start) + [.integer(Int64(max(1, most)))]) {
            let product = try facts.product(row)
            products.append(product)
            found.insert(.product, product.identifier)
            let number = try row.integer(ProductColumn.sortOrder)
            switch start {
            case .startOfAll, .all:
              try order.check(number: nil, product.identifier)
              position = .all(product.identifier)
            default:
              try order.check(number: number, product.identifier)
              position = number.map { .sorted($0, product.identifier) } ?? .unsorted(product.identifier)
            }
          }
          if products.isEmpty { position = Self.next(after: start) }
        }
        if products.isEmpty, hasChecksums { try totals.check(products: found) }
        (self.position, self.order, self.found) = (position, order, found)
        return products
      }
    } catch { throw CatalogError(database: error) }
  }

  /// A store's order is `Catalog.inOrder`'s; each statement finds its place in the index `product_in_order`, or in that
  /// of the identifiers.
  static func sql(at position: Position, hasChecksums: Bool = true) -> String? {
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
      SELECT \(CatalogTable.product.selection(hasChecksums)) FROM product WHERE \(condition) ORDER BY \(order) LIMIT ?
      """
  }

  static func arguments(at position: Position) -> [CatalogValue] {
    switch position {
    case .start, .startOfUnsorted, .startOfAll, .end: []
    case .sorted(let number, let identifier): [.integer(number), .text(identifier)]
    case .unsorted(let identifier), .all(let identifier): [.text(identifier)]
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

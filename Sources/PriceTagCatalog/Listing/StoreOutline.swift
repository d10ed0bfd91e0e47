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

  /// Adds a product that the storefront shows.
  fileprivate mutating func add(_ product: OutlinedProduct, at position: Int, _ indices: inout Indices) {
    products.append(product.row)
    positions.insert(position)
    Self.add(product.row, product.category, to: &sections, &indices.sections)
    if let group = product.comparedGroup {
      Self.add(product.row, group, to: &subscriptionGroups, &indices.groups)
    }
  }

  private static func add(
    _ row: Int64,
    _ key: OutlineKey?,
    to sections: inout [Section],
    _ indices: inout [Int]
  ) {
    // The first index is that of the products without a category.
    let number = key.map { $0.number + 1 } ?? 0
    while indices.count <= number { indices.append(-1) }
    if indices[number] < 0 {
      indices[number] = sections.count
      sections.append(Section(category: key?.identifier))
    }
    sections[indices[number]].products.append(row)
  }

  /// The indices of sections and groups, by the numbers of their keys; -1 for those without products so far.
  fileprivate struct Indices {
    var sections: [Int] = []
    var groups: [Int] = []
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
  ///   - onProduct: Called with the position in store order, the identifier and the pictures of each product of the catalog.
  ///   - onInvalid: Called with each product that the storefront cannot show.
  package func outline(
    onProduct: (Int, String, [ProductImage]) -> Void,
    onInvalid: (InvalidProductIdentifier) -> Void
  ) throws(CatalogError) -> StoreOutline {
    try read { database in
      let outlining = try Outlining(database, request, localeData, hasChecksums: hasChecksums)
      try OutlinedProductReader(database, hasChecksums: hasChecksums).forEach { product, row in
        onProduct(outlining.position, product.terms.identifier, try ProductImage.all(row))
        try outlining.add(product, onInvalid: onInvalid)
      }
      return outlining.outline
    }
  }

  /// Returns the outline of the storefront.
  ///
  /// - Parameter products: The result of `Catalog.outlinedProducts()`; `nil` if the products are to be read.
  package func outline(of products: [OutlinedProduct]? = nil) throws(CatalogError) -> StoreOutline {
    guard let products else { return try outline(onProduct: { _, _, _ in }, onInvalid: { _ in }) }
    return try read { database in
      let outlining = try Outlining(database, request, localeData, hasChecksums: hasChecksums)
      try outlining.add(products)
      return outlining.outline
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

/// Builds the outline of one storefront.
private final class Outlining {
  private let records: ProductRecordReader
  private let builder: ListingBuilder
  private let storefront: String
  private let isPinned: Bool
  private(set) var outline = StoreOutline()
  private var indices = StoreOutline.Indices()
  /// The number of products of the catalog so far.
  private(set) var position = 0

  init(
    _ database: Database,
    _ request: ListingRequest,
    _ localeData: LocaleData,
    hasChecksums: Bool
  ) throws {
    // The texts do not matter.
    records = try ProductRecordReader(database, request.storefronts, localeData, hasChecksums: hasChecksums) {
      _ in nil
    }
    builder = try ListingBuilder(request)
    storefront = request.storefronts.first?.id ?? ""
    isPinned = localeData.pack != nil
  }

  /// Adds all products of the catalog that the storefront shows.
  func add(_ products: [OutlinedProduct]) throws {
    let budget = WorkBudget.current
    func add(_ product: OutlinedProduct, _ schedule: PriceSchedule?) throws {
      if position.isMultiple(of: 256) { try budget?.checkpoint() }
      try self.add(product, schedule)
    }
    if isPinned {
      for product in products { try add(product, nil) }
    } else {
      try records.schedules.forEachSchedule(of: products) { try add(products[$0], $1) }
    }
  }

  /// Adds the next product of the catalog, if the storefront shows it.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - schedule: Its prices; `nil` if they are to be read.
  ///   - onInvalid: Called if the storefront cannot show the product.
  func add(
    _ product: OutlinedProduct,
    _ schedule: PriceSchedule? = nil,
    onInvalid: (InvalidProductIdentifier) -> Void = { _ in }
  ) throws {
    if let unavailability = try unavailability(of: product, schedule) {
      onInvalid(unavailability.invalidIdentifier(product.terms.identifier))
    } else {
      outline.add(product, at: position, &indices)
    }
    position += 1
  }

  private func unavailability(
    of product: OutlinedProduct,
    _ schedule: PriceSchedule?
  ) throws -> StorefrontPricing.Unavailability? {
    try DamagedCatalog.naming(product.terms.identifier) {
      if isPinned {
        guard let record = try records.product(row: product.row) else {
          throw DamagedCatalog.mismatch("products")
        }
        return builder.unavailability(ofPinned: record)
      }
      let locales = try records.priceLocales(of: product.row, product.localeSet)
      return builder.unavailability(
        of: product.terms,
        try schedule ?? records.schedule(of: product),
        locales.isEmpty ? nil : locales[storefront]
      )
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
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - products: The result of `outlinedProducts()`; `nil` if the products are to be read.
  package func outline(
    for request: ProductsRequest,
    of products: [OutlinedProduct]? = nil
  ) throws(CatalogError) -> StoreOutline {
    try storeReader(for: ListingRequest(request)).outline(of: products)
  }

  /// Returns what the outlines of all storefronts have in common, in store order. Each product takes about 250 bytes.
  package func outlinedProducts() throws(CatalogError) -> [OutlinedProduct] {
    try read { database in
      var products: [OutlinedProduct] = []
      try OutlinedProductReader(database, hasChecksums: hasChecksums).forEach { product, _ in
        products.append(product)
      }
      return products
    }
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

import GRDB
import PriceTag
import PriceTagStrings
import PriceTagText

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

    package init(category: String?, products: [Int64] = []) {
      (self.category, self.products) = (category, products)
    }
  }

  /// All products, in store order.
  package fileprivate(set) var products: [Int64] = []
  /// The products by category, in the order of the first product of each.
  package fileprivate(set) var sections: [Section] = []
  /// The auto-renewable subscriptions by group, in the order of the first product of each.
  package fileprivate(set) var subscriptionGroups: [Section] = []
  /// What is stated about the tax of the products, without duplicates.
  package private(set) var taxInclusions: [TaxInclusion?] = []

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
  fileprivate mutating func add(
    _ row: Int64,
    _ category: OutlineKey?,
    _ group: OutlineKey?,
    _ tax: TaxInclusion?,
    _ indices: inout Indices
  ) {
    products.append(row)
    if !taxInclusions.contains(tax) { taxInclusions.append(tax) }
    Self.add(row, category, to: &sections, &indices.sections)
    if let group { Self.add(row, group, to: &subscriptionGroups, &indices.groups) }
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

extension StoreOutline {
  /// Creates the outline of products that are in memory. It has no positions.
  package init(_ products: [Product]) {
    self.init()
    var (keys, indices) = (OutlineKeys(), Indices())
    for product in products {
      let (category, group) = (keys.key(product.category?.identifier), keys.key(product.comparedGroup))
      add(product.row, category, group, product.taxInclusion, &indices)
    }
  }
}

extension Product {
  /// The identifier of the subscription group whose comparison the product's page shows.
  package var comparedGroup: String? { kind == .autoRenewable ? subscription?.group?.identifier : nil }
}

/// What links the page of a product to other products. The related ones are `nil` for others of the category.
package typealias ProductLinks = (
  row: Int64, identifier: String, category: String?, comparedGroup: String?, related: [String]?
)

/// Reads the outline and the products of one storefront, in any order, from one consistent state of a catalog.
///
/// A reader must be used by one thread at a time.
package final class StoreReader {
  private let reader: any DatabaseReader
  private let catalog: Catalog
  private let request: ListingRequest
  /// The reader of the records; `nil` if each call may use another connection.
  private var recordReader: ProductRecordReader?
  private let isOneConnection: Bool

  /// - Parameter request: A request with one storefront.
  fileprivate init(_ reader: any DatabaseReader, _ catalog: Catalog, _ request: ListingRequest) {
    (self.reader, self.catalog, self.request) = (reader, catalog, request)
    isOneConnection = !(reader is DatabasePool)
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    try reader.read(catalog.path, body)
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
    try read { try outline($0, onProduct: onProduct, onInvalid: onInvalid) }
  }

  private func outline(
    _ database: Database,
    onProduct: (Int, String, [ProductImage]) -> Void = { _, _, _ in },
    onInvalid: (InvalidProductIdentifier) -> Void = { _ in }
  ) throws -> StoreOutline {
    let builder = try OutlineBuilder(database, request, catalog.localeData)
    try OutlinedProductReader(database).forEach { product, row in
      onProduct(builder.position, product.terms.identifier, try ProductImage.all(row))
      try builder.add(product, row, onInvalid: onInvalid)
    }
    return builder.outline
  }

  /// Returns the outline of the storefront.
  ///
  /// - Parameter products: The result of `Catalog.outlinedProducts()`. They are read again if it is `nil` or of another revision.
  package func outline(of products: OutlinedProducts? = nil) throws(CatalogError) -> StoreOutline {
    try read { database in
      guard let products, let storefront = request.storefronts.first,
        try products.revision == CatalogTotals(database).revision
      else { return try outline(database) }
      let builder = try OutlineBuilder(database, request, catalog.localeData)
      do { try builder.add(products.products, in: storefront) } catch {
        // The error names the product only if the prices of each are read separately.
        guard (error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT else { throw error }
        return try outline(database)
      }
      return builder.outline
    }
  }

  /// Calls the body with the identifiers of all products of the catalog, in store order, with their positions.
  package func forEachIdentifier(_ body: (Int, String) throws -> Void) throws(CatalogError) {
    try read { database in
      let row = try CatalogStatement(
        database,
        "SELECT identifier AS value FROM product ORDER BY \(ProductOrder.columns)"
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
        try recordReader ?? ProductRecordReader(database, request.storefronts, catalog.localeData)
      if isOneConnection { recordReader = reader }
      var records: [ProductRecord] = []
      for id in ids { if let record = try reader.product(row: id) { records.append(record) } }
      return records
    }
  }

  /// Returns what links the pages of products to other products, by the IDs of their rows.
  package func links(of ids: some Sequence<Int64>) throws(CatalogError) -> [ProductLinks] {
    try read { database in
      let reader = try OutlinedProductReader(database, "id = ?")
      return try ids.compactMap { id in
        try reader.statement.firstRow(.integer(id)) {
          let product = try reader.product()
          let related = try reader.statement.text(ProductColumn.related).map(RelatedProducts.identifiers)
          let (category, group) = (product.category?.identifier, product.comparedGroup?.identifier)
          return (id, product.terms.identifier, category, group, related)
        }
      }
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
private final class OutlineBuilder {
  private let records: ProductRecordReader
  private let builder: ListingBuilder
  private let storefront: String
  private let taxInclusion: TaxInclusion?
  private let isPinned: Bool
  private(set) var outline = StoreOutline()
  private var indices = StoreOutline.Indices()
  /// The number of products of the catalog so far.
  private(set) var position = 0

  init(_ database: Database, _ request: ListingRequest, _ localeData: LocaleData) throws {
    // The texts do not matter.
    records = try ProductRecordReader(database, request.storefronts, localeData) { _ in nil }
    builder = try ListingBuilder(request)
    storefront = request.storefronts.first?.id ?? ""
    taxInclusion = request.taxInclusion
    isPinned = localeData.pack != nil
  }

  /// Adds all products of the catalog that the storefront shows.
  func add(_ products: [OutlinedProduct], in storefront: Storefront) throws {
    let budget = WorkBudget.current
    try records.schedules.forEachSchedule(of: products, in: storefront) { product, schedule in
      if position.isMultiple(of: 256) { try budget?.checkpoint() }
      let reason = try DamagedCatalog.naming(product.terms.identifier) {
        try unavailability(of: product, schedule)
      }
      add(product, reason)
    }
  }

  /// Adds the next product of the catalog, if the storefront shows it.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - row: The product's row.
  ///   - onInvalid: Called if the storefront cannot show the product.
  func add(
    _ product: OutlinedProduct,
    _ row: CatalogStatement,
    onInvalid: (InvalidProductIdentifier) -> Void
  ) throws {
    let reason = try DamagedCatalog.naming(product.terms.identifier) {
      isPinned
        ? builder.unavailability(ofPinned: try records.product(row))
        : try unavailability(of: product, records.schedule(of: product))
    }
    if let reason { onInvalid(reason.invalidIdentifier(product.terms.identifier)) }
    add(product, reason)
  }

  private func add(_ product: OutlinedProduct, _ reason: StorefrontPricing.Unavailability?) {
    if reason == nil {
      let tax = product.terms.tax?[storefront] ?? taxInclusion
      outline.add(product.row, product.category, product.comparedGroup, tax, &indices)
      outline.positions.insert(position)
    }
    position += 1
  }

  private func unavailability(
    of product: OutlinedProduct,
    _ schedule: PriceSchedule
  ) throws -> StorefrontPricing.Unavailability? {
    let locales = try records.priceLocales(of: product.row, product.localeSet)
    return builder.unavailability(of: product.terms, schedule, locales.isEmpty ? nil : locales[storefront])
  }
}

extension Catalog {
  /// Returns a reader of the products of one storefront. Later imports do not affect it if it has a snapshot.
  ///
  /// - Parameters:
  ///   - request: A request with one storefront.
  ///   - snapshot: The reader whose state of the catalog is read; `nil` for the current state.
  package func storeReader(for request: ListingRequest, from snapshot: ListingReader? = nil) -> StoreReader {
    StoreReader(snapshot?.snapshot ?? reader, self, request)
  }

  /// Returns the outline of the storefront of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - products: The result of `outlinedProducts()`. They are read again if it is `nil` or of another revision.
  package func outline(
    for request: ProductsRequest,
    of products: OutlinedProducts? = nil
  ) throws(CatalogError) -> StoreOutline {
    try storeReader(for: ListingRequest(request)).outline(of: products)
  }

  /// Returns the products, as the outlines of all storefronts read them.
  ///
  /// - Returns: The products, in about 250 bytes for each; `nil` if they are more than 200,000 or have more than 1,000 different
  ///   clearances, which would need much memory, or if a pack formats the prices, because outlines then read more of a product.
  package func outlinedProducts() throws(CatalogError) -> OutlinedProducts? {
    if localeData.pack != nil { return nil }
    return try read { database in
      let reader = try OutlinedProductReader(database)
      var products: [OutlinedProduct]? = []
      try reader.forEach { product, _ in
        products?.append(product)
        if products?.count ?? 0 > Self.maximumOutlinedCount || reader.hasManyClearances { products = nil }
      }
      let revision = try CatalogTotals(database).revision
      return products.map { OutlinedProducts(products: $0, revision: revision) }
    }
  }

  private static let maximumOutlinedCount = 200_000

  /// Returns the products of a request by the IDs of their rows, in this order.
  ///
  /// - Parameter request: The request. Its identifiers are not used.
  package func products(_ ids: [Int64], for request: ProductsRequest) throws(CatalogError) -> [Product] {
    try read { database in
      let builder = try ListingBuilder(ListingRequest(request), formatters)
      let reader = try ProductRecordReader(
        database,
        [request.storefront],
        localeData
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
  init(_ request: ProductsRequest) {
    self.init(
      storefronts: [request.storefront],
      languages: .list([request.language]),
      isLanguageStrict: request.isLanguageStrict,
      at: request.day,
      mode: request.mode,
      style: request.style,
      unitPriceRounding: request.unitPriceRounding,
      taxInclusion: request.taxInclusion,
      strings: request.strings
    )
  }

  /// Returns the same request for one storefront.
  package func restricted(to storefront: Storefront) -> ListingRequest {
    ListingRequest(
      storefronts: [storefront],
      languages: languages,
      isLanguageStrict: isLanguageStrict,
      at: day,
      mode: mode,
      style: style,
      unitPriceRounding: unitPriceRounding,
      taxInclusion: taxInclusion,
      strings: strings
    )
  }
}

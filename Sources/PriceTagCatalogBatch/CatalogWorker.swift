import PriceTag
import PriceTagBatch
import PriceTagCatalog

/// Formats the products of one piece. Used by one thread.
final class CatalogWorker {
  var products: [ProductRecord] = []
  /// The output for each destination: one for all rows, or one for each storefront.
  private(set) var parts: [OutputBuffer]
  private(set) var rejects: [ProductReject] = []
  private(set) var rowCount = 0
  private(set) var notForSaleCount = 0

  private let builder: ListingBuilder
  private let format: BatchFormat
  private let delimiter: UInt8
  private let further: [BatchField]
  /// The index in `parts` of each listing's storefront, by the index of the listing; -1 if it is not determined yet.
  private var partOfListing: [Int] = []
  private let partOfStorefront: [String: Int]
  private let deflater: Deflater?

  init(
    _ request: ListingRequest,
    _ builder: ListingBuilder,
    _ options: BatchOptions,
    partCount: Int
  ) throws(BatchError) {
    (self.builder, format, delimiter) = (builder, options.catalogFormat, options.catalogDelimiter)
    further = options.furtherFields
    parts = (0..<partCount).map { _ in OutputBuffer(capacity: partCount == 1 ? 1 << 20 : 1 << 13) }
    partOfStorefront =
      partCount == 1
      ? [:]
      : Dictionary(request.storefronts.enumerated().map { ($1.id, $0) }) { first, _ in first }
    deflater = options.compresses ? try Deflater() : nil
  }

  /// The number of products of a piece, which give a few thousand rows.
  var maximumProductCount: Int { max(1, 4096 / max(builder.listingsPerProduct, 1)) }

  func process() throws(BatchError) {
    for part in parts { part.removeAll() }
    rejects.removeAll(keepingCapacity: true)
    (rowCount, notForSaleCount) = (0, 0)
    do {
      for record in products { try builder.forEach(record) { add($0) } }
    } catch let error as CatalogError {
      throw BatchError(.catalogFailed, error)
    } catch {
      throw BatchError(.catalogFailed, "\(error)", fix: "import the catalog again")
    }
    guard let deflater else { return }
    for (index, part) in parts.enumerated() where part.count > 0 {
      let compressed = OutputBuffer(capacity: part.count / 4 + 64)
      deflater.deflate(part, to: compressed)
      parts[index] = compressed
    }
  }

  private func add(_ listing: Listing) {
    switch listing.answer {
    case .product(let product, let spoken):
      rowCount += 1
      let out = parts[part(of: listing)]
      switch format {
      case .jsonl: addJSON(listing, product, spoken, to: out)
      case .csv: addCSV(listing, product, spoken, to: out)
      }
    case .invalid(let invalid) where invalid.reason.isIntended: notForSaleCount += 1
    case .invalid(let invalid):
      rowCount += 1
      rejects.append(
        ProductReject(
          productIdentifier: invalid.productIdentifier,
          storefront: listing.storefront.id,
          language: listing.language.identifier,
          code: invalid.reason.rawValue,
          message: invalid.message
        )
      )
    }
  }

  private func part(of listing: Listing) -> Int {
    if parts.count == 1 { return 0 }
    while partOfListing.count <= listing.index { partOfListing.append(-1) }
    if partOfListing[listing.index] < 0 {
      partOfListing[listing.index] = partOfStorefront[listing.storefront.id] ?? 0
    }
    return partOfListing[listing.index]
  }

  // MARK: JSON

  private func addJSON(_ listing: Listing, _ product: Product, _ spoken: String, to out: OutputBuffer) {
    func add(_ key: StaticString, _ value: String?) {
      out.append(key.utf8Start, key.utf8CodeUnitCount)
      if let value { out.appendJSONString(value) } else { out.append("null") }
    }
    add("{\"productIdentifier\":", product.identifier)
    add(",\"storefront\":", listing.storefront.id)
    add(",\"language\":", listing.language.identifier)
    add(",\"name\":", product.text?.name)
    add(",\"description\":", product.text?.description)
    add(",\"amount\":", product.price.amount.description)
    add(",\"currency\":", product.price.currency.code)
    add(",\"display\":", product.price.text)
    add(",\"spoken\":", spoken)
    add(",\"subscription\":", Self.subscription(product))
    out.append(",\"offers\":[")
    for (index, offer) in product.offers.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.appendJSONString(offer.text.plain)
    }
    out.append(UInt8(ascii: "]"))
    for field in further {
      out.append(",\"\(field.rawValue)\":")
      if field == .parts {
        out.append(partsOf: product.price)
      } else if field == .taxIncluded {
        out.append(Self.tax(listing, product)?.json ?? "null")
      } else if let value = Self.value(field, product) {
        out.appendJSONString(value)
      } else {
        out.append("null")
      }
    }
    out.append("}\n")
  }

  // MARK: CSV

  private func addCSV(_ listing: Listing, _ product: Product, _ spoken: String, to out: OutputBuffer) {
    func add(_ value: String?, isFirst: Bool = false) {
      if !isFirst { out.append(delimiter) }
      let place = out.count
      if let value { out.append(value) }
      out.finishText(from: place, as: .csv, delimiter: delimiter)
    }
    add(product.identifier, isFirst: true)
    add(listing.storefront.id)
    add(listing.language.identifier)
    add(product.text?.name)
    add(product.text?.description)
    add(product.price.amount.description)
    add(product.price.currency.code)
    add(product.price.text)
    add(spoken)
    add(Self.subscription(product))
    add(product.offers.map(\.text.plain).joined(separator: " | "))
    for field in further {
      if field == .parts {
        out.append(delimiter)
        let place = out.count
        out.append(partsOf: product.price)
        out.finishText(from: place, as: .csv, delimiter: delimiter)
      } else {
        add(field == .taxIncluded ? Self.tax(listing, product)?.rawValue : Self.value(field, product))
      }
    }
    out.append(0x0A)
  }

  // MARK: Values

  /// The subscription price in the listing's language, or the duration of a subscription that is paid once; `nil` for other
  /// products.
  private static func subscription(_ product: Product) -> String? {
    product.subscription.map { ($0.priceText ?? $0.durationText).plain }
  }

  /// What is stated about the tax of the product, else the storefront's fact.
  private static func tax(_ listing: Listing, _ product: Product) -> TaxInclusion? {
    product.taxInclusion ?? listing.storefront.pricesIncludeTax.map { $0 ? .included : .excluded }
  }

  private static func value(_ field: BatchField, _ product: Product) -> String? {
    switch field {
    case .isolated: product.price.isolated
    case .html: product.price.html
    case .unitPrice: product.unitPrice?.displayText
    default: product.price.text
    }
  }
}

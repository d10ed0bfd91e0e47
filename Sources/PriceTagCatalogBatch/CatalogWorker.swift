import PriceTag
import PriceTagBatch
import PriceTagCatalog

/// Formats the products of one piece. Used by one thread.
final class CatalogWorker {
  var products: [ProductRecord] = []
  // Exclusivity checks at run time would only cost time, because one thread uses these properties for every row.
  /// The output for each destination: one for all rows, or one for each storefront.
  @exclusivity(unchecked) private(set) var parts: [OutputBuffer]
  private(set) var rejects: [ProductReject] = []
  @exclusivity(unchecked) private(set) var rowCount = 0
  private(set) var notForSaleCount = 0

  private let builder: ListingBuilder
  private let format: BatchFormat
  private let delimiter: UInt8
  private let writer: PriceWriter
  private let further: [(field: BatchField, key: [UInt8])]
  private let partOfStorefront: [String: Int]
  private let deflater: Deflater?

  // Fields that several rows share are written once.
  /// The fields of a storefront and a language, by the index of the listing.
  @exclusivity(unchecked) private var columns: [Columns?]
  /// The formatters of all rows so far, by their identity.
  private var formatters: [ObjectIdentifier: CachedFormatter] = [:]
  /// The first field of the current product.
  private let identifierField = OutputBuffer(capacity: 256)
  /// The text fields of the current product, by the index of the text, and after them those without a text. They are empty if
  /// they are not written yet.
  @exclusivity(unchecked) private var textFields: [OutputBuffer] = []
  /// The fields of a product without a subscription.
  private let noSubscriptionFields = OutputBuffer(capacity: 64)

  /// The fields that all rows of a storefront and a language share.
  private final class Columns {
    /// The index in `parts`.
    let part: Int
    /// The fields `storefront` and `language`.
    let start = OutputBuffer(capacity: 64)
    /// The field `currency` of the formatter.
    let currency = OutputBuffer(capacity: 32)
    /// The formatter of the last row.
    var formatter: CachedFormatter?

    init(part: Int) { self.part = part }
  }

  init(
    _ request: ListingRequest,
    _ builder: ListingBuilder,
    _ options: BatchOptions,
    partCount: Int
  ) throws(BatchError) {
    (self.builder, format, delimiter) = (builder, options.catalogFormat, options.catalogDelimiter)
    writer = PriceWriter(format: format, delimiter: delimiter)
    further = options.furtherFields.map { ($0, Array(",\"\($0.rawValue)\":".utf8)) }
    parts = (0..<partCount).map { _ in OutputBuffer(capacity: partCount == 1 ? 1 << 20 : 1 << 13) }
    partOfStorefront =
      partCount == 1
      ? [:]
      : Dictionary(request.storefronts.enumerated().map { ($1.id, $0) }) { first, _ in first }
    columns = Array(repeating: nil, count: builder.listingsPerProduct)
    deflater = options.compresses ? try Deflater() : nil
    addSubscription(nil, to: noSubscriptionFields)
  }

  /// The number of products of a piece, which give a few thousand rows.
  var maximumProductCount: Int { max(1, 4096 / max(builder.listingsPerProduct, 1)) }

  func process() throws(BatchError) {
    for part in parts { part.removeAll() }
    rejects.removeAll(keepingCapacity: true)
    (rowCount, notForSaleCount) = (0, 0)
    do {
      for record in products { try add(record) }
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

  private func add(_ record: ProductRecord) throws {
    identifierField.removeAll()
    if format == .jsonl { identifierField.append("{\"productIdentifier\":" as StaticString) }
    addText(record.identifier, to: identifierField)
    for fields in textFields { fields.removeAll() }
    try builder.forEach(record) { context, amount, formatter in
      (try? addRow(record, context, amount, formatter)) != nil
    } other: { listing in
      switch listing.answer {
      case .product(let product, _):
        try addRow(record, listing.context, product.price.amount, product.price.formatter, product)
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
  }

  /// Adds a row. Without a `Product`, it has neither a subscription nor a unit price.
  private func addRow(
    _ record: ProductRecord,
    _ context: Listing.Context,
    _ amount: Amount,
    _ formatter: PriceFormatter,
    _ product: Product? = nil
  ) throws(RowProblem) {
    let columns = columns(context, formatter)
    guard let formatter = columns.formatter else { return }
    let out = parts[columns.part]
    let start = out.count
    let amounts = RowAmount(amount: amount)
    out.append(identifierField)
    out.append(columns.start)
    out.append(textFields(record, builder.textIndex(record, context)))
    addKey(",\"amount\":\"", to: out)
    let place = out.count
    out.append(decimal: amount)
    // A delimiter may be the decimal point or the minus sign.
    out.finishText(from: place, as: format, delimiter: delimiter)
    if format == .jsonl { out.append(UInt8(ascii: "\"")) }
    out.append(columns.currency)
    do throws(RowProblem) {
      addKey(",\"display\":", to: out)
      try writer.write(.display, of: amounts, formatter, to: out)
      addKey(",\"spoken\":", to: out)
      try writer.write(.spoken, of: amounts, formatter, to: out)
      if let product { addSubscription(product, to: out) } else { out.append(noSubscriptionFields) }
      for (field, key) in further {
        if format == .jsonl { out.append(key) } else { out.append(delimiter) }
        switch field {
        case .unitPrice: addText(product?.unitPrice?.displayText, to: out)
        case .taxIncluded:
          addTax(builder.taxInclusion(record, context.storefront), context.storefront, to: out)
        default: try writer.write(RowField(field), of: amounts, formatter, to: out)
        }
      }
    } catch {
      out.truncate(to: start)
      throw error
    }
    out.append(format == .jsonl ? "}\n" : "\n" as StaticString)
    rowCount += 1
  }

  // MARK: Fields

  /// Returns the columns of a listing, with those of its formatter.
  private func columns(_ context: Listing.Context, _ formatter: PriceFormatter) -> Columns {
    let found = columns[context.index] ?? Columns(part: partOfStorefront[context.storefront.id] ?? 0)
    if found.start.count == 0 {
      columns[context.index] = found
      addKey(",\"storefront\":", to: found.start)
      addText(context.storefront.id, to: found.start)
      addKey(",\"language\":", to: found.start)
      addText(context.language.identifier, to: found.start)
    }
    guard found.formatter?.formatter.identity != formatter.identity else { return found }
    let cached =
      formatters[formatter.identity] ?? CachedFormatter(formatter, unitPriceFormatter: formatter)
    formatters[formatter.identity] = cached
    found.formatter = cached
    found.currency.removeAll()
    addKey(",\"currency\":", to: found.currency)
    addText(formatter.currency.code, to: found.currency)
    return found
  }

  private func textFields(_ record: ProductRecord, _ index: Int?) -> OutputBuffer {
    let place = index ?? record.texts.count
    while textFields.count <= place { textFields.append(OutputBuffer(capacity: 256)) }
    let fields = textFields[place]
    if fields.count > 0 { return fields }
    let text = index.map { record.texts[$0] }
    addKey(",\"name\":", to: fields)
    addText(text?.name, to: fields)
    addKey(",\"description\":", to: fields)
    addText(text?.description, to: fields)
    return fields
  }

  /// Adds the subscription price in the listing's language, or the duration of a subscription that is paid once, and the
  /// offers.
  private func addSubscription(_ product: Product?, to out: OutputBuffer) {
    addKey(",\"subscription\":", to: out)
    addText(product?.subscription.map { ($0.priceText ?? $0.durationText).plain }, to: out)
    addKey(",\"offers\":", to: out)
    let offers = product?.offers.map(\.text.plain) ?? []
    guard format == .jsonl else { return addText(offers.joined(separator: " | "), to: out) }
    out.append(UInt8(ascii: "["))
    for (index, offer) in offers.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      addText(offer, to: out)
    }
    out.append(UInt8(ascii: "]"))
  }

  /// Adds what is stated about the tax of the product, else the storefront's fact.
  private func addTax(_ stated: TaxInclusion?, _ storefront: Storefront, to out: OutputBuffer) {
    let tax = stated ?? storefront.pricesIncludeTax.map { $0 ? .included : .excluded }
    guard format == .jsonl else { return addText(tax?.rawValue, to: out) }
    out.append(tax?.json ?? "null")
  }

  /// Adds the key of a field in JSON, or the delimiter before a field in CSV.
  private func addKey(_ key: StaticString, to out: OutputBuffer) {
    if format == .jsonl { out.append(key) } else { out.append(delimiter) }
  }

  /// Adds a text, or null in JSON and nothing in CSV.
  private func addText(_ text: String?, to out: OutputBuffer) {
    guard format == .csv else {
      if let text { out.appendJSONString(text) } else { out.append("null" as StaticString) }
      return
    }
    let place = out.count
    if let text { out.append(text) }
    out.finishText(from: place, as: .csv, delimiter: delimiter)
  }
}

import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Formats a catalog: one row for each product, storefront and language.
///
///     let request = ListingRequest(storefronts: LocaleData.embedded.storefronts)
///     let batch = try CatalogBatch(catalog, request)
///     try batch.run(to: [output])
///     // {"productIdentifier":"com.example.level1","storefront":"JPN","language":"ja","name":…,"display":"￥160",…}
///
/// A row has the fields `productIdentifier`, `storefront`, `language`, `name`, `description`, `amount`, `currency`,
/// `display`, `spoken`, `subscription` (the subscription price in the row's language) and `offers`, then the fields of
/// `BatchOptions.fields`. The values are those of `Catalog.products(for:)` for that storefront and language. An absent
/// value is null in JSON and empty in CSV. CSV separates offers with ` | `. The field `unitPrice` has the unit price of a
/// product with a content, which is a text in the row's language if it is per piece. The field `taxIncluded` has true, false
/// or `"unknown"` in JSON, and the same without quotes in CSV.
public struct CatalogBatch: Sendable {
  /// The columns of every row.
  static let columns = [
    "productIdentifier", "storefront", "language", "name", "description", "amount", "currency", "display",
    "spoken", "subscription", "offers",
  ]

  private let catalog: Catalog
  private let request: ListingRequest
  private let options: BatchOptions

  /// Creates a batch of all products of a catalog.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - request: The storefronts, the languages, the date and the style.
  ///   - options: The output format, further fields, the number of threads, and strictness. Options for input rows, date
  ///     and style are ignored.
  /// - Throws: The errors of `Batch.init(_:)`; `.invalidOption` for the fields of installments, which only rows have, and for
  ///   the field of unit prices if the request does not say how to round them.
  public init(
    _ catalog: Catalog,
    _ request: ListingRequest,
    _ options: BatchOptions = BatchOptions()
  ) throws(BatchError) {
    try options.check()
    if let field = options.fields.first(where: \.requiresRows) {
      throw BatchError(
        .invalidOption,
        "the field \(quoted(field.rawValue)) requires rows, but the input is a catalog",
        fix: "remove it"
      )
    }
    if options.fields.contains(.unitPrice), request.unitPriceRounding == nil {
      throw BatchError(
        .invalidOption,
        "the field \(quoted(BatchField.unitPrice.rawValue)) requires a rounding mode for unit prices",
        fix: "set the unit price rounding of the request"
      )
    }
    (self.catalog, self.request, self.options) = (catalog, request, options)
  }

  /// Formats all rows, in the order of the products, the storefronts and their languages.
  ///
  /// - Parameter outputs: One output for all rows, or one for each storefront of the request. The first one receives all
  ///   rejects and the progress.
  /// - Returns: The numbers of rows.
  /// - Throws: `.catalogFailed`; `.rejected` if the options are strict; `.invalidOption` for another number of outputs;
  ///   `.outOfResources`; and the errors of the outputs.
  @discardableResult
  public func run<Output: CatalogBatchOutput>(to outputs: [Output]) throws(BatchError) -> BatchSummary {
    guard outputs.count == 1 || outputs.count == request.storefronts.count, let first = outputs.first else {
      throw BatchError(
        .invalidOption,
        "there are \(outputs.count) outputs for \(request.storefronts.count) storefronts",
        fix: "pass one output, or one for each storefront"
      )
    }
    let listings: ListingReader
    do throws(CatalogError) { listings = try catalog.listings(for: request) } catch {
      throw BatchError(.catalogFailed, error)
    }
    let work = CatalogWork(listings, request, options, outputs, first)
    try work.writeHeaders()
    try work.run(jobs: options.jobs)
    try work.finish()
    return work.summary
  }
}

/// The destination of a catalog's rows.
public protocol CatalogBatchOutput: BatchOutput {
  /// Records a rejected product.
  func reject(_ reject: ProductReject) throws(BatchError)
}

/// A product that the shop sells in a storefront, but that cannot be shown there.
public struct ProductReject: Sendable, CustomStringConvertible {
  /// The identifier of the product.
  public let productIdentifier: String
  /// The identifier of the storefront.
  public let storefront: String
  /// The language of the rejected row, BCP 47.
  public let language: String
  /// The reason: a raw value of `InvalidProductIdentifier.Reason`.
  public let code: String
  /// The problem and the fix.
  public let message: String

  /// The reject as a JSON object on one line.
  package var json: String {
    jsonObject([
      ("productIdentifier", PriceTagText.json(productIdentifier)),
      ("storefront", PriceTagText.json(storefront)),
      ("language", PriceTagText.json(language)), ("code", PriceTagText.json(code)),
      ("message", PriceTagText.json(message)),
    ])
  }

  /// One line: `com.example.level1 in JPN (ja): …`.
  public var description: String {
    "\(printable(productIdentifier)) in \(storefront) (\(language)): \(message)"
  }
}

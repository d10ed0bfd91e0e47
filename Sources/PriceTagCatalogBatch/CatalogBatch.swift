import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// Formats a catalogue: a row for each product, storefront and language.
///
///     let request = ListingRequest(storefronts: LocaleData.embedded.storefronts)
///     let batch = try CatalogBatch(catalog, request)
///     try batch.run(to: [output])
///     // {"productIdentifier":"com.example.level1","storefront":"JPN","language":"ja","name":…,"display":"￥160",…}
///
/// A row has `productIdentifier`, `storefront`, `language`, `name`, `description`, `amount`, `currency`, `display`,
/// `spoken`, `subscription` (what a subscription costs, in the reader's words) and `offers`; and what the options ask
/// for behind them. It says what `Catalog.products(for:)` answers for that storefront and language. In CSV several
/// offers stand in one field, with ` | ` between them, and what there is not is empty; in JSON it is null.
public struct CatalogBatch: Sendable {
  /// The columns that each row has.
  static let columns = [
    "productIdentifier", "storefront", "language", "name", "description", "amount", "currency", "display",
    "spoken", "subscription", "offers",
  ]

  private let catalog: Catalog
  private let request: ListingRequest
  private let options: BatchOptions

  /// A batch of all products of a catalogue.
  ///
  /// - Parameters:
  ///   - catalog: The catalogue.
  ///   - request: The storefronts, the languages, the day and the style.
  ///   - options: The output's format, further fields, the number of jobs, strictness. How rows are read is of no
  ///     account, and day and style are the request's.
  /// - Throws: As `Batch.init(_:)`.
  public init(
    _ catalog: Catalog,
    _ request: ListingRequest,
    _ options: BatchOptions = BatchOptions()
  ) throws(BatchError) {
    try options.check()
    (self.catalog, self.request, self.options) = (catalog, request, options)
  }

  /// Formats all rows, in the order of the products, the storefronts and their languages.
  ///
  /// - Parameter outputs: Where the rows go: one for all of them, or one for each of the request's storefronts. What is
  ///   set aside, and how far the batch is, is told to the first.
  /// - Returns: How many rows there were.
  /// - Throws: `.catalogFailed`; `.setAside` where the options are strict; `.invalidOption` for another number of
  ///   outputs; `.outOfResources`; and what an output throws.
  @discardableResult
  public func run<Output: CatalogBatchOutput>(to outputs: [Output]) throws(BatchError) -> BatchSummary {
    guard outputs.count == 1 || outputs.count == request.storefronts.count, let first = outputs.first else {
      throw BatchError(
        .invalidOption,
        "there are \(outputs.count) outputs for \(request.storefronts.count) storefronts",
        fix: "give one, or one for each"
      )
    }
    let listings: ListingReading
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

/// Where the rows of a catalogue go.
public protocol CatalogBatchOutput: BatchOutput {
  /// Takes what cannot be shown.
  func setAside(_ reject: ProductReject) throws(BatchError)
}

/// A product that cannot be shown in a storefront, where the shop means it to be.
public struct ProductReject: Sendable, CustomStringConvertible {
  /// The product.
  public let productIdentifier: String
  /// The storefront's identifier.
  public let storefront: String
  /// The language of the row that there is not, BCP 47.
  public let language: String
  /// The reason: one of `InvalidProductIdentifier.Reason`.
  public let code: String
  /// What is wrong, and what to do.
  public let message: String

  /// The reject as a line of JSON.
  public var json: String {
    jsonObject([
      ("productIdentifier", PriceTagText.json(productIdentifier)),
      ("storefront", PriceTagText.json(storefront)),
      ("language", PriceTagText.json(language)), ("code", PriceTagText.json(code)),
      ("message", PriceTagText.json(message)),
    ])
  }

  /// One line.
  public var description: String {
    "\(printable(productIdentifier)) in \(storefront) (\(language)): \(message)"
  }
}

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PriceTag
import PriceTagCatalog
import PriceTagReceipts
import PriceTagStrings
import PriceTagText

/// `POST /v1/receipts`, which answers the receipts of orders.
struct ReceiptRoutes: Sendable {
  let configuration: ServiceConfiguration
  let source: CatalogSource
  let metrics: ServiceMetrics

  func receipts(
    _ body: ByteBuffer,
    _ snapshot: CatalogSnapshot,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let rows = try RowsBody(body, rows: "orders", maximumRowCount: configuration.itemsPerRequest)
    let fields = try RequestFields(
      rows.options,
      known: ["forms", "language", "strictLanguage", "storefront", "compare", "writtenAs"]
    )
    let members: [FormMember] = try fields.choices("forms", "form", maximumCount: 10)
    let forms = members.compactMap { ReceiptForm(rawValue: $0.rawValue) }
    let writtenAs = try fields.writtenAs()
    let language = try fields.parsed("language") { (tag) throws(StringsError) in try UILanguage(tag) }
    let isLanguageStrict = try fields.flag("strictLanguage", default: false)
    let storefront = try fields.parsed("storefront") { (id) throws(PriceTagError) in
      try Storefront(id, in: source.localeData)
    }
    let catalog = try fields.flag("compare", default: true) ? snapshot.catalog : nil
    let reader = OrderReader(localeData: source.localeData, storefront: storefront)
    var (written, rejected) = (0, [String: Int]())
    let answer = try rows.answer("receipts") { (line, pointer) throws(Problem) in
      do throws(ReceiptError) {
        let receipt = try Receipt(
          reader.order(Array(line)),
          language: language,
          isLanguageStrict: isLanguageStrict,
          catalog: catalog,
          strings: source.strings,
          writtenAs: writtenAs
        )
        written += 1
        return receipt.json(including: forms)
      } catch {
        if let excess = WorkBudget.current?.excess { throw Problem(excess) }
        rejected[error.code.rawValue, default: 0] += 1
        return try reject(error, pointer, logger)
      }
    }
    metrics.count(formatted: written, rejected: rejected)
    return answer
  }

  /// Returns the JSON that replaces a receipt.
  ///
  /// - Throws: A problem if the body is not JSON, or if the catalog cannot be read.
  private func reject(_ error: ReceiptError, _ pointer: String, _ logger: Logger) throws(Problem) -> String {
    switch error.code {
    case .malformedJSON:
      throw .invalidJSON("malformed-json", "the body is not valid JSON: \(error.problem)", pointer: pointer)
    case .catalogFailed:
      logger.error("cannot read the catalog", metadata: ["error": "\(error)"])
      throw .internal
    default:
      return rowError(
        code: error.code.rawValue,
        message: "\(error.problem); \(error.fix)",
        pointer: pointer + (error.place.hasPrefix("/") ? error.place : "")
      )
    }
  }

  /// The forms that are members of a receipt.
  private enum FormMember: String, CaseIterable {
    case page, email, text
  }
}

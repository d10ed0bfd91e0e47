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
    _ request: Request,
    _ snapshot: CatalogSnapshot,
    _ reservation: BufferReservation,
    _ logger: Logger
  ) async throws -> Answer {
    let body = try await request.json(maximumByteCount: configuration.limits.bodyBytes, reservation)
    // A receipt takes as long as eight rows of the same size.
    let kind = Workers.Kind(byteCount: body.readableBytes * 8)
    return try await Workers.shared.run(kind, configuration.work, memory: reservation) { () throws(Problem) in
      try answer(body, snapshot, logger)
    }
  }

  private func answer(
    _ body: ByteBuffer,
    _ snapshot: CatalogSnapshot,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let maximumRowCount = configuration.itemsPerRequest
    let parsed = body.withUnsafeReadableBytes { bytes in
      Result { () throws(Problem) in
        try RowsBody(bytes.bindMemory(to: UInt8.self), rows: "orders", maximumRowCount: maximumRowCount)
      }
    }
    let rows = try parsed.get()
    let fields = try RequestFields(
      rows.options,
      known: ["forms", "language", "storefront", "compare", "writtenAs"]
    )
    let (forms, writtenAs) = (try forms(fields), try fields.writtenAs())
    let language = try fields.parsed("language") { (tag) throws(StringsError) in
      try source.strings.closestLanguage(to: UILanguage(tag))
    }
    let storefront = try fields.parsed("storefront") { (id) throws(PriceTagError) in
      try Storefront(id, in: source.localeData)
    }
    let catalog = try fields.flag("compare", default: true) ? snapshot.catalog : nil
    let reader = OrderReader(localeData: source.localeData, storefront: storefront)
    var (written, rejected) = (0, [String: Int]())
    var answer = ByteBuffer(string: "{\"receipts\":[")
    // Each row is followed by a line feed.
    for (index, line) in rows.lines.split(separator: 0x0A).enumerated() {
      let pointer = "/orders/\(index)"
      let output: String
      do throws(ReceiptError) {
        let receipt = try Receipt(
          reader.order(Array(line)),
          language: language,
          catalog: catalog,
          strings: source.strings,
          writtenAs: writtenAs
        )
        output = receipt.json(including: forms)
        written += 1
      } catch {
        if let excess = WorkBudget.current?.excess { throw Problem(excess) }
        output = try reject(error, pointer, logger)
        rejected[error.code.rawValue, default: 0] += 1
      }
      try WorkBudget.spend(byteCount: output.utf8.count + 1)
      if index > 0 { answer.writeInteger(UInt8(ascii: ",")) }
      answer.writeString(output)
    }
    answer.writeString("]}")
    metrics.count(formatted: written, rejected: rejected)
    return Answer(answer)
  }

  /// Returns the JSON that replaces a receipt.
  ///
  /// - Throws: A problem if the body is not JSON, or if the catalog cannot be read.
  private func reject(_ error: ReceiptError, _ pointer: String, _ logger: Logger) throws(Problem) -> String {
    switch error.code {
    case .malformedJSON:
      throw Problem(
        .badRequest,
        "malformed-json",
        "the body is not valid JSON: \(error.problem)",
        fix: "send valid JSON (RFC 8259)",
        pointer: pointer
      )
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

  private func forms(_ fields: RequestFields) throws(Problem) -> [ReceiptForm] {
    var forms: [ReceiptForm] = []
    for (index, name) in (try fields.strings("forms", maximumCount: 10) ?? []).enumerated() {
      let pointer = fields.pointer(to: "forms").map { "\($0)/\(index)" }
      let member = try fields.choice(name, of: FormMember.self, "form", pointer)
      guard let form = ReceiptForm(rawValue: member.rawValue), !forms.contains(form) else {
        throw Problem(
          fields.status,
          "invalid-option",
          "\(quoted(name)) appears twice",
          fix: "remove one",
          pointer: pointer
        )
      }
      forms.append(form)
    }
    return forms
  }
}

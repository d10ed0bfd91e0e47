import HTTPTypes
import Hummingbird
import NIOCore
import PriceTag
import PriceTagBatch
import Synchronization

/// `POST /v1/format` and `POST /v1/batch`: price rows, as the batch formats them.
struct FormatRoutes: Sendable {
  private let localeData: LocaleData
  private let configuration: ServiceConfiguration
  private let metrics: ServiceMetrics
  private let formatters: RowFormatterPool

  init(_ source: ShopSource, _ configuration: ServiceConfiguration, _ metrics: ServiceMetrics) {
    (localeData, self.configuration, self.metrics) = (source.localeData, configuration, metrics)
    formatters = RowFormatterPool(source)
  }

  // MARK: A body of rows

  /// Of more rows than these each may be wrong in a way that takes long to explain.
  private static let mostRowsAtOnce = 128

  func format(_ request: Request) async throws -> Answer {
    let body = try await request.json(mostBytes: configuration.limits.bodyBytes)
    let rows = try rows(body)
    if let answer = try answerAtOnce(rows) { return answer }
    return try await Workers.short.run { () throws(Problem) in try answer(rows) }
  }

  /// The answer to a body that is there; `nil` where it takes long.
  func formatAtOnce(_ headers: HTTPFields, _ body: ByteBuffer) throws(Problem) -> Answer? {
    try headers.checkBody()
    return try answerAtOnce(rows(body))
  }

  private func answerAtOnce(_ rows: RowsBody) throws(Problem) -> Answer? {
    rows.rowCount <= Self.mostRowsAtOnce ? try answer(rows) : nil
  }

  private func rows(_ body: ByteBuffer) throws(Problem) -> RowsBody {
    let most = configuration.itemsPerRequest
    let rows = body.withUnsafeReadableBytes { bytes in
      Result { () throws(Problem) in
        try RowsBody(bytes.bindMemory(to: UInt8.self), rows: "prices", mostRows: most)
      }
    }
    return try rows.get()
  }

  private func answer(_ rows: RowsBody) throws(Problem) -> Answer {
    let kind =
      rows.options.members.isEmpty
      ? RowFormatterPool.Kind()
      : try kind(
        RequestFields(rows.options, known: ["style", "fields", "minorUnits", "at", "overwrite"]),
        style: { (fields) throws(Problem) in try fields.style(at: "style") },
        fieldNames: { (fields) throws(Problem) in try fields.strings("fields", most: 100) ?? [] }
      )
    return try formatters.with(kind) { (formatter) throws(Problem) in
      var broken: Problem?
      let (summary, _) = formatter.format(rows.lines, rowEnd: UInt8(ascii: ",")) { reject in
        let pointer = "/prices/\(reject.line - 1)\(reject.field.map { "/\(pointerToken($0))" } ?? "")"
        if reject.isBrokenJSON, broken == nil {
          broken = Problem(
            .badRequest,
            reject.code,
            reject.message,
            fix: "write JSON as RFC 8259 has it",
            pointer: pointer
          )
        }
        return rowError(code: reject.code, message: reject.message, pointer: pointer)
      }
      if let broken { throw broken }
      metrics.count(formatted: summary.formatted, setAside: summary.setAsideByCode)
      return formatter.withOutput { output in
        var buffer = ByteBufferAllocator().buffer(capacity: output.count + 16)
        buffer.writeStaticString("{\"prices\":[")
        // Without the comma behind the last row.
        buffer.writeBytes(UnsafeRawBufferPointer(rebasing: output.dropLast()))
        buffer.writeStaticString("]}")
        return Answer(buffer)
      }
    }
  }

  private func kind(
    _ fields: RequestFields,
    style: (RequestFields) throws(Problem) -> PriceStyle,
    fieldNames: (RequestFields) throws(Problem) -> [String]
  ) throws(Problem) -> RowFormatterPool.Kind {
    var kind = RowFormatterPool.Kind()
    kind.style = try style(fields)
    for (index, name) in try fieldNames(fields).enumerated() {
      let pointer = fields.place("fields").map { "\($0)/\(index)" }
      let field = try fields.choice(name, of: BatchField.self, "field", pointer)
      guard !kind.fields.contains(field) else {
        throw Problem(
          fields.status,
          "invalid-option",
          "the field \(name) is asked for twice",
          fix: "ask for it once",
          pointer: pointer
        )
      }
      kind.fields.append(field)
    }
    kind.minorUnits = try minorUnits(fields) ?? kind.minorUnits
    kind.date = try fields.date("at")
    kind.overwrites = try fields.flag("overwrite", default: false)
    return kind
  }

  /// Whose minor units are meant. Any currency knows all providers.
  private func minorUnits(_ fields: RequestFields) throws(Problem) -> String? {
    try fields.parsed("minorUnits") { (provider) throws(PriceTagError) in
      do throws(PriceTagError) { _ = try localeData.currencies.first?.minorUnitDigits(for: provider) } catch {
        if error.code == .unknownProvider { throw error }
      }
      return provider
    }
  }

  // MARK: A stream of rows

  private static let rowTypes = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-lines",
    "application/x-jsonlines", "application/jsonlines", "application/json",
  ]

  func batch(_ request: Request) throws(Problem) -> Answer {
    try request.headers.checkBody(Self.rowTypes)
    let names = RequestFields.styleNames + ["fields", "minorUnits", "at", "overwrite"]
    let fields = try RequestFields(query: request.uri.parameters(), known: names)
    let kind = try kind(
      fields,
      style: { (fields) throws(Problem) in try fields.style() },
      fieldNames: { (fields) throws(Problem) in
        try fields.text("fields")?.split(separator: ",").map(String.init) ?? []
      }
    )
    // What is wrong with the options is told before the answer begins.
    try formatters.with(kind) { _ in }
    let (body, formatters, metrics) = (request.body, formatters, metrics)
    let mostBytes = configuration.limits.largerBodies[Route.batch.rawValue] ?? configuration.limits.bodyBytes
    return Answer(
      ResponseBody { writer in
        let stream = RowStream(formatters, kind, metrics)
        var byteCount = 0
        for try await piece in body {
          byteCount += piece.readableBytes
          // Where the connection has no guard that counts. The answer has begun: all that is left is to end it.
          if byteCount > mostBytes { throw Problem.tooLarge(mostBytes) }
          if let rows = try await stream.take(piece) { try await writer.write(rows) }
        }
        if let rows = try await stream.finish() { try await writer.write(rows) }
        try await writer.finish(nil)
      },
      "application/x-ndjson"
    )
  }
}

extension BatchReject {
  /// Whether it makes a whole body of JSON none.
  fileprivate var isBrokenJSON: Bool {
    switch Code(rawValue: code) {
    case .malformedJSON, .nulByte, .invalidUTF8, .tooDeep: true
    default: false
    }
  }
}

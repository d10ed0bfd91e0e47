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
  private let buffers: ByteBudget
  private let spools: ByteBudget

  init(
    _ source: ShopSource,
    _ configuration: ServiceConfiguration,
    _ metrics: ServiceMetrics,
    _ buffers: ByteBudget
  ) {
    (localeData, self.configuration, self.metrics) = (source.localeData, configuration, metrics)
    formatters = RowFormatterPool(source)
    self.buffers = buffers
    spools = ByteBudget(limit: configuration.batchBytes)
  }

  // MARK: A body of rows

  /// The most rows that a connection's own thread formats.
  private static let mostRowsAtOnce = 128
  /// The rows between two looks at the clock.
  static let rowsPerStep = 16

  func format(_ request: Request, _ reservation: BufferReservation) async throws -> Answer {
    let body = try await request.json(mostBytes: configuration.limits.bodyBytes, reservation)
    let rows = try rows(body)
    return try await Workers.shared.run(configuration.work) { () throws(Problem) in
      let answer = try answer(rows) { (byteCount) throws(Problem) in
        try WorkBudget.spend(byteCount: byteCount)
        return true
      }
      // Nothing ends it but a problem.
      guard let answer else { throw .internal }
      return answer
    }
  }

  /// The answer to a body that is there; `nil` where it takes long.
  func formatAtOnce(_ headers: HTTPFields, _ body: ByteBuffer) throws(Problem) -> Answer? {
    try headers.checkBody()
    let rows = try rows(body)
    guard rows.rowCount <= Self.mostRowsAtOnce else { return nil }
    let end = ContinuousClock.now + configuration.immediateAnswerTime
    return try answer(rows) { (_) throws(Problem) in .now < end }
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

  /// The answer to some rows.
  ///
  /// - Parameter goesOn: Is told after every few rows how many bytes they wrote, and says whether the next follow.
  /// - Returns: `nil` where they did not.
  private func answer(
    _ rows: RowsBody,
    goesOn: (_ byteCount: Int) throws(Problem) -> Bool
  ) throws(Problem) -> Answer? {
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
      var (formatted, rejected) = (0, [String: Int]())
      var buffer = ByteBuffer(string: "{\"prices\":[")
      var (start, lineCount) = (0, 0)
      while start < rows.lines.count {
        let end = rows.lines.end(ofLines: Self.rowsPerStep, from: start)
        let (summary, lines) = formatter.format(
          rows.lines[start..<end],
          linesBefore: lineCount,
          rowEnd: UInt8(ascii: ",")
        ) { reject in
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
        let byteCount = formatter.withOutput { output in buffer.writeBytes(output) }
        formatted += summary.formatted
        rejected.merge(summary.setAsideByCode, uniquingKeysWith: +)
        (start, lineCount) = (end, lineCount + lines)
        guard try goesOn(byteCount) || start == rows.lines.count else { return nil }
      }
      // Without the comma after the last row.
      if lineCount > 0 { buffer.moveWriterIndex(to: buffer.writerIndex - 1) }
      buffer.writeString("]}")
      metrics.count(formatted: formatted, setAside: rejected)
      return Answer(buffer)
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
    if buffers.isSpent { throw Problem.outOfBuffers }
    let (body, most, spools) = (request.body, configuration.batchBytes, spools)
    let stream = RowStream(formatters, kind, metrics, BufferReservation(buffers))
    return Answer(
      ResponseBody { writer in
        let spool = OutputSpool(spools)
        try await withThrowingTaskGroup(of: Void.self) { group in
          // Whatever becomes of the answer, the request is read on: its client may not read before it has written all.
          group.addTask {
            do {
              var byteCount = 0
              for try await piece in body {
                byteCount += piece.readableBytes
                // Where the connection has no guard that counts. The answer has begun: all that is left is to end it.
                if byteCount > most { throw Problem.tooLarge(most) }
                if let rows = try await stream.take(piece) { try await spool.write(rows) }
              }
              if let rows = try await stream.finish() { try await spool.write(rows) }
              spool.end()
            } catch { spool.end(.failure(error)) }
          }
          defer { spool.cancel() }
          while let rows = try await spool.next() { try await writer.write(rows) }
        }
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

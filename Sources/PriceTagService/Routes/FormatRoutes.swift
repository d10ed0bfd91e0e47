import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PriceTag
import PriceTagBatch
import PriceTagText
import Synchronization

/// `POST /v1/format` and `POST /v1/batch`, which format price rows as `pricetag batch` does.
struct FormatRoutes: Sendable {
  private let localeData: LocaleData
  private let configuration: ServiceConfiguration
  private let metrics: ServiceMetrics
  private let formatters: RowFormatterPool
  private let buffers: ByteBudget
  private let spools: ByteBudget

  init(
    _ source: CatalogSource,
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

  /// The maximum number of rows that the connection's event loop formats.
  private static let maximumImmediateRowCount = 128
  /// The number of rows formatted between two checks of the clock.
  static let rowsPerStep = 16

  /// Formats a complete body.
  func format(_ body: ByteBuffer, on day: StoreDay) throws(Problem) -> Answer {
    let answer = try answer(rows(body), on: day) { (byteCount) throws(Problem) in
      try WorkBudget.spend(byteCount: byteCount)
      return true
    }
    // The closure above always returns true, so the answer is complete.
    guard let answer else { throw .internal }
    return answer
  }

  /// Formats a complete body on the connection's event loop; `nil` if it has too many rows or takes too long.
  func formatImmediately(
    _ headers: HTTPFields,
    _ body: ByteBuffer,
    on day: StoreDay
  ) throws(Problem) -> Answer? {
    try headers.checkBody()
    let rows = try rows(body)
    guard rows.rowCount <= Self.maximumImmediateRowCount else { return nil }
    let end = ContinuousClock.now + configuration.immediateAnswerTime
    return try answer(rows, on: day) { (_) throws(Problem) in .now < end }
  }

  private func rows(_ body: ByteBuffer) throws(Problem) -> RowsBody {
    try RowsBody(body, rows: "prices", maximumRowCount: configuration.itemsPerRequest)
  }

  /// Formats the rows of a body.
  ///
  /// - Parameter shouldContinue: Called after each step with the number of bytes that it wrote; returns whether to
  ///   format the next rows.
  /// - Returns: The answer; `nil` if `shouldContinue` returned false before the last row.
  private func answer(
    _ rows: RowsBody,
    on day: StoreDay,
    shouldContinue: (_ byteCount: Int) throws(Problem) -> Bool
  ) throws(Problem) -> Answer? {
    let options = try options(
      RequestFields(rows.options, known: ["style"] + Self.optionNames),
      on: day
    )
    return try formatters.with(options) { (formatter) throws(Problem) in
      var invalidBody: Problem?
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
          if reject.invalidatesBody, invalidBody == nil {
            invalidBody = .invalidJSON(reject.code, reject.message, pointer: pointer)
          }
          return rowError(code: reject.code, message: reject.message, pointer: pointer)
        }
        if let invalidBody { throw invalidBody }
        let byteCount = formatter.withOutput { output in buffer.writeBytes(output) }
        formatted += summary.formatted
        rejected.merge(summary.rejectedByCode, uniquingKeysWith: +)
        (start, lineCount) = (end, lineCount + lines)
        guard try shouldContinue(byteCount) || start == rows.lines.count else { return nil }
      }
      // Drop the comma after the last row.
      if lineCount > 0 { buffer.moveWriterIndex(to: buffer.writerIndex - 1) }
      buffer.writeString("]}")
      metrics.count(formatted: formatted, rejected: rejected)
      return Answer(buffer)
    }
  }

  /// The names of the options other than the style.
  private static let optionNames = ["fields", "minorUnits", "at", "overwrite", "decimalComma"]

  /// Reads the options, which are members of a body or query parameters.
  ///
  /// - Parameter day: The day of the request. Formatters are for its quarter of an hour, so that requests share them.
  private func options(
    _ fields: RequestFields,
    on day: StoreDay
  ) throws(Problem) -> RowFormatterPool.Options {
    var options = RowFormatterPool.Options()
    options.style = try fields.style(at: "style")
    options.fields = try fields.choices("fields", "field", maximumCount: 100)
    options.minorUnits = try minorUnits(fields) ?? options.minorUnits
    options.day = try fields.day("at") ?? day.startOfQuarterHour
    options.overwrites = try fields.flag("overwrite", default: false)
    options.usesDecimalComma = try fields.flag("decimalComma", default: false)
    return options
  }

  /// Returns the provider whose minor units the rows use; every currency has the minor units of all providers.
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

  func batch(_ request: Request, on day: StoreDay, _ logger: Logger) throws(Problem) -> Answer {
    try request.headers.checkBody(Self.rowTypes)
    let names = RequestFields.styleNames + Self.optionNames
    let options = try options(RequestFields(query: request.uri.parameters(), known: names), on: day)
    // Report invalid options before the response begins.
    try formatters.with(options) { _ in }
    if buffers.isSpent { throw Problem.outOfBuffers }
    let (body, maximumByteCount, spools, metrics) = (request.body, configuration.batchBytes, spools, metrics)
    let patience = configuration.spoolPatience
    let (rowMemory, outputMemory) = (BufferReservation(buffers), BufferReservation(buffers))
    let stream = RowStream(formatters, options, metrics, rowMemory)
    return Answer(
      ResponseBody { writer in
        let spool = OutputSpool(
          spools,
          memory: outputMemory,
          patience: patience,
          onFull: { reason in
            metrics.fullSpools.increment()
            logger.error("no space for rows that a client has not read", metadata: ["error": "\(reason)"])
          }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
          // Read the request independently of the response: a client may send its complete body before it reads.
          group.addTask {
            var chunks = body.makeAsyncIterator()
            do {
              var byteCount = 0
              while let chunk = try await chunks.next() {
                byteCount += chunk.readableBytes
                // Reached only if no guard limits the connection. The response has begun, so it can only be cut off.
                if byteCount > maximumByteCount { throw Problem.tooLarge(maximumByteCount) }
                if let rows = try await stream.append(chunk) { try await spool.write(rows) }
              }
              if let rows = try await stream.finish() { try await spool.write(rows) }
              spool.end()
            } catch {
              spool.end(.failure(error))
              // A client that reads only after it has sent its body gets the reason, too.
              if error is Problem { while try await chunks.next() != nil {} }
            }
          }
          defer { spool.cancel() }
          do {
            while let rows = try await spool.next() { try await writer.write(inChunks: rows) }
          } catch let problem as Problem {
            // The status has been sent. The line states the problem, and the missing end that rows are missing.
            let message = "\(problem.detail); \(problem.fix)"
            let line = rowError(code: problem.code, message: message, pointer: "") + "\n"
            try await writer.write(ByteBuffer(string: line))
            try await group.waitForAll()
            throw problem
          }
        }
        try await writer.finish(nil)
      },
      "application/x-ndjson"
    )
  }
}

extension BatchReject {
  /// Whether the row's error makes the complete body invalid JSON.
  fileprivate var invalidatesBody: Bool {
    [Code.malformedJSON, .nulByte, .invalidUTF8, .tooDeep].contains { $0.rawValue == code }
  }
}

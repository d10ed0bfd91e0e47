import PriceTag

/// Formats rows in memory, and writes a replacement for each rejected row. For services that answer with one line per row.
///
///     let formatter = try RowFormatter()
///     formatter.format(Array(#"{"storefront":"JPN","amount":"1200"}"#.utf8)) { "{\"error\":\(json($0.message))}" }
///     // {"storefront":"JPN","amount":"1200","display":"￥1,200"}
///
/// The rows are those of a ``Batch``; input and output are JSON Lines. A formatter caches compiled price formatters between
/// calls, so reuse it. It must be used by one thread at a time.
public final class RowFormatter {
  /// The maximum size of a row in bytes.
  public static let maximumRowByteCount = BlockReader.maximumRowByteCount

  private let worker: RowWorker

  /// About the number of bytes that a compiled price formatter takes.
  private static let priceFormatterByteCount = 6 << 10

  /// About the number of bytes that the formatter stores between calls.
  package var storedByteCount: Int {
    worker.block.capacity + worker.out.capacity + worker.pricing.formatterCount * Self.priceFormatterByteCount
  }

  /// Creates a formatter.
  ///
  /// - Parameter options: The options. Formats, threads, strictness and compression are ignored.
  /// - Throws: The errors of `Batch.init(_:)`; `.outOfResources`.
  public init(_ options: BatchOptions = BatchOptions()) throws(BatchError) {
    try options.checkForRows()
    var options = options
    options.day = options.day ?? .now
    (options.output, options.compresses) = (.jsonl, false)
    worker = try RowWorker(options, RowFormats(input: .jsonl, options), nil)
  }

  /// Formats rows. `withOutput(_:)` then returns the output.
  ///
  /// - Parameters:
  ///   - rows: Complete lines with one row each, in UTF-8. The last line needs no line feed. At most 2 GB.
  ///   - linesBefore: The number of lines before these rows, for `BatchReject.line`.
  ///   - rowEnd: The byte to write after each row.
  ///   - onReject: Returns the text to write instead of a rejected row.
  /// - Returns: The numbers of rows and of lines.
  @discardableResult
  public func format(
    _ rows: some Sequence<UInt8>,
    linesBefore: Int = 0,
    rowEnd: UInt8 = 0x0A,
    onReject: (BatchReject) -> String
  ) -> (summary: BatchSummary, lines: Int) {
    if rows.withContiguousStorageIfAvailable({ worker.block.load(UnsafeRawBufferPointer($0)) }) == nil {
      Array(rows).withUnsafeBytes { worker.block.load($0) }
    }
    var summary = BatchSummary()
    worker.rowEnd = rowEnd
    withoutActuallyEscaping(onReject) { onReject in
      worker.writeInPlace = { pending, out in
        let reject = BatchReject(pending, line: linesBefore + pending.line + 1, number: summary.rejected)
        summary.add(rejected: reject.code)
        out.append(onReject(reject))
        out.append(rowEnd)
      }
      worker.process()
      worker.writeInPlace = nil
    }
    summary.read = worker.rowCount
    return (summary, worker.lineCount)
  }

  /// Calls a closure with the output of the last call of `format`.
  ///
  /// - Parameter body: Receives the output, which is valid during the call.
  /// - Returns: The result of the closure.
  public func withOutput<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: worker.out.start, count: worker.out.count))
  }
}

import PriceTag

/// Formats rows that are at hand, a piece at a time, and says in the place of a row that is wrong what is wrong: what a
/// service does with the rows of its requests.
///
///     let formatter = try RowFormatter()
///     formatter.format(Array(#"{"storefront":"JPN","amount":"1200"}"#.utf8)) { "{\"error\":\(json($0.message))}" }
///     // {"storefront":"JPN","amount":"1200","display":"￥1,200"}
///
/// A row is what it is in a `Batch`, and so is what is made of it: JSON Lines in, JSON Lines out. Compiled formatters are
/// kept from piece to piece, so a formatter is worth keeping. It is for one thread at a time.
public final class RowFormatter {
  /// The most bytes of a row.
  public static let mostRowBytes = BlockReader.mostRowBytes

  private let worker: RowWorker

  /// A formatter with some options. Formats, threads, strictness and compression are of no account.
  ///
  /// - Throws: As `Batch.init(_:)`; `.outOfResources`.
  public init(_ options: BatchOptions = BatchOptions()) throws(BatchError) {
    try options.check()
    var options = options
    options.date = options.date ?? .today
    (options.output, options.compresses) = (.jsonl, false)
    worker = try RowWorker(options, RowFormats(input: .jsonl, options), nil)
  }

  /// Formats some rows.
  ///
  /// - Parameters:
  ///   - rows: Whole lines, each with a row; the last needs no line feed. At most 2 GB.
  ///   - linesBefore: How many lines came before, for the lines that rejects name.
  ///   - rowEnd: What is written behind each row.
  ///   - setAside: Says what is written in the place of a row that is set aside.
  /// - Returns: How many rows there were, and how many lines.
  @discardableResult
  public func format(
    _ rows: some Sequence<UInt8>,
    linesBefore: Int = 0,
    rowEnd: UInt8 = 0x0A,
    setAside: (BatchReject) -> String
  ) -> (summary: BatchSummary, lines: Int) {
    if rows.withContiguousStorageIfAvailable({ worker.block.load(UnsafeRawBufferPointer($0)) }) == nil {
      Array(rows).withUnsafeBytes { worker.block.load($0) }
    }
    var summary = BatchSummary()
    worker.rowEnd = rowEnd
    withoutActuallyEscaping(setAside) { setAside in
      worker.writeInPlace = { pending, out in
        let reject = BatchReject(pending, line: linesBefore + pending.line + 1, number: summary.setAside)
        summary.add(setAside: reject.code)
        out.append(setAside(reject))
        out.append(rowEnd)
      }
      worker.process()
      worker.writeInPlace = nil
    }
    summary.read = worker.rowCount
    return (summary, worker.lineCount)
  }

  /// What was made of the rows that were formatted last.
  public func withOutput<Answer>(_ body: (UnsafeRawBufferPointer) throws -> Answer) rethrows -> Answer {
    try body(UnsafeRawBufferPointer(start: worker.out.start, count: worker.out.count))
  }
}

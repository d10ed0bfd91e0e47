import PriceTag
import PriceTagText

/// The rows of an input, in blocks for several threads.
///
/// Sendable notes: only the thread that takes a block uses the reader, and only the thread that commits changes the other
/// variables. `begin()` runs before any other thread starts.
final class RowWork<Output: BatchOutput>: OrderedPipeline, @unchecked Sendable {
  private let name: String
  private let options: BatchOptions
  private let formats: RowFormats
  private let reader: BlockReader
  private let output: Output
  private var layout: RowLayout?
  private var lineCount = 0
  private(set) var summary = BatchSummary()
  private var hasWritten = false

  init(_ source: ByteSource, _ options: BatchOptions, _ output: Output) throws(BatchError) {
    name = source.name
    (self.options, self.output) = (options, output)
    reader = try BlockReader(source, options)
    formats = RowFormats(input: reader.format, options)
  }

  /// Reads the CSV header, or formats the first rows of JSON until one defines the CSV columns.
  func begin() throws(BatchError) {
    switch (formats.input, formats.output) {
    case (.jsonl, .jsonl): return
    case (.csv, _):
      let worker = try makeWorker()
      while layout == nil {
        guard try take(worker) else { throw noHeader() }
        try readHeader(worker)
      }
    case (.jsonl, .csv):
      let worker = try makeWorker()
      while layout == nil, try take(worker) {
        process(worker)
        layout = worker.layout
        try commit(worker)
      }
    }
  }

  private func noHeader() -> BatchError {
    BatchError(
      .malformedHeader,
      "the header is missing",
      fix: "write the column names in the first line",
      place: printable(name)
    )
  }

  /// Reads the CSV header if the block has it, and formats the rest of the block.
  private func readHeader(_ worker: RowWorker) throws(BatchError) {
    let block = worker.block
    let header = CSVRowReader(delimiter: options.delimiter)
    header.begin(block.bytes, block.count)
    guard block.longRowByteCount == nil else { throw noHeader() }
    guard header.next() else {
      // The block has only blank lines.
      lineCount += header.lineCount
      return
    }
    let layout = try RowLayout(header: header, options, name: name, linesBefore: lineCount)
    (self.layout, worker.layout) = (layout, layout)
    reader.expectsHeader = false
    worker.process(from: header.position - UnsafePointer(block.bytes), afterLines: header.lineCount)
    let text = OutputBuffer(capacity: 1 << 10)
    if formats.output == .csv {
      if reader.hasByteOrderMark { text.append("\u{FEFF}") }
      if formats.delimiter == options.delimiter {
        text.append(header.start, header.count)
        layout.writeAppendedHeader(to: text, delimiter: options.delimiter)
      } else {
        layout.writeHeader(to: text, delimiter: formats.delimiter)
      }
      text.append(header.start + header.count, header.lineEndCount)
      if header.lineEndCount == 0 { text.append(0x0A) }
    }
    worker.out.prepend(text)
    worker.compress()
    try commit(worker)
  }

  /// Completes the output. Without rows, compressed output is an empty gzip member.
  func finish() throws(BatchError) {
    if options.compresses, !hasWritten { try Deflater.empty().write(to: output) }
  }

  // MARK: Blocks

  func makeWorker() throws(BatchError) -> RowWorker { try RowWorker(options, formats, layout) }

  func take(_ worker: RowWorker) throws(BatchError) -> Bool { try reader.next(into: worker.block) }

  func stop() { reader.stop() }

  func process(_ worker: RowWorker) {
    worker.process()
    worker.compress()
  }

  func commit(_ worker: RowWorker) throws(BatchError) {
    // Rejects of the same code often follow each other: they are counted together.
    var run = (code: "", count: 0)
    for pending in worker.rejects {
      let reject = BatchReject(pending, line: lineCount + pending.line + 1, number: summary.rejected)
      if options.isStrict {
        let field = reject.field.map { ", field \(quoted($0))" } ?? ""
        throw .strict(reject.message, place: "\(printable(name)), line \(reject.line)\(field)")
      }
      summary.rejected += 1
      if reject.code != run.code {
        summary.add(run.count, rejected: run.code)
        run = (reject.code, 0)
      }
      run.count += 1
      try output.reject(reject)
    }
    summary.add(run.count, rejected: run.code)
    summary.read += worker.rowCount
    lineCount += worker.lineCount
    if worker.output.count > 0 {
      try worker.output.write(to: output)
      hasWritten = true
    }
    output.reached(
      BatchProgress(summary: summary, done: worker.block.storedBytesRead, total: reader.storedByteCount)
    )
  }
}

extension BatchError {
  /// Returns the error of a rejected row in a strict batch.
  ///
  /// - Parameter reject: The problem and the fix of the row.
  package static func strict(_ reject: String, place: String = "") -> BatchError {
    BatchError(.rejected, reject, fix: "to reject such rows and continue, remove --strict", place: place)
  }
}

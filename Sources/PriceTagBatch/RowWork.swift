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
    formats = RowFormats(input: reader.format, inputDelimiter: reader.delimiter, options)
    if reader.hasDelimiterLine { lineCount = 1 }
    if formats.input == .jsonl, let column = options.columns.first(where: { $0.storefront != nil }) {
      throw BatchError(
        .invalidOption,
        "the column of a storefront \(quoted(column.description)) requires CSV, but the input is JSON",
        fix: "write one row for each storefront"
      )
    }
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
    let header = CSVRowReader(delimiter: formats.inputDelimiter)
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
    let start = header.position - UnsafePointer(block.bytes)
    if layout.wide == nil { worker.process(from: start, afterLines: header.lineCount) }
    let text = OutputBuffer(capacity: 1 << 10)
    if formats.output == .csv {
      if reader.hasByteOrderMark { text.append("\u{FEFF}") }
      if let wide = layout.wide {
        wide.output.writeHeader(to: text, delimiter: formats.delimiter)
      } else if formats.delimiter == formats.inputDelimiter {
        text.append(header.start, header.count)
        layout.writeAppendedHeader(to: text, delimiter: formats.delimiter)
      } else {
        layout.writeHeader(to: text, delimiter: formats.delimiter)
      }
      text.append(header.start + header.count, header.lineEndCount)
      if header.lineEndCount == 0 { text.append(0x0A) }
    }
    worker.out.prepend(text)
    worker.compress()
    try commitRows(worker)
    if let wide = layout.wide {
      try commitWide(worker, layout, wide, from: start, afterLines: header.lineCount)
    }
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
    // A block of a wide sheet is formatted when its rows can be written.
    if layout?.wide != nil { return }
    worker.process()
    worker.compress()
  }

  func commit(_ worker: RowWorker) throws(BatchError) {
    guard let layout, let wide = layout.wide else { return try commitRows(worker) }
    try commitWide(worker, layout, wide)
  }

  private func commitWide(
    _ worker: RowWorker,
    _ layout: RowLayout,
    _ wide: WideLayout,
    from start: Int = 0,
    afterLines lines: Int = 0
  ) throws(BatchError) {
    try worker.processWide(layout, wide, from: start, afterLines: lines) { () throws(BatchError) in
      worker.compress()
      try commitRows(worker)
    }
  }

  private func commitRows(_ worker: RowWorker) throws(BatchError) {
    // Rejects of the same code often follow each other: they are counted together.
    var run = (code: "", count: 0)
    for pending in worker.rejects {
      let reject = BatchReject(pending, line: lineCount + pending.line + 1, number: summary.rejected)
      if options.isStrict {
        throw .strict(reject.message, place: "\(printable(name)), \(reject.place)")
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
    summary.notForSale += worker.emptyCellCount
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

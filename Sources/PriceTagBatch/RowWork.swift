import PriceTag
import PriceTagText

/// The rows of an input as work for several threads.
///
/// Sendable notes: the reader is used by the thread that takes, and everything else that changes by the one that commits;
/// before there are threads, by the one that begins.
final class RowWork<Output: BatchOutput>: OrderedWork, @unchecked Sendable {
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

  /// Does what comes before any thread: reads a header, or the row that gives the columns.
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
      "there is no header",
      fix: "write the columns' names into the first line",
      place: printable(name)
    )
  }

  /// Reads the header of CSV, where the block has it, and formats the rest of the block.
  private func readHeader(_ worker: RowWorker) throws(BatchError) {
    let block = worker.block
    let header = CSVRowReader(delimiter: options.delimiter)
    header.begin(block.bytes, block.count)
    guard block.longRowByteCount == nil else { throw noHeader() }
    guard header.next() else {
      // Blank lines, before it.
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
    worker.out.insert(text)
    worker.compress()
    try commit(worker)
  }

  /// Does what comes after all threads: a compressed file is one also without rows.
  func finish() throws(BatchError) {
    if options.compresses, !hasWritten { try Deflater.empty().write(to: output) }
  }

  // MARK: Pieces

  func makeWorker() throws(BatchError) -> RowWorker { try RowWorker(options, formats, layout) }

  func take(_ worker: RowWorker) throws(BatchError) -> Bool { try reader.next(into: worker.block) }

  func stop() { reader.stop() }

  func process(_ worker: RowWorker) {
    worker.process()
    worker.compress()
  }

  func commit(_ worker: RowWorker) throws(BatchError) {
    // Many rejects of one reason mostly follow each other.
    var run = (code: "", count: 0)
    for pending in worker.setAside {
      let reject = BatchReject(pending, line: lineCount + pending.line + 1, number: summary.setAside)
      if options.isStrict {
        let field = reject.field.map { ", field \(quoted($0))" } ?? ""
        throw .strict(reject.message, place: "\(printable(name)), line \(reject.line)\(field)")
      }
      summary.setAside += 1
      if reject.code != run.code {
        summary.add(run.count, setAside: run.code)
        run = (reject.code, 0)
      }
      run.count += 1
      try output.setAside(reject)
    }
    summary.add(run.count, setAside: run.code)
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
  /// What would be set aside, where nothing may be.
  package static func strict(_ problem: String, place: String = "") -> BatchError {
    BatchError(
      .setAside,
      problem,
      fix: "correct it, or let rows be set aside (without --strict)",
      place: place
    )
  }
}

import PriceTag
import PriceTagBatch
import PriceTagCatalog

/// The products of a catalog, in pieces for several threads.
///
/// Sendable notes: only the thread that takes a piece uses the reading, and only the thread that commits changes the
/// variables.
final class CatalogWork<Output: CatalogBatchOutput>: OrderedPipeline, @unchecked Sendable {
  private let reading: ListingReader
  private let request: ListingRequest
  private let options: BatchOptions
  private let outputs: [Output]
  private let first: Output
  private var productCount = 0
  private(set) var summary = BatchSummary()
  private var hasWritten: [Bool]

  init(
    _ reading: ListingReader,
    _ request: ListingRequest,
    _ options: BatchOptions,
    _ outputs: [Output],
    _ first: Output
  ) {
    (self.reading, self.request, self.options, self.outputs) = (reading, request, options, outputs)
    self.first = first
    hasWritten = outputs.map { _ in false }
  }

  /// Writes the CSV header to each output.
  func writeHeaders() throws(BatchError) {
    guard options.catalogFormat == .csv else { return }
    let header = OutputBuffer(capacity: 256)
    let further = options.furtherFields.map(\.rawValue)
    let delimiter = String(Unicode.Scalar(options.catalogDelimiter))
    header.append((CatalogBatch.columns + further).joined(separator: delimiter) + "\n")
    let written = options.compresses ? OutputBuffer(capacity: 256) : header
    if options.compresses { try Deflater().deflate(header, to: written) }
    for output in outputs { try written.write(to: output) }
    hasWritten = outputs.map { _ in true }
  }

  /// Completes the outputs. Without rows, compressed output is an empty gzip member.
  func finish() throws(BatchError) {
    guard options.compresses else { return }
    for (output, isWritten) in zip(outputs, hasWritten) where !isWritten {
      try Deflater.empty().write(to: output)
    }
  }

  func makeWorker() throws(BatchError) -> CatalogWorker {
    let builder: ListingBuilder
    do throws(CatalogError) { builder = try ListingBuilder(request) } catch {
      throw BatchError(.catalogFailed, error)
    }
    return try CatalogWorker(request, builder, options, partCount: outputs.count)
  }

  func take(_ worker: CatalogWorker) throws(BatchError) -> Bool {
    do throws(CatalogError) {
      worker.products = try reading.next(worker.maximumProductCount)
    } catch { throw BatchError(.catalogFailed, error) }
    return !worker.products.isEmpty
  }

  /// Does nothing: reading a catalog never waits for input.
  func stop() {}

  func process(_ worker: CatalogWorker) throws(BatchError) { try worker.process() }

  func commit(_ worker: CatalogWorker) throws(BatchError) {
    for reject in worker.rejects {
      if options.isStrict {
        throw .strict(reject.description)
      }
      summary.add(rejected: reject.code)
      try first.reject(reject)
    }
    summary.read += worker.rowCount
    summary.notForSale += worker.notForSaleCount
    for (index, part) in worker.parts.enumerated() where part.count > 0 {
      try part.write(to: outputs[index])
      hasWritten[index] = true
    }
    productCount += worker.products.count
    first.reached(BatchProgress(summary: summary, done: productCount, total: reading.count))
  }
}

extension BatchOptions {
  /// The format of a catalog's rows. The default is JSON Lines, because there is no input format to follow.
  var catalogFormat: BatchFormat { output ?? .jsonl }

  /// The CSV delimiter of a catalog's rows.
  var catalogDelimiter: UInt8 { outputDelimiter ?? UInt8(ascii: ",") }

  /// The fields after the columns of a catalog's rows, which include the spoken form.
  var furtherFields: [BatchField] { fields.filter { $0 != .spoken } }
}

import PriceTag
import PriceTagBatch

/// Where a batch's rows go: a file, or standard output.
///
/// Sendable notes: a batch calls with one thread at a time.
final class BatchSink: CatalogBatchOutput, @unchecked Sendable {
  private let output: OutputFile?
  private let report: BatchReport

  /// - Parameter path: The file; `-` for standard output.
  init(_ path: String, _ report: BatchReport) throws(PriceTagError) {
    output = path == "-" ? nil : try OutputFile(path)
    self.report = report
  }

  var isFile: Bool { output != nil }

  func write(_ bytes: UnsafeRawBufferPointer) throws(BatchError) {
    guard let output else { return StandardOutput.write(bytes) }
    do throws(PriceTagError) { try output.write(bytes) } catch { throw BatchError(.unwritableOutput, error) }
  }

  func setAside(_ reject: BatchReject) { report.setAside(reject.json, reject.description) }
  func setAside(_ reject: ProductReject) { report.setAside(reject.json, reject.description) }
  func reached(_ progress: BatchProgress) { report.reached(progress) }

  /// Puts the file into its place.
  func finish() throws(PriceTagError) { try output?.finish() }
}

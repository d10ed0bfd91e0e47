import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagCatalogBatch
import PriceTagCommandLine
import PriceTagText

/// Where a batch's rows go: a file, or standard output.
///
/// Sendable notes: a batch calls with one thread at a time.
final class BatchSink: CatalogBatchOutput, @unchecked Sendable {
  /// `nil` for standard output.
  let file: OutputFile?
  private let report: BatchReport

  /// - Parameters:
  ///   - path: The file; `-` for standard output.
  ///   - isOneOfMany: Whether it is one of more files than the process may have open at once.
  init(_ path: String, _ report: BatchReport, isOneOfMany: Bool = false) throws(PriceTagError) {
    file = path == "-" ? nil : try OutputFile(path, isOneOfMany: isOneOfMany)
    self.report = report
  }

  /// Whether what was there stays until all is written.
  var isKept: Bool { file.map { !$0.isDirect } ?? false }

  func write(_ bytes: UnsafeRawBufferPointer) throws(BatchError) {
    guard let file else { return StandardOutput.write(bytes) }
    do throws(PriceTagError) { try file.write(bytes) } catch { throw BatchError(.unwritableOutput, error) }
  }

  func setAside(_ reject: BatchReject) {
    report.setAside(reject.description) { reject.appendJSON(to: &$0) }
  }

  func setAside(_ reject: ProductReject) { report.setAside(reject.description) { $0 += reject.json.utf8 } }
  func reached(_ progress: BatchProgress) { report.reached(progress) }
}

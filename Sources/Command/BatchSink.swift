import PriceTag
import PriceTagBatch
import PriceTagCatalogBatch
import PriceTagSystem
import PriceTagText

/// Writes the rows of a batch to a file or to standard output.
///
/// Sendable notes: a batch calls from one thread at a time.
final class BatchSink: CatalogBatchOutput, @unchecked Sendable {
  let file: OutputFile
  private let report: BatchReport

  /// - Parameters:
  ///   - path: The file; `-` for standard output.
  ///   - isOneOfMany: Whether the batch has more files than the process may have open at once.
  init(_ path: String, _ report: BatchReport, isOneOfMany: Bool = false) throws(PriceTagError) {
    file = try OutputFile(path, isOneOfMany: isOneOfMany)
    self.report = report
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(BatchError) {
    do throws(PriceTagError) { try file.write(bytes) } catch { throw BatchError(.unwritableOutput, error) }
  }

  func reject(_ reject: BatchReject) {
    report.reject(reject.description) { reject.appendJSON(to: &$0) }
  }

  func reject(_ reject: ProductReject) { report.reject(reject.description) { $0 += reject.json.utf8 } }
  func reached(_ progress: BatchProgress) { report.reached(progress) }
}

import PriceTagBatch
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText
import Synchronization

/// Reports rejects, progress and the final summary of a batch.
///
/// Sendable notes: a batch calls from one thread at a time, and the state that a signal reads is in the mutex.
final class BatchReport: RejectReport, @unchecked Sendable {
  private let state = Mutex((summary: BatchSummary(), isDone: false))
  private let startTime = ContinuousClock.now

  /// Runs a batch, moves its files to their destinations, and prints the summary. On a signal, prints the progress.
  ///
  /// - Returns: Whether no row was rejected.
  func run(_ files: [OutputFile], _ batch: () throws(BatchError) -> BatchSummary) throws -> Bool {
    let keepsPreviousOutput = files.contains { !$0.isDirect }
    Interruption.report { [self] in
      let (summary, isDone) = state.withLock { $0 }
      if isDone { return "all \(summary.read) rows were read, and the output is complete" }
      return "\(summary.read) rows were read, \(summary.rejected) of them rejected"
        + (keepsPreviousOutput ? "; the output file is unchanged" : "")
    }
    defer { progress?.clear() }
    let summary = try batch()
    // The rejects come first, so that the rows never exist without them.
    try OutputFile.finish([file].compactMap(\.self) + files)
    state.withLock { $0 = (summary, true) }
    progress?.clear()
    if !isQuiet { write(summary) }
    return summary.rejected == 0
  }

  func reached(_ current: BatchProgress) {
    state.withLock { $0.summary = current.summary }
    progress?.show {
      current.text(seconds: (ContinuousClock.now - startTime) / .seconds(1))
    }
  }

  private func write(_ summary: BatchSummary) {
    writeUnprintedCount(of: summary.rejected)
    let withoutSuggestion = summary.rejected - BatchReject.maximumSuggestionCount
    if file != nil, withoutSuggestion > 0 {
      StandardError.write(
        "pricetag: note: the first \(BatchReject.maximumSuggestionCount) rejects suggest the closest match, the other \(withoutSuggestion) do not\n"
      )
    }
    for (code, count) in summary.rejectedByCode.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      StandardError.write("rejected for \(code): \(count)\n")
    }
    let notForSale = summary.notForSale > 0 ? "; \(summary.notForSale) more not for sale" : ""
    StandardError.write(
      "rows: \(summary.read) read, \(summary.formatted) formatted, \(summary.rejected) rejected\(notForSale)\n"
    )
  }
}

extension BatchProgress {
  /// Returns the progress on one line.
  fileprivate func text(seconds: Double) -> String {
    let rows = summary.read
    var parts: [String] = []
    if let total, total > 0 {
      let share = min(1, Double(done) / Double(total))
      let filled = Int(share * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      parts.append("\(bar) \(Int(share * 100)) %")
      if share > 0.02, seconds > 1 { parts.append("\(Int(seconds / share - seconds + 0.5)) s left") }
    }
    parts.append("\(rows) rows")
    if seconds > 0.2 { parts.append("\(Int(Double(rows) / seconds / 1000)) thousand/s") }
    if summary.rejected > 0 { parts.append("\(summary.rejected) rejected") }
    return parts.joined(separator: "  ")
  }
}

import PriceTag
import PriceTagBatch
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText
import Synchronization

/// Reports rejects, progress and the final summary of a batch.
///
/// Sendable notes: a batch calls from one thread at a time, and the state that a signal reads is in the mutex.
final class BatchReport: @unchecked Sendable {
  private let rejects: RejectReport
  private let isQuiet: Bool
  private let state = Mutex((summary: BatchSummary(), isDone: false))
  private let startTime = ContinuousClock.now

  /// - Parameter rejects: The file of all rejects; `nil` to print the first of them to standard error.
  init(rejects: String?, isQuiet: Bool) throws(PriceTagError) {
    self.rejects = try RejectReport(file: rejects, isQuiet: isQuiet)
    self.isQuiet = isQuiet
  }

  /// Runs a batch, moves its files to their destinations, and prints the summary. On a signal, prints the progress.
  ///
  /// - Returns: Whether no row was rejected.
  func run(
    _ sinks: [BatchSink],
    _ batch: () throws(BatchError) -> BatchSummary
  ) throws -> Bool {
    let keepsPreviousOutput = sinks.contains { $0.keepsPreviousFile }
    Interruption.report { [self] in
      let (summary, isDone) = state.withLock { $0 }
      if isDone { return "all \(summary.read) rows were read, and the output is complete" }
      return "\(summary.read) rows were read, \(summary.rejected) of them rejected"
        + (keepsPreviousOutput ? "; the output file is unchanged" : "")
    }
    defer { rejects.progress?.clear() }
    let summary = try batch()
    // The rejects come first, so that the rows never exist without them.
    try OutputFile.finish([rejects.file].compactMap(\.self) + sinks.map(\.file))
    state.withLock { $0 = (summary, true) }
    rejects.progress?.clear()
    if !isQuiet { write(summary) }
    return summary.rejected == 0
  }

  /// Writes a reject. Only one of its forms is created.
  func reject(_ description: @autoclosure () -> String, json: (inout [UInt8]) -> Void) {
    rejects.reject(description(), json: json)
  }

  func reached(_ current: BatchProgress) {
    state.withLock { $0.summary = current.summary }
    rejects.progress?.show {
      ProgressBar(current, seconds: (ContinuousClock.now - startTime) / .seconds(1)).text
    }
  }

  private func write(_ summary: BatchSummary) {
    rejects.writeUnprintedCount(of: summary.rejected)
    let withoutSuggestion = summary.rejected - BatchReject.maximumSuggestionCount
    if rejects.file != nil, withoutSuggestion > 0 {
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

/// The progress of a batch, on one line.
private struct ProgressBar {
  let text: String

  private static let width = 24

  init(_ progress: BatchProgress, seconds: Double) {
    let rows = progress.summary.read
    var parts: [String] = []
    if let total = progress.total, total > 0 {
      let share = min(1, Double(progress.done) / Double(total))
      let filled = Int(share * Double(Self.width))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
      parts.append("\(bar) \(Int(share * 100)) %")
      if share > 0.02, seconds > 1 { parts.append("\(Int(seconds / share - seconds + 0.5)) s left") }
    }
    parts.append("\(rows) rows")
    if seconds > 0.2 { parts.append("\(Int(Double(rows) / seconds / 1000)) thousand/s") }
    if progress.summary.rejected > 0 { parts.append("\(progress.summary.rejected) rejected") }
    text = parts.joined(separator: "  ")
  }
}

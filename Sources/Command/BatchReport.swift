import PriceTag
import PriceTagBatch
import PriceTagCommandLine
import PriceTagText
import Synchronization

/// What a batch tells besides its rows: what was set aside, how far it is, and the numbers at the end.
///
/// Sendable notes: a batch calls with one thread at a time; what a signal reads is under the lock.
final class BatchReport: @unchecked Sendable {
  private let rejects: OutputFile?
  private let isQuiet: Bool
  private let progress: ProgressLine?
  private let reached = Mutex((summary: BatchSummary(), isDone: false))
  private let started = ContinuousClock.now
  private var toldCount = 0

  /// How many are told one by one.
  private static let mostTold = 20

  /// - Parameter rejects: The file of what is set aside; `nil` for standard error, the first of them.
  init(rejects: String?, isQuiet: Bool) throws(PriceTagError) {
    self.rejects = try rejects.map { (path) throws(PriceTagError) in try OutputFile(path) }
    self.isQuiet = isQuiet
    progress = isQuiet ? nil : ProgressLine()
  }

  /// Does a batch, puts its files into their places, and tells the numbers. On a signal, says how far it was.
  ///
  /// - Returns: Whether no row was set aside.
  func following(
    _ sinks: [BatchSink],
    _ batch: () throws(BatchError) -> BatchSummary
  ) throws -> Bool {
    let keepsOutput = sinks.contains { $0.isKept }
    Interruption.tell { [self] in
      let (summary, isDone) = reached.withLock { $0 }
      if isDone { return "all \(summary.read) rows were read, and the output is whole" }
      return "\(summary.read) rows were read, \(summary.setAside) of them set aside"
        + (keepsOutput ? "; the output is as it was before" : "")
    }
    defer { progress?.clear() }
    let summary = try batch()
    // What was set aside first: rows without it would be lost.
    try OutputFile.finish([rejects].compactMap(\.self) + sinks.compactMap(\.file))
    reached.withLock { $0 = (summary, true) }
    progress?.clear()
    if !isQuiet { tell(summary) }
    return summary.setAside == 0
  }

  /// Writes a reject in one of its forms: the other one is not made.
  func setAside(_ description: @autoclosure () -> String, json: (inout [UInt8]) -> Void) {
    if let rejects { return rejects.writeLine(json) }
    toldCount += 1
    guard !isQuiet, toldCount <= Self.mostTold else { return }
    progress?.clear()
    StandardError.write("pricetag: set aside: \(description())\n")
  }

  func reached(_ now: BatchProgress) {
    reached.withLock { $0.summary = now.summary }
    progress?.show { ProgressBar(now, seconds: (ContinuousClock.now - started) / .seconds(1)).text }
  }

  private func tell(_ summary: BatchSummary) {
    if rejects == nil, summary.setAside > Self.mostTold {
      StandardError.write(
        "pricetag: … and \(summary.setAside - Self.mostTold) more (--rejects FILE takes them all)\n"
      )
    }
    let withoutSuggestion = summary.setAside - BatchReject.maximumSuggestionCount
    if rejects != nil, withoutSuggestion > 0 {
      StandardError.write(
        "pricetag: the closest match was searched for the first \(BatchReject.maximumSuggestionCount) rejects, and not for \(withoutSuggestion) more\n"
      )
    }
    for (code, count) in summary.setAsideByCode.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      StandardError.write("set aside for \(code): \(count)\n")
    }
    let notForSale = summary.notForSale > 0 ? "; \(summary.notForSale) more are not for sale" : ""
    StandardError.write(
      "rows: \(summary.read) read, \(summary.formatted) formatted, \(summary.setAside) set aside\(notForSale)\n"
    )
  }
}

/// How far a batch is, on a line.
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
    if progress.summary.setAside > 0 { parts.append("\(progress.summary.setAside) set aside") }
    text = parts.joined(separator: "  ")
  }
}

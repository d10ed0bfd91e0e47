import PriceTag
import PriceTagBatch
import Synchronization

/// Where a batch's rows go: a file or standard output, and what is set aside to another file or standard error.
///
/// Sendable notes: a batch calls with one thread at a time; what a signal reads is under the lock.
final class BatchSink: BatchOutput, @unchecked Sendable {
  private let output: OutputFile?
  private let rejects: OutputFile?
  private let tellsRejects: Bool
  private let progress: ProgressLine?
  private let reached = Mutex(BatchSummary())
  private let started = ContinuousClock.now
  private var toldCount = 0

  /// How many are told one by one.
  private static let mostTold = 20

  /// - Parameters:
  ///   - output: The file; `-` for standard output.
  ///   - rejects: The file of what is set aside; `nil` for standard error, the first of them.
  init(output: String, rejects: String?, isQuiet: Bool) throws(PriceTagError) {
    self.output = output == "-" ? nil : try OutputFile(output)
    self.rejects = try rejects.map { (path) throws(PriceTagError) in try OutputFile(path) }
    tellsRejects = rejects == nil && !isQuiet
    progress = isQuiet ? nil : ProgressLine()
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(BatchError) {
    guard let output else { return StandardOutput.write(bytes) }
    do throws(PriceTagError) { try output.write(bytes) } catch { throw BatchError(.unwritableOutput, error) }
  }

  func setAside(_ reject: BatchReject) {
    if let rejects { return rejects.write(reject.json + "\n") }
    toldCount += 1
    guard tellsRejects, toldCount <= Self.mostTold else { return }
    progress?.clear()
    StandardError.write("pricetag: set aside: \(reject)\n")
  }

  func reached(_ now: BatchProgress) {
    reached.withLock { $0 = now.summary }
    progress?.show { ProgressBar(now, seconds: (ContinuousClock.now - started) / .seconds(1)).text }
  }

  /// Puts the files into their places.
  func finish() throws(PriceTagError) {
    progress?.clear()
    try output?.finish()
    try rejects?.finish()
  }

  /// Takes the progress line away.
  func clear() { progress?.clear() }

  /// How far it is, for somebody who stopped it.
  var howFar: String {
    let summary = reached.withLock { $0 }
    return "\(summary.read) rows were read, \(summary.setAside) of them set aside"
      + (output == nil ? "" : "; the output is as it was before")
  }

  /// Tells the numbers.
  func tell(_ summary: BatchSummary) {
    if tellsRejects, summary.setAside > Self.mostTold {
      StandardError.write(
        "pricetag: … and \(summary.setAside - Self.mostTold) more (--rejects FILE takes them all)\n"
      )
    }
    for (code, count) in summary.setAsideByCode.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      StandardError.write("set aside for \(code): \(count)\n")
    }
    StandardError.write(
      "rows: \(summary.read) read, \(summary.formatted) formatted, \(summary.setAside) set aside\n"
    )
  }
}

/// How far a batch is, on a line.
private struct ProgressBar {
  let text: String

  init(_ progress: BatchProgress, seconds: Double) {
    let rows = progress.summary.read
    var parts: [String] = []
    if let total = progress.byteCount, total > 0 {
      let share = min(1, Double(progress.bytesRead) / Double(total))
      let width = 24
      let filled = Int(share * Double(width))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
      parts.append("\(bar) \(Int(share * 100)) %")
      if share > 0.02, seconds > 1 { parts.append("\(Int(seconds / share - seconds + 0.5)) s left") }
    }
    parts.append("\(rows) rows")
    if seconds > 0.2 { parts.append("\(Int(Double(rows) / seconds / 1000)) thousand/s") }
    if progress.summary.setAside > 0 { parts.append("\(progress.summary.setAside) set aside") }
    text = parts.joined(separator: "  ")
  }
}

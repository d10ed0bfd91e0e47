import Logging
import Synchronization

/// A log handler that passes on the same error at most once in ten seconds, so that a fault that every request meets does
/// not fill the log. The next record of the error has the number of those that were not passed on, as `suppressed`.
struct ErrorRateLogHandler: LogHandler {
  private var handler: any LogHandler
  private let rate = ErrorRate()

  init(_ handler: any LogHandler) { self.handler = handler }

  var logLevel: Logger.Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }
  var metadata: Logger.Metadata {
    get { handler.metadata }
    set { handler.metadata = newValue }
  }
  var metadataProvider: Logger.MetadataProvider? {
    get { handler.metadataProvider }
    set { handler.metadataProvider = newValue }
  }
  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { handler[metadataKey: key] }
    set { handler[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    var event = event
    if event.level >= .error {
      let error = event.metadata?["error"].map { "\($0)" } ?? ""
      guard let suppressed = rate.suppressed(event.message.description, error, at: .now) else { return }
      if suppressed > 0 {
        event.metadata = (event.metadata ?? [:]).merging(["suppressed": "\(suppressed)"]) { $1 }
      }
    }
    handler.log(event: event)
  }
}

/// Counts the records of each error.
///
/// Sendable notes: a lock protects the counts.
final class ErrorRate: Sendable {
  private struct Records {
    let end: ContinuousClock.Instant
    var suppressed = 0
  }

  private static let interval = Duration.seconds(10)
  /// Beyond this number of different errors, the errors of a message are counted together.
  private static let maximumCount = 100

  private let records = Mutex<[String: Records]>([:])

  /// Counts a record.
  ///
  /// - Returns: The number of records of this error that were suppressed since the last one; `nil` to suppress this one.
  func suppressed(_ message: String, _ error: String, at now: ContinuousClock.Instant) -> Int? {
    records.withLock { records -> Int? in
      if records.count >= Self.maximumCount { records = records.filter { $0.value.end > now } }
      var key = "\(message): \(error)"
      if records[key] == nil, records.count >= Self.maximumCount { key = message }
      if let current = records[key], now < current.end {
        records[key]?.suppressed += 1
        return nil
      }
      let suppressed = records.updateValue(Records(end: now + Self.interval), forKey: key)?.suppressed
      return suppressed ?? 0
    }
  }
}

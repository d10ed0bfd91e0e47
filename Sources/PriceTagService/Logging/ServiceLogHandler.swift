import Logging
import PriceTagSystem
import PriceTagText

/// A log handler that writes each record as a line to a file descriptor.
///
/// Characters of messages and metadata that could end a line, move the cursor or change the text direction are escaped.
/// Each value is truncated to 1,000 characters.
///
/// A thread writes the records, which wait for it in memory. If the descriptor is closed, or is read so slowly that 4 MB
/// wait, records are dropped; a later record states their number. A process that logs to a pipe should ignore `SIGPIPE`, as
/// servers usually do.
public struct ServiceLogHandler: LogHandler {
  /// The format of records.
  public enum Format: String, CaseIterable, Sendable {
    /// For people: the time, the level, the message, and metadata as `key=value`.
    case text
    /// For programs: a JSON object with metadata as members.
    case json
  }

  /// The lowest level that is logged.
  public var logLevel: Logger.Level
  /// Metadata that is added to every record.
  public var metadata: Logger.Metadata = [:]
  /// A provider of further metadata for every record.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let format: Format
  /// Returns the present time.
  var clock: @Sendable () -> LogTime = LogTime.now
  /// Writes a line.
  var sink: @Sendable ([UInt8]) -> Void

  /// Creates a log handler.
  ///
  /// - Parameters:
  ///   - label: The logger's label, which is only written in the JSON format.
  ///   - format: The format of records.
  ///   - descriptor: The file descriptor to write to, which the handler does not close.
  ///   - logLevel: The lowest level that is logged.
  ///   - metadataProvider: A provider of further metadata for every record.
  public init(
    label: String,
    format: Format = .text,
    descriptor: Int32 = STDERR_FILENO,
    logLevel: Logger.Level = .info,
    metadataProvider: Logger.MetadataProvider? = nil
  ) {
    (self.label, self.format, self.logLevel) = (label, format, logLevel)
    self.metadataProvider = metadataProvider
    sink = LogSink.of(descriptor, format).write
  }

  /// The metadata value of a key.
  public subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a record.
  public func log(event: LogEvent) {
    // The most specific metadata wins: the record's, then the provider's, then the handler's.
    var all = metadata
    if let metadataProvider { all.merge(metadataProvider.get()) { $1 } }
    if let more = event.metadata { all.merge(more) { $1 } }
    if let error = event.error {
      all["error.message"] = "\(error)"
      all["error.type"] = "\(String(reflecting: type(of: error)))"
    }
    let record = LogRecord(
      time: clock(),
      level: event.level,
      label: label,
      message: event.message.description,
      metadata: all
    )
    sink(record.line(format))
    // The process may end after such a record.
    if event.level == .critical { Self.flush() }
  }

  /// Waits until the records so far are written, for at most a second. The process also waits for them when it exits.
  public static func flush() { LogSink.flushAll() }
}

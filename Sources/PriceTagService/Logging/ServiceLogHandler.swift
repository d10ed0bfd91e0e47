import Logging
import PriceTagText

/// Writes each record as one line to a descriptor.
///
/// Nothing of a message or of metadata can end a line, move the cursor or turn the direction of a text: such characters
/// are written as escapes. Each value is cut at 1,000 characters.
///
/// A descriptor that is closed, or that takes nothing, is no error. A process whose log goes to a pipe should ignore
/// `SIGPIPE`, as servers do anyway.
public struct ServiceLogHandler: LogHandler {
  /// How records are written.
  public enum Format: String, CaseIterable, Sendable {
    /// For people: the time, the level, the message, and metadata as `key=value`.
    case text
    /// For programs: an object, with metadata as its members.
    case json
  }

  /// The lowest level that is written.
  public var logLevel: Logger.Level
  /// What is written with every record.
  public var metadata: Logger.Metadata = [:]
  /// What is asked for more with every record.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let format: Format
  private let clock: @Sendable () -> LogTime
  private let sink: @Sendable ([UInt8]) -> Void

  /// Creates a handler for the logger of a label.
  ///
  /// - Parameters:
  ///   - label: The label, which only JSON shows.
  ///   - format: How records are written.
  ///   - descriptor: Where they are written; it is not closed.
  ///   - logLevel: The lowest level that is written.
  ///   - metadataProvider: What is asked for metadata with every record.
  public init(
    label: String,
    format: Format = .text,
    descriptor: Int32 = STDERR_FILENO,
    logLevel: Logger.Level = .info,
    metadataProvider: Logger.MetadataProvider? = nil
  ) {
    let sink = LogSink(descriptor: descriptor)
    self.init(
      label: label,
      format: format,
      logLevel: logLevel,
      metadataProvider: metadataProvider,
      clock: LogTime.now,
      sink: sink.write
    )
  }

  /// With another clock, and lines that go elsewhere.
  init(
    label: String,
    format: Format,
    logLevel: Logger.Level = .info,
    metadataProvider: Logger.MetadataProvider? = nil,
    clock: @escaping @Sendable () -> LogTime,
    sink: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.label, self.format, self.logLevel) = (label, format, logLevel)
    (self.metadataProvider, self.clock, self.sink) = (metadataProvider, clock, sink)
  }

  /// One value of the metadata.
  public subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a record.
  public func log(event: LogEvent) {
    // What is nearest to the record wins.
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
    sink(format == .json ? record.json : record.text)
  }
}

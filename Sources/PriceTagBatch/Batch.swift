import PriceTag

/// Formats price rows: each as its own storefront writes it.
///
///     let batch = try Batch()
///     let (text, rejects) = try batch.format(#"{"storefront":"JPN","amount":"1200"}"#)
///     // {"storefront":"JPN","amount":"1200","display":"￥1,200"}
///
/// A row names its storefront, or a price locale and a currency, and one amount. It is kept byte for byte, and `display`
/// is appended. A row that cannot be formatted is set aside with its reason, and the rest goes on: rows formatted and
/// rows set aside are together the rows read.
public struct Batch: Sendable {
  private let options: BatchOptions

  /// A batch with some options.
  ///
  /// - Throws: `.invalidOption` for a delimiter that cannot be one, a field that is asked for twice, or a provider that
  ///   is not known.
  public init(_ options: BatchOptions = BatchOptions()) throws(BatchError) {
    try options.check()
    self.options = options
  }

  /// Formats rows of JSON Lines or CSV that are at hand.
  ///
  /// - Returns: The formatted rows, and those that were set aside.
  /// - Throws: As `run(from:to:)`.
  public func format(_ rows: String) throws(BatchError) -> (text: String, rejects: [BatchReject]) {
    let output = CollectedOutput()
    try run(from: .bytes(Array(rows.utf8), name: "rows"), to: output)
    return (String(decoding: output.bytes, as: UTF8.self), output.rejects)
  }

  /// Formats the rows of an input, in order, into an output.
  ///
  /// - Returns: How many rows were read, formatted and set aside.
  /// - Throws: `.unreadableInput`, `.notUTF8`, `.malformedHeader`, `.fieldExists` for a column; `.setAside` where the
  ///   options are strict; `.outOfResources`; and what the output throws.
  @discardableResult
  public func run(from input: BatchInput, to output: some BatchOutput) throws(BatchError) -> BatchSummary {
    // One day for all rows, also of a batch that runs past midnight.
    var options = options
    options.date = options.date ?? .today
    let work = try RowWork(ByteSource(input), options, output)
    try work.begin()
    try work.run(jobs: options.jobs)
    try work.finish()
    return work.summary
  }
}

/// Where a batch's rows go. Every function is called by one thread at a time, and in the order of the rows.
public protocol BatchOutput: AnyObject, Sendable {
  /// Takes formatted rows: whole lines.
  func write(_ bytes: UnsafeRawBufferPointer) throws(BatchError)
  /// Takes a row that was set aside.
  func setAside(_ reject: BatchReject) throws(BatchError)
  /// Is told how far the batch is, every few thousand rows.
  func reached(_ progress: BatchProgress)
}

/// How many rows there were.
public struct BatchSummary: Hashable, Sendable {
  /// Rows that were read: those formatted and those set aside.
  public var read = 0
  /// Rows that were set aside.
  public var setAside = 0
  /// How many rows were set aside for each reason, by `BatchReject.code` or `ProductReject.code`.
  public var setAsideByCode: [String: Int] = [:]
  /// Of a catalogue, how many rows there are not, for the shop does not sell the product there or has it not approved.
  /// They count neither as read nor as set aside.
  public var notForSale = 0

  /// Rows that were formatted.
  public var formatted: Int { read - setAside }

  /// Counts a row that is set aside.
  package mutating func add(setAside code: String) {
    setAside += 1
    setAsideByCode[code, default: 0] += 1
  }

  /// Counts the reason of rows that are counted as set aside already.
  mutating func add(_ count: Int, setAside code: String) {
    if count > 0 { setAsideByCode[code, default: 0] += count }
  }

  /// Nothing yet.
  public init() {}
}

/// How far a batch is.
public struct BatchProgress: Sendable {
  /// The rows so far.
  public let summary: BatchSummary
  /// How much of the input was read: bytes as they are stored, or products of a catalogue.
  public let done: Int
  /// How much there is; `nil` for a pipe.
  public let total: Int?

  /// The progress after some rows.
  package init(summary: BatchSummary, done: Int, total: Int?) {
    (self.summary, self.done, self.total) = (summary, done, total)
  }
}

/// Keeps what a batch writes.
private final class CollectedOutput: BatchOutput, @unchecked Sendable {
  // Sendable notes: a batch calls with one thread at a time, and this is read when it is done.
  private(set) var bytes: [UInt8] = []
  private(set) var rejects: [BatchReject] = []

  func write(_ more: UnsafeRawBufferPointer) { bytes += more }
  func setAside(_ reject: BatchReject) { rejects.append(reject) }
  func reached(_ progress: BatchProgress) {}
}

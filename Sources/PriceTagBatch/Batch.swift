import PriceTag

/// Formats rows of prices, each for its own storefront.
///
///     let batch = try Batch()
///     let (text, rejects) = try batch.format(#"{"storefront":"JPN","amount":"1200"}"#)
///     // {"storefront":"JPN","amount":"1200","display":"￥1,200"}
///
/// A row has one amount, and a storefront or a price locale and a currency. The batch copies the row unchanged and appends
/// the field `display`. It rejects a row that cannot be formatted, records the reason, and continues. The number of rows
/// read is the number formatted plus the number rejected.
public struct Batch: Sendable {
  private let options: BatchOptions

  /// Creates a batch.
  ///
  /// - Parameter options: The formats, the fields to append, and how prices are written.
  /// - Throws: `.invalidOption` for an invalid delimiter, a field that appears twice, columns that contradict each other, an
  ///   unknown storefront of a column, an unknown provider, or a field that only catalogs have.
  public init(_ options: BatchOptions = BatchOptions()) throws(BatchError) {
    try options.checkForRows()
    self.options = options
  }

  /// Formats rows in a string.
  ///
  /// - Parameter rows: Rows of JSON Lines, a JSON array or CSV.
  /// - Returns: The formatted rows, and the rejected rows.
  /// - Throws: The errors of `run(from:to:)`.
  public func format(_ rows: String) throws(BatchError) -> (text: String, rejects: [BatchReject]) {
    let output = CollectedOutput()
    try run(from: .bytes(Array(rows.utf8), name: "rows"), to: output)
    return (String(decoding: output.bytes, as: UTF8.self), output.rejects)
  }

  /// Formats the rows of an input and writes them to an output, in order.
  ///
  /// - Parameters:
  ///   - input: A file, a descriptor or bytes.
  ///   - output: Receives the formatted rows, the rejects and the progress.
  /// - Returns: The number of rows read, formatted and rejected.
  /// - Throws: `.unreadableInput`, `.notUTF8`, `.malformedInput`, `.malformedHeader`; `.fieldExists` for a column;
  ///   `.invalidOption` for columns of storefronts in JSON; `.rejected` if the options are strict; `.outOfResources`; and the errors of the output.
  @discardableResult
  public func run(from input: BatchInput, to output: some BatchOutput) throws(BatchError) -> BatchSummary {
    // A batch that runs past midnight uses one instant for all rows.
    var options = options
    options.day = options.day ?? .now
    let work = try RowWork(ByteSource(input), options, output)
    try work.begin()
    try work.run(jobs: options.jobs)
    try work.finish()
    return work.summary
  }
}

/// The destination of a batch's rows.
///
/// A batch calls every function from one thread at a time, in the order of the rows.
public protocol BatchOutput: AnyObject, Sendable {
  /// Writes formatted rows: complete lines, or a part of a gzip file.
  func write(_ bytes: UnsafeRawBufferPointer) throws(BatchError)
  /// Records a rejected row.
  func reject(_ reject: BatchReject) throws(BatchError)
  /// Called with the progress every few thousand rows.
  func reached(_ progress: BatchProgress)
}

/// The numbers of rows that a batch read, formatted and rejected.
public struct BatchSummary: Hashable, Sendable {
  /// The number of rows read: formatted and rejected.
  public var read = 0
  /// The number of rows rejected.
  public var rejected = 0
  /// The number of rows rejected for each reason, by `BatchReject.code` or `ProductReject.code`.
  public var rejectedByCode: [String: Int] = [:]
  /// The number of catalog rows that were not written because the shop does not sell the product in the storefront, or
  /// the product is not approved, and of empty cells in columns of storefronts. These count neither as read nor as rejected.
  public var notForSale = 0

  /// The number of rows formatted.
  public var formatted: Int { read - rejected }

  /// Counts a rejected row.
  package mutating func add(rejected code: String) {
    rejected += 1
    rejectedByCode[code, default: 0] += 1
  }

  /// Counts the reason of rows that are already counted as rejected.
  mutating func add(_ count: Int, rejected code: String) {
    if count > 0 { rejectedByCode[code, default: 0] += count }
  }

  /// Creates a summary of no rows.
  public init() {}
}

/// The progress of a batch.
public struct BatchProgress: Sendable {
  /// The numbers of rows so far.
  public let summary: BatchSummary
  /// How much of the input was read: bytes (compressed bytes of a gzip file), or products of a catalog.
  public let done: Int
  /// The size of the input in the same unit; `nil` for a pipe.
  public let total: Int?

  package init(summary: BatchSummary, done: Int, total: Int?) {
    (self.summary, self.done, self.total) = (summary, done, total)
  }
}

/// An output in memory.
private final class CollectedOutput: BatchOutput, @unchecked Sendable {
  // Sendable notes: a batch calls from one thread at a time, and the properties are read after it.
  private(set) var bytes: [UInt8] = []
  private(set) var rejects: [BatchReject] = []

  func write(_ more: UnsafeRawBufferPointer) { bytes += more }
  func reject(_ reject: BatchReject) { rejects.append(reject) }
  func reached(_ progress: BatchProgress) {}
}

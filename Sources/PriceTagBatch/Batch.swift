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
    self.options = options
    try check()
  }

  private func check() throws(BatchError) {
    let delimiter = Unicode.Scalar(options.delimiter)
    guard delimiter.isASCII, delimiter == "\t" || (" "..."~").contains(delimiter), delimiter != "\"",
      !delimiter.properties.isAlphabetic, !("0"..."9").contains(delimiter)
    else {
      throw BatchError(
        .invalidOption,
        "\(quoted(String(delimiter))) cannot stand between fields",
        fix: "use a comma, a semicolon or a tab"
      )
    }
    if let twice = options.fields.first(where: { field in options.fields.count { $0 == field } > 1 }) {
      throw BatchError(
        .invalidOption,
        "the field \(twice.rawValue) is asked for twice",
        fix: "ask for it once"
      )
    }
    do throws(PriceTagError) {
      _ = try Currency("USD", in: options.localeData).minorUnitDigits(for: options.minorUnits)
    } catch { throw BatchError(.invalidOption, error) }
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
    let work = try RowWork(ByteSource(input), options, output)
    try work.begin()
    try work.run(jobs: options.jobs)
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
  /// How many rows were set aside for each reason, by `BatchReject.code`.
  public var setAsideByCode: [String: Int] = [:]

  /// Rows that were formatted.
  public var formatted: Int { read - setAside }

  /// Nothing yet.
  public init() {}
}

/// How far a batch is.
public struct BatchProgress: Sendable {
  /// The rows so far.
  public let summary: BatchSummary
  /// How many bytes of the input were read, as they are stored.
  public let bytesRead: Int
  /// How many there are; `nil` for a pipe.
  public let byteCount: Int?
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

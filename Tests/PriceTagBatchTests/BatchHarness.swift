import Foundation
import PriceTag
import PriceTagBatch

/// The result of a batch: the output, the rejects and the summary.
struct Outcome {
  let bytes: [UInt8]
  let rejects: [BatchReject]
  let summary: BatchSummary
  /// The size of the largest part of the output.
  let largestWrite: Int

  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// `line code field` of each rejected row.
  var rejectCodes: [String] { rejects.map { "\($0.line) \($0.code)\($0.field.map { " \($0)" } ?? "")" } }

  init(_ input: BatchInput, _ options: BatchOptions = .test) throws(BatchError) {
    let collected = Collected()
    let summary = try Batch(options).run(from: input, to: collected)
    (bytes, rejects, self.summary) = (collected.bytes, collected.rejects, summary)
    largestWrite = collected.largestWrite
  }

  init(_ text: String, _ options: BatchOptions = .test) throws(BatchError) {
    try self.init(.bytes(Array(text.utf8), name: "rows"), options)
  }

  /// Sendable notes: a batch calls from one thread at a time, and the properties are read after it.
  private final class Collected: BatchOutput, @unchecked Sendable {
    var bytes: [UInt8] = []
    var rejects: [BatchReject] = []

    var largestWrite = 0

    func write(_ more: UnsafeRawBufferPointer) {
      bytes += more
      largestWrite = max(largestWrite, more.count)
    }
    func reject(_ reject: BatchReject) { rejects.append(reject) }
    func reached(_ progress: BatchProgress) {}
  }
}

/// A change of the options, in a table of test cases.
typealias Change = @Sendable (inout BatchOptions) -> Void

extension BatchOptions {
  /// Options with a fixed date.
  static let test: BatchOptions = {
    var options = BatchOptions()
    options.day = try? .date(CalendarDate("2026-11-21"))
    return options
  }()

  static func test(_ change: Change) -> BatchOptions {
    var options = test
    change(&options)
    return options
  }
}

/// A temporary file, removed at the end.
struct ScratchFile: ~Copyable {
  let path: String

  init(_ bytes: [UInt8], _ ending: String = "") throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)\(ending)")
    try Data(bytes).write(to: url)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

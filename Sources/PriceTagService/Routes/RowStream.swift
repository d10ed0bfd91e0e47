import NIOCore
import PriceTag
import PriceTagBatch
import PriceTagText

/// Formats rows that arrive in chunks. Complete lines are formatted on arrival; an incomplete line waits for its end.
final class RowStream: @unchecked Sendable {
  // Sendable notes: belongs to a single request, whose chunks arrive one after the other.
  private let formatters: RowFormatterPool
  private let options: RowFormatterPool.Options
  private let metrics: ServiceMetrics
  private let reservation: BufferReservation
  /// The start of a line whose end has not arrived.
  private var pending: [UInt8] = []
  private var lineCount = 0
  private var isAtStart = true
  /// Whether the rest of a rejected row is being skipped.
  private var isSkipping = false

  /// Creates a stream.
  ///
  /// - Parameter reservation: Holds the bytes of the incomplete row.
  init(
    _ formatters: RowFormatterPool,
    _ options: RowFormatterPool.Options,
    _ metrics: ServiceMetrics,
    _ reservation: BufferReservation
  ) {
    (self.formatters, self.options, self.metrics, self.reservation) = (
      formatters, options, metrics, reservation
    )
  }

  /// The output of some rows.
  private struct FormattedRows {
    var buffer = ByteBuffer()
    var (formatted, lineCount) = (0, 0)
    var rejected: [String: Int] = [:]
  }

  /// Appends a chunk.
  ///
  /// - Returns: The rows that the chunk completed, formatted; `nil` if there are none.
  func append(_ chunk: ByteBuffer) async throws -> ByteBuffer? {
    var chunk = chunk.readableBytesView[...]
    if isSkipping {
      guard let lineFeed = chunk.firstIndex(of: 0x0A) else { return nil }
      chunk = chunk[(lineFeed + 1)...]
      lineCount += 1
      isSkipping = false
    }
    guard let lineFeed = chunk.lastIndex(of: 0x0A) else {
      guard reservation.resize(to: pending.count + chunk.count) else { return rejectForMemory() }
      pending += chunk
      return pending.count > RowFormatter.maximumRowByteCount ? try await rejectTooLongRow() : nil
    }
    pending += chunk[...lineFeed]
    let rest = chunk[(lineFeed + 1)...]
    defer { pending = Array(rest) }
    // The rest is shorter than a chunk, so it is kept even if the budget has no room for it.
    if !reservation.resize(to: rest.count) { _ = reservation.resize(to: 0) }
    return try await format()
  }

  /// Formats the last line, which has no line feed, or returns `nil`.
  func finish() async throws -> ByteBuffer? {
    pending.isEmpty ? nil : try await format()
  }

  /// Rejects the incomplete row because the budget has no room for it, and skips the rest of it.
  private func rejectForMemory() -> ByteBuffer {
    (pending, isSkipping) = ([], true)
    _ = reservation.resize(to: 0)
    let problem = Problem.outOfBuffers
    metrics.count(formatted: 0, rejected: [problem.code: 1])
    return ByteBuffer(
      string: rowError(
        code: problem.code,
        message: "\(problem.detail); end each row with a line feed and send this row again",
        pointer: "",
        [("line", String(lineCount + 1))]
      ) + "\n"
    )
  }

  /// Rejects the incomplete row because it is too long, and skips the rest of it.
  private func rejectTooLongRow() async throws -> ByteBuffer? {
    // Formatting counts the line, but it is counted at its line feed.
    let line = lineCount
    defer {
      (pending, isSkipping, lineCount) = ([], true, line)
      _ = reservation.resize(to: 0)
    }
    return try await format()
  }

  private func format() async throws -> ByteBuffer? {
    // Skip a byte order mark.
    if isAtStart, pending.starts(with: [0xEF, 0xBB, 0xBF]) { pending.removeFirst(3) }
    isAtStart = false
    let (rows, linesBefore) = (pending, lineCount)
    let (formatters, options) = (formatters, options)
    let kind = Workers.Kind(byteCount: rows.count)
    let output = try await Workers.shared.run(kind, .unlimited, mayRefuse: false) { () throws(Problem) in
      try formatters.with(options) { (formatter) throws(Problem) in
        var output = FormattedRows()
        var start = 0
        while start < rows.count {
          let end = rows.end(ofLines: FormatRoutes.rowsPerStep, from: start)
          let (summary, lines) = formatter.format(
            rows[start..<end],
            linesBefore: linesBefore + output.lineCount,
            onReject: Self.error
          )
          _ = formatter.withOutput { output.buffer.writeBytes($0) }
          output.formatted += summary.formatted
          output.rejected.merge(summary.rejectedByCode, uniquingKeysWith: +)
          output.lineCount += lines
          start = end
          try WorkBudget.spend(byteCount: 0)
        }
        return output
      }
    }
    lineCount += output.lineCount
    metrics.count(formatted: output.formatted, rejected: output.rejected)
    let buffer = output.buffer
    return buffer.readableBytes > 0 ? buffer : nil
  }

  /// Returns the line that replaces a rejected row: the error, and the row (of a row that is too long, its start).
  private static func error(_ reject: BatchReject) -> String {
    // The formatter's own message has a length, but the row's end has not arrived.
    let isTooLong = reject.code == BatchReject.Code.rowTooLong.rawValue
    let tooLong =
      "the row is larger than \(RowFormatter.maximumRowByteCount >> 20) MB; end each row with a line feed"
    return rowError(
      code: reject.code,
      message: isTooLong ? tooLong : reject.message,
      pointer: reject.field.map { "/\(pointerToken($0))" } ?? "",
      [
        ("line", String(reject.line)),
        String(validating: reject.row, as: UTF8.self).map { ("row", PriceTagText.json($0)) } ?? (
          "rowBase64", PriceTagText.json(base64(reject.row))
        ),
      ]
    )
  }
}

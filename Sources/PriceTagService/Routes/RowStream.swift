import NIOCore
import PriceTag
import PriceTagBatch
import PriceTagText

/// Rows that come in pieces: whole lines are formatted as they come, and what is left of a line waits for the rest of it.
final class RowStream: @unchecked Sendable {
  // Sendable notes: one request's, whose pieces come one after the other.
  private let formatters: RowFormatterPool
  private let kind: RowFormatterPool.Kind
  private let metrics: ServiceMetrics
  private let reservation: BufferReservation
  private var waiting: [UInt8] = []
  private var lineCount = 0
  private var isAtStart = true
  /// Whether a row is read over that is too long; it was answered.
  private var isSkipping = false

  /// A stream of which nothing has come.
  ///
  /// - Parameter reservation: Grows and shrinks with the part of a row that waits for the rest.
  init(
    _ formatters: RowFormatterPool,
    _ kind: RowFormatterPool.Kind,
    _ metrics: ServiceMetrics,
    _ reservation: BufferReservation
  ) {
    (self.formatters, self.kind, self.metrics, self.reservation) = (formatters, kind, metrics, reservation)
  }

  /// What is made of some rows.
  private struct Answered {
    var buffer = ByteBuffer()
    var (formatted, lineCount) = (0, 0)
    var rejected: [String: Int] = [:]
  }

  /// Takes a piece.
  ///
  /// - Returns: The rows that it ended, formatted; `nil` where there are none.
  func take(_ piece: ByteBuffer) async throws -> ByteBuffer? {
    var piece = piece.readableBytesView[...]
    if isSkipping {
      guard let feed = piece.firstIndex(of: 0x0A) else { return nil }
      piece = piece[(feed + 1)...]
      lineCount += 1
      isSkipping = false
    }
    guard let feed = piece.lastIndex(of: 0x0A) else {
      guard reservation.resize(to: waiting.count + piece.count) else { return refuse() }
      waiting += piece
      return waiting.count > RowFormatter.mostRowBytes ? try await skip() : nil
    }
    waiting += piece[...feed]
    let rest = piece[(feed + 1)...]
    defer { waiting = Array(rest) }
    // What a piece of input leaves over is less than what was read at once.
    if !reservation.resize(to: rest.count) { _ = reservation.resize(to: 0) }
    return try await format()
  }

  /// What is left when all has come.
  func finish() async throws -> ByteBuffer? {
    waiting.isEmpty ? nil : try await format()
  }

  /// Answers a row that there is no memory for, and reads over the rest of it.
  private func refuse() -> ByteBuffer {
    (waiting, isSkipping) = ([], true)
    _ = reservation.resize(to: 0)
    let problem = Problem.outOfBuffers
    metrics.count(formatted: 0, setAside: [problem.code: 1])
    return ByteBuffer(
      string: rowError(
        code: problem.code,
        message: "\(problem.detail): end each row with a line feed, and send this one again",
        pointer: "",
        [("line", String(lineCount + 1))]
      ) + "\n"
    )
  }

  /// Answers a row that is too long, and reads over the rest of it.
  private func skip() async throws -> ByteBuffer? {
    // Its line is counted where it ends.
    let line = lineCount
    defer {
      (waiting, isSkipping, lineCount) = ([], true, line)
      _ = reservation.resize(to: 0)
    }
    return try await format()
  }

  private func format() async throws -> ByteBuffer? {
    // A byte order mark belongs to no row.
    if isAtStart, waiting.starts(with: [0xEF, 0xBB, 0xBF]) { waiting.removeFirst(3) }
    isAtStart = false
    let (rows, before) = (waiting, lineCount)
    let (formatters, kind) = (formatters, kind)
    let answered = try await Workers.shared.run(.unlimited, mayRefuse: false) { () throws(Problem) in
      try formatters.with(kind) { formatter in
        var answered = Answered()
        var start = 0
        while start < rows.count {
          let end = rows.end(ofLines: FormatRoutes.rowsPerStep, from: start)
          let (summary, lines) = formatter.format(
            rows[start..<end],
            linesBefore: before + answered.lineCount,
            setAside: Self.error
          )
          _ = formatter.withOutput { answered.buffer.writeBytes($0) }
          answered.formatted += summary.formatted
          answered.rejected.merge(summary.setAsideByCode, uniquingKeysWith: +)
          answered.lineCount += lines
          start = end
          // Parts of a stream are paused, and never ended.
          try? WorkBudget.current?.goOn()
        }
        return answered
      }
    }
    lineCount += answered.lineCount
    metrics.count(formatted: answered.formatted, setAside: answered.rejected)
    let buffer = answered.buffer
    return buffer.readableBytes > 0 ? buffer : nil
  }

  /// What is answered in the place of a row: its reason, and the row itself; the start of one that is too long.
  private static func error(_ reject: BatchReject) -> String {
    // How long it is nobody knows before its end.
    let isTooLong = reject.code == BatchReject.Code.rowTooLong.rawValue
    let tooLong = "the row has more than \(RowFormatter.mostRowBytes >> 20) MB: end each row with a line feed"
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

import NIOCore
import PriceTag
import PriceTagBatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rows that come in pieces: whole lines are formatted as they come, and what is left of a line waits for the rest of it.
struct RowStream {
  private var waiting: [UInt8] = []
  private var lineCount = 0
  private var isAtStart = true
  /// Whether a row is read over that is too long; it was answered.
  private var isSkipping = false

  /// Takes a piece.
  ///
  /// - Returns: The rows that it ended, formatted; `nil` where there are none.
  mutating func take(
    _ piece: ByteBuffer,
    _ formatters: RowFormatterPool,
    _ kind: RowFormatterPool.Kind,
    _ metrics: ServiceMetrics
  ) -> ByteBuffer? {
    var piece = piece.readableBytesView[...]
    if isSkipping {
      guard let feed = piece.firstIndex(of: 0x0A) else { return nil }
      piece = piece[(feed + 1)...]
      lineCount += 1
      isSkipping = false
    }
    guard let feed = piece.lastIndex(of: 0x0A) else {
      waiting += piece
      return waiting.count > RowFormatter.mostRowBytes ? skip(formatters, kind, metrics) : nil
    }
    waiting += piece[...feed]
    defer { waiting = Array(piece[(feed + 1)...]) }
    return format(formatters, kind, metrics)
  }

  /// What is left when all has come.
  mutating func finish(
    _ formatters: RowFormatterPool,
    _ kind: RowFormatterPool.Kind,
    _ metrics: ServiceMetrics
  ) -> ByteBuffer? {
    waiting.isEmpty ? nil : format(formatters, kind, metrics)
  }

  /// Answers a row that is too long, and reads over the rest of it.
  private mutating func skip(
    _ formatters: RowFormatterPool,
    _ kind: RowFormatterPool.Kind,
    _ metrics: ServiceMetrics
  ) -> ByteBuffer? {
    // Its line is counted where it ends.
    let line = lineCount
    defer { (waiting, isSkipping, lineCount) = ([], true, line) }
    return format(formatters, kind, metrics)
  }

  private mutating func format(
    _ formatters: RowFormatterPool,
    _ kind: RowFormatterPool.Kind,
    _ metrics: ServiceMetrics
  ) -> ByteBuffer? {
    // A byte order mark belongs to no row.
    if isAtStart, waiting.starts(with: [0xEF, 0xBB, 0xBF]) { waiting.removeFirst(3) }
    isAtStart = false
    // The options were found right before the answer began.
    let buffer = try? formatters.with(kind) { formatter in
      let (summary, lines) = formatter.format(waiting, linesBefore: lineCount, setAside: Self.error)
      lineCount += lines
      metrics.count(formatted: summary.formatted, setAside: summary.setAsideByCode)
      return formatter.withOutput { ByteBuffer(bytes: $0) }
    }
    return buffer.flatMap { $0.readableBytes > 0 ? $0 : nil }
  }

  /// What is answered in the place of a row: its reason, and the row itself, so that nothing is lost.
  private static func error(_ reject: BatchReject) -> String {
    rowError(
      code: reject.code,
      message: reject.message,
      pointer: reject.field.map { "/\(pointerToken($0))" } ?? "",
      [
        ("line", String(reject.line)),
        String(validating: reject.row, as: UTF8.self).map { ("row", PriceTag.json($0)) } ?? (
          "rowBase64", PriceTag.json(Data(reject.row).base64EncodedString())
        ),
      ]
    )
  }
}

import NIOCore
import PriceTag
import PriceTagText

/// Contents in gzip, for clients that take them so (RFC 9110, 12.5.3).
enum ContentCoding {
  /// The contents that are worth it.
  static let leastBytes = 1024
  /// The contents that it takes milliseconds of.
  static let longBytes = 1 << 16
  /// The contents that are compressed at a time: a millisecond or two.
  private static let stepByteCount = 1 << 17

  /// Whether a client takes gzip, by its `Accept-Encoding`.
  static func takesGzip(_ acceptEncoding: String?) -> Bool {
    guard let acceptEncoding else { return false }
    var ofAll = false
    for part in acceptEncoding.utf8.count <= 1024 ? acceptEncoding.split(separator: ",") : [] {
      let pieces = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      let isRefused = pieces.dropFirst().contains { piece in
        piece.hasPrefix("q=0") && piece.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
      }
      switch pieces.first {
      case "gzip", "x-gzip": return !isRefused
      case "*": ofAll = !isRefused
      default: break
      }
    }
    return ofAll
  }

  /// The bytes in gzip; `nil` where there is no memory for it.
  static func gzip(_ buffer: ByteBuffer) -> ByteBuffer? {
    guard let writer = try? GzipWriter() else { return nil }
    let bound = writer.maximumCount(for: buffer.readableBytes)
    var compressed = ByteBufferAllocator().buffer(capacity: bound)
    var isWhole = false
    let budget = WorkBudget.current
    buffer.withUnsafeReadableBytes { source in
      _ = compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
        // Other work gets its turn between the steps.
        let count = writer.compress(source, to: room, stepByteCount: stepByteCount) {
          budget.map { (try? $0.goOn()) != nil } ?? true
        }
        isWhole = count != nil
        return count ?? 0
      }
    }
    return isWhole ? compressed : nil
  }
}

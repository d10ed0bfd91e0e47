import NIOCore
import PriceTag
import PriceTagSystem
import PriceTagText

/// Compression with gzip for clients that accept it (RFC 9110, 12.5.3).
enum ContentCoding {
  /// The minimum size of contents that are worth compressing.
  static let minimumByteCount = 1024
  /// The minimum size of contents that take milliseconds to compress.
  static let longByteCount = 1 << 16
  /// The number of bytes compressed at a time, which takes a millisecond or two.
  private static let stepByteCount = 1 << 17

  /// Returns whether an `Accept-Encoding` field allows gzip.
  static func acceptsGzip(_ acceptEncoding: String?) -> Bool {
    guard let acceptEncoding else { return false }
    var acceptsAny = false
    for part in acceptEncoding.utf8.count <= 1024 ? acceptEncoding.split(separator: ",") : [] {
      let pieces = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      let isRefused = pieces.dropFirst().contains { parameter in
        parameter.hasPrefix("q=0") && parameter.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
      }
      switch pieces.first {
      case "gzip", "x-gzip": return !isRefused
      case "*": acceptsAny = !isRefused
      default: break
      }
    }
    return acceptsAny
  }

  /// Returns the bytes compressed with gzip; `nil` if memory runs out or the work budget is spent.
  static func gzip(_ buffer: ByteBuffer) -> ByteBuffer? {
    guard let writer = try? GzipWriter() else { return nil }
    let bound = writer.maximumCount(for: buffer.readableBytes)
    var compressed = ByteBufferAllocator().buffer(capacity: bound)
    var isComplete = false
    let budget = WorkBudget.current
    buffer.withUnsafeReadableBytes { source in
      _ = compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
        // Let other work run between the steps.
        let count = writer.compress(source, to: room, stepByteCount: stepByteCount) {
          budget.map { (try? $0.checkpoint()) != nil } ?? true
        }
        isComplete = count != nil
        return count ?? 0
      }
    }
    return isComplete ? compressed : nil
  }
}

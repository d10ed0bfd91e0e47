import CZlib
import NIOCore
import PriceTag

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
    var stream = z_stream()
    let status = deflateInit2_(
      &stream,
      Z_DEFAULT_COMPRESSION,
      Z_DEFLATED,
      15 + 16,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(buffer.readableBytes)))
    var compressed = ByteBufferAllocator().buffer(capacity: bound)
    var isWhole = false
    let budget = WorkBudget.current
    buffer.withUnsafeReadableBytes { source in
      _ = compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
        stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(truncatingIfNeeded: bound)
        var rest = source.bindMemory(to: UInt8.self)[...]
        var status = Z_OK
        while status == Z_OK {
          // Other work gets its turn between the steps.
          if let budget, (try? budget.goOn()) == nil { break }
          let step = UnsafeBufferPointer(rebasing: rest.prefix(stepByteCount))
          rest = rest.dropFirst(stepByteCount)
          stream.next_in = UnsafeMutablePointer(mutating: step.baseAddress)
          stream.avail_in = UInt32(truncatingIfNeeded: step.count)
          status = deflate(&stream, rest.isEmpty ? Z_FINISH : Z_NO_FLUSH)
        }
        isWhole = status == Z_STREAM_END
        return bound - Int(stream.avail_out)
      }
    }
    return isWhole ? compressed : nil
  }
}

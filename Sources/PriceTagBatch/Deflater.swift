import PriceTagSystem
import PriceTagText

/// Compresses blocks as gzip members. A file of several members is valid gzip.
package final class Deflater {
  private let writer: GzipWriter

  package init() throws(BatchError) {
    do throws(GzipError) { writer = try GzipWriter() } catch {
      throw BatchError(.outOfResources, "not enough memory to write gzip", fix: "free some memory")
    }
  }

  /// Returns a member without contents, for an output without rows.
  package static func empty() throws(BatchError) -> OutputBuffer {
    let member = OutputBuffer(capacity: 64)
    try Deflater().deflate(OutputBuffer(capacity: 1), to: member)
    return member
  }

  /// Replaces the contents of `target` with a member that has the contents of `source`.
  package func deflate(_ source: OutputBuffer, to target: OutputBuffer) {
    target.removeAll()
    let count = writer.maximumCount(for: source.count)
    let buffer = UnsafeMutableRawBufferPointer(start: target.reserve(count), count: count)
    // Never nil: `maximumCount` is enough for these bytes.
    target.add(
      writer.compress(UnsafeRawBufferPointer(start: source.start, count: source.count), to: buffer) ?? 0
    )
  }
}

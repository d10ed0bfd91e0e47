import PriceTagSystem
import PriceTagText

/// Decompresses gzip input.
final class Inflater {
  private let reader: GzipReader

  init() throws(BatchError) {
    do throws(GzipError) { reader = try GzipReader() } catch {
      throw BatchError(.outOfResources, "not enough memory to read gzip", fix: "free some memory")
    }
  }

  var needsInput: Bool { reader.needsInput }
  var isAtEnd: Bool { reader.isAtEnd }

  /// The buffer to read compressed bytes into.
  var input: [UInt8] {
    _read { yield reader.input }
    _modify { yield &reader.input }
  }

  /// Continues with the first `count` bytes of `input`; 0 for the end of the input.
  func begin(_ count: Int) { reader.begin(count) }

  /// Decompresses as many bytes as fit into the buffer, and returns their number.
  func inflate(to buffer: UnsafeMutableRawBufferPointer, _ name: String) throws(BatchError) -> Int {
    do throws(GzipError) { return try reader.inflate(to: buffer) } catch {
      let (problem, fix) =
        if case .endsEarly = error { ("the gzip file ends early", "get the complete file") } else {
          ("the gzip file is damaged", "create it again")
        }
      throw BatchError(.unreadableInput, problem, fix: fix, place: printable(name))
    }
  }
}

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

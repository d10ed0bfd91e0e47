import PriceTagText

/// Reads the gzip of an input, with its errors.
final class Inflater {
  private let reader: GzipReader

  init() throws(BatchError) {
    do throws(GzipError) { reader = try GzipReader() } catch {
      throw BatchError(.outOfResources, "there is no memory to read gzip with", fix: "free some memory")
    }
  }

  var needsInput: Bool { reader.needsInput }
  var isAtEnd: Bool { reader.isAtEnd }

  /// Where stored bytes are read to.
  var input: [UInt8] {
    _read { yield reader.input }
    _modify { yield &reader.input }
  }

  /// Goes on with so many bytes of `input`; none says that there are no more.
  func begin(_ count: Int) { reader.begin(count) }

  /// Writes what the input holds, as much as there is room for.
  func inflate(to buffer: UnsafeMutableRawBufferPointer, _ name: String) throws(BatchError) -> Int {
    do throws(GzipError) { return try reader.inflate(to: buffer) } catch {
      let (what, fix) =
        if case .endsEarly = error { ("ends early", "get the whole file") } else {
          ("is damaged", "make it again")
        }
      throw BatchError(.unreadableInput, "\(quoted(name)) is a gzip file that \(what)", fix: fix)
    }
  }
}

/// Writes blocks as members of gzip: one behind the other they are one file.
package final class Deflater {
  private let writer: GzipWriter

  package init() throws(BatchError) {
    do throws(GzipError) { writer = try GzipWriter() } catch {
      throw BatchError(.outOfResources, "there is no memory to write gzip with", fix: "free some memory")
    }
  }

  /// A member without contents: what a file has that nothing was written to.
  package static func empty() throws(BatchError) -> OutputBuffer {
    let member = OutputBuffer(capacity: 64)
    try Deflater().deflate(OutputBuffer(capacity: 1), to: member)
    return member
  }

  /// Replaces what a buffer has by a member of it.
  package func deflate(_ source: OutputBuffer, to target: OutputBuffer) {
    target.removeAll()
    let count = writer.maximumCount(for: source.count)
    let room = UnsafeMutableRawBufferPointer(start: target.room(for: count), count: count)
    // The room is as large as any member of these bytes.
    target.add(
      writer.compress(UnsafeRawBufferPointer(start: source.start, count: source.count), to: room) ?? 0
    )
  }
}

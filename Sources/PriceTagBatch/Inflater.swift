import CZlib
import PriceTag

/// Reads gzip (RFC 1952), one member after the other.
final class Inflater {
  private var stream = z_stream()
  /// Where stored bytes are read to.
  var input = [UInt8](repeating: 0, count: 1 << 16)
  private var inputStart = 0
  private var inputEnd = 0
  private var hasMore = true
  /// Whether a member has begun that has not ended.
  private var isWithinMember = false

  init() throws(BatchError) {
    // 16 more than the largest window: gzip's header and no other.
    let status = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      throw BatchError(.outOfResources, "there is no memory to read gzip with", fix: "free some memory")
    }
  }

  deinit { inflateEnd(&stream) }

  var needsInput: Bool { inputStart == inputEnd && hasMore }
  var isAtEnd: Bool { inputStart == inputEnd && !hasMore }

  /// Goes on with so many bytes of `input`; none says that there are no more.
  func begin(_ count: Int) {
    (inputStart, inputEnd) = (0, count)
    hasMore = count > 0
  }

  /// Writes what the input holds, as much as there is room for.
  func inflate(to buffer: UnsafeMutableRawBufferPointer, _ name: String) throws(BatchError) -> Int {
    // Zeros behind the last member are padding.
    while !isWithinMember, inputStart < inputEnd, input[inputStart] == 0 { inputStart += 1 }
    guard inputStart < inputEnd else {
      if isWithinMember { throw damaged(name, "ends early", "get the whole file") }
      return 0
    }
    let available = buffer.count
    var written = 0
    let status = input.withUnsafeMutableBytes { bytes in
      stream.next_in = bytes.baseAddress.map { ($0 + inputStart).assumingMemoryBound(to: UInt8.self) }
      stream.avail_in = UInt32(inputEnd - inputStart)
      stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(truncatingIfNeeded: min(available, 1 << 30))
      isWithinMember = true
      let room = stream.avail_out
      let status = CZlib.inflate(&stream, Z_NO_FLUSH)
      inputStart = inputEnd - Int(stream.avail_in)
      written = Int(room - stream.avail_out)
      return status
    }
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      isWithinMember = false
      inflateReset(&stream)
    default: throw damaged(name, "is damaged", "make it again")
    }
    return written
  }

  private func damaged(_ name: String, _ what: String, _ fix: String) -> BatchError {
    BatchError(.unreadableInput, "\(quoted(name)) is a gzip file that \(what)", fix: fix)
  }
}

/// Writes blocks as members of gzip: one behind the other they are one file.
package final class Deflater {
  private var stream = z_stream()

  package init() throws(BatchError) {
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
    guard status == Z_OK else {
      throw BatchError(.outOfResources, "there is no memory to write gzip with", fix: "free some memory")
    }
  }

  deinit { deflateEnd(&stream) }

  /// A member without contents: what a file has that nothing was written to.
  package static func empty() throws(BatchError) -> OutputBuffer {
    let member = OutputBuffer(capacity: 64)
    try Deflater().deflate(OutputBuffer(capacity: 1), to: member)
    return member
  }

  /// Replaces what a buffer has by a member of it.
  package func deflate(_ source: OutputBuffer, to target: OutputBuffer) {
    target.removeAll()
    deflateReset(&stream)
    let bound = Int(deflateBound(&stream, UInt(source.count)))
    let room = target.room(for: bound)
    stream.next_in = source.start
    stream.avail_in = UInt32(truncatingIfNeeded: source.count)
    stream.next_out = room
    stream.avail_out = UInt32(truncatingIfNeeded: bound)
    _ = CZlib.deflate(&stream, Z_FINISH)
    target.add(bound - Int(stream.avail_out))
  }
}

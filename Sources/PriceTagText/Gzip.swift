import CZlib

/// What is wrong with compressed bytes, or with the system that reads or writes them.
package enum GzipError: Error {
  /// zlib gets no memory.
  case outOfMemory
  /// The bytes end within a member.
  case endsEarly
  /// The bytes are not gzip, or a checksum is wrong.
  case damaged
}

/// Reads gzip (RFC 1952), one member after the other.
package final class GzipReader {
  private var stream = z_stream()
  /// Where the caller puts compressed bytes, before `begin`.
  package var input = [UInt8](repeating: 0, count: 1 << 16)
  private var inputStart = 0
  private var inputEnd = 0
  private var hasMore = true
  /// Whether a member has begun that has not ended.
  private var isWithinMember = false

  package init() throws(GzipError) {
    // 16 more than the largest window: gzip's header and no other.
    let status = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit { inflateEnd(&stream) }

  package var needsInput: Bool { inputStart == inputEnd && hasMore }
  package var isAtEnd: Bool { inputStart == inputEnd && !hasMore }

  /// Goes on with so many bytes of `input`; zero says that no more follow.
  package func begin(_ count: Int) {
    (inputStart, inputEnd) = (0, min(count, input.count))
    hasMore = count > 0
  }

  /// Writes what the input holds, as far as there is room, and returns the number of bytes.
  package func inflate(to buffer: UnsafeMutableRawBufferPointer) throws(GzipError) -> Int {
    // Zeros after the last member are padding.
    while !isWithinMember, inputStart < inputEnd, input[inputStart] == 0 { inputStart += 1 }
    guard inputStart < inputEnd else {
      if isWithinMember { throw .endsEarly }
      return 0
    }
    let available = buffer.count
    var written = 0
    let status = input.withUnsafeMutableBytes { bytes in
      stream.next_in = bytes.baseAddress.map { ($0 + inputStart).assumingMemoryBound(to: UInt8.self) }
      stream.avail_in = UInt32(truncatingIfNeeded: inputEnd - inputStart)
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
    default: throw .damaged
    }
    return written
  }
}

/// Compresses bytes, each call to a complete member of gzip. Members one after the other are one file.
package final class GzipWriter {
  private var stream = z_stream()

  package init() throws(GzipError) {
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
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit { deflateEnd(&stream) }

  /// The maximum number of bytes of a member.
  package func maximumCount(for byteCount: Int) -> Int {
    Int(deflateBound(&stream, UInt(clamping: byteCount)))
  }

  /// Writes the bytes as one member, in steps, and returns its length; `nil` if the room is too small, or if the caller
  /// stops between two steps.
  package func compress(
    _ bytes: UnsafeRawBufferPointer,
    to room: UnsafeMutableRawBufferPointer,
    stepByteCount: Int = 1 << 30,
    goesOn: () -> Bool = { true }
  ) -> Int? {
    deflateReset(&stream)
    let capacity = min(room.count, Int(UInt32.max))
    stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(truncatingIfNeeded: capacity)
    var rest = bytes[...]
    var status = Z_OK
    while status == Z_OK {
      guard goesOn() else { return nil }
      let step = UnsafeRawBufferPointer(rebasing: rest.prefix(stepByteCount))
      rest = rest.dropFirst(stepByteCount)
      stream.next_in = UnsafeMutableRawPointer(mutating: step.baseAddress)?
        .assumingMemoryBound(to: UInt8.self)
      stream.avail_in = UInt32(truncatingIfNeeded: step.count)
      status = deflate(&stream, rest.isEmpty ? Z_FINISH : Z_NO_FLUSH)
    }
    return status == Z_STREAM_END ? capacity - Int(stream.avail_out) : nil
  }
}

import CZlib

/// An error in compressed data, or of zlib.
package enum GzipError: Error {
  /// zlib could not allocate memory.
  case outOfMemory
  /// The data ends inside a member.
  case endsEarly
  /// The data is not gzip, or a checksum is wrong.
  case damaged
}

/// Decompresses gzip data (RFC 1952) with any number of members.
package final class GzipReader {
  private var stream = z_stream()
  /// The buffer for compressed bytes, which the caller fills before `begin`.
  package var input = [UInt8](repeating: 0, count: 1 << 16)
  private var inputStart = 0
  private var inputEnd = 0
  private var hasMore = true
  /// Whether the current member is incomplete.
  private var isWithinMember = false

  package init() throws(GzipError) {
    // 15 is the largest window. Adding 16 accepts the gzip header only.
    let status = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit { inflateEnd(&stream) }

  package var needsInput: Bool { inputStart == inputEnd && hasMore }
  package var isAtEnd: Bool { inputStart == inputEnd && !hasMore }

  /// Continues with a number of bytes in `input`; zero means the end of the data.
  package func begin(_ count: Int) {
    (inputStart, inputEnd) = (0, min(count, input.count))
    hasMore = count > 0
  }

  /// Decompresses the input into a buffer until either is used up, and returns the number of bytes written.
  package func inflate(to buffer: UnsafeMutableRawBufferPointer) throws(GzipError) -> Int {
    // Zeros after a member are padding.
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

/// Compresses bytes to gzip. Each call writes one complete member, and members can be concatenated to one file.
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

  /// Returns the maximum size of a member for a number of bytes.
  package func maximumCount(for byteCount: Int) -> Int {
    Int(deflateBound(&stream, UInt(clamping: byteCount)))
  }

  /// Compresses bytes to one member in steps, and returns its size; returns `nil` if the buffer is too small or the caller
  /// stops between two steps.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - room: The buffer for the member.
  ///   - stepByteCount: The maximum number of bytes to compress in one step.
  ///   - shouldContinue: Called before each step; returns false to stop.
  package func compress(
    _ bytes: UnsafeRawBufferPointer,
    to room: UnsafeMutableRawBufferPointer,
    stepByteCount: Int = 1 << 30,
    shouldContinue: () -> Bool = { true }
  ) -> Int? {
    deflateReset(&stream)
    let capacity = min(room.count, Int(UInt32.max))
    stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(truncatingIfNeeded: capacity)
    var rest = bytes[...]
    var status = Z_OK
    while status == Z_OK {
      guard shouldContinue() else { return nil }
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

import CZlib

/// Writes a picture of up to 16 colors as PNG (ISO/IEC 15948), row by row, with a palette and four bits a pixel.
///
/// It compresses runs of equal bytes only. For pictures of large flat areas this is several times as fast as zlib's
/// default strategy, and the files are smaller than at the same speed.
package final class PNGWriter {
  /// The maximum width and height.
  package static let maximumSize = 4096
  /// The maximum number of colors.
  package static let maximumColorCount = 16

  private var stream = z_stream()
  private let width: Int
  private var height = 0
  private var compressed: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 12)
  private var isValid = true

  /// Creates a writer; returns `nil` if the width is out of range, or memory runs out.
  package init?(width: Int) {
    guard (1...Self.maximumSize).contains(width) else { return nil }
    self.width = width
    // With little memory, zlib starts a block of its own codes more often: files are smaller, and written faster.
    let status = deflateInit2_(
      &stream,
      Z_BEST_SPEED,
      Z_DEFLATED,
      15,
      5,
      Z_RLE,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard status == Z_OK else { return nil }
  }

  deinit { deflateEnd(&stream) }

  /// The number of bytes in a row: a byte that names the filter, and two pixels in each other byte.
  package var rowByteCount: Int { 1 + (width + 1) / 2 }

  /// Appends a row.
  ///
  /// - Parameter row: `rowByteCount` bytes: 0, for no filter, and the indices of the pixels' colors, of which the first is
  ///   in the high half of a byte.
  package func append(_ row: UnsafeRawBufferPointer) {
    guard row.count == rowByteCount, height < Self.maximumSize else {
      isValid = false
      return
    }
    height += 1
    compress(row, Z_NO_FLUSH)
  }

  /// Returns the file; `nil` if it has no rows, a row had another length, or a color is missing.
  ///
  /// - Parameter palette: 1 to 16 colors: the red, green and blue channel of each.
  package func finish(palette: [(red: UInt8, green: UInt8, blue: UInt8)]) -> [UInt8]? {
    guard isValid, height > 0, (1...Self.maximumColorCount).contains(palette.count) else { return nil }
    compress(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH)
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Four bits a pixel, a palette, and the only methods of compression, filters and order that are used.
    Self.append("IHDR", Self.bigEndian(width) + Self.bigEndian(height) + [4, 3, 0, 0, 0], to: &png)
    Self.append("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &png)
    Self.append("IDAT", compressed, to: &png)
    Self.append("IEND", [], to: &png)
    return isValid ? png : nil
  }

  private func compress(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) {
    stream.next_in = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(
      to: UInt8.self
    )
    stream.avail_in = UInt32(bytes.count)
    var status = Z_OK
    repeat {
      let written = buffer.withUnsafeMutableBufferPointer { buffer in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(buffer.count)
        status = deflate(&stream, flush)
        return buffer.count - Int(stream.avail_out)
      }
      compressed += buffer[..<written]
    } while stream.avail_out == 0 && status == Z_OK
    // zlib returns `Z_BUF_ERROR` after a call that filled the buffer exactly. It is harmless.
    if status != (flush == Z_FINISH ? Z_STREAM_END : Z_OK), status != Z_BUF_ERROR { isValid = false }
  }

  /// Appends a chunk: its length, type, data and checksum.
  private static func append(_ type: StaticString, _ data: [UInt8], to png: inout [UInt8]) {
    let checked = type.withUTF8Buffer { Array($0) } + data
    png += bigEndian(data.count)
    png += checked
    png += bigEndian(Int(crc32(0, checked, UInt32(checked.count))))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

import CZlib
import Testing

/// A decoded PNG file with a palette and four bits a pixel. Decoding checks the signature, the order, the lengths and the
/// checksums of chunks, and the length of the pixels.
struct PNGImage {
  let width, height: Int
  let palette: [[UInt8]]
  /// The index of each pixel's color, row by row.
  let pixels: [UInt8]

  init(_ file: [UInt8]) throws {
    #expect(file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var rest = file.dropFirst(8)
    var chunks: [(type: String, data: [UInt8])] = []
    while rest.count >= 12 {
      let length = Self.number(rest.prefix(4))
      try #require(rest.count >= length + 12)
      let checked = Array(rest.dropFirst(4).prefix(4 + length))
      let checksum = Self.number(rest.dropFirst(8 + length).prefix(4))
      #expect(checksum == Int(crc32(0, checked, UInt32(checked.count))))
      chunks.append((String(decoding: checked.prefix(4), as: UTF8.self), Array(checked.dropFirst(4))))
      rest = rest.dropFirst(12 + length)
    }
    #expect(rest.isEmpty)
    try #require(chunks.map(\.type) == ["IHDR", "PLTE", "IDAT", "IEND"])
    let header = chunks[0].data
    try #require(header.count == 13 && header[8...] == [4, 3, 0, 0, 0] && chunks[3].data.isEmpty)
    let width = Self.number(header[0..<4])
    let height = Self.number(header[4..<8])
    let palette = stride(from: 0, to: chunks[1].data.count, by: 3).map { Array(chunks[1].data[$0..<$0 + 3]) }
    #expect((1...16).contains(palette.count))
    let rowByteCount = 1 + (width + 1) / 2
    var rows = [UInt8](repeating: 0xFF, count: rowByteCount * height + 1)
    var count = UInt(rows.count)
    #expect(uncompress(&rows, &count, chunks[2].data, UInt(chunks[2].data.count)) == Z_OK)
    try #require(Int(count) == rowByteCount * height)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(2 * rows.count)
    var filters = 0
    for start in stride(from: 0, to: Int(count), by: rowByteCount) {
      filters += Int(rows[start])
      for byte in rows[(start + 1)..<(start + rowByteCount)] {
        pixels.append(byte >> 4)
        pixels.append(byte & 15)
      }
      // The last byte of a row with an odd number of pixels has one.
      if width % 2 == 1 { pixels.removeLast() }
    }
    #expect(filters == 0)
    #expect(Int(pixels.max() ?? 0) < palette.count)
    (self.width, self.height, self.palette, self.pixels) = (width, height, palette, pixels)
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

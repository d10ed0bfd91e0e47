import PriceTagText
import Testing

/// Tests of PNG files, which a decoder of the tests reads back.
@Suite struct PNGWriterTests {
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  static let palette: [Color] = (0..<16).map { (UInt8($0 * 16), UInt8(255 - $0), 7) }

  /// Returns a file whose pixel at (x, y) has the color x × y.
  private static func file(_ width: Int, _ height: Int, _ palette: [Color] = palette) -> [UInt8]? {
    guard let writer = PNGWriter(width: width) else { return nil }
    for y in 0..<height {
      var row = [UInt8](repeating: 0, count: writer.rowByteCount)
      for x in 0..<width { row[1 + x / 2] |= UInt8(x * y % palette.count) << (x % 2 == 0 ? 4 : 0) }
      row.withUnsafeBytes { writer.append($0) }
    }
    return writer.finish(palette: palette)
  }

  static let sizes = [(1, 1), (2, 1), (3, 5), (7, 4), (8, 8), (1200, 630), (4096, 2), (1, 4096)]

  @Test(arguments: sizes) func writesPixels(width: Int, height: Int) throws {
    let image = try PNGImage(try #require(Self.file(width, height)))
    #expect(image.width == width && image.height == height)
    #expect(image.palette == Self.palette.map { [$0.red, $0.green, $0.blue] })
    for y in 0..<height {
      for x in 0..<width where image.pixels[y * width + x] != UInt8(x * y % 16) {
        Issue.record("the pixel at \(x), \(y) is \(image.pixels[y * width + x])")
        return
      }
    }
  }

  /// Files that cannot be written.
  static let invalid: [(width: Int, height: Int, colors: Int)] = [
    (0, 1, 16), (-1, 1, 16), (4097, 1, 16), (1, 0, 16), (1, 4097, 16), (1, 1, 17),
  ]

  @Test(arguments: invalid) func rejectsInvalidSizes(width: Int, height: Int, colors: Int) {
    #expect(Self.file(width, height, Array(repeating: (0, 0, 0), count: colors)) == nil)
  }

  @Test func rejectsRowsOfAnotherLengthAndMissingColors() throws {
    for count in [0, 4, 6] {
      let writer = try #require(PNGWriter(width: 8))
      #expect(writer.rowByteCount == 5)
      [UInt8](repeating: 0, count: count).withUnsafeBytes { writer.append($0) }
      #expect(writer.finish(palette: Self.palette) == nil)
    }
    let writer = try #require(PNGWriter(width: 8))
    [UInt8](repeating: 0, count: 5).withUnsafeBytes { writer.append($0) }
    #expect(writer.finish(palette: []) == nil)
  }
}

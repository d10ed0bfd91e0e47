import PriceTagSystem
import Testing

/// Tests compressing and decompressing gzip.
@Suite struct GzipTests {
  private static let text = Array((0..<20_000).map { "\($0 % 977)," }.joined().utf8)

  private static func compressed(_ bytes: [UInt8], stepByteCount: Int = 1 << 30) throws -> [UInt8] {
    let writer = try GzipWriter()
    var room = [UInt8](repeating: 0, count: writer.maximumCount(for: bytes.count))
    let count = bytes.withUnsafeBytes { bytes in
      room.withUnsafeMutableBytes { writer.compress(bytes, to: $0, stepByteCount: stepByteCount) }
    }
    return Array(room[..<(try #require(count))])
  }

  private static func inflated(_ bytes: [UInt8], roomCount: Int = 1 << 16) throws -> [UInt8] {
    let reader = try GzipReader()
    var rest = bytes[...]
    var inflated: [UInt8] = []
    var room = [UInt8](repeating: 0, count: roomCount)
    while true {
      if reader.needsInput {
        let part = rest.prefix(reader.input.count)
        reader.input.replaceSubrange(0..<part.count, with: part)
        reader.begin(part.count)
        rest = rest.dropFirst(part.count)
      }
      let count = try room.withUnsafeMutableBytes { try reader.inflate(to: $0) }
      inflated += room[..<count]
      if count == 0, reader.isAtEnd { return inflated }
    }
  }

  @Test(arguments: [0, 1, 4_096, text.count])
  func decompressesCompressedBytes(count: Int) throws {
    let bytes = Array(Self.text[..<count])
    #expect(try Self.inflated(Self.compressed(bytes)) == bytes)
    // With small steps and small buffers.
    #expect(try Self.inflated(Self.compressed(bytes, stepByteCount: 1_000), roomCount: 7) == bytes)
  }

  @Test func readsMembersAndPadding() throws {
    let (first, second) = (try Self.compressed(Self.text), try Self.compressed([1, 2, 3]))
    let zeros = [UInt8](repeating: 0, count: 100_000)
    #expect(try Self.inflated(first + second + zeros) == Self.text + [1, 2, 3])
  }

  static let damages: [(name: String, change: @Sendable ([UInt8]) -> [UInt8], error: GzipError)] = [
    ("only a header", { Array($0[..<10]) }, .endsEarly),
    ("no checksum", { Array($0.dropLast(8)) }, .endsEarly),
    ("text", { _ in Array("no gzip".utf8) }, .damaged),
    ("zlib's own header", { [0x78, 0x9C] + $0.dropFirst(10) }, .damaged),
    ("a wrong checksum", { $0.dropLast(8) + [0, 0, 0, 0] + $0.suffix(4) }, .damaged),
    ("text after the last member", { $0 + Array("more".utf8) }, .damaged),
  ]

  @Test(arguments: damages)
  func rejectsDamagedBytes(
    name: String,
    change: @Sendable ([UInt8]) -> [UInt8],
    error: GzipError
  ) throws {
    let bytes = change(try Self.compressed(Self.text))
    #expect(throws: error, "\(name)") { try Self.inflated(bytes) }
  }

  @Test func returnsNilIfBufferIsTooSmall() throws {
    let writer = try GzipWriter()
    var room = [UInt8](repeating: 0, count: 100)
    let count = Self.text.withUnsafeBytes { bytes in
      room.withUnsafeMutableBytes { writer.compress(bytes, to: $0, stepByteCount: 1_000) }
    }
    #expect(count == nil)
  }

  @Test func stopsBetweenSteps() throws {
    let writer = try GzipWriter()
    var room = [UInt8](repeating: 0, count: writer.maximumCount(for: Self.text.count))
    var steps = 0
    let count = Self.text.withUnsafeBytes { bytes in
      room.withUnsafeMutableBytes {
        writer.compress(bytes, to: $0, stepByteCount: 1_000) {
          steps += 1
          return steps <= 3
        }
      }
    }
    #expect(count == nil && steps == 4)
  }
}

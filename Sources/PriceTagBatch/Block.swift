/// A piece of the input: whole rows, and where they stand. Its memory is used again.
final class Block {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// How many bytes are there.
  var count = 0
  /// Where its first byte stands in the input.
  var byteOffset = 0
  /// How many bytes of the input were read when it was, as they are stored.
  var storedBytesRead = 0
  /// Of a row that is too long, how many bytes it has: the block is its start, and nothing else.
  var longRowByteCount: Int?
  /// And over how many line feeds it goes, its own among them.
  var longRowLineCount = 0

  /// What is kept free behind the bytes, to be read over.
  private static let padding = 64

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + Self.padding)
  }

  deinit { bytes.deallocate() }

  /// Makes room for more bytes than now.
  func grow(to wanted: Int) {
    guard wanted > capacity else { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted + Self.padding)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    (bytes, capacity) = (larger, wanted)
  }

  /// Starts anew with some bytes.
  func load(_ other: UnsafeRawBufferPointer) {
    start(capacity: max(BlockReader.blockByteCount, other.count))
    if let source = other.baseAddress {
      UnsafeMutableRawPointer(bytes).copyMemory(from: source, byteCount: other.count)
    }
    count = other.count
  }

  /// Starts anew with room for so many bytes: what a long row took is given back.
  func start(capacity wanted: Int) {
    count = 0
    guard capacity != wanted else { return }
    bytes.deallocate()
    bytes = .allocate(capacity: wanted + Self.padding)
    capacity = wanted
  }
}

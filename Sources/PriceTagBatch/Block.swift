/// A part of the input that consists of complete rows. Its memory is reused.
final class Block {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// The number of bytes.
  var count = 0
  /// The offset of the first byte in the (decompressed) input.
  var byteOffset = 0
  /// The number of bytes read from the input file so far, compressed if the file is.
  var storedBytesRead = 0
  /// The size of a row that is too long. The block then has only the start of this row.
  var longRowByteCount: Int?
  /// The number of line feeds of that row, including the one that ends it.
  var longRowLineCount = 0
  /// Whether the rows are those of a JSON array, which are counted instead of lines.
  var isArray = false

  /// Bytes after the contents that a reader may load.
  private static let padding = 64

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + Self.padding)
  }

  deinit { bytes.deallocate() }

  /// Grows the capacity, and keeps the contents.
  func grow(to newCapacity: Int) {
    guard newCapacity > capacity else { return }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity + Self.padding)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    (bytes, capacity) = (larger, newCapacity)
  }

  /// Replaces the contents.
  func load(_ other: UnsafeRawBufferPointer) {
    reset(capacity: max(BlockReader.blockByteCount, other.count))
    if let source = other.baseAddress {
      UnsafeMutableRawPointer(bytes).copyMemory(from: source, byteCount: other.count)
    }
    count = other.count
  }

  /// Removes the contents and sets the capacity, which also releases the memory of a long row.
  func reset(capacity newCapacity: Int) {
    count = 0
    guard capacity != newCapacity else { return }
    bytes.deallocate()
    bytes = .allocate(capacity: newCapacity + Self.padding)
    capacity = newCapacity
  }
}

import PriceTag

/// Writes UTF-8 text into a buffer provided by the caller.
///
/// If the text does not fit, the writer sets `isFull` and the caller retries with a larger buffer.
struct MessageWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0
  private(set) var isFull = false

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  /// The text written so far, which is valid UTF-8 because only complete strings are appended.
  var text: String {
    let utf8 = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<count])
    return unsafe String(copying: UTF8Span(unchecked: utf8.span))
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, let start = buffer.baseAddress else { return }
    guard bytes.count <= buffer.count - count else {
      isFull = true
      return
    }
    (start + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends a three-byte scalar.
  @inline(__always)
  private mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    guard let start = buffer.baseAddress, buffer.count - count >= 3 else {
      isFull = true
      return
    }
    start[count] = first
    start[count + 1] = second
    start[count + 2] = third
    count += 3
  }

  /// U+2068 FIRST STRONG ISOLATE.
  @inline(__always)
  mutating func openIsolate() { append(0xE2, 0x81, 0xA8) }

  /// U+2069 POP DIRECTIONAL ISOLATE.
  @inline(__always)
  mutating func closeIsolate() { append(0xE2, 0x81, 0xA9) }

  @inline(__always)
  mutating func append(_ number: Amount, by formatter: CountFormatter) {
    guard let start = buffer.baseAddress, buffer.count - count >= formatter.maximumUTF8Count else {
      isFull = true
      return
    }
    count += formatter.write(number, to: start + count)
  }
}

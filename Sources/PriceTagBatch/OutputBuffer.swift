import PriceTag
import PriceTagText

/// Bytes that are written one behind the other, in memory that is used again.
package final class OutputBuffer {
  // One thread's, and in the innermost loop: nothing is gained by checking at run time that nobody else uses them.
  @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) package private(set) var count = 0
  @exclusivity(unchecked) private var capacity: Int

  package init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  /// Hands over what was written. (A call keeps the buffer alive, which its bare bytes would not.)
  package func write(to output: some BatchOutput) throws(BatchError) {
    try output.write(UnsafeRawBufferPointer(start: start, count: count))
  }

  package func removeAll() { count = 0 }

  /// Drops what was written behind a place.
  func cut(to place: Int) { count = min(count, max(place, 0)) }

  /// Room for so many bytes behind what is there.
  @inline(__always)
  func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < more { grow(more) }
    return start + count
  }

  @inline(never)
  private func grow(_ more: Int) {
    let wanted = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    larger.update(from: start, count: count)
    start.deallocate()
    (start, capacity) = (larger, wanted)
  }

  /// Counts bytes that were written into the room.
  @inline(__always)
  func add(_ written: Int) { count += written }

  @inline(__always)
  package func append(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    memcpy(room(for: byteCount), bytes, byteCount)
    count += byteCount
  }

  @inline(__always)
  package func append(_ byte: UInt8) {
    room(for: 1).pointee = byte
    count += 1
  }

  func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { append(base, $0.count) } }
  }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { if let base = $0.baseAddress { append(base, $0.count) } }
  }

  /// Puts what another has before what is there.
  func insert(_ other: OutputBuffer) {
    _ = room(for: other.count)
    memmove(start + other.count, start, count)
    memcpy(start, other.start, other.count)
    count += other.count
  }

  // MARK: Texts of the formats

  /// Appends a text's bytes as they stand inside a JSON string.
  func appendJSON(_ text: UnsafePointer<UInt8>, _ textCount: Int) {
    var copied = 0
    for index in 0..<textCount where isEscapedInJSON(text[index]) {
      append(text + copied, index - copied)
      append(String(jsonEscape(text[index])))
      copied = index + 1
    }
    append(text + copied, textCount - copied)
  }

  /// Appends a text as a field of CSV: in quotes where it needs them.
  func appendCSV(_ text: UnsafePointer<UInt8>, _ textCount: Int, delimiter: UInt8) {
    if isPlain(text, textCount, .csv, delimiter) { return append(text, textCount) }
    append(UInt8(ascii: "\""))
    var copied = 0
    for index in 0..<textCount where text[index] == UInt8(ascii: "\"") {
      // The quote itself is copied with what follows it.
      append(text + copied, index - copied + 1)
      copied = index
    }
    append(text + copied, textCount - copied)
    append(UInt8(ascii: "\""))
  }

  /// Appends what a value of the input stands for: as a field of CSV, or as it stands inside a JSON string.
  @inline(__always)
  func append(_ value: FieldValue, as format: BatchFormat, delimiter: UInt8) {
    let place = count
    add(value.unescape(to: room(for: value.count)))
    finishText(from: place, as: format, delimiter: delimiter)
  }

  /// Appends a text as a string of JSON.
  package func appendJSONString(_ text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { if let base = $0.baseAddress { appendJSON(base, $0.count) } }
    append(UInt8(ascii: "\""))
  }

  /// Whether a text can stand in a string of JSON or a field of CSV as it is.
  @inline(__always)
  func isPlain(
    _ text: UnsafePointer<UInt8>,
    _ textCount: Int,
    _ format: BatchFormat,
    _ delimiter: UInt8
  ) -> Bool {
    var isPlain = true
    switch format {
    case .jsonl: for index in 0..<textCount where isEscapedInJSON(text[index]) { isPlain = false }
    case .csv: for index in 0..<textCount where isSpecialInCSV(text[index], delimiter) { isPlain = false }
    }
    return isPlain
  }

  /// Puts the text that was written from a place on into a field of CSV, or inside a JSON string, where it cannot
  /// stand as it is.
  @inline(__always)
  package func finishText(from place: Int, as format: BatchFormat, delimiter: UInt8) {
    if !isPlain(start + place, count - place, format, delimiter) {
      rewriteText(from: place, as: format, delimiter)
    }
  }

  @inline(never)
  private func rewriteText(from place: Int, as format: BatchFormat, _ delimiter: UInt8) {
    let textCount = count - place
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(textCount, 1)) { copy in
      guard let text = copy.baseAddress else { return }
      text.update(from: start + place, count: textCount)
      count = place
      switch format {
      case .jsonl: appendJSON(text, textCount)
      case .csv: appendCSV(text, textCount, delimiter: delimiter)
      }
    }
  }
}

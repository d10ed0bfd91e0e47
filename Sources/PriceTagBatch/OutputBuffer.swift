import CJSON
import PriceTag
import PriceTagSystem
import PriceTagText

/// Bytes that exist as long as the process, so that appending them counts no references.
///
/// Sendable notes: the bytes never change.
struct ConstantBytes: @unchecked Sendable {
  let start: UnsafePointer<UInt8>
  let count: Int

  init(_ text: String) {
    count = text.utf8.count
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
    for (index, byte) in text.utf8.enumerated() { (bytes + index).initialize(to: byte) }
    start = UnsafePointer(bytes)
  }
}

/// A growing buffer of output bytes. Its memory is reused after `removeAll()`.
package final class OutputBuffer {
  // A buffer is used by one thread, in the innermost loop: run-time exclusivity checks would only cost time.
  @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) package private(set) var count = 0
  @exclusivity(unchecked) private(set) var capacity: Int

  package init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  /// Writes the contents to an output.
  package func write(to output: some BatchOutput) throws(BatchError) {
    try output.write(UnsafeRawBufferPointer(start: start, count: count))
  }

  package func removeAll() { count = 0 }

  /// Removes the bytes after the first `newCount`.
  package func truncate(to newCount: Int) { count = min(count, max(newCount, 0)) }

  /// Returns the end of the contents, with room for some bytes after it.
  @inline(__always)
  func reserve(_ byteCount: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < byteCount { grow(byteCount) }
    return start + count
  }

  @inline(never)
  private func grow(_ byteCount: Int) {
    let newCapacity = max(capacity * 2, count + byteCount)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    larger.update(from: start, count: count)
    start.deallocate()
    (start, capacity) = (larger, newCapacity)
  }

  /// Appends bytes that were written at the address that `reserve(_:)` returned.
  @inline(__always)
  func add(_ byteCount: Int) { count += byteCount }

  @inline(__always)
  package func append(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    memcpy(reserve(byteCount), bytes, byteCount)
    count += byteCount
  }

  @inline(__always)
  package func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    count += 1
  }

  package func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { append(base, $0.count) } }
  }

  @inline(__always)
  func append(_ bytes: ConstantBytes) { append(bytes.start, bytes.count) }

  @inline(__always)
  package func append(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { if let base = $0.baseAddress { append(base, $0.count) } }
  }

  /// Appends the contents of another buffer.
  package func append(_ other: OutputBuffer) { append(other.start, other.count) }

  /// Appends an amount as decimal text.
  package func append(decimal amount: Amount) { add(amount.writeDecimal(to: reserve(24))) }

  /// Inserts the contents of another buffer before its own.
  func prepend(_ other: OutputBuffer) {
    _ = reserve(other.count)
    memmove(start + other.count, start, count)
    memcpy(start, other.start, other.count)
    count += other.count
  }

  // MARK: Escapes

  /// Appends text as the contents of a JSON string.
  func appendJSON(_ text: UnsafePointer<UInt8>, _ textCount: Int) {
    var copied = 0
    for index in 0..<textCount where isEscapedInJSON(text[index]) {
      append(text + copied, index - copied)
      append(String(jsonEscape(text[index])))
      copied = index + 1
    }
    append(text + copied, textCount - copied)
  }

  /// Appends text as a CSV field, in quotes if it needs them.
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

  /// Appends a value of the input as a CSV field, or as the contents of a JSON string.
  @inline(__always)
  func append(_ value: FieldValue, as format: BatchFormat, delimiter: UInt8) {
    let place = count
    add(value.unescape(to: reserve(value.count)))
    finishText(from: place, as: format, delimiter: delimiter)
  }

  /// Appends text as a JSON string.
  package func appendJSONString(_ text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { if let base = $0.baseAddress { appendJSON(base, $0.count) } }
    append(UInt8(ascii: "\""))
  }

  /// Returns whether text needs no escapes in a JSON string, or no quotes in a CSV field.
  @inline(__always)
  func isPlain(
    _ text: UnsafePointer<UInt8>,
    _ textCount: Int,
    _ format: BatchFormat,
    _ delimiter: UInt8
  ) -> Bool {
    switch format {
    case .jsonl: !cjson_needs_escapes(text, textCount, false)
    case .csv: !cjson_needs_quotes(text, textCount, delimiter)
    }
  }

  /// Escapes the contents after an offset: as a CSV field, or as the contents of a JSON string.
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

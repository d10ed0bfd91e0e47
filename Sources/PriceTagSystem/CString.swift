/// Returns the text in a fixed array of a C structure, which Swift imports as a tuple. The text ends at the first zero.
package func text<Bytes>(of bytes: Bytes) -> String {
  withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// Returns the text that a C function writes into a buffer; `nil` if the function returns false.
package func text(capacity: Int = 256, filledBy fill: (UnsafeMutablePointer<CChar>, Int32) -> Bool) -> String?
{
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
    guard let start = buffer.baseAddress, fill(start, Int32(capacity)) else { return nil }
    return String(cString: start)
  }
}

/// Calls a C function with texts as an array of pointers, and returns its result.
package func withCStrings<Answer>(
  _ texts: [String],
  _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer?
) -> Answer? {
  let bytes = texts.map { Array($0.utf8CString) }
  // One block for all texts, so that one call keeps all pointers valid.
  let block = bytes.flatMap(\.self)
  var offsets: [Int] = []
  var offset = 0
  for text in bytes {
    offsets.append(offset)
    offset += text.count
  }
  return block.withUnsafeBufferPointer { buffer in
    let pointers = offsets.map { offset in buffer.baseAddress.map { UnsafePointer($0 + offset) } }
    return pointers.withUnsafeBufferPointer { $0.baseAddress.flatMap(body) }
  }
}

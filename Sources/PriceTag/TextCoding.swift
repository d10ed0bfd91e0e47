extension Decoder {
  /// Decodes a value from its text. An error in the text becomes a decoding error with its coding path.
  func valueFromText<Value>(_ make: (String) throws(PriceTagError) -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do throws(PriceTagError) {
      return try make(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }
}

extension Encoder {
  /// Encodes a text.
  func encodeText(_ text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}

extension String {
  /// Creates the text of bytes that a pattern has written.
  ///
  /// The pieces of a pattern are complete scalars of valid UTF-8. Another validation would cost more than writing them.
  @inline(__always)
  init(formattedUTF8 start: UnsafeMutablePointer<UInt8>, count: Int) {
    let utf8 = UnsafeBufferPointer(start: start, count: count)
    self = unsafe String(copying: UTF8Span(unchecked: utf8.span))
  }
}

extension Decoder {
  /// Decodes a value from its text. An error in the text becomes a decoding error with its coding path.
  ///
  /// - Parameter instruction: What to write instead of a value that is not text, as an imperative.
  func valueFromText<Value>(
    _ instruction: String,
    _ make: (String) throws(PriceTagError) -> Value
  ) throws -> Value {
    let container = try singleValueContainer()
    let text: String
    do { text = try container.decode(String.self) } catch DecodingError.typeMismatch(let type, let context) {
      let problem = "the value is not text; \(instruction)"
      throw DecodingError.typeMismatch(type, .init(codingPath: context.codingPath, debugDescription: problem))
    }
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

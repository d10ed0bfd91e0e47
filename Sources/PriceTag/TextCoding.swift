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

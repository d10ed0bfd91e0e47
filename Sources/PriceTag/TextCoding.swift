/// A value that is coded as its text.
extension Decoder {
  /// The value that a text says; what is wrong with the text becomes a decoding error with its place.
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
  /// Writes a text.
  func encodeText(_ text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}

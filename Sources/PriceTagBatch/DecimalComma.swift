import PriceTag
import PriceTagText

/// Amounts with a decimal comma, such as `1234,50`.
enum DecimalComma {
  private static let comma = UInt8(ascii: ",")
  private static let point = UInt8(ascii: ".")

  /// Returns the amount of a text with a comma, or of a JSON number, which has a point; `nil` for any other value, and for a
  /// text with a point.
  static func amount(_ value: FieldValue) -> Amount? {
    if value.kind == .number { return Amount(decimalUTF8: value.bytes) }
    guard value.kind == .text, value.count <= maximumByteCount else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(value.count, 1)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let text = UnsafeMutableBufferPointer(start: start, count: value.unescape(to: start))
      guard !text.contains(point) else { return nil }
      for index in text.indices where text[index] == comma { text[index] = point }
      return Amount(decimalUTF8: UnsafeBufferPointer(text))
    }
  }

  /// An amount has at most 64 characters, each of which JSON may write as an escape of 6 bytes.
  private static let maximumByteCount = 6 * 64

  /// Returns the amount of a text.
  static func amount(_ text: String) throws(PriceTagError) -> Amount {
    if text.utf8.contains(point) {
      throw PriceTagError(
        .malformedAmount,
        "\(quoted(text)) contains a point, and amounts have a decimal comma",
        fix: "write it as 1234,50, or do not pass --decimal-comma"
      )
    }
    let withPoint = text.utf8.prefix(maximumByteCount).map { $0 == comma ? point : $0 }
    do throws(PriceTagError) { return try Amount(decimal: String(decoding: withPoint, as: UTF8.self)) } catch
    {
      if error.code == .amountOutOfRange {
        throw PriceTagError(.amountOutOfRange, "\(quoted(text)) is out of range", fix: error.fix)
      }
      throw PriceTagError(
        .malformedAmount,
        "\(quoted(text)) is not an amount with a decimal comma",
        fix: "write ASCII digits with an optional sign and a decimal comma, such as 1234,50"
      )
    }
  }
}

import ICUReference
import PriceTag
import PriceTagStrings

/// Formats a message with `icu::MessageFormat`; returns `nil` if ICU reports an error.
///
/// - Parameter locale: A BCP 47 tag.
func icuMessage(
  _ pattern: String,
  _ locale: String,
  _ arguments: [(name: String, value: String, isNumber: Bool)]
) -> String? {
  let texts = arguments.map { (Array($0.name.utf8CString), Array($0.value.utf8CString)) }
  var buffer = [UInt8](repeating: 0, count: 65_536)
  /// Collects the remaining arguments, whose strings must be valid during the call, and formats the message.
  func format(_ index: Int, _ collected: [ICUReferenceArgument]) -> Int32 {
    guard index < texts.count else {
      return icu_reference_message(
        pattern,
        locale.replacing("-", with: "_"),
        collected,
        Int32(collected.count),
        &buffer,
        Int32(buffer.count)
      )
    }
    return texts[index].0.withUnsafeBufferPointer { name in
      texts[index].1.withUnsafeBufferPointer { value in
        let argument = ICUReferenceArgument(
          name: name.baseAddress,
          value: value.baseAddress,
          isNumber: arguments[index].isNumber
        )
        return format(index + 1, collected + [argument])
      }
    }
  }
  let count = format(0, [])
  return count < 0 ? nil : String(decoding: buffer[..<Int(count)], as: UTF8.self)
}

/// Formats a price for the US storefront.
func dollars(_ amount: Amount) throws -> FormattedPrice {
  try PriceFormatter(storefront: Storefront("USA")).format(amount)
}

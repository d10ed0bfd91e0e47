import ICUReference
import PriceTag
import PriceTagStrings

/// What `icu::MessageFormat` makes of a message, in a locale as BCP 47 spells it; `nil` where it refuses.
func icuMessage(
  _ pattern: String,
  _ locale: String,
  _ arguments: [(name: String, value: String, isNumber: Bool)]
) -> String? {
  let texts = arguments.map { (Array($0.name.utf8CString), Array($0.value.utf8CString)) }
  var buffer = [UInt8](repeating: 0, count: 65_536)
  func lend(_ index: Int, _ lent: [ICUReferenceArgument]) -> Int32 {
    guard index < texts.count else {
      return icu_reference_message(
        pattern,
        locale.replacing("-", with: "_"),
        lent,
        Int32(lent.count),
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
        return lend(index + 1, lent + [argument])
      }
    }
  }
  let count = lend(0, [])
  return count < 0 ? nil : String(decoding: buffer[..<Int(count)], as: UTF8.self)
}

/// A price of the US store.
func dollars(_ amount: Amount) throws -> FormattedPrice {
  try PriceFormatter(storefront: Storefront("USA")).format(amount)
}

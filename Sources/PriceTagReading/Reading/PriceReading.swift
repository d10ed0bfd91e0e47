import PriceTag
import PriceTagText

/// What a text was read as, and where it differs from what the formatter writes.
public struct PriceReading: Hashable, Sendable {
  /// The price, or the reason why the text is not one.
  public let result: Result<Price, ReadingError>
  /// The number of Unicode scalars before the first difference from what the formatter writes; `nil` without a difference.
  ///
  /// It is the length of the text if the text is only the start of a price.
  public let difference: Int?

  /// Returns the members of a JSON object: `amount`, `currency` and `difference`, or `error`.
  ///
  /// - Parameter pointer: The JSON pointer to the text, for the error.
  package func jsonFields(pointer: String? = nil) -> [(String, String)] {
    let place = difference.map(String.init) ?? "null"
    switch result {
    case .success(let price):
      return [
        ("amount", json(price.amount.description)), ("currency", json(price.currency.code)),
        ("difference", place),
      ]
    case .failure(let error):
      var fields = [("code", json(error.code.rawValue)), ("message", json("\(error.problem); \(error.fix)"))]
      if let pointer { fields.append(("pointer", json(pointer))) }
      return [("error", jsonObject(fields + [("difference", place)]))]
    }
  }
}

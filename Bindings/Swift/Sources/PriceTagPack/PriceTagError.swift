/// An error: what was wrong, and what to do.
public struct PriceTagError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. The raw values are the codes of all hosts of PriceTag.
  public enum Code: String, Sendable {
    /// Text that is not a decimal amount.
    case malformedAmount = "malformed-amount"
    /// An amount with too many digits.
    case amountOutOfRange = "amount-out-of-range"
    /// An amount with more decimals than are displayed.
    case needsRounding = "needs-rounding"
    /// Bytes that are no pack, are damaged, or have the layout of another version.
    case invalidPack = "invalid-pack"
    /// A storefront that is not in the pack.
    case unknownStorefront = "unknown-storefront"
    /// A price locale that is not in the pack.
    case unknownLocale = "unknown-locale"
    /// A currency that is not in the pack.
    case unknownCurrency = "unknown-currency"
    /// A style, or a combination of locale, currency and style, that is not in the pack.
    case missingFromPack = "missing-from-pack"
    /// A storefront that has charged several currencies, without a date.
    case missingDate = "missing-date"
    /// Text that is not a date, or a date that does not exist.
    case malformedDate = "malformed-date"
    /// Text without digits.
    case notAPrice = "not-a-price"
    /// Text that the formatter does not write.
    case notAsWritten = "not-as-written"
    /// Text that the formatter writes for several amounts.
    case ambiguousNumber = "ambiguous-number"
    /// Text with more than 4,096 bytes.
    case textTooLong = "text-too-long"
  }

  /// The kind of the error.
  public let code: Code
  /// What was wrong.
  public let problem: String
  /// What to do, as an imperative.
  public let fix: String
  /// The place of the first difference in a text that was read, in bytes of UTF-8; `nil` for other errors.
  public let difference: Int?

  /// The problem and the fix.
  public var description: String { "\(problem); \(fix)" }

  init(_ code: Code, _ problem: String, fix: String, difference: Int? = nil) {
    (self.code, self.problem, self.fix, self.difference) = (code, problem, fix, difference)
  }

  init(_ problem: AmountProblem, _ amount: String) {
    switch problem {
    case .malformed:
      self.init(
        .malformedAmount,
        "\(amount) is not a decimal amount",
        fix: "write ASCII digits, such as 1234.50"
      )
    case .outOfRange:
      self.init(.amountOutOfRange, "\(amount) is out of range", fix: "use at most 18 significant digits")
    case .needsRounding, .invalidRounding:
      self.init(
        .needsRounding,
        "\(amount) has more decimals than are displayed",
        fix: "pass a rounding mode such as .halfEven to allow rounding"
      )
    }
  }

  init(_ problem: PackProblem) {
    switch problem {
    case .unknownStorefront, .currencyMismatch:
      self.init(
        .unknownStorefront,
        "the pack does not have the storefront",
        fix: "use one of Pack.storefronts"
      )
    case .unknownLocale:
      self.init(.unknownLocale, "the pack does not have the price locale", fix: "write a pack with --locales")
    case .unknownCurrency:
      self.init(
        .unknownCurrency,
        "the pack does not have the currency",
        fix: "write a pack with --currencies"
      )
    case .missingStyle, .missingFormatter:
      self.init(.missingFromPack, "the pack does not have this price", fix: "write a pack with this style")
    case .missingDate:
      self.init(
        .missingDate,
        "the storefront has charged several currencies",
        fix: "pass the date of the price"
      )
    }
  }
}

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
    /// A currency that the storefront does not charge on the date.
    case currencyMismatch = "currency-mismatch"
    /// A style, or a combination of locale, currency and style, that is not in the pack.
    case missingFromPack = "missing-from-pack"
    /// A storefront that has charged several currencies, without a date.
    case missingDate = "missing-date"
    /// Text that is not a date, or a date that does not exist.
    case malformedDate = "malformed-date"
    /// An option outside its range.
    case invalidOption = "invalid-option"
    /// A buffer that is too small for a price.
    case bufferTooSmall = "buffer-too-small"
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

  init(_ problem: AmountProblem, _ amount: String, digits: Int = 0) {
    switch problem {
    case .malformed:
      self.init(
        .malformedAmount,
        "\(amount) is not a decimal amount",
        fix: "write ASCII digits with an optional sign and fraction, such as 1234.50"
      )
    case .outOfRange:
      self.init(
        .amountOutOfRange,
        "\(amount) is out of range",
        fix: "use at most 18 significant digits, of which at most 18 are after the decimal point"
      )
    case .needsRounding:
      self.init(
        .needsRounding,
        "\(amount) needs rounding to \(digits) decimals",
        fix: "name a rounding mode such as .halfEven to allow it"
      )
    case .invalidRounding:
      self.init(
        .invalidOption,
        "cannot round to \(digits) digits in these steps",
        fix: "use 0 to 18 digits and a step of 1 to 1000000"
      )
    }
  }

  init(_ damage: PackDamage) {
    let (problem, fix) =
      switch damage {
      case .notAPack: ("the bytes are not a pack", "write one with pricetag pack -o FILE")
      case .otherVersion:
        ("the pack has a layout of another version", "write it again with this version of PriceTag")
      case .truncated: ("the size of the pack is not the one in its header", "copy the file again")
      case .checksum: ("the pack has changed since it was written", "copy the file again")
      case .invalidField: ("a field of the pack has an invalid value", "write it again with pricetag pack")
      }
    self.init(.invalidPack, problem, fix: fix)
  }

  /// Creates the error of a request, with the names in it.
  init(_ problem: PackProblem, storefront: String = "", locale: String = "", currency: String? = nil) {
    let currency = Self.quoted(currency ?? "")
    switch problem {
    case .unknownStorefront:
      self.init(
        .unknownStorefront,
        "the pack does not have the storefront \(Self.quoted(storefront))",
        fix: "use one of Pack.storefronts"
      )
    case .unknownLocale:
      self.init(
        .unknownLocale,
        "the pack does not have the price locale \(Self.quoted(locale))",
        fix: "use one of Pack.locales, or write a pack with pricetag pack --locales"
      )
    case .unknownCurrency:
      self.init(
        .unknownCurrency,
        "the pack does not have the currency \(currency)",
        fix: "use one of Pack.currencies, or write a pack with pricetag pack --currencies"
      )
    case .currencyMismatch:
      self.init(
        .currencyMismatch,
        "\(Self.quoted(storefront)) does not charge \(currency) on the date",
        fix: "use the currency of the storefront"
      )
    case .missingStyle:
      self.init(
        .missingFromPack,
        "the pack has no prices of the style",
        fix: "write a pack with pricetag pack and the options of the style"
      )
    case .missingFormatter:
      self.init(
        .missingFromPack,
        "the pack has no pattern for the locale, currency and style together",
        fix: "write a pack with pricetag pack and this combination"
      )
    case .missingDate:
      self.init(
        .missingDate,
        "\(Self.quoted(storefront)) has charged several currencies",
        fix: "pass the date of the price"
      )
    }
  }

  /// The error for an amount whose plural category a pattern does not have.
  static func missingForm(of amount: Amount) -> PriceTagError {
    PriceTagError(
      .missingFromPack,
      "the pack has no form of \(amount) for its plural category",
      fix: "format the amount with another style"
    )
  }

  /// Returns a text for a message: quoted, escaped, and cut.
  static func quoted(_ text: String) -> String { String(text.prefix(64)).debugDescription }
}

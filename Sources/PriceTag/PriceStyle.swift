import PriceTagText

/// The style of a price: the width of the currency, signs, digits and rounding.
///
///     PriceStyle()                                    // $1,234.00
///     PriceStyle(width: .name)                        // 1,234.00 US dollars
///     PriceStyle(zeros: .trim)                        // $1,234
///     PriceStyle(sign: .accounting)                   // ($1,234.00) for -1234
///     PriceStyle(digits: .cash, rounding: .halfEven)  // CHF 4.95 for 4.96 in de-CH
public struct PriceStyle: Hashable, Sendable {
  /// The form of the currency: a symbol, a code or a name.
  public enum Width: String, Hashable, Sendable, CaseIterable, Codable {
    /// The symbol that is unambiguous in the locale: `CA$5.00` for CAD in en-US.
    case standard
    /// The shortest symbol, which may be ambiguous: `$5.00` for CAD in en-US.
    case narrow
    /// The ISO 4217 code: `USD 4.99`.
    case iso
    /// The full name, in the plural form of the displayed digits: `1.00 US dollars`.
    case name
  }

  /// The treatment of a fraction of zeros.
  public enum Zeros: String, Hashable, Sendable, CaseIterable, Codable {
    /// Writes the zeros: `$5.00`.
    case keep
    /// Omits a fraction if all its digits are zero: `$5`, but `$5.50`.
    case trim
  }

  /// The form of signs.
  public enum Sign: String, Hashable, Sendable, CaseIterable, Codable {
    /// A sign before negative amounts: `-$4.99`.
    case auto
    /// The locale's accounting form: `($4.99)`. Some locales write positive amounts differently too.
    case accounting
    /// A sign before every amount: `+$4.99`.
    case always
    /// No sign.
    case never
  }

  /// The number of digits after the decimal point.
  public enum Digits: Hashable, Sendable {
    /// CLDR's digits for the currency: 2 for USD, 0 for JPY.
    case standard
    /// CLDR's digits and rounding step for cash: steps of 0.05 for CHF.
    case cash
    /// A fixed number of digits, 0 to 18.
    case fixed(Int)
  }

  /// The form of the currency.
  public var width: Width
  /// The treatment of a fraction of zeros.
  public var zeros: Zeros
  /// The form of signs.
  public var sign: Sign
  /// The number of digits after the decimal point.
  public var digits: Digits
  /// The rounding mode for amounts with more digits than are displayed.
  public var rounding: RoundingMode

  /// The allowed numbers of digits.
  static let fractionDigits = 0...Amount.maximumScale

  /// Creates a style. The defaults are the style of a store.
  public init(
    width: Width = .standard,
    zeros: Zeros = .keep,
    sign: Sign = .auto,
    digits: Digits = .standard,
    rounding: RoundingMode = .exact
  ) {
    self.width = width
    self.zeros = zeros
    self.sign = sign
    self.digits = digits
    self.rounding = rounding
  }

  /// The style of the spoken form: with the currency's name, and without accounting brackets.
  var spoken: PriceStyle {
    var spoken = self
    spoken.width = .name
    if sign == .accounting { spoken.sign = .auto }
    return spoken
  }
}

extension PriceStyle: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, zeros, sign, digits, rounding
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes an object of options, such as `{"width":"iso","digits":2}`.
  ///
  /// A missing option has its default. An unknown option is an error.
  public init(from decoder: any Decoder) throws {
    let options = CodingKeys.allCases.map(\.rawValue)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !options.contains(key.stringValue) {
      let fix = didYouMean(closestMatch(to: key.stringValue, among: options), otherwise: "remove it")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath + [key],
          debugDescription: "unknown style option \(quoted(key.stringValue)); \(fix)"
        )
      )
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      width: try container.decodeIfPresent(Width.self, forKey: .width) ?? .standard,
      zeros: try container.decodeIfPresent(Zeros.self, forKey: .zeros) ?? .keep,
      sign: try container.decodeIfPresent(Sign.self, forKey: .sign) ?? .auto,
      digits: try container.decodeIfPresent(Digits.self, forKey: .digits) ?? .standard,
      rounding: try container.decodeIfPresent(RoundingMode.self, forKey: .rounding) ?? .exact
    )
  }
}

extension PriceStyle.Digits: Codable, CustomStringConvertible {
  /// Creates digits from text: `standard`, `cash`, or a number from 0 to 18.
  ///
  /// - Throws: `.invalidOption` for any other text.
  public init(_ text: String) throws(PriceTagError) {
    switch text {
    case "standard": self = .standard
    case "cash": self = .cash
    default:
      guard text.utf8.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let digits = Int(text), PriceStyle.fractionDigits.contains(digits)
      else {
        throw PriceTagError(
          .invalidOption,
          "\(quoted(text)) is not a valid number of digits",
          fix: "use standard, cash or a number from 0 to \(Amount.maximumScale)"
        )
      }
      self = .fixed(digits)
    }
  }

  /// The text that `init(_:)` accepts.
  public var description: String {
    switch self {
    case .standard: "standard"
    case .cash: "cash"
    case .fixed(let digits): String(digits)
    }
  }

  /// Decodes the text, or a number.
  public init(from decoder: any Decoder) throws {
    if let digits = try? decoder.singleValueContainer().decode(Int.self),
      PriceStyle.fractionDigits.contains(digits)
    {
      self = .fixed(digits)
    } else {
      self = try decoder.valueFromText { text throws(PriceTagError) in try PriceStyle.Digits(text) }
    }
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}

import PriceTagText

/// How a price is written: everything that its locale and currency leave open.
///
///     PriceStyle()                                    // $1,234.00
///     PriceStyle(width: .name)                        // 1,234.00 US dollars
///     PriceStyle(zeros: .trim)                        // $1,234
///     PriceStyle(sign: .accounting)                   // ($1,234.00) for -1234
///     PriceStyle(digits: .cash, rounding: .halfEven)  // CHF 4.95 for 4.96 in de-CH
public struct PriceStyle: Hashable, Sendable {
  /// How the currency is named.
  public enum Width: String, Hashable, Sendable, CaseIterable, Codable {
    /// The symbol that is clear in the locale: `CA$5.00` for CAD in en-US.
    case standard
    /// The shortest symbol, which may be ambiguous: `$5.00` for CAD in en-US.
    case narrow
    /// The ISO 4217 code: `USD 4.99`.
    case iso
    /// The name, in the plural that the displayed digits ask for: `1.00 US dollars`.
    case name
  }

  /// What happens to a fraction of zeros.
  public enum Zeros: String, Hashable, Sendable, CaseIterable, Codable {
    /// It is written: `$5.00`.
    case keep
    /// It is left out where all of it is zero: `$5`, but `$5.50`.
    case trim
  }

  /// When a sign is written, and how.
  public enum Sign: String, Hashable, Sendable, CaseIterable, Codable {
    /// Before negative amounts: `-$4.99`.
    case auto
    /// As the locale's accountants do: `($4.99)`. Some locales move positive amounts too.
    case accounting
    /// Before every amount: `+$4.99`.
    case always
    /// Never.
    case never
  }

  /// How many digits are displayed after the decimal point.
  public enum Digits: Hashable, Sendable {
    /// CLDR's digits for the currency: 2 for USD, 0 for JPY.
    case standard
    /// CLDR's digits and rounding step for cash: steps of 0.05 for CHF.
    case cash
    /// So many, 0 to 18.
    case fixed(Int)
  }

  /// How the currency is named.
  public var width: Width
  /// What happens to a fraction of zeros.
  public var zeros: Zeros
  /// When a sign is written, and how.
  public var sign: Sign
  /// How many digits are displayed.
  public var digits: Digits
  /// What happens to digits that are not displayed.
  public var rounding: RoundingMode

  /// The digits that may be displayed.
  static let fractionDigits = 0...Amount.maximumScale

  /// A style; each option has the default that a store uses.
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

  /// The style of the spoken form: the name in place of a symbol, and no accountant's brackets.
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

  /// Reads an object of options, such as `{"width":"iso","digits":2}`; one that is missing has its default, and a
  /// field of any other name is refused.
  public init(from decoder: any Decoder) throws {
    let known = CodingKeys.allCases.map(\.rawValue)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      let problem =
        "there is no style option \(quoted(key.stringValue))\(didYouMean(key.stringValue, among: known))"
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath + [key], debugDescription: problem)
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
  /// The digits of their text: `standard`, `cash`, or a number from 0 to 18.
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
          "\(quoted(text)) is no choice of digits",
          fix: "use standard, cash or a number from 0 to \(Amount.maximumScale)"
        )
      }
      self = .fixed(digits)
    }
  }

  /// The text that `init(_:)` reads.
  public var description: String {
    switch self {
    case .standard: "standard"
    case .cash: "cash"
    case .fixed(let digits): String(digits)
    }
  }

  /// Reads the text, or a number.
  public init(from decoder: any Decoder) throws {
    if let digits = try? decoder.singleValueContainer().decode(Int.self),
      PriceStyle.fractionDigits.contains(digits)
    {
      self = .fixed(digits)
    } else {
      self = try decoder.valueFromText { text throws(PriceTagError) in try PriceStyle.Digits(text) }
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}

import PriceTagText

/// The style of a price: the width of the currency, signs, digits, groups and rounding.
///
///     PriceStyle()                                    // $1,234.00
///     PriceStyle(width: .name)                        // 1,234.00 US dollars
///     PriceStyle(width: .hidden)                      // 1,234.00
///     PriceStyle(width: .formal)                      // NT$1,234.00 for TWD in zh-TW
///     PriceStyle(width: .variant)                     // 1.234,00 TL for TRY in de-DE
///     PriceStyle(width: .unambiguous)                 // USD 1,234.00
///     PriceStyle(zeros: .trim)                        // $1,234
///     PriceStyle(sign: .accounting)                   // ($1,234.00) for -1234
///     PriceStyle(sign: .exceptZero)                   // +$1,234.00, but $0.00
///     PriceStyle(digits: .cash, rounding: .halfEven)  // CHF 4.95 for 4.96 in de-CH
///     PriceStyle(digits: .range(0...2))               // $1,234, and $1,234.5 for 1234.5
///     PriceStyle(grouping: .never)                    // $1234.00
///     PriceStyle(numberingSystem: "latn")             // 1,234.00 instead of ١٬٢٣٤٫٠٠ in ar-EG
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
    /// No currency: `5.00`. Use it where other text, such as the head of a column, states the currency.
    ///
    /// As in ICU, a no-break space beside the currency stays: `5,00\u{A0}` in de-DE.
    case hidden
    /// The symbol for formal text, where CLDR has one, otherwise the standard symbol: `NT$5.00` for TWD in zh-TW.
    case formal
    /// CLDR's alternative symbol, where it has one, otherwise the standard symbol: `TL` instead of `₺` for TRY.
    case variant
    /// The standard symbol, or the code if another current currency has the same narrow symbol in the locale:
    /// `USD 5.00` in en-US, where the narrow symbol of CAD is `$`.
    case unambiguous
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
    /// A sign before every amount except zero: `+$4.99`, `$0.00`.
    case exceptZero = "except-zero"
    /// The accounting form, with a sign before amounts of zero or more: `+$4.99`, `+$0.00`, `($4.99)`.
    case accountingAlways = "accounting-always"
    /// The accounting form, with a sign before amounts above zero: `+$4.99`, `$0.00`, `($4.99)`.
    case accountingExceptZero = "accounting-except-zero"
    /// A sign before amounts below zero. This is ``auto``, except in ICU, where numbers have a negative zero.
    case negative
    /// The accounting form for amounts below zero. This is ``accounting``, except for ICU's negative zero.
    case accountingNegative = "accounting-negative"
  }

  /// The number of digits after the decimal point.
  public enum Digits: Hashable, Sendable {
    /// CLDR's digits for the currency: 2 for USD, 0 for JPY.
    case standard
    /// CLDR's digits and rounding step for cash: steps of 0.05 for CHF.
    case cash
    /// A fixed number of digits, 0 to 18.
    case fixed(Int)
    /// At least and at most so many digits, 0 to 18. Zeros after the lower bound are omitted: with `0...2`, `$5`,
    /// `$5.5` and `$5.25`.
    case range(ClosedRange<Int>)
  }

  /// The separation of integer digits into groups.
  public enum Grouping: String, Hashable, Sendable, CaseIterable, Codable {
    /// The locale's groups: `$1,234.00`, but `1234,00 €` in es-ES, which groups from five digits on.
    case auto
    /// Groups from four digits on in every locale: `1.234,00 €` in es-ES.
    case always
    /// Groups if the first one has at least two digits: `$1234.00`, `$12,345.00`.
    case min2
    /// No groups: `$1234567.00`.
    case never
  }

  /// The form of the currency.
  public var width: Width
  /// The treatment of a fraction of zeros.
  public var zeros: Zeros
  /// The form of signs.
  public var sign: Sign
  /// The number of digits after the decimal point. A range of one number becomes ``Digits/fixed(_:)``.
  public var digits: Digits {
    didSet { digits = digits.normalized }
  }
  /// The rounding mode for amounts with more digits than are displayed.
  public var rounding: RoundingMode
  /// The separation of integer digits into groups.
  public var grouping: Grouping
  /// CLDR's name of a decimal numbering system, such as `latn` or `arab`; `nil` for that of the price locale or of the
  /// merchant's override. It wins over both.
  public var numberingSystem: String?

  /// The allowed numbers of digits.
  static let fractionDigits = 0...Amount.maximumScale

  /// Creates a style. The defaults are the style of a store.
  public init(
    width: Width = .standard,
    zeros: Zeros = .keep,
    sign: Sign = .auto,
    digits: Digits = .standard,
    rounding: RoundingMode = .exact,
    grouping: Grouping = .auto,
    numberingSystem: String? = nil
  ) {
    self.width = width
    self.zeros = zeros
    self.sign = sign
    self.digits = digits.normalized
    self.rounding = rounding
    self.grouping = grouping
    self.numberingSystem = numberingSystem
  }

  /// A Boolean value that indicates whether the style is that of its spoken form.
  var isSpoken: Bool {
    guard width == .name else { return false }
    return switch sign {
    case .auto, .always, .never, .exceptZero, .negative: true
    case .accounting, .accountingAlways, .accountingExceptZero, .accountingNegative: false
    }
  }

  /// The style of the spoken form: with the currency's name, and without accounting brackets.
  var spoken: PriceStyle {
    var spoken = self
    spoken.width = .name
    switch sign {
    case .accounting: spoken.sign = .auto
    case .accountingAlways: spoken.sign = .always
    case .accountingExceptZero: spoken.sign = .exceptZero
    case .accountingNegative: spoken.sign = .negative
    case .auto, .always, .never, .exceptZero, .negative: break
    }
    return spoken
  }
}

extension PriceStyle: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, zeros, sign, digits, rounding, grouping
    case numberingSystem = "numbering"
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
      rounding: try container.decodeIfPresent(RoundingMode.self, forKey: .rounding) ?? .exact,
      grouping: try container.decodeIfPresent(Grouping.self, forKey: .grouping) ?? .auto,
      numberingSystem: try container.decodeIfPresent(String.self, forKey: .numberingSystem)
    )
  }

  /// Encodes an object of options. Grouping and the numbering system are written only if they are not the default.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(width, forKey: .width)
    try container.encode(zeros, forKey: .zeros)
    try container.encode(sign, forKey: .sign)
    try container.encode(digits, forKey: .digits)
    try container.encode(rounding, forKey: .rounding)
    if grouping != .auto { try container.encode(grouping, forKey: .grouping) }
    try container.encodeIfPresent(numberingSystem, forKey: .numberingSystem)
  }
}

extension PriceStyle.Digits: Codable, CustomStringConvertible {
  /// Creates digits from text: `standard`, `cash`, a number from 0 to 18, or a range such as `0-2`.
  ///
  /// - Throws: `.invalidOption` for any other text.
  public init(_ text: String) throws(PriceTagError) {
    switch text {
    case "standard": self = .standard
    case "cash": self = .cash
    default:
      let bounds = text.utf8.count <= 5 ? text.split(separator: "-", omittingEmptySubsequences: false) : []
      let numbers = bounds.compactMap(Self.number)
      guard numbers.count == bounds.count, let lower = numbers.first, let upper = numbers.last,
        numbers.count <= 2, lower <= upper
      else {
        throw PriceTagError(
          .invalidOption,
          "\(quoted(text)) is not a valid number of digits",
          fix: "use standard, cash, a number from 0 to \(Amount.maximumScale) or a range such as 0-2"
        )
      }
      self = Self.range(lower...upper).normalized
    }
  }

  /// Returns a number of digits, written with one or two digits; `nil` if the text is not such a number.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      PriceStyle.fractionDigits.contains(number)
    else { return nil }
    return number
  }

  /// The same digits, with a fixed number instead of a range of one number.
  var normalized: Self {
    if case .range(let range) = self, range.count == 1 { return .fixed(range.lowerBound) }
    return self
  }

  /// The text that `init(_:)` accepts.
  public var description: String {
    switch normalized {
    case .standard: "standard"
    case .cash: "cash"
    case .fixed(let digits): String(digits)
    case .range(let range): "\(range.lowerBound)-\(range.upperBound)"
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

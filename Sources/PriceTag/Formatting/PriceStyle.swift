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
///     PriceStyle(notation: .compactShort)             // $1.2K for 1200
///     PriceStyle(qualifier: .approximately)           // ~$1,234.00
///     PriceStyle(qualifier: .atLeast)                 // $1,234.00+
///     PriceStyle(writtenAs: .storeWeb())              // HUF1,234.00 for HUN, instead of 1\u{A0}234,00\u{A0}Ft
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

    /// A Boolean value that indicates whether negative amounts have the accounting form.
    var isAccounting: Bool {
      switch self {
      case .accounting, .accountingAlways, .accountingExceptZero, .accountingNegative: true
      case .auto, .always, .never, .exceptZero, .negative: false
      }
    }
  }

  /// The number of digits after the decimal point.
  public enum Digits: Hashable, Sendable {
    /// CLDR's digits for the currency: 2 for USD, 0 for JPY.
    case standard
    /// CLDR's digits and rounding step for cash: steps of 0.05 for CHF.
    case cash
    /// The digits of ISO 4217's minor unit, whatever CLDR displays: 2 for HUF and 3 for IQD. A currency without a minor unit,
    /// such as gold (XAU), is an error.
    case minorUnits
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

  /// The notation of large amounts.
  public enum Notation: String, Hashable, Sendable, CaseIterable, Codable {
    /// All digits: `$1,200,000.00`.
    case standard
    /// CLDR's short form of thousands, millions and so on: `$1.2M`.
    case compactShort = "compact-short"
    /// CLDR's long form, which it has beside full names: `1.2 million US dollars`. Beside symbols and codes, ICU writes the
    /// short form.
    case compactLong = "compact-long"
  }

  /// The mark of an amount that is not the exact price.
  public enum Qualifier: String, Hashable, Sendable, CaseIterable, Codable {
    /// No mark: `$5.00`.
    case none
    /// The locale's sign for "about", as ICU's range formatter writes it: `~$5.00`, `約$5.00`, `≈5,00\u{A0}€`. It cannot
    /// be combined with the accounting form, from which ICU omits it.
    case approximately
    /// CLDR's pattern for "this or more": `$5.00+`.
    case atLeast = "at-least"
  }

  /// The authority for the form of a price.
  public enum WrittenAs: Hashable, Sendable {
    /// ICU's form for the price locale and the currency.
    case icu
    /// The form of the web pages of the App Store's storefront, derived from the observations in `observations.json`.
    ///
    /// It needs a storefront, and allows no other option but a rounding mode. Amounts of the width ``Width/name`` and spoken
    /// forms keep ICU's form. The language is that of the page (BCP 47), for the stores whose form depends on it:
    /// `.storeWeb(language: "en")` writes `NT$690.00` in Taiwan, and `.storeWeb(language: "zh-Hant")` writes `$690.00`.
    case storeWeb(language: String? = nil)
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
  /// The notation of large amounts.
  public var notation: Notation
  /// The mark of an amount that is not the exact price.
  public var qualifier: Qualifier
  /// The authority for the form of a price.
  public var writtenAs: WrittenAs

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
    numberingSystem: String? = nil,
    notation: Notation = .standard,
    qualifier: Qualifier = .none,
    writtenAs: WrittenAs = .icu
  ) {
    self.width = width
    self.zeros = zeros
    self.sign = sign
    self.digits = digits.normalized
    self.rounding = rounding
    self.grouping = grouping
    self.numberingSystem = numberingSystem
    self.notation = notation
    self.qualifier = qualifier
    self.writtenAs = writtenAs
  }

  /// Whether the style differs from the default one at most in its rounding and form.
  var isDefault: Bool { self == PriceStyle(rounding: rounding, writtenAs: writtenAs) }

  /// A Boolean value that indicates whether a store's web form decides, which has no names of currencies.
  var isWebForm: Bool { writtenAs != .icu && width != .name }

  /// Checks that no options contradict each other.
  ///
  /// - Throws: `.invalidOption`.
  package func checkConsistency() throws(PriceTagError) {
    guard !isWebForm || isDefault else {
      throw PriceTagError(
        .invalidOption,
        "the web form of a store has no other width, sign, digits or notation",
        fix: "remove the other style options, or use the form icu"
      )
    }
    guard qualifier != .approximately || !sign.isAccounting else {
      throw PriceTagError(
        .invalidOption,
        "an approximate price cannot have the sign \(sign.rawValue): ICU omits \"about\" inside parentheses",
        fix: "use the sign auto, or no qualifier"
      )
    }
    guard notation == .standard || digits != .cash && digits != .minorUnits else {
      throw PriceTagError(
        .invalidOption,
        "compact notation has no \(digits) digits",
        fix: "use standard digits, a number of digits, or standard notation"
      )
    }
  }

  /// A Boolean value that indicates whether the style is that of its spoken form.
  var isSpoken: Bool { width == .name && notation != .compactShort && !sign.isAccounting }

  /// The style of the spoken form: with the currency's name, and without accounting brackets.
  var spoken: PriceStyle {
    var spoken = self
    (spoken.width, spoken.writtenAs) = (.name, .icu)
    if notation == .compactShort { spoken.notation = .compactLong }
    switch sign {
    case .accounting: spoken.sign = .auto
    case .accountingAlways: spoken.sign = .always
    case .accountingExceptZero: spoken.sign = .exceptZero
    case .accountingNegative: spoken.sign = .negative
    case .auto, .always, .never, .exceptZero, .negative: break
    }
    return spoken
  }

  /// The style in standard notation, for amounts of which a compact spoken form would lose digits.
  var uncompacted: PriceStyle {
    var style = self
    style.notation = .standard
    style.rounding = .exact
    // An amount that the displayed form writes with all its thousands has no fraction in ICU's digits.
    if style.digits == .standard { style.digits = .fixed(0) }
    return style
  }
}

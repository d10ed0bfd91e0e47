/// The style of a price: the width of the currency, signs, digits, groups and rounding.
///
///     PriceStyle()                        // $1,234.00
///     PriceStyle(width: .iso)             // USD 1,234.00
///     PriceStyle(width: .name)            // 1,234.00 US dollars
///     PriceStyle(rounding: .halfEven)     // $1,234.57 for 1234.567
///
/// A pack has the styles that it was written with, and every rounding mode. Another style is `.missingFromPack`.
public struct PriceStyle: Hashable, Sendable {
  /// The form of the currency: a symbol, a code or a name.
  public enum Width: String, Hashable, Sendable, CaseIterable {
    /// The symbol that is unambiguous in the locale: `CA$5.00` for CAD in en-US.
    case standard
    /// The shortest symbol, which may be ambiguous: `$5.00` for CAD in en-US.
    case narrow
    /// The ISO 4217 code: `USD 4.99`.
    case iso
    /// The full name, in the plural form of the displayed digits: `1.00 US dollars`.
    case name
    /// No currency: `5.00`.
    case hidden
    /// The symbol for formal text, where CLDR has one, otherwise the standard symbol: `NT$5.00` for TWD in zh-TW.
    case formal
    /// CLDR's alternative symbol, where it has one, otherwise the standard symbol: `TL` instead of `₺` for TRY.
    case variant
    /// The standard symbol, or the code if another current currency has the same narrow symbol in the locale.
    case unambiguous
  }

  /// The treatment of a fraction of zeros.
  public enum Zeros: String, Hashable, Sendable, CaseIterable {
    /// Writes the zeros: `$5.00`.
    case keep
    /// Omits a fraction if all its digits are zero: `$5`, but `$5.50`.
    case trim
  }

  /// The form of signs.
  public enum Sign: String, Hashable, Sendable, CaseIterable {
    /// A sign before negative amounts: `-$4.99`.
    case auto
    /// The locale's accounting form: `($4.99)`.
    case accounting
    /// A sign before every amount: `+$4.99`.
    case always
    /// No sign.
    case never
    /// A sign before every amount except zero: `+$4.99`, `$0.00`.
    case exceptZero = "except-zero"
    /// The accounting form, with a sign before amounts of zero or more.
    case accountingAlways = "accounting-always"
    /// The accounting form, with a sign before amounts above zero.
    case accountingExceptZero = "accounting-except-zero"
    /// A sign before amounts below zero.
    case negative
    /// The accounting form for amounts below zero.
    case accountingNegative = "accounting-negative"
  }

  /// The number of digits after the decimal point.
  public enum Digits: Hashable, Sendable {
    /// CLDR's digits for the currency: 2 for USD, 0 for JPY.
    case standard
    /// CLDR's digits and rounding step for cash: steps of 0.05 for CHF.
    case cash
    /// The digits of ISO 4217's minor unit, whatever CLDR displays.
    case minorUnits
    /// A fixed number of digits, 0 to 18.
    case fixed(Int)
    /// At least and at most so many digits, 0 to 18.
    case range(ClosedRange<Int>)
  }

  /// The separation of integer digits into groups.
  public enum Grouping: String, Hashable, Sendable, CaseIterable {
    /// The locale's groups: `$1,234.00`, but `1234,00 €` in es-ES, which groups from five digits on.
    case auto
    /// Groups from four digits on in every locale.
    case always
    /// Groups if the first one has at least two digits: `$1234.00`, `$12,345.00`.
    case min2
    /// No groups: `$1234567.00`.
    case never
  }

  /// The mark of an amount that is not the exact price.
  public enum Qualifier: String, Hashable, Sendable, CaseIterable {
    /// No mark: `$5.00`.
    case none
    /// The locale's sign for "about": `~$5.00`.
    case approximately
    /// CLDR's pattern for "this or more": `$5.00+`.
    case atLeast = "at-least"
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
  /// The separation of integer digits into groups.
  public var grouping: Grouping
  /// CLDR's name of a decimal numbering system, such as `latn`; `nil` for that of the price locale.
  public var numberingSystem: String?
  /// The mark of an amount that is not the exact price.
  public var qualifier: Qualifier
  /// The reference of unit prices, such as `kg`, `100 mL` or `m2`, whose amounts are prices per unit: `€2.49/kg`; `nil` for
  /// other prices.
  public var per: String?

  /// Creates a style. The defaults are the style of a store.
  public init(
    width: Width = .standard,
    zeros: Zeros = .keep,
    sign: Sign = .auto,
    digits: Digits = .standard,
    rounding: RoundingMode = .exact,
    grouping: Grouping = .auto,
    numberingSystem: String? = nil,
    qualifier: Qualifier = .none,
    per: String? = nil
  ) {
    (self.width, self.zeros, self.sign, self.digits) = (width, zeros, sign, digits)
    (self.rounding, self.grouping, self.numberingSystem) = (rounding, grouping, numberingSystem)
    (self.qualifier, self.per) = (qualifier, per)
  }

  /// The bytes that identify the style in a pack. Each option has the place of its value in the list of all values.
  var packKey: [UInt8] {
    var key = [UInt8](repeating: 0, count: PackBytes.Style.keyLength)
    func place<Option: CaseIterable & Equatable>(_ option: Option) -> UInt8 {
      UInt8(Array(Option.allCases).firstIndex(of: option) ?? 0)
    }
    // No pack has more than 18 digits.
    func number(_ digits: Int) -> UInt8 { UInt8(clamping: digits) }
    (key[0], key[1], key[2], key[6]) = (place(width), place(zeros), place(sign), place(grouping))
    key[8] = place(qualifier)
    switch digits {
    case .standard: break
    case .cash: key[3] = 1
    case .minorUnits: key[3] = 4
    case .fixed(let count): (key[3], key[4], key[5]) = (2, number(count), number(count))
    case .range(let range):
      (key[4], key[5]) = (number(range.lowerBound), number(range.upperBound))
      key[3] = key[4] == key[5] ? 2 : 3
    }
    func store(_ text: String, at place: Int, length: Int) {
      for (index, byte) in text.utf8.prefix(length).enumerated() { key[place + index] = byte }
    }
    typealias Style = PackBytes.Style
    store(numberingSystem ?? "", at: Style.numbering, length: Style.numberingLength)
    let per = per ?? ""
    // A reference that is too long has no spaces: 100floz.
    store(
      per.utf8.count > Style.unitLength ? per.filter { $0 != " " } : per,
      at: Style.unit,
      length: Style.unitLength
    )
    return key
  }
}

import CICU
import PriceTagText

/// A currency of ISO 4217.
///
/// Three numbers of digits are kept apart, because shops that mixed them up have charged a hundredfold:
///
/// - `minorUnitDigits`: how ISO 4217 divides the currency. Used to read an amount of minor units, never to show one.
/// - `minorUnitDigits(for:)`: how a payment provider counts, where it differs from ISO.
/// - `standardDisplay` and `cashDisplay`: how many digits CLDR shows, in accounts and in cash. Used only to show.
///
/// Example:
///
///     let dinar = try Currency("IQD")
///     dinar.minorUnitDigits          // 3, by ISO 4217
///     dinar.standardDisplay.digits   // 0, by CLDR
public struct Currency: Hashable, Sendable, CustomStringConvertible {
  /// What kind of code it is.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Money that people pay with.
    case currency
    /// A fund or unit of account of a country, such as CLF.
    case fund
    /// A precious metal, such as XAU.
    case metal
    /// A unit of account of several countries, such as XDR.
    case unit
  }

  /// How many digits are displayed, and in which steps.
  public struct Display: Hashable, Sendable {
    /// Digits after the decimal point.
    public let digits: Int
    /// The rounding step in units of the last digit: 5 for CHF in cash (0.05), else 1 mostly.
    public let step: Int
  }

  /// What the data file says of a code. One for all copies of a currency.
  final class Record: Sendable {
    let code: String
    let numericCode: Int?
    let kind: Kind
    let minorUnitDigits: Int?
    let firstDay: CalendarDate?
    let lastDay: CalendarDate?
    let successor: String?
    let minorUnitExceptions: MinorUnitExceptions
    let override: CurrencyOverride?

    init(
      code: String,
      numericCode: Int?,
      kind: Kind,
      minorUnitDigits: Int?,
      firstDay: CalendarDate?,
      lastDay: CalendarDate?,
      successor: String?,
      minorUnitExceptions: MinorUnitExceptions,
      override: CurrencyOverride?
    ) {
      self.code = code
      self.numericCode = numericCode
      self.kind = kind
      self.minorUnitDigits = minorUnitDigits
      self.firstDay = firstDay
      self.lastDay = lastDay
      self.successor = successor
      self.minorUnitExceptions = minorUnitExceptions
      self.override = override
    }
  }

  let record: Record

  init(record: Record) {
    self.record = record
  }

  /// The currency of a code, in three letters of any case; historic ones too.
  ///
  ///     try Currency("EUR").code    // "EUR"
  ///     try Currency("USDC")        // throws: "USDC" is not an ISO 4217 code …
  ///
  /// - Parameters:
  ///   - code: The ISO 4217 code.
  ///   - localeData: Where the codes are read from.
  /// - Throws: `.unknownCurrency`, with the closest match; `.invalidLocaleData` where the data cannot be read.
  public init(_ code: String, in localeData: LocaleData = .embedded) throws(PriceTagError) {
    self = try localeData.currency(code)
  }

  /// The ISO 4217 code, such as `EUR`.
  public var code: String { record.code }

  /// ISO 4217's three-digit number, such as 978.
  public var numericCode: Int? { record.numericCode }

  /// Money, a fund, a metal or a unit of account.
  public var kind: Kind { record.kind }

  /// How many digits ISO 4217 gives the minor unit: 2 for USD, 0 for JPY, 3 for IQD; `nil` where it gives none.
  public var minorUnitDigits: Int? { record.minorUnitDigits }

  /// The first day the code is valid, where the data has it.
  public var firstDay: CalendarDate? { record.firstDay }

  /// The last day the code was valid; `nil` for a current one.
  public var lastDay: CalendarDate? { record.lastDay }

  /// The code that replaced a historic one: EUR for BGN.
  public var successor: String? { record.successor }

  /// Whether the code is valid on a day.
  public func isCurrent(on date: CalendarDate) -> Bool {
    (firstDay.map { $0 <= date } ?? true) && (lastDay.map { date <= $0 } ?? true)
  }

  /// How many digits a payment provider gives the minor unit, where it differs from ISO 4217, else ISO's.
  ///
  ///     try Currency("ISK").minorUnitDigits(for: "stripe")   // 2, where ISO says 0
  ///
  /// - Parameter provider: A provider of `currencies.json`, in lower case, such as `stripe`; `iso` for ISO 4217.
  /// - Throws: `.unknownProvider`; `.noMinorUnit` where neither defines one.
  public func minorUnitDigits(for provider: String) throws(PriceTagError) -> Int {
    let exceptions = try record.minorUnitExceptions.table()
    guard provider == "iso" || exceptions.providers.contains(provider) else {
      let known = (["iso"] + exceptions.providers).joined(separator: ", ")
      throw PriceTagError(
        .unknownProvider,
        "no minor units are known for the provider \(quoted(provider))",
        fix: "use one of \(known)"
      )
    }
    guard let digits = exceptions.digits[code]?[provider] ?? minorUnitDigits else {
      throw PriceTagError(
        .noMinorUnit,
        "ISO 4217 gives \(code) no minor unit",
        fix: "write the amount as decimal text"
      )
    }
    return digits
  }

  /// How CLDR displays the currency in accounts and prices.
  public var standardDisplay: Display { display(cash: false) }

  /// How CLDR displays the currency in cash: CHF in steps of 0.05.
  public var cashDisplay: Display { display(cash: true) }

  private func display(cash: Bool) -> Display {
    var digits = CICUCurrencyDigits()
    // ICU answers its default, two digits, for a code it lacks, and fails only without memory.
    guard cicu_currency_digits(code, cash, &digits) else { return Display(digits: 2, step: 1) }
    return Display(digits: Int(digits.digits), step: Int(digits.step))
  }

  /// The code.
  public var description: String { code }

  /// Whether both are the same code.
  public static func == (first: Currency, second: Currency) -> Bool {
    first.record === second.record || first.code == second.code
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Currency: Codable {
  /// Reads an ISO 4217 code of the embedded data.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText { text throws(PriceTagError) in try Currency(text) }
  }

  /// Writes the code.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(code)
  }
}

import CICU
import PriceTagText

/// A currency of ISO 4217, or one of a merchant's own.
///
///     let dinar = try Currency("IQD")
///     dinar.minorUnitDigits          // 3, from ISO 4217
///     dinar.standardDisplay.digits   // 0, from CLDR
///
/// A currency has three different numbers of digits. A shop that confuses them may charge a hundred times the price:
///
/// - ``minorUnitDigits``: the digits of ISO 4217's minor unit. Use them to read amounts in minor units.
/// - ``minorUnitDigits(for:)``: the digits of a payment provider's minor unit, where it differs from ISO 4217.
/// - ``standardDisplay`` and ``cashDisplay``: the digits that CLDR displays. Formatters use them.
///
/// See <doc:ThreeKindsOfDigits>.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a code.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Money for payments.
    case currency
    /// A country's fund or unit of account, such as CLF.
    case fund
    /// A precious metal, such as XAU.
    case metal
    /// A unit of account of several countries, such as XDR.
    case unit
    /// A currency of a merchant's own, such as the coins of a game, from `custom-currencies.json`.
    case custom
  }

  /// The number of displayed digits and the rounding step.
  public struct Display: Hashable, Sendable {
    /// The number of digits after the decimal point.
    public let digits: Int
    /// The rounding step in units of the last digit: 5 for CHF in cash (0.05), and 1 for most currencies.
    public let step: Int
  }

  /// The data of a currency.
  struct Record: Sendable {
    let code: String
    var numericCode: Int?
    let kind: Kind
    let minorUnitDigits: Int?
    var firstDay: CalendarDate?
    var lastDay: CalendarDate?
    var successor: String?
    let minorUnitExceptions: MinorUnitExceptions
    let override: CurrencyOverride?
    /// The data of a custom currency; `nil` for one of ISO 4217.
    var custom: CustomCurrency?
    /// The symbols of the registry's currencies.
    let narrowSymbols: NarrowSymbols.Registry
    /// The pack that formats the prices of a pinned registry; `nil` for ICU.
    var pack: Pack?
  }

  /// The record, which all copies of a currency share.
  private let shared: Box<Record>

  var record: Record { shared.value }

  /// The identity of the currency's data in its registry.
  package var identity: ObjectIdentifier { ObjectIdentifier(shared) }

  init(record: Record) {
    shared = Box(record)
  }

  /// Returns the currency of a pinned registry.
  func pinned(to pack: Pack) -> Currency {
    var record = record
    record.pack = pack
    return Currency(record: record)
  }

  /// Creates the current, historic or custom currency with a code. Case does not matter.
  ///
  ///     try Currency("EUR").code    // "EUR"
  ///     try Currency("USDC")        // throws: unknown currency "USDC"; did you mean "USD"?
  ///
  /// - Parameters:
  ///   - code: The ISO 4217 code, or that of a custom currency of the registry.
  ///   - localeData: The registry of currencies.
  /// - Throws: `.unknownCurrency`, with the closest match if there is one; `.invalidLocaleData` if the registry cannot be
  ///   read.
  public init(_ code: String, in localeData: LocaleData = .embedded) throws(PriceTagError) {
    self = try localeData.currency(code)
  }

  /// The ISO 4217 code, such as `EUR`, or that of a custom currency, such as `GEMS`.
  public var code: String { record.code }

  /// The number in ISO 4217, such as 978.
  public var numericCode: Int? { record.numericCode }

  /// The kind of the code: money, a fund, a metal, a unit of account or a custom currency.
  public var kind: Kind { record.kind }

  /// The number of digits of ISO 4217's minor unit: 2 for USD, 0 for JPY, 3 for IQD; `nil` if ISO 4217 defines none. Of a
  /// custom currency, the digits in `custom-currencies.json`.
  public var minorUnitDigits: Int? { record.minorUnitDigits }

  /// The first day on which the code is valid; `nil` if it is not in the data.
  public var firstDay: CalendarDate? { record.firstDay }

  /// The last day on which the code was valid; `nil` for a current code.
  public var lastDay: CalendarDate? { record.lastDay }

  /// The code that replaced a historic code: EUR for BGN.
  public var successor: String? { record.successor }

  /// Returns whether the code is valid on a date.
  public func isCurrent(on date: CalendarDate) -> Bool {
    (firstDay.map { $0 <= date } ?? true) && (lastDay.map { date <= $0 } ?? true)
  }

  /// Returns the number of digits of a payment provider's minor unit. It is ISO 4217's unless the provider differs.
  ///
  ///     try Currency("ISK").minorUnitDigits(for: "stripe")   // 2
  ///     try Currency("ISK").minorUnitDigits(for: "iso")      // 0
  ///
  /// - Parameter provider: A provider in `currencies.json` in lower case, such as `stripe`; `iso` for ISO 4217.
  /// - Throws: `.unknownProvider`; `.noMinorUnit` if neither the provider nor ISO 4217 defines a minor unit.
  public func minorUnitDigits(for provider: String) throws(PriceTagError) -> Int {
    let exceptions = try record.minorUnitExceptions.table()
    guard provider == "iso" || exceptions.providers.contains(provider) else {
      let providers = (["iso"] + exceptions.providers).joined(separator: ", ")
      throw PriceTagError(
        .unknownProvider,
        "unknown provider \(quoted(provider))",
        fix: "use one of \(providers)"
      )
    }
    guard let digits = exceptions.digits[code]?[provider] ?? minorUnitDigits else {
      throw PriceTagError(
        .noMinorUnit,
        "\(code) has no minor unit in ISO 4217",
        fix: "write the amount as decimal text, such as \"4.99\""
      )
    }
    return digits
  }

  /// The digits that CLDR displays in prices and accounts. Of a custom currency, the digits in `custom-currencies.json`. In a
  /// registry that is pinned to a pack, those of the pack if it has the currency.
  public var standardDisplay: Display { display(cash: false) }

  /// The digits that CLDR displays for cash: CHF in steps of 0.05.
  public var cashDisplay: Display { display(cash: true) }

  private func display(cash: Bool) -> Display {
    if let display = record.pack?.display(of: code, cash: cash) { return display }
    if let custom = record.custom { return Display(digits: custom.digits, step: 1) }
    var digits = CICUCurrencyDigits()
    // ICU returns two digits for a code that it does not have. It fails only without memory.
    guard cicu_currency_digits(code, cash, &digits) else { return Display(digits: 2, step: 1) }
    return Display(digits: Int(digits.digits), step: Int(digits.step))
  }

  /// The code.
  public var description: String { code }

  /// Returns whether two currencies have the same code.
  public static func == (first: Currency, second: Currency) -> Bool {
    first.shared === second.shared || first.code == second.code
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Currency: Codable {
  /// Decodes an ISO 4217 code of the embedded data.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(#"write a currency code, such as "JPY""#) { text throws(PriceTagError) in
      try Currency(text)
    }
  }

  /// Encodes the code.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(code)
  }
}

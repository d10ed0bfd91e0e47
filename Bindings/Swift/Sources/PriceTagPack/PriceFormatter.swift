/// Writes and reads prices of one storefront, or of one price locale and currency.
///
///     let formatter = try PriceFormatter(storefront: "CHE")
///     try formatter.string(for: Amount(decimal: "1234.50"))        // "CHF\u{A0}1’234.50"
///     try formatter.spoken(for: Amount(decimal: "1234.50"))        // "1’234.50 Schweizer Franken"
///     try formatter.read("CHF 1'234.50", isLenient: true)          // 1234.50
///
/// A formatter never converts a currency, and never rounds unless a rounding mode is named.
public struct PriceFormatter: Sendable {
  private let formatter: PackFormatter

  /// Creates a formatter for the prices of a storefront in the standard style.
  ///
  /// - Parameters:
  ///   - storefront: The identifier of the storefront, alpha-3 or alpha-2.
  ///   - date: The date that decides the currency of a store that has changed it; other stores need none.
  ///   - pack: The pack; `nil` for that of this package.
  /// - Throws: `.unknownStorefront`; `.missingDate`; `.missingFromPack`; `.invalidPack`.
  public init(storefront: String, on date: CalendarDate? = nil, in pack: Pack? = nil) throws(PriceTagError) {
    let bytes = try Self.pack(pack).bytes
    let style = try Self.standardStyle(bytes)
    do throws(PackProblem) {
      formatter = try Pack.withBytes(storefront) { (id) throws(PackProblem) in
        try bytes.formatter(storefront: id, date: date?.packNumber ?? 0, style: style)
      }
    } catch { throw PriceTagError(error) }
  }

  /// Creates a formatter for a currency in a price locale, such as `CHF` in `de-CH`.
  ///
  /// - Throws: `.unknownLocale`; `.unknownCurrency`; `.missingFromPack`; `.invalidPack`.
  public init(locale: String, currency: String, in pack: Pack? = nil) throws(PriceTagError) {
    let bytes = try Self.pack(pack).bytes
    let style = try Self.standardStyle(bytes)
    do throws(PackProblem) {
      formatter = try Pack.withBytes(locale) { (tag) throws(PackProblem) in
        try Pack.withBytes(currency) { (code) throws(PackProblem) in
          try bytes.formatter(locale: tag, currency: code, style: style)
        }
      }
    } catch { throw PriceTagError(error) }
  }

  private static func pack(_ pack: Pack?) throws(PriceTagError) -> Pack {
    if let pack { return pack }
    return try Pack.embedded
  }

  private static func standardStyle(_ bytes: PackBytes) throws(PriceTagError) -> Int {
    let key = [UInt8](repeating: 0, count: PackBytes.Style.keyLength)
    guard let style = key.withUnsafeBytes({ $0.baseAddress.flatMap { bytes.style($0) } }) else {
      throw PriceTagError(PackProblem.missingStyle)
    }
    return style
  }

  /// Returns an amount as text.
  ///
  /// - Throws: `.needsRounding` if the amount has more decimals than are displayed and the mode is `exact`; `.amountOutOfRange`.
  public func string(for amount: Amount, rounding: RoundingMode = .exact) throws(PriceTagError) -> String {
    try Self.string(amount, rounding, formatter)
  }

  /// Returns an amount with the full name of the currency.
  ///
  /// - Throws: The errors of `string(for:rounding:)`; `.missingFromPack` if the pack has no spoken forms.
  public func spoken(for amount: Amount, rounding: RoundingMode = .exact) throws(PriceTagError) -> String {
    guard let spoken = formatter.spoken else { throw PriceTagError(PackProblem.missingStyle) }
    return try Self.string(amount, rounding, spoken)
  }

  private static func string(
    _ amount: Amount,
    _ rounding: RoundingMode,
    _ formatter: PackFormatter
  ) throws(PriceTagError) -> String {
    let (displayed, pattern): (Amount, PatternBytes)
    do throws(AmountProblem) { (displayed, pattern) = try formatter.displayed(amount, rounding) } catch {
      throw PriceTagError(error, "\(amount)")
    }
    var length = -1
    let text = String(unsafeUninitializedCapacity: PatternBytes.maximumCapacity) { buffer in
      length = pattern.write(displayed, within: UnsafeMutableBufferPointer(rebasing: buffer[...]))
      return max(0, length)
    }
    guard length >= 0 else { throw PriceTagError(PackProblem.missingFormatter) }
    return text
  }

  /// Reads a price back.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isLenient: Whether other spaces, marks, apostrophes, signs and names of the currency are accepted.
  /// - Throws: `.notAPrice`, `.notAsWritten`, `.ambiguousNumber`, `.amountOutOfRange`, `.textTooLong`, with the place of the
  ///   first difference.
  public func read(_ text: String, isLenient: Bool = false) throws(PriceTagError) -> Amount {
    let found = Pack.withBytes(text) { bytes in
      bytes.baseAddress.map { formatter.read($0, count: bytes.count, isLenient: isLenient) }
        ?? ReadText(problem: .notAPrice, difference: 0)
    }
    guard let problem = found.problem else { return found.amount }
    let (code, reason): (PriceTagError.Code, String) =
      switch problem {
      case .amountOutOfRange: (.amountOutOfRange, "has too many digits")
      case .notAPrice: (.notAPrice, "has no digits")
      case .notAsWritten: (.notAsWritten, "is not what the formatter writes for any amount")
      case .ambiguousNumber: (.ambiguousNumber, "could be several amounts")
      case .textTooLong: (.textTooLong, "is longer than 4,096 bytes")
      }
    let shown = String(text.prefix(64)).debugDescription
    throw PriceTagError(code, "\(shown) \(reason)", fix: "correct the text", difference: found.difference)
  }
}

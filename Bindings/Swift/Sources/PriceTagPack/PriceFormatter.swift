/// Writes and reads prices of one storefront, or of one price locale and currency.
///
///     let formatter = try PriceFormatter(storefront: "CHE")
///     try formatter.string(for: Amount(decimal: "1234.50"))          // "CHF\u{A0}1’234.50"
///     try formatter.format(Amount(decimal: "1234.50")).spoken        // "1’234.50 Schweizer Franken"
///     try formatter.read("CHF 1'234.50", isLenient: true)            // 1234.50
///
/// A formatter never converts a currency, and never rounds unless its style names a rounding mode.
public struct PriceFormatter: Sendable {
  private let formatter: PackFormatter
  /// The code of the currency, such as `CHF`.
  public let currency: String
  /// The price locale, such as `de-CH`.
  public let locale: String
  /// The style of the prices.
  public let style: PriceStyle

  /// Creates a formatter for the prices of a storefront.
  ///
  /// - Parameters:
  ///   - storefront: The identifier of the storefront, alpha-3 or alpha-2.
  ///   - currency: The currency: the one that the storefront charges on the date, or a custom currency that it charges too;
  ///     `nil` for the first.
  ///   - date: The date that decides the currency of a store that has changed it; other stores need none.
  ///   - style: The style of the prices.
  ///   - pack: The pack; `nil` for ``Pack/embedded``.
  /// - Throws: `.unknownStorefront`; `.missingDate`; `.unknownCurrency` and `.currencyMismatch` for another currency;
  ///   `.missingFromPack`; `.invalidPack`.
  public init(
    storefront: String,
    currency: String? = nil,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle(),
    in pack: Pack? = nil
  ) throws(PriceTagError) {
    let bytes = try Self.bytes(of: pack)
    let day = date?.packNumber ?? 0
    do throws(PackProblem) {
      let index = try Self.index(of: style, bytes)
      (formatter, self.currency, locale) = try Pack.withBytes(storefront) { (id) throws(PackProblem) in
        guard let currency else {
          let period = try bytes.period(ofStorefront: id, on: day)
          let found = try bytes.formatter(storefront: id, date: day, style: index)
          return (found, bytes.currencyCode(period.currency), bytes.localeTag(period.locale))
        }
        return try Pack.withBytes(currency) { (code) throws(PackProblem) in
          let period = try bytes.period(ofStorefront: id, currency: code, on: day)
          let found = try bytes.formatter(storefront: id, currency: code, date: day, style: index)
          return (found, bytes.currencyCode(period.currency), bytes.localeTag(period.locale))
        }
      }
    } catch { throw PriceTagError(error, storefront: storefront, currency: currency) }
    self.style = style
  }

  /// Creates a formatter for a currency in a price locale, such as `CHF` in `de-CH`.
  ///
  /// - Parameters:
  ///   - locale: The BCP 47 tag of the price locale.
  ///   - currency: The code of the currency.
  ///   - style: The style of the prices.
  ///   - pack: The pack; `nil` for ``Pack/embedded``, which has the price locales of storefronts.
  /// - Throws: `.unknownLocale`; `.unknownCurrency`; `.missingFromPack`; `.invalidPack`.
  public init(
    locale: String,
    currency: String,
    style: PriceStyle = PriceStyle(),
    in pack: Pack? = nil
  ) throws(PriceTagError) {
    let bytes = try Self.bytes(of: pack)
    do throws(PackProblem) {
      let index = try Self.index(of: style, bytes)
      (formatter, self.currency, self.locale) = try Pack.withBytes(locale) { (tag) throws(PackProblem) in
        try Pack.withBytes(currency) { (code) throws(PackProblem) in
          let found = try bytes.formatter(locale: tag, currency: code, style: index)
          // Both are in the pack, because it has their formatter.
          let names = (bytes.currency(code).map(bytes.currencyCode), bytes.locale(tag).map(bytes.localeTag))
          return (found, names.0 ?? currency, names.1 ?? locale)
        }
      }
    } catch { throw PriceTagError(error, locale: locale, currency: currency) }
    self.style = style
  }

  private static func bytes(of pack: Pack?) throws(PriceTagError) -> PackBytes {
    if let pack { return pack.bytes }
    return try Pack.embedded.bytes
  }

  private static func index(of style: PriceStyle, _ bytes: PackBytes) throws(PackProblem) -> Int {
    let index = style.packKey.withUnsafeBytes { key in key.baseAddress.flatMap { bytes.style($0) } }
    guard let index else { throw .missingStyle }
    return index
  }

  // MARK: Formatting

  /// Returns an amount as a formatted price, with its text, parts, direction and spoken form.
  ///
  /// - Throws: `.needsRounding` if the amount has more decimals than are displayed and the style names no rounding mode;
  ///   `.amountOutOfRange`; `.missingFromPack` if the pack has no form for the plural category of the amount.
  public func format(_ amount: Amount) throws(PriceTagError) -> FormattedPrice {
    let (displayed, pattern) = try displayed(amount, formatter)
    return FormattedPrice(
      text: try text(displayed, pattern),
      amount: amount,
      displayedAmount: displayed,
      formatter: self,
      pattern: pattern
    )
  }

  /// Returns an amount as text only.
  ///
  /// - Throws: The errors of ``format(_:)``.
  public func string(for amount: Amount) throws(PriceTagError) -> String {
    let (displayed, pattern) = try displayed(amount, formatter)
    return try text(displayed, pattern)
  }

  /// The maximum number of bytes that ``write(_:into:)`` needs.
  public var maximumUTF8Count: Int { formatter.capacity }

  /// Writes an amount as UTF-8 into a buffer, and returns the number of bytes. This allocates no memory.
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - buffer: The buffer. Bytes after the price may be overwritten too.
  /// - Throws: `.bufferTooSmall`; the errors of ``format(_:)``.
  public func write(
    _ amount: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    let (displayed, pattern) = try displayed(amount, formatter)
    let count = pattern.write(displayed, within: buffer)
    guard count >= 0 else { throw PriceTagError.missingForm(of: displayed) }
    guard count <= buffer.count else {
      throw PriceTagError(
        .bufferTooSmall,
        "the price has \(count) bytes, but the buffer has \(buffer.count)",
        fix: "use a buffer of maximumUTF8Count bytes"
      )
    }
    return count
  }

  /// The maximum number of digits that are displayed after the decimal separator.
  public var digits: Int { formatter.fractionDigits }

  /// A Boolean value that indicates whether the pack has spoken forms of the prices.
  public var hasSpokenForms: Bool { formatter.spoken != nil }

  /// Returns the spoken form of an amount; `nil` if the pack has none.
  func spokenText(of amount: Amount) throws(PriceTagError) -> String? {
    guard let spoken = formatter.spoken else { return nil }
    let (displayed, pattern) = try displayed(amount, spoken)
    return try text(displayed, pattern)
  }

  private func displayed(
    _ amount: Amount,
    _ formatter: PackFormatter
  ) throws(PriceTagError) -> (Amount, PatternBytes) {
    do throws(AmountProblem) { return try formatter.displayed(amount, style.rounding) } catch {
      throw PriceTagError(error, "\(amount) \(currency)", digits: digits)
    }
  }

  private func text(_ displayed: Amount, _ pattern: PatternBytes) throws(PriceTagError) -> String {
    var length = -1
    let text = String(unsafeUninitializedCapacity: PatternBytes.maximumCapacity) { buffer in
      length = pattern.write(displayed, within: UnsafeMutableBufferPointer(rebasing: buffer[...]))
      return max(0, length)
    }
    guard length >= 0 else { throw PriceTagError.missingForm(of: displayed) }
    return text
  }

  // MARK: Reading

  /// Reads a price back.
  ///
  ///     let germany = try PriceFormatter(storefront: "DEU")
  ///     try germany.read("1.234,50\u{A0}€")                    // 1234.50
  ///     try germany.read("EUR 1.234,50", isLenient: true)      // 1234.50
  ///     try germany.read("1,234.50 €", isLenient: true)        // throws: … is not what the formatter writes …
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
    throw PriceTagError(
      code,
      "\(PriceTagError.quoted(text)) \(reason)",
      fix: "correct the text",
      difference: found.difference
    )
  }
}

extension PackBytes {
  /// Returns the code of the currency with an index.
  func currencyCode(_ index: Int) -> String { String(decoding: code(ofCurrency: index), as: UTF8.self) }

  /// Returns the tag of the price locale with an index.
  func localeTag(_ index: Int) -> String { String(decoding: text(ofLocale: index), as: UTF8.self) }
}

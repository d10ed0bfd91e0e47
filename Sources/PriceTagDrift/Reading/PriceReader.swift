import PriceTag
import PriceTagText

/// Reads a displayed price back into its amount and currency, as its price locale writes them.
///
///     let reader = try PriceReader(storefront: Storefront("CHE"))
///     try reader.read("CHF\u{A0}1’234.50").amount              // 1234.50
///     try reader.read("CHF 1'234.50")                          // throws: it is written otherwise
///     try reader.read("CHF 1'234.50", .lenient).amount         // 1234.50
///     try reader.read("USD 4.99", .lenient).currency           // USD
///
/// Nothing is guessed: what could be two amounts or two currencies is an error.
public struct PriceReader: Sendable {
  /// What is accepted.
  public enum Strictness: String, Hashable, Sendable, CaseIterable, Codable {
    /// What the formatter writes, byte for byte.
    case strict
    /// Also other spaces, marks of direction, apostrophes, digits, signs and groups; the symbol, code or name on either
    /// side; and other currencies.
    case lenient
  }

  /// The formatter whose prices are read.
  public let formatter: PriceFormatter
  let notation: PriceNotation
  private let symbols: CurrencySymbols

  /// A reader of what a formatter writes.
  ///
  /// - Parameters:
  ///   - formatter: The formatter.
  ///   - localeData: The currencies that a display may name besides the formatter's; historic ones are not among them.
  public init(_ formatter: PriceFormatter, in localeData: LocaleData = .embedded) {
    self = PriceReaders(in: localeData).reader(formatter)
  }

  init(_ formatter: PriceFormatter, _ symbols: CurrencySymbols) {
    (self.formatter, self.symbols) = (formatter, symbols)
    notation = PriceNotation(formatter)
  }

  /// A reader of a storefront's prices.
  ///
  /// - Throws: `.formattingFailed`, as `PriceFormatter.init(storefront:)` does.
  public init(
    storefront: Storefront,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle(),
    in localeData: LocaleData = .embedded
  ) throws(DriftError) {
    do throws(PriceTagError) {
      self.init(try PriceFormatter(storefront: storefront, on: date, style: style), in: localeData)
    } catch { throw DriftError(.formattingFailed, error) }
  }

  /// The price that a text shows: with as many decimals as are displayed, in the formatter's locale.
  ///
  /// - Throws: `.notAPrice`, `.malformedNumber`, `.ambiguousNumber`, `.amountOutOfRange`; `.unknownCurrency`,
  ///   `.ambiguousCurrency`; strictly also `.notAsWritten`.
  public func read(_ text: String, _ strictness: Strictness = .strict) throws(DriftError) -> Price {
    let anatomy = try DisplayAnatomy(text, notation)
    let amount = try amount(of: anatomy, in: text)
    if strictness == .strict, let written = try? formatter.string(for: amount),
      written.utf8.elementsEqual(text.utf8)
    {
      return Price(amount: amount, currency: formatter.currency, locale: formatter.locale)
    }
    let currency = try currency(of: anatomy, amount, in: text)
    if strictness == .strict { throw notAsWritten(text, amount, currency) }
    return Price(amount: amount, currency: currency, locale: formatter.locale)
  }

  /// The currencies that a display's symbol, code or name stands for in the formatter's locale: those that it is clear
  /// for, or else those that have it as their short one.
  ///
  ///     try PriceReader(storefront: Storefront("CAN")).currenciesNamed(by: "$4.99")   // [CAD]
  ///
  /// - Throws: `.notAPrice`, `.malformedNumber`.
  public func currenciesNamed(by text: String) throws(DriftError) -> Set<Currency> {
    currencies(of: try DisplayAnatomy(text, notation))
  }

  // MARK: Amounts

  private func amount(of anatomy: DisplayAnatomy, in text: String) throws(DriftError) -> Amount {
    let number = anatomy.number
    guard let reading = number.reading(notation) else {
      let isDecimal = number.reading(isDecimal: true, notation) != nil
      guard isDecimal, number.reading(isDecimal: false, notation) != nil,
        let separator = number.separators.last
      else {
        throw DriftError(
          .malformedNumber,
          "the digits of \(quoted(text)) are grouped as in no locale",
          fix: "write groups of three digits, or of two above the last three"
        )
      }
      throw DriftError(
        .ambiguousNumber,
        "\(quoted(separator.text)) in \(quoted(text)) could separate groups or a fraction: \(formatter.locale) writes neither so",
        fix: "write the price as \(formatter.locale) does"
      )
    }
    do throws(PriceTagError) {
      return try Amount(decimal: reading.decimalText(isNegative: anatomy.isNegative))
    } catch { throw DriftError(.amountOutOfRange, error) }
  }

  // MARK: Currencies

  private func currency(
    of anatomy: DisplayAnatomy,
    _ amount: Amount,
    in text: String
  ) throws(DriftError) -> Currency {
    if anatomy.symbol == foldedSymbol(formatter.currency.code) || isOwnSymbol(of: anatomy, amount) {
      return formatter.currency
    }
    let named = symbols.currencies(of: anatomy.symbols)
    // Of several that a symbol stands for, the formatter's own is the nearest.
    if named.contains(formatter.currency) { return formatter.currency }
    if let only = named.first, named.count == 1 { return only }
    if named.isEmpty {
      throw DriftError(
        .unknownCurrency,
        anatomy.symbol.isEmpty
          ? "\(quoted(text)) names no currency"
          : "\(quoted(anatomy.symbols.before + anatomy.symbols.behind)) in \(quoted(text)) is no currency's symbol, code or name in \(formatter.locale)",
        fix: "write the price as \(formatter.locale) does, such as \(example)"
      )
    }
    throw DriftError(
      .ambiguousCurrency,
      "\(quoted(text)) could be \(named.map(\.code).sorted().formatted(" or "))",
      fix: "name the currency by its code"
    )
  }

  /// Whether a display has the symbol, code or name that the formatter writes with the amount.
  private func isOwnSymbol(of anatomy: DisplayAnatomy, _ amount: Amount) -> Bool {
    // An amount that the formatter would have to round says less of a plural than 1 does of a symbol.
    guard let written = (try? formatter.string(for: amount)) ?? (try? formatter.string(for: "1")) else {
      return false
    }
    return (try? DisplayAnatomy(written, notation))?.symbol == anatomy.symbol
  }

  /// Whether a text is a number with a currency beside it.
  func isPrice(_ text: String) -> Bool {
    guard let anatomy = try? DisplayAnatomy(text, notation) else { return false }
    return isOwnSymbol(of: anatomy, "1") || !currencies(of: anatomy).isEmpty
  }

  /// The currencies that the symbol, code or name of a display stands for in the reader's locale; the formatter's own
  /// too where it is called so by a merchant's override.
  func currencies(of anatomy: DisplayAnatomy) -> Set<Currency> {
    let named = symbols.currencies(of: anatomy.symbols)
    return isOwnSymbol(of: anatomy, "1") ? named.union([formatter.currency]) : named
  }

  private var example: String {
    (try? formatter.string(for: "1")).map { quoted($0) } ?? formatter.currency.code
  }

  private func notAsWritten(_ text: String, _ amount: Amount, _ currency: Currency) -> DriftError {
    let written = currency == formatter.currency ? try? formatter.string(for: amount) : nil
    return DriftError(
      .notAsWritten,
      "\(quoted(text)) is not how \(formatter.locale) writes \(currency == formatter.currency ? "\(amount) \(currency)" : "\(formatter.currency)")",
      fix: (written.map { "write \(quoted($0)), or read it" } ?? "read it") + " leniently"
    )
  }
}

extension [String] {
  fileprivate func formatted(_ conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + conjunction + last
  }
}

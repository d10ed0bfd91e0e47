import PriceTag
import PriceTagText

/// Reads the amount and currency of a displayed price, in the notation of a price locale.
///
///     let reader = try PriceReader(storefront: Storefront("CHE"))
///     try reader.read("CHF\u{A0}1’234.50").amount              // 1234.50
///     try reader.read("CHF 1'234.50")                          // throws `.notAsWritten`
///     try reader.read("CHF 1'234.50", .lenient).amount         // 1234.50
///     try reader.read("USD 4.99", .lenient).currency           // USD
///
/// A reader never guesses: a text that could be two amounts or two currencies is an error. A text without a currency is an
/// error too, unless the formatter writes none (the width `hidden`): then it is in the formatter's currency. Prices in a
/// compact notation are not read, because they may be rounded.
///
/// The formatter's own currency is read as in C, Python, JavaScript and SQL, and rejected with the same codes. Only this
/// reader also says which other currency a text names.
public struct PriceReader: Sendable {
  /// The texts that a reader accepts.
  public enum Strictness: String, Hashable, Sendable, CaseIterable, Codable {
    /// Accepts only the bytes that the formatter writes.
    case strict
    /// Also accepts other spaces, direction marks, apostrophes and signs, ASCII digits, and the symbol or code of the currency;
    /// and other currencies.
    case lenient
  }

  /// The maximum length of a text, in bytes of UTF-8.
  package static let maximumByteCount = PatternReader.maximumByteCount

  /// The formatter whose prices are read.
  public let formatter: PriceFormatter
  let notation: PriceNotation
  private let symbols: CurrencySymbols
  /// The reader of the formatter's own currency; `nil` if only ICU writes its prices.
  package let patterns: PatternReader?

  /// Creates a reader for the prices that a formatter writes.
  ///
  /// - Parameters:
  ///   - formatter: The formatter.
  ///   - localeData: The registry of the other currencies that a display may name; historic ones are ignored.
  public init(_ formatter: PriceFormatter, in localeData: LocaleData = .embedded) {
    self = PriceReaders(in: localeData).reader(formatter)
  }

  init(_ formatter: PriceFormatter, _ symbols: CurrencySymbols) {
    (self.formatter, self.symbols) = (formatter, symbols)
    notation = PriceNotation(formatter)
    patterns = PatternReader(formatter)
  }

  /// Creates a reader for the prices of a storefront.
  ///
  /// - Throws: `.formattingFailed` if `PriceFormatter.init(storefront:on:style:)` fails.
  public init(
    storefront: Storefront,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle(),
    in localeData: LocaleData = .embedded
  ) throws(ReadingError) {
    do throws(PriceTagError) {
      self.init(try PriceFormatter(storefront: storefront, on: date, style: style), in: localeData)
    } catch { throw ReadingError(.formattingFailed, error) }
  }

  /// Returns the price that a text displays, with the displayed number of decimals and the formatter's locale.
  ///
  /// - Parameters:
  ///   - text: The displayed price.
  ///   - strictness: The texts to accept.
  /// - Throws: `.notAPrice`, `.notAsWritten`, `.ambiguousNumber`, `.amountOutOfRange`, `.textTooLong`; a reader of a compact
  ///   notation `.compactNotation`; a lenient reader of a text in another currency also `.malformedNumber` and
  ///   `.ambiguousCurrency`.
  public func read(_ text: String, _ strictness: Strictness = .strict) throws(ReadingError) -> Price {
    try reading(of: text, strictness).result.get()
  }

  /// Returns what a text is read as, and where it differs from what the formatter writes.
  ///
  ///     let reading = try PriceReader(storefront: Storefront("CHE")).reading(of: "CHF 1'234.50", .lenient)
  ///     try reading.result.get().amount     // 1234.50
  ///     reading.difference                  // 3, the space
  ///
  /// - Parameters:
  ///   - text: The displayed price.
  ///   - strictness: The texts to accept.
  public func reading(of text: String, _ strictness: Strictness = .strict) -> PriceReading {
    let isLenient = strictness == .lenient
    var place: Int?
    do throws(ReadingError) {
      guard formatter.style.notation == .standard else {
        throw ReadingError(
          .compactNotation,
          "\(quoted(text)) may be rounded, because the reader's style is \(formatter.style.notation.rawValue)",
          fix: "read a price in standard notation"
        )
      }
      guard let found = patterns?.read(text, isLenient: isLenient) else {
        let price = try readByNotation(text, isLenient: isLenient, &place)
        return PriceReading(result: .success(price), difference: place)
      }
      place = found.difference.map {
        text.unicodeScalars.distance(
          from: text.startIndex,
          to: text.utf8.index(text.startIndex, offsetBy: $0)
        )
      }
      if let problem = found.problem {
        guard isLenient, let other = try otherPrice(in: text) else {
          throw rejection(of: text, problem, place ?? 0)
        }
        return PriceReading(result: .success(other), difference: place)
      }
      return PriceReading(result: .success(price(found.amount, formatter.currency)), difference: place)
    } catch { return PriceReading(result: .failure(error), difference: place) }
  }

  private func price(_ amount: Amount, _ currency: Currency) -> Price {
    Price(amount: amount, currency: currency, locale: formatter.locale)
  }

  /// Reads a price whose formatter has no patterns, by its separators.
  private func readByNotation(
    _ text: String,
    isLenient: Bool,
    _ place: inout Int?
  ) throws(ReadingError) -> Price {
    let parsed = try ParsedDisplay(text, notation)
    let amount = try amount(of: parsed, in: text)
    let written = (try? formatter.string(for: amount)) ?? ""
    if written.utf8.elementsEqual(text.utf8) {
      place = nil
      return price(amount, formatter.currency)
    }
    let difference = zip(written.unicodeScalars, text.unicodeScalars).prefix { $0 == $1 }.count
    place = difference
    guard isLenient else { throw rejection(of: text, .notAsWritten, difference) }
    return price(amount, try currency(of: parsed, amount, in: text))
  }

  /// Returns the price of a text that names another currency; `nil` if it does not.
  private func otherPrice(in text: String) throws(ReadingError) -> Price? {
    guard let parsed = try? ParsedDisplay(text, notation) else { return nil }
    let named: Currency
    do throws(ReadingError) {
      named = try currency(of: parsed, (try? amount(of: parsed, in: text)) ?? "1", in: text)
    } catch {
      if error.code == .ambiguousCurrency { throw error }
      return nil
    }
    return named == formatter.currency ? nil : price(try amount(of: parsed, in: text), named)
  }

  /// Returns the error of a text that is not a price of the formatter, with the place of the first difference.
  private func rejection(of text: String, _ problem: PatternReader.Problem, _ place: Int) -> ReadingError {
    let scalar = text.unicodeScalars.dropFirst(place).first.map { CodePointDifference.name($0) }
    let parsed = try? ParsedDisplay(text, notation)
    let amount = parsed.flatMap { isCompact($0) ? nil : try? self.amount(of: $0, in: text) }
    let written = amount.flatMap { try? formatter.string(for: $0) }
    let what =
      switch problem {
      case .notAPrice: "has no digits"
      case .notAsWritten:
        "is not how \(formatter.locale) writes \(written == nil ? "" : "\(amount ?? .zero) ")\(formatter.currency)"
      case .ambiguousNumber: "could be several amounts"
      case .amountOutOfRange: "has too many digits"
      case .textTooLong: "has too many characters"
      }
    return ReadingError(
      ReadingErrorCode(rawValue: problem.rawValue) ?? .notAsWritten,
      "\(quoted(text)) \(what): it differs at character \(place + 1) (\(scalar ?? "its end"))",
      fix: written.map { "write \(quoted($0))" }
        ?? "write the price as \(formatter.locale) does, such as \(example)"
    )
  }

  /// Returns the currencies that the symbol, code, or name of a display identifies in the formatter's locale, or else
  /// those that have it as their narrow symbol.
  ///
  ///     try PriceReader(storefront: Storefront("CAN")).currenciesNamed(by: "$4.99")   // [CAD]
  ///
  /// - Throws: `.notAPrice`, `.malformedNumber`.
  public func currenciesNamed(by text: String) throws(ReadingError) -> Set<Currency> {
    currencies(of: try ParsedDisplay(text, notation))
  }

  // MARK: Amounts

  private func amount(of parsed: ParsedDisplay, in text: String) throws(ReadingError) -> Amount {
    let number = parsed.number
    guard let reading = number.reading(notation) else {
      let isDecimal = number.reading(isDecimal: true, notation) != nil
      guard isDecimal, number.reading(isDecimal: false, notation) != nil,
        let separator = number.separators.last
      else {
        throw ReadingError(
          .malformedNumber,
          "\(quoted(text)) groups its digits as no locale does",
          fix: "use groups of three digits, or of two before the last three"
        )
      }
      throw ReadingError(
        .ambiguousNumber,
        "\(quoted(separator.text)) in \(quoted(text)) could be a group or a decimal separator (\(formatter.locale) uses it as neither)",
        fix: "write the price as \(formatter.locale) does"
      )
    }
    do throws(PriceTagError) {
      return try Amount(decimal: reading.decimalText(isNegative: parsed.isNegative))
    } catch { throw ReadingError(.amountOutOfRange, error) }
  }

  // MARK: Currencies

  private func currency(
    of parsed: ParsedDisplay,
    _ amount: Amount,
    in text: String
  ) throws(ReadingError) -> Currency {
    if isCompact(parsed) {
      throw ReadingError(
        .compactNotation,
        "\(quoted(text)) is in compact notation, and may be rounded",
        fix: "write the price in standard notation"
      )
    }
    if parsed.foldedSymbol == foldedSymbol(formatter.currency.code) || isOwnSymbol(of: parsed, amount) {
      return formatter.currency
    }
    let named = symbols.currencies(of: parsed.symbols)
    // For a shared symbol, the formatter's own currency wins.
    if named.contains(formatter.currency) { return formatter.currency }
    if let only = named.first, named.count == 1 { return only }
    if named.isEmpty {
      throw ReadingError(
        .unknownCurrency,
        parsed.foldedSymbol.isEmpty
          ? "\(quoted(text)) names no currency"
          : "unknown currency \(quoted(parsed.symbols.prefix + parsed.symbols.suffix)) in \(quoted(text)), which is not a symbol, code, or name in \(formatter.locale)",
        fix: "write the price as \(formatter.locale) does, such as \(example)"
      )
    }
    throw ReadingError(
      .ambiguousCurrency,
      "\(quoted(text)) could be \(named.map(\.code).sorted().formatted(" or "))",
      fix: "write the currency's code"
    )
  }

  /// Returns whether a display has a word of compact notation.
  private func isCompact(_ parsed: ParsedDisplay) -> Bool {
    // "K 1.2M" is 1,200,000 kwacha, although "KM" is a symbol too.
    let (prefix, suffix) = parsed.symbols
    let mayBeCompact = formatter.style.width == .hidden || !prefix.isEmpty && !suffix.isEmpty
    return mayBeCompact && [prefix, suffix].contains { !$0.isEmpty && symbols.isCompactWord($0) }
  }

  /// Returns whether a display has the symbol, code, or name that the formatter writes with the amount.
  private func isOwnSymbol(of parsed: ParsedDisplay, _ amount: Amount) -> Bool {
    ownSymbol(with: amount) == parsed.foldedSymbol
  }

  /// Returns the symbol, code, or name that the formatter writes with an amount.
  private func ownSymbol(with amount: Amount) -> String? {
    // The amount decides the plural form of a name. For one that would have to be rounded, "1" at least gives the symbol.
    let written = (try? formatter.string(for: amount)) ?? (try? formatter.string(for: "1"))
    return written.flatMap { try? ParsedDisplay($0, notation).foldedSymbol }
  }

  /// Returns whether a text is a number with a currency.
  func isPrice(_ text: String) -> Bool {
    guard let parsed = try? ParsedDisplay(text, notation) else { return false }
    return isOwnSymbol(of: parsed, "1") || !currencies(of: parsed).isEmpty
  }

  /// Returns the currencies that the symbol, code, or name of a display identifies in the formatter's locale, including
  /// the formatter's own if a merchant's override gives it this symbol.
  func currencies(of parsed: ParsedDisplay) -> Set<Currency> {
    let named = symbols.currencies(of: parsed.symbols)
    return isOwnSymbol(of: parsed, "1") ? named.union([formatter.currency]) : named
  }

  /// The currencies that a display names, and the words beside its number that name none, such as "from" or "/month".
  struct DisplayedNames {
    var currencies: Set<Currency> = []
    var otherWords: [String] = []
  }

  /// The maximum number of words in the name of a currency, such as "United Arab Emirates dirhams".
  private static let maximumNameWordCount = 5

  /// Returns the currencies of ``currencies(of:)``; if there are none, those that the words beside the number name, and the
  /// other words.
  ///
  /// Without a word that names a currency, a word of at most three letters may be the abbreviation of an unknown one, such
  /// as "Rs.". A compact notation has words of its own.
  func names(in parsed: ParsedDisplay) -> DisplayedNames {
    let currencies = currencies(of: parsed)
    guard currencies.isEmpty, formatter.style.notation == .standard else {
      return DisplayedNames(currencies: currencies)
    }
    let ownSymbol = ownSymbol(with: "1")
    var named: [Set<Currency>] = []
    var others: [String] = []
    var hasCompactWord = false
    for words in [parsed.words.prefix, parsed.words.suffix] {
      var rest = words[...]
      while let word = rest.first {
        if let name = firstName(in: rest, ownSymbol) {
          named.append(name.currencies)
          rest = rest.dropFirst(name.wordCount)
          continue
        }
        if symbols.isCompactWord(word.text) { hasCompactWord = true } else { others.append(word.text) }
        rest = rest.dropFirst()
      }
    }
    if others.isEmpty {
      // "$4.99 US dollars" names one currency twice, "$4.99 EUR" names two, and "$4.99M" is another amount.
      let common = named.dropFirst().reduce(named.first ?? []) { $0.intersection($1) }
      return DisplayedNames(currencies: hasCompactWord ? [] : common)
    }
    if named.isEmpty, !hasCompactWord { others = others.filter { Self.letterCount($0) > 3 } }
    return DisplayedNames(currencies: named.reduce([]) { $0.union($1) }, otherWords: others)
  }

  /// Returns the currencies of the longest name at the start of words, and its number of words.
  private func firstName(
    in words: ArraySlice<ParsedDisplay.Word>,
    _ ownSymbol: String?
  ) -> (currencies: Set<Currency>, wordCount: Int)? {
    for count in stride(from: min(words.count, Self.maximumNameWordCount), through: 1, by: -1) {
      let name = ParsedDisplay.Word.text(of: words.prefix(count))
      // The words "a $" are not the symbol "A$".
      if count > 1, Self.letterCount(name) <= 3 { continue }
      var named = symbols.currencies(of: (name, ""))
      if foldedSymbol(name) == ownSymbol { named.insert(formatter.currency) }
      if !named.isEmpty { return (named, count) }
    }
    return nil
  }

  private static func letterCount(_ text: String) -> Int {
    text.unicodeScalars.count { $0.properties.isAlphabetic }
  }

  /// Returns why a text is not a price, or not only a price; `nil` for a price.
  package func reasonAgainst(_ text: String) -> ReadingError? {
    do throws(ReadingError) {
      guard let word = names(in: try ParsedDisplay(text, notation)).otherWords.first else { return nil }
      return ReadingError(
        .notAPrice,
        "\(quoted(word)) in \(quoted(text)) is not a symbol, code, or name of a currency in \(formatter.locale)",
        fix: "write the price as \(formatter.locale) does, such as \(example)"
      )
    } catch { return error }
  }

  private var example: String {
    (try? formatter.string(for: "1")).map { quoted($0) } ?? formatter.currency.code
  }
}

extension [String] {
  fileprivate func formatted(_ conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + conjunction + last
  }
}

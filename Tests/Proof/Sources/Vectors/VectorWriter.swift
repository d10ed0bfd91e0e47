@_spi(Tests) import PriceTag
import ProofSupport

/// Writes vectors: amounts, and what the core formats them to, which is compared with ICU.
struct VectorWriter: Sendable {
  /// The number of rows to write, formatters included.
  let rowCount: Int

  /// The amounts of each formatter.
  private static let amountsPerFormatter = 11

  /// What the vectors contain, and what the comparison with ICU found.
  struct Findings: Sendable {
    var rows = 0
    var texts = 0
    var errors = 0
    var comparisons = 0
    /// The number of intended differences from ICU, by what they are.
    var departures: [String: Int] = [:]
    var mismatches: [String] = []
    /// The values that occur, by kind.
    var values: [String: Set<String>] = [:]

    mutating func add(_ other: Findings) {
      rows += other.rows
      texts += other.texts
      errors += other.errors
      comparisons += other.comparisons
      departures.merge(other.departures, uniquingKeysWith: +)
      mismatches += other.mismatches
      values.merge(other.values) { $0.union($1) }
    }

    mutating func use(_ kind: String, _ value: String) { values[kind, default: []].insert(value) }
  }

  /// The formatter of some rows.
  private struct Request {
    let pack: Int
    let style: Int
    let origin: Origin

    enum Origin {
      case locale(String, Currency)
      case storefront(Storefront, Storefront.CurrencyPeriod)
    }
  }

  /// The styles of all packs, without duplicates.
  let styles: [VectorStyle] = VectorPack.all.flatMap(\.styles).reduce(into: []) { styles, style in
    if !styles.contains(style) { styles.append(style) }
  }

  private let storefronts = VectorPack.localeData.storefronts
  private let localeStyles: [(pack: Int, style: Int)]
  private let storefrontStyles: [(pack: Int, style: Int)]

  init(rowCount: Int) {
    self.rowCount = rowCount
    var (localeStyles, storefrontStyles) = ([(pack: Int, style: Int)](), [(pack: Int, style: Int)]())
    for (pack, contents) in VectorPack.all.enumerated() {
      for style in contents.styles {
        guard let index = styles.firstIndex(of: style) else { continue }
        switch contents.contents {
        case .locales: localeStyles.append((pack, index))
        case .storefronts: storefrontStyles.append((pack, index))
        }
      }
    }
    (self.localeStyles, self.storefrontStyles) = (localeStyles, storefrontStyles)
  }

  // MARK: Formatters

  /// The head of the file: the packs and the styles.
  var head: VectorLines {
    var lines = VectorLines()
    for (index, pack) in VectorPack.all.enumerated() { lines.append(["p", "\(index)", pack.file]) }
    for (index, style) in styles.enumerated() { lines.append(["s", "\(index)", style.key]) }
    return lines
  }

  /// The number of formatters with amounts.
  var formatterCount: Int { max(1, rowCount / (Self.amountsPerFormatter + 1)) }

  /// Returns a formatter: three of five are those of storefronts. Each index is another combination, so that a small number of
  /// formatters covers all locales, currencies, storefronts and styles.
  private func request(_ index: Int) -> Request {
    if index % 5 < 2, !localeStyles.isEmpty {
      let (round, locale) = (index / 5 * 2 + index % 5).quotientAndRemainder(
        dividingBy: VectorPack.locales.count
      )
      let currency = VectorPack.currencies[(locale + round * 31) % VectorPack.currencies.count]
      let (pack, style) = localeStyles[(locale / 3 + round) % localeStyles.count]
      return Request(pack: pack, style: style, origin: .locale(VectorPack.locales[locale], currency))
    }
    let number = localeStyles.isEmpty ? index : index / 5 * 3 + index % 5 - 2
    let (round, place) = number.quotientAndRemainder(dividingBy: storefronts.count)
    let storefront = storefronts[place]
    let (pack, style) = storefrontStyles[(place + round) % storefrontStyles.count]
    let periods = storefront.currencyPeriods
    // Which symbols are ambiguous depends on the date.
    let period =
      styles[style].style.width == .unambiguous
      ? periods.first { $0.lastDay.map { VectorPack.date <= $0 } ?? true } : nil
    return Request(
      pack: pack,
      style: style,
      origin: .storefront(storefront, period ?? periods[round % periods.count])
    )
  }

  // MARK: Rows

  /// Returns the rows of the formatters in a range.
  func rows(_ range: Range<Int>) throws -> (VectorLines, Findings) {
    var (lines, findings) = (VectorLines(), Findings())
    for index in range { try append(request(index), index, to: &lines, &findings) }
    return (lines, findings)
  }

  private func append(
    _ request: Request,
    _ index: Int,
    to lines: inout VectorLines,
    _ findings: inout Findings
  ) throws {
    var numbers = SeededNumbers(seed: UInt64(index))
    let reference = styles[request.style].reference
    let style = styles[request.style].style
    let (locale, currency): (PriceLocale, Currency)
    let fields: [String]
    let formatter: (PriceStyle) throws -> PriceFormatter
    switch request.origin {
    case .locale(let tag, let code):
      (locale, currency) = (try PriceLocale(tag), code)
      fields = ["l", "\(request.pack)", "\(request.style)", Self.varied(tag, &numbers), code.code]
      formatter = {
        try Self.formatter(PriceFormatter(locale: locale, currency: currency, style: $0), reference)
      }
      findings.use("locales", tag)
    case .storefront(let storefront, let period):
      (locale, currency) = (storefront.priceLocale, period.currency)
      let date =
        style.width == .unambiguous
        ? VectorPack.date : (period.lastDay ?? period.firstDay ?? VectorPack.date)
      let id = Self.varied(numbers.isOne(in: 4) ? storefront.alpha2 : storefront.id, &numbers)
      let isDated = storefront.currencyPeriods.count > 1 || numbers.isOne(in: 3)
      let number = isDated ? date.description.replacing("-", with: "") : "0"
      fields = ["f", "\(request.pack)", "\(request.style)", id, number]
      formatter = {
        try Self.formatter(PriceFormatter(storefront: storefront, on: date, style: $0), reference)
      }
      findings.use("storefronts", storefront.id)
    }
    findings.use("currencies", currency.code)
    findings.use("styles", "\(request.style)")

    let exact = try formatter(style)
    let isInPack = exact.isCompiled
    findings.rows += 1
    lines.append(
      fields + [
        isInPack
          ? "=\(exact.display.digits) \(currency.minorUnitDigits ?? -1)"
          : "!\(VectorError.missingFormatter.rawValue)",
        currency.code, locale.identifier,
      ]
    )
    guard isInPack else {
      findings.errors += 1
      return
    }
    // Two modes, because each needs formatters of its own.
    let others = RoundingMode.allCases.enumerated().filter { $0.element != .exact }
    let other = others[index / 5 % others.count]
    for (place, mode) in [(0, RoundingMode.exact), (other.offset, other.element)] {
      var style = style
      style.rounding = mode
      var rows = AmountRows(
        mode: place,
        formatter: mode == .exact ? exact : try formatter(style),
        reference: VectorPack.isComparable
          ? try ReferenceText(locale, currency, style, per: reference, on: VectorPack.date) : nil,
        hasSpokenForms: VectorPack.all[request.pack].hasSpokenForms
      )
      findings.use("rounding modes", mode.rawValue)
      for _ in 0..<(mode == .exact ? Self.amountsPerFormatter / 2 + 1 : Self.amountsPerFormatter / 2) {
        let amount = VectorAmounts.next(digits: exact.display.digits, using: &numbers)
        try rows.append(amount, hasDetails: numbers.isOne(in: 4))
      }
      lines.append(rows.lines)
      findings.add(rows.findings)
    }
  }

  /// Returns a formatter, or that of its unit prices.
  private static func formatter(
    _ formatter: PriceFormatter,
    _ reference: UnitPriceReference?
  ) throws -> PriceFormatter {
    try reference.map(formatter.unitPrices(per:)) ?? formatter
  }

  /// Returns a name in the same or in another spelling.
  private static func varied(_ name: String, _ numbers: inout SeededNumbers) -> String {
    switch numbers.number(0...9) {
    case 0: name.lowercased()
    case 1: name.uppercased().replacing("-", with: "_")
    default: name
    }
  }

  // MARK: Formatters that no pack has

  /// Returns rows of requests that fail.
  func failures() -> (VectorLines, Findings) {
    var (lines, findings) = (VectorLines(), Findings())
    func append(_ fields: [String], _ error: VectorError) {
      lines.append(fields + ["!\(error.rawValue)", "", ""])
      findings.rows += 1
      findings.errors += 1
      findings.use("errors", error.rawValue)
    }
    let packs = VectorPack.all
    guard let storefrontPack = packs.firstIndex(where: { $0.file == "widths.pack" }),
      let usual = styles.firstIndex(of: VectorStyle(style: PriceStyle())),
      let accounting = styles.firstIndex(
        of: VectorStyle(style: PriceStyle(width: .narrow, sign: .accounting))
      ),
      let cash = styles.firstIndex(of: VectorStyle(style: PriceStyle(digits: .cash))),
      let perKilogram = styles.firstIndex(of: VectorStyle(style: PriceStyle(), reference: .kilogram))
    else { return (lines, findings) }
    for name in [
      "", "X", "XX", "XXX", "USAA", "USB", "U A", "\u{663}", "\u{55}\u{301}", "ZZ", "us\n", "-",
    ] {
      append(["f", "\(storefrontPack)", "\(usual)", name, "20260601"], .unknownStorefront)
    }
    for storefront in storefronts where storefront.currencyPeriods.count > 1 {
      append(["f", "\(storefrontPack)", "\(usual)", storefront.id, "0"], .missingDate)
    }
    for name in ["", "-", "xx", "xx-XX", "enUS", "en-U", "en-USA", "en-US-", "\u{E9}n", "en-US\t"] {
      append(["l", "0", "\(usual)", name, "USD"], .unknownLocale)
    }
    for code in ["", "US", "USDD", "XTS", "ZZZ", "BGN", "\u{20AC}", "$"] {
      append(["l", "0", "\(usual)", "en-US", code], .unknownCurrency)
    }
    append(["l", "0", "\(accounting)", "en-US", "USD"], .missingStyle)
    append(["l", "0", "\(cash)", "en-US", "USD"], .missingStyle)
    append(["f", "\(storefrontPack)", "\(cash)", "USA", "20260601"], .missingStyle)
    append(["f", "\(storefrontPack)", "\(perKilogram)", "USA", "20260601"], .missingStyle)
    // A pack of storefronts has their locales and currencies, but not every combination.
    append(["l", "\(storefrontPack)", "\(usual)", "ja-JP", "USD"], .missingFormatter)
    return (lines, findings)
  }
}

/// Rows of the amounts of one formatter.
private struct AmountRows {
  let mode: Int
  let formatter: PriceFormatter
  let reference: ReferenceText?
  let hasSpokenForms: Bool
  var lines = VectorLines()
  var findings = VectorWriter.Findings()

  init(mode: Int, formatter: PriceFormatter, reference: ReferenceText?, hasSpokenForms: Bool) {
    self.mode = mode
    self.formatter = formatter
    self.reference = reference
    self.hasSpokenForms = hasSpokenForms
  }

  mutating func append(_ input: VectorAmounts.Input, hasDetails: Bool) throws {
    findings.rows += 1
    let fields: [String]
    let amount: Result<Amount, VectorError>
    let number: Result<AmountRules.Number, VectorError>
    switch input {
    case .text(let text):
      fields = ["t", "\(mode)", text]
      amount = Self.read { () throws(PriceTagError) in try Amount(decimal: text) }
      number = AmountRules.read(text)
    case .units(let units, let exponent):
      fields = ["u", "\(mode)", "\(units)", "\(exponent)"]
      amount = Self.read { () throws(PriceTagError) in
        try Amount(minorUnits: units, exponent: Int(exponent))
      }
      number =
        (0...18).contains(exponent)
        ? .success(Self.number(units, Int(exponent))) : .failure(.amountOutOfRange)
    }
    let formatter = formatter
    func place() -> String {
      "\(formatter.locale) \(formatter.currency) \(formatter.style) \(fields.dropFirst().joined(separator: " "))"
    }
    switch (amount, number) {
    case (.failure(let error), .failure(let rule)) where error == rule:
      append(fields, error)
    case (.success(let amount), .success(let number)):
      let price: FormattedPrice
      do throws(PriceTagError) { price = try formatter.format(amount) } catch {
        if VectorPack.isNamed, error.code == .missingFromPack { return }
        let isRight =
          switch error.code {
          case .needsRounding:
            formatter.style.rounding == .exact
              && !number.isMultiple(of: formatter.display.step, digits: formatter.display.digits)
          // A rounding step away from the largest amount.
          case .amountOutOfRange: amount.coefficient.magnitude > UInt64(Int64.max) / 10
          default: false
          }
        guard isRight, let error = VectorError(rawValue: error.code.rawValue) else {
          findings.mismatches.append("\(place()): \(error)")
          return
        }
        append(fields, error)
        return
      }
      if formatter.style.rounding == .exact,
        !number.isMultiple(of: formatter.display.step, digits: formatter.display.digits)
      {
        findings.mismatches.append("\(place()): \(price) needs rounding")
      }
      compare(price, place)
      findings.texts += 1
      let mark = formatter.style.width == .name ? Self.mark(of: price) : "="
      lines.append(fields + ["\(mark)\(price.text)"] + (hasDetails ? details(of: price) : []))
    default:
      findings.mismatches.append("\(place()): read as \(amount), expected \(number)")
    }
  }

  /// Compares a price with ICU's text.
  private mutating func compare(_ price: FormattedPrice, _ place: () -> String) {
    // A pack applies CLDR's plural rules to digits that ICU rounds.
    let isRounded = VectorPack.isNamed && formatter.style.width == .name && Self.mark(of: price) != "="
    guard VectorPack.isComparable, !isRounded else { return }
    guard let reference else {
      findings.departures["ICU repeats the currency", default: 0] += 1
      return
    }
    findings.comparisons += 1
    if reference.isDeparture { findings.departures["ICU repeats the currency", default: 0] += 1 }
    var expected = reference.text(of: price.amount.description)
    if price.amount.isNegative, price.displayedAmount.isZero {
      if price.text != expected {
        findings.departures["no sign on an amount that is rounded to zero", default: 0] += 1
      }
      expected = reference.text(of: "0")
    }
    if price.text != expected {
      findings.mismatches.append("\(place()): \(price.text), ICU \(expected ?? "fails")")
    }
  }

  private mutating func append(_ fields: [String], _ error: VectorError) {
    findings.errors += 1
    findings.use("errors", error.rawValue)
    lines.append(fields + ["!\(error.rawValue)"])
  }

  private func details(of price: FormattedPrice) -> [String] {
    let parts = price.parts.map { "\($0.type.vectorKind):\($0.value.utf8.count)" }.joined(separator: " ")
    return [
      parts, price.direction.rawValue, hasSpokenForms ? "\(Self.mark(of: price))\(price.spoken)" : "",
    ]
  }

  /// Returns the mark of the text of a full name: `~` if ICU may choose the plural form of another number. ICU computes with
  /// doubles, which are exact for fifteen digits.
  private static func mark(of price: FormattedPrice) -> String {
    let displayed = price.displayedAmount.normalized
    let integer = String(displayed.coefficient.magnitude).utf8.count - displayed.scale
    let isExact = max(integer, 0) + displayed.scale <= 15 && price.formatter.display.digits <= 15
    return isExact ? "=" : "~"
  }

  private static func read(
    _ read: () throws(PriceTagError) -> Amount
  ) -> Result<Amount, VectorError> {
    do throws(PriceTagError) { return .success(try read()) } catch {
      // Exponents outside 0...18 are an invalid option in Swift, and out of range in C.
      return .failure(error.code == .malformedAmount ? .malformedAmount : .amountOutOfRange)
    }
  }

  private static func number(_ units: Int64, _ exponent: Int) -> AmountRules.Number {
    let digits = Array(String(units.magnitude).utf8)
    let padded = Array(repeating: 0x30, count: max(0, exponent - digits.count)) + digits
    return AmountRules.Number(
      isNegative: units < 0,
      integer: Array(padded.dropLast(exponent).drop { $0 == 0x30 }),
      fraction: Array(padded.suffix(exponent).reversed().drop { $0 == 0x30 }.reversed())
    )
  }
}

extension FormattedPrice.PartType {
  /// The number of the kind in pricetag.h.
  var vectorKind: Int {
    switch self {
    case .literal: 0
    case .symbol: 1
    case .integer: 2
    case .group: 3
    case .decimal: 4
    case .fraction: 5
    case .sign: 6
    case .compact: 7
    case .qualifier: 8
    case .unit: 9
    }
  }
}

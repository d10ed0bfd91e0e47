import PriceTagSystem
import PriceTagText

/// A formatter in a pack, with what it was requested for. It keeps the memory of the pack.
final class PinnedFormatter: Sendable {
  let pack: Pack
  /// The storefront of the prices; `nil` for those of a price locale and a currency.
  let storefront: Storefront?
  /// The formatter in the memory of the pack.
  let formatter: PackFormatter

  /// Finds the formatter of a specification in a pack.
  ///
  /// - Parameters:
  ///   - specification: What the formatter writes. Overrides have no effect: the pack contains them.
  ///   - storefront: The storefront of the prices; `nil` for those of a price locale and a currency.
  ///   - pack: The pack.
  /// - Throws: `.missingFromPack`; `.packMismatch`; `.invalidOption` for an invalid style.
  init(
    _ specification: FormatterSpecification,
    in storefront: Storefront?,
    _ pack: Pack
  ) throws(PriceTagError) {
    formatter = try PackRequest(specification: specification, pack: pack).formatter(for: storefront)
    (self.pack, self.storefront) = (pack, storefront)
  }

  private init(_ formatter: PackFormatter, of other: PinnedFormatter) {
    self.formatter = formatter
    (pack, storefront) = (other.pack, other.storefront)
  }

  /// The formatter of the spoken form; `nil` if the pack does not have it.
  var spoken: PinnedFormatter? { formatter.spoken.map { PinnedFormatter($0, of: self) } }

  /// The maximum number of displayed digits and the rounding step.
  var display: Currency.Display {
    let pattern = formatter.lastPattern
    return Currency.Display(digits: pattern.fractionDigits, step: pattern.step)
  }

  /// The pattern that writes all prices; `nil` if it depends on the amount.
  var onlyPattern: PatternBytes? { formatter.isFamily ? nil : formatter.pattern }

  /// The pattern that writes all prices; `nil` if it depends on the amount or on plurals.
  var uniformPattern: PatternBytes? { onlyPattern.flatMap { $0.hasPlurals ? nil : $0 } }

  /// The number of bytes that any price needs.
  var capacity: Int { formatter.capacity }

  // MARK: Writing

  /// Writes an amount that was rounded before, and returns the number of bytes; `nil` if the price is larger than the buffer,
  /// or if the pattern has no form for the plural category of the amount.
  func write(_ displayed: Amount, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let (amount, pattern) = member(for: displayed) else { return nil }
    let count = pattern.write(amount, within: buffer)
    return (0...buffer.count).contains(count) ? count : nil
  }

  /// Returns the fields of the text of an amount that was rounded before.
  func fields(of displayed: Amount) -> [ICUText.Field] {
    guard let (amount, pattern) = member(for: displayed) else { return [] }
    return pattern.fields(of: amount, category: pattern.category(of: amount)) ?? []
  }

  /// Returns the pattern that writes an amount, and the amount with no more digits than the pattern displays.
  private func member(for displayed: Amount) -> (amount: Amount, pattern: PatternBytes)? {
    // The amount was rounded before, so this does not throw.
    try? formatter.displayed(displayed, .exact)
  }

  /// The error for an amount whose plural category a pattern does not have.
  static func missingForm(of amount: Amount) -> PriceTagError {
    PriceTagError(
      .missingFromPack,
      "the pack has no form of \(amount) for its plural category",
      fix: "format the price without the pack"
    )
  }

  /// The error for a range of prices.
  static let rangeError = PriceTagError(
    .missingFromPack,
    "a pack has no ranges of prices",
    fix: "format the two amounts separately, or format the range without the pack"
  )

  /// The error for a spoken form that the pack does not have.
  static let spokenError = PriceTagError(
    .missingFromPack,
    "the pack has no spoken forms of these prices",
    fix: "write it again with pricetag pack, and remove --no-spoken"
  )
}

/// A request for a formatter of a pack.
///
/// A storefront's prices come from the pack's entry for the storefront. If the pack does not have the storefront, or the
/// price locale is another one, they come from the table of price locales and currencies.
///
/// A program may create a formatter for each storefront when it starts. So the functions copy as little as possible: the
/// storefront is a parameter, and the closures use only numbers and places in the pack.
private struct PackRequest {
  let specification: FormatterSpecification
  let pack: Pack

  private var bytes: PackBytes { pack.bytes }
  private var locale: PriceLocale { specification.locale }
  private var currency: Currency { specification.currency }

  func formatter(for storefront: Storefront?) throws(PriceTagError) -> PackFormatter {
    try specification.checkStyle()
    try checkForm()
    let style = try style()
    if let storefront, storefront.priceLocale == locale, let found = try entry(of: storefront, style) {
      return found
    }
    return try entry(of: style, for: storefront)
  }

  // MARK: Styles

  /// Checks that the pack has the form of the style. Names have no web form.
  private func checkForm() throws(PriceTagError) {
    let form = specification.style.width == .name ? pack.writtenAs : specification.style.writtenAs
    guard form != pack.writtenAs else { return }
    throw missing(
      "the pack has prices written as \(pack.writtenAs), not as \(form)",
      fix:
        "ask for prices written as \(pack.writtenAs), or write another pack with pricetag pack --written-as \(form)"
    )
  }

  /// Returns the index of the style.
  private func style() throws(PriceTagError) -> Int {
    let style = specification.style
    guard style.notation == .standard else {
      throw missing("a pack has no compact notation", fix: "use the notation standard")
    }
    if style.isDefault, specification.reference == nil, let index = pack.defaultStyle { return index }
    if let numbering = style.numberingSystem { _ = try PriceStyle.numberingSystem(numbering) }
    if let index = pack.index(of: style.packKey(per: specification.reference)) { return index }
    let contents = Pack.StyleContents(style: style, reference: specification.reference)
    throw missing("the pack does not have the style (\(contents))", fix: pack.fix(adding: contents))
  }

  // MARK: Storefronts

  /// Returns the formatter of the storefront; `nil` if the pack does not have the storefront, or not this custom currency.
  private func entry(of storefront: Storefront, _ style: Int) throws(PriceTagError) -> PackFormatter? {
    let own: PackBytes.StorefrontPeriod
    do throws(PackProblem) { own = try period(of: storefront) } catch {
      if error == .unknownStorefront { return nil }
      throw missing(
        "the pack has no currency for \(storefront.id) on \(date)",
        fix: "write it again with pricetag pack and the current locale data"
      )
    }
    let charged = try storefront.currency(onDateOrToday: specification.date)
    try checkAgreement(own, storefront, charged)
    do throws(PackProblem) {
      if currency == charged { return try bytes.formatter(of: own, style) }
      let (bytes, day) = (bytes, day)
      return try Pack.withBytes(storefront.id) { id throws(PackProblem) in
        try Pack.withBytes(currency.code) { code throws(PackProblem) in
          try bytes.formatter(of: bytes.period(ofStorefront: id, currency: code, on: day), style)
        }
      }
    } catch {
      switch error {
      case .unknownCurrency, .currencyMismatch: return nil
      default:
        throw missing(
          "the pack has no pattern for \(currency) in \(storefront.id)",
          fix: specification.style.isWebForm
            ? "use a pack in the form icu: the store has no web form, or one that depends on the language (store-web:en)"
            : "format the price without the pack, because no pattern reproduced ICU's output"
        )
      }
    }
  }

  private var date: CalendarDate { specification.date ?? .todayInUTC }

  private var day: UInt32 { UInt32(truncatingIfNeeded: date.packNumber) }

  /// Returns the period of the storefront's own currency. Reads the clock only if the currency depends on it.
  private func period(of storefront: Storefront) throws(PackProblem) -> PackBytes.StorefrontPeriod {
    let (bytes, date) = (bytes, specification.date)
    return try Pack.withBytes(storefront.id) { id throws(PackProblem) in
      if date == nil, let only = try? bytes.period(ofStorefront: id, on: 0),
        bytes.element(only.period, of: .periods).uint32(at: PackBytes.Period.lastDay) == PackBytes.none
      {
        return only
      }
      let day = UInt32(truncatingIfNeeded: (date ?? .todayInUTC).packNumber)
      return try bytes.period(ofStorefront: id, on: day)
    }
  }

  /// Checks that the pack and the locale data agree on the price locale and on the currency of a storefront.
  private func checkAgreement(
    _ own: PackBytes.StorefrontPeriod,
    _ storefront: Storefront,
    _ charged: Currency
  ) throws(PriceTagError) {
    let (tag, code) = (bytes.text(ofLocale: own.locale), bytes.code(ofCurrency: own.currency))
    guard Self.isEqual(specification.locale.identifier, tag) else {
      throw mismatch("the price locale \(Self.text(tag)) for \(storefront.id)", "\(locale)")
    }
    guard Self.isEqual(charged.code, code) else {
      throw mismatch("\(Self.text(code)) for \(storefront.id) on \(date)", "\(charged)")
    }
  }

  private static func isEqual(_ text: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var text = text
    return text.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    printable(String(decoding: bytes, as: UTF8.self))
  }

  private func mismatch(_ inPack: String, _ inData: String) -> PriceTagError {
    PriceTagError(
      .packMismatch,
      "the pack has \(inPack), but the locale data has \(inData)",
      fix: "write the pack again with pricetag pack, or use the locale data that it was written with"
    )
  }

  // MARK: Price locales and currencies

  /// Returns the formatter of the price locale and the currency.
  private func entry(of style: Int, for storefront: Storefront?) throws(PriceTagError) -> PackFormatter {
    // The table has the overrides of a currency, but not those of a storefront.
    if let storefront, storefront.hasOverrides(for: currency) {
      throw missing(
        "the pack does not have \(currency) in \(locale) with the overrides of \(storefront)",
        fix: storefront.priceLocale == locale
          ? "write it again with pricetag pack, and add \(storefront) to --storefronts"
          : "use the price locale \(storefront.priceLocale), or format the price without the pack"
      )
    }
    do throws(PackProblem) {
      let bytes = bytes
      return try Pack.withBytes(locale.identifier) { tag throws(PackProblem) in
        try Pack.withBytes(currency.code) { code throws(PackProblem) in
          try bytes.formatter(locale: tag, currency: code, style: style)
        }
      }
    } catch {
      if let storefront, storefront.priceLocale == locale {
        throw missing(
          currency.kind == .custom
            ? "the pack does not have \(currency) for \(storefront)"
            : "the pack does not have the storefront \(storefront)",
          fix: "write it again with pricetag pack, and add \(storefront) to --storefronts"
        )
      }
      throw missing(
        "the pack does not have \(currency) in \(locale)",
        fix: "write it again with pricetag pack, and add --locales \(locale) --currencies \(currency)"
      )
    }
  }

  private func missing(_ problem: String, fix: String) -> PriceTagError {
    PriceTagError(.missingFromPack, problem, fix: fix)
  }
}

extension Storefront {
  /// Returns whether a merchant's overrides apply to a currency in this storefront only.
  fileprivate func hasOverrides(for currency: Currency) -> Bool {
    let none = CurrencyOverride(
      symbol: nil,
      digits: nil,
      numberingSystem: nil,
      layout: PriceLayout()
    )
    return (override(for: currency) ?? none) != (currency.record.override ?? none)
  }
}

extension Pack {
  /// Returns how to write a pack that has a style that this pack does not have: with its other styles, or as another pack
  /// where one run of `pricetag pack` cannot write both.
  fileprivate func fix(adding missing: StyleContents) -> String {
    var missing = missing
    missing.style.rounding = .exact
    let present = writtenStyles
    let fitting = present.filter { $0.style.with(width: missing.style.width) == missing.style }
    // All styles of a pack have the same options but the width and the reference.
    let canHaveBoth = fitting.count == present.count && !present.isEmpty
    let styles = (canHaveBoth ? fitting : []) + [missing]
    let options = missing.style.packOptions(
      widths: PriceStyle.Width.allCases.filter { width in styles.contains { $0.style.width == width } },
      references: styles.reduce(into: []) { references, style in
        if let reference = style.reference, !references.contains(reference) { references.append(reference) }
      }
    )
    return canHaveBoth
      ? "write it again with pricetag pack, and pass \(options)"
      : "write another pack for it with pricetag pack, and pass \(options)"
  }

  /// The styles that the options of `pricetag pack` named: those that are not only spoken forms of others.
  private var writtenStyles: [StyleContents] {
    let all = (try? styles) ?? []
    return all.enumerated().filter { index, _ in
      !all.indices.contains { $0 != index && spokenIndex(ofStyle: $0) == index }
    }.map(\.element)
  }

  private func spokenIndex(ofStyle index: Int) -> Int {
    bytes.element(index, of: .styles).uint16(at: PackBytes.Style.spoken)
  }
}

extension PriceStyle {
  fileprivate func with(width: Width) -> PriceStyle {
    var style = self
    style.width = width
    return style
  }

  /// The options of `pricetag pack` for several widths and references of the style.
  fileprivate func packOptions(widths: [Width], references: [UnitPriceReference]) -> String {
    var options: [String] = []
    if widths != [.standard] || references.isEmpty {
      options.append("--widths \(widths.map(\.rawValue).joined(separator: ","))")
    }
    if zeros != .keep { options.append("--zeros \(zeros.rawValue)") }
    if sign != .auto { options.append("--sign \(sign.rawValue)") }
    if digits != .standard { options.append("--digits \(digits)") }
    if grouping != .auto { options.append("--grouping \(grouping.rawValue)") }
    if let numberingSystem { options.append("--numbering \(numberingSystem)") }
    if qualifier != .none { options.append("--qualifier \(qualifier.rawValue)") }
    if writtenAs != .icu { options.append("--written-as \(writtenAs)") }
    if !references.isEmpty {
      let texts = references.map { $0.quantity == 1 ? $0.unit.rawValue : "\($0.quantity)\($0.unit.rawValue)" }
      let list = texts.joined(separator: ",")
      options.append("--per \(list.contains(" ") ? quoted(list) : list)")
    }
    // The other options alone write the standard width.
    if options.count > 1, options.first == "--widths standard" { options.removeFirst() }
    return options.joined(separator: " ")
  }
}

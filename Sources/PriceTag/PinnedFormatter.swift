import PriceTagText

/// A formatter in a pack, with what it was requested for. It keeps the memory of the pack.
final class PinnedFormatter: Sendable {
  let pack: Pack
  /// The storefront of the prices; `nil` for those of a price locale and a currency.
  let storefront: Storefront?
  private let formatter: PackFormatter

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
    formatter = try PackRequest(specification, storefront, pack).formatter()
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

  /// The pattern that writes all prices; `nil` if it depends on the amount or on plurals.
  var uniformPattern: PatternBytes? {
    guard !formatter.isFamily else { return nil }
    let pattern = formatter.pattern
    return pattern.hasPlurals ? nil : pattern
  }

  /// The number of bytes that any price needs.
  var capacity: Int { formatter.capacity }

  // MARK: Writing

  /// Returns the text of an amount that was rounded before.
  ///
  /// - Throws: `.missingFromPack` if the pattern has no form for the plural category of the amount.
  func text(of displayed: Amount) throws(PriceTagError) -> String {
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) {
      buffer -> String? in
      let count = written(displayed, into: buffer)
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    guard let text else { throw missingForm(of: displayed) }
    return text
  }

  /// Writes an amount that was rounded before, and returns the number of bytes. Nothing is written if the price is larger
  /// than the buffer.
  ///
  /// - Throws: The errors of `text(of:)`.
  func write(
    _ displayed: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    let count = written(displayed, into: buffer)
    guard count >= 0 else { throw missingForm(of: displayed) }
    return count
  }

  private func written(_ displayed: Amount, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard let (amount, pattern) = member(for: displayed) else { return -1 }
    return pattern.write(amount, within: buffer)
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

  private func missingForm(of amount: Amount) -> PriceTagError {
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

extension PatternBytes {
  /// Whether the affixes depend on plural categories.
  var hasPlurals: Bool { start.uint16(at: Field.plurals) > 0 }
}

/// A request for a formatter of a pack.
///
/// A storefront's prices come from the pack's entry for the storefront. If the pack does not have the storefront, or the
/// price locale is another one, they come from the table of price locales and currencies.
private struct PackRequest {
  private let specification: FormatterSpecification
  private let storefront: Storefront?
  private let pack: Pack

  private var bytes: PackBytes { pack.bytes }
  private var locale: PriceLocale { specification.locale }
  private var currency: Currency { specification.currency }

  init(_ specification: FormatterSpecification, _ storefront: Storefront?, _ pack: Pack) {
    (self.specification, self.storefront, self.pack) = (specification, storefront, pack)
  }

  func formatter() throws(PriceTagError) -> PackFormatter {
    try specification.checkStyle()
    let style = try style()
    if let storefront, storefront.priceLocale == locale, let found = try entry(of: storefront, style) {
      return found
    }
    return try entry(of: style)
  }

  // MARK: Styles

  /// Returns the index of the style.
  private func style() throws(PriceTagError) -> Int {
    let style = specification.style
    guard style.notation == .standard else {
      throw missing("a pack has no compact notation", fix: "use the notation standard")
    }
    if let numbering = style.numberingSystem { _ = try PriceStyle.numberingSystem(numbering) }
    if let index = pack.index(of: style.packKey(per: specification.reference)) { return index }
    let contents = Pack.StyleContents(style: style, reference: specification.reference)
    throw missing(
      "the pack does not have the style (\(contents))",
      fix: "write it again with pricetag pack, and add \(style.packOptions(per: specification.reference))"
    )
  }

  // MARK: Storefronts

  /// Returns the formatter of the storefront; `nil` if the pack does not have the storefront, or not this custom currency.
  private func entry(of storefront: Storefront, _ style: Int) throws(PriceTagError) -> PackFormatter? {
    let date = specification.date ?? .today
    let day = UInt32(truncatingIfNeeded: date.packNumber)
    let own: PackBytes.StorefrontPeriod
    do throws(PackProblem) {
      own = try Pack.withBytes(storefront.id) { id throws(PackProblem) in
        try bytes.period(ofStorefront: id, on: day)
      }
    } catch {
      if error == .unknownStorefront { return nil }
      throw missing(
        "the pack has no currency for \(storefront.id) on \(date)",
        fix: "write it again with pricetag pack and the current locale data"
      )
    }
    try checkAgreement(own, storefront, date)
    do throws(PackProblem) {
      return try Pack.withBytes(storefront.id) { id throws(PackProblem) in
        try Pack.withBytes(currency.code) { code throws(PackProblem) in
          try bytes.formatter(storefront: id, currency: code, date: day, style: style)
        }
      }
    } catch {
      switch error {
      case .unknownCurrency, .currencyMismatch: return nil
      default:
        throw missing(
          "the pack has no pattern for \(currency) in \(storefront.id)",
          fix: "format the price without the pack, because no pattern reproduced ICU's output"
        )
      }
    }
  }

  /// Checks that the pack and the locale data agree on the price locale and on the currency of a storefront.
  private func checkAgreement(
    _ own: PackBytes.StorefrontPeriod,
    _ storefront: Storefront,
    _ date: CalendarDate
  ) throws(PriceTagError) {
    let fix = "write the pack again with pricetag pack, or use the locale data that it was written with"
    let tag = String(decoding: bytes.text(ofLocale: own.locale), as: UTF8.self)
    guard tag == locale.identifier else {
      throw PriceTagError(
        .packMismatch,
        "the pack has the price locale \(printable(tag)) for \(storefront.id), but the locale data has \(locale)",
        fix: fix
      )
    }
    let code = String(decoding: bytes.code(ofCurrency: own.currency), as: UTF8.self)
    let charged = storefront.currency(on: date)
    guard code == charged.code else {
      throw PriceTagError(
        .packMismatch,
        "the pack has \(printable(code)) for \(storefront.id) on \(date), but the locale data has \(charged)",
        fix: fix
      )
    }
  }

  // MARK: Price locales and currencies

  /// Returns the formatter of the price locale and the currency.
  private func entry(of style: Int) throws(PriceTagError) -> PackFormatter {
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
      separators: PriceSeparators()
    )
    return (override(for: currency) ?? none) != (currency.record.override ?? none)
  }
}

extension PriceStyle {
  /// The options of `pricetag pack` that add the style.
  fileprivate func packOptions(per reference: UnitPriceReference?) -> String {
    var options: [String] = []
    if width != .standard { options.append("--widths \(width.rawValue)") }
    if zeros != .keep { options.append("--zeros \(zeros.rawValue)") }
    if sign != .auto { options.append("--sign \(sign.rawValue)") }
    if digits != .standard { options.append("--digits \(digits)") }
    if grouping != .auto { options.append("--grouping \(grouping.rawValue)") }
    if let numberingSystem { options.append("--numbering \(numberingSystem)") }
    if qualifier != .none { options.append("--qualifier \(qualifier.rawValue)") }
    if let reference {
      let text = "\(reference)"
      options.append("--per \(text.contains(" ") ? quoted(text) : text)")
    }
    return options.isEmpty ? "--widths standard" : options.joined(separator: " ")
  }
}

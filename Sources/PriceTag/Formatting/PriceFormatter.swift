/// Formats prices of one price locale, currency and style.
///
/// Create one formatter for each storefront, and share it between threads:
///
///     let formatter = try PriceFormatter(storefront: Storefront("JPN"))
///     try formatter.format("1200").text       // "￥1,200"
///     try formatter.string(for: "1200")       // "￥1,200"
///     try formatter.format("1200.50")         // throws: 1200.50 JPY has more decimals than JPY displays (0); …
///
/// A style changes how prices are written; see ``PriceStyle``. Rounding needs a mode, by name:
///
///     let rounded = try PriceFormatter(storefront: Storefront("JPN"), style: PriceStyle(rounding: .halfEven))
///     try rounded.format("1200.50").text      // "￥1,200"
///
/// A formatter is a small immutable value. It is compiled once from ICU's output, and writes bytes without ICU from then
/// on; see <doc:HowAFormatterIsCompiled>. A formatter never converts a currency, and never rounds unless its style names
/// a rounding mode.
public struct PriceFormatter: Sendable {
  let compiled: Compiled

  init(compiled: Compiled) {
    self.compiled = compiled
  }

  /// Creates a formatter for the prices of a storefront.
  ///
  ///     let egypt = try PriceFormatter(storefront: Storefront("EGY"))
  ///     try egypt.string(for: "4.99")   // "\u{200F}٤٫٩٩\u{A0}ج.م.\u{200F}"
  ///
  /// - Parameters:
  ///   - storefront: The storefront. It decides the currency and the price locale.
  ///   - currency: The currency; `nil` for the storefront's own. Any other must be a custom currency that the storefront
  ///     charges too.
  ///   - locale: The product's own price locale, which wins over the storefront's; `nil` for the storefront's.
  ///   - date: The date that decides the currency, where a store has changed it; `nil` for the current date in the
  ///     storefront, ``Storefront/today``.
  ///   - style: The style of the prices.
  /// - Throws: `.currencyMismatch` for a currency that the storefront does not charge; `.invalidOption` for digits outside
  ///   0...18 and for an unknown numbering system; `.invalidLocaleData` if overrides make group and decimal separators the
  ///   same; `.formattingFailed` if ICU has no data. In a registry that is pinned to a pack, `.missingFromPack` for a
  ///   storefront, currency or style that the pack does not have, and `.packMismatch` if the storefront has another currency
  ///   or price locale in the pack.
  public init(
    storefront: Storefront,
    locale: PriceLocale? = nil,
    currency: Currency? = nil,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) {
    // This check comes before the formatter is compiled, so that a rejected price is cheap.
    let date = try storefront.dateIfNeeded(date.map(StoreDay.date), for: style)
    let currency = try storefront.charged(currency, onDateOrToday: date)
    let specification = FormatterSpecification(
      locale: locale ?? storefront.priceLocale,
      currency: currency,
      style: style,
      merchantOverride: storefront.override(for: currency),
      date: date
    )
    try self.init(specification, of: storefront, storefront.pack ?? currency.record.pack)
  }

  /// Creates a formatter for a currency in a price locale, without a storefront.
  ///
  ///     let formatter = try PriceFormatter(locale: PriceLocale("de-CH"), currency: Currency("CHF"))
  ///     try formatter.string(for: "1234.50")   // "CHF\u{A0}1’234.50"
  ///
  /// - Parameters:
  ///   - locale: The price locale.
  ///   - currency: The currency.
  ///   - style: The style of the prices.
  /// - Throws: The errors of ``init(storefront:locale:currency:on:style:)``.
  public init(
    locale: PriceLocale,
    currency: Currency,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) {
    let specification = FormatterSpecification(
      locale: locale,
      currency: currency,
      style: style,
      merchantOverride: currency.record.override
    )
    try self.init(specification, of: nil, currency.record.pack)
  }

  /// Creates a formatter that formats every price with ICU if `compilesPattern` is false. Tests compare the two. It uses no
  /// pack.
  package init(
    locale: PriceLocale,
    currency: Currency,
    style: PriceStyle,
    compilesPattern: Bool
  ) throws(PriceTagError) {
    let specification = FormatterSpecification(
      locale: locale,
      currency: currency,
      style: style,
      merchantOverride: currency.record.override,
      compilesPattern: compilesPattern
    )
    try self.init(specification, of: nil, nil)
  }

  private init(
    _ specification: FormatterSpecification,
    of storefront: Storefront?,
    _ pack: Pack?
  ) throws(PriceTagError) {
    if let pack {
      compiled = Compiled(specification, try PinnedFormatter(specification, in: storefront, pack))
    } else {
      var specification = specification
      try specification.findWebForm(of: storefront)
      compiled = try Compiled(specification)
    }
  }

  /// The price locale.
  public var locale: PriceLocale { compiled.locale }

  /// The currency.
  public var currency: Currency { compiled.currency }

  /// The style of the prices.
  public var style: PriceStyle { compiled.style }

  /// The number of digits that are displayed after the decimal point, and the rounding step.
  ///
  /// In a compact notation with standard digits, ICU decides the number of digits for each amount; this is the number in
  /// standard notation.
  public var display: Currency.Display { compiled.display }

  /// A Boolean value that indicates whether a compiled pattern writes the prices. It is false if no pattern reproduces
  /// ICU's output. ICU then formats every price, which is slower.
  @_spi(Tests) public var isCompiled: Bool { compiled.backend.isCompiled }

  // MARK: Formatting

  /// Returns an amount as a formatted price, with its text, parts, direction and spoken form.
  ///
  ///     let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
  ///     price.text     // "$4.99"
  ///     price.spoken   // "4.99 US dollars"
  ///
  /// - Throws: `.needsRounding` if the amount has more decimals than are displayed and the style names no rounding mode;
  ///   `.amountOutOfRange`.
  public func format(_ amount: Amount) throws(PriceTagError) -> FormattedPrice {
    let displayed = try displayed(amount)
    return FormattedPrice(text: try text(displayed), amount: amount, upperAmount: nil, compiled: compiled)
  }

  /// Returns an amount as text only. This is a third less work than `format(_:)`.
  ///
  ///     try PriceFormatter(storefront: Storefront("USA")).string(for: "4.99")   // "$4.99"
  ///
  /// - Throws: The errors of `format(_:)`.
  public func string(for amount: Amount) throws(PriceTagError) -> String {
    try text(displayed(amount))
  }

  /// Returns a price in this formatter's currency and locale as a formatted price.
  ///
  ///     let store = try Storefront("USA")
  ///     try PriceFormatter(storefront: store).format(Price("4.99", in: store)).text   // "$4.99"
  ///
  /// - Throws: `.currencyMismatch` or `.localeMismatch` if the price has another currency or locale; the errors of
  ///   `format(_:)` for an amount.
  public func format(_ price: Price) throws(PriceTagError) -> FormattedPrice {
    try check(price)
    return try format(price.amount)
  }

  /// Returns a range of amounts as a formatted price. Bounds that are displayed the same give a single price.
  ///
  ///     let germany = try PriceFormatter(storefront: Storefront("DEU"))
  ///     try germany.format(from: "0.99", to: "4.99").text   // "0,99–4,99\u{A0}€"
  ///
  /// ICU decides whether the range repeats the currency.
  ///
  /// - Parameters:
  ///   - low: The lower bound.
  ///   - high: The upper bound.
  /// - Throws: `.invalidOption` if the lower bound is above the upper one, if both are negative (ICU may write their sign
  ///   once, as in `-5.00–4.00` for -5 to -4), or if the style has a qualifier; `.missingFromPack` for prices from a pack;
  ///   the errors of `format(_:)`.
  public func format(from low: Amount, to high: Amount) throws(PriceTagError) -> FormattedPrice {
    guard let text = try rangeText(from: low, to: high) else { return try format(low) }
    return FormattedPrice(text: text, amount: low, upperAmount: high, compiled: compiled)
  }

  /// Returns a range of amounts as text only. This is a third less work than `format(from:to:)`.
  ///
  ///     try PriceFormatter(storefront: Storefront("DEU")).string(from: "0.99", to: "4.99")   // "0,99–4,99\u{A0}€"
  ///
  /// - Throws: The errors of `format(from:to:)`.
  public func string(from low: Amount, to high: Amount) throws(PriceTagError) -> String {
    if let text = try rangeText(from: low, to: high) { return text }
    return try string(for: low)
  }

  /// Returns the text of a range of two amounts; `nil` if both are displayed the same.
  private func rangeText(from low: Amount, to high: Amount) throws(PriceTagError) -> String? {
    guard low <= high else {
      throw PriceTagError(
        .invalidOption,
        "the range starts at \(low), above its end \(high)",
        fix: "swap the two"
      )
    }
    guard !compiled.style.isWebForm else {
      throw PriceTagError(
        .invalidOption,
        "web forms of ranges are unknown: no store was seen to write one",
        fix: "use the form icu, or format the two amounts separately"
      )
    }
    let qualifier = compiled.style.qualifier
    guard qualifier == .none else {
      throw PriceTagError(
        .invalidOption,
        "a range cannot have the qualifier \(qualifier.rawValue)",
        fix: "use the qualifier none, or format a single amount"
      )
    }
    let (displayedLow, displayedHigh) = (try displayed(low), try displayed(high))
    if displayedLow == displayedHigh { return nil }
    guard !displayedHigh.isNegative else {
      throw PriceTagError(
        .invalidOption,
        "both ends of the range from \(low) to \(high) are negative, and its sign would be ambiguous",
        fix: "format the two amounts separately"
      )
    }
    guard style.sign != .never || !displayedLow.isNegative else {
      throw PriceTagError(
        .invalidOption,
        "the range from \(low) to \(high) starts below zero, which the sign never would hide",
        fix: "use the sign auto, or format the two amounts separately"
      )
    }
    guard compiled.pinned == nil else { throw PinnedFormatter.rangeError }
    guard let compact = compiled.compact else {
      guard let text = compiled.rangeText(displayedLow, displayedHigh) else { throw compiled.icuFailed(low) }
      return text
    }
    guard let text = compiled.ranges?.icuText(displayedLow, displayedHigh) else {
      throw compiled.icuFailed(low)
    }
    guard compact.isUnambiguous(text, from: displayedLow, to: displayedHigh) else {
      throw PriceTagError(
        .invalidOption,
        "compact notation would be ambiguous for the range from \(low) to \(high)",
        fix: "use standard notation, or format the two amounts separately"
      )
    }
    return text.string
  }

  /// Returns whether compiled patterns write the range of two amounts. If not, ICU formats it, which is slower.
  ///
  /// ICU formats ranges with a negative bound.
  @_spi(Tests) public func isCompiled(from low: Amount, to high: Amount) -> Bool {
    guard let low = try? displayed(low), let high = try? displayed(high) else { return false }
    return low == high ? isCompiled : compiled.ranges?.isCompiled(low, high) ?? false
  }

  /// The maximum number of bytes that `write(_:into:)` needs.
  public var maximumUTF8Count: Int { compiled.capacity }

  /// Writes an amount as UTF-8 into a buffer, and returns the number of bytes.
  ///
  /// This allocates no memory if the buffer has at least ``maximumUTF8Count`` bytes and the pattern can write the price.
  ///
  ///     let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: formatter.maximumUTF8Count)
  ///     let count = try formatter.write("4.99", into: buffer)
  ///     String(decoding: buffer.prefix(count), as: UTF8.self)   // "$4.99"
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - buffer: The buffer. Bytes after the price may be overwritten too.
  /// - Returns: The number of bytes of the price.
  /// - Throws: `.bufferTooSmall`; the errors of `format(_:)`.
  @inline(__always)
  public func write(
    _ amount: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    let displayed = try displayed(amount)
    if let count = compiled.write(displayed, into: buffer) { return count }
    return try writeText(displayed, into: buffer)
  }

  /// A Boolean value that indicates whether prices have a spoken form. It is false only for a pack without spoken forms;
  /// ``FormattedPrice/spoken`` is then the text.
  public var hasSpokenForms: Bool { style.isSpoken || compiled.pinned.map { $0.spoken != nil } ?? true }

  /// Checks that prices have a spoken form.
  ///
  /// - Throws: `.missingFromPack`.
  package func checkSpokenForms() throws(PriceTagError) {
    if !hasSpokenForms { throw PinnedFormatter.spokenError }
  }

  /// The formatter for `FormattedPrice.spoken`; `nil` if this formatter already writes the spoken form, if ICU fails, or if
  /// the pack does not have it.
  package var spoken: PriceFormatter? {
    guard !style.isSpoken else { return nil }
    return compiled.spoken.map(PriceFormatter.init(compiled:))
  }

  /// Whether a pack has the patterns of the prices.
  package var isPinned: Bool { compiled.pinned != nil }

  /// The identity of the compiled state, which all copies of a formatter share.
  package var identity: ObjectIdentifier { ObjectIdentifier(compiled) }

  /// A writer for most prices of this formatter that counts no references.
  package var unownedWriter: UnownedPriceWriter { UnownedPriceWriter(compiled) }

  // MARK: Helpers

  /// Returns the amount that is displayed: rounded if the style allows it, otherwise the same amount or an error.
  @inline(__always)
  func displayed(_ amount: Amount) throws(PriceTagError) -> Amount {
    if amount.scale <= compiled.unroundedDigits { return amount }
    return try rounded(amount)
  }

  private func rounded(_ amount: Amount) throws(PriceTagError) -> Amount {
    if let compact = compiled.compact { return try compact.displayed(amount) }
    let display = compiled.display
    do throws(PriceTagError) {
      return try amount.rounded(toDigits: display.digits, step: display.step, style.rounding)
    } catch {
      guard error.code == .needsRounding else { throw error }
      let (problem, fix) = roundingProblem(amount)
      throw PriceTagError(.needsRounding, problem, fix: fix)
    }
  }

  private func roundingProblem(_ amount: Amount) -> (problem: String, fix: String) {
    let display = compiled.display
    let fix = "name a rounding mode such as half-even to allow rounding, or "
    if display.step > 1 {
      let step = Amount(uncheckedCoefficient: Int64(display.step), scale: display.digits)
      return (
        "\(amount) \(currency) is not a multiple of \(step), the rounding step of \(currency) in cash",
        fix + "use standard digits"
      )
    }
    let displaying =
      switch style.digits {
      case .fixed, .range: "the style"
      case .standard, .cash, .minorUnits: currency.code
      }
    return (
      "\(amount) \(currency) has more decimals than \(displaying) displays (\(display.digits))",
      fix + "display more digits"
    )
  }

  @inline(__always)
  private func text(_ displayed: Amount) throws(PriceTagError) -> String {
    guard let bytes = compiled.patternBytes else { return try compiled.text(of: displayed) }
    // A constant size keeps the buffer on the stack.
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) {
      buffer in
      buffer.baseAddress.map { String(formattedUTF8: $0, count: bytes.write(displayed, to: $0)) }
    }
    if let text { return text }
    return try compiled.text(of: displayed)
  }

  /// Writes an amount that no pattern can write, or that may be longer than the buffer.
  @inline(never)
  private func writeText(
    _ displayed: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    var text = try compiled.text(of: displayed)
    let count = text.utf8.count
    guard buffer.count >= count else {
      throw PriceTagError(
        .bufferTooSmall,
        "the price has \(count) bytes, but the buffer has \(buffer.count)",
        fix: "use a buffer of maximumUTF8Count bytes"
      )
    }
    text.withUTF8 { _ = buffer.update(fromContentsOf: $0) }
    return count
  }

  private func check(_ price: Price) throws(PriceTagError) {
    guard price.currency == currency else {
      throw PriceTagError(
        .currencyMismatch,
        "the price is in \(price.currency), but the formatter's currency is \(currency)",
        fix: "use a formatter for \(price.currency) (prices are never converted)"
      )
    }
    guard price.locale == locale else {
      throw PriceTagError(
        .localeMismatch,
        "the price's locale is \(price.locale), but the formatter's is \(locale)",
        fix: "use a formatter for \(price.locale)"
      )
    }
  }
}

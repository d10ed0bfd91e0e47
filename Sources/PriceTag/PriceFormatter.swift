import Synchronization

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
  /// The state that all copies of a formatter share.
  ///
  /// Sendable notes: all properties are immutable, and so is the memory of `patternBytes`, which the pattern owns. The
  /// spoken form is created once, by the first thread that needs it.
  final class Compiled: @unchecked Sendable {
    let locale: PriceLocale
    let currency: Currency
    let style: PriceStyle
    let display: Currency.Display
    let override: CurrencyOverride?
    let options: ICUNumberOptions
    let pattern: CompiledPattern?
    /// The bytes of the pattern if they can write every price, that is, if the pattern has no plurals.
    let patternBytes: UnsafePointer<PatternBytes>?
    /// The formatters that write the prices if the sign or the number of digits depends on the amount.
    let family: FormatterFamily?
    /// ICU's formatter; `nil` if the pattern can write every price.
    let icu: ICUNumberFormatter?
    private let spokenFormatter = AtomicLazyReference<Compiled>()

    init(
      locale: PriceLocale,
      currency: Currency,
      style: PriceStyle,
      override: CurrencyOverride?,
      date: CalendarDate? = nil,
      compilesPattern: Bool
    ) throws(PriceTagError) {
      let display: Currency.Display
      var minimumDigits: Int?
      switch style.digits {
      case .standard:
        display = override?.digits.map { Currency.Display(digits: $0, step: 1) } ?? currency.standardDisplay
      case .cash: display = currency.cashDisplay
      case .fixed(let digits):
        guard PriceStyle.fractionDigits.contains(digits) else {
          throw PriceTagError(
            .invalidOption,
            "\(digits) digits are outside \(PriceStyle.fractionDigits)",
            fix: "use 0 to \(Amount.maximumScale) digits"
          )
        }
        display = Currency.Display(digits: digits, step: 1)
      case .range(let range):
        guard PriceStyle.fractionDigits.contains(range.lowerBound),
          PriceStyle.fractionDigits.contains(range.upperBound)
        else {
          throw PriceTagError(
            .invalidOption,
            "\(range.lowerBound) to \(range.upperBound) digits are outside \(PriceStyle.fractionDigits)",
            fix: "use 0 to \(Amount.maximumScale) digits"
          )
        }
        minimumDigits = range.lowerBound
        display = Currency.Display(digits: range.upperBound, step: 1)
      }
      let icuLocale = try Self.icuLocale(locale, style, override)
      let width =
        style.width == .unambiguous
        ? Self.unambiguousWidth(locale, currency, override, on: date ?? .today) : style.width
      let showsSymbol = width == .standard || width == .narrow
      var options = ICUNumberOptions(
        locale: icuLocale,
        unit: .currency(currency.code),
        symbol: showsSymbol ? override?.symbol : nil,
        width: width,
        sign: style.sign,
        grouping: style.grouping,
        minimumFractionDigits: minimumDigits,
        fractionDigits: display.digits,
        trimsZeroFraction: style.zeros == .trim
      )
      options.separators = override?.separators ?? PriceSeparators()
      // The space beside a currency's name is the language's, and is not overridden.
      if width == .name { options.separators.space = nil }
      guard let icu = ICUNumberFormatter(options) else {
        throw PriceTagError(
          .formattingFailed,
          "ICU cannot format \(currency.code) in \(locale)",
          fix: "check that ICU's data is installed"
        )
      }
      if !options.separators.isEmpty,
        icu.format(Amount(uncheckedCoefficient: 12_345_678_905, scale: display.digits > 0 ? 1 : 0))?
          .hasAmbiguousSeparator
          == true
      {
        throw PriceTagError(
          .invalidLocaleData,
          "\(currency.code) in \(locale) would have the same separator for groups and the fraction",
          fix: "override both separators",
          place: "currency-overrides.json"
        )
      }
      self.locale = locale
      self.currency = currency
      self.style = style
      self.display = display
      self.override = override
      self.options = options
      family =
        compilesPattern && FormatterFamily.isNeeded(for: style)
        ? FormatterFamily(locale: locale, currency: currency, style: style, width: width, override: override)
        : nil
      pattern =
        compilesPattern && family == nil ? PatternCompiler(icu: icu, options: options).compile() : nil
      patternBytes = pattern?.plurals == nil ? pattern?.bytes : nil
      self.icu = patternBytes == nil ? icu : nil
    }

    /// Returns the locale in ICU's spelling, with the numbering system of the style, of the locale or of the merchant, in
    /// this order.
    private static func icuLocale(
      _ locale: PriceLocale,
      _ style: PriceStyle,
      _ override: CurrencyOverride?
    ) throws(PriceTagError) -> String {
      if let numbering = style.numberingSystem {
        let numbering = try PriceStyle.numberingSystem(numbering)
        return "\(locale.icuIdentifierWithoutKeywords)@numbers=\(numbering)"
      }
      let numbering = locale.numberingSystem == nil ? override?.numberingSystem : nil
      return numbering.map { "\(locale.icuIdentifier)@numbers=\($0)" } ?? locale.icuIdentifier
    }

    /// Returns the width of the code if another current currency has the same symbol, otherwise the standard width.
    private static func unambiguousWidth(
      _ locale: PriceLocale,
      _ currency: Currency,
      _ override: CurrencyOverride?,
      on date: CalendarDate
    ) -> PriceStyle.Width {
      let icuLocale = locale.icuIdentifierWithoutKeywords
      guard
        let symbol = override?.symbol ?? NarrowSymbols.symbol(of: currency, isNarrow: false, icuLocale)
      else { return .iso }
      let isShared = NarrowSymbols.symbols(icuLocale: icuLocale).isShared(symbol, by: currency, on: date)
      return isShared ? .iso : .standard
    }

    /// Returns the fields of a displayed amount, in order, with the text between them as literals.
    func fields(of displayed: Amount) -> [ICUText.Field] {
      if let (member, amount) = try? family?.member(for: displayed) { return member.fields(of: amount) }
      if let fields = pattern?.fields(of: displayed) { return fields }
      return (icu ?? ICUNumberFormatter(options))?.format(displayed)?.parts ?? []
    }

    /// The formatter for the spoken form, with the currency's name instead of its symbol; `nil` if ICU fails.
    var spoken: Compiled? {
      if let formatter = spokenFormatter.load() { return formatter }
      guard
        let formatter = try? Compiled(
          locale: locale,
          currency: currency,
          style: style.spoken,
          override: override,
          compilesPattern: true
        )
      else { return nil }
      return spokenFormatter.storeIfNil(formatter)
    }
  }

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
  ///   - locale: The product's own price locale, which wins over the storefront's; `nil` for the storefront's.
  ///   - date: The date that decides the currency, where a store has changed it; `nil` for today in UTC.
  ///   - style: The style of the prices.
  /// - Throws: `.invalidOption` for digits outside 0...18 and for an unknown numbering system; `.invalidLocaleData` if
  ///   overrides make group and decimal separators the same; `.formattingFailed` if ICU has no data.
  public init(
    storefront: Storefront,
    locale: PriceLocale? = nil,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) {
    let currency = storefront.currency(onDateOrToday: date)
    compiled = try Compiled(
      locale: locale ?? storefront.priceLocale,
      currency: currency,
      style: style,
      override: storefront.override(for: currency),
      date: date,
      compilesPattern: true
    )
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
  /// - Throws: The errors of ``init(storefront:locale:on:style:)``.
  public init(
    locale: PriceLocale,
    currency: Currency,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) {
    try self.init(locale: locale, currency: currency, style: style, compilesPattern: true)
  }

  /// Creates a formatter that formats every price with ICU if `compilesPattern` is false. Tests compare the two.
  package init(
    locale: PriceLocale,
    currency: Currency,
    style: PriceStyle,
    compilesPattern: Bool
  ) throws(PriceTagError) {
    compiled = try Compiled(
      locale: locale,
      currency: currency,
      style: style,
      override: currency.record.override,
      compilesPattern: compilesPattern
    )
  }

  /// The price locale.
  public var locale: PriceLocale { compiled.locale }

  /// The currency.
  public var currency: Currency { compiled.currency }

  /// The style of the prices.
  public var style: PriceStyle { compiled.style }

  /// The number of digits that are displayed after the decimal point, and the rounding step.
  public var display: Currency.Display { compiled.display }

  /// A Boolean value that indicates whether a compiled pattern writes the prices. It is false if no pattern reproduces
  /// ICU's output. ICU then formats every price, which is slower.
  public var isCompiled: Bool { compiled.family?.isCompiled ?? (compiled.pattern != nil) }

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
  /// - Throws: `.invalidOption` if the lower bound is above the upper one; the errors of `format(_:)`.
  public func format(from low: Amount, to high: Amount) throws(PriceTagError) -> FormattedPrice {
    guard low <= high else {
      throw PriceTagError(
        .invalidOption,
        "the range starts at \(low), above its end \(high)",
        fix: "swap the two"
      )
    }
    let (displayedLow, displayedHigh) = (try displayed(low), try displayed(high))
    if displayedLow == displayedHigh { return try format(low) }
    guard let text = ICUNumberFormatter.formatRange(displayedLow, displayedHigh, compiled.options) else {
      throw icuFailed(low)
    }
    return FormattedPrice(
      text: String(decoding: text.utf8, as: UTF8.self),
      amount: low,
      upperAmount: high,
      compiled: compiled
    )
  }

  /// The maximum number of bytes that `write(_:into:)` needs.
  public var maximumUTF8Count: Int {
    compiled.pattern?.bytes.pointee.capacity ?? PatternBytes.maximumCapacity
  }

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
    if let bytes = compiled.patternBytes, let output = buffer.baseAddress,
      buffer.count >= bytes.pointee.capacity
    {
      return bytes.pointee.write(displayed, to: output)
    }
    return try writeSlowly(displayed, into: buffer)
  }

  /// The formatter for `FormattedPrice.spoken`; `nil` if this formatter already writes the spoken form, or if ICU fails.
  package var spoken: PriceFormatter? {
    guard !style.isSpoken else { return nil }
    return compiled.spoken.map(PriceFormatter.init(compiled:))
  }

  /// A writer for most prices of this formatter that counts no references.
  package var unownedWriter: UnownedPriceWriter { UnownedPriceWriter(compiled) }

  // MARK: Helpers

  /// Returns the amount that is displayed: rounded if the style allows it, otherwise the same amount or an error.
  @inline(__always)
  func displayed(_ amount: Amount) throws(PriceTagError) -> Amount {
    if amount.scale <= compiled.display.digits, compiled.display.step == 1 { return amount }
    return try rounded(amount)
  }

  private func rounded(_ amount: Amount) throws(PriceTagError) -> Amount {
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
      case .standard, .cash: currency.code
      }
    return (
      "\(amount) \(currency) has more decimals than \(displaying) displays (\(display.digits))",
      fix + "display more digits"
    )
  }

  @inline(__always)
  private func text(_ displayed: Amount) throws(PriceTagError) -> String {
    // A constant size keeps the buffer on the stack.
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) {
      buffer -> String? in
      guard let output = buffer.baseAddress, let count = writePattern(displayed, to: output) else {
        return nil
      }
      // The pieces are complete scalars of valid UTF-8. Another validation would cost more than writing them.
      let utf8 = UnsafeBufferPointer(start: output, count: count)
      return unsafe String(copying: UTF8Span(unchecked: utf8.span))
    }
    if let text { return text }
    return try textWithoutPattern(displayed)
  }

  /// Returns the text of an amount that another formatter or ICU has to format.
  @inline(never)
  private func textWithoutPattern(_ displayed: Amount) throws(PriceTagError) -> String {
    if let (member, amount) = try compiled.family?.member(for: displayed) {
      return try PriceFormatter(compiled: member).text(amount)
    }
    guard let text = compiled.icu?.format(displayed) else { throw icuFailed(displayed) }
    return String(decoding: text.utf8, as: UTF8.self)
  }

  /// Writes an amount with the compiled pattern; returns `nil` if only ICU can format it.
  @inline(__always)
  private func writePattern(_ displayed: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int? {
    if let bytes = compiled.patternBytes { return bytes.pointee.write(displayed, to: output) }
    guard let count = compiled.pattern?.write(displayed, to: output), count >= 0 else { return nil }
    return count
  }

  /// Writes an amount if the buffer is small, the pattern has plurals, or another formatter or ICU is needed.
  @inline(never)
  private func writeSlowly(
    _ displayed: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    if let (member, amount) = try compiled.family?.member(for: displayed) {
      if let bytes = member.patternBytes, let output = buffer.baseAddress,
        buffer.count >= bytes.pointee.capacity
      {
        return bytes.pointee.write(amount, to: output)
      }
      return try PriceFormatter(compiled: member).writeSlowly(amount, into: buffer)
    }
    if let pattern = compiled.pattern, let output = buffer.baseAddress,
      buffer.count >= pattern.bytes.pointee.capacity
    {
      let count = pattern.write(displayed, to: output)
      if count >= 0 { return count }
    }
    var text = try text(displayed)
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

  private func icuFailed(_ amount: Amount) -> PriceTagError {
    PriceTagError(
      .formattingFailed,
      "ICU cannot format \(amount) \(currency) in \(locale)",
      fix: "check that ICU's data is installed"
    )
  }
}

/// Writes prices in loops over very many rows, without counting references.
///
/// It writes only prices that need no rounding, no plural and no ICU. It does not retain its formatter: the caller must
/// keep the formatter alive.
package struct UnownedPriceWriter {
  private let bytes: UnsafePointer<PatternBytes>?
  private let digits: Int
  /// The maximum number of bytes that are written.
  package let capacity: Int

  init(_ compiled: PriceFormatter.Compiled) {
    bytes = compiled.display.step == 1 ? compiled.patternBytes : nil
    digits = compiled.display.digits
    capacity = compiled.pattern?.bytes.pointee.capacity ?? PatternBytes.maximumCapacity
  }

  /// Writes an amount into a buffer of `capacity` bytes, and returns the number of bytes; -1 if the formatter has to
  /// format it.
  @inline(__always)
  package func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let bytes, amount.scale <= digits else { return -1 }
    return bytes.pointee.write(amount, to: output)
  }
}

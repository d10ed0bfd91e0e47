import Synchronization

/// Writes prices of one price locale, currency and style.
///
/// A formatter is compiled once, from ICU's own output, and copies bytes from then on. It is a small immutable
/// value: make one for each storefront and share it with every thread.
///
///     let formatter = try PriceFormatter(storefront: Storefront("JPN"))
///     try formatter.format("1200").text     // "￥1,200"
///     try formatter.format("1200.50")       // throws: 1200.50 JPY would have to be rounded …
///
/// Nothing is converted, and nothing is rounded unless the style names a rounding mode.
public struct PriceFormatter: Sendable {
  /// What is the same for all copies of a formatter.
  ///
  /// Sendable notes: everything is immutable, also behind the pointer, which the stamp owns; the spoken form is made
  /// once, by whoever asks first.
  final class Compiled: @unchecked Sendable {
    let locale: PriceLocale
    let currency: Currency
    let style: PriceStyle
    let display: Currency.Display
    let override: CurrencyOverride?
    let options: ICUNumberOptions
    let stamp: PriceStamp?
    /// The stamp's image where one pattern writes every price: without plurals.
    let image: UnsafePointer<StampImage>?
    /// Kept where the stamp cannot write every price.
    let icu: ICUNumberFormatter?
    private let spokenFormatter = AtomicLazyReference<Compiled>()

    init(
      locale: PriceLocale,
      currency: Currency,
      style: PriceStyle,
      override: CurrencyOverride?,
      isStamped: Bool
    ) throws(PriceTagError) {
      let display: Currency.Display
      switch style.digits {
      case .standard:
        display = override?.digits.map { Currency.Display(digits: $0, step: 1) } ?? currency.standardDisplay
      case .cash: display = currency.cashDisplay
      case .fixed(let digits):
        guard PriceStyle.fractionDigits.contains(digits) else {
          throw PriceTagError(
            .invalidOption,
            "\(digits) digits are outside \(PriceStyle.fractionDigits)",
            fix: "ask for 0 to \(Amount.maximumScale)"
          )
        }
        display = Currency.Display(digits: digits, step: 1)
      }
      // A numbering system that the locale itself names was written on purpose too, and is nearer.
      let numbering = locale.numberingSystem == nil ? override?.numberingSystem : nil
      let showsSymbol = style.width == .standard || style.width == .narrow
      var options = ICUNumberOptions(
        locale: numbering.map { "\(locale.icuIdentifier)@numbers=\($0)" } ?? locale.icuIdentifier,
        unit: .currency(currency.code),
        symbol: showsSymbol ? override?.symbol : nil,
        width: style.width,
        sign: style.sign,
        fractionDigits: display.digits,
        trimsWholeFraction: style.zeros == .trim
      )
      options.separators = override?.separators ?? PriceSeparators()
      // Words are set off as their language does.
      if style.width == .name { options.separators.space = nil }
      guard let icu = ICUNumberFormatter(options) else {
        throw PriceTagError(
          .formattingFailed,
          "ICU cannot format \(currency.code) in \(locale)",
          fix: "check that ICU's data is installed"
        )
      }
      if !options.separators.areUsual,
        icu.format(Amount(uncheckedCoefficient: 12_345_678_905, scale: display.digits > 0 ? 1 : 0))?
          .hasOneSeparator
          == true
      {
        throw PriceTagError(
          .invalidLocaleData,
          "\(currency.code) in \(locale) would have one separator for groups and the fraction",
          fix: "override both of them",
          place: "currency-overrides.json"
        )
      }
      self.locale = locale
      self.currency = currency
      self.style = style
      self.display = display
      self.override = override
      self.options = options
      stamp = isStamped ? StampCompiler(icu: icu, options: options).stamp() : nil
      image = stamp?.plurals == nil ? stamp?.image : nil
      self.icu = image == nil ? icu : nil
    }

    /// The same prices with the currency's name in place of its symbol; `nil` where ICU fails.
    var spoken: Compiled? {
      if let formatter = spokenFormatter.load() { return formatter }
      guard
        let formatter = try? Compiled(
          locale: locale,
          currency: currency,
          style: style.spoken,
          override: override,
          isStamped: true
        )
      else { return nil }
      return spokenFormatter.storeIfNil(formatter)
    }
  }

  let compiled: Compiled

  init(compiled: Compiled) {
    self.compiled = compiled
  }

  /// A formatter of a storefront's prices.
  ///
  /// - Parameters:
  ///   - storefront: Whose currency and price locale write the price.
  ///   - locale: A product's own price locale, which wins over the storefront's; `nil` for the storefront's.
  ///   - date: The day, where the store's currency depends on it; `nil` for today in UTC.
  ///   - style: How prices are written.
  /// - Throws: `.invalidOption` for digits outside 0...18; `.formattingFailed` where ICU has no data.
  public init(
    storefront: Storefront,
    locale: PriceLocale? = nil,
    on date: CalendarDate? = nil,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) {
    let currency = storefront.currency(onDayOrToday: date)
    compiled = try Compiled(
      locale: locale ?? storefront.priceLocale,
      currency: currency,
      style: style,
      override: storefront.override(for: currency),
      isStamped: true
    )
  }

  /// A formatter of a currency's prices in a locale: `de-CH` and CHF give `CHF 1’234.50`.
  ///
  /// - Throws: as `init(storefront:on:style:)`.
  public init(
    locale: PriceLocale,
    currency: Currency,
    style: PriceStyle = PriceStyle()
  ) throws(PriceTagError) {
    try self.init(locale: locale, currency: currency, style: style, isStamped: true)
  }

  /// For comparisons: a formatter that goes through ICU for every price.
  package init(
    locale: PriceLocale,
    currency: Currency,
    style: PriceStyle,
    isStamped: Bool
  ) throws(PriceTagError) {
    compiled = try Compiled(
      locale: locale,
      currency: currency,
      style: style,
      override: currency.record.override,
      isStamped: isStamped
    )
  }

  /// The locale that prices are written in.
  public var locale: PriceLocale { compiled.locale }

  /// The currency of the prices.
  public var currency: Currency { compiled.currency }

  /// How they are written.
  public var style: PriceStyle { compiled.style }

  /// How many digits are displayed after the decimal point, and in which steps.
  public var display: Currency.Display { compiled.display }

  /// Whether prices are written by the compiled pattern, or by ICU because the pattern could not be proven.
  public var isCompiled: Bool { compiled.stamp != nil }

  // MARK: Writing

  /// The text of an amount, and all that is known of it.
  ///
  ///     try PriceFormatter(storefront: Storefront("USA")).format("4.99").text   // "$4.99"
  ///
  /// - Throws: `.needsRounding` where the amount has digits that are not displayed and the style names no
  ///   rounding mode; `.amountOutOfRange`.
  public func format(_ amount: Amount) throws(PriceTagError) -> FormattedPrice {
    let displayed = try displayed(amount)
    return FormattedPrice(text: try text(displayed), amount: amount, upperAmount: nil, compiled: compiled)
  }

  /// The text of an amount, for callers who need nothing else of it: a third less work than `format(_:)`.
  ///
  ///     try PriceFormatter(storefront: Storefront("USA")).string(for: "4.99")   // "$4.99"
  ///
  /// - Throws: as `format(_:)`.
  public func string(for amount: Amount) throws(PriceTagError) -> String {
    try text(displayed(amount))
  }

  /// The text of a price of this formatter's currency and locale.
  ///
  /// - Throws: `.currencyMismatch` and `.localeMismatch` for another's price; and as `format(_:)` of an amount.
  public func format(_ price: Price) throws(PriceTagError) -> FormattedPrice {
    try check(price)
    return try format(price.amount)
  }

  /// The text of a range of amounts, collapsed as ICU does: `$0.99 – $4.99`, `0,99–4,99 €`. Equal ends are one
  /// price.
  ///
  /// - Throws: `.invalidOption` where the range's ends are in the wrong order; and as `format(_:)`.
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

  /// The most bytes that `write(_:into:)` needs room for.
  public var maximumUTF8Count: Int { compiled.stamp?.image.pointee.capacity ?? StampImage.maximumCapacity }

  /// Writes an amount as UTF-8 into a buffer, and answers how many bytes. Allocates nothing where the buffer has
  /// room for `maximumUTF8Count` bytes and ICU is not needed.
  ///
  /// The bytes behind the answer may be overwritten too.
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - buffer: Room for the price: `maximumUTF8Count` bytes are enough for any.
  /// - Throws: `.bufferTooSmall`; and as `format(_:)`.
  @inline(__always)
  public func write(
    _ amount: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    let displayed = try displayed(amount)
    if let image = compiled.image, let output = buffer.baseAddress, buffer.count >= image.pointee.capacity {
      return image.pointee.write(displayed, to: output)
    }
    return try writeSlowly(displayed, into: buffer)
  }

  /// The formatter that writes prices for the ear, as `FormattedPrice.spoken` has them; `nil` where this one writes
  /// them so already, or ICU fails.
  package var spoken: PriceFormatter? {
    guard style.width != .name || style.sign == .accounting else { return nil }
    return compiled.spoken.map(PriceFormatter.init(compiled:))
  }

  /// What writes most prices of this formatter without counting references.
  package var stamper: PriceStamper { PriceStamper(compiled) }

  // MARK: Helpers

  /// The amount as it is displayed.
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
      let digits = display.digits == 1 ? "1 digit" : "\(display.digits) digits"
      throw PriceTagError(
        .needsRounding,
        "\(amount) \(currency) would have to be rounded: it is displayed with \(digits) after the decimal point"
          + (display.step == 1
            ? ""
            : ", in steps of \(Amount(uncheckedCoefficient: Int64(display.step), scale: display.digits))"),
        fix: "name a rounding mode, such as half-even, or display more digits"
      )
    }
  }

  @inline(__always)
  private func text(_ displayed: Amount) throws(PriceTagError) -> String {
    // A constant size, so that it is the stack's.
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: StampImage.maximumCapacity) {
      buffer -> String? in
      guard let output = buffer.baseAddress, let count = stamp(displayed, to: output) else { return nil }
      // The pieces are whole scalars of valid text: to validate them again costs more than to write them.
      let utf8 = UnsafeBufferPointer(start: output, count: count)
      return unsafe String(copying: UTF8Span(unchecked: utf8.span))
    }
    if let text { return text }
    guard let text = compiled.icu?.format(displayed) else { throw icuFailed(displayed) }
    return String(decoding: text.utf8, as: UTF8.self)
  }

  /// Writes without ICU; `nil` where that cannot be done.
  @inline(__always)
  private func stamp(_ displayed: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int? {
    if let image = compiled.image { return image.pointee.write(displayed, to: output) }
    guard let count = compiled.stamp?.write(displayed, to: output), count >= 0 else { return nil }
    return count
  }

  /// Writes where the buffer is small, the currency's name takes a plural, or ICU is needed.
  @inline(never)
  private func writeSlowly(
    _ displayed: Amount,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(PriceTagError) -> Int {
    if let stamp = compiled.stamp, let output = buffer.baseAddress,
      buffer.count >= stamp.image.pointee.capacity
    {
      let count = stamp.write(displayed, to: output)
      if count >= 0 { return count }
    }
    var text = try text(displayed)
    let count = text.utf8.count
    guard buffer.count >= count else {
      throw PriceTagError(
        .bufferTooSmall,
        "the buffer has \(buffer.count) bytes, the price \(count)",
        fix: "give room for maximumUTF8Count bytes"
      )
    }
    text.withUTF8 { _ = buffer.update(fromContentsOf: $0) }
    return count
  }

  private func check(_ price: Price) throws(PriceTagError) {
    guard price.currency == currency else {
      throw PriceTagError(
        .currencyMismatch,
        "the price is in \(price.currency), the formatter's currency is \(currency)",
        fix: "format it with a formatter of its own currency: nothing is converted"
      )
    }
    guard price.locale == locale else {
      throw PriceTagError(
        .localeMismatch,
        "the price belongs to \(price.locale), the formatter to \(locale)",
        fix: "format it with a formatter of its own price locale"
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

/// Writes the prices of a formatter that needs neither ICU nor rounding nor a plural for them, for a loop over very
/// many. It keeps nothing alive: it is good for as long as somebody keeps its formatter.
package struct PriceStamper {
  private let image: UnsafePointer<StampImage>?
  private let digits: Int
  /// The most bytes that are written to.
  package let capacity: Int

  init(_ compiled: PriceFormatter.Compiled) {
    image = compiled.display.step == 1 ? compiled.image : nil
    digits = compiled.display.digits
    capacity = compiled.stamp?.image.pointee.capacity ?? StampImage.maximumCapacity
  }

  /// Writes an amount into room for `capacity` bytes and answers how many; -1 where that is the formatter's to do.
  @inline(__always)
  package func write(_ amount: Amount, to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let image, amount.scale <= digits else { return -1 }
    return image.pointee.write(amount, to: output)
  }
}

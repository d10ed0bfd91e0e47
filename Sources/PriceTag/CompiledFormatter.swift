import Synchronization

extension PriceFormatter {
  /// The state that all copies of a formatter share.
  ///
  /// Sendable notes: all properties are immutable, and so is the memory of `patternBytes`, which the pattern or the pack
  /// owns. The spoken form, ranges and unit prices have formatters that are created once, by the first thread that needs them.
  final class Compiled: @unchecked Sendable {
    private let specification: FormatterSpecification
    let display: Currency.Display
    /// The options of ICU's formatters; `nil` for prices from a pack.
    private let options: ICUNumberOptions?
    let pattern: CompiledPattern?
    /// The bytes of the pattern if they can write every price, that is, if the pattern has no plurals. A pattern of a pack
    /// is in the memory of `pinned`.
    let patternBytes: PatternBytes?
    /// The formatter in a pack that writes the prices; `nil` if they were compiled from ICU's output.
    let pinned: PinnedFormatter?
    /// The maximum number of bytes of a price.
    let capacity: Int
    /// The formatters that write the prices if the sign or the number of digits depends on the amount.
    let family: FormatterFamily?
    /// The formatter that writes the prices in a compact notation; `nil` for the standard notation.
    let compact: CompactFormatter?
    /// The same formatter, for calls that do not count a reference to it.
    private let uncountedCompact: Unmanaged<CompactFormatter>?
    /// The maximum number of decimals of an amount that is displayed as it is; -1 if this depends on the amount.
    let unroundedDigits: Int
    /// ICU's formatter; `nil` if the pattern can write every price.
    let icu: ICUNumberFormatter?
    private let spokenFormatter = AtomicLazyReference<Compiled>()
    private let rangeFormatter = SetOnce<RangeFormatter>()
    private let unitPriceFormatters = UnitPriceFormatters()

    var locale: PriceLocale { specification.locale }
    var currency: Currency { specification.currency }
    var style: PriceStyle { specification.style }

    /// Compiles a formatter.
    ///
    /// - Parameters:
    ///   - specification: What the formatter writes.
    ///   - displayedBy: The compact formatter of the displayed form, if this formatter is for the spoken form.
    init(
      _ specification: FormatterSpecification,
      displayedBy: CompactFormatter? = nil
    ) throws(PriceTagError) {
      let (style, compilesPattern) = (specification.style, specification.compilesPattern)
      let display = try specification.display()
      let options = try specification.icuOptions(display)
      let icu = try specification.icuFormatter(options)
      self.specification = specification
      self.display = display
      self.options = options
      let isCompact = style.notation != .standard
      unroundedDigits = !isCompact && display.step == 1 ? display.digits : -1
      compact = isCompact ? try specification.compactFormatter(icu, options, displayedBy: displayedBy) : nil
      uncountedCompact = compact.map(Unmanaged.passUnretained)
      let hasFamily = compilesPattern && !isCompact && FormatterFamily.isNeeded(for: style)
      family = hasFamily ? FormatterFamily(specification) : nil
      let hasPattern = compilesPattern && !isCompact && !hasFamily
      pattern = hasPattern ? PatternCompiler(icu: icu, options: options).compile() : nil
      patternBytes = pattern?.plurals == nil ? pattern?.bytes : nil
      self.icu = patternBytes == nil ? icu : nil
      pinned = nil
      capacity = pattern?.bytes.capacity ?? PatternBytes.maximumCapacity
    }

    /// Creates a formatter from one of a pack.
    ///
    /// - Parameters:
    ///   - specification: What the formatter writes.
    ///   - pinned: The formatter in the pack.
    init(_ specification: FormatterSpecification, _ pinned: PinnedFormatter) {
      self.specification = specification
      self.pinned = pinned
      display = pinned.display
      unroundedDigits = display.step == 1 ? display.digits : -1
      patternBytes = pinned.uniformPattern
      capacity = pinned.capacity
      (options, pattern, family, compact, uncountedCompact, icu) = (nil, nil, nil, nil, nil, nil)
    }

    /// Returns the fields of a displayed amount, in order, with the text between them as literals.
    func fields(of displayed: Amount) -> [ICUText.Field] {
      if let pinned { return pinned.fields(of: displayed) }
      if let compact { return compact.fields(of: displayed) }
      if let (member, amount) = try? family?.member(for: displayed) { return member.fields(of: amount) }
      if let fields = pattern?.fields(of: displayed) { return fields }
      return (icu ?? options.flatMap(ICUNumberFormatter.init))?.format(displayed)?.parts ?? []
    }

    /// The formatter of ranges; `nil` if ICU fails, and for prices from a pack.
    var ranges: RangeFormatter? {
      if let formatter = rangeFormatter.load() { return formatter }
      guard let options else { return nil }
      return RangeFormatter(options, single: pattern).map { rangeFormatter.storeIfNil($0) }
    }

    /// Returns the amount that a compact notation displays; `nil` in other notations, and if `compact` has to decide.
    func displayedCompactly(_ amount: Amount) -> Amount? {
      guard let compact = uncountedCompact else { return nil }
      return compact._withUnsafeGuaranteedRef { $0.displayedIfKnown(amount) }
    }

    /// Writes an amount in a compact notation, and returns the number of bytes; `nil` in other notations, and if no pattern
    /// can write it.
    func writeCompactly(_ displayed: Amount, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
      guard let compact = uncountedCompact else { return nil }
      return compact._withUnsafeGuaranteedRef { $0.write(displayed, into: buffer) }
    }

    /// Returns the text of a range of two displayed amounts; `nil` if ICU fails.
    func rangeText(_ low: Amount, _ high: Amount) -> String? {
      if let text = rangeFormatter.with({ $0.text(low, high) }) { return text }
      return ranges?.text(low, high)
    }

    /// Returns the formatter of prices per reference unit, which is compiled when it is first used.
    func unitPrices(per reference: UnitPriceReference) throws(PriceTagError) -> Compiled {
      // CLDR has no pattern for a price per piece.
      if reference.isPiece, specification.reference == nil { return self }
      if let formatter = unitPriceFormatters.formatter(per: reference) { return formatter }
      var specification = specification
      specification.reference = reference
      let formatter: Compiled
      if let pinned {
        formatter = Compiled(
          specification,
          try PinnedFormatter(specification, in: pinned.storefront, pinned.pack)
        )
      } else {
        formatter = try Compiled(specification)
      }
      return unitPriceFormatters.insert(formatter, per: reference)
    }

    /// The formatter for the spoken form, with the currency's name instead of its symbol; `nil` if ICU fails, or if the pack
    /// does not have it.
    var spoken: Compiled? {
      if let formatter = spokenFormatter.load() { return formatter }
      var specification = specification
      specification.style = style.spoken
      specification.compilesPattern = true
      if let pinned {
        let formatter = pinned.spoken.map { Compiled(specification, $0) }
        return formatter.map { spokenFormatter.storeIfNil($0) }
      }
      guard let formatter = try? Compiled(specification, displayedBy: compact) else { return nil }
      return spokenFormatter.storeIfNil(formatter)
    }
  }
}

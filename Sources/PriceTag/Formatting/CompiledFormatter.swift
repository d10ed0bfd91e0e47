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
    /// What writes the prices.
    let backend: PriceBackend
    /// The bytes of the pattern if they can write every price, that is, if the pattern has no plurals. They are in the memory
    /// of `backend`.
    let patternBytes: PatternBytes?
    /// The maximum number of bytes of a price.
    let capacity: Int
    /// The maximum number of decimals of an amount that is displayed as it is; -1 if this depends on the amount.
    let unroundedDigits: Int
    private let spokenFormatter = AtomicLazyReference<Compiled>()
    private let rangeFormatter = SetOnce<RangeFormatter>()
    private let unitPriceFormatters = UnitPriceFormatters()

    var locale: PriceLocale { specification.locale }
    var currency: Currency { specification.currency }
    var style: PriceStyle { specification.style }

    /// The formatter in a pack that writes the prices; `nil` if they were compiled from ICU's output.
    var pinned: PinnedFormatter? { if case .pinned(let pinned) = backend { pinned } else { nil } }

    /// The formatter of a compact notation; `nil` for other notations.
    var compact: CompactFormatter? { if case .compact(let compact) = backend { compact } else { nil } }

    /// The pattern that was compiled from ICU's output; `nil` for all other backends.
    var pattern: CompiledPattern? { if case .pattern(let pattern, _) = backend { pattern } else { nil } }

    /// Compiles a formatter.
    ///
    /// - Parameters:
    ///   - specification: What the formatter writes.
    ///   - displayedBy: The compact formatter of the displayed form, if this formatter is for the spoken form.
    init(
      _ specification: FormatterSpecification,
      displayedBy: CompactFormatter? = nil
    ) throws(PriceTagError) {
      let style = specification.style
      let display = try specification.display()
      let options = try specification.icuOptions(display)
      let icu = try specification.icuFormatter(options)
      var pattern: CompiledPattern?
      if style.notation != .standard {
        backend = .compact(try specification.compactFormatter(icu, options, displayedBy: displayedBy))
      } else if specification.compilesPattern, FormatterFamily.isNeeded(for: style) {
        backend = .family(FormatterFamily(specification))
      } else {
        if specification.compilesPattern { pattern = PatternCompiler(icu: icu, options: options).compile() }
        backend = pattern.map { .pattern($0, $0.plurals == nil ? nil : icu) } ?? .icu(icu)
      }
      (self.specification, self.display, self.options) = (specification, display, options)
      unroundedDigits = style.notation == .standard && display.step == 1 ? display.digits : -1
      patternBytes = pattern?.plurals == nil ? pattern?.bytes : nil
      capacity = pattern?.bytes.capacity ?? PatternBytes.maximumCapacity
    }

    /// Creates a formatter from one of a pack.
    ///
    /// - Parameters:
    ///   - specification: What the formatter writes.
    ///   - pinned: The formatter in the pack.
    init(_ specification: FormatterSpecification, _ pinned: PinnedFormatter) {
      (self.specification, options, backend) = (specification, nil, .pinned(pinned))
      display = pinned.display
      unroundedDigits = display.step == 1 ? display.digits : -1
      patternBytes = pinned.uniformPattern
      capacity = pinned.capacity
    }

    // MARK: Writing

    /// Writes an amount that was rounded before, and returns the number of bytes; `nil` if no pattern can write it, or if the
    /// buffer may be too small.
    @inline(__always)
    func write(_ displayed: Amount, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
      if let bytes = patternBytes, let output = buffer.baseAddress, buffer.count >= bytes.capacity {
        return bytes.write(displayed, to: output)
      }
      return backend.write(displayed, into: buffer)
    }

    /// Returns the text of an amount that was rounded before.
    func text(of displayed: Amount) throws(PriceTagError) -> String {
      if let text = try backend.text(of: displayed) { return text }
      throw icuFailed(displayed)
    }

    func icuFailed(_ amount: Amount) -> PriceTagError {
      PriceTagError(
        .formattingFailed,
        "ICU cannot format \(amount) \(currency) in \(locale)",
        fix: "check that ICU's data is installed"
      )
    }

    // MARK: Derived formatters

    /// The formatter of ranges; `nil` if ICU fails, and for prices from a pack.
    var ranges: RangeFormatter? {
      if let formatter = rangeFormatter.load() { return formatter }
      guard let options else { return nil }
      return RangeFormatter(options, single: pattern).map { rangeFormatter.storeIfNil($0) }
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

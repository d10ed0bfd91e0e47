/// How a formatter writes amounts that were rounded before.
enum PriceBackend: Sendable {
  /// A compiled pattern. ICU formats the amounts of whose plural category the pattern has no form; it is `nil` for a pattern
  /// without plurals.
  case pattern(CompiledPattern, ICUNumberFormatter?)
  /// The formatters of a style whose sign or number of digits depends on the amount.
  case family(FormatterFamily)
  /// The formatter of a compact notation.
  case compact(CompactFormatter)
  /// A formatter in a pack.
  case pinned(PinnedFormatter)
  /// ICU's formatter, because no pattern reproduces its output.
  case icu(ICUNumberFormatter)

  /// Whether patterns write the amounts. This compiles all formatters of a family.
  var isCompiled: Bool {
    switch self {
    case .pattern, .pinned: true
    case .family(let family): family.isCompiled
    case .compact(let compact): compact.isCompiled
    case .icu: false
    }
  }

  /// Writes an amount, and returns the number of bytes; `nil` if no pattern can write it, or if the buffer may be too small.
  func write(_ displayed: Amount, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    switch self {
    case .pattern(let pattern, _):
      guard let output = buffer.baseAddress, buffer.count >= pattern.bytes.capacity else { return nil }
      return pattern.write(displayed, to: output)
    case .family(let family):
      guard let (member, amount) = try? family.member(for: displayed) else { return nil }
      return member.write(amount, into: buffer)
    case .compact(let compact): return compact.write(displayed, into: buffer)
    case .pinned(let pinned): return pinned.write(displayed, into: buffer)
    case .icu: return nil
    }
  }

  /// Returns the text of an amount; `nil` if ICU fails.
  ///
  /// - Throws: `.missingFromPack` if the pattern of a pack has no form for the plural category of the amount;
  ///   `.formattingFailed`.
  func text(of displayed: Amount) throws(PriceTagError) -> String? {
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) {
      buffer -> String? in
      guard let output = buffer.baseAddress, let count = write(displayed, into: buffer) else { return nil }
      return String(formattedUTF8: output, count: count)
    }
    if let text { return text }
    switch self {
    case .pattern(_, let icu): return icu?.format(displayed)?.string
    case .family(let family):
      let (member, amount) = try family.member(for: displayed)
      return try member.text(of: amount)
    case .compact(let compact): return try compact.textWithoutPattern(displayed)
    case .pinned: throw PinnedFormatter.missingForm(of: displayed)
    case .icu(let icu): return icu.format(displayed)?.string
    }
  }

  /// Returns the fields of an amount's text, in order, with the text between them as literals.
  func fields(of displayed: Amount) -> [ICUText.Field] {
    switch self {
    case .pattern(let pattern, let icu):
      pattern.fields(of: displayed) ?? icu?.format(displayed)?.parts ?? []
    case .family(let family):
      (try? family.member(for: displayed)).map { $0.formatter.backend.fields(of: $0.amount) } ?? []
    case .compact(let compact): compact.fields(of: displayed)
    case .pinned(let pinned): pinned.fields(of: displayed)
    case .icu(let icu): icu.format(displayed)?.parts ?? []
    }
  }
}

/// Reads prices back by the patterns of a formatter: the inverse of writing, in its own currency only.
///
/// Sendable notes: the memory of the names is written only in the initializer.
package final class PatternReader: @unchecked Sendable {
  /// The reason why a text cannot be read. The raw values are those of all hosts.
  package enum Problem: String, Sendable {
    case amountOutOfRange = "amount-out-of-range"
    case notAPrice = "not-a-price"
    case notAsWritten = "not-as-written"
    case ambiguousNumber = "ambiguous-number"
    case textTooLong = "text-too-long"

    init(_ problem: ReadProblem) {
      self =
        switch problem {
        case .amountOutOfRange: .amountOutOfRange
        case .notAPrice: .notAPrice
        case .notAsWritten: .notAsWritten
        case .ambiguousNumber: .ambiguousNumber
        case .textTooLong: .textTooLong
        }
    }
  }

  /// What a text was read as.
  package struct Result: Sendable {
    /// The problem; `nil` if the text was read.
    package let problem: Problem?
    /// The amount, with the displayed number of decimals.
    package let amount: Amount
    /// The place of the first difference from what the formatter writes, in bytes of UTF-8; `nil` without a difference.
    package let difference: Int?

    init(_ read: ReadText) {
      (problem, amount) = (read.problem.map(Problem.init), read.amount)
      difference = read.difference < 0 ? nil : read.difference
    }
  }

  /// The maximum length of a text, in bytes of UTF-8.
  package static let maximumByteCount = PriceText.maximumCount

  private enum Patterns {
    case pinned(PackFormatter, Pack)
    case compiled(CompiledPatterns)
  }

  /// The patterns that were compiled from ICU's output.
  private struct CompiledPatterns: ReadablePatterns {
    let compiled: PriceFormatter.Compiled
    let patterns: [CompiledPattern]
    let names: FoldedNames

    var patternCount: Int { patterns.count }
    func pattern(at index: Int) -> PatternBytes { patterns[index].bytes }

    func exactly(_ amount: Amount) -> (amount: Amount, pattern: PatternBytes)? {
      let display = compiled.display
      guard
        let displayed = try? amount.rounded(toDigits: display.digits, step: display.step, .exact)
      else { return nil }
      guard case .family(let family) = compiled.backend else {
        return compiled.pattern.map { (displayed, $0.bytes) }
      }
      guard let member = try? family.member(for: displayed), let pattern = member.formatter.pattern else {
        return nil
      }
      return (member.amount, pattern.bytes)
    }
  }

  private let patterns: Patterns
  private let names: UnsafeMutableRawPointer?

  /// Creates the reader of a formatter; `nil` if ICU writes its prices, and for a compact notation, whose prices may be rounded.
  package init?(_ formatter: PriceFormatter) {
    let compiled = formatter.compiled
    if let pinned = compiled.pinned {
      (patterns, names) = (.pinned(pinned.formatter, pinned.pack), nil)
      return
    }
    var found: [CompiledPattern] = []
    switch compiled.backend {
    case .pattern(let pattern, _): found = [pattern]
    case .family(let family):
      guard let members = try? family.allMembers().formatters else { return nil }
      found = members.compactMap(\.pattern)
      guard found.count == members.count else { return nil }
    case .compact, .pinned, .icu: return nil
    }
    let bytes = FoldedNames.bytes(of: formatter.currency, symbols: found.first?.bytes.symbols ?? [])
    let names = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
    names.copyMemory(from: bytes, byteCount: bytes.count)
    self.names = names
    patterns = .compiled(
      CompiledPatterns(
        compiled: compiled,
        patterns: found,
        names: FoldedNames(start: UnsafeRawPointer(names))
      )
    )
  }

  deinit { names?.deallocate() }

  /// The patterns.
  var readable: any ReadablePatterns {
    switch patterns {
    case .pinned(let formatter, _): formatter
    case .compiled(let patterns): patterns
    }
  }

  /// Reads a price.
  ///
  ///     let reader = PatternReader(try PriceFormatter(storefront: Storefront("CHE")))
  ///     reader?.read("CHF\u{A0}1’234.50", isLenient: false).amount       // 1234.50
  ///     reader?.read("CHF 1'234.50", isLenient: false).difference        // 3
  ///     reader?.read("CHF 1'234.50", isLenient: true).amount             // 1234.50
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isLenient: Whether other spaces, marks, apostrophes, signs, digits and names of the currency are accepted.
  package func read(_ text: String, isLenient: Bool) -> Result {
    var text = text
    return text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return Result(ReadText(problem: .notAPrice, difference: 0)) }
      let start = UnsafeRawPointer(base)
      return switch patterns {
      case .pinned(let formatter, _): Result(formatter.read(start, count: bytes.count, isLenient: isLenient))
      case .compiled(let patterns): Result(patterns.read(start, count: bytes.count, isLenient: isLenient))
      }
    }
  }
}

extension FoldedNames {
  /// Returns the bytes of the names of a currency: its code, and the symbols that patterns write.
  ///
  /// A name with digits, signs or brackets is omitted, because it could be a part of another number.
  static func bytes(of currency: Currency, symbols: [[UInt8]]) -> [UInt8] {
    var names: Set<[UInt8]> = []
    for name in [Array(currency.code.utf8)] + symbols {
      let folded = folded(name)
      guard (1...127).contains(folded.count), !folded.contains(where: { "0123456789-+()".utf8.contains($0) })
      else {
        continue
      }
      names.insert(folded)
    }
    var bytes: [UInt8] = [0]
    // The longest first, so that a name is not taken for another one that it starts with.
    let order = names.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count > $1.count }
    for name in order {
      guard bytes.count + name.count + 1 <= maximumCount else { break }
      bytes[0] += 1
      bytes += [UInt8(name.count)] + name
    }
    return bytes
  }

  private static func folded(_ name: [UInt8]) -> [UInt8] {
    name.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return [] }
      return Array(unsafeUninitializedCapacity: bytes.count) { output, count in
        guard let output = output.baseAddress else { return }
        count =
          PriceText(ascii: start, bytes.count).fold(.init(start: nil), into: output, capacity: bytes.count)
          .count
      }
    }
  }
}

extension PatternBytes {
  /// The symbols, codes or names in the text of the amount 1.
  var symbols: [[UInt8]] {
    let one = Amount(uncheckedCoefficient: 1, scale: 0)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maximumCapacity) { buffer in
      let category = category(of: one)
      let count = buffer.baseAddress.map { write(one, category: category, to: $0) } ?? -1
      guard count > 0 else { return [] }
      var symbols: [[UInt8]] = []
      var end = 0
      _ = forEachPart(of: one, category: category) { kind, length in
        if kind == .symbol { symbols.append(Array(buffer[end..<end + length])) }
        end += length
      }
      return symbols
    }
  }
}

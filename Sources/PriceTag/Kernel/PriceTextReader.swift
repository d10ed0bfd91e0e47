/// The reason why a text cannot be read. The raw values are status codes of the C library; they never change.
enum ReadProblem: UInt8, Error {
  /// The number has too many digits.
  case amountOutOfRange = 2
  /// The text has no digits.
  case notAPrice = 21
  /// The text is not what the formatter writes for any amount.
  case notAsWritten = 22
  /// The formatter writes the text for several amounts.
  case ambiguousNumber = 23
  /// The text has more than `PriceText.maximumCount` bytes.
  case textTooLong = 24
}

/// What a text was read as.
struct ReadText {
  /// The problem; `nil` if the text was read.
  var problem: ReadProblem?
  /// The amount, with the displayed number of decimals. An amount with more digits than `Amount` holds has fewer decimals.
  var amount = Amount.zero
  /// The place, in bytes, of the first difference from what the formatter writes; -1 if there is no difference.
  var difference = -1
}

/// The patterns of a formatter, for reading.
protocol ReadablePatterns {
  /// The number of patterns: several if the pattern depends on the amount.
  var patternCount: Int { get }
  func pattern(at index: Int) -> PatternBytes
  /// Returns an amount with no more digits than are displayed, and the pattern that writes it; `nil` if digits would be lost.
  func exactly(_ amount: Amount) -> (amount: Amount, pattern: PatternBytes)?
  /// The names of the currency that lenient reading accepts.
  var names: FoldedNames { get }
}

extension ReadablePatterns {
  /// Reads a price: the inverse of writing. The digits of the text give an amount, which is written and compared with the text.
  ///
  /// The work is bounded by the length of the text and by the number of patterns. Memory is on the stack.
  ///
  /// - Parameter isLenient: Whether texts are the same price if their foldings are (see `PriceText`).
  @inline(never)
  func read(_ text: UnsafeRawPointer, count: Int, isLenient: Bool) -> ReadText {
    guard count <= PriceText.maximumCount else {
      return ReadText(problem: .textTooLong, difference: PriceText.maximumCount)
    }
    let input = PriceText(text, count, digitsOf: pattern(at: 0))
    // A constant size keeps the memory on the stack.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) { scratch in
      guard let written = scratch.baseAddress else { return ReadText(problem: .notAsWritten, difference: 0) }
      let strict = PriceComparison(input: input, text: input, written: written, folded: nil)
      let found = read(strict)
      guard isLenient, let problem = found.problem, problem != .ambiguousNumber else {
        return found.problem == nil ? found : failed(found, strict)
      }
      return readFolded(input, else: found, written: written)
    }
  }

  @inline(never)
  private func readFolded(
    _ input: PriceText,
    else strict: ReadText,
    written: UnsafeMutablePointer<UInt8>
  ) -> ReadText {
    let capacity = PatternBytes.maximumCapacity
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { text in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { scratch in
        guard let text = text.baseAddress, let folded = scratch.baseAddress else {
          return ReadText(problem: .notAsWritten, difference: 0)
        }
        let (count, end) = input.fold(names, into: text, capacity: capacity)
        // No price is so long.
        guard end == input.count else { return ReadText(problem: strict.problem, difference: end) }
        let lenient = PriceComparison(
          input: input,
          text: PriceText(ascii: text, count),
          written: written,
          folded: folded
        )
        let found = read(lenient)
        return found.problem == nil ? found : failed(found, lenient)
      }
    }
  }

  // MARK: Candidates

  /// Reads a text by the patterns, first as an amount above zero or zero.
  private func read(_ comparison: PriceComparison) -> ReadText {
    let digitCount = comparison.text.digitCount
    let hasDigits =
      digitCount > 0 || PriceText(ascii: comparison.input.start, comparison.input.count).digitCount > 0
    var result = ReadText(problem: hasDigits ? .notAsWritten : .notAPrice)
    var sign = digitCount == 0 ? 2 : 0
    while sign < 2, result.problem == .notAsWritten || result.problem == .amountOutOfRange {
      var index = 0
      while index < patternCount {
        let pattern = pattern(at: index)
        let (full, integer) = (
          PatternBytes.Field.affixes, pattern.start.uint16(at: PatternBytes.Field.integerAffixes)
        )
        read(comparison, digitCount, pattern, full, pattern.fractionDigits, isNegative: sign == 1, &result)
        if integer > 0 { read(comparison, digitCount, pattern, integer, 0, isNegative: sign == 1, &result) }
        index &+= 1
      }
      sign &+= 1
    }
    return result
  }

  /// Reads a text by a variant of a pattern. Names may contain digits, which do not belong to the number, and have several forms.
  private func read(
    _ comparison: PriceComparison,
    _ digitCount: Int,
    _ pattern: PatternBytes,
    _ variant: Int,
    _ scale: Int,
    isNegative: Bool,
    _ result: inout ReadText
  ) {
    var category = 0
    var last = (prefix: -1, suffix: -1)
    while category < pattern.start.uint8(at: PatternBytes.Field.categoryCount) {
      let found = comparison.digitCounts(pattern, variant, category, isNegative: isNegative)
      category &+= 1
      guard let found, found != last else { continue }
      last = found
      let count = digitCount &- found.prefix &- found.suffix
      guard count > scale else { continue }
      let amount = comparison.text.amount(skipping: found.prefix, count, scale: scale, isNegative: isNegative)
      guard let amount else {
        if result.problem == .notAsWritten { result.problem = .amountOutOfRange }
        continue
      }
      if isNegative, amount.coefficient == 0 { continue }
      let length = write(amount, to: comparison.written)
      guard length > 0, comparison.isEqual(length, pattern, names) else { continue }
      let (old, new) = (result.amount.normalized, amount.normalized)
      if result.problem == nil, old.coefficient != new.coefficient || old.scale != new.scale {
        result.problem = .ambiguousNumber
      } else if result.problem != .ambiguousNumber {
        let difference = comparison.folded == nil ? -1 : comparison.firstDifference(length)
        result = ReadText(problem: nil, amount: amount, difference: difference)
      }
    }
  }

  /// Writes an amount, and returns its length; -1 if it is not written exactly.
  @inline(never)
  private func write(_ amount: Amount, to written: UnsafeMutablePointer<UInt8>) -> Int {
    guard let (displayed, pattern) = exactly(amount) else { return -1 }
    return pattern.write(displayed, category: pattern.category(of: displayed), to: written)
  }

  // MARK: Failures

  /// Adds the place of the first difference from a price with the digits of the text: from the start of one, if its end is
  /// missing.
  private func failed(_ result: ReadText, _ comparison: PriceComparison) -> ReadText {
    var result = result
    result.difference = 0
    let decimal = PatternBytes.Field.decimal
    let digitCount = comparison.text.digitCount
    var sign = 0
    while sign < 2 {
      var index = 0
      while index < patternCount {
        let pattern = pattern(at: index)
        let separator = pattern.start + pattern.start.uint16(at: decimal)
        let decimals = comparison.input.digitCount(
          afterLast: separator,
          pattern.start.uint16(at: decimal &+ 2)
        )
        let scale = min(decimals, pattern.fractionDigits)
        let found = comparison.digitCounts(pattern, PatternBytes.Field.affixes, 0, isNegative: sign == 1)
        let prefix = found?.prefix ?? 0
        let count = digitCount &- prefix &- (decimals &- scale)
        let zero = Amount(uncheckedCoefficient: 0, scale: 0)
        let amount =
          count > scale
          ? comparison.text.amount(skipping: prefix, count, scale: scale, isNegative: sign == 1) : zero
        let length = write(amount ?? zero, to: comparison.written)
        if length > 0 {
          result.difference = max(result.difference, comparison.firstMismatch(length, pattern, names))
        }
        index &+= 1
      }
      sign &+= 1
    }
    return result
  }
}

/// A text that is compared with what a formatter writes.
private struct PriceComparison {
  /// The text to read.
  let input: PriceText
  /// The text to read, or its folding.
  let text: PriceText
  /// A buffer for what the formatter writes.
  let written: UnsafeMutablePointer<UInt8>
  /// A buffer for its folding; `nil` if the bytes are compared.
  let folded: UnsafeMutablePointer<UInt8>?

  /// Returns the numbers of digits before and after the number in a price; `nil` if the pattern has no affixes for a category.
  func digitCounts(
    _ pattern: PatternBytes,
    _ variant: Int,
    _ category: Int,
    isNegative: Bool
  ) -> (prefix: Int, suffix: Int)? {
    guard let affix = pattern.affix(variant, isNegative, category) else { return nil }
    return (digitCount(pattern, affix), digitCount(pattern, affix &+ PatternBytes.affixLength))
  }

  private func digitCount(_ pattern: PatternBytes, _ affix: Int) -> Int {
    let (start, count) = (
      pattern.start + pattern.start.uint16(at: affix), pattern.start.uint16(at: affix &+ 2)
    )
    let own = PriceText(start, count, digitsOf: pattern)
    // Folding makes the digits of the pattern ASCII.
    return own.digitCount
      &+ (folded == nil || own.digitLength == 1 ? 0 : PriceText(ascii: start, count).digitCount)
  }

  /// Returns whether the text is the written price.
  func isEqual(_ length: Int, _ pattern: PatternBytes, _ names: FoldedNames) -> Bool {
    let (other, count) = compared(length, pattern, names)
    return count == text.count && text.commonPrefix(with: other, count) == count
  }

  /// Returns the place of the first difference between the input and the written price.
  func firstDifference(_ length: Int) -> Int { input.commonPrefix(with: written, length) }

  /// Returns the place in the input at which the text differs from the written price.
  func firstMismatch(_ length: Int, _ pattern: PatternBytes, _ names: FoldedNames) -> Int {
    let (other, count) = compared(length, pattern, names)
    let place = text.commonPrefix(with: other, count)
    // Folding the input up to this place gives the place in the input.
    guard let folded else { return place }
    return input.fold(names, into: folded, capacity: place).end
  }

  /// Returns the written price, or its folding.
  private func compared(
    _ length: Int,
    _ pattern: PatternBytes,
    _ names: FoldedNames
  ) -> (UnsafeRawPointer, Int) {
    guard let folded else { return (UnsafeRawPointer(written), length) }
    let price = PriceText(written, length, digitsOf: pattern)
    return (
      UnsafeRawPointer(folded), price.fold(names, into: folded, capacity: PatternBytes.maximumCapacity).count
    )
  }
}

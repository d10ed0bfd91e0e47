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
  /// - Parameter isLenient: Whether texts are the same price if their foldings are (see `FoldedText`).
  @inline(never)
  func read(_ text: UnsafeRawPointer, count: Int, isLenient: Bool) -> ReadText {
    guard count <= PriceText.maximumCount else {
      return ReadText(problem: .textTooLong, difference: PriceText.maximumCount)
    }
    let input = PriceText(text, count, digitsOf: pattern(at: 0))
    // A constant size keeps the memory on the stack.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) { scratch in
      guard let written = scratch.baseAddress else { return ReadText(problem: .notAsWritten, difference: 0) }
      let found = read(input, written, isLenient: isLenient)
      if found.problem == nil { return found }
      return failed(found, input, written, isLenient: isLenient)
    }
  }

  // MARK: Candidates

  /// Reads a text by the patterns, first as an amount above zero or zero.
  @inline(never)
  private func read(_ input: PriceText, _ written: UnsafeMutablePointer<UInt8>, isLenient: Bool) -> ReadText {
    var result = ReadText(problem: .notAsWritten)
    var sign = 0
    while sign < 2, result.problem == .notAsWritten || result.problem == .amountOutOfRange {
      var index = 0
      while index < patternCount {
        let pattern = pattern(at: index)
        var candidate = PriceCandidate(
          scale: pattern.fractionDigits,
          isNegative: sign == 1,
          isLenient: isLenient
        )
        // First with a fraction, then without, if the pattern has such a variant.
        var (variant, left) = (PatternBytes.Field.affixes, 2)
        while left > 0, variant > 0 {
          read(input, written, pattern, variant, candidate, &result)
          variant = pattern.start.uint16(at: PatternBytes.Field.integerAffixes)
          candidate.scale = 0
          left &-= 1
        }
        index &+= 1
      }
      sign &+= 1
    }
    return result
  }

  /// Reads a text by a variant of a pattern. The affixes have several forms, and may contain digits that do not belong to the number.
  @inline(__always)
  private func read(
    _ input: PriceText,
    _ written: UnsafeMutablePointer<UInt8>,
    _ pattern: PatternBytes,
    _ variant: Int,
    _ candidate: PriceCandidate,
    _ result: inout ReadText
  ) {
    let isLenient = candidate.isLenient
    var category = 0
    while category < pattern.start.uint8(at: PatternBytes.Field.categoryCount) {
      let place = pattern.affix(variant, candidate.isNegative, category)
      category &+= 1
      guard let place else { continue }
      let (prefix, suffix) = (pattern.piece(at: place), pattern.piece(at: place &+ PatternBytes.affixLength))
      let (first, end) = isLenient ? (0, input.count) : (prefix.count, input.count &- suffix.count)
      guard first < end,
        isLenient
          || input.equals(prefix.start, first, at: 0) && input.equals(suffix.start, suffix.count, at: end)
      else { continue }
      let digits = input.digits(from: first, to: end)
      // A number starts and ends with a digit.
      guard isLenient || digits.start == first && digits.end == end else { continue }
      if accept(candidate, input, digits, 0, digits.count, written, &result) || !isLenient { continue }
      let (before, after) = (prefix.digitCount, suffix.digitCount)
      guard before &+ after > 0 else { continue }
      _ = accept(candidate, input, digits, before, digits.count &- before &- after, written, &result)
    }
  }

  /// Changes the result if a number of digits after the skipped ones are an amount whose price is the text.
  @inline(never)
  private func accept(
    _ candidate: PriceCandidate,
    _ input: PriceText,
    _ digits: PriceText.Digits,
    _ skipped: Int,
    _ count: Int,
    _ written: UnsafeMutablePointer<UInt8>,
    _ result: inout ReadText
  ) -> Bool {
    let (scale, isNegative) = (candidate.scale, candidate.isNegative)
    guard count > scale else { return false }
    guard let amount = input.amount(digits, skipping: skipped, count, scale: scale, isNegative: isNegative)
    else {
      if result.problem == .notAsWritten { result.problem = .amountOutOfRange }
      return false
    }
    // Zero has no sign.
    if isNegative, amount.coefficient == 0 { return false }
    let length = write(amount, to: written)
    guard length > 0 else { return false }
    let isExact = length == input.count && input.equals(written, length, at: 0)
    guard isExact || candidate.isLenient && firstDifference(input, digits, written, length) < 0 else {
      return false
    }
    if result.problem == .notAsWritten || result.problem == .amountOutOfRange {
      result = ReadText(problem: nil, amount: amount)
      if !isExact { result.difference = input.commonPrefix(with: written, length, at: 0, input.count) }
    } else if !result.amount.isEqual(to: amount) {
      result.problem = .ambiguousNumber
    }
    return true
  }

  /// Returns the place of the first difference between the foldings of a text and of a price; -1 if they are the same.
  @inline(never)
  private func firstDifference(
    _ input: PriceText,
    _ digits: PriceText.Digits,
    _ written: UnsafeMutablePointer<UInt8>,
    _ length: Int
  ) -> Int {
    let price = PriceText(written, length, digitsOf: pattern(at: 0))
    let folded = FoldedText(text: price, number: price.firstAndLastDigit, names: names)
    return FoldedText(text: input, number: digits, names: names).firstDifference(from: folded)
  }

  /// Writes an amount, and returns its length; -1 if it is not written exactly.
  @inline(never)
  private func write(_ amount: Amount, to written: UnsafeMutablePointer<UInt8>) -> Int {
    guard let (displayed, pattern) = exactly(amount) else { return -1 }
    return pattern.write(displayed, category: pattern.category(of: displayed), to: written)
  }

  // MARK: Failures

  /// Returns a result with the place of the first difference from a price with the digits of the text: from the start of one, if
  /// its end is missing.
  @inline(never)
  private func failed(
    _ found: ReadText,
    _ input: PriceText,
    _ written: UnsafeMutablePointer<UInt8>,
    isLenient: Bool
  ) -> ReadText {
    var result = found
    if found.problem == .ambiguousNumber {
      // A text as it is written may be less ambiguous than its folding.
      let strict = read(input, written, isLenient: false)
      return strict.problem == nil ? strict : found
    }
    let digits = input.digits(from: 0, to: input.count)
    if digits.count == 0 { result.problem = .notAPrice }
    result.difference = 0
    var sign = 0
    while sign < 2 {
      var index = 0
      while index < patternCount {
        let pattern = pattern(at: index)
        let decimals = input.digitCount(afterLast: pattern.piece(at: PatternBytes.Field.decimal))
        let scale = min(decimals, pattern.fractionDigits)
        let skipped =
          pattern.affix(PatternBytes.Field.affixes, sign == 1, 0).map { pattern.piece(at: $0).digitCount }
          ?? 0
        let count = digits.count &- skipped &- (decimals &- scale)
        var amount = Amount(uncheckedCoefficient: 0, scale: 0)
        if count > scale {
          amount =
            input.amount(digits, skipping: skipped, count, scale: scale, isNegative: sign == 1) ?? amount
        }
        let length = write(amount, to: written)
        if length > 0 {
          let place =
            isLenient
            ? firstDifference(input, digits, written, length)
            : input.commonPrefix(with: written, length, at: 0, input.count)
          result.difference = max(result.difference, place)
        }
        index &+= 1
      }
      sign &+= 1
    }
    return result
  }
}

/// A way to write an amount.
private struct PriceCandidate {
  /// The number of digits after the decimal separator.
  var scale: Int
  let isNegative, isLenient: Bool
}

extension Amount {
  /// Returns whether two amounts have the same value. Their scales may differ.
  func isEqual(to other: Amount) -> Bool {
    let (own, other) = (normalized, other.normalized)
    return own.coefficient == other.coefficient && own.scale == other.scale
  }
}

extension PatternBytes {
  /// Returns the text whose offset and length are at a place.
  @inline(__always)
  fileprivate func piece(at place: Int) -> PriceText {
    PriceText(start + start.uint16(at: place), start.uint16(at: place &+ 2), digitsOf: self)
  }
}

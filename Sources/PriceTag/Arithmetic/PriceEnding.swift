import PriceTagText

/// An ending that the prices of a store have, such as `.99`, or a step that they are multiples of, such as 5.
///
///     try PriceEnding(".99").allows("4.99")   // true
///     try PriceEnding("x90").allows("1290")   // true
///     try PriceEnding("/5").allows("1203")    // false
///
/// | Text | Allowed amounts |
/// |---|---|
/// | `.99` | 0.99, 1.99, 2.99, … |
/// | `.x9` | 0.09, 0.19, 0.29, … |
/// | `x9` | 9, 19, 29, …, without a fraction |
/// | `x90` | 90, 190, 290, …, without a fraction |
/// | `x4.50` | 4.50, 14.50, 24.50, … |
/// | `/5` | 5, 10, 15, … |
/// | `/0.25` | 0.25, 0.50, 0.75, … |
///
/// An `x` before digits matches any digits, also no digit. Directly after the decimal point, each `x` matches one
/// digit. A slash precedes a step.
public struct PriceEnding: Hashable, Sendable, CustomStringConvertible {
  /// The text of the ending, such as `.99`.
  public let description: String
  /// The distance of the allowed amounts from a multiple of the step, without zeros at its end: 0.99 for `.99`, and 0
  /// for `/5`.
  public let offset: Amount
  /// The distance between two allowed amounts, without zeros at its end: 1 for `.99`, and 5 for `/5`.
  public let step: Amount

  /// The maximum length of the text of an ending, in bytes.
  private static let maximumTextLength = 20

  /// Creates an ending from its text.
  ///
  /// - Parameter text: The text, in the syntax of the table above, with at most 18 digits.
  /// - Throws: `.invalidOption` if the text is not an ending.
  public init(_ text: String) throws(PriceTagError) {
    guard text.utf8.count <= Self.maximumTextLength,
      let (offset, step) = Self.step(text) ?? Self.pattern(text)
    else {
      throw PriceTagError(
        .invalidOption,
        "\(quoted(text)) is not a price ending",
        fix: "write an ending such as .99, .x9, x9, x90 or x4.50, or a step such as /5"
      )
    }
    (description, self.offset, self.step) = (text, offset.normalized, step.normalized)
  }

  /// Reads a slash and a positive decimal.
  private static func step(_ text: String) -> (offset: Amount, step: Amount)? {
    guard text.hasPrefix("/"), let first = text.utf8.dropFirst().first, isDigit(first),
      let step = try? Amount(decimal: String(text.dropFirst())), step > .zero
    else { return nil }
    return (.zero, step)
  }

  /// Reads `xD`, `xD.D`, `.D` or `.xD`, where `D` is one or more digits.
  private static func pattern(_ text: String) -> (offset: Amount, step: Amount)? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let integer = parts.first else { return nil }
    let fraction = parts.count == 2 ? parts[1] : nil
    if integer.isEmpty {
      guard let fraction else { return nil }
      let anyDigits = fraction.prefix { $0 == UInt8(ascii: "x") }.count
      let digits = fraction.dropFirst(anyDigits)
      guard areDigits(digits), let step = try? Amount(minorUnits: 1, exponent: anyDigits) else { return nil }
      let zeros = String(repeating: "0", count: anyDigits)
      return amount("0.\(zeros)\(Substring(digits))").map { ($0, step) }
    }
    let digits = integer.dropFirst()
    guard integer.first == UInt8(ascii: "x"), areDigits(digits), fraction.map(areDigits) ?? true else {
      return nil
    }
    guard let offset = amount(String(Substring(digits)) + (fraction.map { ".\(Substring($0))" } ?? "")),
      let step = amount("1" + String(repeating: "0", count: digits.count))
    else { return nil }
    return (offset, step)
  }

  private static func amount(_ text: String) -> Amount? { try? Amount(decimal: text) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func areDigits(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty && text.allSatisfy(isDigit)
  }

  /// The number of decimals that a currency needs for the allowed amounts: 2 for `.99`, 0 for `x90` and `/5`.
  public var decimalCount: Int { max(offset.scale, step.scale) }

  /// Returns whether an amount has the ending. Zero and negative amounts never have it.
  public func allows(_ amount: Amount) -> Bool {
    guard amount > .zero else { return false }
    let (_, value, offset, step) = aligned(with: amount)
    return (value - offset).isMultiple(of: step)
  }

  /// Returns the closest allowed amount below an amount.
  ///
  ///     try PriceEnding(".99").amount(below: "5.00")   // 4.99
  ///     try PriceEnding(".99").amount(below: "0.50")   // nil
  ///
  /// - Returns: A positive amount with the decimals of the given amount, or more if the ending needs them; `nil`
  ///   without such an amount, or if it is out of the range of an ``Amount``.
  public func amount(below amount: Amount) -> Amount? {
    let (scale, value, offset, step) = aligned(with: amount)
    let distance = value - offset - 1
    // The quotient rounded down, also for a negative distance.
    let count = distance / step - (distance % step < 0 ? 1 : 0)
    return Self.positiveAmount(offset + count * step, scale)
  }

  /// Returns the closest allowed amount above an amount.
  ///
  ///     try PriceEnding("x90").amount(above: "1200")   // 1290
  ///     try PriceEnding("x90").amount(above: "-5")     // 90
  ///
  /// - Returns: A positive amount with the decimals of the given amount, or more if the ending needs them; `nil` if it
  ///   is out of the range of an ``Amount``.
  public func amount(above amount: Amount) -> Amount? {
    let (scale, value, offset, step) = aligned(with: amount)
    let distance = max(value, 0) - offset
    let count = distance / step + (distance % step < 0 ? 0 : 1)
    return Self.positiveAmount(offset + count * step, scale)
  }

  /// Returns an amount, the offset and the step as integers in units of the same scale.
  ///
  /// Each is at most 19 digits with 18 zeros, so that their sums fit 128 bits.
  private func aligned(with amount: Amount) -> (scale: Int, value: Int128, offset: Int128, step: Int128) {
    let scale = max(amount.scale, decimalCount)
    return (scale, amount.units(scale), offset.units(scale), step.units(scale))
  }

  private static func positiveAmount(_ value: Int128, _ scale: Int) -> Amount? {
    value > 0 ? try? Amount(exactly: value, scale: scale) : nil
  }
}

/// The endings that the prices in a currency may have. A price must have one of them.
///
///     let rule = try PriceEndingRule(["x0", "x9"])
///     rule.allows("1203")            // false
///     rule.amount(below: "1203")     // 1200
///     rule.amount(above: "1203")     // 1209
///     rule.corrected("1203", .up)    // 1209
///
/// All arithmetic is exact. The rule proposes amounts; it never changes one.
public struct PriceEndingRule: Hashable, Sendable, CustomStringConvertible {
  /// Which allowed amount replaces an amount that is not allowed.
  public enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    /// The closest allowed amount above.
    case up
    /// The closest allowed amount below.
    case down
    /// The closer one of both. If both are equally close, the one below.
    case nearest
  }

  /// The endings, in the given order, without duplicates.
  public let endings: [PriceEnding]

  /// The maximum number of endings of a rule.
  private static let maximumCount = 100

  /// Creates a rule from the texts of its endings.
  ///
  /// - Parameter texts: 1 to 100 endings, in the syntax of ``PriceEnding``.
  /// - Throws: `.invalidOption`.
  public init(_ texts: [String]) throws(PriceTagError) {
    guard (1...Self.maximumCount).contains(texts.count) else {
      throw PriceTagError(
        .invalidOption,
        "a rule for price endings cannot have \(texts.count) endings",
        fix: "use 1 to \(Self.maximumCount) endings"
      )
    }
    var endings: [PriceEnding] = []
    for text in texts {
      let ending = try PriceEnding(text)
      if !endings.contains(ending) { endings.append(ending) }
    }
    self.endings = endings
  }

  /// Returns whether an amount has one of the endings. Zero is always allowed, because a free product has no ending.
  /// Negative amounts are not allowed.
  public func allows(_ amount: Amount) -> Bool {
    amount.isZero || endings.contains { $0.allows(amount) }
  }

  /// Returns the closest allowed amount below an amount.
  ///
  /// - Returns: A positive amount; `nil` without such an amount, or if it is out of the range of an ``Amount``.
  public func amount(below amount: Amount) -> Amount? {
    endings.lazy.compactMap { $0.amount(below: amount) }.max()
  }

  /// Returns the closest allowed amount above an amount.
  ///
  /// - Returns: A positive amount; `nil` if it is out of the range of an ``Amount``.
  public func amount(above amount: Amount) -> Amount? {
    endings.lazy.compactMap { $0.amount(above: amount) }.min()
  }

  /// Returns the amount itself if it is allowed, else the closest allowed amount in a direction.
  ///
  ///     let rule = try PriceEndingRule([".99"])
  ///     rule.corrected("4.99", .up)        // 4.99
  ///     rule.corrected("4.50", .nearest)   // 4.99
  ///     rule.corrected("0.50", .down)      // nil
  ///
  /// - Returns: A positive amount or zero; `nil` if the direction has no such amount. For `.nearest`, the only one if
  ///   there is one on one side only.
  public func corrected(_ amount: Amount, _ direction: Direction) -> Amount? {
    if allows(amount) { return amount }
    switch direction {
    case .up: return self.amount(above: amount)
    case .down: return self.amount(below: amount)
    case .nearest:
      guard let below = self.amount(below: amount) else { return self.amount(above: amount) }
      guard let above = self.amount(above: amount) else { return below }
      let scale = max(below.scale, amount.scale, above.scale)
      let middle = amount.units(scale)
      return above.units(scale) - middle < middle - below.units(scale) ? above : below
    }
  }

  /// The endings, separated by commas: `x0, x9`.
  public var description: String { endings.map(\.description).joined(separator: ", ") }
}

extension Amount {
  /// Returns the coefficient at a larger scale: 4990 for 4.99 and 3. 19 digits and 18 zeros fit 128 bits.
  fileprivate func units(_ largerScale: Int) -> Int128 {
    Int128(coefficient) * Int128(powerOfTen(largerScale - scale))
  }
}

import CICU

/// CLDR's plural rules of a locale. ICU provides the rules, and this type evaluates them.
///
/// The syntax of the rules is defined in UTS 35, part 3, "Language Plural Rules".
package struct PluralRules: Sendable {
  /// A plural category, in CLDR's order.
  package enum Category: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other
  }

  /// The operands of plural rules. They depend on the displayed digits, not only on the value: 1 and 1.0 differ.
  package struct Operands: Sendable {
    /// The integer part.
    let integer: UInt64
    /// The fraction digits as an integer, with and without trailing zeros.
    let fraction: UInt64
    let trimmedFraction: UInt64
    /// The number of fraction digits, with and without trailing zeros.
    let fractionCount: Int
    let trimmedFractionCount: Int

    /// Creates the operands of an amount that is displayed with a number of fraction digits.
    package init(_ amount: Amount, fractionDigits: Int) {
      let divisor = UInt64(powersOfTen[amount.scale])
      let (integer, remainder) = amount.coefficient.magnitude.quotientAndRemainder(dividingBy: divisor)
      var trimmed = remainder
      var count = amount.scale
      while count > 0, trimmed.isMultiple(of: 10) {
        trimmed /= 10
        count -= 1
      }
      self.integer = integer
      fraction = remainder &* UInt64(powersOfTen[max(0, fractionDigits - amount.scale)])
      fractionCount = fractionDigits
      trimmedFraction = trimmed
      trimmedFractionCount = count
      areExactInICU = amount.coefficient.magnitude < 1_000_000_000_000_000 && fractionDigits <= 15
    }

    /// Whether ICU computes with the same number. ICU stores operands as doubles, which are exact for fifteen digits.
    let areExactInICU: Bool

    func value(of operand: UInt8) -> UInt64 {
      switch operand {
      case UInt8(ascii: "v"): UInt64(fractionCount)
      case UInt8(ascii: "w"): UInt64(trimmedFractionCount)
      case UInt8(ascii: "f"): fraction
      case UInt8(ascii: "t"): trimmedFraction
      case UInt8(ascii: "c"), UInt8(ascii: "e"): 0
      default: integer
      }
    }
  }

  /// `n % 100 = 3..10, 12`, or its negation.
  private struct Relation: Sendable {
    let operand: UInt8
    let modulus: UInt64?
    let isNegated: Bool
    let ranges: [ClosedRange<UInt64>]

    func holds(_ operands: Operands) -> Bool {
      var value = operands.value(of: operand)
      // n is the absolute value. With a fraction, it is in no range of integers.
      let isFractional = operand == UInt8(ascii: "n") && operands.trimmedFraction != 0
      if let modulus { value %= modulus }
      return (!isFractional && ranges.contains { $0.contains(value) }) != isNegated
    }
  }

  /// The rule of each category: alternatives of relations that must all hold.
  private let rules: [(category: Category, alternatives: [[Relation]])]

  /// The categories that the locale uses, in CLDR's order. They always include `other`.
  package var categories: [Category] {
    Category.allCases.filter { category in category == .other || rules.contains { $0.category == category } }
  }

  /// Creates the rules of a locale in ICU's spelling; returns `nil` if CLDR's text cannot be parsed.
  package init?(icuLocale: String, ordinal: Bool = false) {
    let text = text(capacity: 4096) { cicu_plural_rules(icuLocale, ordinal, $0, $1) >= 0 }
    guard let text else { return nil }
    self.init(text: text)
  }

  /// Creates rules from lines such as `one: i = 1 and v = 0`.
  init?(text: String) {
    var rules: [(category: Category, alternatives: [[Relation]])] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let category = Category(rawValue: String(parts[0])) else { return nil }
      var parser = Parser(parts[1])
      guard let alternatives = parser.alternatives() else { return nil }
      rules.append((category, alternatives))
    }
    self.rules = rules
  }

  /// Returns the category of a displayed number.
  package func category(for operands: Operands) -> Category {
    for rule in rules where rule.alternatives.contains(where: { $0.allSatisfy { $0.holds(operands) } }) {
      return rule.category
    }
    return .other
  }

  /// Parses a condition: `n % 10 = 2..4 and n % 100 != 12..14 or v = 0`.
  private struct Parser {
    private var tokens: [Substring] = []
    private var next = 0

    init(_ condition: Substring) {
      var start = condition.startIndex
      func kind(_ character: Character) -> Int {
        character.isLetter ? 0 : character.isNumber ? 1 : character == "." ? 2 : 3
      }
      while start < condition.endIndex {
        if condition[start] == " " {
          start = condition.index(after: start)
          continue
        }
        let first = condition[start]
        var end = condition.index(after: start)
        // "!=" is one token. ",", "%" and "=" are tokens of one character.
        while end < condition.endIndex, kind(condition[end]) == kind(first), condition[end] != " ",
          kind(first) != 3 || (first == "!" && condition[end] == "=")
        {
          end = condition.index(after: end)
        }
        tokens.append(condition[start..<end])
        start = end
      }
    }

    private mutating func take(_ token: Substring) -> Bool {
      guard next < tokens.count, tokens[next] == token else { return false }
      next += 1
      return true
    }

    private mutating func number() -> UInt64? {
      guard next < tokens.count, let number = UInt64(tokens[next]) else { return nil }
      next += 1
      return number
    }

    mutating func alternatives() -> [[Relation]]? {
      var alternatives: [[Relation]] = []
      repeat {
        var relations: [Relation] = []
        repeat {
          guard let relation = relation() else { return nil }
          relations.append(relation)
        } while take("and")
        alternatives.append(relations)
      } while take("or")
      return next == tokens.count ? alternatives : nil
    }

    private mutating func relation() -> Relation? {
      guard next < tokens.count, tokens[next].utf8.count == 1, let operand = tokens[next].utf8.first,
        "nivwftce".utf8.contains(operand)
      else { return nil }
      next += 1
      var modulus: UInt64?
      if take("%") {
        guard let number = number(), number > 0 else { return nil }
        modulus = number
      }
      let isNegated = take("!=")
      guard isNegated || take("=") else { return nil }
      var ranges: [ClosedRange<UInt64>] = []
      repeat {
        guard let low = number() else { return nil }
        var high = low
        if take("..") {
          guard let number = number(), number >= low else { return nil }
          high = number
        }
        ranges.append(low...high)
      } while take(",")
      return Relation(operand: operand, modulus: modulus, isNegated: isNegated, ranges: ranges)
    }
  }
}

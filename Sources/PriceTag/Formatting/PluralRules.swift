import CICU
import PriceTagSystem

/// CLDR's plural rules of a locale. ICU provides the rules, and this type evaluates them.
///
/// The syntax of the rules is defined in UTS 35, part 3, "Language Plural Rules".
package struct PluralRules: Sendable {
  /// A plural category, in CLDR's order.
  package enum Category: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other
  }

  package typealias Operands = PluralOperands

  /// The rules in the layout of `PluralBytes`.
  let bytes: [UInt8]

  /// The categories that the locale uses, in CLDR's order. They always include `other`.
  package let categories: [Category]

  /// The categories that only zero has, such as Arabic's `zero`.
  let zeroCategories: Set<Category>

  /// Creates the rules of a locale in ICU's spelling; returns `nil` if CLDR's text cannot be parsed.
  package init?(icuLocale: String, ordinal: Bool = false) {
    let text = text(capacity: 4096) { cicu_plural_rules(icuLocale, ordinal, $0, $1) }
    guard let text else { return nil }
    self.init(text: text)
  }

  /// Creates rules from lines such as `one: i = 1 and v = 0`.
  init?(text: String) {
    var relations: [UInt8] = []
    var relationCount = 0
    var used: Set<Category> = [.other]
    var zeroCategories: Set<Category> = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let category = Category(rawValue: String(parts[0])) else { return nil }
      used.insert(category)
      var parser = Parser(parts[1])
      guard let alternatives = parser.alternatives() else { return nil }
      if alternatives.count == 1, alternatives[0].count == 1, alternatives[0][0].holdsForZeroOnly {
        zeroCategories.insert(category)
      }
      for relation in alternatives.joined() { relations += relation.bytes(selecting: category) }
      relationCount += alternatives.joined().count
    }
    let size = PluralBytes.headLength + relations.count
    guard relationCount <= 0xFF, size <= 0xFFFF else { return nil }
    let bits = used.reduce(0) { $0 | 1 << $1.place }
    bytes = [UInt8(relationCount), UInt8(bits), UInt8(size & 0xFF), UInt8(size >> 8)] + relations
    categories = Category.allCases.filter(used.contains)
    self.zeroCategories = zeroCategories
  }

  /// Returns the category of a displayed number.
  package func category(for operands: Operands) -> Category {
    Category.allCases[categoryIndex(for: operands)]
  }

  /// Returns the place of the category of a displayed number in CLDR's order.
  package func categoryIndex(for operands: Operands) -> Int {
    bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { PluralBytes(start: $0).category(for: operands) } ?? PluralBytes.other
    }
  }

  /// `n % 100 = 3..10, 12`, or its negation.
  private struct Relation {
    let operand: PluralBytes.Operand
    let modulus: UInt32
    let isNegated: Bool
    let ranges: [ClosedRange<UInt32>]
    /// Whether the next relation must hold too.
    var isFollowed = false

    var holdsForZeroOnly: Bool {
      operand == .absoluteValue && modulus == 0 && !isNegated && ranges == [0...0]
    }

    func bytes(selecting category: Category) -> [UInt8] {
      let flags = (isNegated ? PluralBytes.isNegated : 0) | (isFollowed ? PluralBytes.isFollowed : 0)
      var bytes = [operand.rawValue, UInt8(flags), UInt8(ranges.count), UInt8(category.place)]
      for number in [modulus] + ranges.flatMap({ [$0.lowerBound, $0.upperBound] }) {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      return bytes
    }
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

    private mutating func number() -> UInt32? {
      guard next < tokens.count, let number = UInt32(tokens[next]) else { return nil }
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
          relations[relations.count - 1].isFollowed = next < tokens.count && tokens[next] == "and"
        } while take("and")
        alternatives.append(relations)
      } while take("or")
      return next == tokens.count ? alternatives : nil
    }

    private mutating func relation() -> Relation? {
      guard next < tokens.count, let operand = PluralBytes.Operand(name: tokens[next]) else { return nil }
      next += 1
      var modulus: UInt32 = 0
      if take("%") {
        guard let number = number(), number > 0 else { return nil }
        modulus = number
      }
      let isNegated = take("!=")
      guard isNegated || take("=") else { return nil }
      var ranges: [ClosedRange<UInt32>] = []
      repeat {
        guard let low = number() else { return nil }
        var high = low
        if take("..") {
          guard let number = number(), number >= low else { return nil }
          high = number
        }
        ranges.append(low...high)
      } while take(",")
      guard ranges.count <= 0xFF else { return nil }
      return Relation(operand: operand, modulus: modulus, isNegated: isNegated, ranges: ranges)
    }
  }
}

extension PluralOperands {
  /// The number of digits with which ICU computes exactly. It stores operands as doubles.
  static let exactDigitCount = 15

  /// Whether ICU computes with the same number.
  var areExactInICU: Bool {
    let digits = Self.exactDigitCount
    return fractionCount <= digits && trimmedFractionCount <= digits
      && integer < UInt64(powerOfTen(digits - trimmedFractionCount))
  }
}

extension PluralBytes.Operand {
  /// Creates the operand with a name of UTS 35; returns `nil` for an unknown name.
  fileprivate init?(name: Substring) {
    let names: [Substring] = ["n", "i", "v", "w", "f", "t", "e"]
    guard let number = names.firstIndex(of: name == "c" ? "e" : name) else { return nil }
    self.init(rawValue: UInt8(number))
  }
}

/// Regular expressions of the prices that a formatter writes, for tests in any language.
///
///     let germany = try PriceExpressions(PriceFormatter(storefront: Storefront("DEU")))
///     germany.groups   // ["digits", "symbol", "sign", "digits", "symbol"]
///
/// JavaScript, Python, Java, .NET, Ruby, PCRE and RE2 read the expressions alike: they have numbered groups, classes and bounded
/// repetitions only. Match the complete text: in some languages, `$` also matches before a line feed at the end, and in Ruby `^`
/// and `$` match at each line. Set no options, such as one to ignore case.
public struct PriceExpressions: Hashable, Sendable {
  /// Matches the texts that the formatter writes for amounts of up to 18 digits before the decimal separator, byte for byte.
  ///
  /// A rounding step of cash is included if it has no more digits than the fraction.
  public let strict: String
  /// Matches the texts whose folding is that of such a text, as lenient reading defines it.
  ///
  /// A symbol that contains digits is matched byte for byte.
  public let lenient: String
  /// The names of the numbered groups of both expressions, in order: `sign`, `symbol`, `digits` and so on for each form of a price.
  /// `digits` is the complete number with its separators.
  public let groups: [String]

  /// Derives the expressions from the compiled pattern of a formatter.
  ///
  /// - Throws: `.invalidOption` for names of currencies and for compact notation, whose texts depend on more than the digits;
  ///   `.formattingFailed` if no compiled pattern writes the prices.
  public init(_ formatter: PriceFormatter) throws(PriceTagError) {
    let style = formatter.style
    guard style.width != .name, style.notation == .standard else {
      let (what, fix) =
        style.width == .name
        ? ("the width name", "width, such as code") : ("compact notation", "notation: standard")
      throw PriceTagError(
        .invalidOption,
        "prices in \(what) have no regular expression",
        fix: "use another \(fix)"
      )
    }
    guard let reader = PatternReader(formatter) else {
      throw PriceTagError(
        .formattingFailed,
        "ICU writes \(formatter.currency) in \(formatter.locale) without a compiled pattern, so there is no regular expression",
        fix: "use another price locale or style"
      )
    }
    let patterns = reader.readable
    let last = patterns.patternCount - 1
    let hasZeroPattern =
      last > 0 && patterns.exactly(.zero)?.pattern.start == patterns.pattern(at: last).start
    var forms: [Form] = []
    for index in 0...last {
      let pattern = patterns.pattern(at: index)
      let isOfZero = hasZeroPattern && index == last
      func add(_ variant: Int, _ fractionDigits: Int, _ fraction: Number.Fraction) {
        func form(_ zero: Number.Zero, isNegative: Bool) -> Form? {
          let number = Number(pattern, fractionDigits, fraction, zero, step: formatter.display.step)
          return pattern.affix(variant, isNegative, 0).flatMap { Form(pattern, $0, number, patterns.names) }
        }
        let positive = form(isOfZero ? .only : hasZeroPattern ? .excluded : .included, isNegative: false)
        let negative = isOfZero ? nil : form(.excluded, isNegative: true)
        // Without a sign, a negative amount is written as its opposite.
        forms += [positive, positive?.affixes == negative?.affixes ? nil : negative].compactMap(\.self)
      }
      let integer = pattern.start.uint16(at: PatternBytes.Field.integerAffixes)
      // A pattern after the first one writes amounts that need all its digits.
      let fraction: Number.Fraction = index > 0 && !isOfZero ? .needed : integer > 0 ? .notZero : .any
      if !isOfZero || integer == 0 { add(PatternBytes.Field.affixes, pattern.fractionDigits, fraction) }
      if integer > 0, fraction != .needed { add(integer, 0, .any) }
    }
    strict = "^\(Expression.any(forms.map(\.strict)))$"
    lenient = "^\(Expression.ignored)\(Expression.any(forms.map(\.lenient)))\(Expression.ignored)$"
    groups = forms.flatMap(\.groups)
  }
}

/// The texts of regular expressions.
private enum Expression {
  /// The characters that folding removes, any number of them.
  static let ignored = oneOf(PriceText.unfolded(PriceText.removed, isInNumber: false)) + "*"

  /// Returns an expression of one of several expressions.
  static func any(_ texts: [String]) -> String {
    texts.count == 1 ? texts[0] : "(?:\(texts.joined(separator: "|")))"
  }

  /// Returns an expression of one of several characters.
  static func oneOf(_ scalars: [UInt32]) -> String {
    // Some languages give these a meaning in classes. Those above U+FFFF are two characters in JavaScript.
    let isAlone = { (scalar: UInt32) in
      scalar > 0xFFFF || "\\^|()[]{}-/&~".unicodeScalars.contains { $0.value == scalar }
    }
    let others = scalars.filter { !isAlone($0) }.sorted()
    var members = ""
    var index = 0
    while index < others.count {
      var end = index
      while end + 1 < others.count, others[end + 1] == others[end] + 1 { end += 1 }
      members += text(others[index])
      if end > index { members += (end > index + 1 ? "-" : "") + text(others[end]) }
      index = end + 1
    }
    let choices = scalars.filter(isAlone).map(literal)
    return any(choices + (others.isEmpty ? [] : [others.count > 1 ? "[\(members)]" : literal(others[0])]))
  }

  /// Returns an expression of a character.
  static func literal(_ scalar: UInt32) -> String {
    ("\\^$.|?*+()[]{}".unicodeScalars.contains { $0.value == scalar } ? "\\" : "") + text(scalar)
  }

  static func repeated(_ item: String, _ low: Int, _ high: Int) -> String {
    if low == high { return low == 0 ? "" : low == 1 ? item : "\(item){\(low)}" }
    return low == 0 && high == 1 ? item + "?" : "\(item){\(low),\(high)}"
  }

  private static func text(_ scalar: UInt32) -> String {
    scalar == 0x9 ? "\\t" : scalar == 0xD ? "\\r" : Unicode.Scalar(scalar).map { String($0) } ?? ""
  }
}

/// The numbers of a form of a price.
private struct Number {
  /// Which fractions are written: all, those above zero, or those whose last digit is above zero.
  enum Fraction { case any, notZero, needed }
  enum Zero { case included, excluded, only }

  private static let maximumIntegerDigitCount = 18
  static let ascii = Array(UInt32(0x30)...0x39)

  private let pattern: PatternBytes
  private let fractionDigits: Int
  private let fraction: Fraction
  private let zero: Zero
  /// The last digits that the rounding step allows; an empty text without a step.
  private var endings = [""]

  init(_ pattern: PatternBytes, _ fractionDigits: Int, _ fraction: Fraction, _ zero: Zero, step: Int) {
    (self.pattern, self.fractionDigits, self.fraction, self.zero) = (pattern, fractionDigits, fraction, zero)
    var (power, count) = (1, 0)
    while count < fractionDigits, count < 4, !power.isMultiple(of: step) {
      (power, count) = (power * 10, count + 1)
    }
    if step > 1, power.isMultiple(of: step) {
      endings = stride(from: power, to: 2 * power, by: step).map { String("\($0)".dropFirst()) }
    }
  }

  /// The digits of the pattern.
  var ownDigits: [UInt32] {
    let length = pattern.start.uint8(at: PatternBytes.Field.digitLength)
    let table = pattern.start + pattern.start.uint16(at: PatternBytes.Field.digits)
    return length == 1
      ? Self.ascii : (0..<10).flatMap { scalars(table + $0 * PatternBytes.digitStride, length) }
  }

  /// Returns the expression of the numbers in digits of a script; `nil` if there are none.
  func text(_ digits: [UInt32], isFolded: Bool) -> String? {
    let (any, first, nought) = (
      Expression.oneOf(digits), Expression.oneOf(Array(digits[1...])), Expression.literal(digits[0])
    )
    func separator(_ field: Int) -> String {
      scalars(pattern.start + pattern.start.uint16(at: field), pattern.start.uint16(at: field + 2)).map {
        isFolded ? Expression.oneOf(PriceText.sameFolding(as: $0, isInNumber: true)) : Expression.literal($0)
      }.joined()
    }
    func many(_ count: Int) -> String { Expression.repeated(any, count, count) }
    let integers = integers(any, first, separator(PatternBytes.Field.group))
    let (integer, integerOrZero) = (Expression.any(integers), Expression.any([nought] + integers))
    guard fractionDigits > 0 else {
      return zero == .only ? nought : zero == .included ? integerOrZero : integer
    }
    let decimal = separator(PatternBytes.Field.decimal)
    func ending(_ endings: [String]) -> String {
      let texts = endings.map { $0.utf8.map { digits[Int($0 - 0x30)] } }
      if texts.allSatisfy({ $0.count == 1 }) { return Expression.oneOf(texts.flatMap(\.self)) }
      return Expression.any(texts.map { $0.map(Expression.literal).joined() })
    }
    let free = fractionDigits - endings[0].utf8.count
    let all = many(free) + ending(endings)
    // Above zero is a first digit above zero, or a zero before one digit less above zero.
    let endingsAboveZero = endings.filter { $0.contains { $0 != "0" } }
    var above = endingsAboveZero.isEmpty ? nil : ending(endingsAboveZero)
    for rest in 0..<free {
      let large = first + many(rest) + ending(endings)
      above = above.map { "(?:\(large)|\(nought)\($0))" } ?? large
    }
    switch (zero, fraction) {
    case (.only, _): return nought + decimal + Expression.repeated(nought, fractionDigits, fractionDigits)
    case (_, .needed): return integerOrZero + decimal + many(fractionDigits - 1) + first
    case (_, .notZero): return above.map { integerOrZero + decimal + $0 }
    case (.included, .any): return integerOrZero + decimal + all
    case (.excluded, .any):
      return Expression.any([integer + decimal + all] + (above.map { [nought + decimal + $0] } ?? []))
    }
  }

  /// Returns the expressions of integers above zero, by the number of digits in the first group.
  private func integers(_ any: String, _ first: String, _ separator: String) -> [String] {
    let maximum = Self.maximumIntegerDigitCount
    let primary = pattern.start.uint8(at: PatternBytes.Field.primaryGroupSize)
    let secondary = max(1, pattern.start.uint8(at: PatternBytes.Field.secondaryGroupSize))
    let minimum = pattern.start.uint8(at: PatternBytes.Field.minimumGroupedDigitCount)
    let ungrouped = min(maximum, max(minimum - 1, primary))
    var runs = [(digits: 1...ungrouped, groups: 0...0)]
    // Each step has one group more, and a number of digits after the first group.
    for (index, rest) in stride(from: primary, to: ungrouped == maximum ? 0 : maximum, by: secondary)
      .enumerated()
    {
      let (low, high) = (max(1, ungrouped + 1 - rest), min(secondary, maximum - rest))
      guard low <= high else { continue }
      let previous = runs[runs.count - 1]
      if previous.digits == low...high, primary == secondary || previous.groups.lowerBound > 0 {
        runs[runs.count - 1].groups = previous.groups.lowerBound...index + 1
      } else {
        runs.append((low...high, index + 1...index + 1))
      }
    }
    return runs.map { run in
      func groups(_ size: Int, _ low: Int, _ high: Int) -> String {
        let group = separator + Expression.repeated(any, size, size)
        return low == 1 && high == 1 ? group : Expression.repeated("(?:\(group))", low, high)
      }
      let (low, high) = (run.groups.lowerBound, run.groups.upperBound)
      let start = first + Expression.repeated(any, run.digits.lowerBound - 1, run.digits.upperBound - 1)
      if high == 0 || primary == secondary { return start + groups(primary, low, high) }
      return start + groups(secondary, low - 1, high - 1) + groups(primary, 1, 1)
    }
  }
}

/// A form of a price: a number between a prefix and a suffix.
private struct Form {
  /// The prefix and the suffix, each as its parts.
  let affixes: [[Part]]
  let strict: String
  let lenient: String
  let groups: [String]

  struct Part: Equatable {
    let kind: PatternPart.Kind
    let bytes: [UInt8]

    /// Returns the expression, in a group unless the part is literal text.
    func grouped(_ text: String) -> String { kind == .literal ? text : "(\(text))" }

    var strict: String {
      grouped(
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { Expression.literal($0.value) }.joined()
      )
    }

    /// Returns the expressions of what remains of the part after folding; `nil` if it contains digits, which extend the number.
    func folded(_ pattern: PatternBytes, _ names: FoldedNames) -> [String]? {
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return [] }
        let text = PriceText(start, bytes.count, digitsOf: pattern)
        var items: [String] = []
        var offset = 0
        while offset < bytes.count {
          if text.digit(at: offset) >= 0 || text.asciiDigit(at: offset) >= 0 { return nil }
          if let end = text.end(ofNameAt: offset, before: bytes.count, names) {
            items.append(Expression.any(names.expressions))
            offset = end
          } else {
            let scalar = text.scalar(at: offset)
            let same = PriceText.sameFolding(as: scalar.value, isInNumber: false)
            if !same.isEmpty { items.append(Expression.oneOf(same)) }
            offset += scalar.length
          }
        }
        return items
      }
    }
  }

  /// - Returns: `nil` if no amount has this form.
  init?(_ pattern: PatternBytes, _ place: Int, _ number: Number, _ names: FoldedNames) {
    affixes = [place, place + PatternBytes.affixLength].map { place in
      var text = UnsafeRawBufferPointer(
        start: pattern.start + pattern.start.uint16(at: place),
        count: pattern.start.uint16(at: place + 2)
      )[...]
      var parts: [Part] = []
      pattern.forEachPart(ofAffixAt: place) { kind, count in
        parts.append(Part(kind: kind, bytes: Array(text.prefix(count))))
        text = text.dropFirst(count)
      }
      return parts
    }
    let own = number.ownDigits
    guard let written = number.text(own, isFolded: false) else { return nil }
    strict = affixes[0].map(\.strict).joined() + "(\(written))" + affixes[1].map(\.strict).joined()
    let folded = affixes.map { $0.map { $0.folded(pattern, names) } }
    let hasDigits = folded.contains { $0.contains { $0 == nil } }
    // Digits of two scripts in a text are not folded.
    let scripts = own == Number.ascii || hasDigits ? [own] : [own, Number.ascii]
    let numbers = scripts.compactMap { number.text($0, isFolded: true) }.joined(separator: "|")
    let texts = zip(affixes, folded).enumerated().map { index, affix in
      zip(affix.0, affix.1).map { part, items in
        guard let items, !affix.1.contains(where: { $0 == nil }) else { return part.strict }
        let text = part.grouped(items.joined(separator: Expression.ignored))
        return items.isEmpty ? text : index == 0 ? text + Expression.ignored : Expression.ignored + text
      }.joined()
    }
    lenient = texts[0] + "(\(numbers))" + texts[1]
    let kinds = affixes.map {
      $0.map(\.kind).filter { $0 != .literal }.map { FormattedPrice.PartType($0).rawValue }
    }
    groups = kinds[0] + ["digits"] + kinds[1]
  }
}

/// Returns the values of the scalars of UTF-8.
private func scalars(_ start: UnsafeRawPointer, _ count: Int) -> [UInt32] {
  String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self).unicodeScalars.map(
    \.value
  )
}

extension FoldedNames {
  /// The expressions of the names, with all that folding makes equal to them.
  fileprivate var expressions: [String] {
    var texts: [String] = []
    let _: Int? = first { name, count in
      let items = scalars(name, count).map {
        Expression.oneOf(PriceText.unfolded(Int($0), isInNumber: false))
      }
      texts.append(items.joined(separator: Expression.ignored))
      return nil
    }
    return texts
  }
}

extension PriceText {
  /// The characters that folding changes outside and in the number, by what they become.
  private static let unfolded: [[Int: [UInt32]]] = [false, true].map { isInNumber in
    Dictionary(grouping: 0...0xFFFF) { isInNumber ? foldedInNumber($0) : foldedOutside($0) }
  }

  /// Returns the characters that become a byte, or that are removed.
  fileprivate static func unfolded(_ byte: Int, isInNumber: Bool) -> [UInt32] {
    let changed = unfolded[isInNumber ? 1 : 0][byte] ?? []
    // The yen and others without an ASCII form become control characters, which are no part of a price.
    return byte < 0x20 || changed.contains(UInt32(byte)) ? changed : [UInt32(byte)] + changed
  }

  /// Returns the characters with the same folding as one; none if it is removed.
  fileprivate static func sameFolding(as scalar: UInt32, isInNumber: Bool) -> [UInt32] {
    let byte = isInNumber ? foldedInNumber(scalar) : foldedOutside(scalar)
    if byte == removed { return [] }
    return unfolded(byte == unchanged ? Int(scalar) : byte, isInNumber: isInNumber)
  }
}

extension PatternReader {
  /// Returns a text without the spaces and marks that lenient reading ignores, and with other characters unified.
  ///
  ///     PatternReader(try PriceFormatter(storefront: Storefront("CHE")))?.folded("CHF\u{A0}1’234.50")   // "CHF1'234.50"
  package func folded(_ text: String) -> String {
    var text = text
    let bytes = text.withUTF8 { bytes -> [UInt8] in
      Array(unsafeUninitializedCapacity: bytes.count) { output, count in
        guard let start = bytes.baseAddress, let output = output.baseAddress else { return }
        let input = PriceText(start, bytes.count, digitsOf: readable.pattern(at: 0))
        count = input.fold(.init(start: nil), into: output, capacity: bytes.count).count
      }
    }
    let signs: [Character: Character] = ["\u{2}": "¥", "\u{3}": "£", "\u{4}": "₩"]
    return String(String(decoding: bytes, as: UTF8.self).map { signs[$0] ?? $0 })
  }
}

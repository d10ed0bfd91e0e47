/// Regular expressions of the prices that a formatter writes, for tests in any language.
///
///     let germany = try PriceExpressions(PriceFormatter(storefront: Storefront("DEU")))
///     germany.groups   // ["digits", "symbol", "sign", "digits", "symbol"]
///
/// JavaScript, Python, Java, .NET, Ruby, PCRE and RE2 read the expressions alike: they have numbered groups, classes and
/// bounded repetitions only.
package struct PriceExpressions: Equatable, Sendable {
  /// Matches the texts that the formatter writes for amounts of up to 18 digits before the decimal separator, byte for
  /// byte. A rounding step above the unit is not a part of it.
  package let strict: String
  /// Matches the texts whose folding is that of such a text. A symbol with digits is matched byte for byte.
  package let lenient: String
  /// The names of the numbered groups: `sign`, `symbol`, `digits` and so on for each form of a price. The group `digits`
  /// is the complete number.
  package let groups: [String]

  /// Derives the expressions from the compiled pattern of a formatter.
  ///
  /// - Throws: `.invalidOption` for names of currencies and for compact notation, whose texts depend on more than the
  ///   digits; `.formattingFailed` if no compiled pattern writes the prices.
  package init(_ formatter: PriceFormatter) throws(PriceTagError) {
    let style = formatter.style
    guard style.width != .name, style.notation == .standard else {
      let what = style.width == .name ? "the width name" : "compact notation"
      let fix = style.width == .name ? "use another width, such as iso" : "use the notation standard"
      throw PriceTagError(.invalidOption, "prices in \(what) have no regular expression", fix: fix)
    }
    guard let reader = PatternReader(formatter) else {
      let problem =
        "no compiled pattern writes \(formatter.currency) in \(formatter.locale), as an expression needs"
      throw PriceTagError(.formattingFailed, problem, fix: "use another price locale or style")
    }
    let patterns = reader.readable
    let last = patterns.patternCount - 1
    let hasZero = last > 0 && patterns.exactly(.zero)?.pattern.start == patterns.pattern(at: last).start
    var forms: [Form] = []
    for index in 0...last {
      let pattern = patterns.pattern(at: index)
      let isOfZero = hasZero && index == last
      func add(_ variant: Int, _ fractionDigits: Int, _ fraction: Number.Fraction) {
        func form(_ zero: Number.Zero, isNegative: Bool) -> Form? {
          let step = formatter.display.step
          let number = Number(pattern, zero, fractionDigits, fraction, step: step)
          return pattern.affix(variant, isNegative, 0).flatMap { Form(pattern, $0, number, patterns.names) }
        }
        let positive = form(isOfZero ? .only : hasZero ? .excluded : .included, isNegative: false)
        let negative = isOfZero ? nil : form(.excluded, isNegative: true)
        // Without a sign, a negative amount is written as its opposite.
        let isHidden = positive?.affixes == negative?.affixes
        forms += [positive, isHidden ? nil : negative].compactMap(\.self)
      }
      let integer = pattern.start.uint16(at: PatternBytes.Field.integerAffixes)
      // A pattern after the first one writes amounts that need all its digits.
      let fraction: Number.Fraction = index > 0 && !isOfZero ? .needed : integer > 0 ? .aboveZero : .any
      if !isOfZero || integer == 0 { add(PatternBytes.Field.affixes, pattern.fractionDigits, fraction) }
      if integer > 0, fraction != .needed { add(integer, 0, .any) }
    }
    strict = "^\(oneOf(forms.map(\.strict)))$"
    lenient = "^\(ignored)\(oneOf(forms.map(\.lenient)))\(ignored)$"
    groups = forms.flatMap(\.groups)
  }
}

// MARK: Expressions

/// The characters that folding removes, any number of them.
private let ignored = oneOf(PriceText.unfolded(PriceText.removed, isInNumber: false)) + "*"

/// Returns an expression of one of several expressions.
private func oneOf(_ texts: [String]) -> String {
  texts.count == 1 ? texts[0] : "(?:\(texts.joined(separator: "|")))"
}

/// Returns an expression of one of several characters.
private func oneOf(_ scalars: [UInt32]) -> String {
  // Some languages give these a meaning in classes. Those above U+FFFF are two characters in JavaScript.
  let special = Set("\\^|()[]{}-/&~".unicodeScalars.map(\.value))
  let isAlone = { (scalar: UInt32) in scalar > 0xFFFF || special.contains(scalar) }
  var ranges: [(first: UInt32, last: UInt32)] = []
  for scalar in scalars.sorted() where !isAlone(scalar) {
    if let range = ranges.last, range.last + 1 == scalar {
      ranges[ranges.count - 1].last = scalar
    } else {
      ranges.append((scalar, scalar))
    }
  }
  let members = ranges.map { first, last in
    text(first) + (last > first + 1 ? "-" : "") + (last > first ? text(last) : "")
  }
  let isOne = ranges.count == 1 && ranges[0].first == ranges[0].last
  let others = ranges.isEmpty ? [] : [isOne ? literal(ranges[0].first) : "[\(members.joined())]"]
  return oneOf(scalars.filter(isAlone).map(literal) + others)
}

/// Returns an expression of a character.
private func literal(_ scalar: UInt32) -> String {
  ("\\^$.|?*+()[]{}".unicodeScalars.contains { $0.value == scalar } ? "\\" : "") + text(scalar)
}

private func text(_ scalar: UInt32) -> String {
  scalar == 0x9 ? "\\t" : scalar == 0xD ? "\\r" : Unicode.Scalar(scalar).map { String($0) } ?? ""
}

private func repeated(_ item: String, _ low: Int, _ high: Int) -> String {
  if low == high { return low == 0 ? "" : low == 1 ? item : "\(item){\(low)}" }
  return low == 0 && high == 1 ? item + "?" : "\(item){\(low),\(high)}"
}

/// Returns the values of the scalars of UTF-8.
private func scalars(_ start: UnsafeRawPointer, _ count: Int) -> [UInt32] {
  String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self).unicodeScalars.map(
    \.value
  )
}

// MARK: Numbers

/// The numbers of a form of a price.
private struct Number {
  enum Zero { case included, excluded, only }
  /// All fractions, those above zero, or those whose last digit is above zero.
  enum Fraction { case any, aboveZero, needed }

  private static let maximumIntegerDigitCount = 18
  static let ascii = Array(UInt32(0x30)...0x39)

  private let pattern: PatternBytes
  private let zero: Zero
  private let fractionDigits: Int
  private let fraction: Fraction
  /// The last digits that the rounding step allows; an empty text without a step.
  private var endings = [""]

  init(_ pattern: PatternBytes, _ zero: Zero, _ fractionDigits: Int, _ fraction: Fraction, step: Int) {
    (self.pattern, self.zero, self.fractionDigits, self.fraction) = (pattern, zero, fractionDigits, fraction)
    let powers = [1, 10, 100, 1000].prefix(fractionDigits + 1)
    guard step > 1, let power = powers.first(where: { $0.isMultiple(of: step) }) else { return }
    endings = stride(from: power, to: 2 * power, by: step).map { String("\($0)".dropFirst()) }
  }

  /// The digits of the pattern.
  var ownDigits: [UInt32] {
    let length = pattern.start.uint8(at: PatternBytes.Field.digitLength)
    let table = pattern.start + pattern.start.uint16(at: PatternBytes.Field.digits)
    return length == 1
      ? Self.ascii : (0..<10).flatMap { scalars(table + $0 * PatternBytes.digitStride, length) }
  }

  /// Returns the expression of the numbers in digits of a script; `nil` if there are none.
  func expression(_ digits: [UInt32], isFolded: Bool) -> String? {
    let (any, first, nought) = (oneOf(digits), oneOf(Array(digits[1...])), literal(digits[0]))
    func separator(_ field: Int) -> String {
      let place = pattern.start + pattern.start.uint16(at: field)
      return scalars(place, pattern.start.uint16(at: field + 2)).map {
        isFolded ? oneOf(PriceText.sameFolding(as: $0, isInNumber: true)) : literal($0)
      }.joined()
    }
    func ending(_ endings: [String]) -> String {
      let texts = endings.map { $0.utf8.map { digits[Int($0 - 0x30)] } }
      if texts.allSatisfy({ $0.count == 1 }) { return oneOf(texts.flatMap(\.self)) }
      return oneOf(texts.map { $0.map(literal).joined() })
    }
    let integers = integers(any, first, separator(PatternBytes.Field.group))
    if fractionDigits == 0 {
      return zero == .only ? nought : oneOf((zero == .included ? [nought] : []) + integers)
    }
    let free = fractionDigits - endings[0].utf8.count
    let decimal = separator(PatternBytes.Field.decimal)
    // Above zero is a first digit above zero, or a zero before one digit less above zero.
    let last = endings.filter { $0.contains { $0 != "0" } }
    var above = last.isEmpty ? nil : ending(last)
    for rest in 0..<free {
      let large = first + repeated(any, rest, rest) + ending(endings)
      above = above.map { "(?:\(large)|\(nought)\($0))" } ?? large
    }
    let all = repeated(any, free, free) + ending(endings)
    let integerOrZero = oneOf([nought] + integers)
    switch (zero, fraction) {
    case (.only, _): return nought + decimal + repeated(nought, fractionDigits, fractionDigits)
    case (_, .needed):
      return integerOrZero + decimal + repeated(any, fractionDigits - 1, fractionDigits - 1) + first
    case (_, .aboveZero): return above.map { integerOrZero + decimal + $0 }
    case (.included, .any): return integerOrZero + decimal + all
    case (.excluded, .any):
      return oneOf([oneOf(integers) + decimal + all] + (above.map { [nought + decimal + $0] } ?? []))
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
    let steps = stride(from: primary, to: ungrouped == maximum ? 0 : maximum, by: secondary)
    for (index, rest) in steps.enumerated() where ungrouped + 1 - rest <= secondary {
      let digits = max(1, ungrouped + 1 - rest)...min(secondary, maximum - rest)
      let previous = runs[runs.count - 1]
      let isSame = previous.digits == digits && (primary == secondary || previous.groups.lowerBound > 0)
      if isSame { runs.removeLast() }
      runs.append((digits, (isSame ? previous.groups.lowerBound : index + 1)...index + 1))
    }
    func groups(_ size: Int, _ count: ClosedRange<Int>) -> String {
      let group = separator + repeated(any, size, size)
      return count == 1...1 ? group : repeated("(?:\(group))", count.lowerBound, count.upperBound)
    }
    return runs.map { digits, count in
      let start = first + repeated(any, digits.lowerBound - 1, digits.upperBound - 1)
      if count.upperBound == 0 || primary == secondary { return start + groups(primary, count) }
      return start + groups(secondary, count.lowerBound - 1...count.upperBound - 1) + groups(primary, 1...1)
    }
  }
}

// MARK: Affixes

/// A form of a price: a number between a prefix and a suffix.
private struct Form {
  /// The prefix and the suffix, byte for byte.
  let affixes: [String]
  let strict: String
  let lenient: String
  let groups: [String]

  /// - Returns: `nil` if no amount has this form.
  init?(_ pattern: PatternBytes, _ place: Int, _ number: Number, _ names: FoldedNames) {
    let own = number.ownDigits
    guard let written = number.expression(own, isFolded: false) else { return nil }
    let prefix = Affix(pattern, place, isPrefix: true, names)
    let suffix = Affix(pattern, place + PatternBytes.affixLength, isPrefix: false, names)
    affixes = [prefix.strict, suffix.strict]
    strict = prefix.strict + "(\(written))" + suffix.strict
    // Digits of an affix belong to the number, and digits of two scripts are not folded.
    let isExact = prefix.hasDigits || suffix.hasDigits
    let scripts = isExact || own == Number.ascii ? [own] : [own, Number.ascii]
    let numbers = scripts.compactMap { number.expression($0, isFolded: true) }.joined(separator: "|")
    let ends = isExact ? affixes : [prefix.lenient, suffix.lenient]
    lenient = ends[0] + "(\(numbers))" + ends[1]
    groups = prefix.groups + ["digits"] + suffix.groups
  }
}

private struct Affix {
  private(set) var strict = ""
  private(set) var lenient = ""
  private(set) var groups: [String] = []
  private(set) var hasDigits = false

  init(_ pattern: PatternBytes, _ place: Int, isPrefix: Bool, _ names: FoldedNames) {
    var start = pattern.start + pattern.start.uint16(at: place)
    pattern.forEachPart(ofAffixAt: place) { kind, count in
      let text = PriceText(start, count, digitsOf: pattern)
      let written = scalars(start, count).map(literal).joined()
      let items = text.foldedItems(names)
      let folded = (items ?? []).joined(separator: ignored)
      let isGroup = kind != .literal
      strict += isGroup ? "(\(written))" : written
      lenient += (isPrefix || folded.isEmpty ? "" : ignored) + (isGroup ? "(\(folded))" : folded)
      lenient += isPrefix && !folded.isEmpty ? ignored : ""
      if isGroup { groups.append(FormattedPrice.PartType(kind).rawValue) }
      if items == nil { hasDigits = true }
      start += count
    }
  }
}

extension PriceText {
  /// Returns the expressions of what remains of an affix after folding; `nil` if it has digits.
  fileprivate func foldedItems(_ names: FoldedNames) -> [String]? {
    var items: [String] = []
    var offset = 0
    while offset < count {
      if digit(at: offset, before: count) != nil { return nil }
      if let end = end(ofNameAt: offset, before: count, names) {
        items.append(oneOf(names.expressions))
        offset = end
      } else {
        let scalar = scalar(at: offset)
        let same = PriceText.sameFolding(as: scalar.value, isInNumber: false)
        if !same.isEmpty { items.append(oneOf(same)) }
        offset += scalar.length
      }
    }
    return items
  }

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
    return byte == removed ? [] : unfolded(byte == unchanged ? Int(scalar) : byte, isInNumber: isInNumber)
  }
}

extension FoldedNames {
  /// The expressions of the names, with all that folding makes equal to them.
  fileprivate var expressions: [String] {
    var texts: [String] = []
    let _: Int? = first { name, count in
      let items = scalars(name, count).map { oneOf(PriceText.unfolded(Int($0), isInNumber: false)) }
      texts.append(items.joined(separator: ignored))
      return nil
    }
    return texts
  }
}

extension PatternReader {
  /// Returns a text without the spaces and marks that lenient reading ignores, and with other characters unified.
  ///
  ///     PatternReader(try PriceFormatter(storefront: Storefront("CHE")))?.folded("CHF 1’234.50")   // "CHF1'234.50"
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

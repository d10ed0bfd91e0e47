import PriceTag
import PriceTagReading

/// How two formatters of packs differ.
struct FormatterComparison {
  /// One difference, with the first amount that shows it.
  struct Difference {
    let driftClass: DriftClass
    let subject: String
    fileprivate(set) var pairs: [PackChange.Pair]
    let amount: Amount
    let expected: String
    let actual: String
  }

  /// The differences; empty if both formatters write all samples alike.
  private(set) var differences: [Difference] = []
  /// Whether both display the same number of digits.
  private let hasSameDigits: Bool
  /// The maximum number of texts of a difference, such as the plural forms of a name.
  private static let maximumPairCount = 12

  /// Compares two formatters by what they write for sample amounts.
  ///
  /// - Parameters:
  ///   - old: A pack, and the index of its formatter.
  ///   - new: The other pack, and the index of the formatter to compare.
  init(_ old: (pack: Pack, index: Int), _ new: (pack: Pack, index: Int)) {
    let both = [old, new]
    let digits = both.map { $0.pack.fractionDigits(ofFormatter: $0.index) }
    let hasFamily = both.contains { !$0.pack.contents(ofFormatter: $0.index).family.isEmpty }
    hasSameDigits = digits[0] == digits[1]
    let formatters = (old.pack.formatter(at: old.index), new.pack.formatter(at: new.index))
    let amounts = PackSamples.amounts(Set(digits + (hasFamily ? [0, 1, 2, 3] : [0]))) { amount in
      both.map { $0.pack.pluralCategory(of: amount, formatter: $0.index) }
    }
    for amount in amounts {
      switch (Written(amount, formatters.0), Written(amount, formatters.1)) {
      case (.text(let expected), .text(let actual)): compare(expected, actual, amount)
      case (.text(let expected), .problem(let problem)):
        addMissing(expected.text, problem.problem, problem, amount)
      case (.problem(let problem), .text(let actual)):
        addMissing(problem.problem, actual.text, problem, amount)
      case (.problem, .problem): continue
      }
    }
    if !hasSameDigits, !differences.contains(where: { $0.subject == Self.digitsSubject }) {
      add(.digits, Self.digitsSubject, "\(digits[0])", "\(digits[1])", .zero, "", "")
    }
  }

  private static let digitsSubject = "decimals"

  /// What a formatter writes for an amount.
  private enum Written {
    case text(PackDisplay)
    /// The reason why it writes nothing.
    case problem(PriceTagError)

    init(_ amount: Amount, _ formatter: Pack.Formatter) {
      do throws(PriceTagError) {
        let text = try formatter.string(for: amount)
        self = .text(PackDisplay(text, try formatter.parts(of: amount)))
      } catch {
        self = .problem(error)
      }
    }
  }

  private mutating func add(
    _ driftClass: DriftClass,
    _ subject: String,
    _ expected: String,
    _ actual: String,
    _ amount: Amount,
    _ oldText: String,
    _ newText: String
  ) {
    let pair = PackChange.Pair(expected, actual)
    if let index = differences.firstIndex(where: { $0.driftClass == driftClass && $0.subject == subject }) {
      // Only texts have several forms. The other subjects are described by one sample.
      let isText = driftClass == .symbol || driftClass == .directionMarks || driftClass == .spacing
      if isText, !differences[index].pairs.contains(pair),
        differences[index].pairs.count < Self.maximumPairCount
      {
        differences[index].pairs.append(pair)
      }
      return
    }
    differences.append(
      Difference(
        driftClass: driftClass,
        subject: subject,
        pairs: [pair],
        amount: amount,
        expected: oldText,
        actual: newText
      )
    )
  }

  /// Adds an amount that only one of the formatters writes.
  private mutating func addMissing(
    _ expected: String,
    _ actual: String,
    _ error: PriceTagError,
    _ amount: Amount
  ) {
    guard error.code == .needsRounding else {
      return add(.gone, "form", expected, actual, amount, expected, actual)
    }
    if hasSameDigits { add(.digits, "rounding", expected, actual, amount, expected, actual) }
  }

  private mutating func compare(_ old: PackDisplay, _ new: PackDisplay, _ amount: Amount) {
    if old.text.utf8.elementsEqual(new.text.utf8) { return }
    let count = differences.count
    var isKnown = false
    func add(_ driftClass: DriftClass, _ subject: String, _ expected: String, _ actual: String) {
      if expected.utf8.elementsEqual(actual.utf8) { return }
      isKnown = true
      self.add(driftClass, subject, expected, actual, amount, old.text, new.text)
    }
    add(.symbol, "symbol", old.symbol, new.symbol)
    add(.symbol, "sign", old.sign, new.sign)
    add(.symbol, "unit", old.unit, new.unit)
    if old.order != new.order, old.order.sorted() == new.order.sorted() {
      add(.order, "order", old.order.joined(separator: " "), new.order.joined(separator: " "))
    }
    if old.fractionCount == new.fractionCount {
      add(.digits, "digits", old.digits, new.digits)
    } else {
      add(.digits, Self.digitsSubject, "\(old.fractionCount)", "\(new.fractionCount)")
    }
    for (subject, one, other) in [
      ("decimal separator", old.decimal, new.decimal), ("group separator", old.group, new.group),
    ] where !one.isEmpty && !other.isEmpty {
      let areSpaces = (one + other).unicodeScalars.allSatisfy(DisplayScalar.isSpace)
      add(areSpaces ? .spacing : .separators, subject, one, other)
    }
    if old.groups != new.groups { add(.grouping, "grouping", old.grouping, new.grouping) }
    // Spaces that moved together with a symbol do not count.
    if old.order == new.order || old.spaces.sorted() != new.spaces.sorted() {
      add(.spacing, "spaces", old.spaces.joined(separator: "|"), new.spaces.joined(separator: "|"))
    }
    add(.directionMarks, "direction marks", old.marks, new.marks)
    if isKnown || differences.count > count { return }
    // A mark or a space is at another place.
    let driftClass: DriftClass = old.visible == new.visible ? .directionMarks : .order
    add(driftClass, driftClass == .order ? "order" : "direction marks", old.text, new.text)
  }
}

/// A price of a pack, separated by its parts.
private struct PackDisplay {
  let text: String
  /// The symbol, code or name, without marks and without spaces at its ends.
  private(set) var symbol = ""
  /// The signs, and other visible text such as brackets.
  private(set) var sign = ""
  /// The unit of a unit price, and the mark of an approximate amount.
  private(set) var unit = ""
  private(set) var decimal = ""
  private(set) var group = ""
  /// The integer digits, with a space for each separator.
  private(set) var grouping = ""
  /// The integer digits without separators.
  private(set) var digits = ""
  /// The numbers of digits between separators.
  private(set) var groups: [Int] = []
  private(set) var fractionCount = 0
  /// The visible pieces in the order of the text.
  private(set) var order: [String] = []
  /// The spaces before, between and after the visible pieces.
  private(set) var spaces: [String] = []
  private(set) var marks = ""
  private(set) var visible = ""

  init(_ text: String, _ parts: [(type: FormattedPrice.PartType, count: Int)]) {
    self.text = text
    var rest = Array(text.utf8)[...]
    for (type, count) in parts {
      // The parts of a damaged pack may end inside a character.
      add(String(decoding: rest.prefix(count), as: UTF8.self), type)
      rest = rest.dropFirst(count)
    }
  }

  private mutating func add(_ part: String, _ type: FormattedPrice.PartType) {
    let unmarked = String(String.UnicodeScalarView(part.unicodeScalars.filter { !DisplayScalar.isMark($0) }))
    marks.unicodeScalars += part.unicodeScalars.filter(DisplayScalar.isMark)
    visible += unmarked
    switch type {
    case .integer:
      addPiece("number")
      grouping += unmarked
      digits += unmarked
      groups.append(unmarked.unicodeScalars.count)
    case .group:
      group = unmarked
      grouping += " "
    case .decimal: decimal = unmarked
    case .fraction: fractionCount += unmarked.unicodeScalars.count
    case .symbol: addText(unmarked, to: \.symbol, "symbol")
    case .unit, .qualifier, .compact: addText(unmarked, to: \.unit, "unit")
    case .sign, .literal: addText(unmarked, to: \.sign, "sign")
    }
  }

  /// Adds a text whose spaces at the ends separate it from its neighbors.
  private mutating func addText(
    _ text: String,
    to field: WritableKeyPath<PackDisplay, String>,
    _ piece: String
  ) {
    let scalars = text.unicodeScalars
    let leading = scalars.prefix(while: DisplayScalar.isSpace)
    if !leading.isEmpty { spaces.append(String(leading)) }
    guard leading.count < scalars.count else { return }
    let trailing = String.UnicodeScalarView(
      scalars.reversed().prefix(while: DisplayScalar.isSpace).reversed()
    )
    addPiece(piece)
    let inner = scalars.dropFirst(leading.count).dropLast(trailing.count)
    self[keyPath: field] += (self[keyPath: field].isEmpty || piece == "sign" ? "" : " ") + String(inner)
    if !trailing.isEmpty { spaces.append(String(trailing)) }
  }

  private mutating func addPiece(_ piece: String) {
    if order.last != piece { order.append(piece) }
  }
}

import PriceTag

/// Two displays beside each other: which kinds of differences they have, and where.
///
///     let reader = try PriceReader(storefront: Storefront("CHE"))
///     let comparison = DisplayComparison(expected: "CHF 1’234.50", actual: "CHF\u{A0}1'234.50", reader)
///     comparison.classes              // [.separators, .spacing]
///     comparison.codePoints[0]        // U+00A0 NO-BREAK SPACE, expected U+0020 SPACE
public struct DisplayComparison: Hashable, Sendable {
  /// What should be displayed.
  public let expected: String
  /// What is displayed.
  public let actual: String
  /// The kinds of differences, the worst first; none where both are the same bytes.
  public let classes: [DriftClass]

  /// Where they differ.
  public var codePoints: [CodePointDifference] { CodePointDifference.between(expected, actual) }

  /// Two displays of a price.
  ///
  /// - Parameters:
  ///   - expected: What should be displayed.
  ///   - actual: What is displayed.
  ///   - reader: Reads prices of their price locale; without one, symbols are compared, and not the currencies that they
  ///     stand for.
  ///   - amount: The amount that `expected` shows, where it is known.
  ///   - actualAmount: The amount that `actual` shows, where it is known. Without one, its separators mean what the reader's
  ///     locale says.
  public init(
    expected: String,
    actual: String,
    _ reader: PriceReader?,
    amount: Amount? = nil,
    actualAmount: Amount? = nil
  ) {
    let known = Known(amount: amount, actualAmount: actualAmount, isSameCurrency: false)
    self.init(expected, actual, Self.classes(expected, actual, reader, known))
  }

  /// Two displays of one amount of one currency.
  init(_ expected: String, _ actual: String, _ reader: PriceReader?, of amount: Amount?) {
    let known = Known(amount: amount, actualAmount: amount, isSameCurrency: true)
    self.init(expected, actual, Self.classes(expected, actual, reader, known))
  }

  /// Two texts with prices in isolates, as messages have them: prices are compared as prices, and all else as words.
  public init(expectedText expected: String, actual: String, _ reader: PriceReader? = nil) {
    self.init(expected, actual, Self.classesOfTexts(expected, actual, reader, isSameCurrency: false))
  }

  /// Displays that differ in what is known already.
  init(_ expected: String, _ actual: String, _ classes: Set<DriftClass>) {
    (self.expected, self.actual) = (expected, actual)
    self.classes = classes.sorted()
  }

  /// The differences that a tolerance does not let pass, the worst first.
  public func classes(beyond tolerance: DisplayTolerance) -> [DriftClass] {
    classes.filter { !tolerance.allows($0) }
  }

  // MARK: Prices

  /// What is known of two displays, besides their texts.
  private struct Known {
    var amount: Amount?
    var actualAmount: Amount?
    /// Whether both are of one currency, whatever they call it.
    var isSameCurrency = false
  }

  private static func classes(
    _ expected: String,
    _ actual: String,
    _ reader: PriceReader?,
    _ known: Known
  ) -> Set<DriftClass> {
    if expected.utf8.elementsEqual(actual.utf8) { return [] }
    let old = try? DisplayAnatomy(expected, reader?.notation)
    let new = try? DisplayAnatomy(actual, reader?.notation)
    guard let old, let new else {
      // Where one of both is no price, the other shows an amount that it does not.
      if old != nil || new != nil { return [.amount] }
      return unseenClasses(expected, actual) ?? [.text]
    }
    var classes = classesOfNumbers(old, new, reader, known)
    classes.formUnion(classesOfSymbols(old, new, reader, known, isSameAmount: !classes.contains(.amount)))
    if old.spaces != new.spaces {
      // What moved took its spaces along.
      if !classes.contains(.order) || old.spaces.sorted() != new.spaces.sorted() { classes.insert(.spacing) }
    }
    let isSeenAlike = classes.isEmpty || classes == [.spacing]
    let marksDiffer =
      isSeenAlike
      ? !old.marks.elementsEqual(new.marks) { $0 == $1 }
      : old.marks.map(\.scalar) != new.marks.map(\.scalar)
    if marksDiffer { classes.insert(.directionMarks) }
    // A mark and a space may have changed places.
    return classes.isEmpty ? unseenClasses(expected, actual) ?? [.text] : classes
  }

  private static func classesOfNumbers(
    _ old: DisplayAnatomy,
    _ new: DisplayAnatomy,
    _ reader: PriceReader?,
    _ known: Known
  ) -> Set<DriftClass> {
    var classes: Set<DriftClass> = []
    if old.number.zero != new.number.zero { classes.insert(.digits) }
    let first = reading(old, reader, known.amount, else: known.actualAmount)
    let second = reading(new, reader, known.actualAmount, else: known.amount)
    if first.value != second.value || (old.isNegative != new.isNegative && first.value != [[], []]) {
      classes.insert(.amount)
    }
    if first.fraction.count != second.fraction.count { classes.insert(.digits) }
    if let one = first.decimalSeparator, let other = second.decimalSeparator {
      classes.formUnion(classesOfSeparators(one, other))
    }
    if first.integer.count == second.integer.count, first.groups != second.groups {
      classes.insert(.grouping)
    }
    if let one = first.groupSeparator, let other = second.groupSeparator {
      classes.formUnion(classesOfSeparators(one, other))
    }
    return classes
  }

  /// What a number says: the amount that it is known to show; or else as its locale has it; and where that leaves it open,
  /// the amount that the other display shows.
  private static func reading(
    _ anatomy: DisplayAnatomy,
    _ reader: PriceReader?,
    _ amount: Amount?,
    else other: Amount?
  ) -> DisplayedNumber.Reading {
    let number = anatomy.number
    let asGroup = number.reading(isDecimal: false, reader?.notation)
    let asDecimal = number.separators.isEmpty ? nil : number.reading(isDecimal: true, reader?.notation)
    func reading(of amount: Amount?) -> DisplayedNumber.Reading? {
      guard let amount else { return nil }
      return [asGroup, asDecimal].compactMap(\.self).first {
        (try? Amount(decimal: $0.decimalText(isNegative: anatomy.isNegative))) == amount
      }
    }
    if let meant = reading(of: amount) { return meant }
    return number.reading(reader?.notation) ?? reading(of: other) ?? asGroup ?? asDecimal
      ?? DisplayedNumber.Reading(
        integer: number.digits,
        fraction: [],
        groups: number.separators.map { number.digits.count - $0.position },
        groupSeparator: number.separators.first?.text,
        decimalSeparator: nil
      )
  }

  private static func classesOfSeparators(_ old: String, _ new: String) -> Set<DriftClass> {
    if old == new { return [] }
    let areSpaces = [old, new].allSatisfy { $0.unicodeScalars.allSatisfy(DisplayScalar.isSpace) }
    return [areSpaces ? .spacing : .separators]
  }

  private static func classesOfSymbols(
    _ old: DisplayAnatomy,
    _ new: DisplayAnatomy,
    _ reader: PriceReader?,
    _ known: Known,
    isSameAmount: Bool
  ) -> Set<DriftClass> {
    var classes: Set<DriftClass> = []
    let (one, other) = (old.symbols, new.symbols)
    if [one.before, one.behind].sorted() != [other.before, other.behind].sorted() {
      let before = reader?.currencies(of: old) ?? []
      let after = reader?.currencies(of: new) ?? []
      // A symbol that nobody knows beside one that is known may be of anything.
      let isAnother =
        !known.isSameCurrency && before.isDisjoint(with: after) && !(before.isEmpty && after.isEmpty)
      classes.insert(isAnother ? .currency : .symbol)
    }
    let signs = { (anatomy: DisplayAnatomy) in anatomy.signs.map(String.init).sorted() }
    // The sign of another amount is no other symbol; that of nothing is.
    if isSameAmount || old.isNegative == new.isNegative, signs(old) != signs(new) { classes.insert(.symbol) }
    let count = { (anatomy: DisplayAnatomy, piece: DisplayAnatomy.Piece) in
      anatomy.pieces.count { $0 == piece }
    }
    if old.pieces != new.pieces,
      [.sign, .symbol].allSatisfy({ count(old, $0) == count(new, $0) })
    {
      classes.insert(.order)
    }
    return classes
  }

  // MARK: Texts

  static func classesOfTexts(
    _ expected: String,
    _ actual: String,
    _ reader: PriceReader?,
    isSameCurrency: Bool
  ) -> Set<DriftClass> {
    if expected.utf8.elementsEqual(actual.utf8) { return [] }
    let (old, new) = (IsolatedText(expected), IsolatedText(actual))
    guard old.isolated.count == new.isolated.count else { return unseenClasses(expected, actual) ?? [.text] }
    var classes: Set<DriftClass> = old.openings == new.openings ? [] : [.directionMarks]
    if old.outside != new.outside {
      classes.formUnion(unseenClasses(old.outside, new.outside) ?? [.text])
    }
    for (one, other) in zip(old.isolated, new.isolated) where !one.utf8.elementsEqual(other.utf8) {
      if let reader, [one, other].contains(where: reader.isPrice) {
        classes.formUnion(Self.classes(one, other, reader, Known(isSameCurrency: isSameCurrency)))
      } else {
        classes.formUnion(unseenClasses(one, other) ?? [.text])
      }
    }
    // An isolate may be of another direction.
    return classes.isEmpty ? unseenClasses(expected, actual) ?? [.text] : classes
  }

  /// The classes of texts that differ in spaces and marks alone; `nil` where they differ in what is seen.
  private static func unseenClasses(_ expected: String, _ actual: String) -> Set<DriftClass>? {
    let parts = { (text: String) in
      (
        seen: text.unicodeScalars.filter { !DisplayScalar.isMark($0) && !DisplayScalar.isSpace($0) },
        spaces: text.unicodeScalars.filter { !DisplayScalar.isMark($0) }
      )
    }
    let (old, new) = (parts(expected), parts(actual))
    guard old.seen.elementsEqual(new.seen) else { return nil }
    var classes: Set<DriftClass> = []
    if !old.spaces.elementsEqual(new.spaces) { classes.insert(.spacing) }
    let marks = { (text: String) in text.unicodeScalars.filter(DisplayScalar.isMark) }
    let areMarksAlike = marks(expected).elementsEqual(marks(actual))
    if !areMarksAlike || classes.isEmpty { classes.insert(.directionMarks) }
    return classes
  }
}

/// A text whose outermost isolates are taken out: what a message puts into its words.
private struct IsolatedText {
  /// The words, with U+FFFC OBJECT REPLACEMENT CHARACTER for each isolate.
  let outside: String
  let isolated: [String]
  /// What opens each of them.
  let openings: [Unicode.Scalar]

  init(_ text: String) {
    var openings: [Unicode.Scalar] = []
    var outside = String.UnicodeScalarView()
    var isolated: [String.UnicodeScalarView] = []
    var depth = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{2066}", "\u{2067}", "\u{2068}":
        if depth == 0 {
          outside.append("\u{FFFC}")
          openings.append(scalar)
          isolated.append(String.UnicodeScalarView())
        } else {
          isolated[isolated.count - 1].append(scalar)
        }
        depth += 1
      case "\u{2069}" where depth > 0:
        depth -= 1
        if depth > 0 { isolated[isolated.count - 1].append(scalar) }
      default:
        if depth == 0 { outside.append(scalar) } else { isolated[isolated.count - 1].append(scalar) }
      }
    }
    self.outside = String(outside)
    self.openings = openings
    self.isolated = isolated.map { String($0) }
  }
}

import PriceTag

/// A comparison of two displayed prices or texts: the classes of their differences, and where they differ.
///
///     let reader = try PriceReader(storefront: Storefront("CHE"))
///     let comparison = DisplayComparison(expected: "CHF 1’234.50", actual: "CHF\u{A0}1'234.50", reader)
///     comparison.classes              // [.separators, .spacing]
///     comparison.codePoints[0]        // U+00A0 NO-BREAK SPACE, expected U+0020 SPACE
public struct DisplayComparison: Hashable, Sendable {
  /// The expected text.
  public let expected: String
  /// The displayed text.
  public let actual: String
  /// The classes of the differences, the most severe first; empty if both texts have the same bytes.
  public let classes: [DriftClass]

  /// The Unicode scalars that differ.
  public var codePoints: [CodePointDifference] { CodePointDifference.between(expected, actual) }

  /// Compares two displays of a price.
  ///
  /// - Parameters:
  ///   - expected: The expected text.
  ///   - actual: The displayed text.
  ///   - reader: A reader of their price locale. Without one, symbols are compared as text, not by currency.
  ///   - amount: The amount that `expected` shows, if known.
  ///   - actualAmount: The amount that `actual` shows, if known. Otherwise the reader's locale decides what its
  ///     separators mean.
  public init(
    expected: String,
    actual: String,
    _ reader: PriceReader?,
    amount: Amount? = nil,
    actualAmount: Amount? = nil
  ) {
    let facts = KnownFacts(amount: amount, actualAmount: actualAmount, isSameCurrency: false)
    self.init(expected, actual, Self.classes(expected, actual, reader, facts))
  }

  /// Compares two displays of the same amount and currency.
  package init(_ expected: String, _ actual: String, _ reader: PriceReader?, of amount: Amount?) {
    let facts = KnownFacts(amount: amount, actualAmount: amount, isSameCurrency: true)
    self.init(expected, actual, Self.classes(expected, actual, reader, facts))
  }

  /// Compares two messages whose prices are in bidi isolates: the isolated prices as prices, everything else as text.
  public init(expectedText expected: String, actual: String, _ reader: PriceReader? = nil) {
    self.init(expected, actual, Self.classesOfTexts(expected, actual, reader, isSameCurrency: false))
  }

  /// Creates a comparison whose classes are already known.
  package init(_ expected: String, _ actual: String, _ classes: Set<DriftClass>) {
    (self.expected, self.actual) = (expected, actual)
    self.classes = classes.sorted()
  }

  /// Returns the classes that a tolerance does not allow, the most severe first.
  public func classes(beyond tolerance: DisplayTolerance) -> [DriftClass] {
    classes.filter { !tolerance.allows($0) }
  }

  // MARK: Prices

  /// What is known about two displays besides their texts.
  private struct KnownFacts {
    var amount: Amount?
    var actualAmount: Amount?
    /// Whether both have the same currency, even if their symbols differ.
    var isSameCurrency = false
  }

  private static func classes(
    _ expected: String,
    _ actual: String,
    _ reader: PriceReader?,
    _ facts: KnownFacts
  ) -> Set<DriftClass> {
    if expected.utf8.elementsEqual(actual.utf8) { return [] }
    let first = ComparedText(expected, reader, facts)
    let second = ComparedText(actual, reader, facts)
    if first.failure != nil, second.failure != nil { return invisibleClasses(expected, actual) ?? [.text] }
    let failure = first.failure ?? second.failure
    guard let old = first.parsed, let new = second.parsed else { return [failure ?? .notAPrice] }
    let names = (old: first.names, new: second.names)
    var classes = classesOfNumbers(old, new, reader, facts)
    if let failure {
      // Only the meaning is compared, because everything else differs in such a text.
      classes = classes.filter { $0 == .amount }
      let areNamed = !names.old.currencies.isEmpty && !names.new.currencies.isEmpty
      if areNamed, names.old.currencies.isDisjoint(with: names.new.currencies) { classes.insert(.currency) }
      classes.insert(failure)
      return classes
    }
    let isSameAmount = !classes.contains(.amount)
    classes.formUnion(classesOfSymbols(old, new, names, reader, facts, isSameAmount: isSameAmount))
    if old.spaces != new.spaces {
      // Spaces that moved together with a symbol do not count.
      if !classes.contains(.order) || old.spaces.sorted() != new.spaces.sorted() { classes.insert(.spacing) }
    }
    let looksEqual = classes.isEmpty || classes == [.spacing]
    let marksDiffer =
      looksEqual
      ? !old.marks.elementsEqual(new.marks) { $0 == $1 }
      : old.marks.map(\.scalar) != new.marks.map(\.scalar)
    if marksDiffer { classes.insert(.directionMarks) }
    // With no class found, a mark and a space have swapped places.
    return classes.isEmpty ? invisibleClasses(expected, actual) ?? [.text] : classes
  }

  /// A text of a comparison, with its number and the currencies that it names.
  private struct ComparedText {
    /// The parts of the text; `nil` if it has no readable number, or several.
    let parsed: ParsedDisplay?
    /// Empty if the currency does not matter.
    let names: PriceReader.DisplayedNames
    /// The class of a text that is not a price, although it may have a number; `nil` for a price.
    let failure: DriftClass?

    init(_ text: String, _ reader: PriceReader?, _ facts: KnownFacts) {
      var parsed: ParsedDisplay?
      var failure: DriftClass?
      do throws(ReadingError) { parsed = try ParsedDisplay(text, reader?.notation) } catch {
        failure = error.code == .malformedNumber ? .amount : .notAPrice
        let decoded = ParsedDisplay.decodingEntities(text)
        parsed = decoded.flatMap { try? ParsedDisplay($0, reader?.notation) }
      }
      var names = PriceReader.DisplayedNames()
      if !facts.isSameCurrency, let reader, let parsed { names = reader.names(in: parsed) }
      // A number beside words alone is not a price.
      if names.currencies.isEmpty, !names.otherWords.isEmpty { failure = .notAPrice }
      (self.parsed, self.names, self.failure) = (parsed, names, failure)
    }
  }

  private static func classesOfNumbers(
    _ old: ParsedDisplay,
    _ new: ParsedDisplay,
    _ reader: PriceReader?,
    _ facts: KnownFacts
  ) -> Set<DriftClass> {
    var classes: Set<DriftClass> = []
    if old.number.zero != new.number.zero { classes.insert(.digits) }
    let first = reading(old, reader, facts.amount, else: facts.actualAmount)
    let second = reading(new, reader, facts.actualAmount, else: facts.amount)
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

  /// Returns the interpretation of a number's separators that gives the known amount; otherwise the one of the reader's
  /// locale; if that is ambiguous, the one that gives the amount of the other display.
  private static func reading(
    _ parsed: ParsedDisplay,
    _ reader: PriceReader?,
    _ amount: Amount?,
    else other: Amount?
  ) -> DisplayedNumber.Reading {
    let number = parsed.number
    let asGroup = number.reading(isDecimal: false, reader?.notation)
    let asDecimal = number.separators.isEmpty ? nil : number.reading(isDecimal: true, reader?.notation)
    func reading(of amount: Amount?) -> DisplayedNumber.Reading? {
      guard let amount else { return nil }
      return [asGroup, asDecimal].compactMap(\.self).first {
        (try? Amount(decimal: $0.decimalText(isNegative: parsed.isNegative))) == amount
      }
    }
    if let match = reading(of: amount) { return match }
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
    _ old: ParsedDisplay,
    _ new: ParsedDisplay,
    _ names: (old: PriceReader.DisplayedNames, new: PriceReader.DisplayedNames),
    _ reader: PriceReader?,
    _ facts: KnownFacts,
    isSameAmount: Bool
  ) -> Set<DriftClass> {
    var classes: Set<DriftClass> = []
    let (one, other) = (old.symbols, new.symbols)
    if [one.prefix, one.suffix].sorted() != [other.prefix, other.suffix].sorted() {
      let (before, after) = (names.old.currencies, names.new.currencies)
      // An unknown symbol counts as another currency if the other symbol is known.
      if !facts.isSameCurrency, before.isDisjoint(with: after), !(before.isEmpty && after.isEmpty) {
        classes.insert(.currency)
      }
      if names.old.otherWords.isEmpty != names.new.otherWords.isEmpty { classes.insert(.notAPrice) }
      if classes.isEmpty { classes.insert(.symbol) }
      // In compact notation, other text beside the number can be thousands instead of millions.
      let isCompact = reader.map { $0.formatter.style.notation != .standard } ?? false
      if isCompact, facts.amount == nil || facts.amount != facts.actualAmount { classes.insert(.amount) }
    }
    let signs = { (parsed: ParsedDisplay) in parsed.signs.map(String.init).sorted() }
    // A minus sign that appears because the amount changed is not a change of symbol.
    if isSameAmount || old.isNegative == new.isNegative, signs(old) != signs(new) { classes.insert(.symbol) }
    let count = { (parsed: ParsedDisplay, piece: ParsedDisplay.Piece) in
      parsed.pieces.count { $0 == piece }
    }
    if old.pieces != new.pieces,
      [.sign, .symbol].allSatisfy({ count(old, $0) == count(new, $0) })
    {
      classes.insert(.order)
    }
    return classes
  }

  // MARK: Texts

  package static func classesOfTexts(
    _ expected: String,
    _ actual: String,
    _ reader: PriceReader?,
    isSameCurrency: Bool
  ) -> Set<DriftClass> {
    if expected.utf8.elementsEqual(actual.utf8) { return [] }
    let (old, new) = (IsolatedText(expected), IsolatedText(actual))
    guard old.isolated.count == new.isolated.count else {
      return invisibleClasses(expected, actual) ?? [.text]
    }
    var classes: Set<DriftClass> = old.openings == new.openings ? [] : [.directionMarks]
    if old.outside != new.outside {
      classes.formUnion(invisibleClasses(old.outside, new.outside) ?? [.text])
    }
    for (one, other) in zip(old.isolated, new.isolated) where !one.utf8.elementsEqual(other.utf8) {
      if let reader, [one, other].contains(where: reader.isPrice) {
        classes.formUnion(Self.classes(one, other, reader, KnownFacts(isSameCurrency: isSameCurrency)))
      } else {
        classes.formUnion(invisibleClasses(one, other) ?? [.text])
      }
    }
    // With no class found, an isolate's end or direction differs.
    return classes.isEmpty ? invisibleClasses(expected, actual) ?? [.text] : classes
  }

  /// Returns the classes of texts that differ only in spaces and direction marks; `nil` if visible characters differ.
  private static func invisibleClasses(_ expected: String, _ actual: String) -> Set<DriftClass>? {
    let parts = { (text: String) in
      (
        visible: text.unicodeScalars.filter { !DisplayScalar.isMark($0) && !DisplayScalar.isSpace($0) },
        withSpaces: text.unicodeScalars.filter { !DisplayScalar.isMark($0) }
      )
    }
    let (old, new) = (parts(expected), parts(actual))
    guard old.visible.elementsEqual(new.visible) else { return nil }
    var classes: Set<DriftClass> = []
    if !old.withSpaces.elementsEqual(new.withSpaces) { classes.insert(.spacing) }
    let marks = { (text: String) in text.unicodeScalars.filter(DisplayScalar.isMark) }
    let areMarksAlike = marks(expected).elementsEqual(marks(actual))
    if !areMarksAlike || classes.isEmpty { classes.insert(.directionMarks) }
    return classes
  }
}

/// A message separated into its outermost bidi isolates and the text around them.
private struct IsolatedText {
  /// The text outside, with U+FFFC OBJECT REPLACEMENT CHARACTER for each isolate.
  let outside: String
  let isolated: [String]
  /// The control character that opens each isolate.
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

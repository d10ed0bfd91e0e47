import PriceTag
import PriceTagText

/// A displayed price separated into its number, signs, symbol, spaces, and direction marks.
struct ParsedDisplay {
  /// A visible piece of a display. The pieces are ordered as in its text.
  enum Piece: Equatable {
    case sign, symbol, number
  }

  /// A word beside the number.
  struct Word {
    var text: String
    /// The signs and brackets between this word and the next one.
    var separator = ""

    /// Returns adjacent words with their separators, without spaces.
    static func text(of words: ArraySlice<Word>) -> String {
      guard let last = words.last else { return "" }
      let text = words.dropLast().map { $0.text + $0.separator }.joined() + last.text
      // A name may end with a bracket, such as "franc CFA (BCEAO)".
      return text.contains("(") && last.separator.hasPrefix(")") ? text + ")" : text
    }
  }

  let number: DisplayedNumber
  /// The symbol, code, or name before and after the number, without spaces and marks.
  let symbols: (prefix: String, suffix: String)
  /// The words before and after the number, separated by spaces, signs and brackets.
  let words: (prefix: [Word], suffix: [Word])
  /// The signs, in order; "(" for the parentheses of accounting style.
  let signs: [Unicode.Scalar]
  let pieces: [Piece]
  /// The runs of spaces outside the number, in order.
  let spaces: [String]
  /// The direction marks, each with the number of visible scalars before it.
  let marks: [(scalar: Unicode.Scalar, position: Int)]

  /// Whether the amount is below zero.
  var isNegative: Bool { signs.contains { Self.minuses.contains($0) || $0 == "(" } }

  /// The symbol, code, or name in the form for looking it up.
  var foldedSymbol: String { PriceTagReading.foldedSymbol(symbols.prefix + symbols.suffix) }

  static let minuses: Set<Unicode.Scalar> = ["-", "\u{2212}", "\u{FE63}", "\u{FF0D}", "\u{2010}", "\u{2013}"]
  static let pluses: Set<Unicode.Scalar> = ["+", "\u{FF0B}", "\u{FE62}"]

  /// Parses a displayed price.
  ///
  /// - Throws: `.notAPrice` for a text with no number or several, or with an HTML entity; `.malformedNumber` for digits of
  ///   several scripts, or a control that reorders digits.
  init(_ text: String, _ notation: PriceNotation?) throws(ReadingError) {
    let scalars = try Self.scalars(of: text)
    let kinds = scalars.map { DisplayScalar($0, notation) }
    let range = try Self.numberRange(scalars, kinds, notation, in: text)
    number = try Self.number(scalars, kinds, range, in: text)
    let prefix = Affix(scalars[..<range.lowerBound], kinds[..<range.lowerBound])
    let suffix = Affix(scalars[range.upperBound...], kinds[range.upperBound...])
    let affixes = SignsAndSymbols(prefix.visible, suffix.visible, signTrails: notation?.signTrails ?? false)
    symbols = (affixes.prefix, affixes.suffix)
    words = (prefix.words, suffix.words)
    signs = affixes.signs
    pieces = affixes.pieces
    spaces = prefix.spaces + suffix.spaces
    marks = Self.marks(scalars, kinds)
  }

  /// The maximum length of a displayed price, in Unicode scalars.
  static let maximumScalarCount = 512

  private static func scalars(of text: String) throws(ReadingError) -> [Unicode.Scalar] {
    let scalars = Array(text.unicodeScalars.prefix(maximumScalarCount + 1))
    guard scalars.count <= maximumScalarCount else {
      throw ReadingError(
        .textTooLong,
        "the text has more than \(maximumScalarCount) characters",
        fix: "pass only the price"
      )
    }
    // A bidi override shows the digits in another order than the text has them.
    if let override = scalars.first(where: { $0 == "\u{202D}" || $0 == "\u{202E}" }) {
      throw ReadingError(
        .malformedNumber,
        "\(quoted(text)) contains \(CodePointDifference.name(override)), which reorders its digits",
        fix: "remove it"
      )
    }
    if let range = entityRange(in: scalars[...]) {
      let entity = String(String.UnicodeScalarView(scalars[range]))
      throw ReadingError(
        .notAPrice,
        "\(quoted(text)) contains the HTML entity \(quoted(entity))",
        fix: "decode it, as a browser does"
      )
    }
    return scalars
  }

  /// Returns a text with its HTML entities decoded: a numeric one as its character, any other one as a space; `nil` for a
  /// text without entities.
  static func decodingEntities(_ text: String) -> String? {
    let scalars = Array(text.unicodeScalars.prefix(maximumScalarCount + 1))
    guard scalars.count <= maximumScalarCount else { return nil }
    var rest = scalars[...]
    var decoded = String.UnicodeScalarView()
    while let range = entityRange(in: rest) {
      decoded.append(contentsOf: rest[..<range.lowerBound])
      decoded.append(character(ofEntity: String(String.UnicodeScalarView(rest[range]))))
      rest = rest[(range.upperBound + 1)...]
    }
    guard rest.count < scalars.count else { return nil }
    decoded.append(contentsOf: rest)
    return String(decoded)
  }

  private static func character(ofEntity entity: String) -> Unicode.Scalar {
    let name = entity.dropFirst().dropLast().lowercased()
    var code: UInt32?
    if name.hasPrefix("#x") {
      code = UInt32(name.dropFirst(2), radix: 16)
    } else if name.hasPrefix("#") {
      code = UInt32(name.dropFirst())
    }
    return code.flatMap { Unicode.Scalar($0) } ?? "\u{A0}"
  }

  /// Returns the range of the first HTML entity, such as `&nbsp;`, `&#160;` or `&#xA0;`.
  private static func entityRange(in scalars: ArraySlice<Unicode.Scalar>) -> ClosedRange<Int>? {
    for start in scalars.indices where scalars[start] == "&" {
      let name = scalars[(start + 1)...].prefix { scalar in
        scalar == "#" || scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      }
      if !name.isEmpty, name.endIndex < scalars.endIndex, scalars[name.endIndex] == ";" {
        return start...name.endIndex
      }
    }
    return nil
  }

  private static func marks(
    _ scalars: [Unicode.Scalar],
    _ kinds: [DisplayScalar]
  ) -> [(scalar: Unicode.Scalar, position: Int)] {
    var marks: [(Unicode.Scalar, Int)] = []
    var visibleCount = 0
    for (scalar, kind) in zip(scalars, kinds) {
      if kind == .mark { marks.append((scalar, visibleCount)) }
      if kind != .mark, kind != .space { visibleCount += 1 }
    }
    return marks
  }

  // MARK: Numbers

  /// The separators that are recognized besides spaces and those of the notation.
  private static let separators: Set<Unicode.Scalar> = [
    ".", ",", "'", "\u{2019}", "\u{2018}", "\u{2BC}", "\u{2032}", "\u{FF07}", "`", "\u{B4}", "\u{66B}",
    "\u{66C}",
    "\u{60C}", "\u{B7}", "\u{2E41}", "\u{2D9}", "\u{FF0E}", "\u{FF0C}",
  ]

  /// Returns the range of the only number. Digits in a currency's name do not count.
  private static func numberRange(
    _ scalars: [Unicode.Scalar],
    _ kinds: [DisplayScalar],
    _ notation: PriceNotation?,
    in text: String
  ) throws(ReadingError) -> Range<Int> {
    let names = notation?.rangesOfNamesWithDigits(in: scalars) ?? []
    let numbers = numberRanges(scalars, kinds, notation, outside: names)
    guard let range = numbers.first else {
      throw ReadingError(
        .notAPrice,
        "\(quoted(text)) has no digits",
        fix: "pass a displayed price, such as \"$4.99\""
      )
    }
    if let other = numbers.dropFirst().first {
      let between = String(String.UnicodeScalarView(scalars[range.upperBound..<other.lowerBound]))
      throw ReadingError(
        .notAPrice,
        "\(quoted(text)) has several numbers (\(quoted(between)) is not a separator)",
        fix: "pass one price at a time"
      )
    }
    return range
  }

  /// Returns the ranges of all numbers outside names: digits with at most one separator between two of them.
  private static func numberRanges(
    _ scalars: [Unicode.Scalar],
    _ kinds: [DisplayScalar],
    _ notation: PriceNotation?,
    outside names: [Range<Int>]
  ) -> [Range<Int>] {
    let own = [notation?.group ?? "", notation?.decimal ?? ""].filter { !$0.isEmpty }
    var numbers: [Range<Int>] = []
    var lastDigit = -1
    for index in kinds.indices {
      guard case .digit = kinds[index], !names.contains(where: { $0.contains(index) }) else { continue }
      let between = scalars[(lastDigit + 1)..<index]
      let isJoined = lastDigit >= 0 && joins(between, own)
      if isJoined, let number = numbers.last {
        numbers[numbers.count - 1] = number.lowerBound..<index + 1
      } else {
        numbers.append(index..<index + 1)
      }
      lastDigit = index
    }
    return numbers
  }

  private static func joins(_ between: ArraySlice<Unicode.Scalar>, _ own: [String]) -> Bool {
    guard between.count <= 4, let scalar = between.first else { return between.isEmpty }
    if between.count == 1, separators.contains(scalar) || DisplayScalar.isSpace(scalar) { return true }
    // A direction mark between digits may reorder them, so it is accepted only where the locale writes one.
    let text = String(String.UnicodeScalarView(between))
    let hasMark = between.contains(where: DisplayScalar.isMark)
    return own.contains { $0 == text || (!hasMark && folded($0) == folded(text)) }
  }

  private static func number(
    _ scalars: [Unicode.Scalar],
    _ kinds: [DisplayScalar],
    _ range: Range<Int>,
    in text: String
  ) throws(ReadingError) -> DisplayedNumber {
    var digits: [Int] = []
    var zeros: Set<Unicode.Scalar?> = []
    var separators: [DisplayedNumber.Separator] = []
    var separator = String.UnicodeScalarView()
    for index in range {
      switch kinds[index] {
      case .digit(let value):
        if !separator.isEmpty {
          separators.append(.init(position: digits.count, text: String(separator)))
          separator = String.UnicodeScalarView()
        }
        digits.append(value)
        zeros.insert(Unicode.Scalar(scalars[index].value - UInt32(value)))
      case .mark: break
      case .space, .other: separator.append(scalars[index])
      }
    }
    let isOneScript = zeros.count == 1
    // Ideographic digits are not consecutive code points, so their zeros cannot be compared.
    let isIdeographic = scalars[range].contains { (0x3007...0x9FFF).contains($0.value) }
    guard isOneScript || isIdeographic else {
      throw ReadingError(
        .malformedNumber,
        "\(quoted(text)) has digits of several scripts",
        fix: "write the number in the digits of its price locale"
      )
    }
    return DisplayedNumber(
      digits: digits,
      zero: isOneScript ? zeros.first ?? nil : "\u{3007}",
      separators: separators
    )
  }

  // MARK: Affixes

  /// The text on one side of the number.
  private struct Affix {
    var visible: [Unicode.Scalar] = []
    var spaces: [String] = []
    var words: [Word] = []

    init(_ scalars: ArraySlice<Unicode.Scalar>, _ kinds: ArraySlice<DisplayScalar>) {
      var (isInSpaces, isInWord) = (false, false)
      for (scalar, kind) in zip(scalars, kinds) {
        switch kind {
        case .mark: continue
        case .space:
          if isInSpaces, let last = spaces.indices.last {
            spaces[last].unicodeScalars.append(scalar)
          } else {
            spaces.append(String(scalar))
          }
          (isInSpaces, isInWord) = (true, false)
        case .digit, .other:
          visible.append(scalar)
          isInSpaces = false
          let isSignOrBracket = ParsedDisplay.isSignOrBracket(scalar)
          if isSignOrBracket, let last = words.indices.last {
            words[last].separator.unicodeScalars.append(scalar)
          } else if isInWord, let last = words.indices.last {
            words[last].text.unicodeScalars.append(scalar)
          } else if !isSignOrBracket {
            words.append(Word(text: String(scalar)))
          }
          isInWord = !isSignOrBracket
        }
      }
    }
  }

  private static func isSignOrBracket(_ scalar: Unicode.Scalar) -> Bool {
    minuses.contains(scalar) || pluses.contains(scalar)
      || "()<>[]\u{FF08}\u{FF09}".unicodeScalars.contains(scalar)
  }

  /// The visible text around the number, separated into signs and symbols.
  private struct SignsAndSymbols {
    let prefix: String
    let suffix: String
    let signs: [Unicode.Scalar]
    let pieces: [Piece]

    /// - Parameter signTrails: Whether the notation writes signs after the number. Otherwise a dash there is not a sign:
    ///   "5,-" is five.
    init(_ prefix: [Unicode.Scalar], _ suffix: [Unicode.Scalar], signTrails: Bool) {
      var (prefix, suffix) = (prefix, suffix)
      var signs: [Unicode.Scalar] = []
      var hasSign = (beforePrefix: false, beforeNumber: false, afterNumber: false, afterSuffix: false)
      if prefix.first == "(", suffix.last == ")" {
        prefix.removeFirst()
        suffix.removeLast()
        signs.append("(")
        hasSign.beforePrefix = true
      }
      if Self.isSign(prefix.first) {
        signs.append(prefix.removeFirst())
        hasSign.beforePrefix = true
      } else if Self.isSign(prefix.last) {
        signs.append(prefix.removeLast())
        hasSign.beforeNumber = true
      }
      if signTrails, Self.isSign(suffix.first) {
        signs.append(suffix.removeFirst())
        hasSign.afterNumber = true
      } else if signTrails, Self.isSign(suffix.last) {
        signs.append(suffix.removeLast())
        hasSign.afterSuffix = true
      }
      self.prefix = String(String.UnicodeScalarView(prefix))
      self.suffix = String(String.UnicodeScalarView(suffix))
      self.signs = signs
      let places: [(piece: Piece, isUsed: Bool)] = [
        (.sign, hasSign.beforePrefix), (.symbol, !prefix.isEmpty), (.sign, hasSign.beforeNumber),
        (.number, true),
        (.sign, hasSign.afterNumber), (.symbol, !suffix.isEmpty), (.sign, hasSign.afterSuffix),
      ]
      pieces = places.filter(\.isUsed).map(\.piece)
    }

    private static func isSign(_ scalar: Unicode.Scalar?) -> Bool {
      scalar.map { ParsedDisplay.minuses.contains($0) || ParsedDisplay.pluses.contains($0) } ?? false
    }
  }
}

/// Returns a symbol, code, or name in the form for looking it up: in lower case, without spaces and marks, with one kind
/// of apostrophe, and with fullwidth forms as the usual ones.
func foldedSymbol(_ symbol: String) -> String {
  var folded = String.UnicodeScalarView()
  for scalar in symbol.unicodeScalars where !DisplayScalar.isMark(scalar) && !DisplayScalar.isSpace(scalar) {
    switch scalar {
    case "\u{FFE5}": folded.append("\u{A5}")
    case "\u{FFE1}": folded.append("\u{A3}")
    case "\u{FFE6}": folded.append("\u{20A9}")
    case "\u{FF04}", "\u{FE69}": folded.append("$")
    case _ where DisplayScalar.isApostrophe(scalar): folded.append("'")
    default: folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    }
  }
  return String(folded)
}

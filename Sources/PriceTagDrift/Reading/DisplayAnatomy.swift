import PriceTag
import PriceTagText

/// A displayed price taken apart: the number, what stands before and behind it, and everything that is not seen.
struct DisplayAnatomy {
  /// What a display is put together from, in the order of its text.
  enum Piece: Equatable {
    case sign, symbol, number
  }

  let number: DisplayedNumber
  /// The symbol, code or name before the number and behind it, without spaces and marks.
  let symbols: (before: String, behind: String)
  /// The signs, in order; brackets around the whole for accountants' minus.
  let signs: [Unicode.Scalar]
  let pieces: [Piece]
  /// The runs of spaces outside the number, in order.
  let spaces: [String]
  /// The marks of direction, each with how many scalars that are seen stand before it.
  let marks: [(scalar: Unicode.Scalar, position: Int)]

  /// Whether the amount is below zero.
  var isNegative: Bool { signs.contains { Self.minuses.contains($0) || $0 == "(" } }

  /// The symbol as it is looked up.
  var symbol: String { foldedSymbol(symbols.before + symbols.behind) }

  static let minuses: Set<Unicode.Scalar> = ["-", "\u{2212}", "\u{FE63}", "\u{FF0D}", "\u{2010}", "\u{2013}"]
  static let pluses: Set<Unicode.Scalar> = ["+", "\u{FF0B}", "\u{FE62}"]

  /// Takes a text apart.
  ///
  /// - Throws: `.notAPrice` without a number or with several; `.malformedNumber` for digits of several scripts.
  init(_ text: String, _ notation: PriceNotation?) throws(DriftError) {
    let scalars = Array(text.unicodeScalars.prefix(Self.mostScalars + 1))
    guard scalars.count <= Self.mostScalars else {
      throw DriftError(
        .notAPrice,
        "the text has more than \(Self.mostScalars) characters",
        fix: "give the price alone"
      )
    }
    // An override turns digits around: what is read is not what is seen.
    if let override = scalars.first(where: { $0 == "\u{202D}" || $0 == "\u{202E}" }) {
      throw DriftError(
        .notAPrice,
        "\(quoted(text)) has a \(CodePointDifference.name(override)), which turns its digits around",
        fix: "give the price without it"
      )
    }
    let kinds = scalars.map { DisplayScalar($0, notation) }
    let names = notation?.rangesOfNumberedNames(in: scalars) ?? []
    let numbers = Self.numbers(scalars, kinds, notation).filter { number in
      !names.contains { $0.contains(number.lowerBound) }
    }
    guard let range = numbers.first else {
      throw DriftError(
        .notAPrice,
        "\(quoted(text)) has no digits",
        fix: "give a displayed price, such as $4.99"
      )
    }
    if let other = numbers.dropFirst().first {
      let between = String(String.UnicodeScalarView(scalars[range.upperBound..<other.lowerBound]))
      throw DriftError(
        .notAPrice,
        "\(quoted(text)) has several numbers: \(quoted(between)) separates no groups and no fraction",
        fix: "give one price at a time"
      )
    }
    number = try Self.number(scalars, kinds, range, in: text)

    let before = Words(scalars[..<range.lowerBound], kinds[..<range.lowerBound])
    let behind = Words(scalars[range.upperBound...], kinds[range.upperBound...])
    var (left, right) = (before.seen, behind.seen)
    var signs: [Unicode.Scalar] = []
    var (leading, inner, trailing) = (false, false, false)
    if left.first == "(", right.last == ")" {
      left.removeFirst()
      right.removeLast()
      signs.append("(")
      leading = true
    }
    let isSign = { (scalar: Unicode.Scalar) in Self.minuses.contains(scalar) || Self.pluses.contains(scalar) }
    if let sign = left.first, isSign(sign) {
      signs.append(left.removeFirst())
      leading = true
    } else if let sign = left.last, isSign(sign) {
      signs.append(left.removeLast())
      inner = true
    }
    var trailsNumber = false
    // Where no sign is written behind a number, a dash there is none: "5,-" is five.
    let signTrails = notation?.signTrails ?? false
    if signTrails, let sign = right.first, isSign(sign) {
      signs.append(right.removeFirst())
      trailsNumber = true
    } else if signTrails, let sign = right.last, isSign(sign) {
      signs.append(right.removeLast())
      trailing = true
    }
    let text = { (scalars: [Unicode.Scalar]) in String(String.UnicodeScalarView(scalars)) }
    symbols = (text(left), text(right))
    self.signs = signs
    pieces =
      (leading ? [.sign] : []) + (left.isEmpty ? [] : [.symbol]) + (inner ? [.sign] : []) + [.number]
      + (trailsNumber ? [.sign] : []) + (right.isEmpty ? [] : [.symbol]) + (trailing ? [.sign] : [])
    spaces = before.spaces + behind.spaces
    var marks: [(Unicode.Scalar, Int)] = []
    var seen = 0
    for (scalar, kind) in zip(scalars, kinds) {
      if kind == .mark { marks.append((scalar, seen)) }
      if kind != .mark, kind != .space { seen += 1 }
    }
    self.marks = marks
  }

  /// No price is longer.
  static let mostScalars = 512

  // MARK: Numbers

  /// What separates digits, besides spaces and what the notation says.
  private static let separators: Set<Unicode.Scalar> = [
    ".", ",", "'", "\u{2019}", "\u{2018}", "\u{2BC}", "\u{2032}", "\u{FF07}", "`", "\u{B4}", "\u{66B}",
    "\u{66C}",
    "\u{60C}", "\u{B7}", "\u{2E41}", "\u{2D9}", "\u{FF0E}", "\u{FF0C}",
  ]

  /// The numbers of a text: digits, with at most one separator between two of them.
  private static func numbers(
    _ scalars: [Unicode.Scalar],
    _ kinds: [DisplayScalar],
    _ notation: PriceNotation?
  ) -> [Range<Int>] {
    let own = [notation?.group ?? "", notation?.decimal ?? ""].filter { !$0.isEmpty }
    var numbers: [Range<Int>] = []
    var lastDigit = -1
    for index in kinds.indices {
      guard case .digit = kinds[index] else { continue }
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
    // A mark of direction between digits may turn what it separates, unless the locale itself writes it.
    let text = String(String.UnicodeScalarView(between))
    let hasMark = between.contains(where: DisplayScalar.isMark)
    return own.contains { $0 == text || (!hasMark && folded($0) == folded(text)) }
  }

  private static func number(
    _ scalars: [Unicode.Scalar],
    _ kinds: [DisplayScalar],
    _ range: Range<Int>,
    in text: String
  ) throws(DriftError) -> DisplayedNumber {
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
    // The ideographic digits do not follow one another.
    let isIdeographic = scalars[range].contains { (0x3007...0x9FFF).contains($0.value) }
    guard isOneScript || isIdeographic else {
      throw DriftError(
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

  // MARK: Words

  /// What stands on one side of the number.
  private struct Words {
    var seen: [Unicode.Scalar] = []
    var spaces: [String] = []

    init(_ scalars: ArraySlice<Unicode.Scalar>, _ kinds: ArraySlice<DisplayScalar>) {
      var isInSpaces = false
      for (scalar, kind) in zip(scalars, kinds) {
        switch kind {
        case .mark: continue
        case .space:
          if isInSpaces, let last = spaces.indices.last {
            spaces[last].unicodeScalars.append(scalar)
          } else {
            spaces.append(String(scalar))
          }
          isInSpaces = true
        case .digit, .other:
          seen.append(scalar)
          isInSpaces = false
        }
      }
    }
  }
}

/// A symbol, code or name as it is looked up: without spaces and marks, in lower case, every apostrophe one apostrophe,
/// wide forms as narrow ones.
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

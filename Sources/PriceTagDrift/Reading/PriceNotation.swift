import PriceTag

/// The digits and separators that a formatter writes: learned from what it writes.
struct PriceNotation: Sendable {
  /// The digits from 0 to 9; none where a formatter writes others than ten.
  let digits: [Unicode.Scalar]
  /// What stands between groups; empty where none are.
  let group: String
  /// How many digits a group has: the last one, and those before it. 3 where none are written.
  let lastGroupDigitCount: Int
  let otherGroupDigitCount: Int
  /// What stands before a fraction; empty where none is written.
  let decimal: String
  /// Whether the sign of an amount below zero stands behind the number.
  let signTrails: Bool
  /// The names of the currency that have digits of their own: "unité de compte 9 européenne (UEC–9)".
  private let numberedNames: [[Unicode.Scalar]]

  init(_ formatter: PriceFormatter) {
    let price = Self.samples.lazy.compactMap { try? formatter.format($0) }.first
    let parts = price?.parts ?? []
    let integer = parts.filter { $0.type == .integer }.flatMap(\.value.unicodeScalars)
    digits = integer.count == 10 ? integer.reversed() : []
    group = parts.first { $0.type == .group }?.value ?? ""
    let counts = parts.filter { $0.type == .integer }.map(\.value.unicodeScalars.count)
    lastGroupDigitCount = counts.count > 1 ? counts.last ?? 3 : 3
    otherGroupDigitCount = counts.count > 2 ? counts[counts.count - 2] : lastGroupDigitCount
    // Behind the last integer, whatever it is called: the escudo's symbol stands there.
    let last = parts.lastIndex { $0.type == .integer }
    let fraction = parts.firstIndex { $0.type == .fraction }
    if let last, let fraction, last < fraction {
      decimal = parts[(last + 1)..<fraction].map(\.value).joined()
    } else {
      decimal = ""
    }
    let negative = (try? formatter.format("-1"))?.parts ?? []
    let sign = negative.firstIndex { $0.type == .sign }
    signTrails = sign.map { sign in negative[..<sign].contains { $0.type == .integer } } ?? false
    numberedNames = Self.plurals.compactMap { amount -> [Unicode.Scalar]? in
      guard formatter.style.width == .name, let price = try? formatter.format(amount) else { return nil }
      let name = price.parts.filter { $0.type == .symbol }.flatMap(\.value.unicodeScalars)
      return name.contains { $0.properties.numericType == .decimal } ? name : nil
    }
  }

  /// Where a text has such a name.
  func rangesOfNumberedNames(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    numberedNames.flatMap { name in
      scalars.indices.compactMap { start in
        let isThere = scalars[start...].starts(with: name) {
          $0 == $1 || DisplayScalar.isSpace($0) && DisplayScalar.isSpace($1)
        }
        return isThere ? start..<start + name.count : nil
      }
    }
  }

  /// Amounts whose names take each of the plural forms that a language has.
  static let plurals: [Amount] = ["0", "1", "2", "3", "5", "6", "11", "20", "1000000", "1.5", "2.25"]

  /// With a fraction where one can be displayed.
  private static let samples: [Amount] = ["9876543210.5", "9876543210"]
}

/// A scalar of a displayed price, by what it is for.
enum DisplayScalar: Equatable {
  /// It says which way text runs, and is not seen.
  case mark
  /// A space of any kind, also without width.
  case space
  /// A digit of any script, by its value.
  case digit(Int)
  /// Anything else.
  case other

  init(_ scalar: Unicode.Scalar, _ notation: PriceNotation?) {
    switch scalar {
    case "0"..."9": self = .digit(Int(scalar.value) - 0x30)
    case "!"..."~": self = .other
    case _ where Self.isMark(scalar): self = .mark
    case _ where Self.isSpace(scalar): self = .space
    default:
      if let value = notation?.digits.firstIndex(of: scalar) {
        self = .digit(value)
      } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
        self = .digit(Int(value))
      } else {
        self = .other
      }
    }
  }

  /// Apostrophes, and what is typed for one.
  static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "'", "\u{2019}", "\u{2018}", "\u{2BC}", "\u{2032}", "\u{FF07}", "`", "\u{B4}": true
    default: false
    }
  }

  /// The Bidi_Control property of Unicode.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isBidiControl }

  /// White space, and U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER and U+FEFF, which are spaces without width: CLDR's
  /// symbol of the Cape Verde escudo is one.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{200B}" || scalar == "\u{2060}" || scalar == "\u{FEFF}"
  }
}

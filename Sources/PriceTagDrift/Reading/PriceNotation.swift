import PriceTag

/// The digits and separators that a formatter writes: learned from what it writes.
struct PriceNotation: Sendable {
  /// The digits from 0 to 9; none where a formatter writes others than ten.
  let digits: [Unicode.Scalar]
  /// What stands between groups; empty where none are.
  let group: String
  /// What stands before a fraction; empty where none is written.
  let decimal: String

  init(_ formatter: PriceFormatter) {
    let price = Self.samples.lazy.compactMap { try? formatter.format($0) }.first
    let parts = price?.parts ?? []
    let integer = parts.filter { $0.type == .integer }.flatMap(\.value.unicodeScalars)
    digits = integer.count == 10 ? integer.reversed() : []
    group = parts.first { $0.type == .group }?.value ?? ""
    // Behind the last integer, whatever it is called: the escudo's symbol stands there.
    let last = parts.lastIndex { $0.type == .integer }
    let fraction = parts.firstIndex { $0.type == .fraction }
    if let last, let fraction, last < fraction {
      decimal = parts[(last + 1)..<fraction].map(\.value).joined()
    } else {
      decimal = ""
    }
  }

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

  /// The Bidi_Control property of Unicode.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isBidiControl }

  /// White space, and U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER and U+FEFF, which are spaces without width: CLDR's
  /// symbol of the Cape Verde escudo is one.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{200B}" || scalar == "\u{2060}" || scalar == "\u{FEFF}"
  }
}

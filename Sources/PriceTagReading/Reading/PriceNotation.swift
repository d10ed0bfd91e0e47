import PriceTag

/// The digits and separators that a formatter writes, learned from its output.
package struct PriceNotation: Sendable {
  /// The digits from 0 to 9; empty if they could not be learned.
  let digits: [Unicode.Scalar]
  /// The group separator; empty if the formatter does not group digits.
  let group: String
  /// The number of digits in the last group; 3 without groups.
  let lastGroupDigitCount: Int
  /// The number of digits in each group before the last one; 3 without groups.
  let otherGroupDigitCount: Int
  /// The decimal separator; empty if the formatter writes no decimals.
  let decimal: String
  /// Whether the minus sign follows the number.
  let signTrails: Bool
  /// The currency's names that contain digits, such as "unité de compte 9 européenne (UEC–9)", and its code if that does.
  private let namesWithDigits: [[Unicode.Scalar]]

  init(_ formatter: PriceFormatter) {
    let price = Self.samples.lazy.compactMap { try? formatter.format($0) }.first
    let parts = price?.parts ?? []
    let integer = parts.filter { $0.type == .integer }.flatMap(\.value.unicodeScalars)
    digits = integer.count == 10 ? integer.reversed() : []
    group = parts.first { $0.type == .group }?.value ?? ""
    let counts = parts.filter { $0.type == .integer }.map(\.value.unicodeScalars.count)
    lastGroupDigitCount = counts.count > 1 ? counts.last ?? 3 : 3
    otherGroupDigitCount = counts.count > 2 ? counts[counts.count - 2] : lastGroupDigitCount
    // The text between integer and fraction, of any part type: for the Cape Verde escudo it is the symbol.
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
    namesWithDigits = Self.amountsOfAllPlurals.compactMap { amount -> [Unicode.Scalar]? in
      guard formatter.style.width == .name || formatter.currency.kind == .custom,
        let price = try? formatter.format(amount)
      else { return nil }
      let name = price.parts.filter { $0.type == .symbol }.flatMap(\.value.unicodeScalars)
      return name.contains { $0.properties.numericType == .decimal } ? name : nil
    }
  }

  /// Returns where a text contains a currency name with digits.
  func rangesOfNamesWithDigits(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
    namesWithDigits.flatMap { name in
      scalars.indices.compactMap { start in
        let isMatch = scalars[start...].starts(with: name) {
          $0 == $1 || DisplayScalar.isSpace($0) && DisplayScalar.isSpace($1)
        }
        return isMatch ? start..<start + name.count : nil
      }
    }
  }

  /// Amounts that together take every plural category of any language.
  static let amountsOfAllPlurals: [Amount] = [
    "0", "1", "2", "3", "5", "6", "11", "20", "1000000", "1.5", "2.25",
  ]

  /// The amounts to learn from: with a fraction, or without one if the currency displays no decimals.
  private static let samples: [Amount] = ["9876543210.5", "9876543210"]
}

/// A Unicode scalar of a displayed price, classified.
package enum DisplayScalar: Equatable {
  /// An invisible mark that sets the text direction.
  case mark
  /// A space of any kind, including those without width.
  case space
  /// A digit of any script, by its value.
  case digit(Int)
  /// Anything else.
  case other

  package init(_ scalar: Unicode.Scalar, _ notation: PriceNotation?) {
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

  /// Returns whether a scalar is an apostrophe, or is typed instead of one.
  static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "'", "\u{2019}", "\u{2018}", "\u{2BC}", "\u{2032}", "\u{FF07}", "`", "\u{B4}": true
    default: false
    }
  }

  /// Returns whether a scalar has Unicode's Bidi_Control property.
  package static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isBidiControl }

  /// Returns whether a scalar is white space or one of U+200B ZERO WIDTH SPACE, U+2060 WORD JOINER, and U+FEFF. CLDR uses
  /// U+200B as the symbol of the Cape Verde escudo.
  package static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{200B}" || scalar == "\u{2060}" || scalar == "\u{FEFF}"
  }
}

import PriceTagText

/// What one observed text shows about how prices are written.
///
///     let form = ObservedForm("HUF8,990.00", of: "8990", isVerified: true)
///     form?.symbol     // "HUF"
///     form?.position   // .before
///     form?.group      // .text(",")
///     form?.decimal    // .text(".")
struct ObservedForm {
  /// A space, which is of an unknown kind where a source does not have the bytes.
  enum Mark: Hashable {
    case none
    case text(String)
    case unknownSpace

    /// The text. A space whose character is unknown is a no-break space.
    var text: String {
      switch self {
      case .none: ""
      case .text(let text): text
      case .unknownSpace: "\u{A0}"
      }
    }

    /// Returns whether both can be the same character.
    func agrees(with other: Mark) -> Bool {
      switch (self, other) {
      case (.unknownSpace, .text(let text)), (.text(let text), .unknownSpace): Self.isSpace(text)
      default: self == other
      }
    }

    static func isSpace(_ text: String) -> Bool {
      text.unicodeScalars.allSatisfy { $0.properties.generalCategory == .spaceSeparator }
    }
  }

  /// The symbol or code.
  let symbol: String
  /// The place of the symbol.
  let position: PriceLayout.Position
  /// The space beside the symbol.
  let space: Mark
  /// The separator of the fraction; `nil` if the text has no fraction.
  let decimal: Mark?
  /// The number of decimals; `nil` if the text does not show it.
  let digits: Int?
  /// The separator of groups; `nil` if the text has none.
  let group: Mark?
  /// The minimum number of digits in the first group; `nil` if the text does not show it.
  let minimumGrouping: Int?
  /// The number of digits in the groups before the last one; `nil` if the text does not show it.
  let secondaryGroupSize: Int?
  /// Whether a fraction of zeros is hidden; `nil` if the amount has a fraction of other digits.
  let hidesZeroFraction: Bool?

  /// Reads a text; returns `nil` if it is not an amount in digits with a symbol, such as the abbreviation `Rp 75ribu`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - amount: Its amount.
  ///   - isVerified: Whether the kinds of spaces are known.
  init?(_ text: String, of amount: Amount, isVerified: Bool) {
    let scalars = Array(text.unicodeScalars.filter { $0.properties.generalCategory != .format })
    guard let first = scalars.firstIndex(where: Self.isDigit),
      let last = scalars.lastIndex(where: Self.isDigit)
    else { return nil }
    func mark(_ scalars: ArraySlice<Unicode.Scalar>) -> Mark {
      if scalars.isEmpty { return .none }
      let text = String(String.UnicodeScalarView(scalars))
      return !isVerified && text == " " ? .unknownSpace : .text(text)
    }
    let (prefix, suffix) = (scalars[..<first], scalars[(last + 1)...])
    guard prefix.isEmpty != suffix.isEmpty else { return nil }
    position = suffix.isEmpty ? .before : .after
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .spaceSeparator }
    let affix = suffix.isEmpty ? prefix : suffix
    let symbolScalars =
      suffix.isEmpty
      ? affix.prefix { !isSpace($0) }
      : affix.suffix(from: affix.firstIndex { !isSpace($0) } ?? affix.endIndex)
    symbol = String(String.UnicodeScalarView(symbolScalars))
    let gap = suffix.isEmpty ? affix[symbolScalars.endIndex...] : affix[..<symbolScalars.startIndex]
    guard !symbol.isEmpty, gap.count <= 1, gap.allSatisfy(isSpace) else { return nil }
    space = mark(gap)

    // The digits, and the separators with the number of digits before each.
    var allDigits = ""
    var separators: [(place: Int, mark: Mark)] = []
    for index in first...last {
      if Self.isDigit(scalars[index]) {
        allDigits.unicodeScalars.append(scalars[index])
      } else {
        guard separators.last?.place != allDigits.utf8.count else { return nil }
        separators.append((allDigits.utf8.count, mark(scalars[index...index])))
      }
    }
    let written = amount.normalized
    let integer = String(written.coefficient / powerOfTen(written.scale))
    let fraction = String(String(written.coefficient).suffix(written.scale))
    let padded = zeroPadded(fraction, written.scale)
    var groups = separators[...]
    if allDigits == integer, written.scale == 0 {
      (decimal, digits, hidesZeroFraction) = (nil, nil, true)
    } else {
      guard let last = separators.last, allDigits.prefix(last.place) == integer else { return nil }
      let rest = allDigits.dropFirst(last.place)
      guard rest.hasPrefix(padded), rest.dropFirst(padded.utf8.count).allSatisfy({ $0 == "0" }) else {
        return nil
      }
      // One decimal other than 0 could be a shortened price.
      (decimal, digits) = (last.mark, rest.hasSuffix("0") || rest.utf8.count > 1 ? rest.utf8.count : nil)
      hidesZeroFraction = written.scale == 0 ? false : nil
      groups = separators.dropLast()
    }
    let count = integer.utf8.count
    guard groups.allSatisfy({ $0.mark == groups.first?.mark && $0.place < count }),
      groups.isEmpty || groups.last?.place == count - 3
    else { return nil }
    group = groups.first?.mark
    minimumGrouping = count == 4 ? (groups.isEmpty ? 2 : 1) : nil
    guard count < 5 || !groups.isEmpty else { return nil }
    if let last = groups.last, groups.count > 1 {
      secondaryGroupSize = last.place - groups[groups.endIndex - 2].place
    } else {
      // A first group of three digits is not one of two.
      secondaryGroupSize = count == 6 ? 3 : nil
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

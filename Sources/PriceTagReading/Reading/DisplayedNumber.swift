import PriceTag

/// The number of a displayed price: its digits and separators.
struct DisplayedNumber: Equatable {
  /// A separator between two digits.
  struct Separator: Equatable {
    /// The number of digits before it.
    let position: Int
    /// The separator, without direction marks.
    let text: String
  }

  /// The values of all digits, in order.
  let digits: [Int]
  /// The digit zero of the script that the digits belong to.
  let zero: Unicode.Scalar?
  let separators: [Separator]

  /// An interpretation of the separators: the integer, the fraction, and the groups.
  struct Reading: Equatable {
    let integer: [Int]
    let fraction: [Int]
    /// The group boundaries, each as the number of integer digits that follow it.
    let groups: [Int]
    let groupSeparator: String?
    let decimalSeparator: String?

    /// The digits of the integer and the fraction, without leading and trailing zeros.
    var value: [[Int]] {
      [Array(integer.drop { $0 == 0 }), Array(fraction.reversed().drop { $0 == 0 }.reversed())]
    }

    /// Returns the number as decimal text, with the displayed number of decimals.
    func decimalText(isNegative: Bool) -> String {
      let digits = { (values: [Int]) in values.map(String.init).joined() }
      let text = fraction.isEmpty ? digits(integer) : "\(digits(integer)).\(digits(fraction))"
      return isNegative ? "-\(text)" : text
    }
  }

  /// Interprets the number in the notation of a price locale.
  ///
  /// Separators that the notation does not use are interpreted by position: a repeated separator is a group separator. One
  /// that follows separators of another kind is a decimal separator, and so is one that is not followed by exactly three
  /// digits. A space or an apostrophe is never a decimal separator.
  ///
  /// - Returns: `nil` if it is ambiguous: `1,234` in a notation without commas.
  func reading(_ notation: PriceNotation?) -> Reading? {
    func reading(isDecimal: Bool) -> Reading? { self.reading(isDecimal: isDecimal, notation) }
    guard let last = separators.last else { return reading(isDecimal: false) }
    let (group, decimal) = (folded(notation?.group ?? ""), folded(notation?.decimal ?? ""))
    let (text, others) = (folded(last.text), separators.dropLast().map { folded($0.text) })
    if others.contains(text) { return reading(isDecimal: false) }
    if !others.isEmpty { return reading(isDecimal: true) }
    if text == decimal, text != group { return reading(isDecimal: true) }
    if text == " " || text == "'" { return reading(isDecimal: false) }
    let isOfLastGroup = digits.count - last.position == notation?.lastGroupDigitCount
    if digits.count - last.position != 3, text != group || !isOfLastGroup { return reading(isDecimal: true) }
    if text == group { return reading(isDecimal: false) }
    return reading(isDecimal: false) == nil ? reading(isDecimal: true) : nil
  }

  /// Interprets the last separator as a decimal or as a group separator.
  ///
  /// - Returns: `nil` if the groups have sizes that neither the notation nor any usual one has.
  func reading(isDecimal: Bool, _ notation: PriceNotation?) -> Reading? {
    let end = isDecimal ? separators.last?.position ?? digits.count : digits.count
    let groups = isDecimal ? Array(separators.dropLast()) : separators
    guard Set(groups.map { folded($0.text) }).count <= 1 else { return nil }
    // A grouped number does not start with a zero, so the comma of "0,990" is a decimal separator.
    if !groups.isEmpty, digits.first == 0 { return nil }
    var start = 0
    // Groups usually have three digits. In India those before the last one have two, in Toki Pona all do.
    let (lastCount, otherCount) = (notation?.lastGroupDigitCount ?? 3, notation?.otherGroupDigitCount ?? 3)
    for (index, group) in groups.enumerated() {
      let count = group.position - start
      let isUsual = index == 0 ? (1...max(3, otherCount)).contains(count) : (2...3).contains(count)
      guard isUsual || count == otherCount else { return nil }
      start = group.position
    }
    guard groups.isEmpty || [3, lastCount].contains(end - start) else { return nil }
    return Reading(
      integer: Array(digits[..<end]),
      fraction: Array(digits[end...]),
      groups: groups.map { end - $0.position },
      groupSeparator: groups.first?.text,
      decimalSeparator: isDecimal ? separators.last?.text : nil
    )
  }
}

/// Returns a separator in a form for comparison: without direction marks, with one kind of space and of apostrophe, and
/// with fullwidth forms as ASCII.
func folded(_ separator: String) -> String {
  var folded = String.UnicodeScalarView()
  for scalar in separator.unicodeScalars {
    switch scalar {
    case _ where DisplayScalar.isMark(scalar): continue
    case _ where DisplayScalar.isSpace(scalar): folded.append(" ")
    case _ where DisplayScalar.isApostrophe(scalar): folded.append("'")
    case "\u{FF0E}": folded.append(".")
    case "\u{FF0C}": folded.append(",")
    default: folded.append(scalar)
    }
  }
  return String(folded)
}

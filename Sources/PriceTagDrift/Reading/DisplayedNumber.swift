import PriceTag

/// The number of a displayed price: its digits and what stands between them.
struct DisplayedNumber: Equatable {
  /// What stands between two digits.
  struct Separator: Equatable {
    /// How many digits stand before it.
    let position: Int
    /// It, without marks of direction.
    let text: String
  }

  /// The values of all digits, in order.
  let digits: [Int]
  /// The zero of the script that the digits are of; `nil` where they are of several.
  let zero: Unicode.Scalar?
  let separators: [Separator]

  /// The parts of a number once it is known which separator stands before the fraction.
  struct Reading: Equatable {
    let integer: [Int]
    let fraction: [Int]
    /// Where groups end, as numbers of digits before the decimal point.
    let groups: [Int]
    let groupSeparator: String?
    let decimalSeparator: String?

    /// The same value of the same digits, without zeros that change nothing.
    var value: [[Int]] {
      [Array(integer.drop { $0 == 0 }), Array(fraction.reversed().drop { $0 == 0 }.reversed())]
    }

    /// The number as decimal text, with as many decimals as are displayed.
    func decimalText(isNegative: Bool) -> String {
      let digits = { (values: [Int]) in values.map(String.init).joined() }
      let text = fraction.isEmpty ? digits(integer) : "\(digits(integer)).\(digits(fraction))"
      return isNegative ? "-\(text)" : text
    }
  }

  /// The number, as the notation of a price locale has it.
  ///
  /// Where its separators are not the notation's, they are taken for what they alone can be: a separator that repeats
  /// stands between groups, one behind others of another kind before a fraction; so does one that anything but three
  /// digits follow. A space or an apostrophe never stands before a fraction.
  ///
  /// - Returns: `nil` where both can be: `1,234` without a notation that has a comma.
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

  /// The number as one of both readings; `nil` where its groups are neither usual ones nor the notation's.
  func reading(isDecimal: Bool, _ notation: PriceNotation?) -> Reading? {
    let end = isDecimal ? separators.last?.position ?? digits.count : digits.count
    let groups = isDecimal ? Array(separators.dropLast()) : separators
    guard Set(groups.map { folded($0.text) }).count <= 1 else { return nil }
    // No thousands start with a zero: "0,990" is less than one.
    if !groups.isEmpty, digits.first == 0 { return nil }
    var start = 0
    // Groups mostly have three digits; those above the last one have two in India, and all have two in Toki Pona.
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

/// A separator without what changes nothing of its meaning: every space is one space, every apostrophe one apostrophe,
/// and wide forms are narrow ones.
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

/// The formatters of a style whose sign or number of digits depends on the amount.
///
/// Each amount is written by a formatter of a simpler style: with a range of digits by one for the digits that the amount
/// needs, and with a sign except for zero by one with or without a sign. A formatter is compiled when it is first used.
final class FormatterFamily: Sendable {
  private final class Member: Sendable {
    let formatter = SetOnce<PriceFormatter.Compiled>()
  }

  /// What the formatter of amounts other than zero writes, without the range of digits.
  private let specification: FormatterSpecification
  /// The sign of zero; `nil` if it is that of other amounts.
  private let signOfZero: PriceStyle.Sign?
  /// The range of digits; `nil` if all amounts have the same number.
  private let digits: ClosedRange<Int>?
  /// The formatters by number of digits, and after them the one for zero.
  private let members: [Member]

  /// Returns whether a style needs a family, because no single pattern writes all amounts.
  static func isNeeded(for style: PriceStyle) -> Bool {
    if case .range = style.digits { return true }
    return style.sign == .exceptZero || style.sign == .accountingExceptZero
  }

  /// Creates the family of a specification with valid digits.
  init(_ specification: FormatterSpecification) {
    var style = specification.style
    style.width = specification.width
    switch style.sign {
    case .exceptZero: (style.sign, signOfZero) = (.always, .auto)
    case .accountingExceptZero: (style.sign, signOfZero) = (.accountingAlways, .accounting)
    case .auto, .accounting, .always, .never, .accountingAlways, .negative, .accountingNegative:
      signOfZero = nil
    }
    if case .range(let range) = style.digits { digits = range } else { digits = nil }
    var specification = specification
    specification.style = style
    self.specification = specification
    let count = (digits?.count ?? 1) + (signOfZero == nil ? 0 : 1)
    members = (0..<count).map { _ in Member() }
  }

  /// Returns the formatter that writes an amount, and the amount with no more digits than the formatter displays.
  ///
  /// - Parameter displayed: The amount, already rounded to the digits of the family.
  func member(
    for displayed: Amount
  ) throws(PriceTagError) -> (formatter: PriceFormatter.Compiled, amount: Amount) {
    var amount = displayed
    var index = 0
    if let digits {
      var (coefficient, scale) = (amount.coefficient, amount.scale)
      while scale > digits.lowerBound, coefficient.isMultiple(of: 10) {
        coefficient /= 10
        scale -= 1
      }
      amount = Amount(uncheckedCoefficient: coefficient, scale: scale)
      index = min(max(scale, digits.lowerBound), digits.upperBound) - digits.lowerBound
    }
    if signOfZero != nil, amount.isZero { index = members.count - 1 }
    return (try formatter(at: index), amount)
  }

  /// A Boolean value that indicates whether compiled patterns write all amounts. This compiles all formatters.
  var isCompiled: Bool {
    members.indices.allSatisfy { index in (try? formatter(at: index))?.backend.isCompiled == true }
  }

  /// All formatters: by number of digits, and after them the one for zero if zero has another sign. This compiles them.
  func allMembers() throws(PriceTagError) -> (
    digits: ClosedRange<Int>?, hasZero: Bool, formatters: [PriceFormatter.Compiled]
  ) {
    var formatters: [PriceFormatter.Compiled] = []
    for index in members.indices { formatters.append(try formatter(at: index)) }
    return (digits, signOfZero != nil, formatters)
  }

  private func formatter(at index: Int) throws(PriceTagError) -> PriceFormatter.Compiled {
    let member = members[index]
    if let formatter = member.formatter.load() { return formatter }
    var memberSpecification = specification
    let isZero = signOfZero != nil && index == members.count - 1
    if let signOfZero, isZero { memberSpecification.style.sign = signOfZero }
    // Zero needs no digits, so it has the minimum.
    if let digits { memberSpecification.style.digits = .fixed(digits.lowerBound + (isZero ? 0 : index)) }
    let formatter = try PriceFormatter.Compiled(memberSpecification)
    return member.formatter.storeIfNil(formatter)
  }
}

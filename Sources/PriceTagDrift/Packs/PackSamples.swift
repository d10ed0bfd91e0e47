import PriceTag

/// The amounts that show how two formatters differ.
enum PackSamples {
  /// Returns amounts of both signs and many sizes, in each number of digits, the most instructive ones first.
  ///
  /// - Parameters:
  ///   - digits: The numbers of digits after the decimal point.
  ///   - categories: Returns the plural categories of an amount. There is an amount of each combination.
  static func amounts(_ digits: Set<Int>, categories: (Amount) -> [Int?]) -> [Amount] {
    var seen: Set<[Int?]> = []
    var amounts: [Amount] = []
    for digits in digits.sorted(by: >) {
      amounts += integers.compactMap { amount($0, fraction: "5", digits) } + fractions(digits)
    }
    for amount in amounts { seen.insert(categories(amount)) }
    for digits in digits.sorted(by: >) {
      let plurals =
        plurals.compactMap { amount("\($0)", fraction: "0", digits) }
        + decimalPlurals.compactMap { amount("1", fraction: $0, digits) }
      amounts += plurals.filter { seen.insert(categories($0)).inserted }
    }
    return amounts
  }

  /// Integer parts: the first groups of several sizes, and negative ones.
  private static let integers = [
    "1234", "-1234", "1", "0", "4", "-4", "12345", "123456", "1234567", "12345678", "-1234567", "1234567890",
  ]

  /// Returns amounts whose digits differ, such as 4.99.
  private static func fractions(_ digits: Int) -> [Amount] {
    [("4", "99"), ("1234567", "89"), ("0", "01")].compactMap { amount($0, fraction: $1, digits) }
  }

  /// Numbers of every plural category of CLDR.
  private static let plurals =
    Array(0...120) + [200, 201, 202, 205, 211, 1_000, 100_000, 1_000_000, 2_000_000]
  /// Fractions of every plural category.
  private static let decimalPlurals = (0...30).map { "\($0 / 10)\($0 % 10)" }

  /// Returns an amount with a fraction, filled with zeros; `nil` if it has more digits.
  private static func amount(_ integer: String, fraction: String, _ digits: Int) -> Amount? {
    if digits == 0 { return try? Amount(decimal: integer) }
    let fraction = fraction.prefix(digits)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return try? Amount(decimal: "\(integer).\(fraction)\(zeros)")
  }
}

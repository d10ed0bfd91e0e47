/// The rules for amounts, on decimal text. They share no code with the library, which is compared with them.
enum AmountRules {
  /// A decimal number as digits: -12.5 is `12` and `5`, without zeros at the start and the end.
  struct Number: Equatable {
    var isNegative: Bool
    var integer: [UInt8]
    var fraction: [UInt8]

    /// Returns whether the number is a multiple of a step at a number of digits.
    func isMultiple(of step: Int, digits: Int) -> Bool {
      guard fraction.count <= digits else { return false }
      guard step > 1 else { return true }
      let padded = integer + fraction + Array(repeating: 0x30, count: digits - fraction.count)
      return padded.reduce(0) { ($0 * 10 + Int($1 - 0x30)) % step } == 0
    }
  }

  /// Returns the number that a text means, or the code of its error.
  static func read(_ text: String) -> Result<Number, VectorError> {
    let utf8 = Array(text.utf8)
    if utf8.count > 64 {
      // Only the characters at the start are read.
      let isNumeric = utf8.prefix(65).allSatisfy { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
      return .failure(isNumeric ? .amountOutOfRange : .malformedAmount)
    }
    let sign = utf8.first.flatMap { $0 == 0x2B || $0 == 0x2D ? $0 : nil }
    let parts = utf8.dropFirst(sign == nil ? 0 : 1).split(
      separator: 0x2E,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return .failure(.malformedAmount)
    }
    let integer = Array(parts[0].drop { $0 == 0x30 })
    let fraction = parts.count == 1 ? [] : Array(parts[1].reversed().drop { $0 == 0x30 }.reversed())
    let number = Number(
      isNegative: sign == 0x2D && !(integer.isEmpty && fraction.isEmpty),
      integer: integer,
      fraction: fraction
    )
    let digits = Array((integer + fraction).drop { $0 == 0x30 })
    let limit = Array((number.isNegative ? "9223372036854775808" : "9223372036854775807").utf8)
    let isInRange =
      digits.count < limit.count
      || (digits.count == limit.count && !limit.lexicographicallyPrecedes(digits))
    return isInRange && fraction.count <= 18 ? .success(number) : .failure(.amountOutOfRange)
  }
}

/// The code of an error, as the C interface names it.
enum VectorError: String, Error {
  case malformedAmount = "malformed-amount"
  case amountOutOfRange = "amount-out-of-range"
  case needsRounding = "needs-rounding"
  case unknownStorefront = "unknown-storefront"
  case unknownLocale = "unknown-locale"
  case unknownCurrency = "unknown-currency"
  case missingStyle = "missing-style"
  case missingFormatter = "missing-formatter"
  case missingDate = "missing-date"
}

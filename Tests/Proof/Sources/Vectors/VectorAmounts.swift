import PriceTag
import ProofSupport

/// The amounts of vectors: usual prices, ties, limits, and text that is not an amount.
enum VectorAmounts {
  /// An amount as a program gives it to a formatter.
  enum Input {
    case text(String)
    case units(Int64, exponent: Int32)
  }

  /// Text that is not an amount, or hardly one.
  static let hostileTexts: [String] = {
    let ones = String(repeating: "1", count: 63)
    let zeros = String(repeating: "0", count: 62)
    return [
      "", " ", "-", "+", ".", "-.5", ".5", "5.", "-5.", "1..2", "1.2.3", "--1", "+-1", "-+1", "1-", " 1",
      "1 ",
      "1\t", "1\n", "\r1", "\u{FEFF}1", "1,000", "1,5", "1_000", "1'000", "1 000", "1\u{A0}000",
      "1\u{202F}000",
      "1e3", "1E5", "1e-3", "1e", "1e999999999", "-1e-999999999", "0x10", "0b1", "0o7", "1.5f", "5L", "NaN",
      "nan", "-NaN", "Infinity", "inf", "-inf", "null", "true", "undefined", "\"5\"", "\\5", "\\", "\\t",
      "$5",
      "5\u{20AC}", "1/2", "\u{BD}", "\u{B2}", "\u{663}", "\u{661}\u{662}\u{66B}\u{665}", "\u{967}\u{968}",
      "\u{FF11}\u{FF12}", "1\u{66B}5", "1\u{FF0E}5", "\u{2212}5", "\u{FE63}5", "\u{1D7D3}", "\u{1F642}",
      "1\u{301}", "5\u{200B}", "\u{200F}5", "\u{202E}5", "1\u{0}", "\u{0}1", "1\u{0}2", "1.\u{0}5", "\u{0}",
      ones, ones + "1", ones + "11", ones + "1x", ones + "11x", ones + "\u{E9}", ones + "1\u{E9}",
      ones + "11\u{E9}",
      String(repeating: "1", count: 1000), String(repeating: "x", count: 200),
      String(repeating: "-", count: 100),
      "0" + zeros + "1", "00" + zeros + "1", "1." + zeros, "1.0" + zeros, "1." + zeros.dropFirst() + "1",
      String(repeating: "\u{664}", count: 70), "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "9223372036854775807.0", "99999999999999999999",
      "0.9223372036854775807", "0.922337203685477580", "0.000000000000000001", "-0.000000000000000001",
      "0.0000000000000000001", "0.0000000000000000000", "1.1000000000000000000000", "999999999999999999",
      "-999999999999999999", "999999999999999999.9", "99999999999999999.99", "92233720368547758.07",
      "92233720368547758.08", "-92233720368547758.08", "9.99999999999999999", "9.999999999999999999",
      "1.123456789012345678",
      "10.123456789012345678",
    ]
  }()

  /// Forms of small amounts.
  private static let forms = [
    "0", "-0", "+0", "-0.00", "00", "007", "0005.50", "+5", "1.50", "1.500", "1.0000", "-1.0", "0.01",
    "-0.01",
    "0.001", "1000", "9999", "10000", "100000.00", "1234567.89", "-1234567.8", "999999999999.99", "21", "1.1",
    "2.20", "100", "101", "0.5", "-0.5", "1.5", "2.5", "0.25", "0.35", "0.125", "-0.125", "0.0005", "4.975",
    "4.985", "24.9999", "24.5", "0.25001", "0.024999", "-0.004", "-0.0049999", "0.995", "9.995", "999.995",
    "-999.995",
  ]

  private static let exponents: [Int32] = [-1, 19, 20, 255, 1000, .max, .min]

  /// Returns a random amount for a formatter that displays a number of digits.
  static func next(digits: Int, using numbers: inout SeededNumbers) -> Input {
    switch numbers.number(0...19) {
    case 0, 1: return .text(numbers.pick(hostileTexts))
    case 2, 3, 4: return .text(numbers.pick(forms))
    case 5, 6:
      // A tie, or a number close to one.
      let integer = coefficient(maximumBits: 40, using: &numbers)
      let fraction = String((0..<digits).map { _ in numbers.pick(Array("0123456789")) })
      let rest = numbers.pick(["5", "50", "5000001", "4999999", "49", "51", "0001", "9999"])
      let sign = numbers.isOne(in: 3) ? "-" : ""
      return .text("\(sign)\(integer.magnitude).\(fraction)\(rest)")
    case 7: return .text(text(coefficient(maximumBits: 63, using: &numbers), numbers.number(0...18)))
    case 8, 9: return .units(coefficient(maximumBits: 40, using: &numbers), exponent: Int32(digits))
    case 10: return .units(coefficient(maximumBits: 50, using: &numbers), exponent: 6)
    case 11:
      return .units(coefficient(maximumBits: 63, using: &numbers), exponent: Int32(numbers.number(0...18)))
    case 12:
      let limits: [Int64] = [.max, .min, .max - 1, .min + 1, 0, -1, 1]
      return .units(
        numbers.pick(limits),
        exponent: numbers.isOne(in: 3) ? numbers.pick(exponents) : Int32(digits)
      )
    default:
      let scale = numbers.isOne(in: 4) ? 0 : digits
      return .text(text(coefficient(maximumBits: numbers.isOne(in: 4) ? 62 : 30, using: &numbers), scale))
    }
  }

  /// Returns a number with a random number of bits, so that small numbers are as frequent as large ones.
  private static func coefficient(maximumBits: Int, using numbers: inout SeededNumbers) -> Int64 {
    let bits = numbers.number(1...maximumBits)
    let value = Int64(bitPattern: numbers.next() >> UInt64(64 - bits))
    return numbers.isOne(in: 4) ? 0 &- value : value
  }

  private static func text(_ coefficient: Int64, _ scale: Int) -> String {
    let digits = String(coefficient.magnitude)
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
    let fraction = padded.suffix(scale)
    return (coefficient < 0 ? "-" : "") + padded.dropLast(scale) + (scale > 0 ? "." + fraction : "")
  }
}

import Foundation
import PriceTag
import SeededNumbers
import Testing

/// The expected result of a call: a value, or the code of an error.
enum Expected<Value: Equatable & Sendable>: Equatable, Sendable {
  case value(Value)
  case error(PriceTagError.Code)

  init(_ work: () throws(PriceTagError) -> Value) {
    do throws(PriceTagError) { self = .value(try work()) } catch { self = .error(error.code) }
  }
}

@Suite struct AmountTests {
  @Test(
    arguments: [
      ("0", .value("0")),
      ("4.99", .value("4.99")),
      ("+4.99", .value("4.99")),
      ("-4.99", .value("-4.99")),
      ("-0", .value("0")),
      ("-0.00", .value("0.00")),
      ("007.50", .value("7.50")),
      ("4.90", .value("4.90")),
      ("0.000000000000000001", .value("0.000000000000000001")),
      ("999999999999999999", .value("999999999999999999")),
      ("9223372036854775807", .value("9223372036854775807")),
      ("-9223372036854775807", .value("-9223372036854775807")),
      ("-9223372036854775808", .value("-9223372036854775808")),
      ("9223372036854775808", .error(.amountOutOfRange)),
      ("-9223372036854775809", .error(.amountOutOfRange)),
      ("5.00000000000000000000000", .value("5.000000000000000000")),
      ("12345678901234567.000", .value("12345678901234567.00")),
      ("0.0000000000000000001", .error(.amountOutOfRange)),
      ("1234567890123456789.5", .error(.amountOutOfRange)),
      ("", .error(.malformedAmount)),
      ("-", .error(.malformedAmount)),
      ("+-1", .error(.malformedAmount)),
      (".5", .error(.malformedAmount)),
      ("5.", .error(.malformedAmount)),
      ("1.2.3", .error(.malformedAmount)),
      ("1,234.5", .error(.malformedAmount)),
      ("1e999999999", .error(.malformedAmount)),
      ("1E3", .error(.malformedAmount)),
      ("NaN", .error(.malformedAmount)),
      ("Infinity", .error(.malformedAmount)),
      ("0x10", .error(.malformedAmount)),
      (" 1", .error(.malformedAmount)),
      ("1 ", .error(.malformedAmount)),
      ("1\u{0}", .error(.malformedAmount)),
      ("\u{661}\u{662}", .error(.malformedAmount)),
      ("\u{FF11}", .error(.malformedAmount)),
      ("1\u{301}", .error(.malformedAmount)),
      ("\u{2212}5", .error(.malformedAmount)),
      ("$5", .error(.malformedAmount)),
    ] as [(String, Expected<String>)]
  )
  func readsDecimalText(text: String, expected: Expected<String>) {
    #expect(Expected { () throws(PriceTagError) in try Amount(decimal: text).description } == expected)
  }

  @Test(
    arguments: [("9", .amountOutOfRange), ("e\u{301}", .malformedAmount)] as [(String, PriceTagError.Code)]
  )
  func rejectsMillionCharactersWithShortError(character: String, code: PriceTagError.Code) throws {
    let text = String(repeating: character, count: 1_000_000)
    let error = try #require(throws: PriceTagError.self) { try Amount(decimal: text) }
    #expect(error.code == code)
    #expect(error.description.utf8.count < 300)
  }

  @Test(
    arguments: [
      (499, 2, .value("4.99")), (1200, 0, .value("1200")), (1234, 3, .value("1.234")),
      (-5, 2, .value("-0.05")),
      (Int64.max, 18, .value("9.223372036854775807")), (Int64.min, 0, .value("-9223372036854775808")),
      (1, 19, .error(.invalidOption)), (1, -1, .error(.invalidOption)),
    ] as [(Int64, Int, Expected<String>)]
  )
  func createsAmountFromMinorUnits(units: Int64, exponent: Int, expected: Expected<String>) {
    #expect(
      Expected { () throws(PriceTagError) in try Amount(minorUnits: units, exponent: exponent).description }
        == expected
    )
  }

  @Test func createsAmountFromMicros() {
    #expect(Amount(micros: 4_990_000) == "4.99")
    #expect(Amount(micros: 1).description == "0.000001")
  }

  /// The examples of google.type.Money: -1.75 is units -1 and nanos -750,000,000.
  @Test(
    arguments: [
      (1, 750_000_000, .value("1.75")), (-1, -750_000_000, .value("-1.75")), (0, 1, .value("0.000000001")),
      (5, 0, .value("5")), (0, -5, .value("-0.000000005")),
      (1, -1, .error(.malformedAmount)), (-1, 1, .error(.malformedAmount)),
      (0, 1_000_000_000, .error(.malformedAmount)), (0, .min, .error(.malformedAmount)),
      (.max, 1, .error(.amountOutOfRange)), (.max, 0, .value("9223372036854775807")),
    ] as [(Int64, Int32, Expected<String>)]
  )
  func createsAmountFromUnitsAndNanos(units: Int64, nanos: Int32, expected: Expected<String>) {
    #expect(
      Expected { () throws(PriceTagError) in try Amount(units: units, nanos: nanos).description } == expected
    )
  }

  @Test(
    arguments: [
      ("4.99", .value("4.99")), ("-1234567.125", .value("-1234567.125")), ("1e3", .value("1000")),
      ("1e-18", .value("0.000000000000000001")), ("NaN", .error(.malformedAmount)),
      ("1e100", .error(.amountOutOfRange)), ("1e-19", .error(.amountOutOfRange)),
      ("12345678901234567890123456789", .error(.amountOutOfRange)),
    ] as [(String, Expected<String>)]
  )
  func createsAmountFromFoundationDecimal(text: String, expected: Expected<String>) {
    let decimal = Decimal(string: text) ?? .nan
    #expect(Expected { () throws(PriceTagError) in try Amount(decimal).description } == expected)
  }

  /// Values that programs hold, other than amounts.
  static let values: [(value: any AmountConvertible & Sendable, expected: Expected<String>)] = [
    ("4.99", .value("4.99")), ("-0.50"[...], .value("-0.50")), ("a,4.99".dropFirst(2), .value("4.99")),
    ("4,99", .error(.malformedAmount)), ("", .error(.malformedAmount)), ("1e3", .error(.malformedAmount)),
    (1200, .value("1200")), (-5, .value("-5")), (Int8.min, .value("-128")), (UInt16.max, .value("65535")),
    (Int32(7), .value("7")), (Int64.min, .value("-9223372036854775808")),
    (Int64.max, .value("9223372036854775807")), (UInt64.max, .error(.amountOutOfRange)),
    (Decimal(5), .value("5")), (Decimal.nan, .error(.malformedAmount)),
  ]

  @Test(arguments: values.indices)
  func createsAmountFromValue(index: Int) {
    let (value, expected) = Self.values[index]
    #expect(Expected { () throws(PriceTagError) in try Amount(value).description } == expected)
  }

  @Test func createsAmountFromLiteral() {
    let integer: Amount = 5
    let cents: Amount = "4.99"
    #expect(integer.description == "5")
    #expect(cents.description == "4.99")
  }

  @Test(
    arguments: [
      ("1.5", "1.50", 0), ("0", "-0.000", 0), ("1.49", "1.5", -1), ("-1", "1", -1), ("-1.5", "-1.49", -1),
      ("9223372036854775807", "0.000000000000000001", 1),
      ("-9223372036854775807", "9.223372036854775807", -1),
      ("9223372036854775807", "9223372036854775806", 1), ("100", "99.999999999999999", 1),
    ] as [(String, String, Int)]
  )
  func comparesAmounts(first: String, second: String, order: Int) throws {
    let (first, second) = (try Amount(decimal: first), try Amount(decimal: second))
    #expect((first < second) == (order < 0))
    #expect((first > second) == (order > 0))
    #expect((first == second) == (order == 0))
    if order == 0 { #expect(first.hashValue == second.hashValue) }
  }

  @Test(
    arguments: [
      ("4.99", "0.01", .value("5.00")), ("0.1", "0.2", .value("0.3")), ("1", "-1.00", .value("0.00")),
      ("9223372036854775807", "1", .error(.amountOutOfRange)),
      ("5.000000000000000000", "10", .value("15.00000000000000000")),
      ("1000000000000000000", "0.01", .error(.amountOutOfRange)),
    ] as [(String, String, Expected<String>)]
  )
  func addsAndSubtracts(first: String, second: String, expected: Expected<String>) throws {
    let (first, second) = (try Amount(decimal: first), try Amount(decimal: second))
    #expect(Expected { () throws(PriceTagError) in try (first + second).description } == expected)
    #expect(Expected { () throws(PriceTagError) in try (first - second.negated()).description } == expected)
  }

  @Test(
    arguments: [
      ("4.99", 12, .value("59.88")), ("4.99", 0, .value("0.00")), ("-0.5", 3, .value("-1.5")),
      ("4.99", .max, .error(.amountOutOfRange)),
      ("9223372036854775807", 2, .error(.amountOutOfRange)),
      ("0.5000", 4_000_000_000_000_000, .value("2000000000000000.000")),
    ] as [(String, Int, Expected<String>)]
  )
  func multiplies(amount: String, factor: Int, expected: Expected<String>) throws {
    let amount = try Amount(decimal: amount)
    #expect(Expected { () throws(PriceTagError) in try (amount * factor).description } == expected)
  }

  @Test(
    arguments: [
      ("362.98", "2.5", .value("907.45")), ("0.99", "2.5", .value("2.475")), ("4.99", "2.0", .value("9.98")),
      ("5", "-0.25", .value("-1.25")), ("4.90", "1", .value("4.90")), ("0.00", "1.5", .value("0.00")),
      ("0.000000001", "0.0000000001", .error(.amountOutOfRange)),
      ("9223372036854775807", "9223372036854775807", .error(.amountOutOfRange)),
    ] as [(String, String, Expected<String>)]
  )
  func multipliesDecimals(amount: String, factor: String, expected: Expected<String>) throws {
    let (amount, factor) = (try Amount(decimal: amount), try Amount(decimal: factor))
    #expect(
      Expected { () throws(PriceTagError) in try amount.multiplied(by: factor).description } == expected
    )
  }

  /// All modes below, at and above a tie, and for negative amounts. `!` is an error.
  @Test(
    arguments: [
      ("0.124", ["!", "0.12", "0.12", "0.12", "0.13", "0.12", "0.13", "0.12"]),
      ("0.125", ["!", "0.12", "0.13", "0.12", "0.13", "0.12", "0.13", "0.12"]),
      ("0.135", ["!", "0.14", "0.14", "0.13", "0.14", "0.13", "0.14", "0.13"]),
      ("0.126", ["!", "0.13", "0.13", "0.13", "0.13", "0.12", "0.13", "0.12"]),
      ("-0.125", ["!", "-0.12", "-0.13", "-0.12", "-0.13", "-0.12", "-0.12", "-0.13"]),
      ("-0.001", ["!", "0.00", "0.00", "0.00", "-0.01", "0.00", "0.00", "-0.01"]),
      ("0.12", ["0.12", "0.12", "0.12", "0.12", "0.12", "0.12", "0.12", "0.12"]),
      ("0.1200", ["0.12", "0.12", "0.12", "0.12", "0.12", "0.12", "0.12", "0.12"]),
      ("0.1", ["0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1"]),
      ("9.9951", ["!", "10.00", "10.00", "10.00", "10.00", "9.99", "10.00", "9.99"]),
    ] as [(String, [String])]
  )
  func roundsInEveryMode(amount: String, expected: [String]) throws {
    let amount = try Amount(decimal: amount)
    for (mode, expected) in zip(RoundingMode.allCases, expected) {
      let rounded = Expected { () throws(PriceTagError) in try amount.rounded(toDigits: 2, mode).description }
      #expect(
        rounded == (expected == "!" ? .error(.needsRounding) : .value(expected)),
        "\(amount) \(mode)"
      )
    }
  }

  @Test(
    arguments: [
      ("4.97", 2, 5, .halfEven, .value("4.95")), ("4.98", 2, 5, .halfEven, .value("5.00")),
      ("4.975", 2, 5, .halfUp, .value("5.00")), ("4.95", 2, 5, .exact, .value("4.95")),
      ("4.96", 2, 5, .exact, .error(.needsRounding)), ("7", 0, 5, .down, .value("5")),
      ("1", 19, 1, .down, .error(.invalidOption)), ("1.5", -1, 1, .down, .error(.invalidOption)),
      ("1", 2, 0, .down, .error(.invalidOption)),
      ("922337203685477580.7", 2, 5, .down, .value("922337203685477580.7")),
    ] as [(String, Int, Int, RoundingMode, Expected<String>)]
  )
  func roundsToSteps(amount: String, digits: Int, step: Int, mode: RoundingMode, expected: Expected<String>)
    throws
  {
    let amount = try Amount(decimal: amount)
    let rounded = Expected { () throws(PriceTagError) in
      try amount.rounded(toDigits: digits, step: step, mode).description
    }
    #expect(rounded == expected)
  }

  @Test(
    arguments: [
      ("10.00", [1, 1, 1], ["3.34", "3.33", "3.33"]), ("-10.00", [1, 1, 1], ["-3.34", "-3.33", "-3.33"]),
      ("0.05", [3, 7], ["0.02", "0.03"]), ("0.01", [1, 1], ["0.01", "0.00"]),
      ("5", [0, 1], ["0.00", "5.00"]),
      ("100.00", [50, 25, 25], ["50.00", "25.00", "25.00"]), ("0.02", [1, 1, 1], ["0.01", "0.01", "0.00"]),
    ] as [(String, [Int], [String])]
  )
  func allocatesByWeight(amount: String, weights: [Int], expected: [String]) throws {
    #expect(try Amount(decimal: amount).allocated(by: weights, digits: 2).map(\.description) == expected)
  }

  @Test func rejectsInvalidAllocation() throws {
    let amount: Amount = "10.001"
    #expect(throws: PriceTagError.self) { try amount.allocated(over: 3, digits: 2) }
    for weights in [[], [0], [-1, 2]] as [[Int]] {
      #expect(throws: PriceTagError.self) { try Amount.zero.allocated(by: weights, digits: 2) }
    }
    #expect(throws: PriceTagError.self) { try Amount.zero.allocated(over: 0, digits: 2) }
  }

  @Test func encodesAsDecimalText() throws {
    let amounts: [Amount] = ["4.90", "-1234.5"]
    let data = try JSONEncoder().encode(amounts)
    #expect(String(decoding: data, as: UTF8.self) == #"["4.90","-1234.5"]"#)
    #expect(try JSONDecoder().decode([Amount].self, from: data).map(\.description) == ["4.90", "-1234.5"])
  }

  static let notText =
    #"the value is not text; write decimal text, such as "4.99", because a decoder may not read a number exactly"#

  /// What an amount in JSON is instead of decimal text, and the reason in the decoding error.
  @Test(arguments: [
    ("4.9", notText), ("1200", notText), ("true", notText), ("[]", notText),
    (
      #""1e3""#,
      #""1e3" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
    ),
  ])
  func decodesOnlyDecimalText(json: String, reason: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Amount].self, from: Data("[\(json)]".utf8))
    }
    switch error {
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      #expect(context.debugDescription == reason && context.codingPath.first?.intValue == 0)
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test func errorEscapesInvisibleCharacters() throws {
    let error = try #require(throws: PriceTagError.self) { try Amount(decimal: "1\u{202E}2\u{A0}\n") }
    #expect(error.problem == #""1\u{202E}2\u{A0}\u{A}" is not a decimal amount"#)
  }
}

/// Properties of all amounts, tested with random amounts of every size and scale from a fixed seed.
@Suite struct AmountProperties {
  private static func amounts(_ count: Int) -> [Amount] {
    var random = SeededNumbers(seed: 42)
    return (0..<count).map { _ in
      let digits = Int.random(in: 1...18, using: &random)
      let bound = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
      return
        (try? Amount(
          minorUnits: .random(in: -bound + 1..<bound, using: &random),
          exponent: .random(in: 0...18, using: &random)
        ))
        ?? .zero
    }
  }

  @Test func readsItsOwnText() throws {
    for amount in Self.amounts(20_000) {
      let again = try Amount(decimal: amount.description)
      #expect(again == amount && again.scale == amount.scale && again.coefficient == amount.coefficient)
      #expect(try Amount(Decimal(string: amount.description) ?? .nan) == amount)
    }
  }

  @Test func comparesLikeDecimal() throws {
    let amounts = Self.amounts(2_000)
    for (first, second) in zip(amounts, amounts.dropFirst()) {
      let (a, b) = (
        try #require(Decimal(string: first.description)), try #require(Decimal(string: second.description))
      )
      #expect((first < second) == (a < b) && (first == second) == (a == b))
      #expect(first.normalized == first && first.normalized.hashValue == first.hashValue)
    }
  }

  @Test func addsExactly() throws {
    let amounts = Self.amounts(4_000)
    var sums = 0
    for (first, second) in zip(amounts, amounts.dropFirst()) {
      guard let sum = try? first + second else { continue }
      sums += 1
      #expect(try sum - second == first)
    }
    #expect(sums > 1_000)
  }

  @Test func allocatedPartsAddUp() throws {
    var random = SeededNumbers(seed: 7)
    for amount in Self.amounts(3_000) {
      let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        Int.random(in: 0...1_000_000, using: &random)
      }
      guard weights.contains(where: { $0 > 0 }) else { continue }
      let parts = try amount.allocated(by: weights, digits: amount.scale)
      #expect(try parts.reduce(Amount.zero) { try $0 + $1 } == amount)
      #expect(zip(parts, weights).allSatisfy { $0.isZero || $1 > 0 })
    }
  }

  @Test func roundsByLessThanOneStep() throws {
    for amount in Self.amounts(4_000) {
      for mode in RoundingMode.allCases where mode != .exact {
        guard let rounded = try? amount.rounded(toDigits: 2, mode) else { continue }
        #expect(rounded.scale <= max(2, 0))
        let distance = try rounded - amount
        #expect(distance < "0.01" && distance > "-0.01")
        if mode == .floor { #expect(rounded <= amount) }
        if mode == .ceiling { #expect(rounded >= amount) }
      }
    }
  }
}

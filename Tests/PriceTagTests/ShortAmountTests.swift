import PriceTag
import SeededNumbers
import Testing

/// The text of short amounts is read eight bytes at once. Zeros before it make it longer, but do not change its value.
@Suite struct ShortAmountTests {
  /// Digits, the decimal point, the characters beside them in ASCII, signs, and bytes with a high bit.
  private static let characters = Array("0123456789012345678900..../:;,-+ eN\u{0}\u{7F}é٣")

  @Test func readsShortTextLikeLongText() {
    var numbers = SeededNumbers(seed: 1)
    var amounts = 0
    var differences: [String] = []
    for _ in 0..<50_000 {
      let text = String((0..<numbers.number(1...9)).map { _ in numbers.pick(Self.characters) })
      let short = try? Amount(decimal: text)
      if short != nil { amounts += 1 }
      if let first = text.first, "0"..."9" ~= first {
        let long = try? Amount(decimal: "000000000" + text)
        if short?.coefficient != long?.coefficient || short?.scale != long?.scale { differences.append(text) }
      } else if text.first != "-", text.first != "+", short != nil {
        // Only a sign may come before the first digit.
        differences.append(text)
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(10).map(\.debugDescription))")
    #expect(amounts > 5_000)
  }

  @Test func readsEachDigitAtEachPlace() throws {
    for length in 4...8 {
      for place in 0..<length {
        for digit in 0...9 {
          var digits = Array(repeating: "0", count: length)
          digits[place] = "\(digit)"
          let power = (place + 1..<length).reduce(Int64(1)) { power, _ in power * 10 }
          let integer = try Amount(decimal: digits.joined())
          #expect(integer.coefficient == Int64(digit) * power && integer.scale == 0)
          // The same digits with a point at each place between two of them.
          for point in 1..<length {
            let text = digits[..<point].joined() + "." + digits[point...].joined()
            let amount = try Amount(decimal: text)
            #expect(amount.coefficient == Int64(digit) * power && amount.scale == length - point, "\(text)")
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ".123", "123.", "1..2", "1.2.", "1.2.3", "....", "12/4", "12:4", "1,23", "12 4", "1e23", "0x12", "-.12",
      "12\u{0}4",
      "٣٣", "1\u{E9}2", "１２", "/234567:", "1234567.", ".1234567", "\u{80}123",
    ]
  )
  func rejectsShortText(text: String) {
    #expect(throws: PriceTagError.self) { try Amount(decimal: text) }
  }
}

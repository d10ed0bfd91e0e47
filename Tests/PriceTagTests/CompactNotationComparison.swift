import ICUReference
import PriceTag
import SeededNumbers
import Testing

/// Compares compact notation with ICU's formatter, which is given the same options as a number skeleton.
@Suite struct CompactNotationComparison {
  /// Locales with different patterns, magnitudes, plural rules, digits, groups and directions.
  static let places: [(locale: String, currency: String)] = [
    ("en-US", "USD"), ("de-DE", "EUR"), ("de-CH", "CHF"), ("es-ES", "EUR"), ("fr-FR", "EUR"),
    ("it-IT", "EUR"), ("pt-BR", "BRL"), ("pt-CV", "CVE"), ("ja-JP", "JPY"), ("ko-KR", "KRW"),
    ("zh-CN", "CNY"), ("en-IN", "INR"), ("hi-IN", "INR"), ("ar-EG", "EGP"), ("fa-IR", "IRR"),
    ("he-IL", "ILS"), ("pl-PL", "PLN"), ("ru-RU", "RUB"), ("sl-SI", "EUR"), ("lt-LT", "EUR"),
    ("my-MM", "MMK"), ("br-FR", "EUR"), ("gu-IN", "INR"), ("ee-GH", "GHS"), ("en-150", "USD"),
  ]

  /// Places with few and with many plural categories, for tests of many formatters.
  static let fewPlaces: [(locale: String, currency: String)] = [
    ("en-US", "USD"), ("es-ES", "EUR"), ("ja-JP", "JPY"), ("hi-IN", "INR"), ("ar-EG", "EGP"),
    ("pl-PL", "PLN"),
  ]

  static let notations: [PriceStyle.Notation] = [.compactShort, .compactLong]

  /// Integers of one to three digits, of which most are tried in each combination of last digits.
  static let mantissas: [Int64] =
    Array(1...112) + Array(stride(from: 120, through: 999, by: 37)) + [995, 999]

  private static func amount(_ mantissa: Int64, _ zeros: Int) -> Amount? {
    var coefficient = mantissa
    for _ in 0..<zeros {
      let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      coefficient = product
    }
    return try? Amount(minorUnits: coefficient, exponent: 0)
  }

  /// Mantissas at every magnitude, rounded half-even.
  @Test(arguments: places)
  func writesSameBytesAtEveryMagnitude(locale: String, currency: String) throws {
    let comparison = try Comparison(locale, currency)
    for notation in Self.notations {
      for width in [PriceStyle.Width.standard, .name] {
        let style = PriceStyle(width: width, rounding: .halfEven, notation: notation)
        try comparison.compare(style) { check in
          for zeros in 0...16 {
            for mantissa in Self.mantissas {
              if let amount = Self.amount(mantissa, zeros) { check(amount) }
            }
          }
        }
      }
    }
    comparison.expectNoMismatches()
  }

  static let varied: [PriceStyle] = {
    var styles: [PriceStyle] = []
    for notation in notations {
      for width in PriceStyle.Width.allCases { styles.append(PriceStyle(width: width, notation: notation)) }
      for sign in PriceStyle.Sign.allCases { styles.append(PriceStyle(sign: sign, notation: notation)) }
      for grouping in PriceStyle.Grouping.allCases {
        styles.append(PriceStyle(grouping: grouping, notation: notation))
      }
      for digits in [0...0, 1...1, 2...2, 3...3, 0...2, 1...2, 0...18, 18...18] as [ClosedRange<Int>] {
        for zeros in PriceStyle.Zeros.allCases {
          styles.append(PriceStyle(zeros: zeros, digits: .range(digits), notation: notation))
        }
        styles.append(PriceStyle(width: .name, digits: .range(digits), notation: notation))
      }
      for numbering in ["latn", "arab", "deva", "hanidec", "mathsanb"] {
        styles.append(PriceStyle(sign: .accounting, numberingSystem: numbering, notation: notation))
      }
    }
    for index in styles.indices { styles[index].rounding = .halfUp }
    return styles
  }()

  static let amounts: [Amount] = [
    "0", "0.00", "0.001", "0.0125", "0.5", "-0.05", "0.995", "0.9995", "1", "1.00", "1.25", "-1.5", "2",
    "5.55",
    "9.95", "9.96", "12.5", "99.95", "100", "123.456", "994.5", "995", "999.4", "999.5", "-999.5", "1000",
    "1001", "1049.99", "1050", "1150", "1200", "-1234.5", "1999", "2000", "9949", "9950", "9999", "10000",
    "11000",
    "12345.678", "99499", "99500", "100000", "123456", "950000", "999499", "999500", "999950", "-999950",
    "1000000", "1000001", "1100000", "2000000", "5000000", "9950000", "21000000", "100000000", "999500000",
    "1000000000", "1500000000", "999950000000", "1000000000000", "2000000000000", "-3100000000000",
    "999999999999999", "1000000000000000", "1234567890123456", "99999999999999999", "123456789012345678",
    "-999999999999999999", "1000000000000000000", "9000000000000000000", "0.000000000000000001",
    "0.123456789012345678", "123456.789012345678",
  ]

  /// Each place has an eighth of the styles, so that each style is compared in several places.
  @Test(arguments: places.indices)
  func writesSameBytesInEveryStyle(place: Int) throws {
    let comparison = try Comparison(Self.places[place].locale, Self.places[place].currency)
    for (index, style) in Self.varied.enumerated() where index % 8 == place % 8 {
      try comparison.compare(style) { check in Self.amounts.forEach(check) }
    }
    comparison.expectNoMismatches()
  }

  /// Each rounding mode, where a rounded amount reaches the next magnitude and where it does not.
  @Test(arguments: [("en-US", "USD"), ("de-DE", "EUR"), ("hi-IN", "INR")])
  func roundsAsICU(locale: String, currency: String) throws {
    let comparison = try Comparison(locale, currency)
    for notation in Self.notations {
      for rounding in RoundingMode.allCases where rounding != .exact {
        for digits in [PriceStyle.Digits.standard, .fixed(1), .range(0...2)] {
          let style = PriceStyle(digits: digits, rounding: rounding, notation: notation)
          try comparison.compare(style) { check in
            for amount in Self.amounts { check(amount) }
            for magnitude in 0...15 {
              for mantissa in [95, 105, 115, 125, 149, 150, 151, 945, 950, 994, 995, 996, 999] as [Int64] {
                for sign in [1, -1] as [Int64] {
                  if let amount = Self.amount(sign * mantissa, magnitude) { check(amount) }
                }
              }
            }
          }
        }
      }
    }
    comparison.expectNoMismatches()
  }

  /// Formats amounts with PriceTag and with ICU, and collects the differences.
  private final class Comparison {
    private let locale: PriceLocale
    private let currency: Currency
    private var mismatches: [String] = []
    private var count = 0

    init(_ locale: String, _ currency: String) throws {
      (self.locale, self.currency) = (try PriceLocale(locale), try Currency(currency))
    }

    func compare(_ style: PriceStyle, _ body: ((Amount) -> Void) -> Void) throws {
      // The reference writes some currencies twice beside their name, and has no width "unambiguous".
      if style.width == .unambiguous { return }
      let formatter = try PriceFormatter(locale: locale, currency: currency, style: style)
      let icuLocale = locale.identifier.replacing("-", with: "_")
      guard let icu = icu_reference_number_open(style.skeleton(currency.code), icuLocale) else {
        mismatches.append("\(style): ICU rejects the skeleton")
        return
      }
      defer { icu_reference_number_close(icu) }
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: formatter.maximumUTF8Count)
      defer { buffer.deallocate() }
      var text = [UInt8](repeating: 0, count: 1536)
      body { amount in
        count += 1
        // An amount that rounds up to more than 64 bits hold is an error.
        guard let price = try? formatter.format(amount) else {
          if amount < "9000000000000000000" { mismatches.append("\(style) \(amount): error") }
          return
        }
        // Amounts have no negative zero. ICU selects the plural form of a full name before it rounds.
        let shown = price.displayedAmount
        let sent = shown.isZero ? .zero : style.width == .name ? shown : amount
        let length = icu_reference_number_write(icu, sent.description, &text, Int32(text.count))
        let expected = length < 0 ? "fails" : String(decoding: text.prefix(Int(length)), as: UTF8.self)
        if price.text != expected {
          mismatches.append("\(style.summary) \(amount): \(price.text), ICU \(expected)")
        }
        let written = (try? formatter.write(amount, into: buffer)) ?? 0
        if !buffer.prefix(written).elementsEqual(price.text.utf8) {
          mismatches.append("\(style.summary) \(amount): buffer")
        }
      }
    }

    func expectNoMismatches(sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(count > 500, sourceLocation: sourceLocation)
      #expect(
        mismatches.isEmpty,
        "\(mismatches.count) of \(count): \(mismatches.prefix(8).joined(separator: "\n"))",
        sourceLocation: sourceLocation
      )
    }
  }
}

extension PriceStyle {
  fileprivate var summary: String {
    "\(notation.rawValue) \(width) \(sign) \(digits) \(zeros) \(grouping) \(rounding)"
  }
}

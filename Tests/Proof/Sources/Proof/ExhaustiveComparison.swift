import ICUFormatter
@_spi(Tests) import PriceTag
import ProofSupport

/// Compares the library with ICU byte by byte, for all locales and currencies of ICU.
///
/// The full proof combines every locale with every currency. The usual proof combines each locale with a twelfth of the
/// currencies, which changes from locale to locale, and with the currencies that have unusual patterns.
struct ExhaustiveComparison {
  let proof: Proof
  private var isFull: Bool { proof.isFull }
  private var currencies: [Currency] { Proof.currencies }
  /// The minimum number of comparisons.
  private var minimum: Int { proof.share == .quick ? 20_000 : 100_000 }

  /// Zero, small and large numbers, with and without groups, in all plural categories, and at the limits.
  static let coefficients: [Int64] = [
    0, 1, 2, 3, 5, 7, 10, 11, 21, 99, 100, 101, 199, 200, 300, 1000, 1234, 9999, 10_000, 12_345, 100_000,
    123_456, 999_999,
    1_000_000, 1_100_000, 12_345_678, 99_999_999, 100_000_000, 100_000_001, 1_234_567_890,
    123_456_789_012_345_678,
    9_223_372_036_854_775_807,
  ]

  func everyLocaleAndCurrency(width: PriceStyle.Width) async throws {
    let findings = try await compare(proof.locales) { locale, index in
      var findings = Findings()
      let unusual = ["CVE", "CHF", "XCG", "ZWG", "EUR", "USD"]
      for (number, currency) in currencies.enumerated() {
        guard isFull || (number + index).isMultiple(of: 12) || unusual.contains(currency.code) else {
          continue
        }
        for sign in [PriceStyle.Sign.auto, .accounting] {
          let style = PriceStyle(width: width, sign: sign)
          findings.add(try Self.compare(locale, currency, style, Self.coefficients))
        }
      }
      return findings
    }
    print("proof, \(width): \(findings)")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
    Proof.expect(
      findings.compiled * 100 >= findings.formatters * 99,
      "\(findings.formatters - findings.compiled) formatters go through ICU"
    )
    Proof.expect(
      (findings.departures > 0) == (width == .name),
      "ICU repeats the currency in \(findings.departures) formatters"
    )
  }

  /// A few of these numbers: zero, one, two, and numbers with and without groups and zeros at the end.
  static let fewCoefficients: [Int64] = [0, 1, 2, 50, 100, 1234, 12_340, 100_000, 1_234_567_890]

  /// Compares every storefront with each of its currencies, in all widths and signs.
  func everyStorefront() async throws {
    let storefronts = LocaleData.embedded.storefronts
    let findings = try await proof.collect(storefronts.map(\.id)) { identifier, _ in
      var findings = Findings()
      let storefront = try Storefront(identifier)
      let locale = storefront.priceLocale.identifier
      for currency in Set(storefront.currencyPeriods.map(\.currency)) {
        for width in PriceStyle.Width.allCases {
          for sign in PriceStyle.Sign.allCases {
            let style = PriceStyle(width: width, sign: sign)
            let isUsual =
              [.standard, .narrow, .iso, .name].contains(width)
              && [.auto, .accounting, .always, .never].contains(sign)
            findings.add(
              try Self.compare(locale, currency, style, isUsual ? Self.coefficients : Self.fewCoefficients)
            )
          }
        }
      }
      return findings
    }.reduce(into: Findings()) { $0.add($1) }
    print("proof, storefronts: \(findings)")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(storefronts.count >= 175, "\(storefronts.count) storefronts")
    Proof.expect(
      findings.formatters >= storefronts.count * PriceStyle.Width.allCases.count
        * PriceStyle.Sign.allCases.count,
      "\(findings.formatters) formatters of \(storefronts.count) storefronts"
    )
  }

  /// Compares trimmed fractions, other signs and other numbers of digits.
  func otherStyles() async throws {
    let findings = try await compare(proof.locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where (number + index).isMultiple(of: isFull ? 6 : 60) {
        for width in PriceStyle.Width.allCases {
          for style in [
            PriceStyle(width: width, zeros: .trim), PriceStyle(width: width, sign: .always),
            PriceStyle(width: width, sign: .never), PriceStyle(width: width, digits: .fixed(3)),
            PriceStyle(width: width, digits: .fixed(16)),
            PriceStyle(width: width, digits: currency.minorUnitDigits == nil ? .fixed(2) : .minorUnits),
            PriceStyle(width: width, zeros: .trim, sign: .accounting, digits: .fixed(1)),
          ] {
            findings.add(try Self.compare(locale, currency, style, Self.coefficients))
          }
        }
      }
      return findings
    }
    print("proof, trimmed fractions, other signs and digits: \(findings)")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
  }

  /// The signs, groups, ranges of digits and some numbering systems, alone and together.
  private static let optionStyles: [PriceStyle] = {
    var styles = [
      PriceStyle(
        width: .iso,
        sign: .accountingExceptZero,
        digits: .range(0...4),
        grouping: .min2,
        numberingSystem: "arabext"
      ),
      PriceStyle(width: .unambiguous, sign: .exceptZero, digits: .range(0...2), grouping: .never),
    ]
    for width in [PriceStyle.Width.standard, .hidden, .name] {
      for sign in [
        PriceStyle.Sign.exceptZero, .accountingAlways, .accountingExceptZero, .negative, .accountingNegative,
      ] {
        styles.append(PriceStyle(width: width, sign: sign))
      }
      for grouping in PriceStyle.Grouping.allCases {
        styles.append(PriceStyle(width: width, grouping: grouping))
      }
      for zeros in PriceStyle.Zeros.allCases {
        styles.append(PriceStyle(width: width, zeros: zeros, digits: .range(0...2)))
        styles.append(PriceStyle(width: width, zeros: zeros, digits: .range(1...3)))
      }
      for numbering in ["latn", "arab", "deva"] {
        styles.append(PriceStyle(width: width, sign: .accounting, numberingSystem: numbering))
      }
    }
    return styles
  }()

  /// Compares all signs, groups, ranges of digits and some numbering systems, alone and together.
  func everyOption() async throws {
    let styles = Self.optionStyles
    let findings = try await compare(proof.locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where isFull || (number + index).isMultiple(of: 60) || currency.code == "CVE" {
        for style in styles {
          findings.add(try Self.compare(locale, currency, style, Self.fewCoefficients))
        }
      }
      return findings
    }
    print("proof, options: \(findings)")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
    Proof.expect(
      findings.compiled * 100 >= findings.formatters * 99,
      "\(findings.formatters - findings.compiled) formatters go through ICU"
    )
  }

  /// Compares every decimal numbering system of CLDR in every locale.
  func everyNumberingSystem() async throws {
    let systems = decimalNumberingSystems
    Proof.expect(systems.count > 60, "\(systems.count) numbering systems are too few")
    let findings = try await compare(proof.locales) { locale, index in
      var findings = Findings()
      for (number, system) in systems.enumerated() {
        let picked =
          isFull ? ["USD", "EUR", "JPY", "CVE", "CHF"] : [["USD", "EUR", "CHF"][(number + index) % 3]]
        for code in picked {
          for sign in [PriceStyle.Sign.auto, .accounting] {
            let style = PriceStyle(sign: sign, numberingSystem: system)
            findings.add(try Self.compare(locale, try Currency(code), style, Self.fewCoefficients))
          }
        }
      }
      return findings
    }
    print("proof, numbering systems: \(findings)")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
  }

  /// Compares every rounding mode with ICU's at ties and near them, in standard digits and in cash digits with and without zeros.
  func everyRoundingMode() async throws {
    let locales = isFull ? proof.locales : ["en-US", "de-CH", "ja-JP", "ar-EG", "hi-IN", "pt-CV"]
    let ties = [
      "0.5", "1.5", "2.5", "0.25", "0.35", "0.125", "0.135", "0.0005", "4.975", "4.985", "24.9999", "25",
      "24.5", "0.25001", "0.024999", "10", "1440.01",
    ]
    let findings = try await compare(locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where proof.share == .usual || (number + index).isMultiple(of: 20) || currency.cashDisplay.step > 1 {
        for rounding in RoundingMode.allCases where rounding != .exact {
          for style in [
            PriceStyle(rounding: rounding), PriceStyle(digits: .cash, rounding: rounding),
            PriceStyle(zeros: .trim, digits: .cash, rounding: rounding),
            PriceStyle(digits: .fixed(1), rounding: rounding),
          ] {
            findings.add(try Self.compareRounding(locale, currency, style, ties + ties.map { "-" + $0 }))
          }
        }
      }
      return findings
    }
    print("proof, rounding modes: \(findings)")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
  }

  /// Checks that full names appear once, even if ICU writes the currency twice: for every locale with its own currency, and
  /// with the currencies that have their own pattern in most locales.
  func writesEachCurrencyOnce() async throws {
    let own = Dictionary(
      LocaleData.embedded.storefronts.map { ($0.alpha2, $0.currency(on: .todayInUTC).code) },
      uniquingKeysWith: { first, _ in first }
    )
    let found = try await proof.collect(proof.locales) { locale, _ in
      let territory = locale.split(separator: "-").dropFirst().last { $0.utf8.count == 2 }.map(String.init)
      let codes = Set(["EUR", "TRY"] + [own[territory ?? ""]].compactMap(\.self))
      return try codes.map { code in
        let style = PriceStyle(width: .name)
        let formatter = try PriceFormatter(
          locale: PriceLocale(locale),
          currency: Currency(code),
          style: style
        )
        let price = try formatter.format("-1234")
        return (isOnce: price.parts.count { $0.type == .symbol } == 1, text: "\(locale) \(price.text)")
      }
    }.flatMap(\.self)
    let repeated = found.filter { !$0.isOnce }.map(\.text)
    print("proof, full names: \(found.count) formatted prices, \(repeated.count) repeat their currency")
    Proof.expect(repeated.isEmpty, "\(repeated.prefix(10))")
    Proof.expect(found.count >= proof.locales.count * 2, "\(found.count) formatted prices")
  }

  /// Checks that no price depends on ICU's default locale, which `LANG` and `LC_ALL` set.
  func ignoresDefaultLocale() async throws {
    func prices() async throws -> [String] {
      let found = try await proof.collect(proof.locales) { locale, index in
        var prices: [String] = []
        for code in ["USD", "EUR", "JPY", "XCG"] {
          for width in [PriceStyle.Width.standard, .name] {
            let formatter = try PriceFormatter(
              locale: PriceLocale(locale),
              currency: Currency(code),
              style: PriceStyle(width: width)
            )
            prices.append("\(locale) \(code) \(try formatter.format("-1234").text)")
          }
        }
        return prices
      }
      return found.flatMap { $0 }.sorted()
    }
    var seen: [[String]] = []
    for locale in ["en_US_POSIX", "ar_EG", "ja_JP@calendar=japanese", "tr_TR", "xx_YY"] {
      icu_reference_set_default_locale(locale)
      seen.append(try await prices())
      Proof.expect(seen.last == seen.first, "prices differ with the default locale \(locale)")
    }
    icu_reference_set_default_locale("en_US_POSIX")
    Proof.expect(
      seen.first?.count == proof.locales.count * 8,
      "\(seen.first?.count ?? 0) formatted prices of \(proof.locales.count) locales"
    )
    print("proof, default locales: \(seen.flatMap(\.self).count) formatted prices")
  }

  // MARK: One formatter

  /// Calls a function with a formatter and ICU's formatter, and returns its findings.
  static func withBoth(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ work: (borrowing Writer, Reference, inout Findings) throws -> Void
  ) throws -> Findings {
    var findings = Findings()
    let icuLocale = locale.replacing("-", with: "_")
    let skeleton = try style.withICUWidth(currency, icuLocale).skeleton(currency)
    guard let reference = Reference(skeleton, icuLocale) else {
      findings.mismatches.append("ICU rejects \(locale) \(currency)")
      return findings
    }
    let writer = Writer(try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style))
    findings.formatters = 1
    findings.departures = reference.repeatsCurrency ? 1 : 0
    findings.compiled = writer.formatter.isCompiled ? 1 : 0
    try work(writer, reference, &findings)
    return findings
  }

  private static func compare(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ coefficients: [Int64]
  ) throws -> Findings {
    try withBoth(locale, currency, style) { writer, reference, findings in
      let scale = writer.formatter.display.digits
      for coefficient in coefficients {
        // The same digits with a fraction and as an integer.
        for exponent in Set([scale, 0]) {
          for signed in coefficient == 0 ? [0] : [coefficient, -coefficient] {
            let amount = try Amount(minorUnits: signed, exponent: exponent)
            findings.comparisons += 1
            guard let expected = reference.format(amount.description),
              try writer.write(amount).elementsEqual(expected)
            else {
              findings.mismatches.append("\(locale) \(currency) \(style) \(amount)")
              continue
            }
          }
        }
      }
    }
  }

  private static func compareRounding(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ amounts: [String]
  ) throws -> Findings {
    try withBoth(locale, currency, style) { writer, reference, findings in
      for text in amounts {
        let amount = try Amount(decimal: text)
        findings.comparisons += 1
        let own = String(decoding: try writer.write(amount), as: UTF8.self)
        var expected = reference.format(text).map { String(decoding: $0, as: UTF8.self) }
        // PriceTag writes no sign for a negative amount that is rounded to zero. ICU does.
        if try amount.isNegative && writer.formatter.format(amount).displayedAmount.isZero {
          expected = reference.format("0").map { String(decoding: $0, as: UTF8.self) }
        }
        if own != expected {
          findings.mismatches.append(
            "\(locale) \(currency) \(style) \(text): \(own), ICU \(expected ?? "fails")"
          )
        }
      }
    }
  }

  // MARK: All locales

  private func compare(
    _ locales: [String],
    _ work: @escaping @Sendable (String, Int) throws -> Findings
  ) async throws -> Findings {
    try await proof.collect(locales, work).reduce(into: Findings()) { $0.add($1) }
  }
}

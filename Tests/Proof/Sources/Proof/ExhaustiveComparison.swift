import ICUFormatter
import PriceTag
import ProofSupport

/// The library and ICU side by side, byte by byte, over everything that ICU has.
///
/// The full proof compares every locale with every currency. In the usual one each locale meets a twelfth of the
/// currencies, another twelfth from locale to locale, and those whose patterns are peculiar.
struct ExhaustiveComparison {
  let proof: Proof
  private var isFull: Bool { proof.isFull }
  private var currencies: [Currency] { Proof.currencies }
  /// How many comparisons are too few.
  private var minimum: Int { proof.share == .quick ? 20_000 : 100_000 }

  /// Zero, small, grouped and not, of each plural, at the limits; positive and negative.
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
      let special = ["CVE", "CHF", "XCG", "ZWG", "EUR", "USD"]
      for (number, currency) in currencies.enumerated() {
        guard isFull || (number + index).isMultiple(of: 12) || special.contains(currency.code) else {
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

  /// Every storefront with each of its currencies, and with the formatter that its shop uses.
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
            findings.add(try Self.compare(locale, currency, style, Self.coefficients))
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

  func trimmedFractionsAndOtherSigns() async throws {
    let findings = try await compare(proof.locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where (number + index).isMultiple(of: isFull ? 6 : 60) {
        for width in PriceStyle.Width.allCases {
          for style in [
            PriceStyle(width: width, zeros: .trim), PriceStyle(width: width, sign: .always),
            PriceStyle(width: width, sign: .never), PriceStyle(width: width, digits: .fixed(3)),
            PriceStyle(width: width, digits: .fixed(16)),
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

  /// Every mode on ties and beside them, for accounts and cash, against ICU's own rounding.
  func everyRoundingMode() async throws {
    let locales = isFull ? proof.locales : ["en-US", "de-CH", "ja-JP", "ar-EG", "hi-IN", "pt-CV"]
    let ties = [
      "0.5", "1.5", "2.5", "0.25", "0.35", "0.125", "0.135", "0.0005", "4.975", "4.985", "24.9999", "25",
      "24.5", "0.25001", "0.024999",
    ]
    let findings = try await compare(locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where proof.share == .usual || (number + index).isMultiple(of: 20) || currency.cashDisplay.step > 1 {
        for rounding in RoundingMode.allCases where rounding != .exact {
          for digits in [PriceStyle.Digits.standard, .cash, .fixed(1)] {
            let style = PriceStyle(digits: digits, rounding: rounding)
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

  /// A full name stands once, where ICU repeats the currency too: every locale with its own currency, and with those
  /// that have a pattern of their own in most locales.
  func noLocaleRepeatsACurrency() async throws {
    let own = Dictionary(
      LocaleData.embedded.storefronts.map { ($0.alpha2, $0.currency(on: .today).code) },
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
    print("proof, full names: \(found.count) displays, \(repeated.count) repeat their currency")
    Proof.expect(repeated.isEmpty, "\(repeated.prefix(10))")
    Proof.expect(found.count >= proof.locales.count * 2, "\(found.count) displays")
  }

  /// `LANG` and `LC_ALL` become ICU's default locale: no price may depend on it.
  func theProcesssLocaleChangesNothing() async throws {
    func displays() async throws -> [String] {
      let found = try await proof.collect(proof.locales) { locale, index in
        var displays: [String] = []
        for code in ["USD", "EUR", "JPY", "XCG"] {
          for width in [PriceStyle.Width.standard, .name] {
            let formatter = try PriceFormatter(
              locale: PriceLocale(locale),
              currency: Currency(code),
              style: PriceStyle(width: width)
            )
            displays.append("\(locale) \(code) \(try formatter.format("-1234").text)")
          }
        }
        return displays
      }
      return found.flatMap { $0 }.sorted()
    }
    var seen: [[String]] = []
    for locale in ["en_US_POSIX", "ar_EG", "ja_JP@calendar=japanese", "tr_TR", "xx_YY"] {
      icu_reference_set_default_locale(locale)
      seen.append(try await displays())
      Proof.expect(seen.last == seen.first, "other displays with the default locale \(locale)")
    }
    icu_reference_set_default_locale("en_US_POSIX")
    Proof.expect(
      seen.first?.count == proof.locales.count * 8,
      "\(seen.first?.count ?? 0) displays of \(proof.locales.count) locales"
    )
    print("proof, default locales: \(seen.flatMap(\.self).count) displays")
  }

  // MARK: One formatter

  /// A formatter and ICU's own beside it, for work that counts what it finds.
  private static func withBoth(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ work: (borrowing Writer, Reference, inout Findings) throws -> Void
  ) throws -> Findings {
    var findings = Findings()
    guard let reference = Reference(style.skeleton(currency), locale.replacing("-", with: "_")) else {
      findings.mismatches.append("ICU refuses \(locale) \(currency)")
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
        // The same digits as a fraction, and as whole units.
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
        // A negative amount that is rounded to nothing has no sign here; ICU writes one.
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

  // MARK: All of them

  private func compare(
    _ locales: [String],
    _ work: @escaping @Sendable (String, Int) throws -> Findings
  ) async throws -> Findings {
    try await proof.collect(locales, work).reduce(into: Findings()) { $0.add($1) }
  }
}

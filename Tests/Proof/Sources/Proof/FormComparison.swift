@_spi(Tests) import PriceTag
import ProofSupport

/// Compares ranges, qualifiers and unit prices with ICU byte by byte, for all locales.
struct FormComparison {
  let proof: Proof

  /// Currencies with unusual patterns, and those of most prices.
  private static let usualCurrencies = ["CHF", "CVE", "EUR", "USD"]

  /// Returns whether a locale is compared with a currency. The currencies change from locale to locale.
  ///
  /// - Parameter full: The full proof compares every currency whose number is a multiple of this.
  private func isCompared(_ currency: Currency, _ number: Int, _ locale: Int, full: Int) -> Bool {
    if proof.isFull, Self.usualCurrencies.contains(currency.code) { return true }
    return (number + locale).isMultiple(of: proof.isFull ? full : 60)
  }

  /// Prints the findings of a check, and expects no mismatch, at least so many comparisons, and patterns for 99 % of the
  /// formatters.
  private func report(_ name: String, _ findings: Findings, minimum: Int) {
    print("proof, \(name): \(findings)")
    Proof.expect(
      findings.mismatches.isEmpty,
      "\(findings.mismatches.count): \(findings.mismatches.prefix(10).joined(separator: "; "))"
    )
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
    Proof.expect(
      findings.compiled * 100 >= findings.formatters * 99,
      "\(findings.formatters - findings.compiled) \(findings.counted) go through ICU"
    )
  }

  // MARK: Ranges

  /// Bounds with and without groups and a sign, in most pairs of plural categories, and equal ones.
  ///
  /// With full names, ICU formats the ranges with the highest number, because its plural rules do not see all digits.
  private static let bounds: [(low: Int64, high: Int64)] = [
    (0, 0), (0, 1), (0, 2), (0, 5), (0, 100), (1, 2), (1, 5), (1, 11), (2, 3), (2, 5), (2, 21), (3, 11),
    (5, 21), (5, 100), (11, 100), (21, 101), (99, 101), (100, 200), (100, 500), (150, 250), (199, 300),
    (999, 1000), (1000, 1234), (1234, 12_345), (1234, 1_000_000), (12_345, 12_346), (99_999, 1_234_567),
    (500_000, 1_000_000), (1_000_000, 2_000_000), (12_345_678, 12_345_679), (100, 123_456_789_012),
    (999_999_999, 9_223_372_036_854_775_807), (-5, 5), (-1, 1), (-1, 0), (-1234, 0), (-1234, 100),
    (-123_456, 1_234_567), (5, 5), (-1234, -1234),
  ]

  private static let rangeStyles: [PriceStyle] =
    [PriceStyle.Width.standard, .narrow, .iso, .name, .hidden].map { PriceStyle(width: $0) } + [
      PriceStyle(zeros: .trim), PriceStyle(sign: .accounting), PriceStyle(width: .unambiguous, sign: .always),
      PriceStyle(width: .name, grouping: .min2, numberingSystem: "latn"),
    ]

  func everyRange() async throws {
    let findings = try await proof.collect(proof.locales) { locale, index in
      var findings = Findings()
      for (number, currency) in Proof.currencies.enumerated()
      where isCompared(currency, number, index, full: 8) {
        for style in Self.rangeStyles { findings.add(try Self.compareRanges(locale, currency, style)) }
      }
      return findings
    }.reduce(into: Findings(counted: "ranges")) { $0.add($1) }
    report("ranges", findings, minimum: proof.share == .quick ? 20_000 : 1_000_000)
  }

  private static func compareRanges(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle
  ) throws -> Findings {
    var findings = Findings()
    guard let reference = try reference(locale, currency, style, &findings) else { return findings }
    let formatter = try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style)
    for (low, high) in bounds {
      // The same digits with a fraction and as integers.
      for exponent in Set([formatter.display.digits, 0]) {
        let low = try Amount(minorUnits: low, exponent: exponent)
        let high = try Amount(minorUnits: high, exponent: exponent)
        findings.comparisons += 1
        let price = try formatter.format(from: low, to: high)
        let expected = reference.format(low.description, high.description)
        if !(expected.map(price.text.utf8.elementsEqual) ?? false) {
          findings.mismatches.append(
            "\(locale) \(currency) \(style) \(low) to \(high): \(price.text), ICU \(text(expected))"
          )
        }
        // No store has a range from a negative price. ICU formats it.
        if low.isNegative { continue }
        findings.formatters += 1
        if formatter.isCompiled(from: low, to: high) { findings.compiled += 1 }
      }
    }
    return findings
  }

  /// Returns ICU's formatter of ranges; `nil` if ICU writes the currency twice beside its full name, which PriceTag does not.
  private static func reference(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    isApproximate: Bool = false,
    _ findings: inout Findings
  ) throws -> RangeReference? {
    let icuLocale = locale.replacing("-", with: "_")
    let skeleton = try style.withICUWidth(currency, icuLocale).skeleton(currency)
    var usedLocale = icuLocale
    if style.width == .name, let single = Reference(skeleton, icuLocale), single.repeatsCurrency {
      findings.departures = 1
      // Without the currency of the locale, ICU has no pattern that repeats other currencies. It may have other
      // separators, though.
      usedLocale += "@currency=XXX"
      guard let once = Reference(skeleton, usedLocale), !once.repeatsCurrency,
        text(once.format("1234567.5")) == text(single.format("1234567.5"))
      else { return nil }
    }
    guard let reference = RangeReference(skeleton, usedLocale, isApproximate: isApproximate) else {
      findings.mismatches.append("ICU rejects \(locale) \(currency) \(style)")
      return nil
    }
    return reference
  }

  private static func text(_ utf8: UnsafeBufferPointer<UInt8>?) -> String {
    utf8.map { String(decoding: $0, as: UTF8.self) } ?? "fails"
  }

  // MARK: Qualifiers

  /// Widths, signs and digits that change the text beside a qualifier.
  private static let qualifiedStyles: [PriceStyle] =
    PriceStyle.Width.allCases.map { PriceStyle(width: $0) } + [
      PriceStyle(sign: .accounting), PriceStyle(sign: .always), PriceStyle(sign: .never),
      PriceStyle(width: .name, sign: .exceptZero), PriceStyle(sign: .accountingExceptZero),
      PriceStyle(zeros: .trim), PriceStyle(width: .iso, digits: .range(0...2)),
      PriceStyle(width: .name, digits: .fixed(0), rounding: .halfEven), PriceStyle(grouping: .never),
      PriceStyle(numberingSystem: "latn"), PriceStyle(width: .hidden, numberingSystem: "arab"),
    ]

  /// Numbers with and without groups and zeros at the end, in most plural categories.
  private static let qualifiedCoefficients: [Int64] = [
    0, 1, 2, 3, 5, 11, 21, 50, 100, 101, 300, 1234, 12_340, 100_000, 1_000_000, 1_234_567_890,
    123_456_789_012_345_678,
  ]

  /// Compares approximate amounts with ICU's ranges of equal bounds. PriceTag refuses the accounting signs, for which ICU omits
  /// the sign for "about".
  func everyApproximation() async throws {
    let findings = try await proof.collect(proof.locales) { locale, index in
      var findings = Findings()
      for (number, currency) in Proof.currencies.enumerated()
      where isCompared(currency, number, index, full: 20) {
        for style in Self.qualifiedStyles where ![.accounting, .accountingExceptZero].contains(style.sign) {
          findings.add(
            try Self.compareQualified(locale, currency, style, .approximately) { findings in
              guard
                let reference = try Self.reference(locale, currency, style, isApproximate: true, &findings)
              else { return nil }
              return { Self.text(reference.format($0.description, $0.description)) }
            }
          )
        }
      }
      return findings
    }.reduce(into: Findings()) { $0.add($1) }
    report("approximate amounts", findings, minimum: proof.share == .quick ? 20_000 : 500_000)
  }

  /// Compares amounts with "at least" with CLDR's pattern around ICU's text.
  func everyAtLeast() async throws {
    let findings = try await proof.collect(proof.locales) { locale, index in
      let icuLocale = locale.replacing("-", with: "_")
      var findings = Findings()
      for (number, currency) in Proof.currencies.enumerated()
      where isCompared(currency, number, index, full: 20) {
        for style in Self.qualifiedStyles {
          let pattern = ReferencePattern.atLeast(icuLocale, numberingSystem: style.numberingSystem)
          findings.add(
            try Self.compareQualified(locale, currency, style, .atLeast) { findings in
              let skeleton = try style.withICUWidth(currency, icuLocale).skeleton(currency)
              guard let pattern, let reference = Reference(skeleton, icuLocale) else { return nil }
              findings.departures = reference.repeatsCurrency ? 1 : 0
              return { pattern.replacing("{0}", with: Self.text(reference.format($0.description))) }
            }
          )
        }
      }
      return findings
    }.reduce(into: Findings()) { $0.add($1) }
    report("amounts with at least", findings, minimum: proof.share == .quick ? 20_000 : 500_000)
  }

  /// Compares the prices of a style with a qualifier.
  ///
  /// - Parameter reference: Returns a function that returns the expected text of an amount; `nil` if there is none.
  private static func compareQualified(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ qualifier: PriceStyle.Qualifier,
    _ reference: (inout Findings) throws -> ((Amount) -> String)?
  ) throws -> Findings {
    var findings = Findings()
    guard let expected = try reference(&findings) else {
      if findings.departures == 0 { findings.mismatches.append("ICU rejects \(locale) \(currency) \(style)") }
      return findings
    }
    var style = style
    style.qualifier = qualifier
    let writer = Writer(try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style))
    findings.formatters = 1
    findings.compiled = writer.formatter.isCompiled ? 1 : 0
    let scale = writer.formatter.display.digits
    for coefficient in qualifiedCoefficients {
      for exponent in Set([scale, 0]) {
        for signed in coefficient == 0 ? [0] : [coefficient, -coefficient] {
          let amount = try Amount(minorUnits: signed, exponent: exponent)
          findings.comparisons += 1
          let (own, expected) = (try writer.write(amount), expected(amount))
          if !expected.utf8.elementsEqual(own) {
            findings.mismatches.append(
              "\(locale) \(currency) \(style) \(amount): \(text(own)), ICU \(expected)"
            )
          }
        }
      }
    }
    return findings
  }

  // MARK: Unit prices

  /// Compares prices per unit with CLDR's pattern around ICU's text: every unit, and some quantities of it.
  func everyUnitPrice() async throws {
    let units = ContentUnit.allCases.filter { $0 != .piece }
    let findings = try await proof.collect(proof.locales) { locale, index in
      var findings = Findings()
      for (number, unit) in units.enumerated() {
        let others = UnitPriceReference.quantities.filter { $0 != 1 }
        let quantities =
          proof.isFull ? UnitPriceReference.quantities : [1, others[(number + index) % others.count]]
        for quantity in quantities {
          let reference = try UnitPriceReference(quantity, unit)
          for (place, width) in PriceStyle.Width.allCases.enumerated()
          where proof.isFull || (number + place + index).isMultiple(of: proof.share == .quick ? 16 : 8) {
            let code = Self.usualCurrencies[(number + place + index) % Self.usualCurrencies.count]
            findings.add(
              try Self.compareUnitPrices(locale, Currency(code), PriceStyle(width: width), reference)
            )
          }
        }
      }
      return findings
    }.reduce(into: Findings()) { $0.add($1) }
    report("unit prices", findings, minimum: proof.share == .quick ? 4_000 : 200_000)
  }

  private static func compareUnitPrices(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ unit: UnitPriceReference
  ) throws -> Findings {
    var findings = Findings()
    let icuLocale = locale.replacing("-", with: "_")
    let style = try style.withICUWidth(currency, icuLocale)
    guard
      let pattern = ReferencePattern.unitPrice(
        unit.unit.icuIdentifier,
        unit.quantity,
        icuLocale,
        style.width
      ),
      let reference = Reference(style.skeleton(currency), icuLocale)
    else {
      findings.mismatches.append("ICU rejects \(locale) \(currency) \(style) \(unit)")
      return findings
    }
    findings.departures = reference.repeatsCurrency ? 1 : 0
    let formatter = try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style)
    findings.formatters = 1
    findings.compiled = try formatter.unitPrices(per: unit).isCompiled ? 1 : 0
    let content = try ProductContent(
      quantity: Amount(minorUnits: Int64(unit.quantity), exponent: 0),
      unit: unit.unit
    )
    for coefficient in [0, 1, 2, 100, 1234, 1_234_567_890] as [Int64] {
      let amount = try Amount(minorUnits: coefficient, exponent: formatter.display.digits)
      findings.comparisons += 1
      let own = try formatter.unitPrice(of: amount, content: content, per: unit).text
      let expected = pattern.replacing("{0}", with: text(reference.format(amount.description)))
      if own != expected {
        findings.mismatches.append(
          "\(locale) \(currency) \(style.width) \(amount) per \(unit): \(own), ICU \(expected)"
        )
      }
    }
    return findings
  }
}

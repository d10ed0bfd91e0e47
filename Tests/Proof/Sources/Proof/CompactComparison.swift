@_spi(Tests) import PriceTag
import ProofSupport

/// Compares prices in compact notation with ICU byte by byte, for all locales.
struct CompactComparison {
  let proof: Proof

  private static let notations: [PriceStyle.Notation] = [.compactShort, .compactLong]

  /// Mantissas in most plural categories, with up to three digits, at every magnitude, and numbers below one.
  private static let amounts: [Amount] = {
    let mantissas: [Int64] = [1, 2, 3, 5, 10, 11, 12, 15, 21, 99, 100, 101, 120, 999]
    var amounts: [Amount] = ["0", "0.5", "0.05", "0.25", "0.99", "1.5", "9.9", "1.25", "123.4"]
    var power: Int64 = 1
    for _ in 0...16 {
      for mantissa in mantissas {
        let (coefficient, overflow) = mantissa.multipliedReportingOverflow(by: power)
        if !overflow, let amount = try? Amount(minorUnits: coefficient, exponent: 0) {
          amounts.append(amount)
        }
      }
      power *= 10
    }
    return amounts.flatMap { amount -> [Amount] in
      // The same amount with zeros at the end, and its opposite.
      let padded = try? Amount(decimal: amount.description + (amount.scale == 0 ? ".00" : "0"))
      let negative = try? Amount(decimal: "-" + amount.description)
      return [amount] + [padded, negative].compactMap(\.self)
    }
  }()

  /// Ties, numbers beside them, and numbers that are rounded to the next magnitude.
  private static let roundedAmounts: [Amount] = {
    let texts = [
      "0.0049", "0.005", "0.05", "0.949", "0.95", "0.951", "0.994", "0.995", "0.996", "1.25", "1.35", "9.94",
      "9.95", "9.96", "15.5", "99.4", "99.5", "99.6", "949.5", "999.4", "999.5", "999.6", "1049", "1050",
      "1051", "1149", "1150", "1249", "1250", "1251", "1350", "9949", "9950", "9951", "12345.67", "99499",
      "99500", "99501", "999499", "999500", "999501", "999949", "999950", "1234567.89", "999499999",
      "999500000", "999949999", "999950000", "999999999", "999999999999", "9999499999999999",
      "999950000000000000",
    ]
    return texts.flatMap { [$0, "-" + $0] }.compactMap { try? Amount(decimal: $0) }
  }()

  /// Compares every locale in both notations: all widths, and other styles.
  func everyLocale() async throws {
    let findings = try await compare { locale, index in
      var findings = Findings()
      for (number, notation) in Self.notations.enumerated() {
        for (place, width) in PriceStyle.Width.allCases.enumerated()
        where proof.isFull || [.standard, .name].contains(width) || (index + place).isMultiple(of: 6) {
          for code in codes(index + number + place) {
            let style = PriceStyle(width: width, notation: notation)
            findings.add(try Self.compare(locale, Currency(code), style, Self.amounts))
          }
        }
      }
      return findings
    }
    report("compact notation", findings, minimum: proof.share == .quick ? 20_000 : 1_000_000)
  }

  /// Signs, digits, groups, numbering systems and qualifiers.
  private static let otherStyles: [PriceStyle] = [
    PriceStyle(sign: .accounting), PriceStyle(sign: .always), PriceStyle(sign: .never),
    PriceStyle(width: .iso, sign: .exceptZero), PriceStyle(width: .name, sign: .accountingAlways),
    PriceStyle(digits: .fixed(0)), PriceStyle(width: .name, digits: .fixed(1)), PriceStyle(digits: .fixed(2)),
    PriceStyle(zeros: .trim, digits: .fixed(1)), PriceStyle(width: .name, zeros: .trim, digits: .fixed(2)),
    PriceStyle(digits: .range(0...1)), PriceStyle(width: .name, digits: .range(0...2)),
    PriceStyle(width: .hidden, zeros: .trim, digits: .range(1...3)), PriceStyle(grouping: .always),
    PriceStyle(width: .name, grouping: .never), PriceStyle(numberingSystem: "latn"),
    PriceStyle(width: .iso, numberingSystem: "arab"), PriceStyle(qualifier: .approximately),
    PriceStyle(width: .name, qualifier: .approximately), PriceStyle(sign: .accounting, qualifier: .atLeast),
    PriceStyle(width: .name, qualifier: .atLeast),
  ]

  func otherStyles() async throws {
    let findings = try await compare { locale, index in
      var findings = Findings()
      for (number, notation) in Self.notations.enumerated() {
        for (place, style) in Self.otherStyles.enumerated()
        where proof.isFull || (index + number + place).isMultiple(of: 7) {
          var style = style
          style.notation = notation
          let code = codes(index + number + place)[0]
          findings.add(try Self.compare(locale, Currency(code), style, Self.amounts))
        }
      }
      return findings
    }
    report("compact notation in other styles", findings, minimum: proof.share == .quick ? 20_000 : 500_000)
  }

  /// Compares the rounding modes, also with a number of digits.
  func everyRoundingMode() async throws {
    let findings = try await compare { locale, index in
      var findings = Findings()
      for (number, notation) in Self.notations.enumerated() {
        for (place, rounding) in RoundingMode.allCases.enumerated()
        where proof.isFull || (index + number + place).isMultiple(of: 3) {
          for digits in [PriceStyle.Digits.standard, .fixed(1), .range(0...2)] {
            let style = PriceStyle(
              width: place.isMultiple(of: 2) ? .standard : .name,
              digits: digits,
              rounding: rounding,
              notation: notation
            )
            let code = codes(index + place)[0]
            findings.add(
              try Self.compare(locale, Currency(code), style, Self.roundedAmounts, countsPatterns: false)
            )
          }
        }
      }
      return findings
    }
    report("rounding in compact notation", findings, minimum: proof.share == .quick ? 5_000 : 200_000)
  }

  /// Bounds of the same magnitude and of different ones.
  private static let bounds: [(low: Amount, high: Amount)] = [
    ("0", "1"), ("0.5", "2"), ("1", "5"), ("10", "100"), ("100", "1000"), ("1", "2000"), ("1000", "2000"),
    ("1000", "1200"), ("1200", "2500"), ("5000", "12000"), ("1000", "1000000"), ("1000000", "1200000"),
    ("2000000", "5000000"), ("500000", "1500000"), ("21000", "22000"), ("1000000000", "2000000000"),
    ("-1000", "1000"), ("-5", "2000"), ("0", "1000"), ("1200", "1200"), ("100000000000", "5000000000000"),
  ]

  /// Compares ranges, and checks that no two ranges have the same text.
  ///
  /// ICU writes text that both bounds share once, so 1 to 2000 is "1–2K", as is 1000 to 2000. PriceTag refuses the first one.
  func everyRange() async throws {
    let findings = try await compare { locale, index in
      var findings = Findings()
      for (number, notation) in Self.notations.enumerated() {
        for (place, width) in [PriceStyle.Width.standard, .iso, .name, .hidden].enumerated()
        where proof.isFull || (index + number + place).isMultiple(of: 2) {
          let style = PriceStyle(width: width, notation: notation)
          findings.add(try Self.compareRanges(locale, Currency(codes(index + place)[0]), style))
        }
      }
      return findings
    }
    print("proof, ranges in compact notation: \(findings)")
    Proof.expect(
      findings.mismatches.isEmpty,
      "\(findings.mismatches.count): \(findings.mismatches.prefix(10).joined(separator: "; "))"
    )
    Proof.expect(
      findings.comparisons > (proof.share == .quick ? 1_000 : 50_000),
      "\(findings.comparisons) comparisons are too few"
    )
    let refused = findings.notes.values.reduce(0, +)
    Proof.expect(refused > 0 && refused * 5 < findings.comparisons, "\(refused) ranges are refused")
  }

  // MARK: One formatter

  private static func compare(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle,
    _ amounts: [Amount],
    countsPatterns: Bool = true
  ) throws -> Findings {
    var findings = Findings()
    guard let reference = try CompactReference(locale, currency, style) else {
      // ICU writes the currency twice beside its full name.
      findings.departures = 1
      return findings
    }
    let writer = Writer(try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style))
    if countsPatterns {
      findings.formatters = 1
      findings.compiled = writer.formatter.isCompiled ? 1 : 0
    }
    for amount in amounts {
      findings.comparisons += 1
      let text = amount.description
      let place = { "\(locale) \(currency) \(style.name) \(amount)" }
      do throws(PriceTagError) {
        let own = String(decoding: try writer.write(amount), as: UTF8.self)
        var expected = reference.format(text)
        // PriceTag writes no sign for a negative amount that is rounded to zero. ICU does.
        if amount.isNegative, reference.digits(text).isEmpty { expected = reference.format("0") }
        if own != expected, style.width == .name, style.rounding != .exact {
          // ICU takes the plural form of a name from digits that are not displayed. PriceTag takes it from the amount that
          // is displayed.
          let displayed = try writer.formatter.format(amount).displayedAmount.description
          if reference.digits(text) == significantDigits(displayed) { expected = reference.format(displayed) }
          if own == expected { findings.notes["other plural form of a name", default: 0] += 1 }
        }
        if own != expected { findings.mismatches.append("\(place()): \(own), ICU \(expected ?? "fails")") }
        if style.rounding == .exact, reference.digits(text) != significantDigits(text) {
          findings.mismatches.append("\(place()): \(own) has lost digits")
        }
      } catch {
        let isRight =
          switch error.code {
          case .needsRounding: reference.digits(text) != significantDigits(text)
          // Some languages write "thousand" for other numbers than 1000.
          case .formattingFailed: !(reference.format(text) ?? "").contains(where: \.isNumber)
          default: false
          }
        if !isRight {
          findings.mismatches.append("\(place()): \(error), ICU \(reference.format(text) ?? "fails")")
        }
      }
    }
    return findings
  }

  private static func compareRanges(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle
  ) throws -> Findings {
    var findings = Findings(counted: "ranges")
    let icuLocale = locale.replacing("-", with: "_")
    let skeleton = style.skeleton(currency)
    if style.width == .name, Reference(skeleton, icuLocale)?.repeatsCurrency ?? false { return findings }
    guard let reference = RangeReference(skeleton, icuLocale) else {
      findings.mismatches.append("ICU rejects \(locale) \(currency) \(style.name)")
      return findings
    }
    let formatter = try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style)
    var accepted: Set<String> = []
    for (low, high) in bounds {
      findings.comparisons += 1
      let expected = reference.format(low.description, high.description).map {
        String(decoding: $0, as: UTF8.self)
      }
      let place = { "\(locale) \(currency) \(style.name) \(low) to \(high)" }
      do throws(PriceTagError) {
        let own = try formatter.format(from: low, to: high).text
        if own != expected { findings.mismatches.append("\(place()): \(own), ICU \(expected ?? "fails")") }
        if !accepted.insert(own).inserted {
          findings.mismatches.append("\(place()): \(own) is the text of another range too")
        }
      } catch {
        if error.code != .invalidOption, error.code != .formattingFailed {
          findings.mismatches.append("\(place()): \(error)")
        }
        findings.notes["refused ranges of width \(style.width)", default: 0] += 1
      }
    }
    return findings
  }

  // MARK: All locales

  /// Returns the currencies to compare.
  private func codes(_ number: Int) -> [String] {
    let codes = ["USD", "EUR", "JPY", "CHF", "INR", "KWD", "TRY"]
    return proof.isFull ? ["USD", "EUR", "JPY", codes[number % 4 + 3]] : [codes[number % codes.count]]
  }

  private func compare(_ work: @escaping @Sendable (String, Int) throws -> Findings) async throws -> Findings
  {
    try await proof.collect(proof.locales, work).reduce(into: Findings()) { $0.add($1) }
  }

  private func report(_ name: String, _ findings: Findings, minimum: Int) {
    print("proof, \(name): \(findings)")
    Proof.expect(
      findings.mismatches.isEmpty,
      "\(findings.mismatches.count): \(findings.mismatches.prefix(10).joined(separator: "; "))"
    )
    Proof.expect(findings.comparisons > minimum, "\(findings.comparisons) comparisons are too few")
    Proof.expect(
      findings.compiled * 100 >= findings.formatters * 99,
      "\(findings.formatters - findings.compiled) formatters go through ICU"
    )
  }
}

/// ICU's texts for a compact style.
private final class CompactReference {
  private let single: Reference
  /// ICU's formatter of approximate amounts.
  private let approximate: RangeReference?
  /// CLDR's pattern for "at least".
  private let pattern: String?
  /// The digits that ICU displays, by amount.
  private var stored: (decimal: String, digits: String) = ("", "")

  /// Creates a reference; returns `nil` if ICU writes the currency twice.
  init?(_ locale: String, _ currency: Currency, _ style: PriceStyle) throws {
    let icuLocale = locale.replacing("-", with: "_")
    let skeleton = try style.withICUWidth(currency, icuLocale).skeleton(currency)
    let single = try require(Reference(skeleton, icuLocale), "ICU rejects \(locale) \(skeleton)")
    if single.repeatsCurrency { return nil }
    self.single = single
    approximate =
      style.qualifier == .approximately
      ? try require(
        RangeReference(skeleton, icuLocale, isApproximate: true),
        "ICU rejects \(locale) \(skeleton)"
      ) : nil
    pattern =
      style.qualifier == .atLeast
      ? try require(
        ReferencePattern.atLeast(icuLocale, numberingSystem: style.numberingSystem),
        "CLDR has no pattern in \(locale)"
      ) : nil
  }

  func format(_ decimal: String) -> String? {
    guard let utf8 = approximate?.format(decimal, decimal) ?? single.format(decimal) else { return nil }
    let text = String(decoding: utf8, as: UTF8.self)
    return pattern?.replacing("{0}", with: text) ?? text
  }

  /// Returns the digits that ICU displays, without zeros at the start and end: `12` for 1200.
  func digits(_ decimal: String) -> String {
    if stored.decimal != decimal { stored = (decimal, significantDigits(single.digits(decimal) ?? "")) }
    return stored.digits
  }
}

/// Returns the digits of a decimal number without zeros at the start and end.
private func significantDigits(_ decimal: String) -> String {
  let digits = decimal.utf8.prefix { $0 != UInt8(ascii: "E") }.filter { (0x30...0x39).contains($0) }
    .drop { $0 == 0x30 }
  let end = digits.lastIndex { $0 != 0x30 }.map { $0 + 1 } ?? digits.startIndex
  return String(decoding: digits[..<end], as: UTF8.self)
}

extension PriceStyle {
  /// The options that matter in compact notation.
  fileprivate var name: String {
    "\(notation.rawValue) \(width) \(sign) \(digits) \(zeros) \(rounding) \(grouping) \(qualifier) \(numberingSystem ?? "")"
  }
}

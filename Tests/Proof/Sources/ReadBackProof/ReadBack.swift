import PriceTag
import PriceTagReading
import ProofSupport

/// Checks that formatted prices are read back as the same amount and currency.
///
/// The full proof combines every locale with every currency. The usual proof combines each locale with a share of the
/// currencies, which changes from locale to locale.
struct ReadBack {
  let proof: Proof
  private var isFull: Bool { proof.isFull }
  private var locales: [String] { proof.locales }
  private var currencies: [Currency] { Proof.currencies }

  /// Integer amounts, and amounts in displayed minor units: zero, all plural categories, with and without groups, up to
  /// fifteen digits.
  private static let integers: [Int64] = [0, 1, -2, 5, -11, 1234, -12_345, 1_234_567]
  private static let minorUnits: [Int64] = [5, -50, 123_450, -123_456_789, 123_456_789_012_345]

  private static func amounts(_ formatter: PriceFormatter) throws -> [Amount] {
    let digits = formatter.display.digits
    return try integers.map { try Amount(minorUnits: $0, exponent: 0) }
      + minorUnits.map { try Amount(minorUnits: $0, exponent: digits) }
  }

  /// Changes that people and programs make to a price without changing its meaning.
  private enum Change: CaseIterable {
    case spaces, marks, apostrophes, minus

    func changed(_ text: String) -> String {
      var changed = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        switch (self, scalar) {
        case (.spaces, "\u{200B}"): changed.append(" ")
        case (.spaces, _) where scalar.properties.isWhitespace: changed.append(" ")
        case (.marks, _) where scalar.properties.isBidiControl: break
        case (.apostrophes, "\u{2019}"), (.apostrophes, "\u{2018}"), (.apostrophes, "\u{2BC}"):
          changed.append("'")
        case (.minus, "\u{2212}"): changed.append("-")
        default: changed.append(scalar)
        }
      }
      return String(changed)
    }
  }

  // MARK: Reading with the formatter's own reader

  /// Reads every price that is displayed with its sign and all its digits. There are no exceptions.
  func readEveryDisplay(width: PriceStyle.Width) async throws {
    let findings = try await proof.collect(locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where isFull || (number + index).isMultiple(of: 60) || ["CVE", "CHF"].contains(currency.code) {
        for sign in [PriceStyle.Sign.auto, .accounting] {
          findings.add(try Self.readBack(locale, currency, PriceStyle(width: width, sign: sign)))
        }
      }
      return findings
    }
    Self.expectNone(findings, "\(width)")
  }

  /// Reads prices with trimmed fractions, all signs, other numbers of digits, other groups and other digits.
  func readOtherStyles() async throws {
    let findings = try await proof.collect(locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where (number + index).isMultiple(of: isFull ? 6 : 120) {
        for width in PriceStyle.Width.allCases {
          for style in [
            PriceStyle(width: width, zeros: .trim, sign: .always),
            // Three digits after a single separator look like a group.
            PriceStyle(width: width, digits: .fixed(3)),
            PriceStyle(width: width, zeros: .trim, sign: .accounting, digits: .fixed(1)),
            PriceStyle(width: width, sign: .exceptZero, digits: .range(0...2)),
            PriceStyle(width: width, grouping: .min2, numberingSystem: "arab"),
            PriceStyle(width: width, sign: .accountingAlways, grouping: .never, numberingSystem: "latn"),
          ] {
            findings.add(try Self.readBack(locale, currency, style))
          }
        }
      }
      return findings
    }
    Self.expectNone(findings, "trimmed fractions, all signs, groups and other digits")
  }

  /// Reads prices without a sign and rounded prices. The missing sign and digits are not read.
  func readRoundedAndUnsigned() async throws {
    let findings = try await proof.collect(locales) { locale, index in
      var findings = Findings()
      for (number, currency) in currencies.enumerated()
      where (number + index).isMultiple(of: isFull ? 6 : 60) {
        for (style, amount, read) in [
          (PriceStyle(sign: .never), "-1234", "1234"),
          (PriceStyle(digits: .fixed(1), rounding: .halfEven), "1234.56", "1234.6"),
          (PriceStyle(digits: .fixed(0), rounding: .down), "-0.99", "0"),
        ] as [(PriceStyle, Amount, Amount)] {
          let formatter = try Self.formatter(locale, currency, style)
          let (reader, text) = (PriceReader(formatter), try formatter.string(for: amount))
          for strictness in PriceReader.Strictness.allCases {
            let price = Price(amount: read, currency: currency, locale: formatter.locale)
            findings.add(Self.check(reader, text, strictness, price))
          }
        }
      }
      return findings
    }
    Self.expectNone(findings, "signs never and rounding")
  }

  private static func readBack(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle
  ) throws -> Findings {
    let formatter = try formatter(locale, currency, style)
    let reader = PriceReader(formatter)
    var findings = Findings()
    for amount in try amounts(formatter) {
      let text = try formatter.string(for: amount)
      let price = Price(amount: amount, currency: currency, locale: formatter.locale)
      findings.add(check(reader, text, .strict, price))
      findings.add(check(reader, text, .lenient, price))
      for change in Change.allCases {
        let changed = change.changed(text)
        if !changed.utf8.elementsEqual(text.utf8) {
          findings.add(check(reader, changed, .lenient, price))
        }
      }
    }
    return findings
  }

  private static func check(
    _ reader: PriceReader,
    _ text: String,
    _ strictness: PriceReader.Strictness,
    _ price: Price
  ) -> Findings {
    var findings = Findings()
    findings.comparisons = 1
    do throws(ReadingError) {
      let read = try reader.read(text, strictness)
      if read != price {
        findings.mismatches.append("\(price.locale) \(price.currency) \(text.debugDescription): \(read)")
      }
    } catch {
      findings.mismatches.append("\(price.locale) \(price.currency) \(text.debugDescription): \(error)")
    }
    return findings
  }

  private static func expectNone(_ found: [Findings], _ what: String) {
    let findings = found.reduce(into: Findings()) { $0.add($1) }
    print("proof, read back, \(what): \(findings.comparisons) reads, \(findings.mismatches.count) mismatches")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > 10_000, "\(findings.comparisons) reads are too few")
  }

  // MARK: Reading with a reader of another currency

  /// Prices whose currency a reader of another currency in the same locale cannot identify.
  private struct Exception {
    let currencies: [String]
    let width: PriceStyle.Width
    let code: ReadingError.Code
    /// Languages and locales. A language includes all its locales.
    let locales: String
    let otherLocales: String

    init(
      _ currencies: String,
      _ width: PriceStyle.Width,
      _ code: ReadingError.Code,
      in locales: String = "",
      butIn otherLocales: String = ""
    ) {
      self.currencies = currencies.split(separator: " ").map(String.init)
      (self.width, self.code, self.locales, self.otherLocales) = (width, code, locales, otherLocales)
    }

    func covers(_ locale: String) -> Bool {
      let isIn = { (list: String) in
        list.split(separator: " ").contains { locale == $0 || locale.hasPrefix("\($0)-") }
      }
      return (locales.isEmpty || isIn(locales)) && !isIn(otherLocales)
    }
  }

  private static let exceptions: [Exception] = [
    // "FCFA" and "F\u{202F}CFA" differ only in a space, and people write both without it.
    Exception(
      "XAF XOF",
      .standard,
      .ambiguousCurrency,
      butIn: "brx dz en-AU es fa ff-Adlm fr-CA kgp lt nb nn no si yrl"
    ),
    // The symbol is U+200B ZERO WIDTH SPACE and the decimal separator is "$", so no text identifies the escudo.
    Exception("CVE", .standard, .notAsWritten, in: "kea-CV pt-CV"),
    // Without a region, Kabuverdianu writes "$" as the decimal separator of the escudo only, and "," for others.
    Exception("CVE", .standard, .notAsWritten, in: "kea", butIn: "kea-CV"),
    Exception("CVE", .iso, .notAsWritten, in: "kea", butIn: "kea-CV"),
    Exception("CVE", .name, .notAsWritten, in: "kea", butIn: "kea-CV"),
    // These names contain numbers, which could be another price: "unité de compte 9 européenne (UEC–9)",
    // "Silíŋ yá Ugandá (1966–1987)". A reader of the same currency reads them.
    Exception("XBB", .name, .notAsWritten, in: "fr ja"),
    Exception("XBC XBD", .name, .notAsWritten, in: "cs fr ja sk"),
    Exception("UGX", .name, .notAsWritten, in: "ewo seh tzm"),
    Exception("FKP", .name, .notAsWritten, in: "yo"),
    Exception("STN", .name, .notAsWritten, in: "my de-CH"),
    Exception("VES", .name, .notAsWritten, in: "ne"),
  ]

  /// Reads every unambiguous symbol, code and name with a reader that expects another currency.
  func readEverySymbol() async throws {
    let share = isFull ? 1 : 16
    let locales = proof.locales.indices.filter { $0.isMultiple(of: share) }.map { proof.locales[$0] }
    let found = try await proof.collect(locales) { locale, _ in
      // ICU 72 has no symbol and no name for ZWG, so no other currency is mistaken for it.
      let reader = PriceReader(try Self.formatter(locale, Currency("ZWG"), PriceStyle()))
      var (reads, found, wrong) = (0, Set<String>(), [String]())
      for currency in currencies where currency != reader.formatter.currency {
        for (width, amounts) in [
          (PriceStyle.Width.standard, ["1"]), (.iso, ["1"]), (.name, ["1", "2"]),
        ] as [(PriceStyle.Width, [Amount])] {
          let formatter = try Self.formatter(locale, currency, PriceStyle(width: width))
          for amount in amounts {
            let text = try formatter.string(for: amount)
            reads += 1
            do throws(ReadingError) {
              let read = try reader.read(text, .lenient)
              if read.amount != amount || read.currency != currency {
                wrong.append("\(locale) \(text.debugDescription): \(read)")
              }
            } catch {
              found.insert("\(currency) \(width) \(error.code.rawValue) \(locale)")
            }
          }
        }
      }
      return (reads, found, wrong)
    }
    let expected = Set(
      Self.exceptions.flatMap { exception in
        exception.currencies.flatMap { currency in
          locales.filter(exception.covers).map {
            "\(currency) \(exception.width) \(exception.code.rawValue) \($0)"
          }
        }
      }
    )
    let refused = found.reduce(into: Set<String>()) { $0.formUnion($1.1) }
    let wrong = found.flatMap(\.2)
    print(
      "proof, read by others: \(found.map(\.0).reduce(0, +)) reads, \(refused.count) refused, \(wrong.count) mismatches"
    )
    Proof.expect(wrong.isEmpty, "\(wrong.prefix(10))")
    Proof.expect(
      refused.subtracting(expected).isEmpty,
      "\(refused.subtracting(expected).sorted().prefix(10))"
    )
    Proof.expect(
      expected.subtracting(refused).isEmpty,
      "\(expected.subtracting(refused).sorted().prefix(10))"
    )
  }

  /// Reads short symbols. A symbol stands for the currency for which it is unambiguous. If there is none, it is rejected
  /// unless only one currency has it. The amount is the same.
  func readShortSymbols() async throws {
    let share = isFull ? 4 : 40
    let locales = proof.locales.indices.filter { $0.isMultiple(of: share) }.map { proof.locales[$0] }
    let found = try await proof.collect(locales) { locale, _ in
      let reader = PriceReader(try Self.formatter(locale, Currency("ZWG"), PriceStyle()))
      var (clear, findings) = ([String: String](), Findings())
      for currency in currencies {
        clear[try Self.formatter(locale, currency, PriceStyle()).string(for: 0).symbol] = currency.code
      }
      for currency in currencies {
        let formatter = try Self.formatter(locale, currency, PriceStyle(width: .narrow))
        let text = try formatter.string(for: "1234")
        guard let read = try? reader.read(text, .lenient) else { continue }
        findings.comparisons += 1
        let meant = clear[try formatter.string(for: 0).symbol] ?? currency.code
        if read.amount != "1234" || read.currency.code != meant {
          findings.mismatches.append("\(locale) \(currency) \(text.debugDescription): \(read), not \(meant)")
        }
      }
      return findings
    }
    let findings = found.reduce(into: Findings()) { $0.add($1) }
    print("proof, short symbols: \(findings.comparisons) reads, \(findings.mismatches.count) mismatches")
    Proof.expect(findings.mismatches.isEmpty, "\(findings.mismatches.prefix(10))")
    Proof.expect(findings.comparisons > 1000, "\(findings.comparisons) reads are too few")
  }

  private static func formatter(
    _ locale: String,
    _ currency: Currency,
    _ style: PriceStyle
  ) throws -> PriceFormatter {
    try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style)
  }
}

extension String {
  /// The text without digits, separators, spaces and direction marks, with narrow instead of wide characters.
  fileprivate var symbol: String {
    let wide: [Unicode.Scalar: Unicode.Scalar] = [
      "\u{FFE1}": "\u{A3}", "\u{FFE5}": "\u{A5}", "\u{FFE6}": "\u{20A9}",
    ]
    var symbol = String.UnicodeScalarView()
    for scalar in unicodeScalars
    where scalar.properties.numericType == nil && !scalar.properties.isWhitespace
      && !scalar.properties.isBidiControl && !".,\u{66B}\u{66C}".unicodeScalars.contains(scalar)
    {
      symbol.append(wide[scalar] ?? scalar)
    }
    return String(symbol).lowercased()
  }
}

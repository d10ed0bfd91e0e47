import Foundation
@_spi(Tests) import PriceTag
import ProofSupport

/// Writes currencies of ISO 4217 as custom currencies, with ICU's symbols and names, and compares them with ICU byte by byte.
struct CustomCurrencyComparison {
  let proof: Proof

  /// An entry of `custom-currencies.json`.
  private struct Entry: Encodable {
    let code: String
    let digits: Int
    let symbol: String
    let narrowSymbol: String
    let names: [String: [String: String]]
    let like: String
    let storefronts = "all"
    let reason = "a comparison with ICU"

    init?(_ currency: Currency, _ locale: PriceLocale, _ icuLocale: String) {
      guard let symbol = ReferencePattern.symbol(currency.code, icuLocale),
        let narrowSymbol = ReferencePattern.symbol(currency.code, icuLocale, isNarrow: true),
        let names = ReferencePattern.names(currency.code, icuLocale),
        [symbol, narrowSymbol].allSatisfy({ Self.isAllowed($0, maximumByteCount: 32) }),
        names.values.allSatisfy({ Self.isAllowed($0, maximumByteCount: 96) })
      else { return nil }
      code = Self.code(of: currency)
      digits = currency.standardDisplay.digits
      (self.symbol, self.narrowSymbol, like) = (symbol, narrowSymbol, currency.code)
      self.names = [locale.identifier: names]
    }

    static func code(of currency: Currency) -> String { currency.code + "Q" }

    /// Returns whether a file may have a symbol or name: digits, signs and invisible characters could change the price.
    private static func isAllowed(_ text: String, maximumByteCount: Int) -> Bool {
      text.utf8.count <= maximumByteCount && !text.hasSuffix(" ") && !text.hasPrefix(" ")
        && text.unicodeScalars.allSatisfy { scalar in
          switch scalar.properties.generalCategory {
          case .decimalNumber, .letterNumber, .otherNumber, .control: false
          case .format: ["\u{200E}", "\u{200F}", "\u{61C}", "\u{200C}", "\u{200D}"].contains(scalar)
          default: !["+", "\u{2212}"].contains(scalar)
          }
        }
    }
  }

  private struct File: Encodable {
    let schema = 1
    let currencies: [Entry]
  }

  /// Numbers in most plural categories, with and without groups.
  private static let coefficients: [Int64] = [
    0, 1, 2, 3, 5, 11, 21, 100, 300, 1100, 1234, 12_340, 1_000_000, 1_234_567_890,
  ]

  func everyLocale() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "proof-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let findings = try await proof.collect(proof.locales) { locale, index in
      var findings = Findings()
      let priceLocale = try PriceLocale(locale)
      let icuLocale = locale.replacing("-", with: "_")
      var entries: [(entry: Entry, currency: Currency)] = []
      for (number, currency) in Proof.currencies.enumerated()
      where (number + index).isMultiple(of: proof.isFull ? 4 : 40)
        || ["CHF", "EUR", "TRY"].contains(currency.code)
      {
        if let entry = Entry(currency, priceLocale, icuLocale) {
          entries.append((entry, currency))
        } else {
          findings.notes["currencies without an allowed symbol or name", default: 0] += 1
        }
      }
      let data = try Self.data(entries.map(\.entry), folder.appending(path: locale))
      for (entry, currency) in entries {
        let custom = try Currency(entry.code, in: data)
        for width in [PriceStyle.Width.standard, .narrow, .iso, .name, .hidden] {
          for sign in [PriceStyle.Sign.auto, .accounting] {
            let style = PriceStyle(width: width, sign: sign)
            findings.add(try Self.compare(priceLocale, icuLocale, currency, custom, style))
          }
        }
      }
      return findings
    }.reduce(into: Findings()) { $0.add($1) }
    print("proof, custom currencies: \(findings)")
    Proof.expect(
      findings.mismatches.isEmpty,
      "\(findings.mismatches.count): \(findings.mismatches.prefix(10).joined(separator: "; "))"
    )
    Proof.expect(
      findings.comparisons > (proof.share == .quick ? 20_000 : 500_000),
      "\(findings.comparisons) comparisons are too few"
    )
    Proof.expect(
      findings.compiled * 100 >= findings.formatters * 99,
      "\(findings.formatters - findings.compiled) formatters go through ICU"
    )
  }

  /// Returns a registry with custom currencies, from a folder that is created.
  private static func data(_ entries: [Entry], _ folder: URL) throws -> LocaleData {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try JSONEncoder().encode(File(currencies: entries)).write(
      to: folder.appending(path: "custom-currencies.json")
    )
    return try LocaleData(folder: folder.path)
  }

  private static func compare(
    _ locale: PriceLocale,
    _ icuLocale: String,
    _ currency: Currency,
    _ custom: Currency,
    _ style: PriceStyle
  ) throws -> Findings {
    var findings = Findings()
    let skeleton = style.skeleton(currency)
    let reference = try require(Reference(skeleton, icuLocale), "ICU rejects \(icuLocale) \(skeleton)")
    findings.departures = reference.repeatsCurrency ? 1 : 0
    let writer = Writer(try PriceFormatter(locale: locale, currency: custom, style: style))
    findings.formatters = 1
    findings.compiled = writer.formatter.isCompiled ? 1 : 0
    for coefficient in coefficients {
      for exponent in Set([writer.formatter.display.digits, 0]) {
        for signed in coefficient == 0 ? [0] : [coefficient, -coefficient] {
          let amount = try Amount(minorUnits: signed, exponent: exponent)
          findings.comparisons += 1
          let own = String(decoding: try writer.write(amount), as: UTF8.self)
          var expected = reference.format(amount.description).map { String(decoding: $0, as: UTF8.self) }
          // The code is the only difference.
          if style.width == .iso { expected = expected?.replacing(currency.code, with: custom.code) }
          // In pt-CV, ICU writes the symbol or code before the name, even though its fields have one currency only.
          if own != expected, style.width == .name,
            let symbol = ReferencePattern.symbol(currency.code, icuLocale)
          {
            expected = expected?.replacing("\u{A0}\(symbol) ", with: " ")
            if own == expected { findings.notes["symbols beside names", default: 0] += 1 }
          }
          if own != expected {
            findings.mismatches.append(
              "\(locale) \(custom) \(style.width) \(style.sign) \(amount): \(own), ICU \(expected ?? "fails")"
            )
          }
        }
      }
    }
    return findings
  }
}

import Foundation
import ICUReference
@_spi(Tests) import PriceTag
import SeededNumbers
import Testing

/// Writes currencies of ISO 4217 as custom currencies with ICU's own symbols and names: the bytes must be the same.
@Suite struct CustomCurrencyComparisonTests {
  /// Locales with different digits, separators, group sizes, signs, directions, plural rules and inherited names.
  static let locales = [
    "en-US", "de-AT", "es-AR", "ja-JP", "ar-EG", "hi-IN", "he-IL", "pl-PL", "ro-RO", "cy-GB", "tr-TR",
    "sr-Latn-RS", "pt-PT", "mr-IN",
  ]

  /// Currencies with different digits, and with patterns or separators of their own in some locales.
  static let codes = ["USD", "JPY", "TRY", "KWD"]

  static let amounts: [Amount] = [
    "0", "1", "2", "5", "21", "1.5", "-1234.5", "1234567.25", "1000000", "123456789012345678",
  ]

  static let styles: [PriceStyle] = {
    var styles: [PriceStyle] = []
    for width in [PriceStyle.Width.standard, .narrow, .iso, .name, .hidden] {
      for sign in [PriceStyle.Sign.auto, .accounting] {
        styles.append(PriceStyle(width: width, sign: sign, rounding: .halfEven))
      }
      styles.append(PriceStyle(width: width, zeros: .trim, rounding: .halfEven))
    }
    for width in [PriceStyle.Width.standard, .name] {
      styles.append(
        PriceStyle(width: width, sign: .exceptZero, rounding: .halfEven, qualifier: .approximately)
      )
      styles.append(PriceStyle(width: width, rounding: .halfEven, notation: .compactShort))
    }
    styles.append(PriceStyle(width: .name, rounding: .halfEven, notation: .compactLong, qualifier: .atLeast))
    for width in [PriceStyle.Width.standard, .name] {
      styles.append(PriceStyle(width: width, sign: .exceptZero, digits: .range(0...2), rounding: .halfEven))
      styles.append(PriceStyle(width: width, rounding: .halfEven, grouping: .always, numberingSystem: "arab"))
    }
    return styles
  }()

  /// A custom currency for each of the codes, with its symbols and names in one locale.
  private static func data(_ locale: String) throws -> LocaleData {
    let icu = locale.replacing("-", with: "_")
    let samples = try PluralSamples(locale: icu)
    let entries = try codes.map { code in
      let names = try samples.categories(of: code) { name($0, icu, code) }.map {
        "\"\($0)\":\"\(try #require(name($0, icu, code)))\""
      }
      return """
        {"code":"\(code)Q","digits":\(try Currency(code).standardDisplay.digits),
         "symbol":"\(try #require(name("symbol", icu, code)))",
         "narrowSymbol":"\(try #require(name("narrow", icu, code)))",
         "like":"\(code)","storefronts":"all","reason":"a comparison","names":{"\(locale)":{\(names.joined(separator: ","))}}}
        """
    }
    let folder = try Folder([
      "custom-currencies.json": CustomCurrencyTests.file(entries.joined(separator: ","))
    ])
    return try LocaleData(folder: folder.path)
  }

  private static func name(_ kind: String, _ locale: String, _ code: String) -> String? {
    var text = [UInt8](repeating: 0, count: 512)
    let count = icu_reference_currency_name(kind, locale, code, &text, Int32(text.count))
    return count < 0 ? nil : String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }

  @Test(arguments: locales)
  func writesSameBytesAsICU(locale: String) throws {
    let data = try Self.data(locale)
    let priceLocale = try PriceLocale(locale)
    var mismatches: [String] = []
    var (comparisons, notCompiled) = (0, 0)
    let place = Self.locales.firstIndex(of: locale) ?? 0
    for (index, code) in Self.codes.enumerated() {
      let (currency, custom) = (try Currency(code), try Currency("\(code)Q", in: data))
      for style in ComparisonShare.of(Self.styles, at: place + index, parts: 3) {
        let expected = try PriceFormatter(locale: priceLocale, currency: currency, style: style)
        let compiled = try PriceFormatter(locale: priceLocale, currency: custom, style: style)
        let icu = try PriceFormatter(
          locale: priceLocale,
          currency: custom,
          style: style,
          compilesPattern: false
        )
        if expected.isCompiled, !compiled.isCompiled { notCompiled += 1 }
        for amount in Self.amounts {
          // The code is the only difference.
          var text = try expected.string(for: amount)
          if style.width == .iso { text = text.replacing(code, with: "\(code)Q") }
          for formatter in [compiled, icu] {
            comparisons += 1
            let written = try formatter.string(for: amount)
            if written != text || !written.utf8.elementsEqual(text.utf8) {
              mismatches.append("\(code) \(style.width) \(style.sign) \(amount): \(written), not \(text)")
            }
          }
          if try compiled.format(amount).parts != icu.format(amount).parts {
            mismatches.append("\(code) \(style.width) \(amount): parts")
          }
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count) of \(comparisons): \(mismatches.prefix(8))")
    #expect(comparisons > Self.codes.count * Self.styles.count / 4 * Self.amounts.count * 2)
    #expect(notCompiled == 0)
  }

  @Test(arguments: locales)
  func writesSameRangesAsICU(locale: String) throws {
    let data = try Self.data(locale)
    let priceLocale = try PriceLocale(locale)
    var mismatches: [String] = []
    for code in Self.codes {
      for width in [PriceStyle.Width.standard, .narrow, .iso, .name, .hidden] {
        let style = PriceStyle(width: width, rounding: .halfEven)
        let expected = try PriceFormatter(locale: priceLocale, currency: Currency(code), style: style)
        let custom = try PriceFormatter(
          locale: priceLocale,
          currency: Currency("\(code)Q", in: data),
          style: style
        )
        for (low, high) in [("0", "1"), ("1", "2"), ("2", "5"), ("-5", "11"), ("1.5", "1234.25")]
          as [(Amount, Amount)]
        {
          var text = try expected.format(from: low, to: high).text
          if width == .iso { text = text.replacing(code, with: "\(code)Q") }
          let written = try custom.format(from: low, to: high).text
          if written != text { mismatches.append("\(code) \(width) \(low) \(high): \(written), not \(text)") }
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(8))")
  }
}

/// The plural categories of a locale, each with a number of it.
private struct PluralSamples {
  private let locale: String
  private var decimals: [String: (decimal: String, digits: Int)] = ["other": ("100", 0)]

  init(locale: String) throws {
    self.locale = locale
    let plurals = try #require(icu_reference_plurals_open(locale, false))
    defer { icu_reference_plurals_close(plurals) }
    for number in Array(0...210) + [1_000, 1_000_000] {
      for (decimal, digits) in [
        ("\(number)", 0), ("\(number).0", 1), ("\(number).01", 2), ("\(number).1", 1),
      ] {
        var name = [CChar](repeating: 0, count: 16)
        guard icu_reference_plurals_select(plurals, decimal, Int32(digits), &name, 16) else { continue }
        let category = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        decimals[category] = decimals[category] ?? (decimal, digits)
      }
    }
  }

  /// The categories in which ICU writes names of a currency.
  ///
  /// Where CLDR has no pattern of names for a category, ICU writes the name of `other`: CLDR 42 in Marathi, for example.
  func categories(of code: String, name: (String) -> String?) -> [String] {
    let other = name("other") ?? ""
    return decimals.sorted { $0.key < $1.key }.filter { category, sample in
      var text = [UInt8](repeating: 0, count: 512)
      let digits =
        sample.digits == 0 ? "precision-integer" : "." + String(repeating: "0", count: sample.digits)
      let skeleton = "currency/\(code) unit-width-full-name \(digits)"
      let count = icu_reference_number(skeleton, locale, sample.decimal, &text, Int32(text.count))
      let written = String(decoding: text.prefix(max(0, Int(count))), as: UTF8.self)
      func isWritten(_ name: String) -> Bool { written.hasPrefix(name) || written.hasSuffix(name) }
      return category == "other" || isWritten(name(category) ?? "") || !isWritten(other)
    }.map(\.key)
  }
}

import ICUReference
@_spi(Tests) import PriceTag
import SeededNumbers
import Testing

/// Compares the styles' options with ICU's formatter, which is given the same options as a number skeleton.
@Suite struct PriceStyleComparison {
  /// Locales with different digits, separators, group sizes, signs and directions.
  static let places: [(locale: String, currency: String)] = [
    ("en-US", "USD"), ("de-DE", "EUR"), ("de-CH", "CHF"), ("de-AT", "EUR"), ("es-ES", "EUR"),
    ("ja-JP", "JPY"),
    ("ar-EG", "EGP"), ("hi-IN", "INR"), ("fa-IR", "IRR"), ("he-IL", "ILS"), ("ee-GH", "GHS"),
    ("pt-CV", "CVE"),
    ("zh-TW", "TWD"), ("tr-TR", "TRY"), ("fr-CA", "CAD"), ("bn-BD", "BDT"), ("pl-PL", "USD"),
    ("ku-TR", "TRY"),
  ]

  static let styles: [PriceStyle] = {
    var styles = [
      PriceStyle(
        width: .iso,
        zeros: .trim,
        sign: .accountingExceptZero,
        digits: .range(0...3),
        grouping: .min2,
        numberingSystem: "arab"
      )
    ]
    for sign in PriceStyle.Sign.allCases {
      styles.append(PriceStyle(sign: sign))
      styles.append(PriceStyle(width: .name, sign: sign))
    }
    for width in [PriceStyle.Width.hidden, .formal, .variant] {
      styles.append(PriceStyle(width: width))
      styles.append(PriceStyle(width: width, sign: .accounting))
      styles.append(PriceStyle(width: width, sign: .exceptZero))
    }
    for width in [PriceStyle.Width.standard, .hidden, .name] {
      for grouping in PriceStyle.Grouping.allCases {
        styles.append(PriceStyle(width: width, grouping: grouping))
      }
    }
    for width in [PriceStyle.Width.standard, .name] {
      styles.append(PriceStyle(width: width, digits: .minorUnits))
      styles.append(PriceStyle(width: width, zeros: .trim, sign: .accounting, digits: .minorUnits))
      for range in [0...1, 0...2, 1...2, 0...18, 2...4] as [ClosedRange<Int>] {
        styles.append(PriceStyle(width: width, digits: .range(range)))
        styles.append(PriceStyle(width: width, zeros: .trim, digits: .range(range)))
      }
    }
    for width in [PriceStyle.Width.standard, .iso, .name] {
      for numbering in ["latn", "arab", "arabext", "deva", "beng", "fullwide", "hanidec", "mathsanb"] {
        styles.append(PriceStyle(width: width, sign: .accounting, numberingSystem: numbering))
      }
    }
    for index in styles.indices { styles[index].rounding = .halfEven }
    return styles
  }()

  static let amounts: [Amount] = [
    "0", "0.00", "1", "1.5", "2.00", "5.25", "-5", "-5.50", "0.125", "-0.125", "999.996", "1234", "-1234.50",
    "12345.6", "1234567.25", "-123456789012345678",
  ]

  /// The styles that are tried in a place.
  private static func styles(in locale: String) -> [PriceStyle] {
    ComparisonShare.of(styles, at: places.firstIndex { $0.locale == locale } ?? 0, parts: 4)
  }

  @Test(arguments: places)
  func writesSameBytesAsICU(locale: String, currency: String) throws {
    var mismatches: [String] = []
    for style in Self.styles(in: locale) {
      let formatter = try PriceFormatter(locale, currency, style)
      if !formatter.isCompiled { mismatches.append("\(style) is not compiled") }
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: formatter.maximumUTF8Count)
      defer { buffer.deallocate() }
      for amount in Self.amounts {
        let price = try formatter.format(amount)
        // Amounts have no negative zero.
        let sent = price.displayedAmount.isZero ? .zero : amount
        // ICU writes some names twice, which is a departure that the proof compares.
        if style.width == .name, currency == "TRY" { continue }
        let expected = Self.icu {
          icu_reference_number(style.skeleton(currency), locale.icu, sent.description, $0, $1)
        }
        if price.text != expected { mismatches.append("\(style) \(amount): \(price.text), ICU \(expected)") }
        if price.parts.map(\.value).joined() != price.text { mismatches.append("\(style) \(amount): parts") }
        let count = try formatter.write(amount, into: buffer)
        if !buffer.prefix(count).elementsEqual(price.text.utf8) {
          mismatches.append("\(style) \(amount): buffer")
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(5))")
  }

  @Test(arguments: places)
  func writesSameRangesAsICU(locale: String, currency: String) throws {
    var mismatches: [String] = []
    for style in Self.styles(in: locale) {
      // ICU writes some names twice, which is a departure that the proof compares.
      if style.width == .name, currency == "TRY" { continue }
      let formatter = try PriceFormatter(locale, currency, style)
      for (low, high) in Self.ranges where style.sign != .never || !low.isNegative {
        let price = try formatter.format(from: low, to: high)
        // PriceTag rounds the bounds before ICU formats them.
        let (shownLow, shownHigh) = (
          price.displayedAmount, try formatter.format(high).displayedAmount
        )
        let expected = Self.icu {
          icu_reference_range(
            style.skeleton(currency),
            locale.icu,
            shownLow.description,
            shownHigh.description,
            $0,
            $1
          )
        }
        if price.text != expected {
          mismatches.append("\(style) \(low) to \(high): \(price.text), ICU \(expected)")
        }
        if price.parts.map(\.value).joined() != price.text { mismatches.append("\(style) \(low): parts") }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(5))")
  }

  /// Ranges of most pairs of plural categories, with and without fractions, groups and a sign.
  static let ranges: [(Amount, Amount)] = [
    ("0", "1"), ("0", "2"), ("0", "5"), ("0", "100"), ("1", "2"), ("1", "5"), ("1", "21"), ("2", "3"),
    ("2", "11"),
    ("2", "100"), ("3", "11"), ("5", "21"), ("11", "100"), ("1.5", "2"), ("1.5", "1234.25"), ("0.25", "0.5"),
    ("1234", "12345"), ("999.5", "1234567.25"), ("1000000", "2000000"), ("-5", "5"), ("-1234", "0"),
    ("5", "123456789012345678"),
  ]

  @Test(arguments: places)
  func writesSameApproximationsAsICU(locale: String, currency: String) throws {
    var mismatches: [String] = []
    let accountingSigns: [PriceStyle.Sign] = [
      .accounting, .accountingAlways, .accountingExceptZero, .accountingNegative,
    ]
    for var style in Self.styles(in: locale) where style.width != .name || currency != "TRY" {
      style.qualifier = .approximately
      if accountingSigns.contains(style.sign) {
        // ICU writes ($5.00) for about -5.
        #expect(throws: PriceTagError.self) {
          try PriceFormatter(locale, currency, style)
        }
        continue
      }
      let formatter = try PriceFormatter(locale, currency, style)
      if !formatter.isCompiled { mismatches.append("\(style) is not compiled") }
      for amount in Self.amounts {
        let price = try formatter.format(amount)
        let expected = Self.icu {
          icu_reference_approximate(
            style.skeleton(currency),
            locale.icu,
            price.displayedAmount.description,
            $0,
            $1
          )
        }
        if price.text != expected { mismatches.append("\(style) \(amount): \(price.text), ICU \(expected)") }
        if price.parts.map(\.value).joined() != price.text { mismatches.append("\(style) \(amount): parts") }
        if price.parts.count(where: { $0.type == .qualifier }) != 1 {
          mismatches.append("\(style) \(amount): no qualifier in \(price.parts.map(\.value))")
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(5))")
  }

  /// At least an amount is written by CLDR's pattern around the price.
  @Test(
    arguments: [
      ("en-US", "USD", "", "+"), ("de-DE", "EUR", "", "+"), ("ja-JP", "JPY", "", " 以上"),
      ("ar-EG", "EGP", "+", ""), ("fr-FR", "EUR", "≥", ""), ("fr-CI", "XOF", "au moins ", ""),
      ("es-MX", "MXN", "Más de ", ""), ("fa-IR", "IRR", "\u{200E}", "+\u{200E}"), ("zh-TW", "TWD", "", "+"),
      ("sv-SE", "SEK", "⩾", ""), ("bg-BG", "EUR", "≥ ", ""), ("fi-FI", "EUR", "vähintään ", ""),
    ]
  )
  func writesPatternOfAtLeast(locale: String, currency: String, prefix: String, suffix: String) throws {
    for var style in ComparisonShare.of(Self.styles, at: locale.utf8.reduce(0) { $0 + Int($1) }, parts: 4) {
      let (locale, currency) = (try PriceLocale(locale), try Currency(currency))
      let plain = try PriceFormatter(locale: locale, currency: currency, style: style)
      style.qualifier = .atLeast
      let formatter = try PriceFormatter(locale: locale, currency: currency, style: style)
      #expect(formatter.isCompiled)
      for amount in Self.amounts {
        let price = try formatter.format(amount)
        #expect(price.text == prefix + (try plain.string(for: amount)) + suffix)
        #expect(
          price.parts.filter { $0.type == .qualifier }.map(\.value)
            == [prefix, suffix].filter { !$0.isEmpty }
        )
        #expect(price.parts.map(\.value).joined() == price.text)
      }
    }
  }

  /// Ranges that have no unambiguous text are errors.
  @Test(
    arguments: [
      (PriceStyle(), "5", "4", "the range starts at 5, above its end 4; swap the two"),
      (
        PriceStyle(), "-5", "-4",
        "both ends of the range from -5 to -4 are negative, and its sign would be ambiguous; "
          + "format the two amounts separately"
      ),
      (
        PriceStyle(sign: .never), "-5", "3",
        "the range from -5 to 3 starts below zero, which the sign never would hide; "
          + "use the sign auto, or format the two amounts separately"
      ),
      (
        PriceStyle(qualifier: .atLeast), "4", "5",
        "a range cannot have the qualifier at-least; use the qualifier none, or format a single amount"
      ),
    ] as [(PriceStyle, Amount, Amount, String)]
  )
  func refusesRanges(style: PriceStyle, low: Amount, high: Amount, message: String) throws {
    let formatter = try PriceFormatter("USA", style)
    let error = #expect(throws: PriceTagError.self) { try formatter.format(from: low, to: high) }
    #expect(error?.description == message)
  }

  /// The parts of a price are the fields that ICU reports, whichever formatter of a family writes it.
  @Test(arguments: places)
  func returnsSamePartsAsICU(locale: String, currency: String) throws {
    for style in Self.styles where style.width != .name {
      let (locale, currency) = (try PriceLocale(locale), try Currency(currency))
      let compiled = try PriceFormatter(locale: locale, currency: currency, style: style)
      let icu = try PriceFormatter(locale: locale, currency: currency, style: style, compilesPattern: false)
      #expect(!icu.isCompiled)
      for amount in ["0", "7.5", "-1234", "1234567.25"] as [Amount] {
        let (own, expected) = (try compiled.format(amount), try icu.format(amount))
        #expect(own.text == expected.text, "\(style) \(amount)")
        #expect(own.parts == expected.parts, "\(style) \(amount)")
      }
    }
  }

  private static func icu(_ write: (UnsafeMutablePointer<UInt8>, Int32) -> Int32) -> String {
    var text = [UInt8](repeating: 0, count: 1536)
    let count = write(&text, Int32(text.count))
    return count < 0 ? "fails" : String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}

extension String {
  fileprivate var icu: String { replacing("-", with: "_") }
}

extension PriceStyle {
  /// Returns the style as an ICU number skeleton. This shares no code with the library's options for ICU.
  func skeleton(_ currency: String) -> String {
    var stems = ["currency/\(currency)", "sign-\(sign.rawValue)"]
    if notation != .standard { stems.append(notation.rawValue) }
    if rounding != .exact { stems.append("rounding-mode-\(rounding.rawValue)") }
    switch width {
    case .standard, .unambiguous: break
    case .iso: stems.append("unit-width-iso-code")
    case .name: stems.append("unit-width-full-name")
    case .narrow, .hidden, .formal, .variant: stems.append("unit-width-\(width.rawValue)")
    }
    let trim = zeros == .trim ? "/w" : ""
    switch digits {
    // ICU's compact notations have digits of their own.
    case .standard where notation != .standard: break
    case .standard: stems.append("precision-currency-standard\(trim)")
    case .cash: stems.append("precision-currency-cash\(trim)")
    case .minorUnits:
      let digits = (try? Currency(currency).minorUnitDigits) ?? 0
      stems.append("." + String(repeating: "0", count: digits) + trim)
    case .fixed(let digits): stems.append("." + String(repeating: "0", count: digits) + trim)
    case .range(let range):
      let optional = String(repeating: "#", count: range.count - 1)
      stems.append("." + String(repeating: "0", count: range.lowerBound) + optional + trim)
    }
    switch grouping {
    case .auto: break
    case .always: stems.append("group-on-aligned")
    case .min2: stems.append("group-min2")
    case .never: stems.append("group-off")
    }
    if let numberingSystem { stems.append("numbering-system/\(numberingSystem)") }
    return stems.joined(separator: " ")
  }
}

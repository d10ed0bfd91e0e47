import ICUReference
import PriceTag
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

  @Test(arguments: places)
  func writesSameBytesAsICU(locale: String, currency: String) throws {
    var mismatches: [String] = []
    for style in Self.styles {
      let formatter = try PriceFormatter(
        locale: PriceLocale(locale),
        currency: Currency(currency),
        style: style
      )
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
    for style in Self.styles where style.width != .name {
      let formatter = try PriceFormatter(
        locale: PriceLocale(locale),
        currency: Currency(currency),
        style: style
      )
      for (low, high) in [("0", "5"), ("-5", "5"), ("1.5", "1234.25"), ("1234", "12345")]
        as [(Amount, Amount)]
      {
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
  fileprivate func skeleton(_ currency: String) -> String {
    var stems = ["currency/\(currency)", "sign-\(sign.rawValue)"]
    switch width {
    case .standard, .unambiguous: break
    case .iso: stems.append("unit-width-iso-code")
    case .name: stems.append("unit-width-full-name")
    case .narrow, .hidden, .formal, .variant: stems.append("unit-width-\(width.rawValue)")
    }
    let trim = zeros == .trim ? "/w" : ""
    switch digits {
    case .standard: stems.append("precision-currency-standard\(trim)")
    case .cash: stems.append("precision-currency-cash\(trim)")
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

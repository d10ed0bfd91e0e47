import ICUFormatter
import PriceTag
import Synchronization

/// ICU's formatter through its C interface, which prices are compared with.
///
/// There is one intended difference: if ICU writes a currency's symbol or code beside its full name, PriceTag writes only
/// the name, and only the sign before the number.
package final class Reference {
  private let formatter: OpaquePointer
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1536)
  /// A formatter for plain numbers; `nil` unless ICU writes the currency twice.
  private var signs: OpaquePointer?

  /// Creates a formatter for a skeleton in a locale in ICU's spelling; returns `nil` if ICU rejects it.
  package init?(_ skeleton: String, _ locale: String) {
    guard let formatter = icu_reference_open(skeleton, locale) else { return nil }
    self.formatter = formatter
    // ICU 72 uses another code path for the first two calls, which garbles names in the locales of en-150: for en-AT it
    // first returns "AWG 0.0 Aruban florin0", and "AWG 0.00 Aruban florin" from the third call on. ICU 78 fixed this.
    for _ in 0..<3 { _ = formatAsICU("5") }
    guard let five = split("5", formatter), five.currencyCount > 1 else { return }
    let signStems = skeleton.split(separator: " ").filter {
      $0.hasPrefix("sign-") || $0.hasPrefix("numbering-system/")
    }
    signs = icu_reference_open(signStems.joined(separator: " "), locale)
  }

  deinit {
    icu_reference_close(formatter)
    if let signs { icu_reference_close(signs) }
    buffer.deallocate()
  }

  /// A Boolean value that indicates whether ICU writes the currency twice.
  package var repeatsCurrency: Bool { signs != nil }

  /// Returns ICU's text, corrected for the intended difference. The result is valid until the next call.
  package func format(_ decimal: String) -> UnsafeBufferPointer<UInt8>? {
    guard let signs else { return formatAsICU(decimal) }
    guard let sign = split(decimal, signs), let price = split(decimal.replacing("-", with: ""), formatter)
    else { return nil }
    let text = sign.text[..<sign.numberStart] + price.text[price.numberStart...]
    _ = buffer.update(fromContentsOf: text)
    return UnsafeBufferPointer(rebasing: buffer[..<text.count])
  }

  /// Returns the digits that ICU displays, as a decimal number: `1.2` for 1200 in compact notation.
  package func digits(_ decimal: String) -> String? {
    var digits = [CChar](repeating: 0, count: 256)
    let count = icu_reference_digits(
      formatter,
      decimal,
      Int32(decimal.utf8.count),
      &digits,
      Int32(digits.count)
    )
    return count < 0
      ? nil : String(decoding: digits.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func split(
    _ decimal: String,
    _ formatter: OpaquePointer
  ) -> (text: [UInt8], numberStart: Int, currencyCount: Int)? {
    var text = [UInt8](repeating: 0, count: 1536)
    var (numberStart, currencyCount): (Int32, Int32) = (0, 0)
    let count = icu_reference_split(
      formatter,
      decimal,
      Int32(decimal.utf8.count),
      &text,
      Int32(text.count),
      &numberStart,
      &currencyCount
    )
    guard count >= 0, numberStart >= 0 else { return nil }
    return (Array(text.prefix(Int(count))), Int(numberStart), Int(currencyCount))
  }

  private func formatAsICU(_ decimal: String) -> UnsafeBufferPointer<UInt8>? {
    var decimal = decimal
    let count = decimal.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        icu_reference_format(
          formatter,
          $0.baseAddress,
          Int32($0.count),
          buffer.baseAddress,
          Int32(buffer.count)
        )
      }
    }
    return count < 0 ? nil : UnsafeBufferPointer(rebasing: buffer[..<Int(count)])
  }
}

/// ICU's formatter of ranges through its C interface.
package final class RangeReference {
  private let formatter: OpaquePointer
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 3072)

  /// Creates a formatter for a skeleton in a locale in ICU's spelling; returns `nil` if ICU rejects it.
  ///
  /// - Parameter isApproximate: Whether equal bounds are written as an approximate number.
  package init?(_ skeleton: String, _ locale: String, isApproximate: Bool = false) {
    guard let formatter = icu_reference_range_open(skeleton, locale, isApproximate) else { return nil }
    self.formatter = formatter
  }

  deinit {
    icu_reference_range_close(formatter)
    buffer.deallocate()
  }

  /// Returns ICU's text of a range; `nil` if ICU fails. The result is valid until the next call.
  package func format(_ low: String, _ high: String) -> UnsafeBufferPointer<UInt8>? {
    let count = icu_reference_range_format(
      formatter,
      low,
      Int32(low.utf8.count),
      high,
      Int32(high.utf8.count),
      buffer.baseAddress,
      Int32(buffer.count)
    )
    return count < 0 ? nil : UnsafeBufferPointer(rebasing: buffer[..<Int(count)])
  }
}

/// CLDR's patterns for amounts, read from ICU's data.
package enum ReferencePattern {
  /// Returns the pattern for "at least" in a locale in ICU's spelling, such as `{0}+`.
  package static func atLeast(_ locale: String, numberingSystem: String?) -> String? {
    text { icu_reference_at_least_pattern(locale, numberingSystem ?? "", $0, $1) }
  }

  /// Returns the pattern for an amount per quantity of a unit, such as `{0}/100 mL`.
  ///
  /// - Parameters:
  ///   - unit: ICU's identifier of the unit.
  ///   - locale: The locale in ICU's spelling.
  ///   - width: The width of the currency.
  package static func unitPrice(
    _ unit: String,
    _ quantity: Int,
    _ locale: String,
    _ width: PriceStyle.Width
  ) -> String? {
    let table =
      switch width {
      case .name: "units"
      case .narrow: "unitsNarrow"
      case .standard, .iso, .hidden, .formal, .variant, .unambiguous: "unitsShort"
      }
    return text { icu_reference_unit_pattern(locale, table, unit, Int32(quantity), $0, $1) }
  }

  /// Returns the symbol of a currency in a locale in ICU's spelling.
  package static func symbol(_ code: String, _ locale: String, isNarrow: Bool = false) -> String? {
    text { icu_reference_currency_symbol(locale, code, isNarrow, $0, $1) }
  }

  /// Returns the names of a currency by plural category in a locale in ICU's spelling; `nil` if ICU has none.
  package static func names(_ code: String, _ locale: String) -> [String: String]? {
    let names = text { icu_reference_currency_names(locale, code, $0, $1) }
    guard let fields = names?.split(separator: "\t", omittingEmptySubsequences: false) else { return nil }
    var byCategory: [String: String] = [:]
    for index in stride(from: 0, to: fields.count - 1, by: 2) {
      byCategory[String(fields[index])] = String(fields[index + 1])
    }
    return byCategory
  }

  /// Returns the text that a function writes; `nil` if it returns a negative count.
  private static func text(_ write: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2048) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = write(start, Int32(buffer.count))
      guard count >= 0 else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<Int(count)]),
        as: UTF8.self
      )
    }
  }
}

extension ContentUnit {
  /// ICU's identifier of the unit: `square-meter`. It is the name of the case in other letters.
  package var icuIdentifier: String {
    "\(self)".map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }
}

extension PriceStyle {
  /// Returns the style as an ICU number skeleton. This shares no code with the library's options for ICU.
  ///
  /// ICU has no width `unambiguous`; see `withICUWidth(_:_:)`.
  package func skeleton(_ currency: Currency) -> String {
    var stems = ["currency/\(currency.code)"]
    switch width {
    case .standard, .unambiguous: break
    case .narrow: stems.append("unit-width-narrow")
    case .iso: stems.append("unit-width-iso-code")
    case .name: stems.append("unit-width-full-name")
    case .hidden: stems.append("unit-width-hidden")
    case .formal: stems.append("unit-width-formal")
    case .variant: stems.append("unit-width-variant")
    }
    switch sign {
    case .auto: break
    case .accounting: stems.append("sign-accounting")
    case .always: stems.append("sign-always")
    case .never: stems.append("sign-never")
    case .exceptZero: stems.append("sign-except-zero")
    case .accountingAlways: stems.append("sign-accounting-always")
    case .accountingExceptZero: stems.append("sign-accounting-except-zero")
    case .negative: stems.append("sign-negative")
    case .accountingNegative: stems.append("sign-accounting-negative")
    }
    switch grouping {
    case .auto: break
    case .always: stems.append("group-on-aligned")
    case .min2: stems.append("group-min2")
    case .never: stems.append("group-off")
    }
    if let numberingSystem { stems.append("numbering-system/\(numberingSystem)") }
    switch notation {
    case .standard: break
    case .compactShort, .compactLong: stems.append(notation.rawValue)
    }
    let trim = zeros == .trim ? "/w" : ""
    switch digits {
    // ICU's own digits of compact notations, which are not those of the currency.
    case .standard where notation != .standard, .cash where notation != .standard: break
    case .standard: stems.append("precision-currency-standard\(trim)")
    case .cash where currency.cashDisplay.step > 1:
      // With a step, ICU's cash precision does not use CLDR's digits: it writes DKK 0.5 instead of DKK 0.50.
      let display = currency.cashDisplay
      let step = String(display.step)
      let padded = String(repeating: "0", count: max(0, display.digits + 1 - step.count)) + step
      let (integer, fraction) = (padded.dropLast(display.digits), padded.suffix(display.digits))
      stems.append("precision-increment/\(fraction.isEmpty ? "\(integer)" : "\(integer).\(fraction)")\(trim)")
    case .cash: stems.append("precision-currency-cash\(trim)")
    case .minorUnits:
      stems.append("." + String(repeating: "0", count: currency.minorUnitDigits ?? 0) + trim)
    case .fixed(0): stems.append("precision-integer")
    case .fixed(let digits): stems.append("." + String(repeating: "0", count: digits) + trim)
    case .range(let range):
      let (required, optional) = (range.lowerBound, range.upperBound - range.lowerBound)
      stems.append(
        "." + String(repeating: "0", count: required) + String(repeating: "#", count: optional) + trim
      )
    }
    switch rounding {
    case .exact, .halfEven: break
    default: stems.append("rounding-mode-\(rounding.rawValue)")
    }
    return stems.joined(separator: " ")
  }
}

extension PriceStyle {
  /// Returns the style with the width that the width `unambiguous` has for a currency in a locale in ICU's spelling.
  ///
  /// - Parameter date: The date that decides which currencies are current.
  package func withICUWidth(
    _ currency: Currency,
    _ locale: String,
    on date: CalendarDate = .todayInUTC
  ) throws -> PriceStyle {
    guard width == .unambiguous else { return self }
    var style = self
    style.width = try SharedSymbols.inLocale(locale, on: date).isShared(currency) ? .iso : .standard
    return style
  }
}

/// The symbols of the currencies that are current on a date in a locale, read from ICU's text.
private struct SharedSymbols {
  private static let stored = Mutex<[String: SharedSymbols]>([:])

  private let standard: [String: [UInt8]]
  private let narrow: [[UInt8]: Set<String>]

  static func inLocale(_ locale: String, on date: CalendarDate) throws -> SharedSymbols {
    let key = "\(locale) \(date)"
    if let symbols = stored.withLock({ $0[key] }) { return symbols }
    let symbols = try SharedSymbols(locale, date)
    stored.withLock { $0[key] = symbols }
    return symbols
  }

  private init(_ locale: String, _ date: CalendarDate) throws {
    var (standard, narrow) = ([String: [UInt8]](), [[UInt8]: Set<String>]())
    for currency in LocaleData.embedded.currencies where currency.isCurrent(on: date) {
      let skeleton = "currency/\(currency.code) precision-integer"
      standard[currency.code] = try Self.symbol(skeleton, locale)
      narrow[try Self.symbol(skeleton + " unit-width-narrow", locale), default: []].insert(currency.code)
    }
    (self.standard, self.narrow) = (standard, narrow)
  }

  private static func symbol(_ skeleton: String, _ locale: String) throws -> [UInt8] {
    var text = [UInt8](repeating: 0, count: 1536)
    let count = icu_reference_symbol(skeleton, locale, &text, Int32(text.count))
    guard count >= 0 else { throw MissingSymbol(skeleton: skeleton, locale: locale) }
    return Array(text.prefix(Int(count)))
  }

  func isShared(_ currency: Currency) -> Bool {
    guard let symbol = standard[currency.code], let codes = narrow[symbol] else { return false }
    return codes.contains { $0 != currency.code }
  }
}

private struct MissingSymbol: Error {
  let skeleton: String
  let locale: String
}

/// CLDR's names of the numbering systems with ten digits.
package let decimalNumberingSystems: [String] = {
  var names = [CChar](repeating: 0, count: 4096)
  let count = icu_reference_numbering_systems(&names, Int32(names.count))
  let text = String(decoding: names.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)), as: UTF8.self)
  return text.split(separator: " ").map(String.init)
}()

/// Writes a formatter's prices into a buffer.
package struct Writer: ~Copyable {
  package let formatter: PriceFormatter
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  package init(_ formatter: PriceFormatter) {
    self.formatter = formatter
    buffer = .allocate(capacity: max(1536, formatter.maximumUTF8Count))
  }

  deinit { buffer.deallocate() }

  package func write(_ amount: Amount) throws(PriceTagError) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: buffer[..<(try formatter.write(amount, into: buffer))])
  }
}

import ICUFormatter
import PriceTag

/// ICU's own formatter, through its C interface: what prices are compared with.
///
/// One departure is known here, as a rule: where ICU writes a currency's symbol or code beside its full name, PriceTag
/// writes the name alone, and before the number the sign alone.
package final class Reference {
  private let formatter: OpaquePointer
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1536)
  /// The numbers alone, where ICU repeats the currency.
  private var signs: OpaquePointer?

  /// The formatter of a skeleton in a locale as ICU spells it; `nil` where ICU refuses.
  package init?(_ skeleton: String, _ locale: String) {
    guard let formatter = icu_reference_open(skeleton, locale) else { return nil }
    self.formatter = formatter
    // The first two calls of ICU 72 take another path, which garbles names in the locales of en-150: en-AT gives
    // "AWG 0.0 Aruban florin0" at first, "AWG 0.00 Aruban florin" from the third call on. ICU 78 has mended it.
    for _ in 0..<3 { _ = formatAsICU("5") }
    guard let five = split("5", formatter), five.currencyCount > 1 else { return }
    let signStems = skeleton.split(separator: " ").filter { $0.hasPrefix("sign-") }
    signs = icu_reference_open(signStems.joined(separator: " "), locale)
  }

  deinit {
    icu_reference_close(formatter)
    if let signs { icu_reference_close(signs) }
    buffer.deallocate()
  }

  /// Whether ICU writes the currency twice.
  package var repeatsCurrency: Bool { signs != nil }

  /// What ICU writes, but for the departure; valid until the next call.
  package func format(_ decimal: String) -> UnsafeBufferPointer<UInt8>? {
    guard let signs else { return formatAsICU(decimal) }
    guard let sign = split(decimal, signs), let price = split(decimal.replacing("-", with: ""), formatter)
    else { return nil }
    let text = sign.text[..<sign.numberStart] + price.text[price.numberStart...]
    _ = buffer.update(fromContentsOf: text)
    return UnsafeBufferPointer(rebasing: buffer[..<text.count])
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

extension PriceStyle {
  /// The style as an ICU number skeleton, written here anew: nothing of the library's own options is used.
  package func skeleton(_ currency: Currency) -> String {
    var stems = ["currency/\(currency.code)"]
    switch width {
    case .standard: break
    case .narrow: stems.append("unit-width-narrow")
    case .iso: stems.append("unit-width-iso-code")
    case .name: stems.append("unit-width-full-name")
    }
    switch sign {
    case .auto: break
    case .accounting: stems.append("sign-accounting")
    case .always: stems.append("sign-always")
    case .never: stems.append("sign-never")
    }
    let trim = zeros == .trim ? "/w" : ""
    switch digits {
    case .standard: stems.append("precision-currency-standard\(trim)")
    case .cash where currency.cashDisplay.step > 1:
      // ICU's own cash precision forgets CLDR's digits where there is a step: it writes DKK 0.5 for DKK 0.50.
      let display = currency.cashDisplay
      let step = String(display.step)
      let padded = String(repeating: "0", count: max(0, display.digits + 1 - step.count)) + step
      let (whole, fraction) = (padded.dropLast(display.digits), padded.suffix(display.digits))
      stems.append("precision-increment/\(fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)")")
    case .cash: stems.append("precision-currency-cash\(trim)")
    case .fixed(0): stems.append("precision-integer")
    case .fixed(let digits): stems.append("." + String(repeating: "0", count: digits) + trim)
    }
    switch rounding {
    case .exact, .halfEven: break
    default: stems.append("rounding-mode-\(rounding.rawValue)")
    }
    return stems.joined(separator: " ")
  }
}

/// A writer of one formatter's prices into one buffer.
package struct Writer: ~Copyable {
  package let formatter: PriceFormatter
  private let buffer: UnsafeMutableBufferPointer<UInt8>

  package init(_ formatter: PriceFormatter) {
    self.formatter = formatter
    buffer = .allocate(capacity: max(1536, formatter.maximumUTF8Count))
  }

  deinit { buffer.deallocate() }

  package func write(_ amount: Amount) throws -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: buffer[..<(try formatter.write(amount, into: buffer))])
  }
}

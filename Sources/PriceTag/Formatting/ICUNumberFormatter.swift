import CICU
import PriceTagSystem

/// The options of ICU's number formatter: a locale, a currency or another unit, and the style.
struct ICUNumberOptions: Sendable {
  enum Unit: Sendable {
    case currency(String)
    case none, percent
    case period(SubscriptionPeriod.Unit)
  }

  let locale: String
  let unit: Unit
  /// Replaces ICU's symbol of the currency, or its code in the width `iso`.
  var symbol: String?
  /// Replaces ICU's names of the currency in the width `name`: by plural category, in the order of
  /// `PluralRules.Category`.
  var names: [String]?
  var width = PriceStyle.Width.standard
  var sign = PriceStyle.Sign.auto
  var grouping = PriceStyle.Grouping.auto
  /// The minimum number of fraction digits; `nil` if it is the same as `fractionDigits`, the maximum.
  var minimumFractionDigits: Int?
  var fractionDigits: Int
  var trimsZeroFraction = false
  var notation = PriceStyle.Notation.standard
  /// Whether as many digits are displayed as ICU displays in a compact notation. The numbers of digits are then ignored.
  var hasNotationDigits = false
  var qualifier = PriceStyle.Qualifier.none
  /// The text around the price, such as that of a unit price.
  var wrapper: TextWrapper?
  /// The changes to CLDR's layout.
  var layout = PriceLayout()

  /// A Boolean value that indicates whether the text has words whose plural form depends on the number.
  var takesPlural: Bool {
    switch unit {
    case .currency: width == .name
    case .period: true
    case .none, .percent: false
    }
  }

  /// The text around the number, from the inner to the outer one; `nil` if CLDR has no pattern for it.
  var wrappers: [TextWrapper]? {
    let inner = wrapper.map { [$0] } ?? []
    guard qualifier == .atLeast else { return inner }
    guard let pattern = text(capacity: 128, filledBy: { cicu_at_least_pattern(locale, $0, $1) }),
      let outer = TextWrapper(pattern: pattern, type: .qualifier)
    else { return nil }
    return inner + [outer]
  }

  func withCOptions<Answer>(_ body: (inout CICUNumberOptions) -> Answer) -> Answer {
    locale.withCString { locale in
      currencyCode.withCString { currency in
        (symbol ?? "").withCString { symbolText in
          withOptionalCString(names?.joined(separator: "\n")) { names in
            var options = CICUNumberOptions(
              locale: locale,
              unit: cUnit,
              currency: currency,
              symbol: symbol == nil ? nil : symbolText,
              names: names,
              width: CICUWidth(rawValue: UInt32(width.place)),
              sign: CICUSign(rawValue: UInt32(sign.place)),
              grouping: CICUGrouping(rawValue: UInt32(grouping.place)),
              minimumFractionDigits: Int32(minimumFractionDigits ?? fractionDigits),
              fractionDigits: Int32(fractionDigits),
              trimsZeroFraction: trimsZeroFraction,
              isApproximate: qualifier == .approximately,
              notation: CICUNotation(rawValue: UInt32(notation.place)),
              hasNotationDigits: hasNotationDigits
            )
            return body(&options)
          }
        }
      }
    }
  }

  private var currencyCode: String {
    if case .currency(let code) = unit { return code }
    return ""
  }

  private var cUnit: CICUUnit {
    switch unit {
    case .currency: CICUUnitCurrency
    case .none: CICUUnitNone
    case .percent: CICUUnitPercent
    case .period(.day): CICUUnitDay
    case .period(.week): CICUUnitWeek
    case .period(.month): CICUUnitMonth
    case .period(.year): CICUUnitYear
    }
  }
}

extension CaseIterable where Self: Equatable {
  /// The place of the case, by which CICU and packs name it.
  package var place: Int { Array(Self.allCases).firstIndex(of: self) ?? 0 }
}

/// ICU's number formatter. Patterns are compiled from its output, and it formats what no pattern can reproduce.
///
/// Sendable notes: ICU's LocalizedNumberFormatter is immutable and documented as safe to share.
final class ICUNumberFormatter: @unchecked Sendable {
  private let formatter: OpaquePointer
  private let layout: PriceLayout
  /// The text around the number, from the inner to the outer one.
  private let wrappers: [TextWrapper]

  init?(_ options: ICUNumberOptions, isRange: Bool = false) {
    guard let wrappers = options.wrappers,
      let formatter = options.withCOptions({ cicu_number_open(&$0, isRange) })
    else { return nil }
    self.formatter = formatter
    layout = options.layout
    self.wrappers = wrappers
  }

  deinit {
    cicu_number_close(formatter)
  }

  /// Returns the text of an amount that has no more digits than the options display; `nil` if ICU fails.
  func format(_ amount: Amount) -> ICUText? {
    changed(ICUText { text in withDecimal(amount) { cicu_number_format(formatter, $0, $1, true, text) } })
  }

  /// Returns the text of a range of two amounts by a formatter of ranges; `nil` if ICU fails.
  func format(_ low: Amount, _ high: Amount) -> ICUText? {
    changed(
      ICUText { text in
        withDecimal(low) { low, lowLength in
          withDecimal(high) { high, highLength in
            cicu_range_format(formatter, low, lowLength, high, highLength, text)
          }
        }
      }
    )
  }

  private func changed(_ text: ICUText?) -> ICUText? {
    guard let text = text?.changed(to: layout) else { return nil }
    return wrappers.reduce(text) { $0.wrapped(in: $1) }
  }

  /// Returns whether ICU writes an amount as these bytes.
  func writes(_ amount: Amount, as expected: UnsafeBufferPointer<UInt8>) -> Bool {
    if !layout.isEmpty || !wrappers.isEmpty {
      return format(amount)?.utf8.elementsEqual(expected) ?? false
    }
    return withUnsafeTemporaryAllocation(of: CICUText.self, capacity: 1) { buffer in
      guard let text = buffer.baseAddress,
        withDecimal(amount, { cicu_number_format(formatter, $0, $1, false, text) })
      else { return false }
      return withUnsafeBytes(of: &text.pointee.utf8) {
        $0.prefix(Int(text.pointee.length)).elementsEqual(expected)
      }
    }
  }
}

/// Calls a function with the zero-terminated bytes of a text; with `nil` if there is no text.
private func withOptionalCString<Answer>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Answer) -> Answer
{
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

/// Calls a function with the decimal text of an amount.
private func withDecimal<Answer>(_ amount: Amount, _ body: (UnsafePointer<UInt8>, Int32) -> Answer) -> Answer
{
  var text = amount.description
  return text.withUTF8 { buffer in
    // A description has at least one digit.
    guard let start = buffer.baseAddress else { return body([0x30], 1) }
    return body(start, Int32(buffer.count))
  }
}

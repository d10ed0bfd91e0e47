import PriceTag
import ProofSupport

/// ICU's text for the prices of one price locale, currency and style.
struct ReferenceText {
  private let single: Reference
  /// ICU's formatter of approximate amounts.
  private let approximate: RangeReference?
  /// CLDR's pattern for "at least", or for an amount per unit.
  private let pattern: String?
  /// ICU's formatter of negative amounts in the opposite rounding mode. Where ICU writes the currency twice, the reference is ICU's
  /// text of the amount without its sign.
  private let negative: Reference?

  /// A Boolean value that indicates whether ICU writes the currency twice, and PriceTag once.
  let isDeparture: Bool

  /// Creates a reference; returns `nil` if ICU cannot write this style without writing the currency twice.
  init?(
    _ locale: PriceLocale,
    _ currency: Currency,
    _ style: PriceStyle,
    per unit: UnitPriceReference?,
    on date: CalendarDate
  ) throws {
    let icuLocale = locale.identifier.replacing("-", with: "_")
    let style = try style.withICUWidth(currency, icuLocale, on: date)
    let skeleton = style.skeleton(currency)
    single = try require(Reference(skeleton, icuLocale), "ICU rejects \(locale) \(skeleton)")
    isDeparture = single.repeatsCurrency
    if isDeparture, style.qualifier == .approximately { return nil }
    var opposite = style
    opposite.rounding =
      switch style.rounding {
      case .ceiling: .floor
      case .floor: .ceiling
      case let mode: mode
      }
    negative = isDeparture ? Reference(opposite.skeleton(currency), icuLocale) : nil
    approximate =
      style.qualifier == .approximately
      ? try require(
        RangeReference(skeleton, icuLocale, isApproximate: true),
        "ICU rejects \(locale) \(skeleton)"
      ) : nil
    if let unit {
      pattern = try require(
        ReferencePattern.unitPrice(unit.unit.icuIdentifier, unit.quantity, icuLocale, style.width),
        "CLDR has no pattern per \(unit) in \(locale)"
      )
    } else if style.qualifier == .atLeast {
      pattern = try require(
        ReferencePattern.atLeast(icuLocale, numberingSystem: style.numberingSystem),
        "CLDR has no pattern in \(locale)"
      )
    } else {
      pattern = nil
    }
  }

  /// Returns ICU's text of a decimal number; `nil` if ICU fails.
  func text(of decimal: String) -> String? {
    let signed = decimal.hasPrefix("-") ? negative ?? single : single
    guard let utf8 = approximate?.format(decimal, decimal) ?? signed.format(decimal) else { return nil }
    let text = String(decoding: utf8, as: UTF8.self)
    return pattern?.replacing("{0}", with: text) ?? text
  }
}

import CICU
import PriceTagSystem
import PriceTagText

/// The unit that a unit price is for: 1 kg, 1 L, 100 mL, a piece.
///
///     try UnitPriceReference("kg")       // kg
///     try UnitPriceReference("100 ml")   // 100 mL
///     UnitPriceReference.default(for: .gram)   // kg
///
/// Directive 98/6/EC, article 2(b), defines the unit price as that of one kilogram, liter, meter, square meter or cubic
/// meter, or of another single unit that is customary in a country for a product. Customary quantities are 100 g and
/// 100 mL, and in the Price Marking Order 2004 of the United Kingdom, schedule 1, also 10 g, 50 kg, 75 cL and 1000 kg.
/// Hence the allowed quantities.
public struct UnitPriceReference: Hashable, Sendable, CustomStringConvertible {
  /// The number of units: 100 for `100 mL`, otherwise 1.
  public let quantity: Int
  /// The unit.
  public let unit: ContentUnit

  /// The allowed numbers of units.
  public static let quantities = [1, 10, 50, 75, 100, 1000]

  /// 1 kg.
  public static let kilogram = UnitPriceReference(uncheckedQuantity: 1, .kilogram)
  /// 100 g.
  public static let hundredGrams = UnitPriceReference(uncheckedQuantity: 100, .gram)
  /// 1 L.
  public static let liter = UnitPriceReference(uncheckedQuantity: 1, .liter)
  /// 100 mL.
  public static let hundredMilliliters = UnitPriceReference(uncheckedQuantity: 100, .milliliter)
  /// 1 m.
  public static let meter = UnitPriceReference(uncheckedQuantity: 1, .meter)
  /// 1 m².
  public static let squareMeter = UnitPriceReference(uncheckedQuantity: 1, .squareMeter)
  /// One piece.
  public static let piece = UnitPriceReference(uncheckedQuantity: 1, .piece)

  private init(uncheckedQuantity quantity: Int, _ unit: ContentUnit) {
    (self.quantity, self.unit) = (quantity, unit)
  }

  /// Creates a reference of one unit.
  ///
  ///     UnitPriceReference(.liter)   // L
  public init(_ unit: ContentUnit) {
    self.init(uncheckedQuantity: 1, unit)
  }

  /// Creates a reference of a number of units.
  ///
  ///     try UnitPriceReference(100, .milliliter)   // 100 mL
  ///
  /// - Throws: `.malformedContent` if the number is not one of ``quantities``.
  public init(_ quantity: Int, _ unit: ContentUnit) throws(PriceTagError) {
    guard Self.quantities.contains(quantity) else {
      throw .malformedReference("\(quantity) \(unit.rawValue)")
    }
    self.init(uncheckedQuantity: quantity, unit)
  }

  /// Creates a reference from text: a unit, or one of ``quantities`` and a unit.
  ///
  ///     try UnitPriceReference("100 mL")   // also 100ml
  ///     try UnitPriceReference("lb")
  ///
  /// - Throws: `.malformedContent` for any other text.
  public init(_ text: String) throws(PriceTagError) {
    guard (1...Self.maximumTextLength).contains(text.utf8.count),
      text.contains(where: { !$0.isWhitespace })
    else { throw .malformedReference(text) }
    var reader = ContentTextReader(text)
    guard reader.startsWithDigit else {
      self.init(uncheckedQuantity: 1, try reader.unit())
      return
    }
    guard let number = try? reader.number().normalized, number.scale == 0,
      let quantity = Int(exactly: number.coefficient),
      Self.quantities.contains(quantity)
    else { throw .malformedReference(text) }
    self.init(uncheckedQuantity: quantity, try reader.unit())
  }

  /// The maximum length of a reference's text, in bytes.
  private static let maximumTextLength = 64

  /// Returns the reference for contents in a unit.
  ///
  /// Metric contents have the units of Directive 98/6/EC, article 2(b): kg, L, m, m², and m³ for contents in m³. US
  /// customary contents have one unit for each dimension, so that all sizes of a product compare. lb, qt and sq ft are
  /// among the units of the Uniform Unit Pricing Regulation in NIST Handbook 130; ft is for lengths, which it does not
  /// mention. Contents in pieces have the piece.
  public static func `default`(for unit: ContentUnit) -> UnitPriceReference {
    let reference: ContentUnit =
      switch (unit.dimension, unit.system) {
      case (.mass, .usCustomary): .pound
      case (.mass, _): .kilogram
      case (.volume, .usCustomary): .quart
      case (.volume, _): unit == .cubicMeter ? .cubicMeter : .liter
      case (.length, .usCustomary): .foot
      case (.length, _): .meter
      case (.area, .usCustomary): .squareFoot
      case (.area, _): .squareMeter
      case (.pieces, _): .piece
      }
    return UnitPriceReference(uncheckedQuantity: 1, reference)
  }

  /// A Boolean value that indicates whether the unit is the piece. CLDR has no unit for it, so the formatted price has
  /// none: put it into a message of the store's, such as "{price} each".
  public var isPiece: Bool { unit == .piece }

  /// The canonical text, such as `kg` or `100 mL`. `UnitPriceReference(_:)` accepts it.
  public var description: String { quantity == 1 ? unit.rawValue : "\(quantity) \(unit.rawValue)" }
}

extension UnitPriceReference {
  /// Returns CLDR's pattern for an amount per unit, such as `{0}/kg`; `nil` for pieces, and if ICU fails.
  ///
  /// - Parameters:
  ///   - icuLocale: The locale in ICU's spelling, with its numbering system.
  ///   - width: The width of the currency. The name has the long pattern, `narrow` the narrow one, all others the short
  ///     one.
  package func pattern(icuLocale: String, width: PriceStyle.Width) -> String? {
    guard let identifier = unit.cldrIdentifier else { return nil }
    let width = CICUWidth(rawValue: UInt32(width.place))
    return text(
      capacity: 512,
      filledBy: { cicu_unit_price_pattern(icuLocale, identifier, Int32(quantity), width, $0, $1) }
    )
  }

  /// Returns the text that the pattern puts around a price; `nil` for pieces.
  ///
  /// - Throws: `.formattingFailed` if ICU has no pattern.
  func wrapper(icuLocale: String, width: PriceStyle.Width) throws(PriceTagError) -> TextWrapper? {
    if isPiece { return nil }
    guard let pattern = pattern(icuLocale: icuLocale, width: width),
      let wrapper = TextWrapper(pattern: pattern, type: .unit)
    else {
      throw PriceTagError(
        .formattingFailed,
        "ICU has no pattern for a price per \(self) in \(icuLocale)",
        fix: "check that ICU's data is installed"
      )
    }
    return wrapper
  }
}

extension ContentUnit {
  /// CLDR's identifier of the unit; `nil` for pieces.
  fileprivate var cldrIdentifier: String? {
    // `cubicMeter` is `cubic-meter` in CLDR.
    self == .piece ? nil : "\(self)".map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }
}

extension UnitPriceReference: Codable {
  /// Decodes a text, such as `"100 mL"`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(#"write a unit, such as "100 mL""#, UnitPriceReference.init(_:))
  }

  /// Encodes the canonical text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}

extension PriceTagError {
  fileprivate static func malformedReference(_ text: String) -> PriceTagError {
    PriceTagError(
      .malformedContent,
      "\(quoted(text)) is not a reference for unit prices",
      fix: "write a unit, or 1, 10, 50, 75, 100 or 1000 of it, such as kg or 100 mL"
    )
  }
}

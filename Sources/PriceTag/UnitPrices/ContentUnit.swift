import PriceTagText

/// A unit of the content of a product: a mass, a volume, a length, an area, or a number of pieces.
///
///     ContentUnit.milliliter.rawValue   // "mL"
///     ContentUnit.pound.system          // .usCustomary
///
/// Volumes in US customary units are liquid measures of the United States, which are not those of the United Kingdom.
public enum ContentUnit: String, CaseIterable, Hashable, Sendable, Codable {
  case milligram = "mg"
  case gram = "g"
  case kilogram = "kg"
  /// 1,000 kg.
  case tonne = "t"
  /// The avoirdupois ounce.
  case ounce = "oz"
  /// The avoirdupois pound, 16 oz.
  case pound = "lb"

  case milliliter = "mL"
  case centiliter = "cL"
  case deciliter = "dL"
  case liter = "L"
  case hectoliter = "hL"
  case cubicCentimeter = "cm³"
  case cubicMeter = "m³"
  /// The fluid ounce of the United States.
  case fluidOunce = "fl oz"
  /// The liquid pint of the United States, 16 fl oz.
  case pint = "pt"
  /// The liquid quart of the United States, 32 fl oz.
  case quart = "qt"
  /// The gallon of the United States, 128 fl oz.
  case gallon = "gal"

  case millimeter = "mm"
  case centimeter = "cm"
  case meter = "m"
  case kilometer = "km"
  case inch = "in"
  case foot = "ft"
  case yard = "yd"

  case squareCentimeter = "cm²"
  case squareMeter = "m²"
  case squareInch = "sq in"
  case squareFoot = "sq ft"
  case squareYard = "sq yd"

  case piece = "piece"

  /// What a unit measures.
  public enum Dimension: String, CaseIterable, Hashable, Sendable, Codable {
    case mass, volume, length, area, pieces
  }

  /// The system of a unit.
  public enum System: String, CaseIterable, Hashable, Sendable, Codable {
    /// The metric system.
    case metric
    /// The customary units of the United States.
    case usCustomary = "us-customary"
  }

  /// What the unit measures.
  public var dimension: Dimension { facts.dimension }

  /// The system of the unit; `nil` for pieces, which belong to both.
  public var system: System? { facts.system }

  /// The size as an integer number of a small unit that all units of the dimension are multiples of, so that every
  /// conversion is exact.
  ///
  /// The small units are 1 ng, 10⁻¹⁰ mL, 0.1 mm and 0.01 mm². The sizes follow from 1 lb = 0.45359237 kg,
  /// 1 in = 2.54 cm and 1 gal = 231 in³ = 3.785411784 L (NIST Handbook 44, appendix C).
  var size: Int64 { facts.size }

  private var facts: (dimension: Dimension, system: System?, size: Int64) {
    switch self {
    case .milligram: (.mass, .metric, 1_000_000)
    case .gram: (.mass, .metric, 1_000_000_000)
    case .kilogram: (.mass, .metric, 1_000_000_000_000)
    case .tonne: (.mass, .metric, 1_000_000_000_000_000)
    case .ounce: (.mass, .usCustomary, 28_349_523_125)
    case .pound: (.mass, .usCustomary, 453_592_370_000)
    case .milliliter, .cubicCentimeter: (.volume, .metric, 10_000_000_000)
    case .centiliter: (.volume, .metric, 100_000_000_000)
    case .deciliter: (.volume, .metric, 1_000_000_000_000)
    case .liter: (.volume, .metric, 10_000_000_000_000)
    case .hectoliter: (.volume, .metric, 1_000_000_000_000_000)
    case .cubicMeter: (.volume, .metric, 10_000_000_000_000_000)
    case .fluidOunce: (.volume, .usCustomary, 295_735_295_625)
    case .pint: (.volume, .usCustomary, 4_731_764_730_000)
    case .quart: (.volume, .usCustomary, 9_463_529_460_000)
    case .gallon: (.volume, .usCustomary, 37_854_117_840_000)
    case .millimeter: (.length, .metric, 10)
    case .centimeter: (.length, .metric, 100)
    case .meter: (.length, .metric, 10_000)
    case .kilometer: (.length, .metric, 10_000_000)
    case .inch: (.length, .usCustomary, 254)
    case .foot: (.length, .usCustomary, 3_048)
    case .yard: (.length, .usCustomary, 9_144)
    case .squareCentimeter: (.area, .metric, 10_000)
    case .squareMeter: (.area, .metric, 100_000_000)
    case .squareInch: (.area, .usCustomary, 64_516)
    case .squareFoot: (.area, .usCustomary, 9_290_304)
    case .squareYard: (.area, .usCustomary, 83_612_736)
    case .piece: (.pieces, nil, 1)
    }
  }

  /// The accepted spellings beside the raw values.
  private static let otherSpellings: [String: ContentUnit] = [
    "lbs": .pound, "ml": .milliliter, "cl": .centiliter, "dl": .deciliter, "l": .liter, "hl": .hectoliter,
    "cm3": .cubicCentimeter, "m3": .cubicMeter, "fl. oz.": .fluidOunce, "floz": .fluidOunce,
    "cm2": .squareCentimeter, "m2": .squareMeter, "in²": .squareInch, "in2": .squareInch, "ft²": .squareFoot,
    "ft2": .squareFoot, "yd²": .squareYard, "yd2": .squareYard, "pieces": .piece, "pc": .piece, "pcs": .piece,
  ]

  private static let bySpelling = otherSpellings.merging(allCases.map { ($0.rawValue, $0) }) { $1 }

  /// All raw values, for messages.
  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// Returns the unit of a spelling, with single spaces, or `nil`. The case of letters matters, except
  /// that liters may be written with `l`.
  static func unit(spelled spelling: String) -> ContentUnit? { bySpelling[spelling] }

  /// Returns the unit whose spelling or English name is closest to a text; `nil` if none is close.
  static func closestMatch(to text: String) -> ContentUnit? {
    var units = bySpelling
    for unit in allCases { units["\(unit)"] = unit }
    return PriceTagText.closestMatch(to: text, among: units.keys.sorted()).flatMap { units[$0] }
  }
}

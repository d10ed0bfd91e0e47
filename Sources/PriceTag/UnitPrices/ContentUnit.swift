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
  public var dimension: Dimension {
    switch self {
    case .milligram, .gram, .kilogram, .tonne, .ounce, .pound: .mass
    case .milliliter, .centiliter, .deciliter, .liter, .hectoliter, .cubicCentimeter, .cubicMeter,
      .fluidOunce, .pint, .quart, .gallon:
      .volume
    case .millimeter, .centimeter, .meter, .kilometer, .inch, .foot, .yard: .length
    case .squareCentimeter, .squareMeter, .squareInch, .squareFoot, .squareYard: .area
    case .piece: .pieces
    }
  }

  /// The system of the unit; `nil` for pieces, which belong to both.
  public var system: System? {
    switch self {
    case .milligram, .gram, .kilogram, .tonne, .milliliter, .centiliter, .deciliter, .liter, .hectoliter,
      .cubicCentimeter, .cubicMeter, .millimeter, .centimeter, .meter, .kilometer, .squareCentimeter,
      .squareMeter:
      .metric
    case .ounce, .pound, .fluidOunce, .pint, .quart, .gallon, .inch, .foot, .yard, .squareInch, .squareFoot,
      .squareYard:
      .usCustomary
    case .piece: nil
    }
  }

  /// The size as an integer number of a small unit that all units of the dimension are multiples of, so that every
  /// conversion is exact.
  ///
  /// The small units are 1 ng, 10⁻¹⁰ mL, 0.1 mm and 0.01 mm². The sizes follow from 1 lb = 0.45359237 kg,
  /// 1 in = 2.54 cm and 1 gal = 231 in³ = 3.785411784 L (NIST Handbook 44, appendix C).
  var size: Int64 {
    switch self {
    case .milligram: 1_000_000
    case .gram: 1_000_000_000
    case .kilogram: 1_000_000_000_000
    case .tonne: 1_000_000_000_000_000
    case .ounce: 28_349_523_125
    case .pound: 453_592_370_000
    case .milliliter, .cubicCentimeter: 10_000_000_000
    case .centiliter: 100_000_000_000
    case .deciliter: 1_000_000_000_000
    case .liter: 10_000_000_000_000
    case .hectoliter: 1_000_000_000_000_000
    case .cubicMeter: 10_000_000_000_000_000
    case .fluidOunce: 295_735_295_625
    case .pint: 4_731_764_730_000
    case .quart: 9_463_529_460_000
    case .gallon: 37_854_117_840_000
    case .millimeter: 10
    case .centimeter: 100
    case .meter: 10_000
    case .kilometer: 10_000_000
    case .inch: 254
    case .foot: 3_048
    case .yard: 9_144
    case .squareCentimeter: 10_000
    case .squareMeter: 100_000_000
    case .squareInch: 64_516
    case .squareFoot: 9_290_304
    case .squareYard: 83_612_736
    case .piece: 1
    }
  }

  /// The accepted spellings beside the raw value.
  private var otherSpellings: [String] {
    switch self {
    case .pound: ["lbs"]
    case .milliliter: ["ml"]
    case .centiliter: ["cl"]
    case .deciliter: ["dl"]
    case .liter: ["l"]
    case .hectoliter: ["hl"]
    case .cubicCentimeter: ["cm3"]
    case .cubicMeter: ["m3"]
    case .fluidOunce: ["fl. oz.", "floz"]
    case .squareCentimeter: ["cm2"]
    case .squareMeter: ["m2"]
    case .squareInch: ["in²", "in2"]
    case .squareFoot: ["ft²", "ft2"]
    case .squareYard: ["yd²", "yd2"]
    case .piece: ["pieces", "pc", "pcs"]
    case .milligram, .gram, .kilogram, .tonne, .ounce, .pint, .quart, .gallon, .millimeter, .centimeter,
      .meter, .kilometer, .inch, .foot, .yard:
      []
    }
  }

  private static let bySpelling: [String: ContentUnit] = {
    var units: [String: ContentUnit] = [:]
    for unit in allCases {
      for spelling in [unit.rawValue] + unit.otherSpellings { units[spelling] = unit }
    }
    return units
  }()

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

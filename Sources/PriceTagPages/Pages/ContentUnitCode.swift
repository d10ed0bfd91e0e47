import PriceTag

extension ContentUnit {
  /// The unit's code in UN/CEFACT Recommendation 20, which schema.org uses: `KGM` for the kilogram.
  var commonCode: String {
    switch self {
    case .milligram: "MGM"
    case .gram: "GRM"
    case .kilogram: "KGM"
    case .tonne: "TNE"
    case .ounce: "ONZ"
    case .pound: "LBR"
    case .milliliter: "MLT"
    case .centiliter: "CLT"
    case .deciliter: "DLT"
    case .liter: "LTR"
    case .hectoliter: "HLT"
    case .cubicCentimeter: "CMQ"
    case .cubicMeter: "MTQ"
    case .fluidOunce: "OZA"
    case .pint: "PTL"
    case .quart: "QTL"
    case .gallon: "GLL"
    case .millimeter: "MMT"
    case .centimeter: "CMT"
    case .meter: "MTR"
    case .kilometer: "KMT"
    case .inch: "INH"
    case .foot: "FOT"
    case .yard: "YRD"
    case .squareCentimeter: "CMK"
    case .squareMeter: "MTK"
    case .squareInch: "INK"
    case .squareFoot: "FTK"
    case .squareYard: "YDK"
    case .piece: "H87"
    }
  }
}

extension ProductContent {
  /// The quantity in all packages together; `nil` if it exceeds the range of amounts.
  var total: Amount? {
    let (coefficient, overflow) = quantity.coefficient.multipliedReportingOverflow(by: Int64(count))
    return overflow ? nil : (try? Amount(minorUnits: coefficient, exponent: quantity.scale))?.normalized
  }
}

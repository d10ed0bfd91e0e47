import PriceTag

extension ContentUnit {
  /// The unit's code in UN/CEFACT Recommendation 20, which schema.org uses: `KGM` for the kilogram.
  var commonCode: String { Self.commonCodes[self] ?? "" }

  private static let commonCodes: [ContentUnit: String] = [
    .milligram: "MGM", .gram: "GRM", .kilogram: "KGM", .tonne: "TNE", .ounce: "ONZ", .pound: "LBR",
    .milliliter: "MLT", .centiliter: "CLT", .deciliter: "DLT", .liter: "LTR", .hectoliter: "HLT",
    .cubicCentimeter: "CMQ", .cubicMeter: "MTQ", .fluidOunce: "OZA", .pint: "PTL", .quart: "QTL",
    .gallon: "GLL", .millimeter: "MMT", .centimeter: "CMT", .meter: "MTR", .kilometer: "KMT", .inch: "INH",
    .foot: "FOT", .yard: "YRD", .squareCentimeter: "CMK", .squareMeter: "MTK", .squareInch: "INK",
    .squareFoot: "FTK", .squareYard: "YDK", .piece: "H87",
  ]
}

extension ProductContent {
  /// The quantity in all packages together; `nil` if it exceeds the range of amounts.
  var total: Amount? {
    let (coefficient, overflow) = quantity.coefficient.multipliedReportingOverflow(by: Int64(count))
    return overflow ? nil : (try? Amount(minorUnits: coefficient, exponent: quantity.scale))?.normalized
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports the CSV of in-app products that the Google Play Console imports and exports and that Unity writes.
enum GooglePlayCSVImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    let fix = "use a file exported from the Google Play Console"
    var header: CSVColumns<GooglePlayCSVColumn>?
    try CSVReader.forEachRecord(of: file) { (record) throws(CatalogError) in
      guard let columns = header else {
        header = try CSVColumns(record, required: [.productID, .price], fix: fix) {
          (name, place) throws(CatalogError) in
          let names = GooglePlayCSVColumn.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
          try session.reject(
            .invalidField,
            "unknown column \(quoted(name))",
            fix: "use one of \(names)",
            place: place
          )
        }
        return
      }
      try GooglePlayCSVRow(record: record, header: columns, session: session).read()
    }
    guard header != nil else {
      throw CatalogError(
        .malformedFile,
        "the file is empty",
        fix: fix,
        place: "line 1"
      )
    }
  }
}

/// A column of a Google Play CSV file, and its name.
enum GooglePlayCSVColumn: String, CaseIterable {
  case productID = "Product ID"
  case publishedState = "Published State"
  case purchaseType = "Purchase Type"
  case autoTranslate = "Auto Translate"
  case texts = "Locale; Title; Description"
  case autoFillPrices = "Auto Fill Prices"
  case price = "Price"
  case pricingTemplate = "Pricing Template ID"
}

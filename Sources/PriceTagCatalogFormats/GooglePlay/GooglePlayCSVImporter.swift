import PriceTag
import PriceTagCatalog
import PriceTagText

/// Imports the CSV of in-app products that the Google Play Console imports and exports and that Unity writes.
enum GooglePlayCSVImporter: CatalogImporter {
  static let format = CatalogFormat.googlePlayCSV

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    var header: GooglePlayCSVHeader?
    try CSVReader.forEachRecord(of: file) { (record) throws(CatalogError) in
      guard let columns = header else {
        header = try GooglePlayCSVHeader(record, session)
        return
      }
      try GooglePlayCSVRow(record, columns, session).read()
    }
    guard header != nil else {
      throw CatalogError(
        .malformedFile,
        "the file is empty",
        fix: "use a file exported from the Google Play Console",
        place: "line 1"
      )
    }
  }
}

/// The columns of a Google Play CSV file, in any order. Case, spaces and punctuation in their names are ignored.
struct GooglePlayCSVHeader {
  /// A column and its name.
  enum Column: String, CaseIterable {
    case productID = "Product ID"
    case publishedState = "Published State"
    case purchaseType = "Purchase Type"
    case autoTranslate = "Auto Translate"
    case texts = "Locale; Title; Description"
    case autoFillPrices = "Auto Fill Prices"
    case price = "Price"
    case pricingTemplate = "Pricing Template ID"

    fileprivate static let names = allCases.map { (column: $0, name: letters($0.rawValue)) }

    fileprivate static func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
  }

  /// The number of columns.
  let count: Int
  private var indices: [Column: Int] = [:]

  init(_ record: CSVReader.Record, _ session: ImportSession) throws(CatalogError) {
    count = record.fields.count
    for (index, field) in record.fields.enumerated() {
      let place = "line \(record.line), column \(index + 1)"
      let name = Column.letters(String(field.prefix(64)))
      guard let column = Column.names.first(where: { $0.name == name })?.column else {
        try session.reject(
          CatalogError(
            .invalidField,
            "unknown column \(quoted(field))",
            fix: "use one of \(Column.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))",
            place: place
          )
        )
        continue
      }
      guard indices.updateValue(index, forKey: column) == nil else {
        throw CatalogError(
          .malformedFile,
          "the column \"\(column.rawValue)\" appears twice",
          fix: "remove one",
          place: place
        )
      }
    }
    for column in [Column.productID, .price] where indices[column] == nil {
      throw CatalogError(
        .malformedFile,
        "the column \"\(column.rawValue)\" is missing",
        fix: "use a file exported from the Google Play Console",
        place: "line \(record.line)"
      )
    }
  }

  /// Returns the cell of a column without surrounding spaces, or an empty string if the file lacks the column.
  func cell(_ column: Column, of record: CSVReader.Record) -> String {
    guard let index = indices[column], index < record.fields.count else { return "" }
    return String(record.fields[index].trimmingSpace)
  }
}

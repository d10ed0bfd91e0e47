import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the CSV of in-app products that Google Play's console imports and exports, and that Unity writes.
enum GooglePlayCSVImporter: CatalogImporter {
  static let format = CatalogFormat.googlePlayCSV

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    var header: GooglePlayCSVHeader?
    try CSVReader.forEachRecord(of: file) { (record) throws(CatalogError) in
      guard let columns = header else {
        header = try GooglePlayCSVHeader(record, session)
        return
      }
      try GooglePlayCSVRow(record, columns, session).take()
    }
    guard header != nil else {
      throw CatalogError(
        .malformedFile,
        "the file has no header",
        fix: "give a file as Google Play's console exports it",
        place: "line 1"
      )
    }
  }
}

/// Which column of the file is which: in any order, case and spacing.
struct GooglePlayCSVHeader {
  /// A column, by its name.
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

  /// How many columns there are.
  let count: Int
  private var indices: [Column: Int] = [:]

  init(_ record: CSVReader.Record, _ session: ImportSession) throws(CatalogError) {
    count = record.fields.count
    for (index, field) in record.fields.enumerated() {
      let place = "line \(record.line), column \(index + 1)"
      let name = Column.letters(String(field.prefix(64)))
      guard let column = Column.names.first(where: { $0.name == name })?.column else {
        try session.setAside(
          CatalogError(
            .invalidField,
            "there is no column \(quoted(field))",
            fix: "name it one of \(Column.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))",
            place: place
          )
        )
        continue
      }
      guard indices.updateValue(index, forKey: column) == nil else {
        throw CatalogError(
          .malformedFile,
          "the column \"\(column.rawValue)\" stands twice",
          fix: "remove one",
          place: place
        )
      }
    }
    for column in [Column.productID, .price] where indices[column] == nil {
      throw CatalogError(
        .malformedFile,
        "the header has no column \"\(column.rawValue)\"",
        fix: "give a file as Google Play's console exports it",
        place: "line \(record.line)"
      )
    }
  }

  /// The cell of a column, without the spaces around it; empty where the file has no such column.
  func cell(_ column: Column, of record: CSVReader.Record) -> String {
    guard let index = indices[column], index < record.fields.count else { return "" }
    return String(record.fields[index].trimmingSpace)
  }
}

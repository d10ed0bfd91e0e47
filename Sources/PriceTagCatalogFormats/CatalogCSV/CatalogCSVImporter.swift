import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Imports PriceTag's own CSV: one row per price. The rows of a product are consecutive, and its first row describes
/// the product.
///
///     productIdentifier,kind,name[en-US],storefront,amount,currency
///     com.example.level1,non-consumable,Level 1,USA,0.99,USD
///     com.example.level1,,,JPN,120,JPY
///
/// A row can also name the product's category and subscription group, in columns such as `categoryName[en-US]`.
enum CatalogCSVImporter: CatalogImporter {
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    var header: CatalogCSVHeader?
    var product: CatalogCSVProduct?
    let groups = CatalogCSVGroups(session)
    try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
      guard let columns = header else {
        header = try CatalogCSVHeader(record, session)
        return
      }
      if record.fields.allSatisfy(\.isEmpty) { return }
      let row = try session.attempt(at: "line \(record.line)") { () throws(CatalogError) in
        try CatalogCSVRow(record, columns)
      }
      guard let row else { return }
      if product?.identifier != row.identifier {
        try product?.finish()
        product = try CatalogCSVProduct(row, session, groups)
      }
      try product?.add(row)
    }
    guard header != nil else {
      throw CatalogError(
        .malformedFile,
        "the file is empty",
        fix: "start the file with a header such as productIdentifier,storefront,amount,currency"
      )
    }
    try product?.finish()
    try groups.finish()
  }
}

/// A row of a file.
struct CatalogCSVRow {
  let line: Int
  let header: CatalogCSVHeader
  let identifier: String
  private let fields: [String]

  /// - Throws: `.malformedFile` if a cell has no column, or `.invalidField` if the product identifier is missing.
  init(_ record: CSVReader.Record, _ header: CatalogCSVHeader) throws(CatalogError) {
    (line, fields, self.header) = (record.line, record.fields, header)
    try record.checkCells(columnCount: header.labels.count)
    let index = header.columns[.productIdentifier] ?? 0
    identifier = index < fields.count ? fields[index] : ""
    guard !identifier.isEmpty else {
      throw CatalogError(
        .invalidField,
        "the field \"productIdentifier\" is missing",
        fix: "add it to every row"
      )
    }
  }

  /// The text of a cell, or `nil` if it is empty or missing.
  subscript(index: Int) -> String? {
    index < fields.count && !fields[index].isEmpty ? fields[index] : nil
  }

  subscript(column: CatalogCSV.Column) -> String? { header.columns[column].flatMap { self[$0] } }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads PriceTag's own CSV: a row per price, the rows of a product together, what is said of the product in its first.
///
///     productIdentifier,kind,name[en-US],storefront,amount,currency
///     com.example.level1,non-consumable,Level 1,USA,0.99,USD
///     com.example.level1,,,JPN,120,JPY
enum CatalogCSVImporter: CatalogImporter {
  static let format = CatalogFormat.csv

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    var header: CatalogCSVHeader?
    var product: CatalogCSVProduct?
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
        product = try CatalogCSVProduct(row, session)
      }
      try product?.take(row)
    }
    guard header != nil else {
      throw CatalogError(
        .malformedFile,
        "the file is empty",
        fix: "start with a header: productIdentifier,storefront,amount,currency"
      )
    }
    try product?.finish()
  }
}

/// A row of a file.
struct CatalogCSVRow {
  let line: Int
  let header: CatalogCSVHeader
  let identifier: String
  private let fields: [String]

  /// - Throws: `.malformedFile` where a cell is below no column; `.invalidField` without an identifier.
  init(_ record: CSVReader.Record, _ header: CatalogCSVHeader) throws(CatalogError) {
    (line, fields, self.header) = (record.line, record.fields, header)
    if let extra = fields.dropFirst(header.labels.count).first(where: { !$0.isEmpty }) {
      throw CatalogError(
        .malformedFile,
        "the row has \(fields.count) cells, and the header \(header.labels.count); \(quoted(extra)) is below none",
        fix: "put text with a comma into quotes, and write the point of a fraction as a point"
      )
    }
    let index = header.columns[.productIdentifier] ?? 0
    identifier = index < fields.count ? fields[index] : ""
    guard !identifier.isEmpty else {
      throw CatalogError(
        .invalidField,
        "the row names no product",
        fix: "give the productIdentifier in each row"
      )
    }
  }

  /// What a cell says; `nil` where it is empty, or there is none.
  subscript(index: Int) -> String? {
    index < fields.count && !fields[index].isEmpty ? fields[index] : nil
  }

  subscript(column: CatalogCSV.Column) -> String? { header.columns[column].flatMap { self[$0] } }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// The meaning of each column of a CSV file.
struct CatalogCSVHeader {
  private(set) var columns: [CatalogCSV.Column: Int] = [:]
  private(set) var texts: [(field: CatalogCSV.TextField, language: String, index: Int)] = []
  /// The indices of the columns that describe a product, in order.
  private(set) var productColumns: [Int] = []
  /// The column names as written in the file.
  let labels: [String]

  private static let maximumColumnCount = 10_000

  /// Reads the columns of a header. An unknown column is rejected, so that a misspelled one is not silently ignored.
  ///
  /// - Throws: `.malformedFile` if there is no column of identifiers or if a column appears twice.
  init(_ record: CSVReader.Record, _ session: ImportSession) throws(CatalogError) {
    let place = "line \(record.line)"
    labels = record.fields.map { String($0.trimmingSpace) }
    guard labels.count <= Self.maximumColumnCount else {
      throw CatalogError(
        .tooLarge,
        "the header has more than \(Self.maximumColumnCount) columns",
        fix: "remove empty columns",
        place: place
      )
    }
    guard labels.contains(CatalogCSV.Column.productIdentifier.rawValue) else {
      throw CatalogError(
        .malformedFile,
        "the column \"productIdentifier\" is missing",
        fix: "start the file with a header such as productIdentifier,storefront,amount,currency",
        place: place
      )
    }
    var seen: Set<String> = []
    for (index, label) in labels.enumerated() where !label.isEmpty {
      let name = try session.attempt(at: "\(place), column \(quoted(label))") { () throws(CatalogError) in
        try add(label, index, session)
      }
      guard let name, !seen.insert(name).inserted else { continue }
      throw CatalogError(
        .malformedFile,
        "the column \(quoted(name)) appears twice",
        fix: "remove one",
        place: place
      )
    }
  }

  /// Adds a column and returns its canonical name.
  private mutating func add(
    _ label: String,
    _ index: Int,
    _ session: ImportSession
  ) throws(CatalogError) -> String {
    if let column = CatalogCSV.Column(rawValue: label) {
      if columns[column] == nil { columns[column] = index }
      if !CatalogCSV.Column.ofPrices.contains(column) { productColumns.append(index) }
      return label
    }
    for field in CatalogCSV.TextField.allCases
    where label.hasPrefix(field.rawValue + "[") && label.last == "]" {
      let language = try session.language(String(label.dropFirst(field.rawValue.count + 1).dropLast()))
      texts.append((field, language, index))
      productColumns.append(index)
      return field.label(language)
    }
    let known =
      CatalogCSV.Column.allCases.map(\.rawValue) + CatalogCSV.TextField.allCases.map { $0.label("en-US") }
    throw CatalogError(
      .invalidField,
      "unknown column \(quoted(label))",
      fix: "correct or remove it" + didYouMean(label, among: known)
    )
  }
}

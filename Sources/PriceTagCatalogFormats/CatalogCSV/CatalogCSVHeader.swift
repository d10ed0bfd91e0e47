import PriceTag
import PriceTagCatalog
import PriceTagText

/// Which column of a CSV file says what.
struct CatalogCSVHeader {
  private(set) var columns: [CatalogCSV.Column: Int] = [:]
  private(set) var texts: [(field: CatalogCSV.TextField, language: String, index: Int)] = []
  /// The columns that say something of a product, in their order.
  private(set) var facts: [Int] = []
  /// What the columns are called.
  let labels: [String]

  private static let mostColumns = 10_000

  /// The columns of a header; one that is not known is set aside, as a misspelt one would silently do nothing.
  ///
  /// - Throws: `.malformedFile` without a column of identifiers, or with two columns of the same.
  init(_ record: CSVReader.Record, _ session: ImportSession) throws(CatalogError) {
    let place = "line \(record.line)"
    labels = record.fields.map { String($0.trimmingSpace) }
    guard labels.count <= Self.mostColumns else {
      throw CatalogError(
        .tooLarge,
        "the header has more than \(Self.mostColumns) columns",
        fix: "leave out those that say nothing",
        place: place
      )
    }
    guard labels.contains(CatalogCSV.Column.productIdentifier.rawValue) else {
      throw CatalogError(
        .malformedFile,
        "the first row has no column productIdentifier",
        fix: "start with a header: productIdentifier,storefront,amount,currency",
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
        "the column \(quoted(name)) stands twice",
        fix: "leave one of them out",
        place: place
      )
    }
  }

  /// Adds a column, and answers what it is called in its own spelling.
  private mutating func add(
    _ label: String,
    _ index: Int,
    _ session: ImportSession
  ) throws(CatalogError) -> String {
    if let column = CatalogCSV.Column(rawValue: label) {
      if columns[column] == nil { columns[column] = index }
      if !CatalogCSV.Column.ofPrices.contains(column) { facts.append(index) }
      return label
    }
    for field in CatalogCSV.TextField.allCases
    where label.hasPrefix(field.rawValue + "[") && label.last == "]" {
      let language = try session.language(String(label.dropFirst(field.rawValue.count + 1).dropLast()))
      texts.append((field, language, index))
      facts.append(index)
      return field.label(language)
    }
    let known =
      CatalogCSV.Column.allCases.map(\.rawValue) + CatalogCSV.TextField.allCases.map { $0.label("en-US") }
    throw CatalogError(
      .invalidField,
      "there is no such column, and it is not read",
      fix: "correct or remove it" + didYouMean(label, among: known)
    )
  }
}

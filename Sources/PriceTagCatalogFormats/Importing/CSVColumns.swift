import PriceTagCatalog
import PriceTagText

/// The columns of a CSV file of another program, in any order. Case, spaces and punctuation in their names are ignored.
struct CSVColumns<Column: CaseIterable & Hashable & RawRepresentable<String>> {
  /// The number of columns.
  let count: Int
  private var indices: [Column: Int] = [:]

  /// Reads the header of a file.
  ///
  /// - Parameters:
  ///   - required: The columns that the file must have.
  ///   - fix: What to do if it lacks one of them.
  ///   - onUnknown: Called with the name and the place of each other column.
  /// - Throws: `.malformedFile`, and the errors of `onUnknown`.
  init(
    _ header: CSVReader.Record,
    required: [Column],
    fix: String,
    onUnknown: (_ name: String, _ place: String) throws(CatalogError) -> Void = { _, _ in }
  ) throws(CatalogError) {
    count = header.fields.count
    let columns = Dictionary(Column.allCases.map { (Self.letters($0.rawValue), $0) }) { first, _ in first }
    for (index, name) in header.fields.enumerated() {
      let place = "line \(header.line), column \(index + 1)"
      guard let column = columns[Self.letters(String(name.prefix(64)))] else {
        try onUnknown(name, place)
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
    for column in required where indices[column] == nil {
      throw CatalogError(
        .malformedFile,
        "the column \"\(column.rawValue)\" is missing",
        fix: fix,
        place: "line \(header.line)"
      )
    }
  }

  private static func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }

  /// Returns the cell of a column without surrounding spaces, or an empty string if the file lacks the column.
  func cell(_ column: Column, of record: CSVReader.Record) -> String {
    guard let index = indices[column], index < record.fields.count else { return "" }
    return String(record.fields[index].trimmingSpace)
  }
}

extension CSVReader.Record {
  /// Rejects text in a cell that has no column.
  func checkCells(columnCount: Int) throws(CatalogError) {
    guard let extra = fields.dropFirst(columnCount).first(where: { !$0.isEmpty }) else { return }
    throw CatalogError(
      .malformedFile,
      "the row has \(fields.count) cells but the header has \(columnCount) (\(quoted(extra)) has no column)",
      fix: "quote text that contains a separator, and write decimals with a point"
    )
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagText

/// A format of rows: JSON Lines, or CSV below a header, in which the fields have names. Other fields are ignored.
struct DisplayRows {
  /// The names of each field.
  let fields: [[String]]
  /// The number of fields, the first ones, that each row has.
  let requiredCount: Int
  /// The required fields, for errors.
  let expected: String

  /// Calls the body with the values and the line of each valid row. Values that are empty and not required are `nil`.
  ///
  /// - Returns: The rejected rows.
  /// - Throws: `.unreadableFile`; `.malformedRow` for a CSV header without the required columns, and for a file without
  ///   valid rows.
  func forEach(of file: CatalogFile, _ body: ([String?], Int) -> Void) throws(DriftError) -> [DriftError] {
    var reader = Reader(name: printable(file.name), format: self)
    var count = 0
    do throws(CatalogError) {
      func receive(_ values: [String?]?, _ line: Int) {
        guard let values else { return }
        count += 1
        body(values, line)
      }
      if try Self.isCSV(file) {
        try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
          receive(try reader.values(of: record), record.line)
        }
      } else {
        try file.forEachLine { (bytes, line) throws(CatalogError) in
          receive(try reader.values(of: bytes, line), line)
        }
      }
    } catch {
      if let failure = reader.failure { throw failure }
      throw DriftError(.unreadableFile, error).at(printable(file.name))
    }
    // A file without rows must not pass as one without changes.
    if count == 0 {
      throw DriftError(
        .malformedRow,
        reader.problems.first.map { "the file has no valid row: \($0.place): \($0.problem)" }
          ?? "the file has no rows",
        fix: "write JSON Lines or CSV with \(expected)",
        place: printable(file.name)
      )
    }
    return reader.problems
  }

  private static func isCSV(_ file: CatalogFile) throws(CatalogError) -> Bool {
    let name = file.name.lowercased()
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return true }
    if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") { return false }
    return try file.prefix(64).first { !" \t\r\n".utf8.contains($0) } != UInt8(ascii: "{")
  }

  private struct Reader {
    let name: String
    let format: DisplayRows
    var problems: [DriftError] = []
    /// The error that ended reading.
    private(set) var failure: DriftError?
    /// The CSV columns of the fields.
    private var columns: [Int?]?
    private var columnCount = 0

    init(name: String, format: DisplayRows) { (self.name, self.format) = (name, format) }

    /// A file with more invalid rows than this is not a file of displays.
    private static let maximumProblemCount = 100_000

    private func malformedRow(_ problem: String, _ line: Int) -> DriftError {
      DriftError(.malformedRow, problem, fix: "write \(format.expected)", place: "\(name), line \(line)")
    }

    /// Ends reading with an error.
    private mutating func fail(_ error: DriftError) throws(CatalogError) {
      failure = error
      throw CatalogError(.malformedFile, error.problem, fix: error.fix)
    }

    private mutating func reject(_ problem: String, _ line: Int) throws(CatalogError) -> [String?]? {
      problems.append(malformedRow(problem, line))
      if problems.count > Self.maximumProblemCount {
        try fail(malformedRow("the file has more than \(Self.maximumProblemCount) invalid rows", line))
      }
      return nil
    }

    /// Returns the values of a CSV record; `nil` for the header and a rejected row.
    mutating func values(of record: CSVReader.Record) throws(CatalogError) -> [String?]? {
      guard let columns else {
        let found = format.fields.map { names in
          names.lazy.compactMap { record.fields.firstIndex(of: $0) }.first
        }
        for (names, column) in zip(format.fields.prefix(format.requiredCount), found) where column == nil {
          try fail(malformedRow("the column \(quoted(names[0])) is missing", record.line))
        }
        (columns, columnCount) = (found, record.fields.count)
        return nil
      }
      // An unquoted price with a comma would be cut at the comma.
      guard record.fields.count == columnCount else {
        return try reject(
          "the row has \(counted(record.fields.count, "field")) and the header \(columnCount) (is a text with commas not quoted?)",
          record.line
        )
      }
      let values = columns.map { column in
        column.map { record.fields[$0] }
      }
      return try checked(values, record.line)
    }

    /// Returns the values of a JSON object; `nil` for a rejected row.
    mutating func values(of bytes: UnsafeBufferPointer<UInt8>, _ line: Int) throws(CatalogError) -> [String?]?
    {
      let value: JSONValue
      do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
        return try reject(error.problem, line)
      }
      guard case .object(let object) = value else {
        return try reject("the row must be a JSON object", line)
      }
      let values = format.fields.map { names in
        names.lazy.compactMap { name -> String? in
          switch object[name] {
          case .string(let text)?: text
          case .number(let text)? where name == "amount": text
          default: nil
          }
        }.first
      }
      return try checked(values, line)
    }

    private mutating func checked(_ values: [String?], _ line: Int) throws(CatalogError) -> [String?]? {
      let required = values.prefix(format.requiredCount)
      if let missing = zip(format.fields, required).first(where: { $0.1 == nil })?.0[0] {
        return try reject("the field \(quoted(missing)) is missing or not a string", line)
      }
      return required + values.dropFirst(format.requiredCount).map { $0?.isEmpty == true ? nil : $0 }
    }
  }
}

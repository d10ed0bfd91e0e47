import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// The prices that a shop displays, formatted by any means: rows of a product, a storefront, and a text.
///
/// A row is a JSON object on one line, or a CSV record below a header. Its fields are `productIdentifier` (or
/// `identifier`), `storefront`, `text` (or `display`), and, if the display depends on it, `language`. Other fields are
/// ignored.
public struct ShopDisplays: Sendable {
  /// A row.
  public struct Row: Hashable, Sendable {
    /// The line number, from 1.
    public let line: Int
    /// The product's identifier.
    public let productIdentifier: String
    /// The storefront, alpha-3 or alpha-2.
    public let storefront: String
    /// The UI language; `nil` if the display is the same in all languages.
    public let language: String?
    /// The displayed price.
    public let text: String
  }

  /// The file's name, for errors.
  let name: String
  /// The rows, in order.
  public let rows: [Row]
  /// The rejected rows, each with its line.
  public let problems: [DriftError]

  /// Reads the displays of a file.
  ///
  /// A name that ends in `.csv` or `.tsv` means CSV, one that ends in `.jsonl` or `.ndjson` means JSON Lines. For any
  /// other name the first bytes decide.
  ///
  /// - Throws: `.unreadableFile`; `.malformedRow` for a CSV header without the required columns, and for a file without
  ///   valid rows.
  public init(path: String) throws(DriftError) {
    try self.init(CatalogFile(path: path))
  }

  /// Reads the displays of a file in memory, in the format that its name implies.
  ///
  /// - Throws: The errors of `init(path:)`.
  public init(name: String, text: String) throws(DriftError) {
    try self.init(CatalogFile(name: name, bytes: Array(text.utf8)))
  }

  private static let fields = [
    ["productIdentifier", "identifier"], ["storefront"], ["text", "display"], ["language"],
  ]

  private init(_ file: CatalogFile) throws(DriftError) {
    var reader = Reader(name: printable(file.name))
    do throws(CatalogError) {
      if try Self.isCSV(file) {
        try CSVReader.forEachRecord(of: file, separator: nil) { (record) throws(CatalogError) in
          try reader.read(record)
        }
      } else {
        try file.forEachLine { (bytes, line) throws(CatalogError) in try reader.read(bytes, line) }
      }
    } catch {
      if let failure = reader.failure { throw failure }
      throw DriftError(.unreadableFile, error).at(printable(file.name))
    }
    // A file without rows must not pass as one without changes.
    if reader.rows.isEmpty {
      throw DriftError(
        .malformedRow,
        reader.problems.first.map { "the file has no valid row: \($0.place): \($0.problem)" }
          ?? "the file has no rows",
        fix: "write JSON Lines or CSV with productIdentifier, storefront, and text",
        place: printable(file.name)
      )
    }
    self.name = file.name
    (rows, problems) = (reader.rows, reader.problems)
  }

  private static func isCSV(_ file: CatalogFile) throws(CatalogError) -> Bool {
    let name = file.name.lowercased()
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return true }
    if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") { return false }
    return try file.prefix(64).first { !" \t\r\n".utf8.contains($0) } != UInt8(ascii: "{")
  }

  private struct Reader {
    let name: String
    var rows: [Row] = []
    var problems: [DriftError] = []
    /// The error that ended reading.
    private(set) var failure: DriftError?
    /// The CSV columns of the fields.
    private var columns: [Int?]?
    private var columnCount = 0

    init(name: String) { self.name = name }

    static let fix = "write productIdentifier, storefront, and text"
    /// A file with more invalid rows than this is not a file of displays.
    private static let maximumProblemCount = 100_000

    private func malformedRow(_ problem: String, _ line: Int) -> DriftError {
      DriftError(.malformedRow, problem, fix: Self.fix, place: "\(name), line \(line)")
    }

    /// Ends reading with an error.
    private mutating func fail(_ error: DriftError) throws(CatalogError) {
      failure = error
      throw CatalogError(.malformedFile, error.problem, fix: error.fix)
    }

    private mutating func reject(_ problem: String, _ line: Int) throws(CatalogError) {
      problems.append(malformedRow(problem, line))
      if problems.count > Self.maximumProblemCount {
        try fail(malformedRow("the file has more than \(Self.maximumProblemCount) invalid rows", line))
      }
    }

    mutating func read(_ record: CSVReader.Record) throws(CatalogError) {
      guard let columns else {
        let found = ShopDisplays.fields.map { names in
          names.lazy.compactMap { record.fields.firstIndex(of: $0) }.first
        }
        for (names, column) in zip(ShopDisplays.fields.prefix(3), found) where column == nil {
          try fail(malformedRow("the column \(quoted(names[0])) is missing", record.line))
        }
        (columns, columnCount) = (found, record.fields.count)
        return
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
      try add(values, record.line)
    }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Int) throws(CatalogError) {
      let value: JSONValue
      do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
        return try reject(error.problem, line)
      }
      guard case .object(let object) = value else {
        return try reject("the row must be a JSON object", line)
      }
      try add(
        ShopDisplays.fields.map { names in
          names.lazy.compactMap { name in
            if case .string(let text)? = object[name] { text } else { nil }
          }.first
        },
        line
      )
    }

    private mutating func add(_ values: [String?], _ line: Int) throws(CatalogError) {
      guard let identifier = values[0], let storefront = values[1], let text = values[2] else {
        let missing = zip(ShopDisplays.fields, values.prefix(3)).first { $0.1 == nil }?.0[0] ?? ""
        return try reject("the field \(quoted(missing)) is missing or not a string", line)
      }
      let language = values[3].flatMap { $0.isEmpty ? nil : $0 }
      rows.append(
        Row(line: line, productIdentifier: identifier, storefront: storefront, language: language, text: text)
      )
    }
  }
}

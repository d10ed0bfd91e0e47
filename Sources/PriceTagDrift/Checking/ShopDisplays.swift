import PriceTag
import PriceTagCatalog
import PriceTagText

/// What a shop shows its customers, by whatever it formats prices with: rows of a product, a storefront and a text.
///
/// A row is a JSON object on a line, or a record of CSV with a header, with the fields `productIdentifier` (or
/// `identifier`), `storefront`, `text` (or `display`), and, where the display depends on it, `language`. Other fields
/// are left alone.
public struct ShopDisplays: Sendable {
  /// A row.
  public struct Row: Hashable, Sendable {
    /// Where it stands, from 1.
    public let line: Int
    /// The product's identifier.
    public let productIdentifier: String
    /// The storefront, alpha-3 or alpha-2.
    public let storefront: String
    /// The reader's language; `nil` where the display is the same in all.
    public let language: String?
    /// What is displayed.
    public let text: String
  }

  /// The file's name, for errors.
  let name: String
  /// The rows, in order.
  public let rows: [Row]
  /// Rows that were set aside, each with its line.
  public let problems: [DriftError]

  /// The displays of a file: CSV where its name ends in `.csv` or `.tsv`, JSON Lines where it ends in `.jsonl` or
  /// `.ndjson`, and else what it starts like.
  ///
  /// - Throws: `.unreadableFile`; `.malformedRow` for a header of CSV without the columns that are needed, and for a file
  ///   without rows.
  public init(path: String) throws(DriftError) {
    try self.init(CatalogFile(path: path))
  }

  /// The displays of a file in memory; its name tells the format.
  ///
  /// - Throws: as `init(path:)`.
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
          try reader.take(record)
        }
      } else {
        try file.forEachLine { (bytes, line) throws(CatalogError) in try reader.take(bytes, line) }
      }
    } catch {
      if let failure = reader.failure { throw failure }
      throw DriftError(.unreadableFile, error).at(printable(file.name))
    }
    // Nothing to check must not look like nothing that changed.
    if reader.rows.isEmpty {
      throw DriftError(
        .malformedRow,
        reader.problems.first.map { "no row can be read, for at \($0.place) \($0.problem)" }
          ?? "there are no rows",
        fix:
          "give JSON Lines or CSV with productIdentifier, storefront and text",
        place: printable(file.name)
      )
    }
    self.name = file.name
    (rows, problems) = (reader.rows, reader.problems)
  }

  /// By the name's ending, or by how the file starts.
  private static func isCSV(_ file: CatalogFile) throws(CatalogError) -> Bool {
    let name = file.name.lowercased()
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return true }
    if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") { return false }
    return try file.start(64).first { !" \t\r\n".utf8.contains($0) } != UInt8(ascii: "{")
  }

  /// Reads rows one by one.
  private struct Reader {
    let name: String
    var rows: [Row] = []
    var problems: [DriftError] = []
    /// What ends the reading.
    private(set) var failure: DriftError?
    /// The columns of the fields, of CSV.
    private var columns: [Int?]?
    private var columnCount = 0

    init(name: String) { self.name = name }

    static let fix = "give productIdentifier, storefront and text"
    /// So many rows that are none make a file of something else.
    private static let mostProblems = 100_000

    private func wrong(_ problem: String, _ line: Int) -> DriftError {
      DriftError(.malformedRow, problem, fix: Self.fix, place: "\(name), line \(line)")
    }

    /// Ends the reading.
    private mutating func fail(_ error: DriftError) throws(CatalogError) {
      failure = error
      throw CatalogError(.malformedFile, error.problem, fix: error.fix)
    }

    private mutating func setAside(_ problem: String, _ line: Int) throws(CatalogError) {
      problems.append(wrong(problem, line))
      if problems.count > Self.mostProblems {
        try fail(wrong("more than \(Self.mostProblems) rows are wrong", line))
      }
    }

    mutating func take(_ record: CSVReader.Record) throws(CatalogError) {
      guard let columns else {
        let found = ShopDisplays.fields.map { names in
          names.lazy.compactMap { record.fields.firstIndex(of: $0) }.first
        }
        for (names, column) in zip(ShopDisplays.fields.prefix(3), found) where column == nil {
          try fail(wrong("the header has no column \(quoted(names[0]))", record.line))
        }
        (columns, columnCount) = (found, record.fields.count)
        return
      }
      // A price with a comma in it would lose half of itself.
      guard record.fields.count == columnCount else {
        return try setAside(
          "the row has \(counted(record.fields.count, "field")), and the header \(columnCount): put a text with commas into quotes",
          record.line
        )
      }
      let values = columns.map { column in
        column.map { record.fields[$0] }
      }
      try add(values, record.line)
    }

    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Int) throws(CatalogError) {
      let value: JSONValue
      do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
        return try setAside(error.problem, line)
      }
      guard case .object(let object) = value else {
        return try setAside("the row is no object", line)
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
        return try setAside("the row has no text in its field \(quoted(missing))", line)
      }
      let language = values[3].flatMap { $0.isEmpty ? nil : $0 }
      rows.append(
        Row(line: line, productIdentifier: identifier, storefront: storefront, language: language, text: text)
      )
    }
  }
}

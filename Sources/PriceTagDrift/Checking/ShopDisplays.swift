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

  private static let format = DisplayRows(
    fields: [["productIdentifier", "identifier"], ["storefront"], ["text", "display"], ["language"]],
    requiredCount: 3,
    expected: "productIdentifier, storefront, and text"
  )

  private init(_ file: CatalogFile) throws(DriftError) {
    var rows: [Row] = []
    problems = try Self.format.forEach(of: file) { values, line in
      rows.append(
        Row(
          line: line,
          productIdentifier: values[0] ?? "",
          storefront: values[1] ?? "",
          language: values[3],
          text: values[2] ?? ""
        )
      )
    }
    (name, self.rows) = (file.name, rows)
  }
}

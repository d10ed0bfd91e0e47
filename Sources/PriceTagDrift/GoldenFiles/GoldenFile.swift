import PriceTag
import PriceTagCatalog
import PriceTagText

/// A golden file: what every storefront displayed when it was recorded, as text that people can review.
///
///     let goldenFile = try GoldenFile(path: "Tests/prices.golden")
///     goldenFile.header.versions.icu     // "72.1"
///     goldenFile.displays.count          // one for each product, storefront, and language
///
/// The file starts with header lines of the form `# name: value` and the names of the columns. Each following line is one
/// display with tab-separated fields: product, storefront, language, amount, currency, price locale, display, spoken
/// form, name, description, subscription, and offers. The lines are sorted by the first three fields. Invisible
/// characters are escaped: `\u{A0}`. Lines in another order and CRLF line ends are accepted.
public struct GoldenFile: Sendable {
  /// The name of the file, also used in errors.
  public let name: String
  /// The header.
  public let header: GoldenFileHeader
  /// The rejected lines: invalid ones and duplicates.
  public let problems: [DriftError]
  /// The lines, sorted. A rejected line is included if its product, storefront, and language can be read.
  let lines: [DisplayLine]

  /// The displays, in order.
  public var displays: [RecordedDisplay] {
    lines.compactMap { $0.isRejected ? nil : try? RecordedDisplay(line: $0.text) }
  }

  /// Reads a golden file.
  ///
  /// - Throws: `.unreadableFile`; `.malformedGoldenFile`, with the line, for an invalid header, another version, or a
  ///   file of another kind.
  public init(path: String) throws(DriftError) {
    try self.init(CatalogFile(path: path))
  }

  /// Reads a golden file in memory.
  ///
  /// - Throws: The errors of `init(path:)`.
  public init(name: String, text: String) throws(DriftError) {
    try self.init(CatalogFile(name: name, bytes: Array(text.utf8)))
  }

  /// Reads a golden file whose first bytes may have been read before.
  package init(_ file: CatalogFile) throws(DriftError) {
    name = file.name
    let place = printable(file.name)
    do throws(DriftError) { (header, lines, problems) = try GoldenFileReader.read(file, place) } catch {
      throw error.at(place)
    }
  }
}

/// A display as a line of a golden file.
struct DisplayLine: Sendable {
  let text: String
  /// The line number in the file, from 1; `nil` for a current display.
  let number: Int?
  /// Whether the line is invalid.
  let isRejected: Bool
  /// The product, the storefront, and the language.
  let key: Key

  init(_ text: String, number: Int? = nil, isRejected: Bool = false) {
    (self.text, self.number, self.isRejected) = (text, number, isRejected)
    key = Key(text)
  }

  /// The sort key of a line: its bytes up to the third tab.
  struct Key: Comparable, Sendable {
    private let text: Substring.UTF8View

    init(_ line: String) {
      let fields = line.utf8.split(separator: 0x09, maxSplits: 3, omittingEmptySubsequences: false)
      text = line.utf8[line.startIndex..<fields[min(2, fields.count - 1)].endIndex]
    }

    static func == (first: Key, second: Key) -> Bool { first.text.elementsEqual(second.text) }
    // A tab sorts before every character that a field can contain.
    static func < (first: Key, second: Key) -> Bool { first.text.lexicographicallyPrecedes(second.text) }

    /// The product, the storefront, and the language, still escaped.
    var fields: [String] {
      text.split(separator: 0x09, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
  }
}

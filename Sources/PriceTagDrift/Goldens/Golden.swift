import PriceTag
import PriceTagCatalog
import PriceTagText

/// A golden: what every storefront displayed once, as text that people can review.
///
///     let golden = try Golden(path: "Tests/prices.golden")
///     golden.header.versions.icu     // "72.1"
///     golden.displays.count          // one for each product, storefront and language
///
/// The header is lines of `# name: value`, then come the names of the columns, then a line for each display: product,
/// storefront, language, amount, currency, price locale, display, spoken, name, description, subscription, offers, with
/// tabs between them, sorted by the first three. What cannot be seen is written as an escape: `\u{A0}`. A golden that
/// something else has sorted, or whose lines end with CRLF by now, says the same.
public struct Golden: Sendable {
  /// What the golden is called, in errors too.
  public let name: String
  /// What it was made of, and with what.
  public let header: GoldenHeader
  /// Lines that are set aside: they are none, or stand twice.
  public let problems: [DriftError]
  /// The lines in order; of those set aside, the ones that tell of which display they are.
  let lines: [DisplayLine]

  /// The displays, in order.
  public var displays: [RecordedDisplay] {
    lines.compactMap { $0.isSetAside ? nil : try? RecordedDisplay(line: $0.text) }
  }

  /// A golden in a file.
  ///
  /// - Throws: `.unreadableFile`; `.malformedGolden`, with the line, for a header that is wrong or of another version,
  ///   and for a file that is no golden.
  public init(path: String) throws(DriftError) {
    try self.init(CatalogFile(path: path))
  }

  /// A golden in memory.
  ///
  /// - Throws: as `init(path:)`.
  public init(name: String, text: String) throws(DriftError) {
    try self.init(name: name, bytes: Array(text.utf8))
  }

  /// A golden in memory, which may be anything.
  package init(name: String, bytes: [UInt8]) throws(DriftError) {
    try self.init(CatalogFile(name: name, bytes: bytes))
  }

  private init(_ file: CatalogFile) throws(DriftError) {
    name = file.name
    let place = printable(file.name)
    do throws(DriftError) { (header, lines, problems) = try GoldenReader.read(file, place) } catch {
      throw error.at(place)
    }
  }
}

/// A line of a golden, or what would be one.
struct DisplayLine: Sendable {
  let text: String
  /// Its number in a file, from 1; `nil` for one that is displayed now.
  let number: Int?
  /// Whether what it says cannot be read.
  let isSetAside: Bool
  /// Product, storefront and language.
  let key: Key

  init(_ text: String, number: Int? = nil, isSetAside: Bool = false) {
    (self.text, self.number, self.isSetAside) = (text, number, isSetAside)
    key = Key(text)
  }

  /// What lines are sorted by: the bytes up to the third tab.
  struct Key: Comparable, Sendable {
    private let text: Substring.UTF8View

    init(_ line: String) {
      let fields = line.utf8.split(separator: 0x09, maxSplits: 3, omittingEmptySubsequences: false)
      text = line.utf8[line.startIndex..<fields[min(2, fields.count - 1)].endIndex]
    }

    static func == (first: Key, second: Key) -> Bool { first.text.elementsEqual(second.text) }
    // A tab comes before whatever stands in a field.
    static func < (first: Key, second: Key) -> Bool { first.text.lexicographicallyPrecedes(second.text) }

    /// Product, storefront and language, as they are written.
    var fields: [String] {
      text.split(separator: 0x09, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
  }
}

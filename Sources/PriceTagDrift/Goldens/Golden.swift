import PriceTag
import PriceTagCatalog

/// A golden: what every storefront displayed once, as text that people can review.
///
///     let golden = try Golden(path: "Tests/prices.golden")
///     golden.header.versions.icu     // "72.1"
///     golden.displays.count          // one for each product, storefront and language
///
/// The header is lines of `# name: value`, then come the names of the columns, then a line for each display: product,
/// storefront, language, amount, currency, price locale, display, spoken, name, description, subscription, offers, with
/// tabs between them, sorted by the first three. What cannot be seen is written as an escape: `\u{A0}`.
public struct Golden: Sendable {
  /// What the golden is called, in errors too.
  public let name: String
  /// What it was made of, and with what.
  public let header: GoldenHeader
  /// Lines that are set aside, for they are none, or not in order.
  public let problems: [DriftError]
  let lines: [DisplayLine]

  /// The displays, in order.
  public var displays: [RecordedDisplay] { lines.compactMap { try? RecordedDisplay(line: $0.text) } }

  /// A golden in a file.
  ///
  /// - Throws: `.unreadableFile`; `.malformedGolden`, with the line, for a header that is wrong or of another version.
  public init(path: String) throws(DriftError) {
    try self.init(CatalogFile(path: path))
  }

  /// A golden in memory.
  ///
  /// - Throws: as `init(path:)`.
  public init(name: String, text: String) throws(DriftError) {
    try self.init(CatalogFile(name: name, bytes: Array(text.utf8)))
  }

  private init(_ file: CatalogFile) throws(DriftError) {
    name = file.name
    var head: [Substring] = []
    var hasColumns = false
    var lines: [DisplayLine] = []
    var problems: [DriftError] = []
    let place = printable(file.name)
    do throws(CatalogError) {
      try file.forEachLine { (bytes, number) throws(CatalogError) in
        guard let text = String(validating: bytes, as: UTF8.self) else {
          problems.append(
            DriftError(
              .malformedLine,
              "the line is not UTF-8",
              fix: "record the golden again",
              place: "\(place), line \(number)"
            )
          )
          return
        }
        if !hasColumns, text.hasPrefix("#") {
          head.append(Substring(text))
        } else if !hasColumns {
          hasColumns = true
          // Without its columns a golden has no first line either.
          if text != GoldenHeader.columns { head.append("") }
        } else {
          let line = DisplayLine(text, number: number)
          if let last = lines.last, !(last.key < line.key) {
            problems.append(
              DriftError(
                .malformedLine,
                last.key == line.key
                  ? "the display stands twice"
                  : "the display is not in its place: lines are sorted by their bytes",
                fix: "record the golden again",
                place: "\(place), line \(number)"
              )
            )
          } else {
            lines.append(line)
          }
        }
      }
    } catch { throw DriftError(.unreadableFile, error).at(place) }
    guard hasColumns, head.first?.dropFirst(2).hasPrefix(GoldenHeader.title) == true else {
      throw GoldenHeader.malformed("the file does not start with \"# \(GoldenHeader.title)\"", 0).at(place)
    }
    guard head.last != "" else {
      throw GoldenHeader.malformed(
        "behind the header stand no columns as this version has them",
        head.count - 1
      )
      .at(place)
    }
    do throws(DriftError) { header = try GoldenHeader(lines: head) } catch { throw error.at(place) }
    (self.lines, self.problems) = (lines, problems)
  }
}

/// A line of a golden, or what would be one.
struct DisplayLine: Sendable {
  let text: String
  /// Its number in a file, from 1; `nil` for one that is displayed now.
  let number: Int?
  /// Product, storefront and language.
  let key: Key

  init(_ text: String, number: Int? = nil) {
    (self.text, self.number) = (text, number)
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
    var fields: [String] { String(Substring(text)).split(separator: "\t").map(String.init) }
  }
}

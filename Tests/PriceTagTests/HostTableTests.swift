import Foundation
import Testing

/// Compares the table of docs/phrases.md with the interfaces of the hosts.
@Suite struct HostTableTests {
  /// The file that declares a host's interface.
  private static let interfaces = [
    "Swift": "Sources", "C": "Bindings/C/include/pricetag.h", "JavaScript": "Bindings/JavaScript",
    "Python": "Bindings/Python/pricetag_formatter",
  ]

  /// What each row declares where it exists. A host whose interface does not declare it must have an empty cell.
  static let rows: [(row: String, declarations: [String: String])] = [
    (
      "Prices, their parts, direction and spoken form",
      [
        "Swift": "var spoken", "C": "pricetag_parts(", "JavaScript": "formatToParts(",
        "Python": "def spoken(",
      ]
    ),
    (
      "Reading a price",
      [
        "Swift": "func read(_ text", "C": "pricetag_read(", "JavaScript": "read(text: string",
        "Python": "def read(",
      ]
    ),
    (
      "Ranges of prices",
      [
        "Swift": "func format(from ", "C": "pricetag_range(", "JavaScript": "formatRange(",
        "Python": "def range(",
      ]
    ),
    (
      "Totals, prices per period, savings",
      [
        "Swift": "func savings(", "C": "pricetag_saving(", "JavaScript": "saving(period",
        "Python": "def saving(",
      ]
    ),
    (
      "Phrases about prices",
      [
        "Swift": "func freeTrial(", "C": "pricetag_phrase(", "JavaScript": "perPeriod(",
        "Python": "def per_period(",
      ]
    ),
    (
      "Messages with dates and names",
      [
        "Swift": "static func date(_ date", "C": "PRICETAG_ARGUMENT_DATE",
        "JavaScript": "kind === kinds.date", "Python": "date: datetime.date, /",
      ]
    ),
  ]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

  private static func interface(_ path: String) throws -> String {
    let folder = root.appending(path: path)
    guard path.hasSuffix(".h") == false else { return try String(contentsOf: folder, encoding: .utf8) }
    let types: Set = ["swift", "js", "ts", "py", "pyi"]
    let files =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
      ?? []
    return try files.filter { types.contains($0.pathExtension) }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }

  @Test func hasWhatTheInterfacesDeclare() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/phrases.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("| ") || $0.hasPrefix("|:") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let header = try #require(table.first { $0.contains("JavaScript") })
    for (host, path) in Self.interfaces {
      let text = try Self.interface(path)
      let column = try #require(header.firstIndex(of: host))
      for (row, declarations) in Self.rows {
        let cells = try #require(table.first { $0.first == row }, "\(row)")
        let declaration = try #require(declarations[host])
        #expect((cells[column] == "yes") == text.contains(declaration), "\(row), \(host)")
      }
    }
  }
}

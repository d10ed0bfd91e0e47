import CommandLineTools
import Foundation
import PriceTag
import Testing

/// The README and the guides, compared with the code, the command and the files that they show.
///
/// - A `swift` block is part of a file under `Examples`, all of which are compiled.
/// - A `console` block has commands after `$ ` and the output of each. A line `…` stands for any lines, and `…` at the end
///   of a line for its rest. All commands of a page run in one folder, which has links to
///   `Examples` and `LocaleData`.
/// - A comment `<!-- file: NAME -->` above a block writes the block into that folder first.
@Suite struct DocumentationTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let pages: [String] = {
    let guides =
      (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
    return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "LocaleData/README.md"]
      + guides.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  static func text(_ page: String) throws -> String {
    try String(contentsOf: root.appending(path: page), encoding: .utf8)
  }

  struct Block {
    var language: String
    var fileName: String?
    var lines: [Substring] = []
    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  /// The fenced blocks of a page.
  static func blocks(_ page: String) throws -> [Block] {
    var (blocks, current, fileName) = ([Block](), Block?.none, String?.none)
    for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = current {
          blocks.append(block)
          current = nil
        } else {
          current = Block(language: String(line.dropFirst(3)), fileName: fileName)
        }
        fileName = nil
      } else if current != nil {
        current?.lines.append(line)
      } else if line.hasPrefix("<!--"), let name = line.wholeMatch(of: #/<!-- file: (\S+) -->/#)?.1 {
        fileName = String(name)
      }
    }
    return blocks
  }

  static func withoutIndentation(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test(arguments: pages) func swiftBlocksAreCompiled(page: String) throws {
    let files = try StructureTests.files(under: "Examples").map {
      Self.withoutIndentation(try String(contentsOf: $0, encoding: .utf8))
    }
    try #require(files.count >= 7)
    for block in try Self.blocks(page) where block.language == "swift" {
      let code = Self.withoutIndentation(block.text)
      #expect(files.contains { $0.contains(code) }, "\(page) has code that no example has: \(block.text)")
    }
  }

  /// Each example program prints what its comments promise.
  @Test(arguments: [
    ("FirstPrice", 5), ("FirstAmounts", 11), ("FirstStrings", 8), ("FirstCatalog", 5), ("FirstBatch", 3),
    ("FirstPages", 3), ("FirstService", 2), ("FirstReading", 3), ("FirstReceipt", 3), ("FirstPack", 3),
  ])
  func programsPrintTheirComments(name: String, count: Int) throws {
    let program = try Self.text("Examples/\(name)/main.swift")
    let promised = program.split(separator: "\n").filter { $0.contains("print(") }.compactMap {
      $0.split(separator: "  // ").last
    }
    let pack = "f=$(mktemp); pricetag pack --storefronts JPN -o $f 2>/dev/null; FirstPack $f; rm $f"
    let printed = try CommandLineTool.shell(name == "FirstPack" ? pack : name).output.split(separator: "\n")
    try #require(printed.count == promised.count && printed.count == count, "\(printed)")
    for (line, promise) in zip(printed, promised) { #expect(Self.matches(line, promise), "\(line)") }
  }

  /// Whether a printed line is the expected one, of which `…` may replace the rest.
  static func matches(_ line: some StringProtocol, _ expected: some StringProtocol) -> Bool {
    expected.hasSuffix("…") ? line.hasPrefix(expected.dropLast()) : line == expected
  }

  /// Whether printed lines are the expected ones, of which a line `…` may replace any number.
  static func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return lines.isEmpty }
    if first == "…" {
      return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], expected.dropFirst()) }
    }
    guard let line = lines.first, matches(line, first) else { return false }
    return matches(lines.dropFirst(), expected.dropFirst())
  }

  /// Lines as a page shows them: spaces of any kind alike, without the isolates around prices.
  static func shown(_ text: some StringProtocol) -> [String] {
    var lines = String(text).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.replacing(#/[\u{A0}\u{202F}\u{2009}]/#, with: " ").replacing(
        #/[\u{2066}-\u{2069}\u{200E}\u{200F}\u{61C}]/#,
        with: ""
      )
      .replacing(#/\s+$/#, with: "")
    }
    while lines.last == "" { lines.removeLast() }
    return lines.map { String($0) }
  }

  @Test(arguments: pages) func commandsPrintWhatIsShown(page: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["Examples", "LocaleData"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: name),
        withDestinationURL: Self.root.appending(path: name)
      )
    }
    var commands: [(line: String, expected: [Substring])] = []
    for block in try Self.blocks(page) {
      if let name = block.fileName {
        try block.text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
      }
      guard block.language == "console" else { continue }
      try #require(
        block.lines.first?.hasPrefix("$ ") == true,
        "\(page): a block does not start with a command"
      )
      for line in block.lines {
        if line.hasPrefix("$ ") {
          commands.append((String(line.dropFirst(2)), []))
        } else if let last = commands.indices.last {
          if commands[last].expected.isEmpty, commands[last].line.hasSuffix("\\") {
            commands[last].line += "\n\(line)"
          } else {
            commands[last].expected.append(line)
          }
        }
      }
    }
    if commands.isEmpty { return }
    // One shell runs all of them, so that `echo $?` prints the exit code of the command before it.
    let script = commands.map { "{ \($0.line)\n} 2>&1; code=$?; printf '\\036'; (exit $code)\n" }.joined()
    let outcome = try CommandLineTool.shell("cd '\(folder.path)'\n\(script)")
    let outputs = outcome.output.split(separator: "\u{1E}", omittingEmptySubsequences: false)
    try #require(outputs.count == commands.count + 1, "\(page): \(outcome.report)")
    for (command, output) in zip(commands, outputs) {
      let (printed, expected) = (Self.shown(output), Self.shown(command.expected.joined(separator: "\n")))
      #expect(
        Self.matches(printed[...], expected[...]),
        "\(page): $ \(command.line)\nprints\n\(printed.joined(separator: "\n"))\nand not\n\(expected.joined(separator: "\n"))"
      )
    }
  }

  /// The anchors of a page's headings, as GitHub forms them.
  static func anchors(_ page: String) throws -> Set<String> {
    var isCode = false
    var anchors: Set<String> = []
    for line in try text(page).split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#"), let heading = line.wholeMatch(of: #/#+ (.*)/#)?.1 else { continue }
      let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      anchors.insert(kept.replacingOccurrences(of: " ", with: "-"))
    }
    return anchors
  }

  @Test(arguments: pages + ["CHANGELOG.md"]) func linksHaveTargets(page: String) throws {
    for link in try Self.text(page).matches(of: #/\]\(([^)\s]+)\)/#).map({ String($0.1) }) {
      if link.contains("://") || link.hasPrefix("mailto:") { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let folder = page.split(separator: "/").dropLast().map { "\($0)/" }.joined()
      let path =
        parts[0].isEmpty
        ? page : URL(filePath: "/\(folder)\(parts[0])").standardizedFileURL.path.dropFirst().description
      let target = Self.root.appending(path: path)
      #expect(FileManager.default.fileExists(atPath: target.path), "\(page) links to \(link)")
      if parts.count == 2, path.hasSuffix(".md") {
        #expect(try Self.anchors(path).contains(parts[1]), "\(page) links to \(link)")
      }
    }
  }

  /// The table of styles in docs/swift.md has every value of every style option, and its commands print its prices.
  @Test func tableOfStylesIsExact() throws {
    let storefronts = ["USA", "DEU", "JPN", "EGY", "IND"]
    let header = "| Options and amount | \(storefronts.joined(separator: " | ")) |"
    let lines = try Self.text("docs/swift.md").split(separator: "\n")
    let rows = lines.drop { $0 != header }.dropFirst(2).prefix { $0.hasPrefix("| `") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    var options: Set<String> = []
    var commands = ""
    for row in rows {
      try #require(row.count == 1 + storefronts.count, "\(row)")
      let arguments = row[0].filter { $0 != "`" }
      options.formUnion(arguments.matches(of: #/--[a-z]+ \S+/#).map { String($0.0) })
      for id in storefronts { commands += "pricetag format --storefront \(id) \(arguments)\n" }
    }
    let expected = rows.flatMap { $0.dropFirst() }
    // The page says that CLDR 42 has these prices.
    if Versions.current.cldr.hasPrefix("42.") {
      let outcome = try CommandLineTool.shell(commands)
      #expect(Self.shown(outcome.output) == expected, "\(outcome.report)")
    }
    let values: [(option: String, values: [String])] = [
      ("width", PriceStyle.Width.allCases.map(\.rawValue)),
      ("zeros", PriceStyle.Zeros.allCases.map(\.rawValue)),
      ("sign", PriceStyle.Sign.allCases.map(\.rawValue)),
      ("digits", ["standard", "cash", "minor-units", "0", "0-2"]),
      ("rounding", RoundingMode.allCases.map(\.rawValue)),
      ("grouping", PriceStyle.Grouping.allCases.map(\.rawValue)), ("numbering", ["latn", "arab", "deva"]),
      ("notation", PriceStyle.Notation.allCases.map(\.rawValue)),
      ("qualifier", ["approximately", "at-least"]),
    ]
    for (option, values) in values {
      for value in values { #expect(options.contains("--\(option) \(value)"), "--\(option) \(value)") }
    }
  }

  /// docs/command.md describes every verb with every option of its own.
  @Test func everyVerbAndOptionIsDescribed() throws {
    let page = try Self.text("docs/command.md")
    let help = try CommandLineTool.run(["--help"]).output
    let verbs = try #require(help.components(separatedBy: "SUBCOMMANDS:").last).matches(
      of: #/(?m)^  ([a-z]+) /#
    ).map {
      String($0.1)
    }
    #expect(verbs.count >= 10)
    for verb in verbs {
      #expect(page.contains("pricetag \(verb)"), "docs/command.md does not show pricetag \(verb)")
      #expect(
        page.contains("| [`\(verb)`](#pricetag-\(verb)) |"),
        "the table of docs/command.md lacks \(verb)"
      )
      let options = try CommandLineTool.run(["help", verb]).output.matches(
        of: #/(?m)^  (?:-\w, )?(--[a-z-]+)/#
      )
      for option in Set(options.map { String($0.1) }) where !["--help", "--version"].contains(option) {
        #expect(page.contains(option), "docs/command.md does not describe \(option) of \(verb)")
      }
    }
  }

  /// The README is read in one sitting.
  @Test func theReadmeIsShort() throws {
    #expect(try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 140)
  }
}

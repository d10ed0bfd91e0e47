import CommandLineTools
import Foundation
import Testing

/// What the project promises of itself, held against its files.
@Suite struct StructureTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func files(under folder: String) throws -> [URL] {
    let found = FileManager.default.enumerator(
      at: root.appending(path: folder),
      includingPropertiesForKeys: nil
    )
    return (found?.allObjects as? [URL] ?? []).filter {
      ["swift", "h", "cpp", "c"].contains($0.pathExtension)
    }
  }

  /// ICU's headers are seen by CICU's implementation alone: in a public header they clash with the toolchain's ICU.
  @Test func noHeaderIncludesICU() throws {
    let headers = try (Self.files(under: "Sources") + Self.files(under: "LocaleData")).filter {
      $0.pathExtension == "h"
    }
    #expect(headers.count >= 2)
    for header in headers {
      #expect(
        try !String(contentsOf: header, encoding: .utf8).contains(##/#\s*include\s*[<"]unicode/##),
        "\(header.path)"
      )
    }
    let others = try Self.files(under: "Sources").filter { !$0.path.contains("/Sources/CICU/") }
    for file in others {
      #expect(try !String(contentsOf: file, encoding: .utf8).contains("unicode/"), "\(file.path)")
    }
  }

  /// simdjson's header is C++: only CJSON's implementation sees it.
  @Test func onlyCJSONIncludesSimdjson() throws {
    func including(_ files: [URL]) throws -> [String] {
      try files.filter {
        try String(contentsOf: $0, encoding: .utf8).contains(##/#\s*include\s*[<"]simdjson/##)
      }
      .map { "\($0.deletingLastPathComponent().lastPathComponent)/\($0.pathExtension)" }
    }
    #expect(try Set(including(Self.files(under: "Sources"))) == ["CJSON/cpp"])
  }

  @Test func nothingInTheSourcesCanCrashOnPurpose() throws {
    for file in try Self.files(under: "Sources") where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for forbidden in ["try!", "as!", "fatalError(", ".unsafelyUnwrapped"] {
        #expect(!text.contains(forbidden), "\(file.lastPathComponent) has \(forbidden)")
      }
    }
  }

  /// The README and the documentation show every verb.
  @Test func theReadmeNamesEveryVerb() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let help = try CommandLineTool.run(["--help"]).output
    let verbs = try #require(help.components(separatedBy: "SUBCOMMANDS:").last).matches(
      of: #/(?m)^  ([a-z]+) /#
    ).map { String($0.1) }
    #expect(verbs.count >= 3)
    for verb in verbs {
      #expect(readme.contains("pricetag \(verb)"), "the README does not show pricetag \(verb)")
    }
  }

  /// The README's programs are compiled targets, and print what their comments say.
  @Test(arguments: [
    ("FirstPrice", 5), ("FirstStrings", 5), ("FirstCatalog", 4), ("FirstBatch", 3), ("FirstPages", 3),
    ("FirstService", 2),
  ])
  func theReadmesProgramsAreTrue(name: String, count: Int) throws {
    let program = try String(
      contentsOf: Self.root.appending(path: "Examples/\(name)/main.swift"),
      encoding: .utf8
    )
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(program)```"))
    let promised = program.split(separator: "\n").filter { $0.contains("print(") }.compactMap {
      $0.split(separator: "  // ").last
    }
    let printed = try CommandLineTool.shell(name).output.split(separator: "\n")
    try #require(printed.count == promised.count && printed.count == count, "\(printed)")
    for (line, promise) in zip(printed, promised) {
      #expect(promise.hasSuffix("…") ? line.hasPrefix(promise.dropLast()) : line == promise)
    }
  }

  /// The README's tests are those of the example package, which is compiled and run.
  @Test func theReadmesTestsAreTrue() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let test = try #require(readme.firstMatch(of: #/```swift\n(  @Test[\s\S]*?)```/#)).1
    let example = "Examples/StorefrontTests/Tests/StorefrontTests/StorefrontTests.swift"
    #expect(try String(contentsOf: Self.root.appending(path: example), encoding: .utf8).contains(test))
  }

  /// The README's catalogue can be imported, and its price changes on the day that it says.
  @Test func theReadmesCatalogueIsTrue() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let catalog = try #require(readme.firstMatch(of: #/```json\n([\s\S]*?)```/#)).1
    let file = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString).json")
    try String(catalog).write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = try CommandLineTool.run([
      "products", file.path, "--storefront", "JPN", "--language", "en", "--at", "2026-12-31",
    ])
    #expect(
      outcome.output == """
        com.example.club  \u{2068}Club\u{2069}  \u{2068}￥500\u{2069} per month  [\u{2068}￥600\u{2069} from 2027-01-01]
                            introductory: 7 days free, then \u{2068}￥500\u{2069} per month

        """,
      "\(outcome.report)"
    )
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.report)")
  }

  /// The README's commands print what stands beside them.
  @Test func theReadmesCommandsAreTrue() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let lines = readme.split(separator: "\n").filter {
      $0.hasPrefix("pricetag format") && !$0.contains("--json")
    }
    #expect(lines.count >= 4)
    for line in lines {
      let parts = line.split(separator: #/\s{2,}/#)
      try #require(parts.count == 2, "\(line)")
      let outcome = try CommandLineTool.shell(String(parts[0]))
      #expect(outcome.output.replacing("\u{A0}", with: " ") == parts[1] + "\n", "\(outcome.report)")
    }
  }
}

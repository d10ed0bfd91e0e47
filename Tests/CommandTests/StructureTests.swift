import CommandLineTools
import Foundation
import Testing

/// What the project promises of itself, held against its files.
@Suite struct StructureTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func files(under folder: String) throws -> [URL] {
    let found = FileManager.default.enumerator(
      at: root.appending(path: folder),
      includingPropertiesForKeys: nil
    )
    return (found?.allObjects as? [URL] ?? []).filter {
      ["swift", "h", "cpp", "c"].contains($0.pathExtension)
    }
  }

  /// Lower layers never know upper ones.
  private static let mayImport: [String: Set<String>] = [
    "PriceTag": [
      "CICU", "PriceTagLocaleData", "FoundationEssentials", "Foundation", "Synchronization", "Glibc", "Musl",
      "Darwin",
    ],
    "PriceTagStrings": [
      "PriceTag", "CICU", "CXML", "PriceTagLocaleData", "FoundationEssentials", "Foundation",
      "Synchronization", "Glibc", "Musl", "Darwin",
    ],
    "PriceTagCatalog": [
      "PriceTag", "PriceTagStrings", "GRDB", "GRDBSQLite", "AsyncHTTPClient", "NIOCore", "NIOHTTP1",
      "Logging",
      "FoundationEssentials", "Foundation", "Synchronization", "Glibc", "Musl", "Darwin",
    ],
    "PriceTagBatch": [
      "PriceTag", "CJSON", "CZlib", "FoundationEssentials", "Foundation", "Synchronization", "Glibc", "Musl",
      "Darwin",
    ],
    "PriceTagCatalogBatch": ["PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch"],
    "PriceTagPages": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagNotice", "PriceTagTemplates", "CFolders",
      "Mustache",
      "Foundation",
      "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
    ],
    "PriceTagHTTPGuard": ["NIOCore", "Synchronization", "Glibc", "Musl", "Darwin"],
    "PriceTagService": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch", "PriceTagPages", "PriceTagOpenAPI",
      "PriceTagHTTPGuard",
      "CZlib", "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "HTTPTypes", "NIOCore", "NIOHTTP1",
      "NIOHTTPTypes", "NIOPosix", "Dispatch", "NIOSSL", "Configuration", "SystemPackage", "Logging",
      "CoreMetrics",
      "Dispatch", "Metrics", "ServiceLifecycle", "UnixSignals", "FoundationEssentials", "Foundation",
      "Synchronization",
      "Glibc", "Musl", "Darwin",
    ],
    "PriceTagDrift": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "FoundationEssentials", "Foundation",
      "Synchronization", "Glibc", "Musl", "Darwin",
    ],
    "PriceTagTesting": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagDrift", "Foundation", "Testing", "XCTest",
    ],
    "PriceTagCommandLine": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagPages", "ArgumentParser", "Synchronization",
      "Glibc", "Musl", "Darwin",
    ],
    // No service, no NIO and no metrics: the network is the server's.
    "pricetag": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch", "PriceTagCatalogBatch", "PriceTagPages", "PriceTagDrift", "PriceTagNotice",
      "PriceTagCommandLine", "ArgumentParser", "FoundationEssentials", "Foundation", "Dispatch",
      "Synchronization", "Glibc", "Musl", "Darwin",
    ],
    "pricetag-server": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagPages", "PriceTagService",
      "PriceTagCommandLine", "ArgumentParser", "Logging", "Metrics", "FoundationEssentials", "Foundation",
      "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
    ],
  ]

  /// The folders of modules that are not named as the modules: `pricetag` and `PriceTag` are one on some file systems.
  private static let folders = ["pricetag": "Command", "pricetag-server": "Server"]

  @Test func aModuleImportsOnlyWhatStandsAboveIt() throws {
    for (module, allowed) in Self.mayImport {
      let files = try Self.files(under: "Sources/\(Self.folders[module] ?? module)")
      #expect(!files.isEmpty)
      for file in files {
        let imports = try String(contentsOf: file, encoding: .utf8).matches(
          of: #/(?m)^ *(?:package |public |internal )?import (\w+)/#
        )
        for found in imports {
          #expect(allowed.contains(String(found.1)), "\(file.lastPathComponent) imports \(found.1)")
        }
      }
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

  /// The wall between words and prices: a language of words can format no amount of money.
  @Test func wordsCannotFormatAPrice() throws {
    let strings = try Self.files(under: "Sources/PriceTagStrings")
    // It reads prices from JSON, each by its own storefront.
    for file in strings where file.lastPathComponent != "MessageArgumentsReader.swift" {
      let text = try String(contentsOf: file, encoding: .utf8).replacing(#/(?m)^ *\/\/\/.*$/#, with: "")
      for forbidden in ["PriceFormatter(", "PriceLocale(", "PriceStyle", "cicu_number", "cicu_range"] {
        #expect(!text.contains(forbidden), "\(file.lastPathComponent) has \(forbidden)")
      }
    }
    // And the core, which formats prices, knows no language of words.
    for file in try Self.files(under: "Sources/PriceTag") {
      #expect(
        try !String(contentsOf: file, encoding: .utf8).contains("UILanguage"),
        "\(file.lastPathComponent)"
      )
    }
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

import CommandLineTools
import Foundation
import Testing

/// The module graph as the package manager has it, held against what each module may know.
@Suite struct ModuleGraphTests {
  /// What each module of `Sources` depends on: modules above it, and products of other packages.
  private static let dependencies: [String: Set<String>] = [
    "CICU": [], "CJSON": [], "CFolders": [], "CXML": ["CLibXML2"],
    "PriceTagLocaleData": [], "PriceTagTemplates": [], "PriceTagOpenAPI": [],
    "PriceTag": ["CICU", "PriceTagLocaleData"],
    "PriceTagStrings": ["PriceTag", "CICU", "CXML", "PriceTagLocaleData"],
    "PriceTagCatalog": ["PriceTag", "PriceTagStrings", "AsyncHTTPClient", "GRDB", "GRDBSQLite", "Logging"],
    "PriceTagBatch": ["PriceTag", "PriceTagStrings", "PriceTagCatalog", "CJSON", "CZlib"],
    "PriceTagPages": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagTemplates", "CFolders", "Mustache",
    ],
    "PriceTagService": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch", "PriceTagPages", "PriceTagOpenAPI",
      "CZlib", "Configuration", "CoreMetrics", "HTTPTypes", "Hummingbird", "Logging",
      "Metrics", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOPosix", "NIOSSL", "ServiceLifecycle",
      "UnixSignals",
    ],
    "PriceTagDrift": ["PriceTag", "PriceTagStrings", "PriceTagCatalog"],
    "PriceTagTesting": ["PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagDrift"],
    "pricetag": [
      "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch", "PriceTagPages", "PriceTagService",
      "PriceTagDrift", "ArgumentParser", "Logging", "Metrics",
    ],
  ]

  /// Modules that come with the toolchain.
  private static let toolchain: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
  ]
  /// What a module for tests may import besides.
  private static let testing: [String: Set<String>] = ["PriceTagTesting": ["Testing", "XCTest"]]
  /// Modules of a product that has another name.
  private static let modules: [String: Set<String>] = [
    "AsyncHTTPClient": ["NIOCore", "NIOHTTP1"], "Hummingbird": ["HummingbirdCore"],
    "Configuration": ["SystemPackage"],
  ]

  private struct Package: Decodable {
    let targets: [Target]
  }

  private struct Target: Decodable {
    enum Kind: String, Decodable { case regular, executable, system, test, plugin, macro, binary, snippet }

    let name: String
    let type: Kind
    let path: String?
    let dependencies: [Dependency]

    var folder: String { path ?? "\(type == .test ? "Tests" : "Sources")/\(name)" }
    /// Whether users and the command link it: neither an example nor a part of the tests or benchmarks.
    var isOwn: Bool {
      [.regular, .executable].contains(type)
        && !["Tests/", "Examples/", "Benchmarks/"].contains { folder.hasPrefix($0) }
    }
  }

  /// The name of a target, or of a product; a condition or a package stands behind it.
  private struct Dependency: Decodable {
    let name: String

    init(from decoder: any Decoder) throws {
      struct Value: Decodable {
        let name: String?
        init(from decoder: any Decoder) throws {
          name = try? decoder.singleValueContainer().decode(String.self)
        }
      }
      let kinds = try decoder.singleValueContainer().decode([String: [Value]].self)
      name = try #require(kinds.values.first?.first?.name)
    }
  }

  private static func targets() throws -> [Target] {
    // The manifest alone is read: what is built, and built by whom at this moment, plays no part.
    let outcome = try CommandLineTool.shell(
      "${SWIFT:-swift} package --package-path '\(StructureTests.root.path)' --scratch-path \"$(mktemp -u)\" dump-package",
      environment: ProcessInfo.processInfo.environment.filter { ["PATH", "SWIFT", "HOME"].contains($0.key) }
    )
    try #require(outcome.status == 0, "\(outcome.report)")
    return try JSONDecoder().decode(Package.self, from: Data(outcome.output.utf8)).targets
  }

  /// The graph has these edges, and no other: an edge that is new is a decision, and one that is gone may not come back
  /// unseen.
  @Test func everyModuleDependsOnWhatItMay() throws {
    let own = try Self.targets().filter(\.isOwn)
    #expect(own.count >= 10)
    for target in own {
      let expected = try #require(Self.dependencies[target.name], "\(target.name) is not in the table")
      let found = Set(target.dependencies.map(\.name))
      #expect(found.subtracting(expected) == [], "\(target.name) may not depend on these")
      #expect(expected.subtracting(found) == [], "\(target.name) does not depend on these: delete them here")
    }
    let names = Set(own.map(\.name))
    #expect(Set(Self.dependencies.keys).subtracting(names) == [], "these are no modules: delete them here")
  }

  /// A file imports what its target declares: nothing comes in through another module, and nothing is declared for
  /// nothing.
  @Test func everyImportIsDeclared() throws {
    for target in try Self.targets() where target.isOwn {
      let declared = Set(target.dependencies.map(\.name))
      let brought = declared.reduce(into: declared) { $0.formUnion(Self.modules[$1] ?? []) }
      let allowed = brought.union(Self.toolchain).union(Self.testing[target.name] ?? [])
      var imported: Set<String> = []
      for file in try StructureTests.files(under: target.folder) where file.pathExtension == "swift" {
        for name in try Self.imports(of: file) {
          imported.insert(name)
          #expect(allowed.contains(name), "\(target.name): \(file.lastPathComponent) imports \(name)")
        }
      }
      guard !imported.isEmpty else { continue }
      let unused = declared.filter { imported.isDisjoint(with: (Self.modules[$0] ?? []).union([$0])) }
      #expect(unused == [], "\(target.name) imports none of these")
    }
  }

  private static func imports(of file: URL) throws -> [String] {
    return try String(contentsOf: file, encoding: .utf8).matches(
      of:
        /(?m)^ *(?:@\w+(?:\(\w+\))? +)*(?:package |public |internal |fileprivate |private )?import (?:(?:struct|class|enum|func|protocol|typealias|let|var) )?(\w+)/
    ).map { String($0.1) }
  }
}

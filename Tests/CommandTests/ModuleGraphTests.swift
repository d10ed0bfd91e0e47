import CommandLineTools
import Foundation
import Testing

/// Compares the module graph of the package with the allowed dependencies.
@Suite struct ModuleGraphTests {
  /// The dependencies of each module of `Sources`: modules above it, and products of other packages.
  private static let dependencies: [String: Set<String>] = [
    "PriceTagLocaleData": [],
    "CICU": [],
    "CXML": ["CLibXML2"],
    "PriceTagText": ["CZlib"],
    "PriceTag": ["CICU", "PriceTagLocaleData", "PriceTagText"],
    "PriceTagXML": ["PriceTag", "PriceTagText", "CXML"],
    "PriceTagStrings": ["PriceTag", "PriceTagText", "CICU", "PriceTagLocaleData"],
    "PriceTagStringFiles": ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagXML"],
    "PriceTagCatalog": ["PriceTag", "PriceTagText", "PriceTagStrings", "GRDB", "GRDBSQLite"],
    "PriceTagCatalogFormats": [
      "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagXML",
    ],
    "PriceTagFetch": ["PriceTag", "PriceTagText", "PriceTagCatalog", "AsyncHTTPClient"],
    "CJSON": [],
    "PriceTagBatch": ["PriceTag", "PriceTagText", "CJSON"],
    "PriceTagCatalogBatch": [
      "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch",
    ],
    "PriceTagTemplates": [],
    "CFolders": [],
    "PriceTagNotice": [],
    "PriceTagPages": [
      "CFolders", "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagNotice",
      "PriceTagTemplates",
    ],
    "PriceTagReceipts": ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog"],
    "PriceTagOpenAPI": [],
    "PriceTagHTTPGuard": ["PriceTagText", "NIOCore"],
    "PriceTagService": [
      "PriceTagOpenAPI", "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog",
      "PriceTagCatalogFormats", "PriceTagBatch", "PriceTagPages", "PriceTagReceipts", "PriceTagHTTPGuard",
      "Configuration", "HTTPTypes", "Hummingbird", "Logging", "Metrics", "NIOCore", "NIOHTTP1",
      "NIOHTTPTypes",
      "NIOPosix", "ServiceLifecycle", "UnixSignals",
    ],
    "PriceTagServiceTLS": ["PriceTag", "PriceTagText", "PriceTagService", "Logging", "NIOCore", "NIOSSL"],
    "PriceTagDrift": ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog"],
    "PriceTagTesting": ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagDrift"],
    "PriceTagCommandLine": [
      "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagCatalogFormats",
      "PriceTagPages", "ArgumentParser",
    ],
    "PriceTagVerbs": [
      "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagStringFiles", "PriceTagCatalog",
      "PriceTagCatalogFormats", "PriceTagBatch", "PriceTagCatalogBatch", "PriceTagPages", "PriceTagReceipts",
      "PriceTagDrift", "PriceTagNotice", "PriceTagCommandLine", "ArgumentParser",
    ],
    "pricetag": ["PriceTagVerbs"],
    "pricetag-server": [
      "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagCatalogFormats",
      "PriceTagFetch", "PriceTagPages", "PriceTagService", "PriceTagServiceTLS", "PriceTagCommandLine",
      "ArgumentParser", "Logging",
    ],
  ]

  /// The modules of the toolchain.
  private static let toolchain: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
  ]
  /// The testing modules that a module may import.
  private static let testing: [String: Set<String>] = ["PriceTagTesting": ["Testing", "XCTest"]]
  /// The modules of products with another name.
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
    /// Whether the target belongs to the product, and not to examples, tests or benchmarks.
    var isOwn: Bool {
      [.regular, .executable].contains(type)
        && !["Tests/", "Examples/", "Benchmarks/"].contains { folder.hasPrefix($0) }
    }
  }

  /// A dependency on a target or a product. In JSON, an array of the name and a condition or a package.
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

  /// The targets of the manifest, which is read once for all tests.
  private static let targets: Result<[Target], any Error> = Result {
    // Only reads the manifest. A separate scratch path avoids waiting for a running build.
    let outcome = try CommandLineTool.shell(
      "${SWIFT:-swift} package --package-path '\(StructureTests.root.path)' --scratch-path \"$(mktemp -u)\" dump-package",
      environment: ProcessInfo.processInfo.environment.filter { ["PATH", "SWIFT", "HOME"].contains($0.key) }
    )
    try #require(outcome.status == 0, "\(outcome.report)")
    return try JSONDecoder().decode(Package.self, from: Data(outcome.output.utf8)).targets
  }

  /// The graph has exactly these edges.
  @Test func modulesHaveAllowedDependencies() throws {
    let own = try Self.targets.get().filter(\.isOwn)
    #expect(own.count >= 10)
    for target in own {
      let expected = try #require(Self.dependencies[target.name], "\(target.name) is not in the table")
      let found = Set(target.dependencies.map(\.name))
      #expect(found.subtracting(expected) == [], "\(target.name) may not depend on these")
      #expect(expected.subtracting(found) == [], "\(target.name) does not depend on these: delete them here")
    }
    let names = Set(own.map(\.name))
    #expect(Set(Self.dependencies.keys).subtracting(names) == [], "these are not modules: delete them here")
  }

  /// Files import only declared dependencies, and every declared dependency is imported.
  @Test func importsAreDeclared() throws {
    for target in try Self.targets.get() where target.isOwn {
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

  /// Tests and examples declare the modules of this package that they import. Otherwise a build may keep objects that were
  /// compiled for another interface.
  @Test func importsOfTestsAreDeclared() throws {
    let targets = try Self.targets.get()
    let modules = Set(targets.map(\.name))
    for target in targets where !target.isOwn {
      let declared = Set(target.dependencies.map(\.name))
      for file in try StructureTests.files(under: target.folder) where file.pathExtension == "swift" {
        let undeclared = modules.intersection(try Self.imports(of: file)).subtracting(declared)
        #expect(undeclared == [], "\(target.name): \(file.lastPathComponent) imports these")
      }
    }
  }

  /// A module, the products of other packages that it needs, and the number of PriceTag's Swift modules.
  typealias Closure = (module: String, products: Set<String>, swiftModules: Int)

  static let closures: [Closure] = [
    ("PriceTag", [], 1), ("PriceTagBatch", [], 2), ("PriceTagStrings", [], 2),
    ("PriceTagCatalog", ["GRDB", "GRDBSQLite"], 3), ("PriceTagTesting", ["GRDB", "GRDBSQLite"], 5),
    ("PriceTagReceipts", ["GRDB", "GRDBSQLite"], 4),
    ("pricetag", ["ArgumentParser", "GRDB", "GRDBSQLite"], 14),
  ]

  /// The command contains no network stack, and modules have no unnecessary dependencies.
  @Test(arguments: closures)
  func modulesHaveMinimalClosure(closure: Closure) throws {
    let targets = Dictionary(try Self.targets.get().map { ($0.name, $0) }) { first, _ in first }
    var found: Set<String> = []
    var next = [closure.module]
    while let name = next.popLast() {
      if found.insert(name).inserted { next += targets[name]?.dependencies.map(\.name) ?? [] }
    }
    #expect(found.filter { targets[$0] == nil } == closure.products)
    let modules = found.filter { $0.hasPrefix("PriceTag") || $0 == "pricetag" }
    #expect(
      modules.subtracting(Self.embedded + ["PriceTagText"]).count == closure.swiftModules,
      "\(modules.sorted())"
    )
  }

  /// Modules of embedded data in C.
  private static let embedded = [
    "PriceTagLocaleData", "PriceTagTemplates", "PriceTagNotice", "PriceTagOpenAPI",
  ]

  private static func imports(of file: URL) throws -> [String] {
    // Few lines have the word, and the regular expression is slow.
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      $0.contains("import ")
    }
    return lines.compactMap { line in
      line.prefixMatch(
        of:
          #/ *(?:@\w+(?:\(\w+\))? +)*(?:package |public |internal |fileprivate |private )?import (?:(?:struct|class|enum|func|protocol|typealias|let|var) )?(\w+)/#
      ).map { String($0.1) }
    }
  }
}

import CommandLineTools
import Foundation
import Testing

/// Checks the module graph of the package: its layers, its foreign modules, and the imports of its files.
@Suite struct ModuleGraphTests {
  /// Foreign modules, and modules with a network stack, with the modules that may depend on them.
  private static let dependents: [String: Set<String>] = [
    "ArgumentParser": ["PriceTagCommandLine", "PriceTagVerbs", "pricetag-server"],
    "AsyncHTTPClient": ["PriceTagFetch"],
    "CICU": ["PriceTag", "PriceTagStrings"],
    "CJSON": ["PriceTagBatch"],
    "CXML": ["PriceTagXML"],
    "CZlib": ["PriceTagSystem"],
    "GRDB": ["PriceTagCatalog"],
    "Hummingbird": ["PriceTagService"],
    "NIOCore": ["PriceTagHTTPGuard", "PriceTagService", "PriceTagServiceTLS"],
    "NIOSSL": ["PriceTagServiceTLS"],
    "PriceTagFetch": ["pricetag-server"],
    "PriceTagService": ["PriceTagServiceTLS", "pricetag-server"],
    "PriceTagTesting": [],
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

  /// A module depends on modules of the rows above it, or of its own row, in the list of `docs/design.md`.
  @Test func modulesDependOnModulesAbove() throws {
    let text = try String(contentsOf: StructureTests.root.appending(path: "docs/design.md"), encoding: .utf8)
    let list = try #require(text.components(separatedBy: "\n## Modules\n").last).components(
      separatedBy: "\n\n"
    )
    var rows: [String: Int] = [:]
    for (row, line) in try #require(list.first { $0.hasPrefix("| Module") }).split(separator: "\n")
      .enumerated()
    {
      for name in line.split(separator: "|")[0].matches(of: #/`([\w-]+)`/#) { rows[String(name.1)] = row }
    }
    let own = try Self.targets.get().filter(\.isOwn)
    #expect(own.count >= 10)
    for target in own {
      let row = try #require(rows[target.name], "\(target.name) is not in the list of docs/design.md")
      let below = target.dependencies.map(\.name).filter { rows[$0, default: 0] > row }
      #expect(below == [], "\(target.name) may not depend on these")
    }
    #expect(Set(rows.keys).subtracting(own.map(\.name)) == [], "these are not modules")
  }

  /// Only these modules depend on a foreign module or a network stack.
  @Test func foreignModulesAreWrapped() throws {
    for target in try Self.targets.get() where target.isOwn {
      for name in target.dependencies.map(\.name) {
        #expect(
          Self.dependents[name]?.contains(target.name) ?? true,
          "\(target.name) may not depend on \(name)"
        )
      }
    }
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
    ("PriceTag", [], 1), ("PriceTagBatch", [], 2), ("PriceTagReading", [], 2), ("PriceTagStrings", [], 2),
    ("PriceTagCatalog", ["GRDB", "GRDBSQLite"], 3), ("PriceTagTesting", ["GRDB", "GRDBSQLite"], 6),
    ("PriceTagReceipts", ["GRDB", "GRDBSQLite"], 4),
    ("pricetag", ["ArgumentParser", "GRDB", "GRDBSQLite"], 15),
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
      modules.subtracting(Self.embedded + ["PriceTagSystem", "PriceTagText"]).count == closure.swiftModules,
      "\(modules.sorted())"
    )
  }

  /// Modules of embedded data in C.
  private static let embedded = [
    "PriceTagLocaleData", "PriceTagTemplates", "PriceTagOpenAPI",
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

import CommandLineTools
import Foundation
import PriceTag
import Testing

/// The version, the licenses and the installation of a release.
@Suite struct ReleaseTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func files(under folder: String, _ extensions: Set<String>) -> [URL] {
    let found = FileManager.default.enumerator(
      at: root.appending(path: folder),
      includingPropertiesForKeys: nil
    )
    return (found?.allObjects as? [URL] ?? []).filter { extensions.contains($0.pathExtension) }
  }

  // MARK: Version

  @Test func versionIsConsistent() throws {
    let version = Versions.current.priceTag
    #expect(version.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    #expect(try Self.text("CHANGELOG.md").contains("\n## [\(version)] - "), "the changelog has no section")
    #expect(try Self.text("README.md").contains(#"from: "\#(version)""#))
    let documents = Self.files(under: "Sources", ["json"])
    let document = try #require(documents.first { $0.lastPathComponent == "openapi.json" })
    #expect(try String(contentsOf: document, encoding: .utf8).contains(#""version": "\#(version)""#))
    #expect(try CommandLineTool.run(["--version"]).output == "PriceTag \(version)\n")
    #expect(try Self.text("Bindings/JavaScript/package.json").contains(#""version": "\#(version)""#))
  }

  /// Only one source file has the version as a literal.
  @Test func versionIsDefinedOnce() throws {
    let stating = try Self.files(under: "Sources", ["swift", "c", "h", "cpp"]).filter {
      try String(contentsOf: $0, encoding: .utf8).contains("\"\(Versions.current.priceTag)\"")
    }
    #expect(stating.map(\.lastPathComponent) == ["Versions.swift"])
    for script in ["install", "deb", "deb-test", "release"] {
      #expect(try !Self.text("Scripts/package/\(script)").contains(Versions.current.priceTag), "\(script)")
    }
  }

  // MARK: Licenses

  @Test func printsLicenses() throws {
    let outcome = try CommandLineTool.run(["version", "--licenses"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(try outcome.output == Self.text("NOTICE") + "\n" + Self.text("LICENSE") + "\n")
  }

  @Test func noticeHasUnicodeLicense() throws {
    let notice = try Self.text("NOTICE")
    for phrase in [
      "UNICODE LICENSE V3", "Copyright © 1991-", "provided that either (a)\nthis copyright", "Unicode-3.0",
    ] {
      #expect(notice.contains(phrase), "\(phrase)")
    }
    // Store pages include the part before this line.
    #expect(notice.components(separatedBy: "\n\nPart 2.").count == 2)
  }

  /// The notice names every package, including indirect dependencies.
  @Test func noticeNamesEveryPackage() throws {
    struct Resolved: Decodable {
      struct Pin: Decodable { let identity: String }
      let pins: [Pin]
    }
    let data = try Data(contentsOf: Self.root.appending(path: "Package.resolved"))
    let pins = try JSONDecoder().decode(Resolved.self, from: data).pins.map(\.identity)
    #expect(pins.contains("grdb.swift"))
    let notice = try Self.text("NOTICE").lowercased()
    #expect(pins.filter { !notice.contains($0) } == [])
  }

  // MARK: Installation

  private static let installed = [
    "bin/pricetag", "bin/pricetag-server", "include/pricetag.h", "include/pricetag.hpp", "lib/libpricetag.a",
    "lib/libpricetag.so", "lib/libpricetag.so.0", "lib/pkgconfig/pricetag.pc",
    "lib/systemd/system/pricetag.service", "share/doc/libpricetag/LICENSE", "share/doc/libpricetag/NOTICE",
    "share/pricetag/kernel/pricetag-full.wasm", "share/pricetag/kernel/pricetag.wasm",
    "share/pricetag/store.pack",
    "share/bash-completion/completions/pricetag", "share/doc/pricetag-server/LICENSE",
    "share/doc/pricetag-server/NOTICE", "share/doc/pricetag/CHANGELOG.md", "share/doc/pricetag/LICENSE",
    "share/doc/pricetag/NOTICE", "share/fish/vendor_completions.d/pricetag.fish",
    "share/man/man1/pricetag-format.1", "share/man/man1/pricetag-server.1",
    "share/man/man1/pricetag.1", "share/zsh/site-functions/_pricetag",
  ]

  @Test func installsAndUninstalls() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try CommandLineTool.shell(
      """
      set -e
      mkdir '\(folder.path)/bin' '\(folder.path)/root' && cd '\(folder.path)/root'
      for name in pricetag pricetag-server; do ln -s "\(CommandLineTool.binary.deletingLastPathComponent().path)/$name" ../bin/$name; done
      mkdir ../man && touch ../man/pricetag.1 ../man/pricetag-format.1 ../man/pricetag-server.1
      mkdir ../kernel && (cd ../kernel && touch libpricetag.so.0 libpricetag.a pricetag.wasm pricetag-full.wasm store.pack {price-tag,pricetag,phrases}.js)
      export BIN='\(folder.path)/bin' MANUAL='\(folder.path)/man' KERNEL='\(folder.path)/kernel'
      export DESTDIR=$PWD PREFIX=/opt/pricetag
      '\(Self.root.path)/Scripts/package/install' >/dev/null
      touch opt/pricetag/bin/other
      (cd opt/pricetag && find . ! -type d -printf '%P\\n' | sort)
      opt/pricetag/bin/pricetag format --storefront USA 5
      grep '^ExecStart=' opt/pricetag/lib/systemd/system/pricetag.service
      bash -n opt/pricetag/share/bash-completion/completions/pricetag
      readlink opt/pricetag/lib/libpricetag.so
      grep -E '^(prefix|Version)' opt/pricetag/lib/pkgconfig/pricetag.pc
      '\(Self.root.path)/Scripts/package/install' --uninstall >/dev/null
      find . ! -type d
      """
    )
    let packs = Self.files(under: "LocaleData/packs", ["pack"])
    try #require(packs.count >= 2)
    let modules = (Self.files(under: "Bindings/JavaScript", ["", "cjs", "js", "json", "md", "ts"]) + packs)
      .map {
        "share/pricetag/kernel/\($0.lastPathComponent)"
      }
    try #require(modules.count >= 5)
    let named = packs.map { "share/pricetag/\($0.lastPathComponent)" }
    let files = (Self.installed + modules + named + ["bin/other"]).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    #expect(
      outcome.output.split(separator: "\n").map(String.init) == files + [
        "$5.00",
        "ExecStart=/opt/pricetag/bin/pricetag-server serve",
        "libpricetag.so.0", "prefix=/opt/pricetag", "Version: \(Versions.current.priceTag)",
        "./opt/pricetag/bin/other",
      ],
      "\(outcome.report)"
    )
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.report)")
  }

  @Test(arguments: [
    ("PREFIX=usr", "", 2, "invalid PREFIX \"usr\"; give an absolute path without spaces"),
    ("PARTS=docs", "", 2, "unknown part \"docs\" in PARTS; give some of command, server, library and kernel"),
    (
      "LIBDIR=/lib64", "", 2,
      "invalid LIBDIR \"/lib64\"; give a path below PREFIX without spaces, such as lib64"
    ),
    ("PARTS=command", "--remove", 2, "unknown argument \"--remove\"; give --uninstall or no argument"),
    ("BIN=/nonexistent", "", 1, "/nonexistent has no pricetag; run make build, then install again"),
    (
      "PARTS=library KERNEL=/nonexistent", "", 1,
      "/nonexistent has no libpricetag.so.0; run make build, then install again"
    ),
  ])
  func rejectsInvalidInstallation(variable: String, option: String, status: Int32, error: String)
    throws
  {
    let outcome = try CommandLineTool.shell(
      "\(variable) DESTDIR=/nonexistent '\(Self.root.path)/Scripts/package/install' \(option)"
    )
    #expect(outcome.status == status, "\(outcome.report)")
    #expect(outcome.errors == "Scripts/package/install: \(error)\n")
  }
}

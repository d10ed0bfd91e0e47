import CommandLineTools
import Foundation
import Testing

/// Rules about the files of the project.
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

  /// Only the implementation of CICU includes ICU headers. In a public header they clash with the toolchain's ICU.
  @Test func noPublicHeaderIncludesICU() throws {
    let headers = try (Self.files(under: "Sources") + Self.files(under: "LocaleData")).filter {
      $0.pathExtension == "h" && $0.path.contains("/include/")
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

  /// Only the implementation of CJSON includes the C++ header of simdjson.
  @Test func onlyCJSONIncludesSimdjson() throws {
    func including(_ files: [URL]) throws -> [String] {
      try files.filter {
        let text = try String(contentsOf: $0, encoding: .utf8)
        // The regular expression is slow, and few files have the word.
        return text.contains("simdjson") && text.contains(##/#\s*include\s*[<"]simdjson/##)
      }
      .map { "\($0.deletingLastPathComponent().lastPathComponent)/\($0.pathExtension)" }
    }
    #expect(try Set(including(Self.files(under: "Sources"))) == ["CJSON/cpp"])
  }

  @Test func sourcesHaveNoForcedOperations() throws {
    for file in try Self.files(under: "Sources") where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for forbidden in ["try!", "as!", "fatalError(", ".unsafelyUnwrapped"] {
        #expect(!text.contains(forbidden), "\(file.lastPathComponent) has \(forbidden)")
      }
    }
  }
}

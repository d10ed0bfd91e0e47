import Foundation
import PriceTagStringFiles
import Testing

@testable import PriceTagVerbs

/// Baselines of findings, in a folder of their own.
@Suite struct LintBaselineTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID().uuidString)")

  private func write(_ name: String, _ text: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  private func writeFiles() throws -> String {
    try write("en.json", #"{"a": "Buy {x}", "b": "Go {y}"}"#)
    try write("de.json", #"{"a": "Kauf", "b": "Los"}"#)
    let file = folder.appending(path: "lint.baseline").path
    let report = StringsLint().check(paths: [folder.path])
    #expect(report.findings.count == 2)
    try LintBaseline(report.findings, path: file).write()
    return file
  }

  @Test func acceptsPathsInAnyForm() throws {
    let file = try writeFiles()
    defer { try? FileManager.default.removeItem(at: folder) }
    for path in [folder.path, folder.path + "//", folder.path + "/../" + folder.lastPathComponent + "/./"] {
      var baseline = try LintBaseline(contentsOf: file)
      for finding in StringsLint().check(paths: [path]).findings {
        let isKnown = baseline.take(finding)
        #expect(isKnown, "\(finding)")
      }
    }
  }

  @Test func acceptsLineBreaksOfWindows() throws {
    let file = try writeFiles()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try write("lint.baseline", text.split(separator: "\n").map { $0 + "\r\n" }.joined())
    var baseline = try LintBaseline(contentsOf: file)
    for finding in StringsLint().check(paths: [folder.path]).findings {
      let isKnown = baseline.take(finding)
      #expect(isKnown, "\(finding)")
    }
  }

  /// Nothing is known about rules that are not applied, and about files that are not checked.
  @Test func judgesOnlyWhatWasChecked() throws {
    let file = try writeFiles()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("de.json", #"{"a": "Kauf {x}", "b": "Los {y}"}"#)
    func stale(_ paths: [String], ignoring ignored: Set<LintFinding.Rule> = []) throws -> Int {
      var baseline = try LintBaseline(contentsOf: file)
      let lint = StringsLint(ignoring: ignored)
      return baseline.stale(lint.check(paths: paths), ignoring: lint.ignored).count
    }
    #expect(try stale([folder.path]) == 2)
    #expect(try stale([folder.path], ignoring: [.missingPlaceholder]) == 0)
    #expect(try stale([folder.path + "/en.json"]) == 0)
    try FileManager.default.removeItem(at: folder.appending(path: "de.json"))
    #expect(try stale([folder.path + "/en.json"]) == 2)
  }
}

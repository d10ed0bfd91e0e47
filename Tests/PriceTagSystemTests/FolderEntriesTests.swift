import Foundation
import PriceTagSystem
import Testing

/// Names of files in a folder.
@Suite struct FolderEntriesTests {
  @Test func returnsNamesOfAllLengths() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // 1,300 entries are more than one block of the system's buffer.
    let lengths = (1...255).map { String(repeating: "n", count: $0) }
    let names = lengths + [".hidden", "…", "日本"] + (0..<1042).map { "\($0)" }
    for name in names { try Data().write(to: folder.appending(path: name)) }
    #expect(entryNames(ofFolder: folder.path)?.sorted() == names.sorted())
  }

  @Test(arguments: ["/nonexistent", "/dev/null"])
  func unreadableFolderHasNoNames(path: String) {
    #expect(entryNames(ofFolder: path) == nil)
  }
}

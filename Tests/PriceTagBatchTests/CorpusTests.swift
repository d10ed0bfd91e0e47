import Foundation
import PriceTag
import PriceTagBatch
import Testing

/// What the fuzzer starts with, and what it has found.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Tests/Fuzzing/Corpus")

  @Test func everyFileKeepsTheLaws() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 20)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      let laws = try #require(try BatchLaws(bytes), "\(file.lastPathComponent) is no input of a batch")
      // With other options, too.
      for options in stride(from: UInt8(0), through: 250, by: 7) {
        do throws(BatchError) {
          let changed = [bytes[0], options] + bytes.dropFirst(2)
          guard let laws = try? BatchLaws(changed) else { continue }
          #expect(try laws.broken() == nil, "\(file.lastPathComponent) with the options \(options)")
        } catch {
          #expect(!error.description.contains { $0.isNewline }, "\(file.lastPathComponent)")
        }
      }
      // As it is, a file is read.
      #expect(throws: Never.self, "\(file.lastPathComponent)") { try laws.broken() }
    }
  }
}

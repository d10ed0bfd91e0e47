import Foundation
import PriceTag
import PriceTagBatch
import Testing

/// The inputs that the fuzzer starts with or has found.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Tests/Fuzzing/Corpus")

  @Test func obeysLawsForEveryFile() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 20)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      let laws = try #require(
        try BatchLaws(bytes, json: { $0.json }),
        "\(file.lastPathComponent) is not an input of a batch"
      )
      for options in stride(from: UInt8(0), through: 250, by: 7) {
        do throws(BatchError) {
          let changed = [bytes[0], options] + bytes.dropFirst(2)
          guard let laws = try? BatchLaws(changed, json: { $0.json }) else { continue }
          #expect(try laws.violation() == nil, "\(file.lastPathComponent) with the options \(options)")
        } catch {
          #expect(!error.description.contains { $0.isNewline }, "\(file.lastPathComponent)")
        }
      }
      // With its own options, a file gives no error.
      #expect(throws: Never.self, "\(file.lastPathComponent)") { try laws.violation() }
    }
  }
}

import PriceTagStringFiles
import PriceTagStrings
import Testing

/// Eight tasks read and convert files concurrently. `make soak` runs this with the thread sanitizer.
@Suite struct StringFilesConcurrencyTests {
  private static let android = "<resources><!-- c --><string name=\"a\">b &amp; c</string></resources>"

  @Test func readsAndConvertsConcurrently() async throws {
    let contents = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try (0..<50).map { _ in
            let file = try StringsFile(Array(Self.android.utf8), format: .android, language: "en")
            return try Pseudolocale(.accentedPseudo).contents(of: file)
          }
        }
      }
      var all: Set<[UInt8]> = []
      for try await contents in group { all.formUnion(contents) }
      return all
    }
    #expect(
      contents.map { String(decoding: $0, as: UTF8.self) } == [
        Self.android.replacing("b &amp; c", with: "[ƀ &amp; ç one]")
      ]
    )
  }
}

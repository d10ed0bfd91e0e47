import PriceTagStringFiles
import Testing

/// Eight tasks read and write files concurrently. `make soak` runs this with the thread sanitizer.
@Suite struct StringFilesConcurrencyTests {
  private static let android = "<resources><!-- c --><string name=\"a\">b &amp; c</string></resources>"

  @Test func readsAndWritesConcurrently() async throws {
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try (0..<50).map { _ in
            try StringsFile(Array(Self.android.utf8), format: .android, language: "en").text()
          }
        }
      }
      var all: Set<String> = []
      for try await texts in group { all.formUnion(texts) }
      return all
    }
    #expect(texts.count == 1)
    #expect(texts.first?.contains("<string name=\"a\">b &amp; c</string>") == true)
  }
}

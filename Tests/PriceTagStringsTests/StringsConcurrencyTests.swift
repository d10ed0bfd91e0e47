import PriceTag
import Testing

@testable import PriceTagStrings

/// Eight tasks use messages, languages and the built-in strings for the first time concurrently. `make soak` runs this
/// with the thread sanitizer.
@Suite struct StringsConcurrencyTests {
  @Test func returnsSameResultsConcurrently() async throws {
    let price = MessageArgument.price(try dollars("4.99"))
    let shared = try Message("{n, plural, one {# {p}} other {# {p}, {l}}}", language: UILanguage("pl"))
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var texts: [String] = []
          for language in StoreStrings.embedded.languages {
            texts.append(
              try StoreStrings.embedded.format("buy_for_price", in: language, ["price": price]).html
            )
            texts.append(StoreStrings.embedded.matcher.match(language.identifier + "-001").description)
            texts.append(
              try StoreStrings.embedded.format("days", in: language, ["count": .count("1.5")]).plain
            )
            texts.append(
              try shared.string(["n": .count(of: texts.count), "p": price, "l": .language(language)])
            )
          }
          return texts
        }
      }
      var all: [[String]] = []
      for try await texts in group { all.append(texts) }
      return all
    }
    #expect(texts.count == 8 && Set(texts).count == 1)
    #expect(texts.first?.count == 200)
  }
}

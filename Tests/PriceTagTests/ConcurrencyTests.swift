import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization
import Testing

/// Formatters, storefronts and their lazily created parts, shared by eight threads. `make soak` runs this test with the
/// thread sanitizer.
@Suite struct ConcurrencyTests {
  @Test func formatsInEightThreads() throws {
    let formatters = try ["USA", "EGY", "JPN", "POL", "IND"].flatMap { id in
      try [PriceStyle.Width.standard, .name].map {
        try PriceFormatter(id, PriceStyle(width: $0))
      }
    }
    let fresh = try LocaleData([
      "storefronts.json": LocaleDataTests.storefronts(LocaleDataTests.storefront())
    ])
    let expected = try formatters.map { try display($0, 1234) }
    let differences = Differences()
    let threads = (0..<8).compactMap { _ in
      WorkThread {
        for round in 0..<200 {
          for (formatter, expected) in zip(formatters, expected) {
            guard let found = try? display(formatter, 1234), found == expected else {
              differences.count.add(1, ordering: .relaxed)
              continue
            }
          }
          // The first thread that uses the registry reads it.
          let storefronts = LocaleData.embedded.storefronts
          let storefront = storefronts[round % max(1, storefronts.count)]
          guard (try? PriceFormatter(storefront: storefront).format(5)) != nil,
            (try? Storefront("IRL", in: fresh)) != nil
          else {
            differences.count.add(1, ordering: .relaxed)
            continue
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(threads.count == 8 && differences.count.load(ordering: .relaxed) == 0)
  }

  private func display(_ formatter: PriceFormatter, _ amount: Amount) throws -> [String] {
    let price = try formatter.format(amount)
    let range = try formatter.format(from: amount, to: 5_000)
    return [price.text, price.spoken, range.text] + price.parts.map(\.value)
  }

  private final class Differences: Sendable {
    let count = Atomic(0)
  }
}

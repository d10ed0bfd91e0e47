import Foundation
import PriceTag
import Testing

/// Formatters, storefronts and their lazily created parts, shared by eight threads. `make soak` runs this test with the
/// thread sanitizer.
@Suite struct ConcurrencyTests {
  @Test func formatsInEightThreads() throws {
    let formatters = try ["USA", "EGY", "JPN", "POL", "IND"].flatMap { id in
      try [PriceStyle.Width.standard, .name].map {
        try PriceFormatter(storefront: Storefront(id), style: PriceStyle(width: $0))
      }
    }
    let folder = try Folder([
      "storefronts.json": LocaleDataTests.storefronts(LocaleDataTests.storefront())
    ])
    let fresh = try LocaleData(folder: folder.path)
    let expected = try formatters.map { try display($0, 1234) }
    let differences = Differences()
    let threads = (0..<8).map { _ in
      Thread {
        for round in 0..<200 {
          for (formatter, expected) in zip(formatters, expected) {
            guard let found = try? display(formatter, 1234), found == expected else {
              differences.add()
              continue
            }
          }
          // The first thread that uses the registry reads it.
          let storefronts = LocaleData.embedded.storefronts
          let storefront = storefronts[round % max(1, storefronts.count)]
          guard (try? PriceFormatter(storefront: storefront).format(5)) != nil,
            (try? Storefront("IRL", in: fresh)) != nil
          else {
            differences.add()
            continue
          }
        }
        differences.finish()
      }
    }
    for thread in threads { thread.start() }
    #expect(differences.waitForAll(threads.count) == 0)
  }

  private func display(_ formatter: PriceFormatter, _ amount: Amount) throws -> [String] {
    let price = try formatter.format(amount)
    let range = try formatter.format(from: amount, to: 5_000)
    return [price.text, price.spoken, range.text] + price.parts.map(\.value)
  }

  /// Counts the differences that the threads find, and the threads that have finished.
  private final class Differences: @unchecked Sendable {
    private let condition = NSCondition()
    private var count = 0
    private var finished = 0

    func add() {
      condition.lock()
      count += 1
      condition.unlock()
    }

    func finish() {
      condition.lock()
      finished += 1
      condition.broadcast()
      condition.unlock()
    }

    func waitForAll(_ threads: Int) -> Int {
      condition.lock()
      defer { condition.unlock() }
      while finished < threads { condition.wait() }
      return count
    }
  }
}

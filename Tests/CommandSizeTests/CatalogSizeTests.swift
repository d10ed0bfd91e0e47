import CommandLineTools
import Foundation
import SeededNumbers
import Testing

/// Imports of large catalogs in limited memory: 10,000 products, or 100,000 with `make soak`.
@Suite struct CatalogSizeTests {
  private static let productCount = ComparisonShare.isFull ? 100_000 : 10_000

  @Test func importsLargeShopInLimitedMemory() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storefronts = try CommandLineTool.run(["storefronts"]).output.split(separator: "\n").dropFirst().map {
      $0.prefix(3)
    }
    try #require(storefronts.count == 175)
    let prices = storefronts.map { #""\#($0)":"1000""# }.joined(separator: ",")
    // The limit of 128 MB is below the size of the file's contents in memory.
    let script = """
      cd '\(folder.path)'
      ulimit -S -d 131072
      for ((i = 0; i < \(Self.productCount); i++)); do
        printf '{"productIdentifier":"p%d","kind":"consumable","prices":{%s}}\\n' "$i" '\(prices)'
      done | pricetag import - --from jsonl --into shop.pricetag
      pricetag products shop.pricetag --storefront JPN p0 p\(Self.productCount - 1)
      """
    let outcome = try CommandLineTool.shell(script)
    #expect(
      outcome.errors == "products: \(Self.productCount) added, 0 changed, 0 unchanged\nrejected: 0\n",
      "\(outcome.report)"
    )
    #expect(outcome.output.split(separator: "\n").count == 2 && outcome.status == 0, "\(outcome.report)")
  }

  /// Input without an end is an error once it exceeds the size limit.
  @Test(arguments: ["jsonl", "json", "csv", "google-play-csv", "tiers", "storekit", "itmsp", "stripe"])
  func throwsForEndlessFile(format: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = """
      cd '\(folder.path)'
      ulimit -S -d 393216
      (printf '{"a":"'; tr '\\0' 'x' </dev/zero) | pricetag import - --from \(format) --into shop.pricetag
      """
    let outcome = try CommandLineTool.shell(script)
    #expect(outcome.status == 1, "\(outcome.report)")
    #expect(
      outcome.errors.hasPrefix("pricetag: /dev/stdin") && outcome.errors.count < 400,
      "\(outcome.report)"
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}

import Benchmark
import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// A request of 50 products, with the catalog that Scripts/bench/bench has imported.
func benchmarkCatalogs() {
  let environment = ProcessInfo.processInfo.environment
  guard let path = environment["PRICETAG_CATALOG"], let catalog = try? Catalog(path: path),
    let identifiers = try? catalog.productIdentifiers(), let storefront = try? Storefront("JPN")
  else { return }
  Benchmark(
    "a request of 50 products",
    configuration: .init(
      metrics: [.wallClock],
      timeUnits: .microseconds,
      warmupIterations: 10,
      maxDuration: .seconds(5),
      maxIterations: 500
    )
  ) { benchmark in
    // Other products in every iteration, from all parts of the catalog.
    let requested = (0..<50).map { identifiers[(benchmark.currentIteration + $0) * 7919 % identifiers.count] }
    let request = ProductsRequest(requested, storefront: storefront, language: .development)
    benchmark.startMeasurement()
    blackHole(try catalog.products(for: request))
    benchmark.stopMeasurement()
  }
}

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PriceTagBenchmarks",
  dependencies: [
    .package(name: "PriceTag", path: ".."),
    // Without its malloc interposer, which is not available everywhere.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    .target(
      name: "ICUPeer",
      linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]
    ),
    .executableTarget(
      name: "PriceBenchmarks",
      dependencies: [
        "ICUPeer",
        .product(name: "PriceTag", package: "PriceTag"),
        .product(name: "PriceTagStrings", package: "PriceTag"),
        .product(name: "PriceTagCatalog", package: "PriceTag"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/PriceBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

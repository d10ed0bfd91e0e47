// swift-tools-version: 6.2
import PackageDescription

// Scripts/test/fuzz builds this package with -sanitize=fuzzer.
let package = Package(
  name: "PriceTagFuzzing",
  dependencies: [.package(name: "PriceTag", path: "../..")],
  targets: [
    .target(name: "LibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "LibFuzzer", .product(name: "PriceTag", package: "PriceTag"),
        .product(name: "PriceTagStrings", package: "PriceTag"),
        .product(name: "PriceTagStringFiles", package: "PriceTag"),
        .product(name: "PriceTagCatalog", package: "PriceTag"),
        .product(name: "PriceTagCatalogFormats", package: "PriceTag"),
        .product(name: "PriceTagBatch", package: "PriceTag"),
        .product(name: "PriceTagDrift", package: "PriceTag"),
        .product(name: "PriceTagPages", package: "PriceTag"),
        .product(name: "PriceTagReading", package: "PriceTag"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

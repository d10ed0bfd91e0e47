// swift-tools-version: 6.2
import PackageDescription

// A separate package to copy. In yours, replace the path of PriceTag with its repository URL.
let package = Package(
  name: "StorefrontTests",
  dependencies: [
    .package(name: "PriceTag", path: "../..")
  ],
  targets: [
    .testTarget(
      name: "StorefrontTests",
      dependencies: [
        .product(name: "PriceTag", package: "PriceTag"),
        .product(name: "PriceTagCatalog", package: "PriceTag"),
        .product(name: "PriceTagCatalogFormats", package: "PriceTag"),
        .product(name: "PriceTagTesting", package: "PriceTag"),
      ],
      exclude: ["shop.json", "shop.golden"]
    )
  ],
  swiftLanguageModes: [.v6]
)

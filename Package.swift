// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PriceTag",
  products: [
    .library(name: "PriceTag", targets: ["PriceTag"]),
    .executable(name: "pricetag", targets: ["pricetag"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .target(
      name: "PriceTagLocaleData",
      path: "LocaleData",
      exclude: [
        "README.md", "currencies.json", "currency-overrides.json", "storefronts.json",
      ],
      sources: ["embedded.c"]
    ),
    .target(
      name: "CICU",
      linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]
    ),
    .target(name: "PriceTag", dependencies: ["CICU", "PriceTagLocaleData"]),
    .executableTarget(
      name: "pricetag",
      dependencies: [
        "PriceTag",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .executableTarget(name: "FirstPrice", dependencies: ["PriceTag"], path: "Examples/FirstPrice"),
    .target(
      name: "ICUReference",
      path: "Tests/ICUReference",
      linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]
    ),
    .testTarget(name: "PriceTagTests", dependencies: ["PriceTag", "ICUReference"]),
    .testTarget(name: "ProofTests", dependencies: ["PriceTag", "ICUReference"]),
    .testTarget(name: "CommandTests", dependencies: ["PriceTag", "pricetag", "FirstPrice"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x,
  cxxLanguageStandard: .cxx17
)

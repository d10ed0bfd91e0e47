// swift-tools-version: 6.2
import PackageDescription

// The program Proof needs only the core and ICU.
let package = Package(
  name: "PriceTagProof",
  dependencies: [.package(name: "PriceTag", path: "../..")],
  targets: [
    .target(
      name: "ICUFormatter",
      linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]
    ),
    .target(
      name: "ProofSupport",
      dependencies: ["ICUFormatter", .product(name: "PriceTag", package: "PriceTag")]
    ),
    .executableTarget(
      name: "Proof",
      dependencies: ["ICUFormatter", "ProofSupport", .product(name: "PriceTag", package: "PriceTag")]
    ),
    .executableTarget(
      name: "Vectors",
      dependencies: ["ICUFormatter", "ProofSupport", .product(name: "PriceTag", package: "PriceTag")]
    ),
    .executableTarget(
      name: "BatchProof",
      dependencies: [
        "ProofSupport", .product(name: "PriceTag", package: "PriceTag"),
        .product(name: "PriceTagBatch", package: "PriceTag"),
      ]
    ),
    .executableTarget(
      name: "ReadBackProof",
      dependencies: [
        "ProofSupport", .product(name: "PriceTag", package: "PriceTag"),
        .product(name: "PriceTagReading", package: "PriceTag"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "PriceTagPack",
  products: [.library(name: "PriceTagPack", targets: ["PriceTagPack"])],
  targets: [
    // The bytes of the pack.
    .target(name: "CPriceTagPack"),
    .target(name: "PriceTagPack", dependencies: ["CPriceTagPack"]),
    .testTarget(name: "PriceTagPackTests", dependencies: ["PriceTagPack"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)

// swift-tools-version: 6.2
import PackageDescription

// Built with -sanitize=fuzzer by Scripts/fuzz.
let package = Package(
  name: "PriceTagFuzzing",
  dependencies: [.package(name: "PriceTag", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [.product(name: "PriceTag", package: "PriceTag")],
      swiftSettings: [.unsafeFlags(["-parse-as-library", "-sanitize=fuzzer,address"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]
    )
  ],
  swiftLanguageModes: [.v6]
)

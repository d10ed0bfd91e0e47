// swift-tools-version: 6.2
import PackageDescription

// In release, the executables link Swift's libraries statically, so that they start faster and run without a toolchain.
// SwiftPM's --static-swift-stdlib would also apply to tests, whose library exists only as a dynamic one. Modules that are
// compiled for dynamic libraries name Foundation, and not the parts of its static library. Tests depend on the modules of the
// executables, and not on the executables, because they would inherit these settings.
let staticLibraries: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib"]
      // Where Swift's static libraries contain the same version of ICU as the system, Scripts/setup/setup makes a copy of them.
      + (Context.environment["SWIFT_STATIC_OF_PRICETAG"].map { $0.isEmpty ? [] : ["-resource-dir", $0] } ?? [])
      + [
        "FoundationEssentials", "FoundationInternationalization", "CoreFoundation", "_FoundationCollections",
        "_FoundationCShims", "_FoundationICU",
      ].map { "-l" + $0 },
    .when(platforms: [.linux], configuration: .release)
  )
]

let icu: [LinkerSetting] = [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]

/// Names of targets, with the modules that each imports.
typealias Modules = KeyValuePairs<String, [Target.Dependency]>

func from(_ package: String, _ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: package) }
}

// Modules that most others import together.
let core: [Target.Dependency] = ["PriceTag", "PriceTagText", "PriceTagSystem"]
let strings = core + ["PriceTagStrings"]
let catalog = strings + ["PriceTagCatalog"]
let formats = catalog + ["PriceTagCatalogFormats"]

// A module imports only modules above it.
let libraries: Modules = [
  "PriceTag": ["CICU", "PriceTagLocaleData", "PriceTagSystem", "PriceTagText"],
  "PriceTagReading": ["PriceTag", "PriceTagText"],
  "PriceTagStrings": core + ["CICU", "PriceTagLocaleData"],
  "PriceTagStringFiles": strings,
  "PriceTagCatalog": strings
    + from("GRDB.swift", "GRDB", "GRDBSQLite"),
  "PriceTagCatalogFormats": catalog + ["PriceTagXML"],
  "PriceTagFetch": core + ["PriceTagCatalog"]
    + from("async-http-client", "AsyncHTTPClient"),
  "PriceTagBatch": core + ["CJSON"],
  "PriceTagCatalogBatch": [
    "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch",
  ],
  "PriceTagPages": catalog + ["CFolders", "PriceTagTemplates"],
  "PriceTagReceipts": catalog,
  "PriceTagService": formats + [
    "PriceTagOpenAPI", "PriceTagBatch", "PriceTagPages", "PriceTagReading", "PriceTagReceipts",
    "PriceTagHTTPGuard",
  ] + from("swift-configuration", "Configuration")
    + from("swift-http-types", "HTTPTypes")
    + from("hummingbird", "Hummingbird")
    + from("swift-log", "Logging")
    + from("swift-metrics", "Metrics")
    + from("swift-nio", "NIOCore", "NIOHTTP1", "NIOPosix")
    + from("swift-nio-extras", "NIOHTTPTypes")
    + from("swift-service-lifecycle", "ServiceLifecycle", "UnixSignals"),
  "PriceTagServiceTLS": core + ["PriceTagService"]
    + from("swift-log", "Logging")
    + from("swift-nio", "NIOCore")
    + from("swift-nio-ssl", "NIOSSL"),
  "PriceTagDrift": catalog + ["PriceTagReading"],
  "PriceTagTesting": [
    "PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagReading", "PriceTagDrift",
  ],
]
let internalModules: Modules = [
  "CFolders": [],
  "CXML": ["CLibXML2"],
  "PriceTagText": [],
  "PriceTagSystem": ["PriceTagText", "CZlib"],
  "PriceTagXML": core + ["CXML"],
  "PriceTagHTTPGuard": ["PriceTagSystem"] + from("swift-nio", "NIOCore"),
  "PriceTagCommandLine": formats + ["PriceTagPages"] + from("swift-argument-parser", "ArgumentParser"),
]
let examples: Modules = [
  "FirstPrice": ["PriceTag"],
  "FirstAmounts": ["PriceTag"],
  "FirstPack": ["PriceTag"],
  "FirstStrings": ["PriceTag", "PriceTagStrings"],
  "FirstCatalog": ["PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagCatalogFormats"],
  "FirstBatch": ["PriceTagBatch"],
  "FirstPages": [
    "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagPages", "PriceTagCatalogFormats",
  ],
  "FirstReading": ["PriceTag", "PriceTagReading"],
  "FirstReceipt": ["PriceTagReceipts", "PriceTagStrings"],
  "FirstService": ["PriceTagPages", "PriceTagService"]
    + from("swift-http-types", "HTTPTypes")
    + from("hummingbird", "Hummingbird", "HummingbirdTesting")
    + from("swift-log", "Logging"),
]
let testSupport: Modules = [
  "SeededNumbers": [],
  "CLDRPacks": core,
  "CommandLineTools": [],
  "CatalogSamples": core + ["PriceTagCatalog", "SeededNumbers"],
  "JSONSchemas": core,
  "ServiceFixtures": core + ["PriceTagPages", "PriceTagService"]
    + from("swift-http-types", "HTTPTypes")
    + from("hummingbird", "Hummingbird")
    + from("swift-log", "Logging")
    + from("swift-nio", "NIOCore", "NIOEmbedded", "NIOPosix"),
]
let tests: Modules = [
  "PriceTagTests": core + ["CLDRPacks", "ICUReference", "SeededNumbers"],
  "PriceTagSystemTests": ["PriceTagSystem", "PriceTagText"],
  "PriceTagTextTests": ["PriceTagText", "ICUReference"],
  "PriceTagStringsTests": strings + ["ICUReference"],
  "PriceTagStringFilesTests": strings + ["PriceTagStringFiles"],
  "PriceTagCatalogTests": formats + ["CatalogSamples", "SeededNumbers"]
    + from("GRDB.swift", "GRDB"),
  "PriceTagCatalogFormatsTests": formats + ["CatalogSamples", "JSONSchemas"],
  "PriceTagFetchSocketTests": core + [
    "PriceTagFetch", "PriceTagCatalog", "PriceTagCatalogFormats", "CatalogSamples",
  ],
  "PriceTagBatchTests": core + ["PriceTagBatch", "CZlib", "SeededNumbers"],
  "PriceTagCatalogBatchTests": formats + ["PriceTagCatalogBatch", "PriceTagBatch"],
  "PriceTagPagesTests": formats + ["PriceTagPages", "SeededNumbers"],
  "PriceTagReceiptsTests": formats + ["PriceTagReceipts", "PriceTagPages", "SeededNumbers"],
  "PriceTagHTTPGuardTests": ["PriceTagSystem", "PriceTagText", "PriceTagHTTPGuard", "SeededNumbers"]
    + from("swift-nio", "NIOConcurrencyHelpers", "NIOCore", "NIOEmbedded", "NIOHTTP1"),
  "PriceTagServiceTests": formats + [
    "PriceTagBatch", "PriceTagPages", "PriceTagService", "PriceTagHTTPGuard", "JSONSchemas", "SeededNumbers",
    "ServiceFixtures",
  ]
    + from("hummingbird", "Hummingbird")
    + from("swift-http-types", "HTTPTypes")
    + from("swift-log", "Logging")
    + from("swift-metrics", "Metrics")
    + from("swift-nio", "NIOCore", "NIOConcurrencyHelpers", "NIOEmbedded", "NIOHTTP1", "NIOPosix")
    + from("swift-nio-extras", "NIOHTTPTypes"),
  "PriceTagServiceSocketTests": core + [
    "PriceTagHTTPGuard", "PriceTagCatalogFormats", "PriceTagCatalog", "PriceTagService", "ServiceFixtures",
  ]
    + from("hummingbird", "Hummingbird")
    + from("swift-http-types", "HTTPTypes")
    + from("swift-log", "Logging")
    + from("swift-nio", "NIOCore", "NIOConcurrencyHelpers", "NIOPosix"),
  "PriceTagServiceTLSSocketTests": ["PriceTagService", "PriceTagServiceTLS", "ServiceFixtures"]
    + from("swift-log", "Logging")
    + from("swift-nio", "NIOCore")
    + from("swift-nio-ssl", "NIOSSL"),
  "BrowserTests": formats + ["PriceTagPages", "CommandLineTools"]
    + from("async-http-client", "AsyncHTTPClient"),
  "PriceTagReadingTests": ["PriceTag", "PriceTagReading", "SeededNumbers"],
  "PriceTagDriftTests": formats + [
    "PriceTagReading", "PriceTagDrift", "CatalogSamples", "JSONSchemas", "SeededNumbers",
  ],
  "PriceTagTestingTests": formats + [
    "PriceTagReading", "PriceTagDrift", "PriceTagTesting", "CatalogSamples",
  ],
  "CommandParsingTests": core + [
    "PriceTagCommandLine", "PriceTagDrift", "PriceTagPages", "PriceTagStringFiles", "PriceTagVerbs",
    "PriceTagXML",
    "SeededNumbers",
  ],
  "CommandTests": core + ["CommandLineTools"]
    + examples.map { .target(name: $0.key) },
  "CommandSocketTests": ["PriceTagSystem", "PriceTagText", "CommandLineTools"],
  "CommandSizeTests": ["PriceTagSystem", "PriceTagText", "CommandLineTools", "SeededNumbers"],
]

let package = Package(
  name: "PriceTag",
  products: libraries.map { .library(name: $0.key, targets: [$0.key]) } + [
    .executable(name: "pricetag", targets: ["pricetag"]),
    .executable(name: "pricetag-server", targets: ["pricetag-server"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(name: "PriceTagLocaleData", path: "LocaleData", sources: ["embedded.c", "packs.c"]),
    .target(name: "PriceTagTemplates", sources: ["embedded.c"]),
    .target(name: "PriceTagOpenAPI", sources: ["embedded.c"]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CICU", linkerSettings: icu),
    .target(name: "ICUReference", path: "Tests/ICUReference", linkerSettings: icu),
    .target(
      name: "PriceTagVerbs",
      dependencies: formats + [
        "PriceTagStringFiles", "PriceTagBatch", "PriceTagCatalogBatch", "PriceTagPages", "PriceTagReceipts",
        "PriceTagReading", "PriceTagDrift", "PriceTagTemplates", "PriceTagXML", "PriceTagCommandLine",
      ] + from("swift-argument-parser", "ArgumentParser"),
      path: "Sources/Command"
    ),
    .executableTarget(
      name: "pricetag",
      dependencies: ["PriceTagVerbs"],
      path: "Sources/CommandMain",
      linkerSettings: staticLibraries
    ),
    .executableTarget(
      name: "pricetag-server",
      dependencies: formats + [
        "PriceTagFetch", "PriceTagPages", "PriceTagService", "PriceTagServiceTLS", "PriceTagCommandLine",
      ] + from("swift-argument-parser", "ArgumentParser") + from("swift-log", "Logging"),
      path: "Sources/Server",
      linkerSettings: staticLibraries
    ),
    .executableTarget(
      name: "HelloRoute",
      dependencies: from("hummingbird", "Hummingbird"),
      path: "Benchmarks/HelloRoute"
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x,
  cxxLanguageStandard: .cxx17
)
for modules in [libraries, internalModules] {
  package.targets += modules.map { .target(name: $0.key, dependencies: $0.value) }
}
package.targets += testSupport.map { .target(name: $0.key, dependencies: $0.value, path: "Tests/\($0.key)") }
package.targets += examples.map {
  .executableTarget(name: $0.key, dependencies: $0.value, path: "Examples/\($0.key)")
}
package.targets += tests.map { .testTarget(name: $0.key, dependencies: $0.value) }
package.targets.first { $0.name == "PriceTagCatalogFormats" }?.exclude = ["PriceTagJSON/catalog.schema.json"]
package.targets.first { $0.name == "PriceTagDrift" }?.exclude = ["Expectations/expectations.schema.json"]

// The tests of modules are built in debug, those of executables and of modules with a TLS library in release: in debug, that
// library and an HTTP client would be compiled a second time. In CI, "all" tests are one release build.
let releaseTests: Set = [
  "BrowserTests", "CommandSizeTests", "CommandSocketTests", "CommandTests", "PriceTagFetchSocketTests",
  "PriceTagServiceTLSSocketTests",
]
let selection = Context.environment["TESTS_OF_PRICETAG"]
switch selection {
case "modules": package.targets.removeAll { releaseTests.contains($0.name) }
case "executables": package.targets.removeAll { $0.type == .test && !releaseTests.contains($0.name) }
default: break
}

// Tests take more time to optimize than they save when they run. In a release build of all tests, modules export what their
// tests use. Other release builds do not, because it makes executables larger.
for target in package.targets where target.type != .system {
  target.swiftSettings = [.enableUpcomingFeature("ExistentialAny")]
  if target.type == .test || selection == "all" {
    let flag = target.type == .test ? "-Onone" : "-enable-testing"
    target.swiftSettings? += [.unsafeFlags([flag], .when(configuration: .release))]
  }
}

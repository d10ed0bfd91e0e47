// swift-tools-version: 6.2
import PackageDescription

// In release, the executables link Swift's libraries statically, so that they start faster and run without a toolchain.
// SwiftPM's --static-swift-stdlib would also apply to tests, whose library exists only as a dynamic one. Modules that are
// compiled for dynamic libraries name Foundation, and not the parts of its static library. Tests depend on the modules of the
// executables, and not on the executables, because they would inherit these settings.
let staticLibraries: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib"]
      + [
        "FoundationEssentials", "FoundationInternationalization", "CoreFoundation", "_FoundationCollections",
        "_FoundationCShims", "_FoundationICU",
      ].map { "-l" + $0 },
    .when(platforms: [.linux], configuration: .release)
  )
]

let package = Package(
  name: "PriceTag",
  products: [
    .library(name: "PriceTag", targets: ["PriceTag"]),
    .library(name: "PriceTagStrings", targets: ["PriceTagStrings"]),
    .library(name: "PriceTagStringFiles", targets: ["PriceTagStringFiles"]),
    .library(name: "PriceTagCatalog", targets: ["PriceTagCatalog"]),
    .library(name: "PriceTagCatalogFormats", targets: ["PriceTagCatalogFormats"]),
    .library(name: "PriceTagFetch", targets: ["PriceTagFetch"]),
    .library(name: "PriceTagBatch", targets: ["PriceTagBatch"]),
    .library(name: "PriceTagCatalogBatch", targets: ["PriceTagCatalogBatch"]),
    .library(name: "PriceTagPages", targets: ["PriceTagPages"]),
    .library(name: "PriceTagReceipts", targets: ["PriceTagReceipts"]),
    .library(name: "PriceTagService", targets: ["PriceTagService"]),
    .library(name: "PriceTagServiceTLS", targets: ["PriceTagServiceTLS"]),
    .library(name: "PriceTagDrift", targets: ["PriceTagDrift"]),
    .library(name: "PriceTagTesting", targets: ["PriceTagTesting"]),
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
    .target(
      name: "PriceTagLocaleData",
      path: "LocaleData",
      exclude: [
        "README.md", "currencies.json", "currency-overrides.json", "observations.json", "storefronts.json",
        "strings",
      ],
      sources: ["embedded.c"]
    ),
    .target(
      name: "CICU",
      linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]
    ),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CXML", dependencies: ["CLibXML2"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "PriceTagText", dependencies: ["CZlib"]),
    .target(
      name: "PriceTag",
      dependencies: ["CICU", "PriceTagLocaleData", "PriceTagText"]
    ),
    .target(name: "PriceTagXML", dependencies: ["PriceTag", "PriceTagText", "CXML"]),
    .target(
      name: "PriceTagStrings",
      dependencies: ["PriceTag", "PriceTagText", "CICU", "PriceTagLocaleData"]
    ),
    .target(
      name: "PriceTagStringFiles",
      dependencies: ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagXML"]
    ),
    .target(
      name: "PriceTagCatalog",
      dependencies: [
        "PriceTag",
        "PriceTagText",
        "PriceTagStrings",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "PriceTagCatalogFormats",
      dependencies: ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagXML"],
      exclude: ["PriceTagJSON/catalog.schema.json"]
    ),
    .target(
      name: "PriceTagFetch",
      dependencies: [
        "PriceTag", "PriceTagText", "PriceTagCatalog",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]
    ),
    .target(name: "CJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "PriceTagBatch", dependencies: ["PriceTag", "PriceTagText", "CJSON"]),
    .target(
      name: "PriceTagCatalogBatch",
      dependencies: ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagBatch"]
    ),
    .target(
      name: "PriceTagTemplates",
      exclude: [
        "card.mustache", "comparison.mustache", "entry.mustache", "everywhere.mustache",
        "everywhereList.mustache", "footer.mustache", "head.mustache", "header.mustache", "product.mustache",
        "store.css", "store.js", "store.mustache",
      ],
      sources: ["embedded.c"]
    ),
    .target(name: "CFolders"),
    .target(name: "PriceTagNotice"),
    .target(
      name: "PriceTagPages",
      dependencies: [
        "CFolders",
        "PriceTag",
        "PriceTagText",
        "PriceTagStrings",
        "PriceTagCatalog",
        "PriceTagNotice",
        "PriceTagTemplates",
      ]
    ),
    .target(
      name: "PriceTagReceipts",
      dependencies: ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog"]
    ),
    .target(
      name: "PriceTagOpenAPI",
      exclude: ["docs.html", "openapi.json", "python-client.yaml"],
      sources: ["embedded.c"]
    ),
    .target(
      name: "PriceTagHTTPGuard",
      dependencies: ["PriceTagText", .product(name: "NIOCore", package: "swift-nio")]
    ),
    .target(
      name: "PriceTagService",
      dependencies: [
        "PriceTagOpenAPI",
        "PriceTag",
        "PriceTagText",
        "PriceTagStrings",
        "PriceTagCatalog",
        "PriceTagCatalogFormats",
        "PriceTagBatch",
        "PriceTagPages",
        "PriceTagReceipts",
        "PriceTagHTTPGuard",
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]
    ),
    .target(
      name: "PriceTagServiceTLS",
      dependencies: [
        "PriceTag", "PriceTagText", "PriceTagService",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]
    ),
    .target(
      name: "PriceTagDrift",
      dependencies: ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog"]
    ),
    .target(
      name: "PriceTagTesting",
      dependencies: ["PriceTag", "PriceTagText", "PriceTagStrings", "PriceTagCatalog", "PriceTagDrift"]
    ),
    .target(
      name: "PriceTagCommandLine",
      dependencies: [
        "PriceTag",
        "PriceTagText",
        "PriceTagStrings",
        "PriceTagCatalog",
        "PriceTagCatalogFormats",
        "PriceTagPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .target(
      name: "PriceTagVerbs",
      dependencies: [
        "PriceTag",
        "PriceTagText",
        "PriceTagStrings",
        "PriceTagStringFiles",
        "PriceTagCatalog",
        "PriceTagCatalogFormats",
        "PriceTagBatch",
        "PriceTagCatalogBatch",
        "PriceTagPages",
        "PriceTagReceipts",
        "PriceTagDrift",
        "PriceTagNotice",
        "PriceTagCommandLine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
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
      dependencies: [
        "PriceTag",
        "PriceTagText",
        "PriceTagStrings",
        "PriceTagCatalog",
        "PriceTagCatalogFormats",
        "PriceTagFetch",
        "PriceTagPages",
        "PriceTagService",
        "PriceTagServiceTLS",
        "PriceTagCommandLine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/Server",
      linkerSettings: staticLibraries
    ),
    .executableTarget(name: "FirstPrice", dependencies: ["PriceTag"], path: "Examples/FirstPrice"),
    .executableTarget(name: "FirstAmounts", dependencies: ["PriceTag"], path: "Examples/FirstAmounts"),
    .executableTarget(name: "FirstPack", dependencies: ["PriceTag"], path: "Examples/FirstPack"),
    .executableTarget(
      name: "FirstStrings",
      dependencies: ["PriceTag", "PriceTagStrings"],
      path: "Examples/FirstStrings"
    ),
    .executableTarget(
      name: "FirstCatalog",
      dependencies: ["PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagCatalogFormats"],
      path: "Examples/FirstCatalog"
    ),
    .executableTarget(
      name: "FirstBatch",
      dependencies: ["PriceTagBatch"],
      path: "Examples/FirstBatch"
    ),
    .executableTarget(
      name: "FirstPages",
      dependencies: [
        "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagPages", "PriceTagCatalogFormats",
      ],
      path: "Examples/FirstPages"
    ),
    .executableTarget(
      name: "FirstReceipt",
      dependencies: ["PriceTagReceipts", "PriceTagStrings"],
      path: "Examples/FirstReceipt"
    ),
    .executableTarget(
      name: "FirstService",
      dependencies: [
        "PriceTagPages", "PriceTagService", .product(name: "HummingbirdTesting", package: "hummingbird"),
      ],
      path: "Examples/FirstService"
    ),
    .executableTarget(
      name: "HelloRoute",
      dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      path: "Benchmarks/HelloRoute"
    ),
    .target(
      name: "ICUReference",
      path: "Tests/ICUReference",
      linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]
    ),
    .target(name: "SeededNumbers", path: "Tests/SeededNumbers"),
    .target(name: "CommandLineTools", path: "Tests/CommandLineTools"),
    .target(
      name: "ServiceFixtures",
      dependencies: [
        "PriceTag", "PriceTagText", "PriceTagPages", "PriceTagService",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/ServiceFixtures"
    ),
    .target(name: "JSONSchemas", dependencies: ["PriceTag", "PriceTagText"], path: "Tests/JSONSchemas"),
    .testTarget(
      name: "PriceTagTests",
      dependencies: ["PriceTagText", "PriceTag", "ICUReference", "SeededNumbers"]
    ),
    .testTarget(name: "PriceTagTextTests", dependencies: ["PriceTagText", "ICUReference", "CZlib"]),
    .testTarget(
      name: "PriceTagStringsTests",
      dependencies: ["PriceTag", "PriceTagStrings", "PriceTagText", "ICUReference"]
    ),
    .testTarget(
      name: "PriceTagStringFilesTests",
      dependencies: ["PriceTagText", "PriceTagStringFiles", "PriceTagStrings", "PriceTag"]
    ),
    .target(
      name: "CatalogSamples",
      dependencies: ["PriceTagText", "PriceTag", "PriceTagCatalog", "SeededNumbers"],
      path: "Tests/CatalogSamples"
    ),
    .testTarget(
      name: "PriceTagCatalogTests",
      dependencies: [
        "PriceTag", "PriceTagStrings",
        "PriceTagCatalog", "PriceTagCatalogFormats", "PriceTagText", "CatalogSamples", "SeededNumbers",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .testTarget(
      name: "PriceTagCatalogFormatsTests",
      dependencies: [
        "PriceTag", "PriceTagStrings",
        "PriceTagText", "PriceTagCatalogFormats", "PriceTagCatalog", "CatalogSamples", "JSONSchemas",
      ]
    ),
    .testTarget(
      name: "PriceTagFetchSocketTests",
      dependencies: [
        "PriceTag",
        "PriceTagText", "PriceTagFetch", "PriceTagCatalog", "PriceTagCatalogFormats", "CatalogSamples",
      ]
    ),
    .testTarget(
      name: "PriceTagBatchTests",
      dependencies: ["PriceTagBatch", "PriceTag", "PriceTagText", "CZlib", "SeededNumbers"]
    ),
    .testTarget(
      name: "PriceTagCatalogBatchTests",
      dependencies: [
        "PriceTagText", "PriceTagCatalogFormats", "PriceTagCatalogBatch", "PriceTagBatch", "PriceTagCatalog",
        "PriceTagStrings",
        "PriceTag",
      ]
    ),
    .testTarget(
      name: "PriceTagPagesTests",
      dependencies: [
        "PriceTagText", "PriceTagPages", "PriceTagCatalogFormats", "PriceTagCatalog", "PriceTagStrings",
        "PriceTag",
      ]
    ),
    .testTarget(
      name: "PriceTagReceiptsTests",
      dependencies: [
        "PriceTagText", "PriceTagReceipts", "PriceTagPages", "PriceTagCatalogFormats", "PriceTagCatalog",
        "PriceTagStrings", "PriceTag", "SeededNumbers",
      ]
    ),
    .testTarget(
      name: "PriceTagHTTPGuardTests",
      dependencies: [
        "PriceTagText", "PriceTagHTTPGuard", "SeededNumbers",
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]
    ),
    .testTarget(
      name: "PriceTagServiceTests",
      dependencies: [
        "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagCatalogFormats", "PriceTagBatch",
        "PriceTagPages", "PriceTagService", "PriceTagText", "PriceTagHTTPGuard", "JSONSchemas",
        "SeededNumbers",
        "ServiceFixtures",
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]
    ),
    .testTarget(
      name: "PriceTagServiceSocketTests",
      dependencies: [
        "PriceTagHTTPGuard", "PriceTagCatalogFormats",
        "PriceTag", "PriceTagText", "PriceTagCatalog", "PriceTagService", "ServiceFixtures",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]
    ),
    .testTarget(
      name: "PriceTagServiceTLSSocketTests",
      dependencies: [
        "PriceTagService", "PriceTagServiceTLS", "ServiceFixtures",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]
    ),
    .testTarget(
      name: "BrowserTests",
      dependencies: [
        "PriceTagText", "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagCatalogFormats",
        "PriceTagPages", "CommandLineTools",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]
    ),
    .testTarget(
      name: "PriceTagDriftTests",
      dependencies: [
        "PriceTagCatalog",
        "PriceTagText", "PriceTagDrift", "PriceTagCatalogFormats", "PriceTagStrings", "PriceTag",
        "SeededNumbers",
      ]
    ),
    .testTarget(
      name: "PriceTagTestingTests",
      dependencies: [
        "PriceTag", "PriceTagStrings", "PriceTagCatalog", "PriceTagDrift", "PriceTagText", "PriceTagTesting",
        "PriceTagCatalogFormats",
      ]
    ),
    .testTarget(
      name: "CommandParsingTests",
      dependencies: [
        "PriceTag", "PriceTagCommandLine", "PriceTagDrift", "PriceTagPages", "PriceTagText", "PriceTagVerbs",
        "SeededNumbers",
      ]
    ),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "PriceTag", "PriceTagText", "CommandLineTools", "FirstPrice", "FirstAmounts", "FirstPack",
        "FirstStrings", "FirstCatalog", "FirstBatch", "FirstPages", "FirstReceipt", "FirstService",
      ]
    ),
    .testTarget(
      name: "CommandSocketTests",
      dependencies: ["PriceTagText", "CommandLineTools"]
    ),
    .testTarget(
      name: "CommandSizeTests",
      dependencies: ["PriceTagText", "CommandLineTools", "SeededNumbers"]
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x,
  cxxLanguageStandard: .cxx17
)

// The tests of modules are built in debug, those of executables and of modules with a TLS library in release: in debug, that
// library and an HTTP client would be compiled a second time. In CI, "all" tests are one release build.
let releaseTests: Set = [
  "BrowserTests", "CommandSizeTests", "CommandSocketTests", "CommandTests", "PriceTagFetchSocketTests",
  "PriceTagServiceTLSSocketTests",
]
let tests = Context.environment["TESTS_OF_PRICETAG"]
switch tests {
case "modules": package.targets.removeAll { releaseTests.contains($0.name) }
case "executables": package.targets.removeAll { $0.type == .test && !releaseTests.contains($0.name) }
default: break
}

// Tests take more time to optimize than they save when they run. In a release build of all tests, modules export what their
// tests use. Other release builds do not, because it makes executables larger.
for target in package.targets where target.type == .test || tests == "all" && target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? [])
    + [.unsafeFlags([target.type == .test ? "-Onone" : "-enable-testing"], .when(configuration: .release))]
}

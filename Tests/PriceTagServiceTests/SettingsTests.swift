import Foundation
import PriceTag
import Testing

@testable import PriceTagService

/// Tests the precedence of flags, variables and the file, and errors in their names and values.
@Suite struct SettingsTests {
  private func settings(
    _ flags: [ServiceSetting: String] = [:],
    _ environment: [String: String] = [:],
    file: String? = nil
  ) async throws -> ServiceSettings {
    guard let file else { return try await ServiceSettings(flags: flags, environment: environment) }
    let path = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString).json")
      .path
    try Data(file.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await ServiceSettings(flags: flags, environment: environment, file: path)
  }

  @Test func flagsOverrideVariablesAndFile() async throws {
    let file = #"{"port":1,"host":"f","maxItems":3,"corsOrigins":["https://a.example","*"]}"#
    let settings = try await settings([.port: "9"], ["PRICETAG_PORT": "5", "PRICETAG_HOST": "e"], file: file)
    #expect(try settings.number(.port) == 9)
    #expect(try settings.text(.host) == "e")
    #expect(try settings.number(.maxItems) == 3)
    #expect(try settings.list(.corsOrigins) == ["https://a.example", "*"])
    #expect(try settings.number(.headSeconds) == 10)
    #expect(try settings.text(.logo) == nil)
    let configuration = try ServiceConfiguration(settings)
    #expect(configuration.port == 9 && configuration.host == "e" && configuration.itemsPerRequest == 3)
  }

  @Test func settingsHaveFlagAndVariableNames() {
    #expect(ServiceSetting.maxUrlBytes.flag == "--max-url-bytes")
    #expect(ServiceSetting.maxUrlBytes.variable == "PRICETAG_MAX_URL_BYTES")
    #expect(Set(ServiceSetting.allCases.map(\.variable)).count == ServiceSetting.allCases.count)
  }

  @Test func settingsHaveTheDefaultsOfTheConfiguration() async throws {
    #expect("\(try ServiceConfiguration(await settings()))" == "\(ServiceConfiguration())")
  }

  @Test(arguments: ["option", "variable", "file"]) func readsOperatorSettings(_ source: String) async throws {
    let values: [ServiceSetting: String] = [
      .adminPort: "9090", .adminHost: "[::1]", .accessLog: "common", .settleSeconds: "5",
      .allowShrink: "true", .taxLabels: "true", .unitPrices: "half-up", .offers: "introductory,win-back",
      .announceIncreases: "true", .hero: "com.example.car", .priceDate: "true", .pageSize: "24",
      .strings: "own", .contact: "mailto:a@shop.example", .imprint: "https://shop.example/i",
      .privacy: "https://shop.example/p", .terms: "https://shop.example/t",
      .maxConnectionsPerClient: "20", .requestsPerSecondPerClient: "50", .trustedProxies: "10.0.0.0/8,::1",
      .limitLoopback: "true", .taxIncluded: "false",
    ]
    let settings =
      switch source {
      case "option": try await settings(values)
      case "variable":
        try await settings([:], Dictionary(uniqueKeysWithValues: values.map { ($0.variable, $1) }))
      default:
        try await settings(
          file:
            #"{"adminPort":9090,"adminHost":"[::1]","accessLog":"common","settleSeconds":5,"allowShrink":true,"taxLabels":true,"unitPrices":"half-up","offers":["introductory","win-back"],"announceIncreases":true,"hero":"com.example.car","priceDate":true,"pageSize":24,"strings":"own","contact":"mailto:a@shop.example","imprint":"https://shop.example/i","privacy":"https://shop.example/p","terms":"https://shop.example/t","maxConnectionsPerClient":20,"requestsPerSecondPerClient":50,"trustedProxies":["10.0.0.0/8","::1"],"limitLoopback":true,"taxIncluded":"false"}"#
        )
      }
    #expect(try settings.flag(.taxLabels))
    #expect(try settings.text(.unitPrices) == "half-up" && settings.text(.taxIncluded) == "false")
    #expect(try settings.number(.pageSize) == 24)
    #expect(try settings.list(.offers) == ["introductory", "win-back"])
    #expect(try settings.flag(.announceIncreases) && settings.text(.strings) == "own")
    #expect(try settings.flag(.priceDate) && settings.text(.hero) == "com.example.car")
    #expect(try settings.text(.contact) == "mailto:a@shop.example")
    #expect(
      try [settings.text(.imprint), settings.text(.privacy), settings.text(.terms)]
        == ["i", "p", "t"].map { "https://shop.example/\($0)" }
    )
    let configuration = try ServiceConfiguration(settings)
    #expect(configuration.adminPort == 9090 && configuration.adminHost == "::1")
    #expect(
      configuration.accessLog == .common && configuration.settleSeconds == 5 && configuration.allowsShrinking
    )
    #expect(configuration.connectionsPerClient == 20 && configuration.requestsPerSecondPerClient == 50)
    #expect(configuration.trustedProxies.map(\.description) == ["10.0.0.0/8", "::1"])
    #expect(configuration.limitsLoopback)
    #expect(try await !self.settings().flag(.taxLabels))
    let plain = try ServiceConfiguration(await self.settings())
    #expect(
      plain.adminPort == nil && plain.accessLog == nil && !plain.allowsShrinking && plain.settleSeconds == 2
    )
    #expect(
      plain.connectionsPerClient == 0 && plain.requestsPerSecondPerClient == 0
        && plain.trustedProxies.isEmpty && !plain.limitsLoopback
    )
  }

  typealias Mistake = (
    name: String, flags: [ServiceSetting: String], environment: [String: String], file: String?, error: String
  )

  static let mistakes: [Mistake] = [
    ("a flag", [.port: "80a"], [:], nil, "--port: \"80a\" is not an integer; use an integer from 0 to 65535"),
    (
      "a range", [.port: "65536"], [:], nil,
      "--port: 65536 is out of range; use an integer from 0 to 65535"
    ),
    (
      "a variable", [:], ["PRICETAG_PORT": "x"], nil, "PRICETAG_PORT: \"x\" is not an integer; use an integer"
    ),
    ("a type", [:], [:], #"{"port":"8080"}"#, "\"port\": \"8080\" is not an integer; use an integer"),
    ("a list", [:], [:], #"{"corsOrigins":7}"#, "\"corsOrigins\": the value is not a list; use commas"),
    (
      "an unknown variable", [:], ["PRICETAG_PROT": "1"], nil,
      "unknown setting \"PRICETAG_PROT\"; did you mean \"PRICETAG_PORT\"?"
    ),
    ("an unknown name", [:], [:], #"{"prot":1}"#, "unknown setting \"prot\"; did you mean \"port\"?"),
    ("an array", [:], [:], "[]", "the configuration must be an object, not an array; write"),
    ("invalid JSON", [:], [:], "{", "the configuration is not valid JSON: "),
    (
      "an origin", [.corsOrigins: "https://a.example/path"], [:], nil,
      "--cors-origins: \"https://a.example/path\" is not an origin"
    ),
    ("a key without a certificate", [.tlsKey: "key.pem"], [:], nil, "--tls-key: the key has no certificate"),
    (
      "a proxy", [.trustedProxies: "10.0.0.0/8,10.0.0.1/8"], [:], nil,
      "--trusted-proxies: \"10.0.0.1/8\" is not an address range; use an address or a range such as 10.0.0.0/8"
    ),
    (
      "an access log", [:], ["PRICETAG_ACCESS_LOG": "xml"], nil,
      "PRICETAG_ACCESS_LOG: unknown access log format \"xml\"; use json or common"
    ),
    ("an admin port", [:], [:], #"{"adminPort":70000}"#, "\"adminPort\": 70000 is out of range"),
    (
      "an invalid Boolean", [:], ["PRICETAG_ALLOW_SHRINK": "maybe"], nil,
      "PRICETAG_ALLOW_SHRINK: \"maybe\" is not true or false; use true or false"
    ),
    (
      "a string for a Boolean", [:], [:], #"{"allowShrink":"yes"}"#,
      "\"allowShrink\": \"yes\" is not true or false"
    ),
    (
      "a certificate without a key", [:], ["PRICETAG_TLS_CERTIFICATE": "c.pem"], nil,
      "PRICETAG_TLS_CERTIFICATE: the certificate has no key"
    ),
  ]

  @Test(arguments: mistakes) func reportsMistakeWithItsPlace(_ mistake: Mistake) async throws {
    do {
      _ = try ServiceConfiguration(await settings(mistake.flags, mistake.environment, file: mistake.file))
      Issue.record("no error for \(mistake.name)")
    } catch let error as ServiceError {
      #expect(error.code == .invalidSetting)
      #expect(error.description.contains(mistake.error), "\(error)")
    }
  }

  @Test func reportsMissingFile() async throws {
    let error = await #expect(throws: ServiceError.self) {
      try await ServiceSettings(flags: [:], file: "/nonexistent/pricetag.json")
    }
    #expect(error?.code == .unreadableFile)
  }

  /// Empty variables, and those of other programs and of Kubernetes, are ignored.
  @Test func ignoresOtherVariables() async throws {
    let others = [
      "PORT": "1", "PRICETAG_HOST": "", "PRICETAG_LOCALE_DATA": "x", "PRICETAG_PORT": "tcp://10.0.0.1:80",
      "PRICETAG_SERVICE_HOST": "10.0.0.1", "PRICETAG_PORT_80_TCP": "tcp://10.0.0.1:80",
    ]
    let settings = try await settings([:], others)
    #expect(try settings.number(.port) == 8080)
  }
}

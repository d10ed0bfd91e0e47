import Foundation
import PriceTag
import Testing

@testable import PriceTagService

/// Flags go before variables, and those before the file; what nobody knows is told.
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

  @Test func theFirstPlaceThatSaysItHolds() async throws {
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

  @Test func everySettingHasThreeNames() {
    #expect(ServiceSetting.maxUrlBytes.flag == "--max-url-bytes")
    #expect(ServiceSetting.maxUrlBytes.variable == "PRICETAG_MAX_URL_BYTES")
    #expect(Set(ServiceSetting.allCases.map(\.variable)).count == ServiceSetting.allCases.count)
  }

  /// The defaults of the settings are those of a configuration that nothing was set of.
  @Test func defaultsAreTheSame() async throws {
    let configuration = try ServiceConfiguration(await settings())
    let plain = ServiceConfiguration()
    #expect(configuration.limits.bodyBytes == plain.limits.bodyBytes)
    #expect(configuration.limits.headBytes == plain.limits.headBytes)
    #expect(configuration.limits.targetBytes == plain.limits.targetBytes)
    #expect(configuration.limits.headSeconds == plain.limits.headSeconds)
    #expect(configuration.limits.idleSeconds == plain.limits.idleSeconds)
    #expect(configuration.limits.writeStallSeconds == plain.limits.writeStallSeconds)
    #expect(configuration.limits.leastBodyBytesPerSecond == plain.limits.leastBodyBytesPerSecond)
    #expect(configuration.limits.largerBodies == plain.limits.largerBodies)
    #expect(configuration.connections == plain.connections && configuration.port == plain.port)
    #expect(configuration.itemsPerRequest == plain.itemsPerRequest && configuration.host == plain.host)
    #expect(
      configuration.stopSeconds == plain.stopSeconds && configuration.checkSeconds == plain.checkSeconds
    )
  }

  /// Each of the settings of clients, operators and reloads, by each of its names.
  @Test(arguments: ["option", "variable", "file"]) func settingsOfOperatorsAreRead(_ place: String)
    async throws
  {
    let values: [ServiceSetting: String] = [
      .adminPort: "9090", .adminHost: "[::1]", .accessLog: "common", .settleSeconds: "5",
      .allowShrink: "true",
      .maxConnectionsPerClient: "20", .requestsPerSecondPerClient: "50", .trustedProxies: "10.0.0.0/8,::1",
    ]
    let settings =
      switch place {
      case "option": try await settings(values)
      case "variable":
        try await settings([:], Dictionary(uniqueKeysWithValues: values.map { ($0.variable, $1) }))
      default:
        try await settings(
          file:
            #"{"adminPort":9090,"adminHost":"[::1]","accessLog":"common","settleSeconds":5,"allowShrink":true,"maxConnectionsPerClient":20,"requestsPerSecondPerClient":50,"trustedProxies":["10.0.0.0/8","::1"]}"#
        )
      }
    let configuration = try ServiceConfiguration(settings)
    #expect(configuration.adminPort == 9090 && configuration.adminHost == "::1")
    #expect(
      configuration.accessLog == .common && configuration.settleSeconds == 5 && configuration.allowsShrinking
    )
    #expect(configuration.connectionsPerClient == 20 && configuration.requestsPerSecondPerClient == 50)
    #expect(configuration.trustedProxies.map(\.description) == ["10.0.0.0/8", "::1"])
    let plain = try ServiceConfiguration(await self.settings())
    #expect(
      plain.adminPort == nil && plain.accessLog == nil && !plain.allowsShrinking && plain.settleSeconds == 2
    )
    #expect(
      plain.connectionsPerClient == 0 && plain.requestsPerSecondPerClient == 0 && plain.trustedProxies.isEmpty
    )
  }

  typealias Mistake = (
    name: String, flags: [ServiceSetting: String], environment: [String: String], file: String?, error: String
  )

  static let mistakes: [Mistake] = [
    ("a flag", [.port: "80a"], [:], nil, "--port: \"80a\" is none: give a whole number from 0 to 65535"),
    (
      "a range", [.port: "65536"], [:], nil,
      "--port: the number is out of its range: give a whole number from 0 to 65535"
    ),
    ("a variable", [:], ["PRICETAG_PORT": "x"], nil, "PRICETAG_PORT: \"x\" is none: give a whole number"),
    ("a type", [:], [:], #"{"port":"8080"}"#, "\"port\": \"8080\" is none: give a whole number"),
    ("a list", [:], [:], #"{"corsOrigins":7}"#, "\"corsOrigins\": the value is none: give a list"),
    (
      "an unknown variable", [:], ["PRICETAG_PROT": "1"], nil,
      "there is no setting \"PRICETAG_PROT\": unset the variable (did you mean PRICETAG_PORT?)"
    ),
    ("an unknown name", [:], [:], #"{"prot":1}"#, "there is no setting \"prot\""),
    ("no object", [:], [:], "[]", "the configuration is an array"),
    ("no JSON", [:], [:], "{", "the configuration is no JSON"),
    (
      "an origin", [.corsOrigins: "https://a.example/path"], [:], nil,
      "--cors-origins: \"https://a.example/path\" is no origin"
    ),
    ("half of TLS", [.tlsKey: "key.pem"], [:], nil, "--tls-key: the key has no certificate"),
    (
      "a proxy", [.trustedProxies: "10.0.0.0/8,10.0.0.1/8"], [:], nil,
      "--trusted-proxies: \"10.0.0.1/8\" is no range of addresses: give addresses or ranges such as 10.0.0.0/8"
    ),
    (
      "an access log", [:], ["PRICETAG_ACCESS_LOG": "xml"], nil,
      "PRICETAG_ACCESS_LOG: \"xml\" is no format of an access log"
    ),
    ("an admin port", [:], [:], #"{"adminPort":70000}"#, "\"adminPort\": the number is out of its range"),
    (
      "a flag that is none", [:], ["PRICETAG_ALLOW_SHRINK": "maybe"], nil,
      "PRICETAG_ALLOW_SHRINK: \"maybe\" is none: give true or false"
    ),
    ("a flag that is a text", [:], [:], #"{"allowShrink":"yes"}"#, "\"allowShrink\": \"yes\" is none"),
    (
      "the other half", [:], ["PRICETAG_TLS_CERTIFICATE": "c.pem"], nil,
      "PRICETAG_TLS_CERTIFICATE: the certificate has no key"
    ),
  ]

  @Test(arguments: mistakes) func aMistakeIsToldWithItsPlace(_ mistake: Mistake) async throws {
    do {
      _ = try ServiceConfiguration(await settings(mistake.flags, mistake.environment, file: mistake.file))
      Issue.record("nothing was told of \(mistake.name)")
    } catch let error as ServiceError {
      #expect(error.code == .invalidSetting)
      #expect(error.description.contains(mistake.error), "\(error)")
    }
  }

  @Test func aFileThatIsNotThereIsTold() async throws {
    let error = await #expect(throws: ServiceError.self) {
      try await ServiceSettings(flags: [:], file: "/nonexistent/pricetag.json")
    }
    #expect(error?.code == .unreadableFile)
  }

  /// Variables of other programs, those that Kubernetes makes of a service's name, and empty ones set nothing.
  @Test func othersSetNothing() async throws {
    let others = [
      "PORT": "1", "PRICETAG_HOST": "", "PRICETAG_LOCALE_DATA": "x", "PRICETAG_PORT": "tcp://10.0.0.1:80",
      "PRICETAG_SERVICE_HOST": "10.0.0.1", "PRICETAG_PORT_80_TCP": "tcp://10.0.0.1:80",
    ]
    let settings = try await settings([:], others)
    #expect(try settings.number(.port) == 8080)
  }
}

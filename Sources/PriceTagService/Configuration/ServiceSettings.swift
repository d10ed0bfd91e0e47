import Configuration
import PriceTag
import PriceTagPages
import PriceTagSystem
import PriceTagText
import SystemPackage

/// A setting of a service. Each can be set by a flag, an environment variable, or a member of the configuration file.
public typealias ServiceSetting = PriceTagPages.ServiceSetting

/// The settings of a service from command-line flags, environment variables and a configuration file.
///
/// Flags override environment variables, which override the file:
///
///     let settings = try await ServiceSettings(
///       flags: [.port: "9000"],
///       environment: ["PRICETAG_HOST": "0.0.0.0"],
///       file: "pricetag.json"
///     )
///     try settings.number(.port)       // 9000
///     try settings.text(.host)         // "0.0.0.0"
///     try settings.number(.maxItems)   // 10000, the default
///
/// The file is a JSON object such as
/// `{"host":"0.0.0.0","maxBodyBytes":2000000,"corsOrigins":["https://shop.example"]}`.
public struct ServiceSettings: Sendable {
  /// A source of settings: flags, environment variables or the file.
  private struct Source: Sendable {
    let provider: any ConfigProvider
    let prefix: [String]
    /// Returns how errors name a setting of this source.
    let name: @Sendable (ServiceSetting) -> String

    func key(_ setting: ServiceSetting) -> AbsoluteConfigKey {
      AbsoluteConfigKey(prefix + [setting.rawValue])
    }
  }

  /// The sources, in order of precedence.
  private let sources: [Source]

  /// Reads settings from up to three sources.
  ///
  /// - Parameters:
  ///   - flags: The values of the command-line flags.
  ///   - environment: The process's environment.
  ///   - file: The path of a JSON file; `nil` for none.
  /// - Throws: `.unreadableFile`; `.invalidSetting` for an unknown name in the file, or for an unknown variable whose
  ///   name starts with `PRICETAG_`.
  public init(
    flags: [ServiceSetting: String],
    environment: [String: String] = [:],
    file: String? = nil
  ) async throws(ServiceError) {
    try Self.check(environment)
    let flagProvider = InMemoryProvider(
      values: Dictionary(
        uniqueKeysWithValues: flags.map { setting, value in
          (AbsoluteConfigKey([setting.rawValue]), Self.value(value, setting))
        }
      )
    )
    // Ignore empty variables, and PRICETAG_PORT where Kubernetes sets it to the address of a service named pricetag.
    let variables = EnvironmentVariablesProvider(
      environmentVariables: environment.filter { !$0.value.isEmpty && !$0.value.hasPrefix("tcp://") }
    )
    var sources = [
      Source(provider: flagProvider, prefix: []) { $0.flag },
      Source(provider: variables, prefix: ["pricetag"]) { $0.variable },
    ]
    if let file {
      try Self.checkFile(file)
      do {
        let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
        let place = printable(file)
        sources.append(Source(provider: provider, prefix: []) { "\(place), \(quoted($0.rawValue))" })
      } catch { throw Self.unreadable(file) }
    }
    self.sources = sources
  }

  /// Converts a flag's text to the type of its setting. An invalid text stays a string, which is an error when the
  /// setting is read.
  private static func value(_ text: String, _ setting: ServiceSetting) -> ConfigValue {
    switch setting.kind {
    case .number:
      if let number = Int(text) { return ConfigValue(.int(number), isSecret: false) }
    case .list:
      return ConfigValue(.stringArray(text.split(separator: ",").map(String.init)), isSecret: false)
    case .flag:
      if let flag = Bool(text) { return ConfigValue(.bool(flag), isSecret: false) }
    case .text: break
    }
    return ConfigValue(.string(text), isSecret: false)
  }

  // MARK: Values

  /// Returns the value of a text setting; `nil` if it is not set.
  ///
  /// - Throws: `.invalidSetting` if the value is not a string.
  public func text(_ setting: ServiceSetting) throws(ServiceError) -> String? {
    guard let (content, _) = try content(setting, .string, "a string", fix: "use a string"),
      case .string(let text) = content
    else { return nil }
    return text
  }

  /// Returns the value of a list setting; an empty list if it is not set.
  ///
  /// - Throws: `.invalidSetting` if the value is not a list.
  public func list(_ setting: ServiceSetting) throws(ServiceError) -> [String] {
    guard
      let (content, _) = try content(
        setting,
        .stringArray,
        "a list",
        fix: "use commas between the items; in a file use an array of strings"
      ), case .stringArray(let list) = content
    else { return [] }
    return list
  }

  /// Returns the value of a Boolean setting; `false` if it is not set.
  ///
  /// - Throws: `.invalidSetting` if the value is neither true nor false.
  public func flag(_ setting: ServiceSetting) throws(ServiceError) -> Bool {
    guard let (content, _) = try content(setting, .bool, "true or false", fix: "use true or false"),
      case .bool(let flag) = content
    else { return false }
    return flag
  }

  /// Returns the value of an integer setting, or its default.
  ///
  /// - Throws: `.invalidSetting` if the value is not an integer or out of range.
  public func number(_ setting: ServiceSetting) throws(ServiceError) -> Int {
    try numberIfSet(setting) ?? setting.defaultNumber
  }

  /// Returns the value of an integer setting; `nil` if it is not set.
  ///
  /// - Throws: `.invalidSetting` if the value is not an integer or out of range.
  public func numberIfSet(_ setting: ServiceSetting) throws(ServiceError) -> Int? {
    guard case .number(let range, _) = setting.kind else { return nil }
    let fix = "use an integer from \(range.lowerBound) to \(range.upperBound)"
    guard let (content, name) = try content(setting, .int, "an integer", fix: fix),
      case .int(let number) = content
    else { return nil }
    guard range.contains(number) else {
      throw ServiceError(.invalidSetting, "\(number) is out of range", fix: fix, place: name)
    }
    return number
  }

  /// Returns the value of the first source that has the setting; `nil` if none has.
  ///
  /// - Throws: `.invalidSetting` if the value is not of the type; the error says that it is not `expected`.
  private func content(
    _ setting: ServiceSetting,
    _ type: ConfigType,
    _ expected: String,
    fix: String
  ) throws(ServiceError) -> (content: ConfigContent, name: String)? {
    for source in sources {
      let (key, name) = (source.key(setting), source.name(setting))
      do {
        if let value = try source.provider.value(forKey: key, type: type).value {
          return (value.content, name)
        }
      } catch {
        let text = (try? source.provider.value(forKey: key, type: .string))?.value?.content
        let value = if case .string(let text)? = text { quoted(text) } else { "the value" }
        throw ServiceError(.invalidSetting, "\(value) is not \(expected)", fix: fix, place: name)
      }
    }
    return nil
  }

  /// Returns an error about the value of a setting, with the place where it is set.
  package func invalid(_ setting: ServiceSetting, _ problem: String, fix: String) -> ServiceError {
    let name = sources.first { source in
      let types: [ConfigType] = [.string, .int, .stringArray, .bool]
      return types.contains {
        (try? source.provider.value(forKey: source.key(setting), type: $0))?.value != nil
      }
    }?.name(setting)
    return ServiceError(.invalidSetting, problem, fix: fix, place: name ?? setting.flag)
  }

  // MARK: Names

  /// The variables that other parts of PriceTag read.
  private static let otherVariables: Set<String> = [
    "PRICETAG_LOCALE_DATA", "PRICETAG_PACK", "PRICETAG_CONFIG",
  ]

  /// Throws for an unknown variable, which would otherwise be ignored silently.
  private static func check(_ environment: [String: String]) throws(ServiceError) {
    let known = ServiceSetting.allCases.map(\.variable)
    for name in environment.keys.sorted() where name.hasPrefix("PRICETAG_") {
      // Kubernetes sets these for a service named pricetag.
      if name.hasPrefix("PRICETAG_SERVICE_") || name.hasPrefix("PRICETAG_PORT_") { continue }
      guard known.contains(name) || otherVariables.contains(name) else {
        throw ServiceError(
          .invalidSetting,
          "unknown setting \(quoted(name))",
          fix: didYouMean(closestMatch(to: name, among: known), otherwise: "unset the variable"),
          place: "the environment"
        )
      }
    }
  }

  private static func unreadable(_ file: String) -> ServiceError {
    ServiceError(
      .unreadableFile,
      "cannot read the configuration file",
      fix: "use a JSON file that this process may read",
      place: printable(file)
    )
  }

  private static func checkFile(_ file: String) throws(ServiceError) {
    guard let bytes = try? RegularFile.bytes(of: file, limit: 1 << 20) else { throw unreadable(file) }
    let value = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(JSONError) in try JSONReader.value(of: bytes) }
    }
    switch value {
    case .success(.object(let object)):
      let known = ServiceSetting.allCases.map(\.rawValue)
      for member in object.members where !known.contains(member.key) {
        throw ServiceError(
          .invalidSetting,
          "unknown setting \(quoted(member.key))",
          fix: didYouMean(member.key, orOneOf: known),
          place: printable(file)
        )
      }
    case .success(let other):
      throw ServiceError(
        .invalidSetting,
        "the configuration must be an object, not \(other.kind)",
        fix: #"write an object such as {"port":8080}"#,
        place: printable(file)
      )
    case .failure(let error):
      throw ServiceError(
        .invalidSetting,
        "the configuration is not valid JSON: \(error.problem)",
        fix: #"write an object such as {"port":8080}"#,
        place: "\(printable(file)), line \(error.line)"
      )
    }
  }
}

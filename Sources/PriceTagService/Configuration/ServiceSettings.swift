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
  /// A source of settings: flags, environment variables or the file. `name` returns how errors name a setting of it.
  private typealias Source = (provider: any ConfigProvider, name: @Sendable (ServiceSetting) -> String)

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
    ).prefixKeys(with: "pricetag")
    var sources: [Source] = [(flagProvider, { $0.flag }), (variables, { $0.variable })]
    if let file {
      try Self.checkFile(file)
      do {
        let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
        let place = printable(file)
        sources.append((provider, { "\(place), \(quoted($0.rawValue))" }))
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
    guard case .string(let text)? = try content(setting)?.content else { return nil }
    return text
  }

  /// Returns the value of a list setting; an empty list if it is not set.
  ///
  /// - Throws: `.invalidSetting` if the value is not a list.
  public func list(_ setting: ServiceSetting) throws(ServiceError) -> [String] {
    guard case .stringArray(let list)? = try content(setting)?.content else { return [] }
    return list
  }

  /// Returns the value of a Boolean setting; `false` if it is not set.
  ///
  /// - Throws: `.invalidSetting` if the value is neither true nor false.
  public func flag(_ setting: ServiceSetting) throws(ServiceError) -> Bool {
    guard case .bool(let flag)? = try content(setting)?.content else { return false }
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
    guard let (content, name) = try content(setting), case .int(let number) = content else { return nil }
    guard range.contains(number) else {
      let fix = Self.form(of: setting).fix
      throw ServiceError(.invalidSetting, "\(number) is out of range", fix: fix, place: name)
    }
    return number
  }

  /// Returns the value of the first source that has the setting; `nil` if none has.
  ///
  /// - Throws: `.invalidSetting` if the value is not of the setting's type.
  private func content(
    _ setting: ServiceSetting
  ) throws(ServiceError) -> (content: ConfigContent, name: String)? {
    let (type, noun, fix) = Self.form(of: setting)
    for source in sources {
      let (key, name) = (AbsoluteConfigKey([setting.rawValue]), source.name(setting))
      do {
        if let value = try source.provider.value(forKey: key, type: type).value {
          return (value.content, name)
        }
      } catch {
        let text = (try? source.provider.value(forKey: key, type: .string))?.value?.content
        let value = if case .string(let text)? = text { quoted(text) } else { "the value" }
        throw ServiceError(.invalidSetting, "\(value) is not \(noun)", fix: fix, place: name)
      }
    }
    return nil
  }

  /// Returns the type of a setting's value, and how errors name the type and a valid value.
  private static func form(of setting: ServiceSetting) -> (type: ConfigType, noun: String, fix: String) {
    switch setting.kind {
    case .text: (.string, "a string", "use a string")
    case .number(let range, _):
      (.int, "an integer", "use an integer from \(range.lowerBound) to \(range.upperBound)")
    case .list:
      (.stringArray, "a list", "use commas between the items; in a file use an array of strings")
    case .flag: (.bool, "true or false", "use true or false")
    }
  }

  /// Returns an error about the value of a setting, with the place where it is set.
  package func invalid(_ setting: ServiceSetting, _ problem: String, fix: String) -> ServiceError {
    let name = (try? content(setting))?.name
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
    func invalid(
      _ problem: String,
      fix: String = #"write an object such as {"port":8080}"#,
      at line: Int? = nil
    ) -> ServiceError {
      let place = printable(file) + (line.map { ", line \($0)" } ?? "")
      return ServiceError(.invalidSetting, problem, fix: fix, place: place)
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
      throw invalid("the configuration is not valid JSON: \(error.problem)", at: error.line)
    }
    guard case .object(let object) = value else {
      throw invalid("the configuration must be an object, not \(value.kind)")
    }
    let known = ServiceSetting.allCases.map(\.rawValue)
    for member in object.members where !known.contains(member.key) {
      throw invalid("unknown setting \(quoted(member.key))", fix: didYouMean(member.key, orOneOf: known))
    }
  }
}

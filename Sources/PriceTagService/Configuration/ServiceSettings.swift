import Configuration
import PriceTag
import PriceTagText
import SystemPackage

/// What is set of a service: by flags, by environment variables, and by a configuration file, the first of them that
/// says it.
///
///     let settings = try await ServiceSettings(
///       flags: [.port: "9000"], environment: ["PRICETAG_HOST": "0.0.0.0"], file: "pricetag.json")
///     try settings.number(.port)       // 9000
///     try settings.text(.host)         // "0.0.0.0"
///     try settings.number(.maxItems)   // 10000, the default
///
/// The file is a JSON object such as `{"host":"0.0.0.0","maxBodyBytes":2000000,"corsOrigins":["https://shop.example"]}`.
public struct ServiceSettings: Sendable {
  /// A place where something is set.
  private struct Place: Sendable {
    let provider: any ConfigProvider
    let prefix: [String]
    let name: @Sendable (ServiceSetting) -> String
  }

  private let places: [Place]

  /// The settings of three places.
  ///
  /// - Parameters:
  ///   - flags: What was given on a command line.
  ///   - environment: The process's environment.
  ///   - file: A JSON file.
  /// - Throws: `.unreadableFile`; `.invalidSetting` for a name that nobody knows, in the file or among variables that
  ///   start with `PRICETAG_`.
  public init(
    flags: [ServiceSetting: String],
    environment: [String: String] = [:],
    file: String? = nil
  ) async throws(ServiceError) {
    try Self.check(environment)
    let given = InMemoryProvider(
      values: Dictionary(
        uniqueKeysWithValues: flags.map { setting, value in
          (AbsoluteConfigKey([setting.rawValue]), Self.value(value, setting))
        }
      )
    )
    // An empty variable sets nothing, as in a shell.
    let variables = EnvironmentVariablesProvider(
      environmentVariables: environment.filter { !$0.value.isEmpty && !$0.value.hasPrefix("tcp://") }
    )
    var places = [
      Place(provider: given, prefix: []) { $0.flag },
      Place(provider: variables, prefix: ["pricetag"]) { $0.variable },
    ]
    if let file {
      try Self.checkFile(file)
      do {
        let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
        let place = printable(file)
        places.append(Place(provider: provider, prefix: []) { "\(place), \(quoted($0.rawValue))" })
      } catch { throw Self.unreadable(file) }
    }
    self.places = places
  }

  /// A flag's text as the kind of value that its setting has; what is none is told when it is asked for.
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

  /// A text; `nil` where nothing is set.
  ///
  /// - Throws: `.invalidSetting` where it is something else.
  public func text(_ setting: ServiceSetting) throws(ServiceError) -> String? {
    guard let (content, _) = try content(setting, .string, "a text") else { return nil }
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// A list of texts; empty where nothing is set.
  ///
  /// - Throws: `.invalidSetting` where it is something else.
  public func list(_ setting: ServiceSetting) throws(ServiceError) -> [String] {
    guard
      let (content, _) = try content(
        setting,
        .stringArray,
        "a list: with commas between its parts, in a file an array"
      )
    else { return [] }
    guard case .stringArray(let list) = content else { return [] }
    return list
  }

  /// Returns whether something is set to true.
  ///
  /// - Throws: `.invalidSetting` where it is neither true nor false.
  public func flag(_ setting: ServiceSetting) throws(ServiceError) -> Bool {
    guard let (content, _) = try content(setting, .bool, "true or false") else { return false }
    guard case .bool(let flag) = content else { return false }
    return flag
  }

  /// A whole number, or its default.
  ///
  /// - Throws: `.invalidSetting` where it is something else, or out of its range.
  public func number(_ setting: ServiceSetting) throws(ServiceError) -> Int {
    guard case .number(_, let usual) = setting.kind else { return 0 }
    return try numberIfSet(setting) ?? usual
  }

  /// Returns an integer; `nil` where it is not set.
  ///
  /// - Throws: `.invalidSetting` where it is something else, or out of its range.
  public func numberIfSet(_ setting: ServiceSetting) throws(ServiceError) -> Int? {
    guard case .number(let range, _) = setting.kind else { return nil }
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let (content, name) = try content(setting, .int, wanted) else { return nil }
    guard case .int(let number) = content, range.contains(number) else {
      throw ServiceError(
        .invalidSetting,
        "the number is out of its range",
        fix: "give \(wanted)",
        place: name
      )
    }
    return number
  }

  private func content(
    _ setting: ServiceSetting,
    _ type: ConfigType,
    _ wanted: String
  ) throws(ServiceError) -> (content: ConfigContent, name: String)? {
    for place in places {
      let name = place.name(setting)
      do {
        let key = AbsoluteConfigKey(place.prefix + [setting.rawValue])
        if let value = try place.provider.value(forKey: key, type: type).value {
          return (value.content, name)
        }
      } catch {
        let key = AbsoluteConfigKey(place.prefix + [setting.rawValue])
        let text = (try? place.provider.value(forKey: key, type: .string))?.value?.content
        let shown = if case .string(let text)? = text { quoted(text) } else { "the value" }
        throw ServiceError(.invalidSetting, "\(shown) is none", fix: "give \(wanted)", place: name)
      }
    }
    return nil
  }

  /// An error about the value of a setting, with the place where it is set.
  package func invalid(_ setting: ServiceSetting, _ problem: String, fix: String) -> ServiceError {
    let name = places.first { place in
      let key = AbsoluteConfigKey(place.prefix + [setting.rawValue])
      let types: [ConfigType] = [.string, .int, .stringArray, .bool]
      return types.contains { (try? place.provider.value(forKey: key, type: $0))?.value != nil }
    }?.name(setting)
    return ServiceError(.invalidSetting, problem, fix: fix, place: name ?? setting.flag)
  }

  // MARK: Names

  /// Variables that other parts of PriceTag read.
  private static let otherVariables: Set<String> = ["PRICETAG_LOCALE_DATA", "PRICETAG_CONFIG"]

  /// A name that nobody knows would set nothing, without a word.
  private static func check(_ environment: [String: String]) throws(ServiceError) {
    let known = ServiceSetting.allCases.map(\.variable)
    for name in environment.keys.sorted() where name.hasPrefix("PRICETAG_") {
      // Kubernetes tells every process of a service that is called pricetag.
      if name.hasPrefix("PRICETAG_SERVICE_") || name.hasPrefix("PRICETAG_PORT_") { continue }
      guard known.contains(name) || otherVariables.contains(name) else {
        throw ServiceError(
          .invalidSetting,
          "there is no setting \(quoted(name))",
          fix: "unset the variable\(didYouMean(name, among: known))",
          place: "the environment"
        )
      }
    }
  }

  private static func unreadable(_ file: String) -> ServiceError {
    ServiceError(
      .unreadableFile,
      "the configuration cannot be read",
      fix: "give a JSON file that this process may read",
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
          "there is no setting \(quoted(member.key))",
          fix: "use one of \(known.joined(separator: ", "))\(didYouMean(member.key, among: known))",
          place: printable(file)
        )
      }
    case .success(let other):
      throw ServiceError(
        .invalidSetting,
        "the configuration is \(other.kind)",
        fix: #"write an object such as {"port":8080}"#,
        place: printable(file)
      )
    case .failure(let error):
      throw ServiceError(
        .invalidSetting,
        "the configuration is no JSON: \(error.problem)",
        fix: #"write an object such as {"port":8080}"#,
        place: "\(printable(file)), line \(error.line)"
      )
    }
  }
}

import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// Reads an entry of a string catalog.
struct StringCatalogEntryReader {
  let key: String
  let line: Int

  func entry(_ value: JSONValue) throws(StringsError) -> StringsFile.Entry {
    guard case .object(let object) = value else {
      throw malformed("the entry must be an object, not \(value.kind)", line)
    }
    var entry = StringsFile.Entry(key: key, localizations: [:], line: line)
    for member in object.members {
      switch (member.key, member.value) {
      case ("comment", .string(let comment)): entry.comments = [comment]
      case ("shouldTranslate", .bool(false)): entry.isTranslatable = false
      case ("localizations", .object(let languages)): try read(languages, into: &entry)
      case ("comment", let value):
        throw malformed("the field \"comment\" must be a string, not \(value.kind)", member.line)
      case ("localizations", let value):
        throw malformed("the field \"localizations\" must be an object, not \(value.kind)", member.line)
      default: entry.attributes.append(attribute(member.key, member.value))
      }
    }
    return entry
  }

  private func malformed(_ problem: String, _ line: Int) -> StringsError {
    StringsError(
      .malformedFile,
      problem,
      fix: "use the structure that Xcode writes",
      place: "line \(line), key \(quoted(key))"
    )
  }

  private func attribute(_ name: String, _ value: JSONValue) -> StringsFile.Attribute {
    StringsFile.Attribute(name: name, value: JSONWriter.compact(value))
  }

  private func read(_ languages: JSONObject, into entry: inout StringsFile.Entry) throws(StringsError) {
    var unknown: [JSONObject.Member] = []
    for language in languages.members {
      guard case .object(let object) = language.value else {
        throw malformed("the localization must be an object, not \(language.value.kind)", language.line)
      }
      if let value = CatalogValue(localization: object) {
        entry.localizations[language.key] = value.localization(line: language.line)
      } else {
        unknown.append(language)
      }
    }
    if !unknown.isEmpty || languages.members.isEmpty {
      entry.attributes.append(attribute("localizations", .object(JSONObject(members: unknown))))
    }
  }
}

/// A value of a string catalog in which each text has its own state.
///
/// Initializers and functions return `nil` for any structure that is not completely supported.
private struct CatalogValue {
  typealias Value = StringsFile.Value

  let value: Value
  /// The state of the value's own text, if it has one.
  let state: String?

  private init(_ value: Value, state: String? = nil) {
    (self.value, self.state) = (value, state)
  }

  init?(localization object: JSONObject) {
    guard let substitutions = object["substitutions"] else {
      self.init(object)
      return
    }
    let rest = JSONObject(members: object.members.filter { $0.key != "substitutions" })
    guard case .object(let named) = substitutions, let base = CatalogValue(rest),
      let parts = Self.each(named, Self.substitution)
    else { return nil }
    switch base.value {
    case .text(let text): self.init(.substituted(text, parts), state: base.state)
    case .device(let devices):
      // The texts of all devices share the substitutions.
      let substituted = devices.map { device in
        guard case .text(let text) = device.value else { return device }
        return .init(device: device.device, value: .substituted(text, parts), state: device.state)
      }
      self.init(.device(substituted))
    default: return nil
    }
  }

  private init?(_ object: JSONObject) {
    guard object.members.count == 1, let member = object.members.first, case .object(let inner) = member.value
    else { return nil }
    switch member.key {
    case "stringUnit":
      guard let unit = Self.unit(inner) else { return nil }
      self.init(.text(unit.text), state: unit.state)
    case "variations":
      guard inner.members.count == 1, let kind = inner.members.first, case .object(let named) = kind.value
      else { return nil }
      switch kind.key {
      case "plural":
        guard let branches = Self.each(named, Self.branch) else { return nil }
        self.init(.plural(branches))
      case "device":
        guard let devices = Self.each(named, Self.variation) else { return nil }
        self.init(.device(devices))
      default: return nil
      }
    default: return nil
    }
  }

  private static func each<Part>(_ object: JSONObject, _ read: (String, JSONObject) -> Part?) -> [Part]? {
    var parts: [Part] = []
    for member in object.members {
      guard case .object(let inner) = member.value, let part = read(member.key, inner) else { return nil }
      parts.append(part)
    }
    return parts
  }

  private static func unit(_ object: JSONObject) -> (text: String, state: String)? {
    guard case .string(let text)? = object["value"] else { return nil }
    switch object["state"] {
    case .string(let state)? where object.members.count == 2: return (text, state)
    // Tools other than Xcode omit the state.
    case nil where object.members.count == 1: return (text, "translated")
    default: return nil
    }
  }

  private static func branch(_ category: String, _ object: JSONObject) -> StringsFile.Branch? {
    guard let value = CatalogValue(object), case .text(let text) = value.value else { return nil }
    return .init(category: category, text: text, state: value.state)
  }

  private static func variation(_ device: String, _ object: JSONObject) -> StringsFile.Variation? {
    guard let value = CatalogValue(object) else { return nil }
    if case .device = value.value { return nil }
    return .init(device: device, value: value.value, state: value.state)
  }

  private static func substitution(_ name: String, _ object: JSONObject) -> StringsFile.Substitution? {
    var argument: Int?
    var specifier: String?
    var rest: [JSONObject.Member] = []
    for member in object.members {
      switch (member.key, member.value) {
      case ("argNum", .number(let number)):
        guard let value = Int(number) else { return nil }
        argument = value
      case ("formatSpecifier", .string(let text)): specifier = text
      default: rest.append(member)
      }
    }
    guard let value = CatalogValue(JSONObject(members: rest)) else { return nil }
    if case .text = value.value { return nil }
    return .init(name: name, argument: argument, formatSpecifier: specifier, value: value.value)
  }

  // MARK: States

  /// Returns the value as a localization with a common state: the state of its own text, or the state that all its texts
  /// share. Only texts with a different state keep their own.
  func localization(line: Int) -> StringsFile.Localization {
    let states = Self.states(value)
    let common = state ?? (states.count == 1 ? states.first : nil)
    guard let common else { return .init(value, line: line) }
    return .init(Self.value(value, without: common), state: common, line: line)
  }

  private static func states(_ value: Value) -> Set<String> {
    switch value {
    case .text, .array: []
    case .plural(let branches): Set(branches.compactMap(\.state))
    case .device(let devices):
      devices.reduce(into: Set(devices.compactMap(\.state))) { $0.formUnion(states($1.value)) }
    case .substituted(_, let substitutions):
      substitutions.reduce(into: []) { $0.formUnion(states($1.value)) }
    }
  }

  private static func value(_ value: Value, without state: String) -> Value {
    func differing(_ other: String?) -> String? { other == state ? nil : other }
    switch value {
    case .text, .array: return value
    case .plural(let branches):
      return .plural(
        branches.map { .init(category: $0.category, text: $0.text, state: differing($0.state)) }
      )
    case .device(let devices):
      return .device(
        devices.map {
          .init(device: $0.device, value: Self.value($0.value, without: state), state: differing($0.state))
        }
      )
    case .substituted(let text, let substitutions):
      return .substituted(
        text,
        substitutions.map {
          var substitution = $0
          substitution.value = Self.value($0.value, without: state)
          return substitution
        }
      )
    }
  }
}

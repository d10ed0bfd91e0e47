import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads an Xcode string catalog.
  ///
  /// Members without a corresponding property of `StringsFile` become attributes with JSON values. The attribute
  /// `localizations` preserves languages with an unsupported structure (an empty object, `stringSet`).
  static func readStringCatalog(_ bytes: [UInt8]) throws(StringsError) -> StringsFile {
    let object = try JSONObject(stringsFile: bytes)
    var file = StringsFile(format: .stringCatalog, language: "", entries: [])
    var strings: JSONObject?
    for member in object.members {
      switch (member.key, member.value) {
      case ("sourceLanguage", .string(let language)): file.language = language
      case ("strings", .object(let object)): strings = object
      case ("sourceLanguage", let value), ("strings", let value):
        let expected = member.key == "strings" ? "an object" : "a string"
        throw StringsError(
          .malformedFile,
          "the field \(quoted(member.key)) must be \(expected), not \(value.kind)",
          fix: "use the structure that Xcode writes",
          place: "line \(member.line)"
        )
      default:
        file.attributes.append(Attribute(name: member.key, value: JSONWriter.compact(member.value)))
      }
    }
    guard !file.language.isEmpty, let strings else {
      throw StringsError(
        .malformedFile,
        "the field \(file.language.isEmpty ? "\"sourceLanguage\"" : "\"strings\"") is missing",
        fix: "add it",
        place: "line \(object.line)"
      )
    }
    for member in strings.members {
      let reader = StringCatalogEntryReader(key: member.key, line: member.line)
      file.entries.append(try reader.entry(member.value))
    }
    return file
  }

  /// Returns the file as a string catalog, formatted as by Xcode (without a newline at the end). The order of entries is
  /// preserved.
  func stringCatalogText() throws(StringsError) -> String {
    var members: [JSONObject.Member] = [("sourceLanguage", .string(language), 0)]
    var strings: [JSONObject.Member] = []
    var keys: Set<String> = []
    for entry in entries {
      guard keys.insert(entry.key).inserted else {
        throw notRepresentable(entry, "the key appears twice", fix: "remove one")
      }
      strings.append((entry.key, .object(try catalogObject(entry)), 0))
    }
    members.append(("strings", .object(JSONObject(members: strings)), 0))
    for attribute in attributes {
      let value = try json(of: attribute)
      if !members.contains(where: { $0.key == attribute.name }) { members.append((attribute.name, value, 0)) }
    }
    if !members.contains(where: { $0.key == "version" }) { members.append(("version", .string("1.0"), 0)) }
    return JSONWriter.xcode.text(.object(inXcodeOrder(members)))
  }

  private func catalogObject(_ entry: Entry) throws(StringsError) -> JSONObject {
    var members: [JSONObject.Member] = []
    var languages: [JSONObject.Member] = []
    var hasLocalizations = !entry.localizations.isEmpty
    if !entry.comments.isEmpty {
      members.append(("comment", .string(entry.comments.joined(separator: "\n")), 0))
    }
    if !entry.isTranslatable { members.append(("shouldTranslate", .bool(false), 0)) }
    for attribute in entry.attributes {
      let value = try json(of: attribute, place: "key \(quoted(entry.key))")
      if attribute.name == "localizations" {
        guard case .object(let object) = value else { continue }
        hasLocalizations = true
        languages += object.members.filter { entry.localizations[$0.key] == nil }
      } else if !members.contains(where: { $0.key == attribute.name }) {
        members.append((attribute.name, value, 0))
      }
    }
    for (language, localization) in entry.localizations {
      let value = try catalogValue(localization.value, state: localization.state, of: entry)
      languages.append((language, .object(value), 0))
    }
    if hasLocalizations { members.append(("localizations", .object(inXcodeOrder(languages)), 0)) }
    return inXcodeOrder(members)
  }

  private func catalogValue(_ value: Value, state: String?, of entry: Entry) throws(StringsError)
    -> JSONObject
  {
    func unit(_ text: String, _ state: String?) -> JSONObject {
      let unit: [JSONObject.Member] = [
        ("state", .string(state ?? "translated"), 0), ("value", .string(text), 0),
      ]
      return JSONObject(members: [("stringUnit", .object(JSONObject(members: unit)), 0)])
    }
    func variations(_ kind: String, _ members: [JSONObject.Member]) throws(StringsError) -> JSONObject {
      var names: Set<String> = []
      for member in members where !names.insert(member.key).inserted {
        throw notRepresentable(
          entry,
          "the variation \(quoted(member.key)) appears twice",
          fix: "remove one"
        )
      }
      let kinds: [JSONObject.Member] = [(kind, .object(inXcodeOrder(members)), 0)]
      return JSONObject(members: [("variations", .object(JSONObject(members: kinds)), 0)])
    }
    switch value {
    case .text(let text): return unit(text, state)
    case .plural(let branches):
      return try variations(
        "plural",
        branches.map { ($0.category, .object(unit($0.text, $0.state ?? state)), 0) }
      )
    case .device(let devices):
      var members: [JSONObject.Member] = []
      var shared: [Substitution]?
      for device in devices {
        var value = device.value
        if case .device = value { throw notRepresentable(entry, value) }
        // In a string catalog, all devices share the substitutions.
        if case .substituted(let text, let substitutions) = value {
          guard shared == nil || shared == substitutions else {
            throw notRepresentable(
              entry,
              "different substitutions for each device cannot be represented in a string catalog",
              fix: "use the same substitutions for all devices"
            )
          }
          shared = substitutions
          value = .text(text)
        }
        members.append(
          (device.device, .object(try catalogValue(value, state: device.state ?? state, of: entry)), 0)
        )
      }
      let object = try variations("device", members)
      guard let shared else { return object }
      return inXcodeOrder(object.members + [try catalogSubstitutions(shared, state: state, of: entry)])
    case .substituted(let text, let substitutions):
      return inXcodeOrder(
        unit(text, state).members + [try catalogSubstitutions(substitutions, state: state, of: entry)]
      )
    case .array: throw notRepresentable(entry, value)
    }
  }

  private func catalogSubstitutions(
    _ substitutions: [Substitution],
    state: String?,
    of entry: Entry
  ) throws(StringsError) -> JSONObject.Member {
    var members: [JSONObject.Member] = []
    for substitution in substitutions {
      var object = try catalogValue(substitution.value, state: state, of: entry).members
      if let argument = substitution.argument { object.append(("argNum", .number(String(argument)), 0)) }
      if let specifier = substitution.formatSpecifier {
        object.append(("formatSpecifier", .string(specifier), 0))
      }
      members.append((substitution.name, .object(inXcodeOrder(object)), 0))
    }
    return ("substitutions", .object(inXcodeOrder(members)), 0)
  }

  /// Returns members sorted as by Xcode, ignoring case: zh-Hans before zh-HK.
  private func inXcodeOrder(_ members: [JSONObject.Member]) -> JSONObject {
    JSONObject(members: members.sorted { $0.key.lowercased() < $1.key.lowercased() })
  }
}

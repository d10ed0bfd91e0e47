import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads a FormatJS file: `{"key": "text"}` or `{"key": {"defaultMessage": "text", "description": "…"}}`.
  ///
  /// The description becomes the entry's comment, and other members become attributes with JSON values. The attribute
  /// `form` records an object that has only `defaultMessage`.
  static func readFormatJS(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    var entries: [Entry] = []
    for message in try FormatJSMessage.all(in: bytes) {
      var entry = Entry(key: message.key, localizations: [:], line: message.line)
      for member in message.members ?? [] {
        if member.key == "description", case .string(let description) = member.value {
          entry.comments = [description]
        } else {
          entry.attributes.append(Attribute(name: member.key, value: JSONWriter.compact(member.value)))
        }
      }
      if message.members != nil, entry.comments.isEmpty, entry.attributes.isEmpty {
        entry.attributes = [.objectForm]
      }
      entry.localizations = [language: Localization(.text(message.text), line: message.line)]
      entries.append(entry)
    }
    return StringsFile(format: .formatJS, language: language, entries: entries)
  }

  /// Returns the file as JSON, indented by two spaces per level, with a newline at the end and invisible characters as
  /// `\u` escapes.
  func formatJSText() throws(StringsError) -> String {
    let language = try onlyLanguage()
    var members: [JSONObject.Member] = []
    var keys: Set<String> = []
    for entry in entries {
      guard keys.insert(entry.key).inserted else {
        throw notRepresentable(entry, "the key appears twice", fix: "remove one")
      }
      let text: JSONValue = .string(try onlyText(of: entry, in: language))
      var described: [JSONObject.Member] = []
      if !entry.comments.isEmpty {
        described.append(("description", .string(entry.comments.joined(separator: "\n")), 0))
      }
      for attribute in entry.attributes where attribute != .objectForm {
        guard attribute.name != "defaultMessage", !described.contains(where: { $0.key == attribute.name })
        else {
          continue
        }
        described.append((attribute.name, try json(of: attribute, place: "key \(quoted(entry.key))"), 0))
      }
      let isText = described.isEmpty && !entry.attributes.contains(.objectForm)
      members.append(
        (
          entry.key,
          isText ? text : .object(JSONObject(members: [("defaultMessage", text, 0)] + described)), 0
        )
      )
    }
    return JSONWriter.plain.text(.object(JSONObject(members: members))) + "\n"
  }
}

extension StringsFile.Attribute {
  /// Records an object that has only `defaultMessage`.
  fileprivate static let objectForm = Self(name: "form", value: "object")
}

// MARK: Restrictions of formats

extension StringsFile {
  /// Returns the value of an attribute that is JSON.
  func json(of attribute: Attribute, place: String = "") throws(StringsError) -> JSONValue {
    if let value = JSONWriter.value(attribute.value) { return value }
    throw StringsError(
      .notRepresentable,
      "the attribute \(quoted(attribute.name)) is not valid JSON",
      fix: "correct or remove it",
      place: place
    )
  }

  /// Returns the language of the entries, or the file's language if there are none.
  ///
  /// - Throws: `.notRepresentable` if the entries have several languages.
  func onlyLanguage() throws(StringsError) -> String {
    var only: String?
    for entry in entries {
      for found in entry.localizations.keys.sorted() {
        guard let first = only else {
          only = found
          continue
        }
        if first != found {
          throw notRepresentable(
            entry,
            "several languages (\(quoted(first)), \(quoted(found))) cannot be represented in \(formatName)",
            fix: "write one file per language"
          )
        }
      }
    }
    return only ?? language
  }

  /// Returns the value of an entry in the file's only language.
  func onlyValue(of entry: Entry, in language: String) throws(StringsError) -> Value {
    guard let localization = entry.localizations[language] else {
      throw notRepresentable(entry, "the text is missing", fix: "add it, or remove the entry")
    }
    return localization.value
  }

  /// Returns the text of an entry, for formats that support only texts.
  func onlyText(of entry: Entry, in language: String) throws(StringsError) -> String {
    let value = try onlyValue(of: entry, in: language)
    guard case .text(let text) = value else { throw notRepresentable(entry, value) }
    return text
  }

  func notRepresentable(_ entry: Entry, _ problem: String, fix: String) -> StringsError {
    StringsError(.notRepresentable, problem, fix: fix, place: "key \(quoted(entry.key))")
  }

  func notRepresentable(_ entry: Entry, _ value: Value) -> StringsError {
    let (kind, fix) =
      switch value {
      case .text: ("a text", "use another format for the string")
      case .plural: ("a plural", "write the plural inside a message, or use another format for the string")
      case .device: ("a variation by device", "use a string catalog for the string")
      case .substituted: ("a substitution", "use a string catalog for the string")
      case .array: ("an array", "write one entry per item, or use Android's strings.xml for the array")
      }
    return notRepresentable(entry, "\(kind) cannot be represented in \(formatName)", fix: fix)
  }

  private var formatName: String {
    switch format {
    case .formatJS: "a FormatJS file"
    case .apple: "a .strings file"
    case .stringCatalog: "a string catalog"
    case .android: "an Android strings file"
    }
  }
}

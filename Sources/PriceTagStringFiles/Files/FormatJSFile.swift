import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads `{"key": "text"}` and `{"key": {"defaultMessage": "text", "description": "…"}}`.
  ///
  /// A description becomes the entry's comment; any other member an attribute, as JSON. An entry that was an object
  /// without either says so in an attribute `form`, and is written as one again.
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

  /// Two spaces a level, a newline at the end; characters that cannot be seen as `\u` escapes.
  func formatJSText() throws(StringsError) -> String {
    let language = try onlyLanguage()
    var members: [JSONObject.Member] = []
    var keys: Set<String> = []
    for entry in entries {
      guard keys.insert(entry.key).inserted else {
        throw notRepresentable(entry, "the key stands twice", fix: "keep one of them")
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
        guard let value = JSONWriter.value(attribute.value) else {
          throw notRepresentable(
            entry,
            "its attribute \(quoted(attribute.name)) is no JSON",
            fix: "remove the attribute"
          )
        }
        described.append((attribute.name, value, 0))
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
  /// An object where a plain string would have said as much.
  fileprivate static let objectForm = Self(name: "form", value: "object")
}

// MARK: What a format cannot hold

extension StringsFile {
  /// The one language of the entries; the file's own where there is no entry.
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
            "\(formatName) holds one language, and this file has \(quoted(first)) and \(quoted(found))",
            fix: "write a file for each language"
          )
        }
      }
    }
    return only ?? language
  }

  /// What an entry says in the one language.
  func onlyValue(of entry: Entry, in language: String) throws(StringsError) -> Value {
    guard let localization = entry.localizations[language] else {
      throw notRepresentable(entry, "it has no text", fix: "give it a text or leave it out")
    }
    return localization.value
  }

  /// The text of an entry of a format that has only texts.
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
      case .text: ("text", "write it as plain text")
      case .plural: ("plurals", "write a plural inside the message, or keep the string in another format")
      case .device: ("variations by device", "keep the string in a string catalogue")
      case .substituted: ("substitutions", "keep the string in a string catalogue")
      case .array: ("arrays", "write an entry for each item, or keep the array in Android's strings.xml")
      }
    return notRepresentable(entry, "\(formatName) has no \(kind)", fix: fix)
  }

  private var formatName: String {
    switch format {
    case .formatJS: "a FormatJS file"
    case .apple: "a .strings file"
    case .stringCatalog: "a string catalogue"
    case .android: "an Android strings file"
    }
  }
}

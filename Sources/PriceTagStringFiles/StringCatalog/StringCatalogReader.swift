import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads Xcode's string catalog.
  static func readStringCatalog(_ bytes: [UInt8]) -> StringsFile {
    var reader = StringCatalogReader()
    var cursor = JSONCursor(bytes)
    reader.file(&cursor)
    return StringsFile(
      format: .stringCatalog,
      language: reader.sourceLanguage,
      bytes: bytes,
      entries: reader.entries.entries,
      problems: cursor.problems + reader.problems.problems + reader.entries.problems
    )
  }
}

/// Reads the entries of a string catalog.
private struct StringCatalogReader {
  private(set) var sourceLanguage = ""
  private(set) var entries = EntryList()
  private(set) var problems = ProblemList()

  private static let fix = "use the structure that Xcode writes"

  mutating func file(_ cursor: inout JSONCursor) {
    guard cursor.next == UInt8(ascii: "{") else {
      cursor.report(
        "the file must contain an object, not \(cursor.kind)",
        fix: Self.fix,
        rule: .unreadableFile
      )
      return
    }
    var hasStrings = false
    cursor.members { cursor, name, _ in
      switch name {
      case "sourceLanguage" where cursor.next == UInt8(ascii: "\""):
        sourceLanguage = cursor.text()?.text ?? ""
      case "strings" where expectObject(&cursor, "the field \"strings\""):
        hasStrings = true
        cursor.members(acceptsRepeated: true) { cursor, key, offset in
          cursor.key = key
          guard expectObject(&cursor, "the entry") else { return }
          entry(&cursor, key, offset)
        }
      case "strings": hasStrings = true
      default: break
      }
    }
    cursor.finish()
    if sourceLanguage.isEmpty || !hasStrings {
      cursor.report(
        "the field \"\(sourceLanguage.isEmpty ? "sourceLanguage" : "strings")\" is missing",
        fix: "add it",
        rule: .unreadableFile,
        at: 0
      )
    }
  }

  /// Returns whether the next value is an object, and records a problem otherwise.
  private func expectObject(_ cursor: inout JSONCursor, _ subject: String) -> Bool {
    if cursor.next == UInt8(ascii: "{") { return true }
    cursor.report("\(subject) must be an object, not \(cursor.kind)", fix: Self.fix)
    return false
  }

  private mutating func entry(_ cursor: inout JSONCursor, _ key: String, _ offset: Int) {
    var entry = StringsFile.Entry(key: key, offset: offset)
    cursor.members { cursor, name, _ in
      cursor.key = key
      switch name {
      case "shouldTranslate": if cursor.next == UInt8(ascii: "f") { entry.isTranslatable = false }
      case "extractionState":
        if cursor.next == UInt8(ascii: "\"") { entry.isStale = cursor.text()?.text == "stale" }
      case "localizations" where expectObject(&cursor, "the field \"localizations\""):
        cursor.members { cursor, language, offset in
          cursor.key = key
          guard expectObject(&cursor, "the localization") else { return }
          localization(&cursor, language, .init(), offset, &entry)
        }
      default: break
      }
    }
    // A text without letters, such as "%@: %lld", is the same in all languages.
    let sources = entry.texts.filter { $0.language == sourceLanguage }.map(\.text)
    if !(sources.isEmpty ? [key] : sources).contains(where: { LintProse($0).hasLetters }) {
      entry.isTranslatable = false
    }
    entries.append(entry)
  }

  private typealias Role = StringsFile.Role

  /// Reads the value of a language, a variation or a substitution: a text, or its variations.
  private mutating func localization(
    _ cursor: inout JSONCursor,
    _ language: String,
    _ role: Role,
    _ offset: Int,
    _ entry: inout StringsFile.Entry
  ) {
    let key = entry.key
    cursor.members { cursor, name, offset in
      cursor.key = key
      switch name {
      case "stringUnit" where cursor.next == UInt8(ascii: "{"):
        cursor.members { cursor, field, _ in
          cursor.key = key
          guard field == "value", cursor.next == UInt8(ascii: "\""), let (text, range) = cursor.text() else {
            return
          }
          entry.texts.append(.init(language: language, role: role, text: text, range: range))
        }
      case "stringSet" where cursor.next == UInt8(ascii: "{"):
        // The phrases of an app shortcut, of which each language has as many as it needs.
        cursor.members { cursor, field, _ in
          cursor.key = key
          guard field == "values", cursor.next == UInt8(ascii: "[") else { return }
          cursor.items { cursor, _ in
            guard cursor.next == UInt8(ascii: "\""), let (text, range) = cursor.text() else { return }
            entry.texts.append(.init(language: language, role: role, text: text, range: range))
          }
        }
      case "variations" where cursor.next == UInt8(ascii: "{"):
        cursor.members { cursor, kind, _ in
          guard cursor.next == UInt8(ascii: "{") else { return }
          cursor.members { cursor, name, offset in
            guard cursor.next == UInt8(ascii: "{") else { return }
            var role = role
            if kind == "plural" { role.category = name } else { role.device = name }
            localization(&cursor, language, role, offset, &entry)
          }
        }
      case "substitutions":
        guard cursor.next == UInt8(ascii: "{") else {
          return report(
            "the substitutions are \(cursor.kind), not an object",
            "write an object with their names as keys",
            language,
            key,
            offset
          )
        }
        cursor.members { cursor, name, offset in substitution(&cursor, name, language, offset, &entry) }
      case "argNum", "formatSpecifier", "variations":
        if role.substitution != nil, role == Role(substitution: role.substitution) {
          field(&cursor, name, language, offset, &entry)
        } else if name == "variations" {
          report("the variations are \(cursor.kind), not an object", Self.fix, language, key, offset)
        }
      default: break
      }
    }
  }

  private mutating func substitution(
    _ cursor: inout JSONCursor,
    _ name: String,
    _ language: String,
    _ offset: Int,
    _ entry: inout StringsFile.Entry
  ) {
    let key = entry.key
    let subject = "the substitution \(quoted(name))"
    guard cursor.next == UInt8(ascii: "{") else {
      return report("\(subject) is \(cursor.kind), not an object", Self.fix, language, key, offset)
    }
    entry.substitutions.append(StringsFile.Substitution(language: language, name: name))
    localization(&cursor, language, Role(substitution: name), offset, &entry)
  }

  /// Reads a field of the last substitution.
  private mutating func field(
    _ cursor: inout JSONCursor,
    _ field: String,
    _ language: String,
    _ offset: Int,
    _ entry: inout StringsFile.Entry
  ) {
    let last = entry.substitutions.count - 1
    let start = cursor.at
    cursor.skip()
    let literal = String(decoding: cursor.bytes[start..<cursor.at], as: UTF8.self)
    let (name, problem, fix): (String, String, String)
    switch field {
    case "argNum":
      entry.substitutions[last].argument = Int(literal)
      if entry.substitutions[last].argument != nil { return }
      name = "argNum"
      problem = "which is not the number of an argument"
      fix = "write an integer without quotation marks, such as 1 for the first argument"
    case "formatSpecifier":
      if literal.hasPrefix("\"") {
        entry.substitutions[last].formatSpecifier = (try? JSONReader.value(of: Array(literal.utf8)))?.literal
        return
      }
      (name, problem, fix) = ("format specifier", "which is not a string", "write a string such as \"lld\"")
    default: (name, problem, fix) = ("variations", "which are not an object", Self.fix)
    }
    report(
      "the substitution \(quoted(entry.substitutions[last].name)) has the \(name) \(printable(literal, limit: 48)), \(problem)",
      fix,
      language,
      entry.key,
      offset
    )
  }

  private mutating func report(
    _ problem: String,
    _ fix: String,
    _ language: String,
    _ key: String,
    _ offset: Int
  ) {
    problems.report(problem, fix, key: key, at: offset, rule: .malformedPlaceholder, language: language)
  }
}

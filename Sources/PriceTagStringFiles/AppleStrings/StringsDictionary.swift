import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads a property list of texts: the XML form of `.strings`.
  static func readPropertyList(_ bytes: [UInt8], language: String) -> StringsFile {
    var reader = PropertyListReader(bytes)
    var entries = EntryList()
    var problems = ProblemList()
    reader.root { _, key, offset, value in
      var entry = Entry(key: key, offset: offset)
      switch value {
      case .text(let text, let range):
        entry.texts = [Text(language: language, role: Role(), text: text, range: range)]
        entries.append(entry)
      case .dictionary, .other:
        problems.report(
          "the value is not a <string>",
          "write one <string> for each <key>, and move plurals to a .stringsdict file or a string catalog",
          key: key,
          at: offset
        )
      }
    }
    return StringsFile(
      format: .strings,
      language: language,
      bytes: bytes,
      entries: entries.entries,
      problems: reader.problems.problems + problems.problems + entries.problems
    )
  }

  /// Reads a `.stringsdict` file: for each key, a format and the plural or width branches of its variables.
  static func readStringsDictionary(_ bytes: [UInt8], language: String) -> StringsFile {
    var reader = PropertyListReader(bytes)
    var entries = EntryList()
    var problems = ProblemList()
    reader.root { reader, key, offset, value in
      guard case .dictionary = value else {
        problems.report(
          "the value is not a <dict>",
          "write a <dict> with NSStringLocalizedFormatKey, or move the text to a .strings file",
          key: key,
          at: offset
        )
        return
      }
      var entry = Entry(key: key, offset: offset)
      var hasFormat = false
      reader.members(key: key) { reader, name, nameOffset, value in
        switch (name, value) {
        case ("NSStringLocalizedFormatKey", .text(let text, let range)):
          hasFormat = true
          entry.texts.insert(Text(language: language, role: Role(), text: text, range: range), at: 0)
        case ("NSStringVariableWidthRuleType", .dictionary), ("NSStringDeviceSpecificRuleType", .dictionary):
          hasFormat = true
          reader.members(key: key) { _, variant, _, value in
            guard case .text(let text, let range) = value else { return }
            let role = Role(device: variant)
            entry.texts.append(Text(language: language, role: role, text: text, range: range))
          }
        case (_, .dictionary):
          var part = Substitution(language: language, name: name)
          var type: String?
          reader.members(key: key) { _, field, _, value in
            guard case .text(let text, let range) = value else { return }
            switch field {
            case "NSStringFormatSpecTypeKey": type = text
            case "NSStringFormatValueTypeKey": part.formatSpecifier = text
            default:
              let role = Role(category: field, substitution: name)
              entry.texts.append(Text(language: language, role: role, text: text, range: range))
            }
          }
          if type != "NSStringPluralRuleType" {
            problems.report(
              "the variable \(quoted(name)) has no NSStringFormatSpecTypeKey of NSStringPluralRuleType",
              "add it",
              key: key,
              at: nameOffset
            )
          }
          entry.substitutions.append(part)
        default: break
        }
      }
      if !hasFormat {
        problems.report(
          "the key has no NSStringLocalizedFormatKey",
          "add it, such as %#@count@",
          key: key,
          at: offset
        )
      }
      entries.append(entry)
    }
    return StringsFile(
      format: .stringsDictionary,
      language: language,
      bytes: bytes,
      entries: entries.entries,
      problems: reader.problems.problems + problems.problems + entries.problems
    )
  }
}

/// The entries of a file, up to a limit.
struct EntryList {
  private(set) var entries: [StringsFile.Entry] = []
  private(set) var problems: [StringsFile.Problem] = []

  /// The maximum number of keys in a file.
  static let maximumCount = 1_000_000

  mutating func append(_ entry: StringsFile.Entry) {
    if entries.count < Self.maximumCount { return entries.append(entry) }
    guard problems.isEmpty else { return }
    problems.append(Self.excess(at: entry.offset))
  }

  /// Returns the problem of a file with too many keys.
  static func excess(at offset: Int) -> StringsFile.Problem {
    .init(
      rule: .unreadableFile,
      offset: offset,
      key: "",
      problem: "the file has more than 1,000,000 keys, and the rest is not checked",
      fix: "split it"
    )
  }
}

/// The problems of a file, up to a limit.
struct ProblemList {
  private(set) var problems: [StringsFile.Problem]

  /// The maximum number of problems in a file.
  static let maximumCount = 30_000

  init(_ problems: [StringsFile.Problem] = []) { self.problems = problems }

  /// Adds a problem, unless an earlier one hides it.
  mutating func report(
    _ problem: String,
    _ fix: String,
    key: String,
    at offset: Int,
    rule: LintFinding.Rule = .malformedEntry,
    language: String? = nil,
    range: Range<Int>? = nil,
    hidesRest: Bool = false,
    losesKey: Bool = false
  ) {
    if problems.last?.hidesRest == true { return }
    guard problems.count < Self.maximumCount else {
      problems.append(
        .init(
          rule: rule,
          offset: offset,
          key: "",
          problem: "the file has more than 30,000 problems, and the others are not shown",
          fix: "correct these first",
          hidesRest: true
        )
      )
      return
    }
    problems.append(
      .init(
        rule: rule,
        offset: offset,
        key: key,
        language: language,
        problem: problem,
        fix: fix,
        range: range,
        hidesRest: hidesRest,
        losesKey: losesKey
      )
    )
  }
}

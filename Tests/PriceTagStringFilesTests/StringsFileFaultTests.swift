import PriceTagStrings
import Testing

@testable import PriceTagStringFiles

/// Files with faults, and what is read of them.
@Suite struct StringsFileFaultTests {
  private static func read(_ text: String, _ format: StringsFile.Format?) throws -> StringsFile {
    try StringsFile.read(Array(text.utf8), format: format, language: "fr").file
  }

  /// Describes the texts of a file as `key = text`, then its problems as `line:column rule key: problem`.
  private static func describe(_ file: StringsFile) -> [String] {
    let texts = file.entries.flatMap { entry in
      entry.texts.map { text in
        let roles = [text.role.device, text.role.category, text.role.item.map(String.init)].compactMap(\.self)
        return "\(entry.key)\(roles.map { " \($0)" }.joined()) = \(text.text)"
      }
    }
    return texts
      + file.problems.map { problem in
        let (line, column) = file.place(of: problem.offset)
        return "\(line):\(column) \(problem.rule.rawValue) \(problem.key): \(problem.problem)"
      }
  }

  static let xml: [(name: String, text: String, expected: [String])] = [
    (
      "a comment with one hyphen",
      "<resources>\n<!- it's a comment ->\n<string name=\"a\">Hi %s 5 €</string>\n<string name=\"b\">don\\'t</string></resources>",
      [
        "a = Hi %s 5 €", "b = don't",
        "2:1 malformed-entry : the text \"<!- it's a comment ->\" is not in <string> or <item>",
      ]
    ),
    (
      "a < before an exclamation mark",
      "<resources><string name=\"a\">Hi <! there is %s</string><string name=\"b\">B</string></resources>",
      ["a = Hi <! there is %s", "b = B", "1:32 malformed-entry a: a < is not part of a tag"]
    ),
    (
      "a comment with one hyphen before the root element",
      "<!- it's ->\n<resources><string name=\"a\">A</string></resources>",
      ["a = A", "1:1 malformed-entry : a < is not part of a tag"]
    ),
  ]

  @Test(arguments: xml.indices)
  func readsXML(index: Int) throws {
    let (name, text, expected) = Self.xml[index]
    let found = try Self.describe(Self.read(text, .android))
    #expect(found == expected, "\(name)")
  }

  static let json: [(name: String, format: StringsFile.Format?, text: String, expected: [String])] = [
    (
      "a text and an object with one name", nil, #"{"c":"t","c":{"d":"z"}}"#,
      ["c = t", "c.d = z", "1:10 duplicate-key c: the key appears twice, and the first is lost"]
    ),
    ("two texts with one name, which lint reports", nil, #"{"c":"t","c":"z"}"#, ["c = t", "c = z"]),
    (
      "a language twice in a catalog", .stringCatalog,
      #"{"sourceLanguage":"en","strings":{"Buy":{"localizations":{"en":{"stringUnit":{"value":"A"}},"en":{"stringUnit":{"value":"B"}}}}}}"#,
      ["Buy = A", "Buy = B", "1:93 duplicate-key Buy: the field \"en\" appears twice"]
    ),
    (
      "localizations twice in a catalog", .stringCatalog,
      #"{"sourceLanguage":"en","strings":{"Buy":{"localizations":{},"localizations":{}}}}"#,
      ["1:61 duplicate-key Buy: the field \"localizations\" appears twice"]
    ),
    (
      "a key of more than 4 KB", nil, #"{"\#(String(repeating: "k", count: 4096))":"x","a":{"b":"y"}}"#,
      ["a.b = y", "1:2 malformed-entry : a key is longer than 4 KB"]
    ),
    ("a key that begins with @", nil, ##"{"@all":"Notify {who} now"}"##, ["@all = Notify {who} now"]),
    (
      "metadata without @@locale", nil, #"{"@a":{"description":"D"},"a":"A","@b":{"c":"C"}}"#,
      ["a = A", "@b.c = C"]
    ),
    (
      "metadata of a bundle", .arb, #"{"@@x-note":"N","@a":"D","a":"A"}"#, ["a = A"]
    ),
    (
      "a description and a nested message", nil, #"{"a":{"x":{"defaultMessage":"X"},"defaultMessage":"A"}}"#,
      ["a = A"]
    ),
  ]

  @Test(arguments: json.indices)
  func readsJSON(index: Int) throws {
    let (name, format, text, expected) = Self.json[index]
    let found = try Self.describe(Self.read(text, format))
    #expect(found == expected, "\(name)")
  }

  /// The contents of a JSON file, and the format that they decide.
  @Test(arguments: [
    (#"{"a": "{count, plural, one {{count} item} other {{count} items}}"}"#, StringsFile.Format.formatJS),
    (#"{"a": "{count, plural, one {{count}} other {{count}}}"}"#, .formatJS), (#"{"a": "{{}}"}"#, .formatJS),
    (#"{"a": "{{- user.name }}"}"#, .i18next), (#"{"a": "{{price, currency(USD)}}"}"#, .i18next),
    (#"{"reason_spam": "Spam", "reason_other": "Other"}"#, .formatJS),
    (#"{"a_other": "{{count}}"}"#, .i18next), (#"{"a": "x", "a_plural": "y"}"#, .i18next),
  ])
  func decidesFormat(text: String, format: StringsFile.Format) throws {
    #expect(try Self.read(text, nil).format == format)
  }

  @Test func readsNoPluralWithoutSecondCategory() throws {
    let file = try Self.read(
      #"{"reason_spam": "Spam", "reason_other": "Other", "n_one": "1", "n_other": "2"}"#,
      .i18next
    )
    #expect(
      Self.describe(file) == ["reason_spam = Spam", "reason_other = Other", "n one = 1", "n other = 2"]
    )
  }

  @Test func limitsLeaves() {
    let tree = MessageTree(Array(#"{"a":[0,0,"x",0],"b":"y"}"#.utf8), maximumLeafCount: 3)
    #expect(tree.leaves.map(\.key) == ["a.0", "a.1", "a.2"])
    #expect(tree.problems.map(\.rule) == [.unreadableFile])
  }

  /// The places of offsets in lines that are longer than a block of bytes, and in short ones.
  @Test func findsPlaces() throws {
    let text = String(repeating: "é😀x", count: 120) + "\n" + String(repeating: "é\n😀", count: 60)
    let file = try Self.read(text, .strings)
    var (line, column, offset) = (1, 1, 0)
    for scalar in text.unicodeScalars {
      let place = file.place(of: offset)
      if place != (line, column) { Issue.record("offset \(offset): \(place), not \(line):\(column)") }
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
      offset += UTF8.width(scalar)
    }
  }
}

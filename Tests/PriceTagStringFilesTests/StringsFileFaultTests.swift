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
    (
      "entities with much text",
      "<!DOCTYPE r [<!ENTITY e \"\(String(repeating: "e", count: 1900))\">]>\n<resources><string name=\"a\" x=\"\(String(repeating: "&e;", count: 700))\"/>\n<string name=\"b\">&e;</string></resources>",
      [
        "b = &e;",
        "2:1694 malformed-entry a: the entities have more than 1 MB of text in all, and the others are not read",
      ]
    ),
    (
      "plurals without positions",
      "<resources><plurals name=\"p\"><item quantity=\"other\">%s of %d</item></plurals></resources>",
      ["p other = %s of %d"]
    ),
    (
      "an unknown quantity",
      "<resources><plurals name=\"p\"><item quantity=\"foo\">x</item></plurals></resources>",
      ["p = x", "1:30 malformed-entry p: unknown quantity \"foo\""]
    ),
    (
      "an apostrophe in the third line",
      "<resources><string name=\"a\">one\ntwo &amp;\n it's\nfour</string></resources>",
      ["a = one two & it's four", "3:4 malformed-entry a: unescaped apostrophe"]
    ),
    (
      "an apostrophe as an entity", "<resources><string name=\"a\">&lt;\nit&apos;s</string></resources>",
      ["a = < it's", "2:3 malformed-entry a: unescaped apostrophe"]
    ),
    (
      "a quotation mark in a second line",
      "<resources><string name=\"a\">one\ntwo \"x\" y \\uzz</string></resources>",
      [
        "a = one two x y uzz", "2:5 swallowed-quote a: AAPT2 removes the quotation marks",
        "2:11 malformed-entry a: \\u is not followed by four hexadecimal digits",
      ]
    ),
    (
      "hyphens in comments",
      "<resources><!-- a - b -->\n<!-- a -- b --><string name=\"a\">A<!-- c ---></string></resources>",
      [
        "a = A", "2:1 malformed-entry : a comment contains --",
        "2:34 malformed-entry a: a comment contains --",
      ]
    ),
    (
      "a prefix without a declaration",
      "<resources xmlns:tools=\"t\"><string name=\"a\" tools:ignore=\"x\"><xliff:g id=\"x\">%s</xliff:g> <xliff:g>y</xliff:g></string></resources>",
      [
        "a = <xliff:g id=\"x\">%s</xliff:g> <xliff:g>y</xliff:g>",
        "1:62 malformed-entry a: the prefix \"xliff:\" is not declared",
      ]
    ),
    (
      "attributes without a space",
      "<resources><string name=\"a\"translatable=\"false\">A</string><string name=\"b\">B</string></resources>",
      ["b = B", "1:12 malformed-entry a: there is no space after the attribute \"name\""]
    ),
    (
      "an unknown entity in an attribute",
      "<resources><string name=\"a\"><a href=\"?x&y;\">A</a></string></resources>",
      ["a = <a href=\"?x&y;\">A</a>", "1:40 malformed-entry a: unknown entity \"&y;\""]
    ),
    (
      "a space in a name",
      "<resources><string name=\"a b\">A</string><string name=\"é.x-1\">B</string></resources>",
      ["a b = A", "é.x-1 = B", "1:12 malformed-entry a b: the name \"a b\" is not an identifier"]
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
    (
      "phrases of app shortcuts", .stringCatalog,
      #"{"sourceLanguage":"en","strings":{"Buy":{"localizations":{"fr":{"stringSet":{"state":"translated","values":["Achète","Prends"]}}}}}}"#,
      ["Buy = Achète", "Buy = Prends"]
    ),
    (
      "a misspelt word in one line", nil, #"{"a":tru,"b":"Kauf {preis}","c":[nul,"y"]}"#,
      [
        "b = Kauf {preis}", "c.1 = y", "1:6 malformed-entry a: expected a value, not \"t\"",
        "1:34 malformed-entry c: expected a value, not \"n\"",
      ]
    ),
    (
      "a quotation mark that is not escaped, in one line", nil,
      #"{"x":{"a":"b "c" d"},"e":"f "g" h","i":"j"}"#,
      [
        "x.a = b ", "e = f ", "i = j", "1:15 malformed-entry x.a: expected \",\" or \"}\", not \"c\"",
        "1:30 malformed-entry e: expected \",\" or \"}\", not \"g\"",
      ]
    ),
    (
      "a curly quotation mark in an array", nil, "{\"a\":[“x”],\n\"b\":\"c\",\n\"d\":\"e\"}",
      ["b = c", "d = e", "1:7 malformed-entry a: expected a value, not a character outside ASCII"]
    ),
    (
      "the end of the file after a fault", nil, #"{"a":"b","c" "d" e}"#,
      ["a = b", "1:14 malformed-entry : expected \":\", not \"\\\"\""]
    ),
    (
      "nothing to continue with", nil, #"{"a":"b","c" "d" e} f"#,
      [
        "a = b", "1:14 malformed-entry : expected \":\", not \"\\\"\"",
        "1:14 malformed-entry : the rest of the file is not read",
      ]
    ),
    (
      "an unknown character", nil, "x",
      ["1:1 unreadable-file : the file must contain an object, not an unknown word"]
    ),
    (
      "white space", nil, " \n",
      ["2:1 unreadable-file : the file must contain an object, not the end of the file"]
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

  @Test func readsVariantsForDevices() throws {
    let file = try Self.read(
      "<plist><dict><key>a</key><dict><key>NSStringDeviceSpecificRuleType</key><dict><key>mac</key><string>Click</string><key>iphone</key><string>Tap</string></dict></dict></dict></plist>",
      .stringsDictionary
    )
    #expect(Self.describe(file) == ["a mac = Click", "a iphone = Tap"])
  }

  /// Inputs in one line for which the search for the next key takes quadratic time if it is repeated.
  @Test(arguments: [
    "\"a\":“", "\"a\" ", "\"a\":\"b\"c,", "\"a\":tru,", ",", ", \"a\"", "\"a\":[}", "\"a\":{x",
  ])
  func readsLongLines(part: String) throws {
    for format in [nil, .stringCatalog] as [StringsFile.Format?] {
      lint(try Self.read("{" + String(repeating: part, count: 20_000) + "}", format))
    }
  }

  /// The entries after many malformed ones are read.
  @Test func limitsProblems() throws {
    let text = String(repeating: "a = b\nx = y;\n", count: 1200)
    let file = try Self.read(text + "last = 1;", .strings)
    #expect(file.problems.count == 1200 && file.entries.last?.key == "last")
    var list = ProblemList()
    for offset in 0...ProblemList.maximumCount + 1 {
      list.report("p", "f", key: "k", at: offset)
    }
    #expect(list.problems.count == ProblemList.maximumCount + 1)
    #expect(
      list.problems.last?.problem == "the file has more than 30,000 problems, and the others are not shown"
    )
  }

  /// Many places in one line, each of which takes long if the line is read from its start.
  @Test func findsPlacesInLongLine() throws {
    let file = try Self.read("{\"a\":\"\(String(repeating: "x", count: 400_000))\"}", nil)
    #expect((0..<2000).allSatisfy { file.place(of: $0 * 200) == (1, $0 * 200 + 1) })
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

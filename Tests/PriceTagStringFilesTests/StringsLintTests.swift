import Foundation
import PriceTagStrings
import Testing

@testable import PriceTagStringFiles

/// Applies all rules to a file, and compares it with itself.
func lint(_ file: StringsFile) {
  let rules = LintRules(path: "file", file: file, language: "de")
  _ = rules.problems()
  _ = rules.check(against: LintSource(file, language: "en"))
}

/// Writes files into a temporary folder, which is removed after the body has used it.
func withFolder<Result>(of files: [String: String], _ body: (_ path: String) throws -> Result) throws
  -> Result
{
  let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
  for (name, text) in files {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.path)
}

@Suite struct StringsLintTests {
  /// Checks files in a temporary folder; returns each finding as `file:line rule key: problem`.
  private func lint(_ files: [String: String], development: String? = nil) throws -> [String] {
    try withFolder(of: files) { folder in
      StringsLint(development: development, enabling: [.tooLong]).check(paths: [folder]).findings.map {
        finding in
        #expect(!finding.fix.isEmpty && !finding.description.contains("\n"))
        return
          "\(finding.file.dropFirst(folder.count + 1)):\(finding.line) \(finding.rule.rawValue) \(finding.key): \(finding.problem)"
      }
    }
  }

  /// An entry in a file of 2,000, and the expected findings.
  static let brokenEntries: [(name: String, entry: String, findings: [String])] = [
    ("a valid entry", #"<string name="k1000">Text</string>"#, []),
    (
      "a tag that is not closed", #"<string name="k1000">Text</strin>"#,
      [
        "malformed-entry k1000: the <string> ends with </strin>"
      ]
    ),
    (
      "a bare ampersand", #"<string name="k1000">Terms & Conditions</string>"#,
      [
        "malformed-entry k1000: an ampersand is not part of an entity"
      ]
    ),
    (
      "an attribute that is not closed", #"<string name="k1000>Text</string>"#,
      [
        "malformed-entry k1000: the tag <string> is not closed"
      ]
    ),
    (
      "plurals with a broken item", #"<plurals name="k1000"><item quantity="one">1</itm></plurals>"#,
      [
        "malformed-entry k1000: the <item> ends with </itm>"
      ]
    ),
    (
      "no name", "<string>Text</string>",
      [
        "malformed-entry : the attribute \"name\" of <string> is missing",
        "missing-key k1000: the key is missing",
      ]
    ),
  ]

  /// A malformed entry does not prevent findings in other entries.
  @Test(arguments: brokenEntries)
  func reportsMalformedEntryAndChecksOthers(name: String, entry: String, findings: [String]) throws {
    var entries = (1...2000).map { #"  <string name="k\#($0)">Text %1$s</string>"# }
    entries[1499] = #"  <string name="k1500">Text</string>"#
    entries[999] = "  " + entry
    let start = "<?xml version=\"1.0\"?>\n<!-- <string is not an entry here -->\n<resources>\n"
    let text = start + entries.joined(separator: "\n") + "\n</resources>\n"
    let english =
      start
      + (1...2000).map { number in
        #"  <string name="k\#(number)">Text\#(number == 1000 ? "" : " %1$s")</string>"#
      }.joined(separator: "\n") + "\n</resources>\n"
    let found = try lint(["values/strings.xml": english, "values-de/strings.xml": text])
    let relevant = found.filter { !$0.contains("untranslated") }
    let missing = #"values-de/strings.xml:1503 missing-placeholder k1500: the placeholder "%1$s" is missing"#
    if let first = findings.first {
      #expect(relevant.contains("values-de/strings.xml:1003 \(first)"), "\(relevant)")
    }
    #expect(relevant.contains(missing), "\(relevant)")
    #expect(relevant.count == findings.count + 1, "\(relevant)")
  }

  /// A file with text between its entries, and the findings. The German file lacks the placeholder of `b`.
  static let strayTexts: [(name: String, file: String, findings: [String])] = [
    (
      "a comment without <",
      "<resources>\n<string name=\"a\">A</string>\n  !-- %s: when -->\n<string name=\"b\">%s</string>\n</resources>",
      ["values/strings.xml:3 malformed-entry : the text \"!-- %s: when -->\" is not in <string> or <item>"]
    ),
    (
      "before the first entry",
      "<resources>\nx &amp; y\n<string name=\"a\">A</string><string name=\"b\">%s</string></resources>",
      ["values/strings.xml:2 malformed-entry : the text \"x &amp; y\" is not in <string> or <item>"]
    ),
    (
      "after the last entry, twice",
      "<resources><string name=\"a\">A</string><string name=\"b\">%s</string>\n\nä 5 < 6 <!-- <string> -->\n<color name=\"c\">#fff</color>;\n</resources>",
      [
        "values/strings.xml:3 malformed-entry : the text \"ä 5 < 6\" is not in <string> or <item>",
        "values/strings.xml:4 malformed-entry : the text \";\" is not in <string> or <item>",
      ]
    ),
    (
      "as CDATA, beside an empty element",
      "<resources><string name=\"a\">A</string><eat-comment/><![CDATA[x]]><string name=\"b\">%s</string></resources>",
      ["values/strings.xml:1 malformed-entry : the text \"x\" is not in <string> or <item>"]
    ),
    (
      "after an attribute with >",
      "<resources><string name=\"a\" comment=\"a>b\"/>x<string name=\"b\">%s</string></resources>",
      [
        "values/strings.xml:1 malformed-entry : the text \"x\" is not in <string> or <item>",
        "values/strings.xml:1 empty-text a: the text is empty",
      ]
    ),
    (
      "after a root element with > in an attribute",
      "<resources a=\"x>y\">\nx\n<string name=\"a\">A</string><string name=\"b\">%s</string></resources>",
      ["values/strings.xml:2 malformed-entry : the text \"x\" is not in <string> or <item>"]
    ),
    (
      "after a root element and a comment about it",
      "<!-- goes into <resources> -->\n<resources>\nx\n<string name=\"a\">A</string><string name=\"b\">%s</string></resources>",
      ["values/strings.xml:3 malformed-entry : the text \"x\" is not in <string> or <item>"]
    ),
    (
      "and a malformed entry",
      "<resources><string name=\"b\">%s</string>x<string name=\"a\">A</strin></resources>",
      [
        "values/strings.xml:1 malformed-entry : the text \"x\" is not in <string> or <item>",
        "values/strings.xml:1 malformed-entry a: the <string> ends with </strin>",
      ]
    ),
  ]

  /// A text between entries is reported in its own line, and the entries beside it are compared.
  @Test(arguments: strayTexts)
  func reportsTextBetweenEntries(name: String, file: String, findings: [String]) throws {
    let german = "<resources><string name=\"a\">A</string><string name=\"b\">B</string></resources>"
    let missing = #"values-de/strings.xml:1 missing-placeholder b: the placeholder "%s" is missing"#
    #expect(
      try lint(["values/strings.xml": file, "values-de/strings.xml": german]) == [missing] + findings
    )
  }

  @Test func reportsManyTexts() throws {
    let texts = String(repeating: "x\n<!-- c -->", count: 20_000)
    let found = try lint([
      "values/strings.xml": "<resources>\(texts)<string name=\"a\">A</string></resources>"
    ])
    let expected = (1...20_000).map {
      "values/strings.xml:\($0) malformed-entry : the text \"x\" is not in <string> or <item>"
    }
    let isExpected = found == expected
    #expect(isExpected, "\(found.count) findings, the first is \(found.first ?? "")")
  }

  @Test func reportsManyUnclosedComments() throws {
    let comments = String(repeating: "<!-- ", count: 20_000)
    let found = try lint([
      "values/strings.xml": "<resources><string name=\"a\">A</string>\(comments)</resources>"
    ])
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("values/strings.xml:1 malformed-entry : the comment is not closed") == true
    )
  }

  @Test func readsFileThatEndsInTag() throws {
    let files = ["values/strings.xml": "<resources><string name=\"a\">A</string><string"]
    #expect(try lint(files).contains { $0.hasPrefix("values/strings.xml:1 ") })
  }

  /// An empty element contains no others.
  @Test func readsManyEmptyElements() throws {
    let empty = String(repeating: "<eat-comment/>", count: 100)
    let files = ["values/strings.xml": "<resources>\(empty)<string name=\"a\">A</string></resources>"]
    #expect(try lint(files) == [])
  }

  @Test(arguments: [(62, true), (63, false)])
  func searchesFoldersUpToALimit(depth: Int, isFound: Bool) throws {
    let file = String(repeating: "a/", count: depth) + "values/strings.xml"
    #expect(try lint([file: "<resources><string"]).contains { $0.hasPrefix(file) } == isFound)
  }

  /// The English text, its translation, the language, and the expected findings.
  static let texts: [(english: String, translation: String, language: String, findings: [String])] = [
    ("Buy %@", "Kaufen: %@", "de", []),
    ("Buy %@", "Kaufen", "de", [#"missing-placeholder k: the placeholder "%@" is missing"#]),
    (
      "Buy", "Kaufen %@", "de",
      [#"extra-placeholder k: the development language's text has no placeholder "%@""#]
    ),
    (
      "Buy %d", "Kaufen %@", "de",
      [
        #"malformed-placeholder k: the placeholder "%@" is "%d" in the development language"#
      ]
    ),
    ("%1$@ of %2$@", "%2$@ von %1$@", "de", []),
    ("%@ of %@", "%2$@ von %1$@", "de", []),
    ("%d items", "%ld Artikel", "de", []),
    ("%d%% off", "%d%% Rabatt", "de", []),
    ("50% off", "50 % Rabatt", "de", []),
    (
      "then {{ total }}", "dann {{ Total }}", "de",
      [#"placeholder-case k: the placeholder "{{ Total }}" differs from "{{ total }}" in case"#]
    ),
    (
      "then {{ price }}", "dann {{ prcie }}", "de",
      [#"misspelt-placeholder k: unknown placeholder "{{ prcie }}""#]
    ),
    ("Only $4.99", "Nur heute", "de", []),
    ("Only today", "Nur 4,99 €", "de", [#"hard-coded-price k: the text contains the price "4,99 €""#]),
    ("Only today", "Nur US$ 5", "de", [#"hard-coded-price k: the text contains the price "US$ 5""#]),
    ("Only today", "今だけ￥1,200", "ja", [#"hard-coded-price k: the text contains the price "￥1,200""#]),
    ("Only today", "Nur 5 USD", "de", [#"hard-coded-price k: the text contains the price "5 USD""#]),
    ("Pay in dollars", "In € zahlen", "de", []),
    (
      "For %@", "Für %@ €", "de",
      [#"symbol-beside-placeholder k: the currency symbol "€" is beside a placeholder"#]
    ),
    ("Only today", "今だけ500円で", "ja", [#"hard-coded-price k: the text contains the price "500円""#]),
    ("Only today", "فقط ٥٠ ريال", "ar", [#"hard-coded-price k: the text contains the price "٥٠ ريال""#]),
    ("%1$d items", "%1$d Artikel", "de", []),
    ("OK", "OK", "de", []),
    ("Premium Plus", "Premium Plus", "de", []),
    (
      "Restore your purchases", "Restore your purchases", "de",
      ["untranslated k: the text is the same as in the development language"]
    ),
    ("Restore", "Restore", "ja", ["untranslated k: the text is the same as in the development language"]),
    ("Restore your purchases", "Restore your purchases", "en-GB", []),
    (
      "Go", "Los, und zwar jetzt gleich und ohne jedes weitere Zögern!", "de",
      ["too-long k: the text has 57 characters, but 2 in the development language"]
    ),
    (
      "Buy", "\u{2068}Kaufen", "de",
      ["unbalanced-isolate k: the directional controls are not balanced"]
    ),
    ("Buy", "\u{2068}Kaufen\u{2069}", "de", []),
  ]

  @Test(arguments: texts)
  func comparesTextWithEnglish(
    english: String,
    translation: String,
    language: String,
    findings: [String]
  ) throws {
    let found = try lint([
      "en.lproj/Localizable.strings": "\"k\" = \"\(english)\";\n",
      "\(language).lproj/Localizable.strings": "\"k\" = \"\(translation)\";\n",
    ]).filter { !$0.hasPrefix("en.lproj") }
    #expect(found == findings.map { "\(language).lproj/Localizable.strings:1 \($0)" })
  }

  @Test func comparesKeysWithEnglish() throws {
    let found = try lint([
      "en.lproj/L.strings": "\"buy\" = \"Buy\";\n\"get\" = \"Get\";\n",
      "de.lproj/L.strings": "\"buy\" = \"Kaufen\";\n\"gte\" = \"Holen\";\n\"buy\" = \"Los\";\n",
    ])
    #expect(
      found == [
        "de.lproj/L.strings:1 missing-key get: the key is missing",
        "de.lproj/L.strings:2 extra-key gte: the development language does not have the key",
        "de.lproj/L.strings:3 duplicate-key buy: the key appears twice, first in line 1",
      ]
    )
  }

  @Test func checksICUMessages() throws {
    let found = try lint([
      "en.json":
        #"{"a":"{n, plural, one {# car} other {# cars}}","b":"Buy for {price}","c":"Free","d":"x","e":"y"}"#,
      "ru.json": """
      {
        "a": "{n, plural, one {# машина} other {# машин}}",
        "b": "Купить за {prcie}",
        "c": "{p, number, currency}",
        "d": "{a",
        "e": "{n, plural, zero {a} one {b} few {c} many {d} other {e}}"
      }
      """,
      "ja.json":
        #"{"a":"{n, plural, one {#台} other {#台}}","b":"{price}で購入","c":"無料","d":"{x, select, a {b} other {c}}","e":"z"}"#,
    ])
    #expect(
      found == [
        "ja.json:1 impossible-plural a: ja has no plural category \"one\"",
        "ja.json:1 extra-placeholder d: the development language's text has no placeholder \"{x}\"",
        "ru.json:2 missing-plural a: the plural category \"few\" is missing",
        "ru.json:2 missing-plural a: the plural category \"many\" is missing",
        "ru.json:3 misspelt-placeholder b: unknown placeholder \"{prcie}\"",
        "ru.json:4 refused-format c: ru, character 12: currency formats are not supported in messages",
        "ru.json:5 malformed-message d: ru, character 1: the braces are not balanced",
        "ru.json:6 extra-placeholder e: the development language's text has no placeholder \"{n}\"",
        "ru.json:6 impossible-plural e: ru has no plural category \"zero\"",
      ]
    )
  }

  /// An English message, its German translation, and the expected findings.
  static let messages: [(english: String, german: String, findings: [String])] = [
    (
      "{g, select, male {he} other {they}}", "{g, select, mann {er} other {sie}}",
      [
        #"select-branch k: the select "g" has other branches than in the development language: missing "male", extra "mann""#
      ]
    ),
    ("{g, select, male {he} other {they}}", "{g, select, male {er} other {sie}}", []),
    (
      "{n, plural, one {# thing} other {# things}}", "{n} Dinge",
      [#"missing-plural k: the argument "n" has no plural"#]
    ),
    (
      "{n, plural, one {# thing} other {# things}}", "{n, plural, other {# Dinge}}",
      [#"missing-plural k: the plural category "one" is missing"#]
    ),
    ("{n, plural, one {a thing} other {things}}", "{n, plural, other {Dinge}}", []),
    (
      "{n, number, percent} off", "{n} Rabatt",
      [#"malformed-placeholder k: the argument "n" is a percent in only one of the two languages"#]
    ),
    ("{n, plural, one {# day} other {# days}}", "{n, plural, one {Ein Tag} other {# Tage}}", []),
    ("Since {d, date, short} by {name}", "Seit {d} von {name}", []),
    ("a {b}", "a {b}}", ["unbalanced-braces k: character 6: the } has no matching {"]),
    ("a {b}", "a '}' {b}", []),
    ("a {b}", "a {b", ["malformed-message k: de, character 3: the braces are not balanced"]),
    ("{n, number, currency}", "{n, number}", []),
    (
      "a {g, select, x {b} other {c}}", "a {g, select, x {b} x {d} other {c}}",
      ["repeated-branch k: de, character 21: the branch \"x\" appears twice"]
    ),
    (
      "{n, plural, one {# day} other {# days}}", "{n, plural, one {# Tag} one {Ein Tag} other {# Tage}}",
      ["repeated-branch k: de, character 25: the branch \"one\" appears twice"]
    ),
    (
      "a", "b\\u0000",
      [
        #"broken-encoding k: the text contains "\u{0}", the result of a wrong encoding conversion"#
      ]
    ),
  ]

  @Test(arguments: messages)
  func comparesMessageWithEnglish(english: String, german: String, findings: [String]) throws {
    let found = try lint(["en.json": #"{"k": "\#(english)"}"#, "de.json": #"{"k": "\#(german)"}"#])
    #expect(found.filter { $0.hasPrefix("de.json") } == findings.map { "de.json:1 \($0)" })
  }

  /// The language of a JSON file is in its name or its folder's name.
  @Test(arguments: [
    ["en.json", "de.json"], ["app.en.json", "app.de.json"], ["app_en.json", "app_de_AT.json"],
    ["en/app.json", "de-AT/app.json"],
  ])
  func comparesFilesWithSameName(names: [String]) throws {
    let found = try lint([names[0]: #"{"a": "Buy {price}"}"#, names[1]: #"{"a": "Kaufen"}"#])
    #expect(found == ["\(names[1]):1 missing-placeholder a: the placeholder \"{price}\" is missing"])
  }

  @Test func allowsMissingKeysInOverlays() throws {
    let string = { (name: String, text: String) in "<string name=\"\(name)\">\(text)</string>" }
    let found = try lint([
      "values/strings.xml":
        "<resources>\(string("a", "Cancel"))\(string("b", "@string/a"))\(string("c", "Go"))</resources>",
      "values-night/strings.xml": "<resources>\(string("a", "Cancel quietly"))</resources>",
      "values-de/strings.xml": "<resources>\(string("a", "Abbrechen"))</resources>",
      "values-de-rAT/strings.xml": "<resources>\(string("a", "Aus"))</resources>",
    ])
    #expect(found == ["values-de/strings.xml:1 missing-key c: the key is missing"])
  }

  @Test func ignoresRulesAndReportsSkippedFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in [
      ("en.json", #"{"a":"A"}"#), ("de.json", #"{"b":""}"#), ("package.json", "{}"), ("app.json", "{}"),
    ] {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let all = StringsLint().check(paths: [folder.path, folder.path])
    #expect(all.findings.map(\.rule) == [.missingKey, .emptyText, .extraKey])
    #expect(all.fileCount == 2)
    #expect(all.skippedFiles.sorted().map { $0.split(separator: "/").last } == ["app.json", "package.json"])
    #expect(
      StringsLint(ignoring: [.extraKey, .emptyText]).check(paths: [folder.path]).findings.map(\.rule) == [
        .missingKey
      ]
    )
  }

  /// "Один день" is wrong for 21.
  @Test func requiresNumberInBranchForSeveralNumbers() throws {
    let found = try lint([
      "en.json": #"{"k": "{n, plural, one {# day} other {# days}}"}"#,
      "ru.json": #"{"k": "{n, plural, one {Один день} few {# дня} many {# дней} other {# дня}}"}"#,
      "xq.json": #"{"k": "{n, plural, one {#} other {#}}"}"#,
      "values/strings.xml":
        "<resources><plurals name=\"n\"><item quantity=\"one\">%d day</item><item quantity=\"other\">%d days</item></plurals></resources>",
      "values-hr/strings.xml":
        "<resources><plurals name=\"n\"><item quantity=\"one\">jedan dan</item><item quantity=\"few\">%d dana</item><item quantity=\"other\">%d dana</item></plurals></resources>",
    ])
    #expect(
      found == [
        "ru.json:1 missing-placeholder k: the branch \"one\" does not contain the number, but matches 1, 21, 31, …",
        "values-hr/strings.xml:1 missing-placeholder n: the placeholder \"%d\" is missing",
      ]
    )
  }

  @Test func ignoresPricesInTags() throws {
    let text =
      "<resources xmlns:xliff=\"urn:oasis:names:tc:xliff:document:1.2\"><string name=\"k\">%@<xliff:g id=\"price\" example=\"$4.99\">%1$s</xliff:g></string></resources>"
    #expect(
      try lint([
        "values/strings.xml": text.replacing("%@", with: "For "),
        "values-de/strings.xml": text.replacing("%@", with: "Für "),
      ]) == []
    )
  }

  @Test func reportsRepeatedBranchOfAndroidPlural() throws {
    let plurals = { (items: String) in "<resources><plurals name=\"n\">\(items)</plurals></resources>" }
    let once = #"<item quantity="one">%d a</item><item quantity="other">%d b</item>"#
    let found = try lint([
      "values/strings.xml": plurals(once),
      "values-de/strings.xml": plurals(once + #"<item quantity="one">%d c</item>"#),
    ])
    #expect(found == ["values-de/strings.xml:1 repeated-branch n: the branch \"one\" appears twice"])
  }

  @Test func checksAndroidPlurals() throws {
    let plurals = { (items: String) in "<resources><plurals name=\"n\">\(items)</plurals></resources>" }
    let found = try lint([
      "values/strings.xml": plurals(
        #"<item quantity="one">%d car</item><item quantity="other">%d cars</item>"#
      ),
      "values-pl/strings.xml": plurals(#"<item quantity="one">auto</item><item quantity="other">aut</item>"#),
      "values-ja/strings.xml": plurals(#"<item quantity="one">%d台</item><item quantity="other">%d台</item>"#),
      "values-fr/strings.xml": plurals(
        #"<item quantity="one">%d auto</item><item quantity="other">%d autos</item>"#
      ),
    ])
    #expect(
      found == [
        "values-ja/strings.xml:1 impossible-plural n: ja has no plural category \"one\"",
        "values-pl/strings.xml:1 missing-placeholder n: the placeholder \"%d\" is missing",
        "values-pl/strings.xml:1 missing-plural n: the plural category \"few\" is missing",
        "values-pl/strings.xml:1 missing-plural n: the plural category \"many\" is missing",
      ]
    )
  }

  @Test func comparesStringCatalogWithSourceLanguage() throws {
    let found = try lint([
      "L.xcstrings": """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "Buy %@" : {
            "localizations" : {
              "de" : { "stringUnit" : { "state" : "translated", "value" : "Kaufen" } }
            }
          },
          "cars" : {
            "localizations" : {
              "de" : { "variations" : { "plural" : {
                "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld Autos" } }
              } } },
              "en" : { "variations" : { "plural" : {
                "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld car" } },
                "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld cars" } }
              } } }
            }
          },
          "only" : {
            "localizations" : { "en" : { "stringUnit" : { "state" : "translated", "value" : "Only" } } }
          },
          "Costs $5" : {},
          "gone" : { "extractionState" : "stale" },
          "brand" : { "shouldTranslate" : false }
        },
        "version" : "1.0"
      }
      """
    ])
    #expect(
      found.map { $0.replacing(#/^L.xcstrings:\d+ /#, with: "") } == [
        "missing-placeholder Buy %@: the placeholder \"%@\" is missing",
        "missing-plural cars: the plural category \"one\" is missing",
        "missing-key only: the translation is missing",
        "hard-coded-price Costs $5: the text contains the price \"$5\"",
        "missing-key Costs $5: the translation is missing",
      ]
    )
  }

  /// A localization in German of `%#@hats@ in %#@boxes@`, with `hats` and `boxes` as in English except for a change, and the
  /// findings.
  static let substitutions: [(name: String, change: (String, String), findings: [String])] = [
    ("as in English", ("", ""), []),
    (
      "another argument", (#""argNum":2"#, #""argNum":1"#),
      [#"the substitution "boxes" has the argument 1, but 2 in the development language"#]
    ),
    (
      "no argument, in another order", (#""argNum":1,"#, ""),
      [#"the substitution "hats" has the argument 2, but 1 in the development language"#]
    ),
    (
      "an impossible argument", (#""argNum":1"#, #""argNum":0"#),
      [#"the substitution "hats" has the argNum 0"#]
    ),
    (
      "an argument as a string", (#""argNum":2"#, #""argNum":"2""#),
      [#"the substitution "boxes" has the argNum "2", which is not the number of an argument"#]
    ),
    (
      "a fractional argument", (#""argNum":2"#, #""argNum":1.5"#),
      [#"the substitution "boxes" has the argNum 1.5, which is not the number of an argument"#]
    ),
    (
      "an argument that is too large", (#""argNum":2"#, #""argNum":99999999999999999999"#),
      [
        #"the substitution "boxes" has the argNum 99999999999999999999, which is not the number of an argument"#
      ]
    ),
    (
      "a type as a number", (#""argNum":2,"formatSpecifier":"lld""#, #""argNum":2,"formatSpecifier":5"#),
      [#"the substitution "boxes" has the format specifier 5, which is not a string"#]
    ),
    (
      "another type", (#""argNum":2,"formatSpecifier":"lld""#, #""argNum":2,"formatSpecifier":"@""#),
      [#"the substitution "boxes" has the format specifier "@", but "lld" in the development language"#]
    ),
    (
      "an array", (#""boxes":{"#, #""boxes":[],"b":{"#),
      [#"the substitution "boxes" is an array, not an object"#]
    ),
    (
      "variations as a string",
      (
        #""variations":{"plural":{"one":{"stringUnit":{"state":"translated","value":"%arg Kiste"#,
        #""variations":"%arg","x":{"plural":{"one":{"stringUnit":{"state":"translated","value":"%arg Kiste"#
      ),
      [#"the substitution "boxes" has the variations "%arg", which are not an object"#]
    ),
    (
      "an array of substitutions", (#""substitutions":{"#, #""substitutions":[],"x":{"#),
      ["the substitutions are an array, not an object"]
    ),
    ("another length", (#""argNum":2,"formatSpecifier":"lld""#, #""argNum":2,"formatSpecifier":"ld""#), []),
    (
      "an unknown type", (#""argNum":2,"formatSpecifier":"lld""#, #""argNum":2,"formatSpecifier":"%lld""#),
      [#"the substitution "boxes" has the format specifier "%lld", which is unknown"#]
    ),
    (
      "another name", (#""boxes":"#, #""box":"#),
      [#"the placeholder "%#@boxes@" has no substitution "boxes""#]
    ),
    (
      "no number", ("%arg Hüte", "Hüte"),
      [
        #"the branch "other" of the substitution "hats" does not contain the number, but matches 0, 2, 3, …"#
      ]
    ),
    ("no number for one", ("%arg Hut\"", "ein Hut\""), []),
    ("the number as in printf", ("%arg Hüte", "%lld Hüte"), []),
    (
      "the number as another type", ("%arg Hut\"", "%@ Hut\""),
      [#"the placeholder "%@" in the substitution "hats" is not its number"#]
    ),
    ("another argument in a substitution", ("%arg Hüte", "%arg Hüte von %3$@"), []),
    (
      "its own argument as another type", ("%arg Hüte", "%arg Hüte %1$@"),
      [#"the placeholder "%1$@" in the substitution "hats" is not its number"#]
    ),
  ]

  @Test(arguments: substitutions)
  func checksSubstitutions(name: String, change: (String, String), findings: [String]) throws {
    func unit(_ text: String) -> String { #"{"stringUnit":{"state":"translated","value":"\#(text)"}}"# }
    func localization(_ text: String, _ hats: (String, String), _ boxes: (String, String)) -> String {
      func substitution(_ number: Int, _ texts: (String, String)) -> String {
        #"{"argNum":\#(number),"formatSpecifier":"lld","variations":{"plural":{"one":\#(unit("%arg " + texts.0)),"other":\#(unit("%arg " + texts.1))}}}"#
      }
      return
        #"{\#(unit(text).dropFirst().dropLast()),"substitutions":{"hats":\#(substitution(1, hats)),"boxes":\#(substitution(2, boxes))}}"#
    }
    let english = localization("%#@hats@ in %#@boxes@", ("hat", "hats"), ("box", "boxes"))
    let german = localization("In %#@boxes@ %#@hats@", ("Hut", "Hüte"), ("Kiste", "Kisten"))
      .replacing(change.0.isEmpty ? "\0" : change.0, with: change.1)
    let file =
      #"{"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{"en":\#(english),"de":\#(german)}}}}"#
    let found = try lint(["S.xcstrings": file])
    #expect(found.map { $0.replacing(#/^S.xcstrings:1 (mal|miss)[a-z-]+ k: /#, with: "") } == findings)
  }

  /// Faults in the development language itself.
  @Test func checksSubstitutionsOfDevelopmentLanguage() throws {
    let found = try lint([
      "S.xcstrings": """
      {"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{"en":{
        "stringUnit":{"state":"translated","value":"%#@hat@"},
        "substitutions":{"hats":{"argNum":1,"formatSpecifier":"lld","variations":{"plural":{
          "one":{"stringUnit":{"state":"translated","value":"%s hat"}},
          "other":{"stringUnit":{"state":"translated","value":"%arg hats"}}}}}}}}}}}
      """
    ])
    #expect(
      found == [
        #"S.xcstrings:2 malformed-placeholder k: the placeholder "%#@hat@" has no substitution "hat""#,
        #"S.xcstrings:2 malformed-placeholder k: the placeholder "%s" in the substitution "hats" is not its number"#,
      ]
    )
  }

  /// A field of a substitution in the development language, and the only finding: the translation cannot be compared.
  static let invalidFields: [(field: String, problem: String)] = [
    (#""argNum":"2""#, #"has the argNum "2", which is not the number of an argument"#),
    (#""argNum":1.5"#, "has the argNum 1.5, which is not the number of an argument"),
    (
      #""argNum":99999999999999999999"#,
      "has the argNum 99999999999999999999, which is not the number of an argument"
    ),
    (#""formatSpecifier":5"#, "has the format specifier 5, which is not a string"),
  ]

  @Test(arguments: invalidFields)
  func reportsInvalidFieldOfDevelopmentLanguage(field: String, problem: String) throws {
    func localization(_ text: String, _ field: String) -> String {
      let plural = #"{"plural":{"other":{"stringUnit":{"state":"translated","value":"%arg"}}}}"#
      return
        #"{"stringUnit":{"state":"translated","value":"\#(text)"},"substitutions":{"hats":{\#(field),"variations":\#(plural)}}}"#
    }
    let english = localization("%#@hats@ hats", field)
    let japanese = localization("帽子%#@hats@個", #""argNum":1,"formatSpecifier":"lld""#)
    let file =
      #"{"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{"en":\#(english),"ja":\#(japanese)}}}}"#
    #expect(
      try lint(["S.xcstrings": file]) == [
        #"S.xcstrings:1 malformed-placeholder k: the substitution "hats" \#(problem)"#
      ]
    )
  }

  @Test func reportsUnreadableFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([0x22, 0x6B, 0x22, 0x3D, 0x22, 0xE9, 0x22, 0x3B]).write(to: folder.appending(path: "a.strings"))
    try Data("\n\"k\" = ;".utf8).write(to: folder.appending(path: "b.strings"))
    let report = StringsLint().check(paths: [folder.path])
    #expect(report.findings.map(\.rule) == [.unreadableFile, .malformedEntry])
    #expect(report.findings.map(\.line) == [1, 2])
    #expect(report.findings.first?.problem == "the byte 0xE9 is not UTF-8")
    #expect(report.findings.first?.fix == "save the file as UTF-8")
  }

  /// Two or more files, and the findings; one row for each kind of mistake.
  static let projects: [(name: String, files: [String: String], findings: [String])] = [
    (
      "nested messages",
      [
        "en.json": #"{"Shop":{"buy":"Buy {price}","save":"Save {pct}"}}"#,
        "de.json": #"{"Shop":{"buy":"Für {preis}"}}"#,
      ],
      [
        "de.json:1 missing-key Shop.save: the key is missing",
        #"de.json:1 misspelt-placeholder Shop.buy: unknown placeholder "{preis}""#,
      ]
    ),
    (
      "i18next",
      [
        "en.json":
          #"{"buy":"Buy for {{price}}","n_one":"{{count}} item","n_other":"{{count}} items","t":"$t(buy)","f":"Friend"}"#,
        "ru.json":
          #"{"buy":"Купить за {{price}}","n_one":"{{count}} товар","n_few":"{{count}} товара","n_many":"{{count}} товаров","n_other":"{{count}} товара","t":"так: $t(buy)","f":"друг","f_female":"подруга"}"#,
        "ja.json": #"{"buy":"{{prise}}","n_one":"{{count}} x","n_other":"{{count}}個","t":"はい","f":"友"}"#,
        "pl.json":
          #"{"buy":"Kup {{- price, upper}}","n_one":"{{count}} rzecz","n_few":"{{count}} rzeczy","t":"tak $t(buy)","f":"druh"}"#,
      ],
      [
        #"ja.json:1 misspelt-placeholder buy: unknown placeholder "{{prise}}""#,
        #"ja.json:1 impossible-plural n: ja has no plural category "one""#,
        #"ja.json:1 missing-placeholder t: the placeholder "$t(buy)" is missing"#,
        #"pl.json:1 missing-plural n: the plural category "many" is missing"#,
      ]
    ),
    (
      "Flutter",
      [
        "app_en.arb":
          #"{"@@locale":"en","buy":"Buy for {price}","n":"{c, plural, =0{none} =1{one car} other{{c} cars}}"}"#,
        "app_de.arb": #"{"@@locale":"de","buy":"Kaufen","n":"{c, plural, =1{ein Auto} other{{c} Autos}}"}"#,
        "app_fr.arb":
          #"{"@@locale":"fr","buy":"L'{price}","n":"{c, plural, one{une auto} other{{c} autos}}"}"#,
      ],
      [
        #"app_de.arb:1 missing-placeholder buy: the placeholder "{price}" is missing"#
      ]
    ),
    (
      "tags",
      [
        "en.json":
          #"{"a":"<b>{price}</b> off, see <link>terms</link>","b":"The <b>gold</b> plan","c":"It''s {n}"}"#,
        "de.json":
          #"{"a":"<b>{price} billiger, siehe <link>Bedingungen</link>","b":"Der <b>goldene</b> Tarif","c":"Hat {n}"}"#,
        "fr.json":
          #"{"a":"<b>{price}</b> de moins, voir les <lien>conditions</lien>","b":"L'<b>or</b>","c":"L'{n}"}"#,
      ],
      [
        #"de.json:1 tag-mismatch a: the tag "<b>" is not closed"#,
        #"fr.json:1 tag-mismatch a: the tag "<lien>" is "<link>" in the development language"#,
        #"fr.json:1 swallowed-quote b: the apostrophe makes "<b>or</b>" literal text"#,
        #"fr.json:1 missing-placeholder c: the placeholder "{n}" is missing"#,
        #"fr.json:1 swallowed-quote c: the apostrophe makes "{n}" literal text"#,
      ]
    ),
    (
      "a .stringsdict file and its .strings",
      [
        "en.lproj/L.strings": "\"buy\" = \"Buy for %@\";\"days\" = \"%d days\";",
        "en.lproj/L.stringsdict": dictionary("%d day", "one", "%d days"),
        "pl.lproj/L.strings": "\"buy\" = \"Kup za %@\";",
        "pl.lproj/L.stringsdict": dictionary("%d dzień", "one", "%d dni za 4,99 zł"),
      ],
      [
        #"pl.lproj/L.stringsdict:1 hard-coded-price days: the text contains the price "4,99 zł""#,
        #"pl.lproj/L.stringsdict:1 missing-plural days: the plural category "few" is missing"#,
        #"pl.lproj/L.stringsdict:1 missing-plural days: the plural category "many" is missing"#,
      ]
    ),
    (
      "substitutions with positions",
      [
        "en.lproj/L.stringsdict": dictionary("%d day", "one", "%d days").replacing(
          "%#@d@",
          with: "%1$#@d@ of %2$@"
        ),
        "de.lproj/L.stringsdict": dictionary("%d Tag", "one", "%d Tage").replacing(
          "%#@d@",
          with: "%2$@: %1$#@d@"
        ),
        "fr.lproj/L.stringsdict": dictionary("%d jour", "one", "%d jours").replacing(
          "%#@d@",
          with: "%2$#@d@ %1$#@x@"
        ),
      ],
      [
        #"fr.lproj/L.stringsdict:1 malformed-placeholder days: the placeholder "%1$#@x@" has no substitution "x""#,
        #"fr.lproj/L.stringsdict:1 malformed-placeholder days: the substitution "d" has the argument 2, but 1 in the development language"#,
        #"fr.lproj/L.stringsdict:1 missing-placeholder days: the placeholder "%2$@" is missing"#,
      ]
    ),
    (
      "an apostrophe in strings.xml",
      [
        "values/strings.xml": #"<resources><string name="a">Don\'t %1$s</string></resources>"#,
        "values-fr/strings.xml": "<resources>\n<string name=\"a\">l'équivalent de %1$s</string></resources>",
      ],
      ["values-fr/strings.xml:2 malformed-entry a: unescaped apostrophe"]
    ),
    (
      "a plural of several numbers in a string catalog",
      [
        "L.xcstrings":
          #"{"sourceLanguage":"en","version":"1.0","strings":{"%lld: %@":{},"k":{"localizations":{"en":{"variations":{"plural":{"one":{"stringUnit":{"value":"%lld day, %lld percent"}},"other":{"stringUnit":{"value":"%lld days, %lld percent"}}}}}}}}}"#
      ],
      [
        #"L.xcstrings:1 malformed-placeholder k: the plural has several numbers such as "%lld", so Xcode cannot know which one selects the branch"#
      ]
    ),
  ]

  private static func dictionary(_ one: String, _ category: String, _ other: String) -> String {
    "<plist><dict><key>days</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@d@</string><key>d</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>\(category)</key><string>\(one)</string><key>other</key><string>\(other)</string></dict></dict></dict></plist>"
  }

  @Test(arguments: projects.indices)
  func checksProject(index: Int) throws {
    let (name, files, findings) = Self.projects[index]
    #expect(try lint(files).sorted() == findings.sorted(), "\(name)")
  }

  @Test func namesFilesOfOtherKindsAndRejectsLinks() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID().uuidString)")
    let inside = folder.appending(path: "texts")
    try FileManager.default.createDirectory(
      at: inside.appending(path: "de"),
      withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: inside.appending(path: "_locales/de"),
      withIntermediateDirectories: true
    )
    for name in [
      "texts/de.po", "texts/main.ftl", "texts/a.xliff", "texts/de/x.lang", "texts/de/readme.md",
      "texts/config.yml", "texts/_locales/de/messages.json", "out.strings",
    ] {
      try Data("\"k\" = \"v\";".utf8).write(to: folder.appending(path: name))
    }
    let link = inside.appending(path: "l.strings").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../out.strings")
    let report = StringsLint().check(paths: [inside.path])
    let passedOver = report.passedOver.map { "\($0.path.dropFirst(inside.path.count + 1)) \($0.kind)" }
    #expect(
      passedOver == [
        "_locales/de/messages.json browser extension", "a.xliff XLIFF", "de/x.lang unknown kind",
        "de.po gettext", "main.ftl Fluent",
      ]
    )
    #expect(
      report.findings.map { "\($0.rule.rawValue) \($0.problem)" }
        == ["unreadable-file the link leads out of the folder, so it is not followed"]
    )
    #expect(report.fileCount == 0)
    let named = StringsLint(as: .strings).check(paths: [inside.appending(path: "de/x.lang").path])
    #expect(named.formats == [.strings: 1] && named.passedOver.isEmpty)
  }

  @Test func acceptsDevelopmentLanguage() throws {
    let files = [
      "de.json": #"{"a": "Kaufen {price}"}"#, "fr.json": #"{"a": "Acheter"}"#, "en.json": #"{"a": "Buy"}"#,
    ]
    #expect(
      try lint(files, development: "de") == [
        "en.json:1 missing-placeholder a: the placeholder \"{price}\" is missing",
        "fr.json:1 missing-placeholder a: the placeholder \"{price}\" is missing",
      ]
    )
    #expect(
      try lint(files) == [
        "de.json:1 extra-placeholder a: the development language's text has no placeholder \"{price}\""
      ]
    )
    let report = StringsLint(development: "it").check(paths: [])
    #expect(report.findings.isEmpty && report.fileCount == 0)
  }
}

import Foundation
import PriceTagStrings
import Testing

@testable import PriceTagStringFiles

/// Files that the lint or the pseudo-locale once read wrongly, slowly, or not at all.
@Suite struct StringsLintFaultTests {
  /// Checks files in a temporary folder.
  private func report(_ files: [String: String]) throws -> StringsLint.Report {
    try withFolder(of: files) { StringsLint().check(paths: [$0]) }
  }

  /// The findings as `rule key: problem`.
  private func lint(_ files: [String: String]) throws -> [String] {
    try report(files).findings.map { "\($0.rule.rawValue) \($0.key): \($0.problem)" }
  }

  private func pseudo(_ text: String, _ format: StringsFile.Format) throws -> String {
    let file = try StringsFile(Array(text.utf8), format: format)
    return String(decoding: try Pseudolocale(.accentedPseudo).contents(of: file), as: UTF8.self)
  }

  // MARK: Placeholders

  @Test(arguments: ["%1$#@{name}@ y", "%2$#@{{name}}@", "%1$#@a{b}c@", "%2$#@{a}{b}@", "%1$#@", "%1$#@n"])
  func readsSubstitutionsWithInvalidNames(text: String) throws {
    _ = try lint(["en.lproj/L.strings": "\"k\" = \"\(text)\";"])
    _ = try pseudo("\"k\" = \"\(text)\";", .strings)
  }

  @Test func readsSubstitutionWithPosition() {
    let found = Placeholder.all(in: "a %2$#@boxes@ b").first
    #expect(found?.style == .substitution && found?.identity == "boxes" && found?.range == 2..<13)
  }

  /// The options of a nesting have parentheses.
  @Test(arguments: [
    #"$t(items, {\"a\": \"(x)\", \"count\": {{n}} })"#, #"$t(items, {\"a\": \"x)\", \"count\": {{n}} })"#,
  ])
  func readsNestingWithParentheses(text: String) throws {
    #expect(try lint(["en.json": #"{"k":"\#(text)","k2":"{{n}}"}"#]) == [])
  }

  // MARK: Comparison

  /// Each kind of device has its own placeholders.
  @Test func comparesTextsOfDevice() throws {
    func localization(_ phone: String, _ mac: String) -> String {
      #"{"variations":{"device":{"iphone":{"stringUnit":{"value":"\#(phone)"}},"mac":{"stringUnit":{"value":"\#(mac)"}}}}}"#
    }
    func catalog(_ phone: String, _ mac: String) -> String {
      #"{"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{"en":\#(localization("Tap %@", "Click it")),"de":\#(localization(phone, mac))}}}}"#
    }
    #expect(try lint(["L.xcstrings": catalog("%@ antippen", "Anklicken")]) == [])
    #expect(
      try lint(["L.xcstrings": catalog("Antippen", "Anklicken")])
        == [#"missing-placeholder k: the placeholder "%@" is missing"#]
    )
  }

  /// A placeholder of an item does not belong in another one.
  @Test func comparesItemsOfArray() throws {
    func array(_ items: [String]) -> String {
      "<resources><string-array name=\"a\">\(items.map { "<item>\($0)</item>" }.joined())</string-array></resources>"
    }
    func lint(_ english: [String], _ german: [String]) throws -> [String] {
      try self.lint(["values/strings.xml": array(english), "values-de/strings.xml": array(german)])
    }
    #expect(try lint(["Buy", "Pay %s"], ["Kaufen", "Zahle %s"]) == [])
    #expect(
      try lint(["Buy", "Pay %s"], ["Kaufe %s", "Zahle %s"])
        == [#"extra-placeholder a: the development language's text has no placeholder "%s""#]
    )
    #expect(
      try lint(["Pay %s"], ["Zahle %s", "Kaufen"])
        == ["missing-key a: the array has 2 items, but 1 in the development language"]
    )
  }

  @Test(.timeLimit(.minutes(1))) func comparesManyItems() throws {
    let items = (0..<2000).map { "<item>%1$s von \($0) Sachen</item>" }.joined()
    let file = "<resources><string-array name=\"a\">\(items)</string-array></resources>"
    let start = ContinuousClock.now
    _ = try lint(["values/strings.xml": file, "values-de/strings.xml": file])
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(.timeLimit(.minutes(1))) func readsManyTags() throws {
    let text = String(repeating: "<a>", count: 40_000) + String(repeating: "</b>", count: 40_000)
    let start = ContinuousClock.now
    let tags = Tags(text, format: .formatJS)
    #expect(tags.unclosed.count == 40_000 && tags.unopened.count == 40_000)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(Tags("<a><b><b></a></b><a></a>", format: .formatJS).unclosed == ["b", "b"])
    #expect(Tags("<a><b><b></a></b><a></a>", format: .formatJS).unopened == ["b"])
  }

  @Test(.timeLimit(.minutes(1))) func limitsLanguagesOfCatalog() throws {
    let languages = (0..<1000).map { #""x\#($0)":{"stringUnit":{"value":"Text \#($0)"}}"# }
    let catalog =
      #"{"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{\#(languages.joined(separator: ","))}}}}"#
    #expect(
      try lint(["L.xcstrings": catalog])
        == ["unreadable-file : the catalog has 1001 languages, of which 401 are checked"]
    )
  }

  /// A key with a dot and a nested key are two keys.
  @Test func distinguishesDottedKeys() throws {
    #expect(try lint(["en.json": #"{"a.b":"x","a":{"b":"y"}}"#]) == [])
    #expect(try lint(["en.json": #"{"a.b":{"c":"x"},"a":{"b":{"c":"y"}}}"#]) == [])
    #expect(try lint(["en.json": #"{"a":"x","a":"y"}"#]).map { $0.prefix(15) } == ["duplicate-key a"])
    #expect(
      try lint(["en.json": #"{"a":{"b":"x"},"a":{"b":"y"}}"#])
        == ["duplicate-key a: the key appears twice, and the first is lost"]
    )
  }

  private static let percentText = ["Played between %1$s and %2$s", "Přehráno mezi 1%1$s a 2%2$s"]

  /// Translations that are right, although they look like mistakes.
  @Test(
    arguments: [
      // Not to be translated.
      (
        "a", "Localizable.xcstrings",
        #"{"sourceLanguage":"en","version":"1.0","strings":{"Buy it now":{"shouldTranslate":false,"localizations":{"de":{"stringUnit":{"value":"Buy it now"}}}}}}"#,
        ""
      ),
      // A language's region falls back to the language.
      (
        "a", "Localizable.xcstrings",
        #"{"sourceLanguage":"en","version":"1.0","strings":{"Buy":{},"Color":{"localizations":{"en-GB":{"stringUnit":{"value":"Colour"}}}}}}"#,
        ""
      ),
      // An empty text of the development language.
      (
        "a", "Localizable.xcstrings",
        #"{"sourceLanguage":"en","version":"1.0","strings":{"":{"localizations":{"de":{"stringUnit":{"value":""}}}}}}"#,
        ""
      ),
      // Names, in a language of another script.
      ("en", "ar", #"{"a":"CocoaPods","b":"StartTLS"}"#, #"{"a":"CocoaPods","b":"StartTLS"}"#),
      // A number that only selects a branch, in a language without plurals.
      ("en", "ja", #"{"a":"{count, plural, one {day} other {days}}"}"#, #"{"a":"日"}"#),
    ] as [(String, String, String, String)]
  )
  func acceptsTranslation(first: String, second: String, text: String, other: String) throws {
    let files =
      other.isEmpty ? [second: text] : ["\(first).json": text, "\(second).json": other]
    #expect(try lint(files) == [])
  }

  /// Mistakes that were missed, or were found with a wrong place or several times.
  @Test(
    arguments: [
      (
        "more after the object",
        ["en.json": #"{"a":"One","b":"Two"}"#, "de.json": "{\"a\":\"Eins\"}\n,\"b\":\"Zwei\"}"],
        [#"malformed-entry : expected the end of the file after the object, not ",""#]
      ),
      (
        "more after the root element",
        [
          "values/strings.xml":
            "<resources><string name=\"a\">A</string><string name=\"b\">B</string></resources>",
          "values-de/strings.xml":
            "<resources><string name=\"a\">A</string></resources><resources><string name=\"b\">B</string></resources>",
        ], ["malformed-entry : there is more after </resources>"]
      ),
      (
        "a space before the declaration",
        [
          "values/strings.xml": " <?xml version=\"1.0\"?><resources><string name=\"a\">A</string></resources>"
        ],
        ["malformed-entry : <?xml is not at the start of the file"]
      ),
      (
        "a key that is not closed",
        ["en.json": #"{"a":"One {x}","b":"Two"}"#, "de.json": "{\n\"a\n: \"Eins {x}\",\n\"b\": \"Zwei\"\n}"],
        ["malformed-entry : the string is not closed"]
      ),
      (
        "a key in apostrophes",
        ["en.json": #"{"a":"One {x}","b":"Two"}"#, "de.json": "{\n'a': \"Eins {x}\",\n\"b\": \"Zwei\"\n}"],
        [#"malformed-entry : expected the name of a field, not "'""#]
      ),
      (
        "a namespace that ends in a language",
        [
          "en/sign-in.json": #"{"a":"Hello my {{name}} friend"}"#,
          "de/sign-in.json": #"{"a":"Hallo {{nam}} hier"}"#,
        ],
        [#"misspelt-placeholder a: unknown placeholder "{{nam}}""#]
      ),
      (
        "a language without data", ["app_en.arb": #"{"a":"One","b":"Two"}"#, "app_iu.arb": #"{"a":"Eins"}"#],
        ["missing-key b: the key is missing"]
      ),
      (
        "a tag with the name of an element of HTML",
        [
          "en.json": #"{"a":"Read <link>terms</link> of {x}"}"#,
          "de.json": #"{"a":"Lies Bedingungen von {x}"}"#,
        ],
        [#"tag-mismatch a: the tag "<link>" is missing"#]
      ),
      (
        "an apostrophe of the text before a tag",
        ["en.json": #"{"a":"Of <b>{x}</b>"}"#, "fr.json": #"{"a":"L''<b>{x}</b>"}"#], []
      ),
      (
        "a name with a hyphen",
        ["en.json": #"{"a":"A {{user-name}}"}"#, "de.json": #"{"a":"Der {{username}}"}"#],
        [#"misspelt-placeholder a: unknown placeholder "{{username}}""#]
      ),
      (
        "conversions of Java",
        [
          "values/strings.xml":
            "<resources><string name=\"a\">%1$s on %2$tB %2$te</string><string name=\"b\">%1$s%n%2$b</string></resources>"
        ], []
      ),
      (
        "a region without a folder of its language",
        [
          "values/strings.xml":
            "<resources><string name=\"a\">A</string><string name=\"b\">B</string></resources>",
          "values-en-rGB/strings.xml": "<resources><string name=\"a\">A</string></resources>",
        ], []
      ),
      (
        "a flag, and a string as an item",
        [
          "values/strings.xml":
            "<resources xmlns:android=\"http://schemas.android.com/apk/res/android\"><string name=\"a\" android:featureFlag=\"f\">A</string><string name=\"a\" android:featureFlag=\"!f\">B</string><item type=\"string\" name=\"c\">C</item></resources>",
          "values-de/strings.xml": "<resources></resources>",
        ],
        [
          "missing-key a: the key is missing", "missing-key a: the key is missing",
          "missing-key c: the key is missing",
        ]
      ),
      (
        "an offset", ["en.json": #"{"a":"{n, plural, offset:1 =2 {you and one} other {you and # more}}"}"#],
        []
      ),
      (
        "a text without letters", ["en.json": #"{"a":"{used} / {max}","b":"B"}"#, "de.json": #"{"b":"B"}"#],
        []
      ),
      (
        "a file that cannot be read", ["en.json": "[1]", "de.json": #"{"a":"A"}"#],
        ["unreadable-file : the file must contain an object, not an array"]
      ),
    ] as [(String, [String: String], [String])]
  )
  func findsMistakeOnce(name: String, files: [String: String], findings: [String]) throws {
    #expect(try lint(files).sorted() == findings.sorted())
  }

  @Test func limitsWorkOfHostileFiles() throws {
    let faults =
      "<resources><string name=\"a\">" + String(repeating: "\\uzz ", count: 20_000) + "</string></resources>"
    #expect(try report(["values/strings.xml": faults]).findings.count == 10)
    let message = String(repeating: "{a,select,other{}}{b,plural,other{}}", count: 450)
    let messages = "{" + (0..<20).map { "\"k\($0)\":\"\(message)\"" }.joined(separator: ",") + "}"
    _ = try lint(["en.json": messages, "de.json": messages])
    let names = (0..<3000).map { "\"s\($0)\":{}" }.joined(separator: ",")
    let text = (0..<3000).map { "%#@s\($0)@" }.joined()
    let localization = "{\"stringUnit\":{\"value\":\"\(text)\"},\"substitutions\":{\(names)}}"
    _ = try lint([
      "L.xcstrings":
        "{\"sourceLanguage\":\"en\",\"strings\":{\"k\":{\"localizations\":{\"en\":\(localization),\"de\":\(localization)}}}}"
    ])
    _ = try pseudo("{\"a\":\"" + String(repeating: "hello ", count: 20_000) + "\"}", .formatJS)
  }

  @Test(arguments: [
    (
      StringsFile.Format.android, "<resources><string name=\"a\">&lt;b&gt;x&lt;/b&gt;</string></resources>",
      "&lt;b&gt;ẋ&lt;/b&gt;"
    ),
    (.android, "<resources><string name=\"a\">%2$tB %n x</string></resources>", "%2$tB %n ẋ"),
    (.android, "<resources><string name=\"a\">Don't</string></resources>", ">Don't<"),
  ])
  func preservesSyntax(format: StringsFile.Format, text: String, expected: String) throws {
    #expect(try pseudo(text, format).contains(expected))
  }

  @Test func fallsBackToFileWithoutLanguage() throws {
    let files = [
      "values/strings.xml": "<resources><string name=\"a\">A</string></resources>",
      "values-de/strings.xml": "<resources></resources>",
    ]
    let found = try withFolder(of: files) { StringsLint(development: "en").check(paths: [$0]).findings }
    #expect(found.map(\.rule) == [.missingKey])
  }

  @Test func ignoresTagsOfUntranslatedText() throws {
    let text = #"<xliff:g id="name of the file">%1$s</xliff:g> (<xliff:g id="size in bytes">%2$s</xliff:g>)"#
    let file =
      #"<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2"><string name="a">\#(text)</string></resources>"#
    #expect(try lint(["values/strings.xml": file, "values-nl/strings.xml": file]) == [])
  }

  @Test func reportsPriceOfCopyOnce() throws {
    let files = ["en", "de", "pl"].map { ("\($0).json", #"{"a":"10 000 $ budget"}"#) }
    let found = try lint(Dictionary(uniqueKeysWithValues: files)).filter { $0.hasPrefix("hard-coded") }
    #expect(found.count == 1)
  }

  @Test func readsPlaceholderAfterDigit() throws {
    func file(_ text: String) -> String { "<resources><string name=\"a\">\(text)</string></resources>" }
    #expect(
      try lint([
        "values/strings.xml": file(Self.percentText[0]), "values-cs/strings.xml": file(Self.percentText[1]),
      ])
        == []
    )
    #expect(Placeholder.all(in: "50%de réduction").isEmpty)
  }

  @Test func reportsEmptyTextOfDevelopmentLanguageOnce() throws {
    #expect(
      try lint(["en.json": #"{"sep":"","n":"{x}"}"#, "de.json": #"{"sep":"","n":"{x}"}"#])
        == ["empty-text sep: the text is empty"]
    )
  }

  @Test func reportsMixedPositionsOnce() throws {
    #expect(
      try lint([
        "en.lproj/L.strings": "\"a.b\" = \"%@, file %d of %d\";",
        "eu.lproj/L.strings": "\"a.b\" = \"%@, %2$d tik %1$d\";",
      ]) == ["malformed-placeholder a.b: some placeholders have positions, and others do not"]
    )
  }

  @Test func reportsDoubledBracesOnce() throws {
    #expect(
      try lint([
        "en.json": #"{"a":"Default ({language})","b":"{x}"}"#,
        "es.json": #"{"a":"{{language}} por defecto","b":"{x}"}"#,
      ])
        == ["malformed-message a: es, character 1: the name of an argument is in doubled braces"]
    )
  }

  /// A plural of a `.stringsdict` file is not in the `.strings` file beside it, and an empty file is no development file.
  @Test func comparesWithFileThatHasKeys() throws {
    let plural =
      "<plist><dict><key>tabs.count</key><dict><key>NSStringLocalizedFormatKey</key><string>Tabs</string></dict></dict></plist>"
    #expect(
      try lint([
        "en.lproj/L.strings": "\"a.b\" = \"A\";", "en.lproj/L.stringsdict": plural,
        "de.lproj/L.strings": "\"a.b\" = \"A\";\n\"tabs.count\" = \"tabs.count\";",
        "de.lproj/L.stringsdict": plural,
      ]) == []
    )
    #expect(try lint(["en.lproj/L.strings": "\n", "de.lproj/L.strings": "\"a.b\" = \"A\";"]) == [])
  }

  @Test func reportsRepeatedKeyOfCatalogOnce() throws {
    let languages = ["en", "de", "fr"].map { #""\#($0)":{"stringUnit":{"value":"\#($0) Text"}}"# }
    let entry = #""k":{"localizations":{\#(languages.joined(separator: ","))}}"#
    #expect(
      try lint(["L.xcstrings": #"{"sourceLanguage":"en","version":"1.0","strings":{\#(entry),\#(entry)}}"#])
        == ["duplicate-key k: the key appears twice, first in line 1"]
    )
  }

  /// A key that the reader did not reach is not missing, and its translation not superfluous.
  @Test(arguments: [
    ("en.json", "de.json", #"{"a":"A","b":"B","c":"C"}"#, #"{"a":"A","b":"B"#, "b: the string is not closed"),
    ("en.json", "de.json", #"{"a":"A","b":"B"}"#, #"{"a":"A""#, ": the object is not closed"),
    (
      "values/strings.xml", "values-de/strings.xml",
      #"<resources><string name="a">A</string><string name="b">B</string></resources>"#,
      #"<resources><string name="a">A</string><!-- <string name="b">B</string></resources>"#,
      ": the comment is not closed"
    ),
    (
      "values/strings.xml", "values-de/strings.xml",
      #"<resources><string name="a">A</string><string name="b">B</string></resources>"#,
      #"<resources><string name="a">A</string>"#, ": <resources> is not closed"
    ),
    (
      "en.lproj/L.strings", "de.lproj/L.strings", "\"a\" = \"A\";\n\"b\" = \"B\";",
      "\"a\" = \"A\";\n/* \"b\" = \"B\";", ": the comment is not closed"
    ),
    (
      "en.lproj/L.stringsdict", "de.lproj/L.stringsdict",
      "<plist><dict><key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>A</string></dict></dict></plist>",
      "<plist><dict>", ": a <dict> is not closed"
    ),
  ])
  func reportsOnlyEndOfDamagedFile(
    english: String,
    german: String,
    text: String,
    damaged: String,
    finding: String
  ) throws {
    for files in [[english: text, german: damaged], [english: damaged, german: text]] {
      let found = try lint(files)
      #expect(found.contains("malformed-entry \(finding)"))
      #expect(!found.contains { $0.hasPrefix("missing-key") || $0.hasPrefix("extra-key") }, "\(found)")
    }
  }

  /// A line without a semicolon does not hide the next one.
  @Test func readsStringsWithoutSemicolons() throws {
    let english = (1...3).map { "\"k.\($0)\" = \"Text\";" }.joined(separator: "\n")
    let german = "\"k.1\" = \"Text\"\n\"k.2\" = \"Text\"\n\"k.3\" = \"Text\";"
    #expect(
      try lint(["en.lproj/L.strings": english, "de.lproj/L.strings": german])
        == [1, 2].map { "malformed-entry k.\($0): expected ; after the value, not \"\\\"\"" }
    )
  }

  @Test(arguments: [
    (#"{"a":"x", bad}"#, [#"expected the name of a field, not "b""#]),
    (#"{"a":"x",}"#, ["the object ends with a comma"]),
  ])
  func reportsFaultOnce(text: String, problems: [String]) throws {
    #expect(try StringsFile(Array(text.utf8), format: .formatJS).problems.map(\.problem) == problems)
  }

  @Test func reportsRepeatedFieldsOfSubstitution() throws {
    let unit = #"{"stringUnit":{"value":"%arg"}}"#
    let substitution =
      #"{"argNum":1,"argNum":1,"formatSpecifier":"lld","variations":{"plural":{"other":\#(unit),"other":\#(unit)}}}"#
    let catalog =
      #"{"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{"en":{"stringUnit":{"value":"%#@n@"},"substitutions":{"n":\#(substitution)}}}}}}"#
    let found = try lint(["L.xcstrings": catalog])
    #expect(found.contains(#"duplicate-key k: the field "argNum" appears twice"#))
    #expect(found.contains(#"duplicate-key k: the field "other" appears twice"#))
  }

  @Test func acceptsTranslationMissingOnPurpose() throws {
    func file(_ attribute: String) -> String {
      "<resources xmlns:tools=\"http://schemas.android.com/tools\"><string name=\"a\"\(attribute)>A</string><string name=\"b\">B</string></resources>"
    }
    let german = "<resources><string name=\"b\">B</string></resources>"
    func lint(_ attribute: String) throws -> [String] {
      try self.lint(["values/strings.xml": file(attribute), "values-de/strings.xml": german])
    }
    #expect(try lint(" tools:ignore=\"Typos,MissingTranslation\"") == [])
    #expect(try lint(" tools:ignore=\"Typos\"") == ["missing-key a: the key is missing"])
  }

  // MARK: Texts

  @Test(arguments: [
    ("Lei 13.709 de 2018", false), ("Euro 2024 live", false), ("2024 euro", true), ("Rs. 5", true),
    ("EUR 5", true), ("5 lei", true),
  ])
  func findsNamesOfCurrenciesAfterNumbers(text: String, isPrice: Bool) {
    #expect((LintProse(text).price != nil) == isPrice)
  }

  /// Only a text with braces is a message.
  @Test func acceptsLongTextWithApostrophe() throws {
    let text = String(repeating: "It's fine. ", count: 2000)
    #expect(try lint(["en.json": "{\"a\":\"\(text)\",\"b\":\"{n}\"}"]) == [])
  }

  // MARK: Files

  @Test func readsAllFilesWithStringsInValues() throws {
    let report = try report([
      "values/settings.xml": "<resources><string name=\"a\">A %s</string></resources>",
      "values-fr/settings.xml": "<resources><string name=\"a\">B</string></resources>",
      "values/colors.xml": "<resources><color name=\"c\">#fff</color></resources>",
    ])
    #expect(report.findings.map(\.rule) == [.missingPlaceholder])
    #expect(report.fileCount == 2)
  }

  @Test(arguments: [
    (#"{"hi":{"message":"Hi $NAME$","placeholders":{"name":{"content":"$1"}}}}"#, "browser extension"),
    (#"{"hi":[{"type":0,"value":"Hi "},{"type":1,"value":"name"}]}"#, "compiled messages"),
  ])
  func passesOverFilesOfOtherPrograms(text: String, kind: String) throws {
    let report = try report(["en/messages.json": text, "fr/messages.json": text])
    #expect(report.findings.isEmpty && report.fileCount == 0)
    #expect(report.passedOver.map(\.kind) == [kind, kind])
  }

  @Test func namesDecisionForMixedFile() throws {
    let report = try report(["en.json": #"{"a":"Hi {name}","b":"Hi {name}!","c":"{{x}}"}"#])
    #expect(report.decisions.map(\.evidence) == ["Hi {name}"])
    #expect(try self.report(["en.json": #"{"a":"Hi {name}"}"#]).decisions.isEmpty)
  }

  /// What cannot be read has a text, so that a baseline does not accept another fault.
  @Test(arguments: [
    ("en.json", "{\n\"a\":\"A\",\n\"b\" \"B\",\n\"c\":\"C\"}", "\"b\" \"B\","),
    ("en.lproj/L.strings", "\"a\" = \"A\";\n\"b\" \"B\";\n", "\"b\" \"B\";"),
  ])
  func findsTextOfFaults(name: String, text: String, line: String) throws {
    #expect(try report([name: text]).findings.map(\.text) == [line])
  }

  // MARK: Pseudo-locales

  static let pseudoTexts: [(format: StringsFile.Format, text: String, expected: String)] = [
    (
      .i18next, #"{"a":"Hi {{- name}} $t(common.buy)"}"#,
      #"{"a":"[Ĥî {{- name}} $t(common.buy) one two three]"}"#
    ),
    (.strings, #""Buy now";"#, #""Buy now" = "[Ɓûý ñöŵ one]";"#),
    (.strings, "buy ;", #"buy = "[ƀûý one]" ;"#),
    (.arb, #"{"@@locale":"en","a":"A"}"#, #"{"@@locale":"en_XA","a":"[Å one]"}"#),
    (
      .android, "<resources><string name=\"a\">?attr/foo</string></resources>",
      "<resources><string name=\"a\">?attr/foo</string></resources>"
    ),
    (
      .android, "<resources><string name=\"a\">Buy<!-- for > you --></string></resources>",
      "<resources><string name=\"a\">[Ɓûý<!-- for > you --> one two]</string></resources>"
    ),
  ]

  @Test(arguments: pseudoTexts)
  func replacesOnlyTexts(format: StringsFile.Format, text: String, expected: String) throws {
    #expect(try pseudo(text, format) == expected)
  }

  @Test func preservesEntitiesAndComments() throws {
    let pseudolocale = try Pseudolocale(.accentedPseudo)
    #expect(pseudolocale.text("A &app-name; &a.b;") == "[Å &app-name; &a.b; one two three]")
    let open = String(repeating: "<!--", count: 5_000)
    #expect(pseudolocale.text(open).hasPrefix("[<!--"))
  }

  /// A language or its localizations appear twice.
  @Test(arguments: [
    #""localizations":{"en":{"stringUnit":{"value":"Abc"}},"en":{"stringUnit":{"value":"Bcd"}}}"#,
    #""localizations":{"en":{"stringUnit":{"value":"Bcd"}}},"localizations":{"en":{"stringUnit":{"value":"Bcd"}}}"#,
    #""localizations":{"en":{"stringUnit":{"value":"Bcd"}}},"localizations":{"en":{}}"#,
  ])
  func addsPseudoLocaleToRepeatedLanguage(entry: String) throws {
    let catalog = #"{"sourceLanguage":"en","version":"1.0","strings":{"Buy":{\#(entry)}}}"#
    let written = try pseudo(catalog, .stringCatalog)
    let expected = entry.contains("{}") ? "[Ɓûý one]" : "[Ɓçð one]"
    #expect(written.contains(expected), "\(written)")
  }
}

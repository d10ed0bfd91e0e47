import Foundation
import PriceTag
import PriceTagStrings
import PriceTagText
import Testing

@testable import PriceTagStringFiles

/// Describes the entries of a file as `line:column key (role) = text`, then its problems as `line:column rule key: problem`.
private func describe(_ file: StringsFile) -> [String] {
  let entries = file.entries.flatMap { entry -> [String] in
    let suffix = entry.isTranslatable ? "" : " untranslatable"
    let (line, column) = file.place(of: entry.offset)
    if entry.texts.isEmpty { return ["\(line):\(column) \(entry.key)\(suffix)"] }
    return entry.texts.map { text in
      let (line, column) = file.place(of: text.range.lowerBound)
      let language = text.language == "fr" ? nil : text.language
      let item = text.role.item.map(String.init)
      let role = [language, text.role.device, text.role.substitution, text.role.category, item].compactMap(
        \.self
      )
      let roles = role.isEmpty ? "" : " (\(role.joined(separator: " ")))"
      return "\(line):\(column) \(entry.key)\(roles) = \(text.text)\(suffix)"
    }
  }
  return entries
    + file.problems.map { problem in
      let (line, column) = file.place(of: problem.offset)
      return "\(line):\(column) \(problem.rule.rawValue) \(problem.key): \(problem.problem)"
    }
}

private func read(_ text: String, _ format: StringsFile.Format?, plurals: Set<String> = []) throws
  -> StringsFile
{
  try StringsFile.read(Array(text.utf8), format: format, language: "fr", plurals: plurals).file
}

/// Returns the file in the pseudo-locale en-XA.
private func pseudo(_ text: String, _ format: StringsFile.Format?) throws -> String {
  let file = try read(text, format)
  return String(decoding: try Pseudolocale(.accentedPseudo).contents(of: file), as: UTF8.self)
}

private typealias Reading = (name: String, text: String, expected: [String])

@Suite struct MessageFileTests {
  static let files: [(name: String, format: StringsFile.Format?, text: String, expected: [String])] = [
    (
      "nested", nil,
      "{\n  \"Shop\": {\"buy\": \"Acheter {price}\", \"é\": {\"x\": \"a\\u00e9\\n\"}},\n  \"top\": \"t\"\n}",
      ["2:20 Shop.buy = Acheter {price}", "2:50 Shop.é.x = aé\n", "3:11 top = t"]
    ),
    (
      "FormatJS with descriptions", nil,
      "{\"a\": {\"defaultMessage\": \"A\", \"description\": \"d\"}, \"b\": {\"description\": \"d\", \"defaultMessage\": \"B\"}}",
      ["1:27 a = A", "1:97 b = B"]
    ),
    (
      "arrays", nil, #"{"a": ["x", ["y"], {"z": "z"}]}"#, ["1:9 a.0 = x", "1:15 a.1.0 = y", "1:27 a.2.z = z"]
    ),
    (
      "values that are not texts", nil, "{\"a\": 1,\n \"b\": null, \"c\": true, \"d\": \"e\"}",
      [
        "2:30 d = e", "1:2 malformed-entry a: the message must be a string, not a number",
        "2:13 malformed-entry c: the message must be a string, not a boolean",
      ]
    ),
    (
      "a quotation mark that is not escaped", nil, "{\n \"a\": \"x \"y\" z\",\n \"b\": \"c\"\n}",
      ["2:8 a = x ", "3:8 b = c", "2:11 malformed-entry a: expected \",\" or \"}\", not \"y\""]
    ),
    (
      "a missing comma", nil, "{\n \"a\": \"x\"\n \"b\": \"c\"\n}",
      ["2:8 a = x", "3:8 b = c", "3:2 malformed-entry a: expected \",\" or \"}\", not \"\\\"\""]
    ),
    (
      "a comma at the end", nil, "{\"a\": \"x\",\n}",
      ["1:8 a = x", "2:1 malformed-entry : the object ends with a comma"]
    ),
    (
      "a string that is not closed", nil, "{\n \"a\": \"x,\n \"b\": \"c\"\n}",
      ["3:8 b = c", "2:7 malformed-entry a: the string is not closed"]
    ),
    (
      "an unknown escape sequence", nil, "{\"a\": \"x\\y\", \"b\": \"c\"}",
      ["1:20 b = c", "1:11 malformed-entry a: unknown escape sequence"]
    ),
    (
      "an object that is not closed", nil, "{\"a\": \"x\"",
      ["1:8 a = x", "1:1 malformed-entry : the object is not closed"]
    ),
    (
      "an object twice", nil, "{\"a\": {\"b\": \"1\"},\n\"a\": {\"c\": \"2\"}}",
      ["1:14 a.b = 1", "2:13 a.c = 2", "2:1 duplicate-key a: the key appears twice, and the first is lost"]
    ),
    ("an array", nil, "[]", ["1:1 unreadable-file : the file must contain an object, not an array"]),
    ("nothing", nil, "", ["1:1 unreadable-file : the file must contain an object, not the end of the file"]),
    (
      "a bundle of Flutter", nil,
      "{\"@@locale\": \"de_AT\", \"buy\": \"Kaufen\", \"@buy\": {\"description\": \"x\", \"placeholders\": {\"a\": {}}}}",
      ["1:31 buy (de-AT) = Kaufen"]
    ),
    (
      "plurals of i18next", nil,
      #"{"items_one": "{{count}} item", "items_other": "x", "cart": {"n_few": "{{count}}"}, "step_one": "1", "h_ordinal_other": "{{count}}."}"#,
      [
        "1:16 items (one) = {{count}} item", "1:49 items (other) = x", "1:72 cart.n (few) = {{count}}",
        "1:98 step_one = 1", "1:122 h_ordinal (other) = {{count}}.",
      ]
    ),
    (
      "version 3 of i18next", nil, #"{"item": "{{count}} item", "item_plural": "{{count}} items"}"#,
      ["1:11 item (default) = {{count}} item", "1:44 item (plural) = {{count}} items"]
    ),
    ("i18next's nesting", nil, #"{"a": "$t(b)"}"#, ["1:8 a = $t(b)"]),
  ]

  @Test(arguments: files.indices)
  func reads(index: Int) throws {
    let (name, format, text, expected) = Self.files[index]
    let found = try describe(read(text, format))
    #expect(found == expected, "\(name)")
  }

  /// The contents of a JSON file, and the format that they decide.
  @Test(arguments: [
    (#"{"a": "Buy {price}"}"#, StringsFile.Format.formatJS), (#"{"a": "Buy"}"#, .formatJS),
    (#"{"a": "Buy {{price}}"}"#, .i18next), (#"{"a": "$t(b)"}"#, .i18next),
    (#"{"a_one": "x", "a_other": "y"}"#, .i18next),
    (#"{"a": "{a}", "b": "{b}", "c": "{{c}}"}"#, .formatJS), (#"{"@@locale": "de"}"#, .arb),
    (#"{"sourceLanguage": "en", "strings": {}}"#, .stringCatalog),
  ])
  func decidesFormat(text: String, format: StringsFile.Format) throws {
    #expect(try read(text, nil).format == format)
    #expect(try read(text, .i18next).format == .i18next)
  }

  /// A translation without `_other` has the plurals of the development language.
  @Test func knowsPluralsOfDevelopmentLanguage() throws {
    let file = try read(#"{"items_one": "один"}"#, .i18next, plurals: ["items"])
    #expect(describe(file) == ["1:16 items (one) = один"])
  }

  @Test(arguments: [(64, 0), (65, 1)])
  func limitsNesting(depth: Int, problemCount: Int) throws {
    let text = String(repeating: "{\"a\":", count: depth) + "\"x\"" + String(repeating: "}", count: depth)
    let file = try read(text, nil)
    #expect(file.problems.count == problemCount && file.entries.count == 1 - problemCount)
    let deep = String(repeating: "[", count: 1_000_000)
    #expect(try read("{\"a\": \(deep)", nil).problems.map(\.problem).last == "the value is not closed")
  }

  @Test func replacesOnlyTexts() throws {
    let text =
      "{\r\n\t\"Shop\" :{\"buy\":\"Buy {n, plural, one {# car} other {# cars}}\\u0021\" , \"bad\": \"{n\"},\n\"n\": [1, \"x\"] }"
    let found = try pseudo(text, nil)
    #expect(
      found
        == "{\r\n\t\"Shop\" :{\"buy\":\"[Ɓûý {n, plural, one {# çåŕ} other {# çåŕš}}! one two three]\" , \"bad\": \"{n\"},\n\"n\": [1, \"[ẋ one]\"] }"
    )
    #expect(try pseudo(#"{"a":"{{n}} \"x\" $t(b)"}"#, .i18next) == #"{"a":"[{{n}} \"ẋ\" $t(b) one two]"}"#)
  }

  @Test func readsBuiltInStrings() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../LocaleData/strings"
    ).standardized
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".json")
    }
    #expect(names.count >= 50)
    for name in names {
      let file = try StringsFile(contentsOf: folder.appending(path: name).path)
      #expect(
        file.language == name.dropLast(5) && file.entries.count >= 150 && file.problems.isEmpty,
        "\(name)"
      )
    }
  }
}

@Suite struct AppleFileTests {
  static let files: [(name: String, format: StringsFile.Format, text: String, expected: [String])] = [
    (
      "strings", .strings, "/* A */\n\"buy\" = \"Acheter\"; // b\nprice.net = 'n\"et';\n\"OK\";\nbare;",
      ["2:10 buy = Acheter", "3:14 price.net = n\"et", "4:2 OK = OK", "5:1 bare = bare"]
    ),
    (
      "escape sequences", .strings, #""k" = "\U00e9\Ud83d\Ude00\251\101\7x\a\n\'\%\é\\";"#,
      ["1:8 k = é😀’A\u{7}x\u{7}\n'%é\\"]
    ),
    ("line breaks in a string", .strings, "\"k\" = \"a\\\nb\nc\";", ["1:8 k = a\nb\nc"]),
    (
      "a missing semicolon", .strings, "\"a\" = \"1\"\n\"b\" = \"2\";\n\"c\" = \"3\";",
      ["2:8 b = 2", "3:8 c = 3", "2:1 malformed-entry a: expected ; after the value, not \"\\\"\""]
    ),
    (
      "a quotation mark that is not escaped", .strings, "\"a\" = \"x \"y\" z\";\n\"b\" = \"2\";",
      ["2:8 b = 2", "1:11 malformed-entry a: expected ; after the value, not \"y\""]
    ),
    (
      "a string that is not closed", .strings, "\"a\" = \"x;\n",
      ["1:7 malformed-entry a: the string is not closed"]
    ),
    (
      "curly quotation marks", .strings, "“a” = b;\nc = d;",
      ["2:5 c = d", "1:1 malformed-entry : expected a key, not \"“\""]
    ),
    (
      "a comment that is not closed", .strings, "a;\n/* b",
      ["1:1 a = a", "2:1 malformed-entry : the comment is not closed"]
    ),
    (
      "an unpaired surrogate", .strings, #""a" = "\Ud83d";"#,
      ["1:14 malformed-entry a: an escape sequence contains an unpaired surrogate"]
    ),
    (
      "a property list", .strings,
      "<?xml version=\"1.0\"?>\n<plist><dict><key>a &amp; b</key><string>A &lt;b&gt;</string><key>c</key><string/>\n<key>d</key><string><![CDATA[<v>]]></string></dict></plist>",
      ["2:42 a & b = A <b>", "2:83 c = ", "3:21 d = <v>"]
    ),
    (
      "a broken property list", .strings,
      "<plist><dict>\n<key>a</key>\n<key>b</key><string>B</string>\n<string>c</string><key>d</key><array/><key>e</key><string>E & x</string></dict></plist>",
      [
        "3:21 b = B", "4:59 e = E & x", "2:1 malformed-entry a: the key has no value",
        "4:1 malformed-entry : a <string> has no <key>",
        "4:19 malformed-entry d: the value is not a <string>",
        "4:61 malformed-entry e: an ampersand is not part of an entity",
      ]
    ),
    (
      "plurals", .stringsDictionary,
      "<plist><dict><key>days</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@d@</string>\n<key>d</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>\n<key>NSStringFormatValueTypeKey</key><string>d</string>\n<key>one</key><string>%d jour</string>\n<key>other</key><string>%d jours</string></dict></dict></dict></plist>",
      ["1:80 days = %#@d@", "4:23 days (d one) = %d jour", "5:25 days (d other) = %d jours"]
    ),
    (
      "widths", .stringsDictionary,
      "<plist><dict><key>a</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>A</string></dict></dict></dict></plist>",
      ["1:99 a (20) = A"]
    ),
    (
      "no format", .stringsDictionary,
      "<plist><dict><key>a</key><dict><key>d</key><dict/></dict><key>b</key><string>x</string></dict></plist>",
      [
        "1:14 a", "1:14 malformed-entry a: the key has no NSStringLocalizedFormatKey",
        "1:58 malformed-entry b: the value is not a <dict>",
      ]
    ),
  ]

  @Test(arguments: files.indices)
  func reads(index: Int) throws {
    let (name, format, text, expected) = Self.files[index]
    let found = try describe(read(text, format))
    #expect(found == expected, "\(name)")
  }

  @Test func replacesOnlyTexts() throws {
    #expect(
      try pseudo("/* c */\n\"buy\"= \"Buy %@ \\\"x\\\"\" ; 'k' = 'it';\nbare = word;", .strings)
        == "/* c */\n\"buy\"= \"[Ɓûý %@ \\\"ẋ\\\" one two]\" ; 'k' = '[îţ one]';\nbare = \"[ŵöŕð one]\";"
    )
    #expect(
      try pseudo("<plist ><dict><key>a</key>\n<string>A &amp; B</string></dict></plist>", .strings)
        == "<plist ><dict><key>a</key>\n<string>[Å &amp; Ɓ one]</string></dict></plist>"
    )
  }

  @Test(arguments: [
    (
      "UTF-16, little endian", [0xFF, 0xFE, 0x6B, 0, 0x3D, 0, 0x3D, 0xD8, 0x00, 0xDE, 0x3B, 0],
      "1 malformed-entry"
    ),
    ("UTF-16, big endian", [0xFE, 0xFF, 0, 0x6B, 0, 0x3B], "k"),
    (
      "UTF-16 of an odd length", [0xFE, 0xFF, 0, 0x6B, 0],
      "line 1: the UTF-16 text contains an unpaired surrogate"
    ),
    ("UTF-32", [0xFF, 0xFE, 0, 0, 0x6B, 0, 0, 0], "line 1: the file is UTF-32, not UTF-8; save it as UTF-8"),
    ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF, 0x6B, 0x3B], "k"),
    (
      "Latin 1", [0x6B, 0x3B, 0x0A, 0x22, 0xE9, 0x22],
      "line 2: the byte 0xE9 is not UTF-8; save the file as UTF-8"
    ),
  ])
  func checksEncoding(name: String, bytes: [UInt8], expected: String) {
    do throws(StringsError) {
      let file = try StringsFile(bytes, format: .strings)
      let found =
        file.entries.map(\.key)
        + file.problems.map { "\(file.place(of: $0.offset).line) \($0.rule.rawValue)" }
      #expect(found == [expected])
    } catch { #expect("\(error)".hasPrefix(expected)) }
  }

  static let binary =
    "62706c6973743030d3010203040506516b6100e9546c6f6e6757416368657465726565e5672c0020d83dde005f1014787878787878787878"
    + "7878787878787878787878080f111419212c0000000000000101000000000000000700000000000000000000000000000043"

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8).map { Character(Unicode.Scalar($0)).hexDigitValue ?? 0 }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  @Test func readsBinaryPropertyList() throws {
    let file = try StringsFile(Self.bytes(Self.binary), format: .strings, language: "fr")
    #expect(
      file.entries.map { "\($0.key) = \($0.texts.first?.text ?? "")" }
        == ["k = Acheter", "\u{E9} = \u{65E5}\u{672C} \u{1F600}", "long = xxxxxxxxxxxxxxxxxxxx"]
    )
    #expect(throws: StringsError.self) { try StringsFile(Array("bplist00".utf8), format: .strings) }
  }

  /// Reads the file with each byte replaced by several values, and each prefix of the file. The result is an error or
  /// some strings, never a crash.
  @Test func rejectsDamagedBinaryPropertyList() {
    let bytes = Self.bytes(Self.binary)
    var count = 0
    for place in bytes.indices.dropFirst(6) {
      for value in [0, 1, 0x0F, 0x10, 0x5F, 0x7F, 0x80, 0xD1, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] = value
        if (try? StringsFile(damaged, format: .strings)) == nil { count += 1 }
      }
      if (try? StringsFile(Array(bytes[..<place]), format: .strings)) == nil { count += 1 }
    }
    #expect(count > bytes.count)
  }

  /// Inputs for which a naive parser takes quadratic time.
  @Test(arguments: [
    ("", "/* */ "), ("", "//\n"), ("/*", "* "), ("", "a;"), ("\"", "\\\""), ("", "\""), ("\"a\" = \"", "\\U"),
    ("", "k = v; // c\n"), ("", "k; /* c */ "), ("", "\"a\" = \n"),
  ])
  func readsLongStrings(start: String, rest: String) throws {
    let text = start + String(repeating: rest, count: 20_000 / rest.utf8.count)
    lint(try read(text, .strings))
  }
}

@Suite struct StringCatalogFileTests {
  private static let catalog = #"""
    {
      "sourceLanguage" : "en",
      "strings" : {
        "" : {

        },
        "%lld: %@" : {
        },
        "birds" : {
          "comment" : "Count",
          "localizations" : {
            "de" : {
              "variations" : {
                "plural" : {
                  "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld Vogel" } },
                  "other" : { "stringUnit" : { "state" : "needs_review", "value" : "%lld Vögel" } }
                }
              }
            },
            "en" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "%#@n@"
              },
              "substitutions" : {
                "n" : {
                  "argNum" : 1,
                  "formatSpecifier" : "lld",
                  "variations" : { "plural" : { "other" : { "stringUnit" : { "value" : "%arg birds" } } } }
                }
              }
            },
            "fr" : { "variations" : { "device" : { "mac" : { "stringUnit" : { "value" : "clic" } } } } }
          }
        },
        "Buy" : {
          "localizations" : {
          }
        },
        "©" : { "shouldTranslate" : false }
      },
      "version" : "1.0"
    }
    """#

  @Test func reads() throws {
    let file = try read(Self.catalog, .stringCatalog)
    #expect(file.language == "en")
    #expect(
      describe(file) == [
        "4:5  untranslatable", "7:5 %lld: %@ untranslatable", "15:77 birds (de one) = %lld Vogel",
        "16:81 birds (de other) = %lld Vögel", "23:24 birds (en) = %#@n@",
        "29:85 birds (en n other) = %arg birds",
        "33:86 birds (mac) = clic", "36:5 Buy", "40:5 © untranslatable",
      ]
    )
    #expect(file.entries[2].substitutions.first?.argument == 1)
  }

  @Test func addsPseudoLocale() throws {
    let written = try pseudo(Self.catalog, .stringCatalog)
    let file = try read(written, .stringCatalog)
    #expect(file.problems.isEmpty)
    let added = file.entries.flatMap { entry in
      entry.texts.filter { $0.language == "en-XA" }.map { "\(entry.key) = \($0.text)" }
    }
    #expect(
      added == ["birds = [%#@n@ one]", "birds = [%arg ƀîŕðš one two]", "Buy = [Ɓûý one]"],
      "\(added)"
    )
    // Without what was added, the file is unchanged.
    let lines = Set(written.split(separator: "\n"))
    #expect(Self.catalog.split(separator: "\n").allSatisfy(lines.contains))
    #expect(try read(pseudo(written, .stringCatalog), .stringCatalog).entries.count == file.entries.count)
    #expect(try pseudo(written, .stringCatalog).count == written.count)
  }

  @Test(arguments: [
    ("{}", ["1:1 unreadable-file : the field \"sourceLanguage\" is missing"]),
    (#"{"sourceLanguage":"en"}"#, ["1:1 unreadable-file : the field \"strings\" is missing"]),
    (
      #"{"sourceLanguage":"en","strings":{"a":1,"b":{"localizations":{"fr":"x"}},"c":{"localizations":[]}}}"#,
      [
        "1:41 b", "1:74 c", "1:39 malformed-entry a: the entry must be an object, not a number",
        "1:68 malformed-entry b: the localization must be an object, not a string",
        "1:95 malformed-entry c: the field \"localizations\" must be an object, not an array",
      ]
    ),
  ])
  func reportsMalformedEntries(text: String, expected: [String]) throws {
    let found = try describe(read(text, .stringCatalog))
    #expect(found == expected)
  }
}

@Suite struct AndroidFileTests {
  static let files: [(name: String, text: String, expected: [String])] = [
    (
      "all elements",
      "<resources xmlns:tools=\"t\">\n<string name=\"a\" translatable=\"false\">A</string>\n<eat-comment/><color name=\"c\">#fff</color>\n<plurals name=\"p\"><item quantity=\"one\">%d</item><!-- c --><item quantity=\"other\">%d s</item></plurals>\n<string-array name=\"s\"><item>x</item><item/></string-array>\n<string name=\"e\"/></resources>",
      [
        "2:39 a = A untranslatable", "4:40 p (one) = %d", "4:82 p (other) = %d s", "5:30 s (0) = x",
        "5:45 s (1) = ", "6:19 e = ",
      ]
    ),
    (
      "entities of the document type",
      "<!DOCTYPE resources [<!ENTITY app \"Shop\"> <!-- ]> -->]>\n<resources><string name=\"a\">&app; &#65; &x;</string></resources>",
      ["2:29 a = Shop A &x;", "2:41 malformed-entry a: unknown entity \"&x;\""]
    ),
    (
      "a tag that is not closed",
      "<resources>\n<string name=\"a\">A</strin>\n<string name=\"b\">B</string></resources>",
      ["3:18 b = B", "2:19 malformed-entry a: the <string> ends with </strin>"]
    ),
    (
      "an entry that is not closed",
      "<resources>\n<string name=\"a\">A\n<string name=\"b\">B</string></resources>",
      ["3:18 b = B", "2:1 malformed-entry a: the <string> is not closed"]
    ),
    (
      "an attribute that is not closed",
      "<resources>\n<string name=\"a>A</string>\n<string name=\"b\">B</string></resources>",
      ["3:18 b = B", "2:1 malformed-entry a: the tag <string> is not closed"]
    ),
    (
      "a broken item",
      "<resources>\n<plurals name=\"p\"><item quantity=\"one\">1</itm></plurals>\n<string name=\"b\">B</string></resources>",
      ["3:18 b = B", "2:41 malformed-entry p: the <item> ends with </itm>"]
    ),
    (
      "text between entries",
      "<resources>\n<string name=\"a\">A</string>\n !-- %s -->\n<string name=\"b\">5 < 6</string></resources>",
      [
        "2:18 a = A", "4:18 b = 5 < 6",
        "3:2 malformed-entry : the text \"!-- %s -->\" is not in <string> or <item>",
        "4:20 malformed-entry b: a < is not part of a tag",
      ]
    ),
    ("no resources", "<a/>", ["1:1 unreadable-file : <a> is not allowed here"]),
    ("nothing", "", ["1:1 unreadable-file : there is no <resources>"]),
    (
      "the end of the file", "<resources><string name=\"a\">x",
      ["1:12 malformed-entry a: the <string> is not closed"]
    ),
    (
      "no name and no quantity",
      "<resources><string>A</string><plurals name=\"p\"><item>x</item></plurals></resources>",
      [
        "1:54 p = x", "1:12 malformed-entry : the attribute \"name\" of <string> is missing",
        "1:48 malformed-entry p: the attribute \"quantity\" of <item> is missing",
      ]
    ),
  ]

  @Test(arguments: files.indices)
  func reads(index: Int) throws {
    let (name, text, expected) = Self.files[index]
    let found = try describe(read(text, .android))
    #expect(found == expected, "\(name)")
  }

  /// The contents of a `<string>`, its text, and what AAPT2 rejects or drops.
  static let texts: [(xml: String, text: String, problems: [String])] = [
    ("  a \n\t b  ", "a b", []), ("\"  a  \"", "  a  ", []), (#"\u0020a\u0020"#, " a ", []),
    ("\"it's\"", "it's", []),
    ("it's", "it's", ["malformed-entry unescaped apostrophe"]), (#"it\'s"#, "it's", []),
    ("it&apos;s", "it's", ["malformed-entry unescaped apostrophe"]),
    ("<![CDATA[it's <b>x</b>]]>", "it's <b>x</b>", ["malformed-entry unescaped apostrophe"]),
    ("say \"hi\" now", "say hi now", ["swallowed-quote AAPT2 removes the quotation marks"]),
    ("say \\\"hi\\\" now", "say \"hi\" now", []),
    ("\"say hi", "say hi", ["swallowed-quote AAPT2 removes the quotation marks"]),
    ("total:\" \"%s", "total: %s", []), ("<a href=\"x\">b</a>", "<a href=\"x\">b</a>", []),
    (##"\u00e9\t\n\\\#\?\ud83d\ude00"##, "é\t\n\\#?😀", []),
    (#"\ux"#, "ux", ["malformed-entry \\u is not followed by four hexadecimal digits"]),
    ("AT&T", "AT&T", ["malformed-entry an ampersand is not part of an entity"]),
    ("5 &lt; 6 &amp;amp;", "5 < 6 &amp;", []),
    ("a<!-- c -->b", "ab", []), ("%1$s %2$s", "%1$s %2$s", []),
    (
      "%s of %d", "%s of %d",
      ["malformed-placeholder several placeholders have no position, which AAPT2 rejects"]
    ),
    ("50%% of %d", "50%% of %d", []),
    (
      "50% of %d", "50% of %d",
      ["malformed-placeholder several placeholders have no position, which AAPT2 rejects"]
    ),
  ]

  @Test(arguments: texts.indices)
  func readsText(index: Int) throws {
    let (xml, text, problems) = Self.texts[index]
    let file = try read("<resources><string name=\"k\">\(xml)</string></resources>", .android)
    #expect(file.entries.first?.texts.first?.text == text)
    #expect(file.problems.map { "\($0.rule.rawValue) \($0.problem)" } == problems, "\(xml)")
  }

  @Test func replacesOnlyTexts() throws {
    let text =
      "<resources >\n <string name='a' >Don\\'t <b>buy</b>\\n &amp; \\u00e9</string>\n stray <!-- c -->\n<string name=\"r\">@string/a</string><string name=\"n\" translatable=\"false\">N</string></resources>"
    #expect(
      try pseudo(text, .android)
        == "<resources >\n <string name='a' >[Ðöñ\\'ţ <b>ƀûý</b>\\n &amp; \\u00e9 one two three]</string>\n stray <!-- c -->\n<string name=\"r\">@string/a</string><string name=\"n\" translatable=\"false\">N</string></resources>"
    )
  }

  /// Inputs for which a naive parser takes quadratic time.
  @Test(
    arguments: [
      ("<resources><!--", "- x "), ("<resources><string name='a'>", "a &amp; "), ("<resources a='", "x"),
      ("<resources>", "<string name='a'/>"), ("<", "<"), ("<!DOCTYPE ", "\"'"),
      ("<!DOCTYPE a [", "<!ENTITY "),
      ("<resources><string name='a'>", "\\u0020 "), ("<resources>", "<string name='a'>"),
      ("<resources>", "x<!-- "),
      ("<resources><string name='a'>", "<b>a</b>"), ("<resources><string name='a'><![CDATA[", "]] "),
    ]
  )
  func readsLongXML(start: String, rest: String) throws {
    let text = start + String(repeating: rest, count: 50_000 / rest.utf8.count)
    for end in ["", "</string></resources>", "--></resources>", "]]></string></resources>"] {
      lint(try read(text + end, .android))
    }
    lint(try read(text, .strings))
    lint(try read(text, .stringsDictionary))
  }
}

@Suite struct StringsFileTests {
  @Test(arguments: [
    ("fr.lproj/Localizable.strings", "fr"), ("/a/zh_Hans.lproj/L.strings", "zh-Hans"),
    ("Base.lproj/Main.strings", ""), ("app__r__pt-BR.lproj__Localizable.strings", "pt-BR"),
    ("a/x__en_AU.lproj__L.strings", "en-AU"), ("Localizable.strings", ""), ("English.lproj/L.strings", ""),
    ("res/values/strings.xml", ""), ("res/values-fr/strings.xml", "fr"),
    ("values-pt-rBR/strings.xml", "pt-BR"),
    ("values-b+sr+Latn/strings.xml", "sr-Latn"), ("values-b+es+419/strings.xml", "es-419"),
    ("values-mcc310-en-rUS-land/strings.xml", "en-US"), ("values-night/strings.xml", ""),
    ("values-car/strings.xml", ""), ("values-land/strings.xml", ""), ("values-v21/strings.xml", ""),
    ("values-fil-ldrtl/strings.xml", "fil"), ("fr-CA.json", "fr-CA"), ("lang/messages.fr.json", "fr"),
    ("messages.json", ""), ("sr_latn_rs.json", "sr-Latn-RS"), ("es-419.json", "es-419"), (".json", ""),
    ("", ""), ("lib/l10n/app_pt_BR.arb", "pt-BR"), ("locales/de/common.json", "de"), ("de.po", "de"),
  ])
  func detectsLanguageOfPath(path: String, expected: String) {
    #expect(StringsFile.language(ofPath: path) == expected)
  }

  @Test(
    arguments: [
      (
        "/nowhere/fr.json", nil,
        "/nowhere/fr.json: cannot read the file: No such file or directory; check the path"
      ),
      (
        "/nowhere/fr.po", nil,
        #"/nowhere/fr.po: unknown file name extension ".po"; use one of .json, .arb, .strings, .stringsdict, .xcstrings, .xml, or name the format"#
      ),
      (
        "/dev/zero", .strings,
        "/dev/zero: cannot read the file: it is a folder, a pipe or a device; use a regular file"
      ),
    ] as [(String, StringsFile.Format?, String)]
  )
  func rejectsPath(path: String, format: StringsFile.Format?, expected: String) throws {
    let error = try #require(throws: StringsError.self) { try StringsFile(contentsOf: path, format: format) }
    #expect("\(error)" == expected)
  }

  @Test func readsFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)/de.lproj")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let path = folder.appending(path: "L.strings")
    try Data("k = v;".utf8).write(to: path)
    #expect(try StringsFile(contentsOf: path.path).language == "de")
    #expect(try StringsFile(contentsOf: path.path, language: "gsw").language == "gsw")
  }

  @Test func limitsKeys() throws {
    var list = EntryList()
    for index in 0...EntryList.maximumCount { list.append(.init(key: "k", offset: index)) }
    #expect(list.entries.count == 1_000_000)
    #expect(
      list.problems.map(\.problem) == ["the file has more than 1,000,000 keys, and the rest is not checked"]
    )
  }

  /// Reads every prefix of files of all formats, and the files with a byte replaced. Each result has ranges within the file.
  @Test(arguments: StringsFile.Format.allCases)
  func readsDamagedFiles(format: StringsFile.Format) {
    let texts: [StringsFile.Format: String] = [
      .formatJS: #"{"a": {"b": "x\u00e9"}, "c": ["y"]}"#,
      .i18next: #"{"a_one": "{{count}}", "a_other": "$t(b)"}"#,
      .arb: #"{"@@locale": "de", "a": "b", "@a": {"x": {}}}"#, .strings: "/* c */ \"a\" = \"b\\n\"; c;",
      .stringsDictionary:
        "<plist><dict><key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@d@</string></dict></dict></plist>",
      .stringCatalog:
        #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"de": {"stringUnit": {"value": "b"}}}}}}"#,
      .android:
        "<resources><string name=\"a\">b <b>c</b></string><plurals name=\"p\"><item quantity=\"one\">1</item></plurals></resources>",
    ]
    let bytes = Array((texts[format] ?? "").utf8)
    func check(_ bytes: [UInt8]) {
      guard let file = try? StringsFile.read(bytes, format: format, language: "en").file else { return }
      for text in file.entries.flatMap(\.texts) { #expect(text.range.upperBound <= bytes.count) }
      for problem in file.problems { #expect(file.place(of: problem.offset).line >= 1) }
      _ = (try? Pseudolocale(.rightToLeftPseudo))?.contents(of: file)
    }
    for end in bytes.indices {
      check(Array(bytes[..<end]))
      for byte in "\"\\{}[]<>&;=/' ".utf8 {
        var damaged = bytes
        damaged[end] = byte
        check(damaged)
      }
    }
  }
}

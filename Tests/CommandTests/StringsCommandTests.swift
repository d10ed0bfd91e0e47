import CommandLineTools
import Foundation
import PriceTag
import PriceTagText
import Testing

/// Runs `pricetag strings`.
@Suite struct StringsCommandTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let line: String
    let status: Int32
    let output: String
    let error: String

    init(_ line: String, _ status: Int32, _ output: String, _ error: String = "") {
      (self.line, self.status, self.output, self.error) = (line, status, output, error)
    }

    var testDescription: String { line }
  }

  static let rows: [Row] = [
    Row(
      #"format buy_for_price --language de --args '{"price":{"storefront":"USA","amount":"4.99"}}'"#,
      0,
      "Für \u{2068}$4.99\u{2069} kaufen\n"
    ),
    Row(
      #"format buy_for_price --language de --isolation none --args '{"price":{"storefront":"DEU","amount":"4.99"}}'"#,
      0,
      "Für 4,99\u{A0}€ kaufen\n"
    ),
    Row(#"format days --language ru --args '{"count":22}'"#, 0, "22 дня\n"),
    Row(
      #"format save_percent --language fr-CA --args '{"percent":{"percent":"16"}}'"#,
      0,
      "Économisez 16\u{A0}%\n"
    ),
    Row(
      #"format --message '{p} {l} {s} {t} {n}' --args '{"p":{"period":"P3M"},"l":{"languageName":"ja"},"s":{"storefrontName":"JPN"},"t":"x","n":1234}' --isolation none"#,
      0,
      "3 months Japanese Japan x 1,234\n"
    ),
    Row(
      #"format price_until --language de --args '{"date":{"date":"2026-12-01"}}' --isolation none"#,
      0,
      "Bis 1. Dezember 2026\n"
    ),
    Row(
      #"format --message '{p}' --args '{"p":{"priceLocale":"de-CH","currency":"CHF","amount":234.50}}' --isolation none"#,
      0,
      "CHF\u{A0}234.50\n"
    ),
    Row(
      #"format --message '{p}' --args '{"p":{"storefront":"BGR","amount":"5","at":"2025-12-31"}}' --isolation none"#,
      0,
      "BGN\u{A0}5.00\n"
    ),
    Row(
      #"format buy --language es-AR"#,
      0,
      "Comprar\n",
      "note: es-AR: es-MX (represents the parent locale es-419)"
    ),
    Row(#"format buy --language ar-XB"#, 0, "\u{200F}\u{202E}Buy\u{202C}\u{200F}\n"),
    Row(#"format --message "it''s {n}" --args '{"n":2}'"#, 0, "it's 2\n"),
    Row(#"format buy --language sr"#, 1, "", #"no strings are available in "sr"; use one of ar, "#),
    Row(#"format buy --language xx"#, 1, "", "unknown language \"xx\" (ICU has no data for the language)"),
    Row(#"format byu"#, 1, "", "unknown message key \"byu\"; did you mean \"buy\"?"),
    Row(#"format buy --args '{"x":1}'"#, 1, "", "the message has no argument \"x\"; remove it"),
    Row(
      #"format buy_for_price"#,
      1,
      "",
      "message buy_for_price, en-US, character 9: the argument \"price\" is missing"
    ),
    Row(
      #"format buy_for_price --args '{"price":{"storefront":"JPN","amount":"4.99"}}'"#,
      1,
      "",
      "argument \"price\": 4.99 JPY has more decimals than JPY displays (0)"
    ),
    Row(
      #"format buy_for_price --args '{"price":{"storefront":"USA","currency":"EUR","amount":"4.99"}}'"#,
      1,
      "",
      "argument \"price\": the USA store charges USD, not EUR"
    ),
    Row(
      #"format buy_for_price --args '{"price":{"store":"USA","amount":"4.99"}}'"#,
      1,
      "",
      "argument \"price\": unknown field \"store\""
    ),
    Row(
      #"format buy_for_price --args '{"price":true}'"#,
      1,
      "",
      "argument \"price\": the argument must be a number, a string or an object, not a boolean"
    ),
    Row(
      #"format buy --args '{"n":1e999999999}'"#,
      1,
      "",
      "argument \"n\": \"1e999999999\" is not a decimal amount"
    ),
    Row(#"format buy --args '[1]'"#, 1, "", "the arguments must be an object, not an array; write an object"),
    Row(#"format buy --args '{'"#, 1, "", "the arguments are not valid JSON: "),
    Row(
      #"format --message '{n, number, currency}' --args '{"n":1}'"#,
      1,
      "",
      "currency formats are not supported in messages"
    ),
    Row(#"format"#, 2, "", "the message is missing; add a key, --message or --messages"),
    Row(#"format buy --message x"#, 2, "", "a key and --message cannot be combined; keep one"),
    Row(
      #"format --messages /nonexistent"#,
      1,
      "",
      "/nonexistent: cannot read the file: No such file or directory"
    ),
    Row(#"format buy --isolation maybe"#, 2, "", "isolates"),
    Row(
      #"match es-AR zh-HK sr"#,
      0,
      "es-AR: es-MX (represents the parent locale es-419)\nzh-HK: zh-Hant (the parent locale)\nsr: en-US (no close match)\n"
    ),
    Row(#"match --accept-language 'xx, pt;q=0.5'"#, 0, "pt: pt-BR (represents the parent locale pt)\n"),
    Row(#"match"#, 2, "", "the languages are missing; add a language, or --accept-language"),
    Row(#"match de --accept-language de"#, 2, "", "languages and --accept-language cannot be combined"),
    Row(
      #"lint /nonexistent"#,
      3,
      "/nonexistent:1: [unreadable-file]: cannot read the file: No such file or directory; check the path\n",
      "1 finding in 0 strings of 0 files"
    ),
    Row(#"lint"#, 2, "", "path"),
    Row(#"lint /tmp --ignore no-such-rule"#, 2, "", "no-such-rule"),
    Row(#"format --messages x --args '{}'"#, 2, "", "--messages and --args cannot be combined; remove one"),
    Row(#"pseudo /nonexistent.json"#, 1, "", "/nonexistent.json: cannot read the file"),
  ]

  @Test(arguments: rows)
  func runsCommand(row: Row) throws {
    let outcome = try CommandLineTool.shell("pricetag strings \(row.line)")
    #expect(outcome.status == row.status && outcome.output == row.output, "\(outcome.report)")
    if row.error.isEmpty {
      #expect(outcome.errors.isEmpty, "\(outcome.report)")
    } else {
      #expect(outcome.errors.contains(row.error), "\(outcome.report)")
      #expect(
        outcome.errors.hasPrefix("pricetag: ") && outcome.errors.count { $0 == "\n" } == 1,
        "\(outcome.report)"
      )
    }
  }

  @Test func listsMessages() throws {
    let languages = try CommandLineTool.shell("pricetag strings list")
    #expect(languages.output.split(separator: "\n").count == 50)
    #expect(languages.output.contains("zh-Hant   "))
    let list = try CommandLineTool.shell("pricetag strings list --language fr-CA")
    let lines = list.output.split(separator: "\n")
    #expect(lines.count == 150)
    #expect(lines.first?.hasSuffix("  Acheter") == true, "\(list.report)")
    struct Message: Decodable {
      let key: String
      let language: String
      let message: String
      let arguments: [String]
    }
    let json = try CommandLineTool.shell("pricetag strings list --language ar --json")
    let messages = try JSONDecoder().decode([Message].self, from: Data(json.output.utf8))
    #expect(messages.count == 150)
    #expect(messages.first { $0.key == "buy_for_price" }?.arguments == ["price"])
    #expect(messages.allSatisfy { $0.language == "ar" })
  }

  @Test func formatsMessageAsJSON() throws {
    let outcome = try CommandLineTool.shell(
      #"pricetag strings format buy_for_price --language ar --json --args '{"price":{"storefront":"USA","amount":"4.99"}}'"#
    )
    let object = try JSONDecoder().decode([String: String].self, from: Data(outcome.output.utf8))
    #expect(object["text"] == "شراء مقابل \u{2068}$4.99\u{2069}")
    #expect(object["plain"] == "شراء مقابل $4.99")
    #expect(object["html"] == #"شراء مقابل <bdi lang="en-US" dir="ltr">$4.99</bdi>"#)
    #expect(object["spoken"] == "شراء مقابل \u{2068}4.99 US dollars\u{2069}")
    #expect(object["direction"] == "rtl")
  }

  static let rowsOfMessages: [(row: String, answer: String)] = [
    (
      #"{"language":"ru","message":"{n, plural, one {# день} few {# дня} many {# дней} other {# дня}}","args":{"n":5}}"#,
      #""text":"5 дней"}"#
    ),
    (
      #"{ "id" : 7, "language":"en-US","message":"{p}", "args":{"p":{"storefront":"USA","amount":"4.99"}} }"#,
      #""text":"⁨$4.99⁩"}"#
    ),
    (#"{"message":"plain"}"#, #""text":"plain"}"#),
    (#"{"key":"buy","language":"ja"}"#, #""text":"購入"}"#),
    (
      #"{"language":"en-US","message":"{p, number, currency}","args":{"p":5}}"#,
      #""error":"en-US, character 12: currency formats are not supported in messages; format the price for its storefront and pass it as finished text: {price}"}"#
    ),
    (
      #"{"language":"xx","message":"a"}"#,
      #""error":"unknown language \"xx\" (ICU has no data for the language); use a BCP 47 tag such as \"en-US\""#
    ),
    (
      #"{"mesage":"a"}"#,
      #""error":"the field \"message\" or \"key\" is missing; add one (did you mean \"message\"?)"}"#
    ),
    (
      #"{"message":"a","key":"buy"}"#,
      #""error":"\"message\" and \"key\" cannot be combined; remove one"}"#
    ),
    (#"{"message":"a","text":"b"}"#, #""error":"the row already has a field \"text\"; remove it"}"#),
    (#"{}"#, #"{"error":"the field \"message\" or \"key\" is missing; add one"}"#),
    (#"[1]"#, #"{"row":"[1]","error":"the row must be an object, not an array; write one object per line"}"#),
    (#"{"message":"a""#, #"{"row":"{\"message\":\"a\"","error":"the row is not valid JSON: "#),
  ]

  @Test func formatsRowsOfMessages() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString).jsonl")
    try Data(Self.rowsOfMessages.map { $0.row + "\r\n" }.joined(separator: "\n").utf8).write(to: file)
    let outcome = try CommandLineTool.shell("pricetag strings format --messages \(file.path)")
    #expect(outcome.status == 3)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == Self.rowsOfMessages.count, "\(outcome.report)")
    for (line, expected) in zip(lines, Self.rowsOfMessages) {
      #expect(line.contains(expected.answer), "\(line)")
      // The output contains the row unchanged.
      if expected.row.hasSuffix("}"), expected.row.count > 2, !expected.row.contains(#""text""#) {
        #expect(line.hasPrefix(expected.row.dropLast().trimmingCharacters(in: .whitespaces)), "\(line)")
      }
    }
    let piped = try CommandLineTool.shell("cat \(file.path) | pricetag strings format --messages -")
    #expect(piped.output == outcome.output)
    let invalid = try CommandLineTool.shell("echo '[1]' | pricetag strings format --messages -")
    #expect(invalid.status == 1)
    let german = try CommandLineTool.shell(
      #"echo '{"message":"{n}","args":{"n":1234.5}}' | pricetag strings format --messages - --language de"#
    )
    #expect(german.output.hasSuffix(#""text":"1.234,5"}"# + "\n"), "\(german.report)")
    let latin = try CommandLineTool.shell(
      #"printf '{"message":"caf\351"}\n' | pricetag strings format --messages -"#
    )
    #expect(
      latin.output == #"{"error":"the row is not UTF-8; save the file as UTF-8"}"# + "\n",
      "\(latin.report)"
    )
  }

  @Test func writesFindingsInThreeFormats() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lint,1:\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"a": "Buy for {price} now"}"#.utf8).write(to: folder.appending(path: "en.json"))
    try Data("{\n\"a\": \"Für {Price} 5 % kaufen\"}".utf8).write(to: folder.appending(path: "de.json"))
    let path = folder.path
    let text = try CommandLineTool.shell("pricetag strings lint '\(path)'")
    #expect(
      text.output
        == "\(path)/de.json:2: [placeholder-case] \"a\" (de): the placeholder \"{Price}\" differs from \"{price}\" in case; write {price}\n"
    )
    #expect(text.status == 3)
    #expect(text.errors == "pricetag: 1 finding in 2 strings of 2 files (2 formatjs)\n")
    let gitHub = try CommandLineTool.shell("pricetag strings lint '\(path)' --format github")
    let escaped = path.replacing(",", with: "%2C").replacing(":", with: "%3A")
    #expect(
      gitHub.output.hasPrefix(
        "::error file=\(escaped)/de.json,line=2,title=placeholder-case::\"a\" (de) the placeholder"
      )
    )
    let json = try CommandLineTool.shell("pricetag strings lint '\(path)' --format json")
    struct Finding: Decodable {
      let rule: String
      let severity: String
      let line: Int
      let column: Int
    }
    let findings = try JSONDecoder().decode([Finding].self, from: Data(json.output.utf8))
    #expect(findings.map(\.rule) == ["placeholder-case"] && findings.first?.line == 2)
    #expect(findings.first?.column == 7 && findings.first?.severity == "error")
    let junit = try CommandLineTool.shell("pricetag strings lint '\(path)' --format junit")
    #expect(
      junit.output.contains(
        "<testsuites name=\"pricetag strings lint\" tests=\"2\" failures=\"1\" errors=\"0\">"
      )
    )
    #expect(
      junit.output.contains("<failure type=\"placeholder-case\" message=\"1 finding\">"),
      "\(junit.report)"
    )
    let ignored = try CommandLineTool.shell("pricetag strings lint '\(path)' --ignore placeholder-case")
    #expect(ignored.status == 0, "\(ignored.report)")
    let unknown = try CommandLineTool.shell("pricetag strings lint '\(path)' --development xx")
    #expect(
      unknown.status == 1 && unknown.errors.contains("no file has the development language \"xx\""),
      "\(unknown.report)"
    )
    let empty = try CommandLineTool.shell("mkdir '\(path)/empty' && pricetag strings lint '\(path)/empty'")
    #expect(empty.status == 1 && empty.errors.contains("there are no string files"), "\(empty.report)")
    let clean = try CommandLineTool.shell("pricetag strings lint '\(path)/en.json'")
    #expect(clean.status == 0 && clean.output.isEmpty)
  }

  /// A baseline accepts findings as long as their texts do not change.
  @Test func acceptsFindingsOfBaseline() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    func lint(_ options: String) throws -> (status: Int32, output: String, errors: String) {
      let outcome = try CommandLineTool.shell("cd '\(folder.path)' && pricetag strings lint . \(options)")
      return (outcome.status, outcome.output, outcome.errors)
    }
    try write("en.json", #"{"a": "Buy {x}", "b": "Go {y}"}"#)
    try write("de.json", #"{"a": "Kauf", "b": "Los"}"#)
    let first = try lint("--write-baseline lint.baseline")
    #expect(first.status == 3 && first.output.split(separator: "\n").count == 2)
    let second = try lint("--baseline lint.baseline")
    #expect(second.status == 0 && second.output.isEmpty, "\(second)")
    #expect(second.errors.contains("0 findings and 2 in the baseline in 4 strings of 2 files (2 formatjs)"))
    try write("de.json", #"{"a": "Kaufen", "b": "Los {y}"}"#)
    let changed = try lint("--baseline lint.baseline")
    #expect(
      changed.status == 3 && changed.output.hasPrefix("./de.json:1: [missing-placeholder] \"a\""),
      "\(changed)"
    )
    #expect(
      changed.errors.contains(
        "note: 2 entries of lint.baseline no longer occur; write it again with --write-baseline\npricetag: no longer occurs: {\"rule\":\"missing-placeholder\""
      )
    )
    // Nothing is known about a rule that is not applied, and files that are not checked.
    for options in ["--ignore missing-placeholder", "--format junit de.json --ignore missing-placeholder"] {
      let outcome = try lint("--baseline lint.baseline \(options)")
      #expect(!outcome.errors.contains("no longer occur"), "\(outcome)")
    }
    for (format, part) in [("github", "::notice file=lint.baseline,line=1"), ("junit", "name=\"baseline\"")] {
      let outcome = try lint("--baseline lint.baseline --format \(format)")
      #expect(outcome.output.contains(part) && outcome.output.contains("no longer occurs: "), "\(outcome)")
    }
    let baseline = try String(contentsOf: folder.appending(path: "lint.baseline"), encoding: .utf8)
    // The paths may be given in another form, from another folder, and the baseline may have other line breaks.
    try write("de.json", #"{"a": "Kauf", "b": "Los"}"#)
    try write("crlf", baseline.replacing("\n", with: "\r\n"))
    for path in ["'\(folder.path)'", ".//", "../\(folder.lastPathComponent)/"] {
      let outcome = try CommandLineTool.shell(
        "cd '\(folder.path)' && pricetag strings lint \(path) --baseline crlf"
      )
      #expect(outcome.status == 0, "\(outcome.report)")
    }
    let elsewhere = try CommandLineTool.shell(
      "cd / && pricetag strings lint '\(folder.path)' --baseline '\(folder.path)/lint.baseline'"
    )
    #expect(elsewhere.status == 0, "\(elsewhere.report)")
    for damaged in [
      "", String(baseline.dropLast(5)), baseline + "{}\n", baseline.replacing("placeholder", with: "x"),
    ] {
      try write("damaged", damaged)
      let outcome = try lint("--baseline damaged")
      #expect(outcome.status == 1 && outcome.errors.contains("damaged, line "), "\(outcome)")
    }
    #expect(
      try lint("--baseline none").errors.contains("cannot read the baseline: No such file or directory")
    )
  }

  @Test func namesFormatsAndPassedOverFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "formats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [
      ("en.json", #"{"a": "Buy {{x}}"}"#), ("de.json", #"{"a": "Kauf {{x}}"}"#), ("de.po", ""), ("a.ftl", ""),
    ] {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let outcome = try CommandLineTool.shell("cd '\(folder.path)' && pricetag strings lint .")
    #expect(outcome.status == 0, "\(outcome.report)")
    #expect(
      outcome.errors.contains(
        "./en.json and its translations are read as i18next, because of \"Buy {{x}}\"; --as overrides"
      )
    )
    #expect(outcome.errors.contains("passed over: 2 files: ./a.ftl (Fluent), ./de.po (gettext)\n"))
    let messages = try CommandLineTool.shell("cd '\(folder.path)' && pricetag strings lint . --as formatjs")
    #expect(messages.status == 3 && messages.output.contains("[malformed-message]"), "\(messages.report)")
    #expect(messages.errors.contains("(2 formatjs)"))
  }

  @Test func findsNoProblemsInStoreStrings() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let outcome = try CommandLineTool.run([
      "strings", "lint", root.appending(path: "LocaleData/strings").path,
    ])
    #expect(outcome.status == 0, "\(outcome.report)")
    #expect(outcome.errors == "pricetag: 0 findings in 7500 strings of 50 files (50 formatjs)\n")
  }

  @Test func convertsFileToPseudoLocale() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).strings")
    try Data("/* A button */\n\"buy\" = \"Buy %@\";\n".utf8).write(to: file)
    let outcome = try CommandLineTool.shell("pricetag strings pseudo \(file.path) --language en-XA")
    #expect(outcome.output == "/* A button */\n\"buy\" = \"[Ɓûý %@ one]\";\n", "\(outcome.report)")
    let wrong = try CommandLineTool.shell("pricetag strings pseudo \(file.path) --language de")
    #expect(wrong.status == 1 && wrong.errors.contains("\"de\" is not a pseudo-locale; use en-XA or ar-XB"))
  }

  @Test func readsFolderOfStrings() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "strings"),
      withIntermediateDirectories: true
    )
    try Data(#"{"buy": "Her damit"}"#.utf8).write(to: folder.appending(path: "strings/de.json"))
    let outcome = try CommandLineTool.shell(
      "pricetag strings format buy --language de",
      environment: ["PRICETAG_LOCALE_DATA": folder.path]
    )
    #expect(outcome.output == "Her damit\n", "\(outcome.report)")
    let list = try CommandLineTool.shell("pricetag strings list --language de --locale-data \(folder.path)")
    #expect(list.output.contains("(en-US) Get\n"), "\(list.report)")
  }
}

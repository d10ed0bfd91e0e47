import CommandLineTools
import Foundation
import PriceTag
import Testing

/// Runs `pricetag format`.
@Suite struct FormatCommandTests {
  @Test(arguments: [
    ("format --storefront JPN 1200", 0, "￥1,200\n", ""),
    ("format --storefront jp 1200.00 7", 0, "￥1,200\n￥7\n", ""),
    ("format --locale fr-FR --currency CHF 1234.50", 0, "1\u{202F}234,50\u{A0}CHF\n", ""),
    ("format --storefront USA -4.99", 0, "-$4.99\n", ""),
    ("format --storefront USA --sign accounting -5 5", 0, "($5.00)\n$5.00\n", ""),
    ("format --storefront USA --json=1 5", 2, "", "json"),
    ("format --storefront USA --width name 1", 0, "1.00 US dollars\n", ""),
    ("format --storefront USA --width name --zeros trim 1", 0, "1 US dollar\n", ""),
    ("format --storefront CHE --digits cash --rounding half-even 4.98", 0, "CHF\u{A0}5.00\n", ""),
    ("format --storefront USA --digits 3 4.99", 0, "$4.990\n", ""),
    ("format --storefront USA --width hidden 5", 0, "5.00\n", ""),
    ("format --storefront USA --width unambiguous 5", 0, "USD\u{A0}5.00\n", ""),
    ("format --locale en-US --currency GBP --width unambiguous 5", 0, "GBP\u{A0}5.00\n", ""),
    ("format --locale zh-TW --currency TWD --width formal 5", 0, "NT$5.00\n", ""),
    ("format --locale tr-TR --currency TRY --width variant 5", 0, "TL\u{A0}5,00\n", ""),
    ("format --storefront USA --sign except-zero 5 0 -5", 0, "+$5.00\n$0.00\n-$5.00\n", ""),
    ("format --storefront USA --sign accounting-always 5 0 -5", 0, "+$5.00\n+$0.00\n($5.00)\n", ""),
    ("format --storefront USA --sign accounting-except-zero 5 0 -5", 0, "+$5.00\n$0.00\n($5.00)\n", ""),
    ("format --storefront USA --sign negative 5 -5", 0, "$5.00\n-$5.00\n", ""),
    ("format --storefront USA --sign accounting-negative 5 -5", 0, "$5.00\n($5.00)\n", ""),
    ("format --storefront USA --digits 0-2 5 5.50 5.25", 0, "$5\n$5.5\n$5.25\n", ""),
    ("format --storefront USA --digits 0-2 5.125", 1, "", "display more digits"),
    ("format --storefront USA --digits 0-2 --rounding half-up 5.125", 0, "$5.13\n", ""),
    ("format --storefront USA --grouping never 1234567", 0, "$1234567.00\n", ""),
    ("format --storefront USA --grouping min2 1234 12345", 0, "$1234.00\n$12,345.00\n", ""),
    (
      "format --storefront ESP --grouping always 1234", 0, "1.234,00\u{A0}€\n", ""
    ),
    (
      "format --storefront EGY --numbering latn 1234.5", 0, "\u{200F}1,234.50\u{A0}ج.م.\u{200F}\n", ""
    ),
    ("format --storefront USA --numbering deva 5", 0, "$५.००\n", ""),
    ("format --storefront USA --grouping some 5", 2, "", "'auto', 'always', 'min2' or 'never'"),
    ("format --storefront USA --numbering roman 5", 2, "", "unknown decimal numbering system \"roman\""),
    ("format --storefront USA --digits 2-0 5", 2, "", "\"2-0\" is not a valid number of digits"),
    ("format --storefront DEU 0.99 --to 4.99", 0, "0,99–4,99\u{A0}€\n", ""),
    ("format --storefront USA 4.99 --to 4.990", 0, "$4.99\n", ""),
    ("format --storefront DEU -4.990 --to=-4.99", 0, "-4,99\u{A0}€\n", ""),
    ("format --storefront USA 5 --to 1", 1, "", "the range starts at 5, above its end 1; swap the two"),
    ("format --storefront USA 1 --to 4.999", 1, "", "4.999 USD has more decimals"),
    ("format --storefront USA 1 --to x", 1, "", "\"x\" is not a decimal amount"),
    (
      "format --storefront USA 1 2 --to 5", 2, "",
      "the option --to cannot be combined with 2 amounts; pass one amount, the lower bound of the range"
    ),
    ("format --storefront DEU --content 0.75L 5.25", 0, "7,00\u{A0}€/l\n", ""),
    (
      "format --storefront DEU --content 0.75\u{A0}L --per=dl 5.25 9", 0, "0,70\u{A0}€/dl\n1,20\u{A0}€/dl\n",
      ""
    ),
    ("format --storefront USA --content 2lb 8", 0, "$4.00/lb\n", ""),
    ("format --storefront DEU --content 6x330ml --rounding half-up 3.49", 0, "1,76\u{A0}€/l\n", ""),
    ("format --storefront DEU --content 12pieces 2.40", 0, "0,20\u{A0}€ pro Stück\n", ""),
    (
      "format --storefront USA --content 600pieces --per 100pieces --rounding half-up 5.49", 0,
      "$0.92 per 100 pieces\n", ""
    ),
    ("format --storefront DEU --content 12 --language en 2.40", 0, "0,20\u{A0}€ per piece\n", ""),
    (
      "format --locale de-DE --currency EUR --content 12 --language en 2.40", 0, "0,20\u{A0}€ per piece\n", ""
    ),
    (
      "format --locale de-DE --currency EUR --content 12 2.40", 1, "",
      "the text around the price requires a language; add --language, or use --storefront"
    ),
    (
      "format --storefront DEU --content 3kg 10 9", 3, "3,00\u{A0}€/kg\n",
      "10 for 3 kg is not a multiple of 0.01 per kg"
    ),
    ("format --storefront DEU --content much 9", 1, "", "\"much\" has no quantity where one is expected"),
    (
      "format --storefront DEU --content 1kg --per L 9", 1, "",
      "the content 1 kg has no price per L; use a reference for mass, such as kg"
    ),
    ("format --storefront DEU --content 1kg --per lb 9", 1, "", "belong to different systems of units"),
    ("format --storefront DEU --content 1kg -9", 1, "", "has no unit price"),
    ("format --storefront DEU --per kg 9", 2, "", "--per requires the content of a product; add --content"),
    (
      "format --storefront DEU --content 1kg 9 --to 10", 2, "",
      "--to and --content cannot be combined; keep one"
    ),
    ("format --storefront USA --installments 4 100", 0, "4 payments of $25.00\n", ""),
    (
      "format --storefront DEU --installments 6 --rounding half-up 100 12", 0,
      "5 Raten zu 16,67\u{A0}€ und eine letzte zu 16,65\u{A0}€\n6 Raten zu 2,00\u{A0}€\n", ""
    ),
    (
      "format --storefront DEU --installments 6 --rounding half-up --language en-GB 100", 0,
      "5 payments of 16,67\u{A0}€ and a last one of 16,65\u{A0}€\n", ""
    ),
    (
      "format --locale ja-JP --currency JPY --language ja --installments 3 --rounding down 1000", 0,
      "￥333×2回払い＋最終回￥334\n", ""
    ),
    // The payments add up to the displayed amount.
    ("format --storefront USA --installments 2 --rounding up 0.031", 0, "2 payments of $0.02\n", ""),
    (
      "format --storefront DEU --installments 6 100", 1, "",
      "name a rounding mode such as half-up, and the last payment makes the sum exact"
    ),
    (
      "format --storefront USA --installments 4 --notation compact-short 8000000", 0, "4 payments of $2M\n",
      ""
    ),
    (
      "format --storefront USA --installments 3 --notation compact-short --rounding half-up 8000000", 1, "",
      "would be displayed as $2.7M, and the sum would differ"
    ),
    ("format --storefront USA --installments 0 100", 1, "", "cannot divide an amount into 0 payments"),
    ("format --storefront USA --installments 1000001 100", 1, "", "use 1 to 1000000 payments"),
    (
      "format --storefront USA --installments 9 --rounding down 0.05", 1, "",
      "use fewer payments or another rounding mode"
    ),
    ("format --storefront USA --installments two 100", 2, "", "two"),
    (
      "format --storefront USA --installments 4 --language bg 100", 0, "4 payments of $25.00\n",
      "pricetag: note: bg: en-US (the default language of USA, because there are no strings in bg)\n"
    ),
    (
      "format --storefront USA --installments 4 --language bg --strict-language 100", 1, "",
      "no strings are available in \"bg\"; use one of ar, "
    ),
    (
      "format --locale bg-BG --currency EUR --installments 4 --language bg 100", 1, "",
      "no strings are available in \"bg\"; use one of ar, "
    ),
    ("format --storefront USA --installments 2 --language xx-YY 100", 1, "", "xx-YY"),
    ("format --storefront USA --language de 100", 2, "", "--language requires a text around the price"),
    (
      "format --locale de-DE --currency EUR --installments 2 100", 2, "",
      "--installments requires a language for its text; add --language, or use --storefront"
    ),
    (
      "format --storefront USA --installments 2 --content 1kg 100", 2, "",
      "--content and --installments cannot be combined"
    ),
    ("format --storefront USA --notation compact-short 1200000", 0, "$1.2M\n", ""),
    ("format --storefront USA --qualifier at-least 5", 0, "$5.00+\n", ""),
    ("format --storefront JPN --qualifier approximately 5", 0, "約￥5\n", ""),
    ("format --storefront USA --qualifier about 5", 2, "", "'none', 'approximately' or 'at-least'"),
    ("format --storefront USA --notation short 5", 2, "", "'standard', 'compact-short' or 'compact-long'"),
    ("format --storefront BGR --at 2025-12-31 5", 0, "BGN\u{A0}5.00\n", ""),
    (
      "format --locale de-DE --currency DEM 5", 0, "5,00\u{A0}DM\n",
      "DEM was valid until 2002-02-28; EUR replaced it"
    ),
    ("format --storefront BGR --at 2026-01-01 5", 0, "€5.00\n", ""),
    ("format --storefront USA --currency USD 5", 0, "$5.00\n", ""),
    ("format --storefront USA --currency EUR 5", 1, "", "the USA store charges USD, not EUR"),
    ("format --storefront USA --locale es-MX 5", 0, "USD\u{A0}5.00\n", ""),
    (
      "format --storefront JPN 1200 1200.50 7", 3, "￥1,200\n￥7\n",
      "1200.50 JPY has more decimals than JPY displays (0)"
    ),
    ("format --storefront JPN 1200.50", 1, "", "name a rounding mode such as half-even to allow rounding"),
    ("format --storefront JPN --rounding half-even 1200.50", 0, "￥1,200\n", ""),
    ("format --storefront USA 1e999999999", 1, "", "\"1e999999999\" is not a decimal amount"),
    ("format --storefront USA NaN", 1, "", "\"NaN\" is not a decimal amount"),
    ("format --storefront USA 1,234.5", 1, "", "write ASCII digits"),
    ("format --storefront USA \u{661}\u{662}", 1, "", "which is not an ASCII digit"),
    ("format --storefront ZZZ 5", 1, "", "use a code such as \"USA\" (pricetag storefronts lists all codes)"),
    ("format --locale us --currency USD 5", 1, "", "did you mean \"en-US\"?"),
    ("format --locale en-US-u-cu-eur --currency USD 5", 1, "", "has an extension"),
    ("format --locale en-US --currency USDC 5", 1, "", "did you mean \"USD\"?"),
    (
      "format --locale en-US 5", 2, "",
      "the option --storefront is missing; add it, or add both --locale and --currency"
    ),
    ("format 5", 2, "", "the option --storefront is missing"),
    ("format --storefront USA", 2, "", "amount"),
    ("format --storefront USA --digits 19 5", 2, "", "\"19\" is not a valid number of digits"),
    ("format --storefront USA --digits -1 5", 2, "", "a number from 0 to 18"),
    ("format --storefront USA --rounding nearest 5", 2, "", "half-even"),
    ("format --storefront USA --at 2026-02-30 5", 2, "", "2026-02-30"),
    ("format --storefront USA --locale-data /nonexistent 5", 1, "", "/nonexistent"),
    ("format --storefront USA -.5", 1, "", "\"-.5\" is not a decimal amount"),
    ("format --storefront USA --width \u{1B}[31m 5", 2, "", "\\u{1B}[31m"),
    ("nosuchverb", 2, "", "nosuchverb"),
    ("format --storefront USA --nosuchflag 5", 2, "", "--nosuchflag"),
    ("--version", 0, "PriceTag \(Versions.current.priceTag)\n", ""),
    ("storefronts nosuch", 1, "", "unknown storefront \"nosuch\""),
  ])
  func runsCommand(line: String, status: Int32, output: String, error: String) throws {
    let outcome = try CommandLineTool.run(line.split(separator: " ").map(String.init))
    #expect(outcome.status == status && outcome.output == output, "\(outcome.report)")
    if error.isEmpty {
      #expect(outcome.errors.isEmpty, "\(outcome.report)")
    } else {
      #expect(outcome.errors.contains(error), "\(outcome.report)")
      #expect(
        outcome.errors.hasPrefix("pricetag: ") && outcome.errors.count { $0 == "\n" } == 1,
        "\(outcome.report)"
      )
    }
  }

  @Test func writesJSON() throws {
    let outcome = try CommandLineTool.run(["format", "--storefront", "EGY", "--json", "1234.5"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    )
    #expect(object["display"] as? String == "\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}")
    #expect(object["isolated"] as? String == "\u{2068}\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}\u{2069}")
    #expect(object["direction"] as? String == "rtl")
    #expect(object["amount"] as? String == "1234.5")
    #expect(object["displayedAmount"] as? String == "1234.5")
    #expect(object["priceLocale"] as? String == "ar-EG")
    let parts = try #require(object["parts"] as? [[String: String]])
    #expect(parts.compactMap { $0["value"] }.joined() == object["display"] as? String)
    #expect(object["icu"] as? String == Versions.current.icu)
  }

  @Test func writesJSONOfUnitPrice() throws {
    let outcome = try CommandLineTool.run([
      "format", "--storefront", "DEU", "--rounding", "half-up", "--content", "6 x 330ml", "--json", "3.49",
    ])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
      "\(outcome.report)"
    )
    #expect(object["amount"] as? String == "3.49" && object["display"] as? String == "3,49\u{A0}€")
    #expect(object["content"] as? String == "6 × 330 mL" && object["unitReference"] as? String == "L")
    let unitPrice = try #require(object["unitPrice"] as? [String: String])
    #expect(unitPrice["amount"] == "1.76" && unitPrice["display"] == "1,76\u{A0}€/l")
    #expect(unitPrice["spoken"] == "1,76 Euro pro Liter" && unitPrice["text"] == nil)
    let piece = try CommandLineTool.run([
      "format", "--storefront", "USA", "--content", "4 pieces", "--language", "de", "--json", "2",
    ])
    #expect(
      piece.output.contains(
        #""unitPrice":{"amount":"0.50","display":"$0.50","spoken":"0.50 US dollars","language":"de","text":"$0.50 pro Stück"}"#
      ),
      "\(piece.report)"
    )
  }

  @Test func writesJSONOfInstallments() throws {
    let outcome = try CommandLineTool.run([
      "format", "--storefront", "DEU", "--rounding", "half-up", "--installments", "6", "--json", "100", "12",
    ])
    let lines = outcome.output.split(separator: "\n")
    try #require(lines.count == 2, "\(outcome.report)")
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    let rows: [(equalCount: Int, payment: String, last: String, calculation: String)] = [
      (5, "16.67", "16.65", "5 × 16,67\u{A0}€ + 16,65\u{A0}€"), (6, "2.00", "2.00", "6 × 2,00\u{A0}€"),
    ]
    for (object, row) in zip(objects, rows) {
      let installments = try #require(object?["installments"] as? [String: Any])
      #expect(installments["count"] as? Int == 6 && installments["equalCount"] as? Int == row.equalCount)
      let payment = try #require(installments["payment"] as? [String: String])
      let last = try #require(installments["lastPayment"] as? [String: String])
      #expect(try Amount(decimal: payment["amount"] ?? "") == Amount(decimal: row.payment))
      #expect(try Amount(decimal: last["amount"] ?? "") == Amount(decimal: row.last))
      #expect(last["display"]?.hasSuffix("\u{A0}€") == true && last["spoken"]?.hasSuffix(" Euro") == true)
      #expect(installments["language"] as? String == "de")
      #expect((installments["text"] as? String)?.contains("Raten zu") == true)
      #expect(installments["calculation"] as? String == row.calculation)
    }
  }

  /// The JSON of a range has both bounds; that of a single price has no upper one.
  @Test func writesJSONOfRange() throws {
    let rows: [(high: String, displayed: String?, display: String, spoken: String)] = [
      ("4.999", "5.00", "1,00–5,00\u{A0}€", "1,00–5,00 Euro"), ("1.001", nil, "1,00\u{A0}€", "1,00 Euro"),
    ]
    for row in rows {
      let outcome = try CommandLineTool.run([
        "format", "--storefront", "DEU", "--rounding", "half-even", "--json", "1", "--to", row.high,
      ])
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
      )
      #expect(object["amount"] as? String == "1" && object["displayedAmount"] as? String == "1")
      #expect(object["upperAmount"] as? String == (row.displayed == nil ? nil : row.high))
      #expect(object["displayedUpperAmount"] as? String == row.displayed)
      #expect(object["display"] as? String == row.display)
      #expect(object["spoken"] as? String == row.spoken)
      let parts = try #require(object["parts"] as? [[String: String]])
      #expect(parts.compactMap { $0["value"] }.joined() == row.display)
    }
  }

  @Test func examplesOfHelpAreCorrect() throws {
    let help = try CommandLineTool.run(["format", "--help"]).output
    let examples = help.split(separator: "\n").filter { $0.hasPrefix("  pricetag format") }
    #expect(examples.count >= 5)
    for example in examples {
      let parts = example.split(separator: /\s{3,}/)
      try #require(parts.count == 2, "\(example)")
      let outcome = try CommandLineTool.shell(String(parts[0]))
      #expect(outcome.output.replacing("\u{A0}", with: " ") == parts[1] + "\n", "\(outcome.report)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func generatesCompletion(shell: String) throws {
    let outcome = try CommandLineTool.run(["--generate-completion-script", shell])
    #expect(outcome.status == 0 && outcome.output.contains("storefronts"), "\(outcome.report)")
  }

  /// The output does not depend on the language and time zone of the process.
  @Test func ignoresLocaleOfProcess() throws {
    var outputs: Set<String> = []
    for (language, zone) in [
      ("C", "UTC"), ("ar_EG.UTF-8", "Asia/Tokyo"), ("ja_JP.UTF-8", "America/New_York"), ("xx_YY", "nowhere"),
      ("tr_TR", ""),
    ] {
      let environment = ["LANG": language, "LC_ALL": language, "TZ": zone, "LANGUAGE": language]
      let outcome = try CommandLineTool.shell(
        "pricetag storefronts --json --at 2026-11-21; pricetag format --locale en-KW --currency KWD 1.5; pricetag format --locale zh-CN --currency XCG 1.5",
        environment: environment
      )
      #expect(outcome.status == 0, "\(outcome.report)")
      outputs.insert(outcome.output)
    }
    #expect(outputs.count == 1)
  }
}

/// Runs `pricetag storefronts`.
@Suite struct StorefrontsCommandTests {
  @Test func listsAllStorefronts() throws {
    let outcome = try CommandLineTool.run(["storefronts", "--json", "--at", "2026-11-21"])
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
    )
    #expect(array.count == 175)
    #expect(array.filter { $0["currency"] as? String == "USD" }.count == 109)
    let taxes = array.compactMap { $0["tax"] as? [String: Any] }
    #expect(taxes.filter { $0["included"] as? Bool == true }.count == 81)
    #expect(
      taxes.filter { $0["kind"] as? String == "sales-tax" && $0["included"] as? Bool == false }.count == 2
    )
    let lines = try CommandLineTool.run(["storefronts"]).output.split(separator: "\n")
    #expect(lines.count == 176)
  }

  @Test func listsEvidence() throws {
    let table = try CommandLineTool.run([
      "storefronts", "--evidence", "HUN", "TWN", "IDN", "--at", "2026-10-10",
    ])
    #expect(table.status == 0, "\(table.report)")
    let lines = table.output.split(separator: "\n")
    #expect(lines.map { $0.prefix(3) } == ["ID ", "HUN", "TWN", "TWN", "IDN"])
    #expect(lines[1].contains("oooooooo") && lines[1].contains("different"))
    #expect(lines[4].contains("--------"))
    let json = try CommandLineTool.run(["storefronts", "--evidence", "--json"])
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    )
    let evidence = array.compactMap { $0["evidence"] as? [String: Any] }
    #expect(evidence.count == 175)
    #expect(evidence.count { ($0["webForms"] as? [Any])?.isEmpty == false } == 174)
    #expect(evidence.allSatisfy { $0["priceLocaleBasis"] as? String == "rule" })
  }

  @Test func listsSomeStorefronts() throws {
    let outcome = try CommandLineTool.run(["storefronts", "JPN", "nosuch", "de"])
    #expect(outcome.status == 3, "\(outcome.report)")
    #expect(
      outcome.output.contains("\u{2068}￥1,234\u{2069}") && outcome.output.contains("DEU"),
      "\(outcome.report)"
    )
    #expect(outcome.errors.contains("\"nosuch\""), "\(outcome.report)")
  }

  @Test func readsFolderOfLocaleData() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "currency-overrides.json")
    try Data(
      #"{"schema":1,"overrides":[{"storefront":"TWN","symbol":"NT$","digits":0,"reason":"ours"}]}"#.utf8
    ).write(to: file)
    for (arguments, environment) in [
      (["--locale-data", folder.path], [:]), ([], ["PRICETAG_LOCALE_DATA": folder.path]),
    ] as [([String], [String: String])] {
      let outcome = try CommandLineTool.run(
        ["format", "--storefront", "TWN", "1234"] + arguments,
        environment: environment
      )
      #expect(outcome.output == "NT$1,234\n", "\(outcome.report)")
    }
    try Data(
      "{\"schema\":1,\n\"overrides\":[\n{\"storefront\":\"TWX\",\"symbol\":\"NT$\",\"reason\":\"ours\"}]}"
        .utf8
    ).write(to: file)
    let outcome = try CommandLineTool.run([
      "format", "--storefront", "TWN", "1234", "--locale-data", folder.path,
    ])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("currency-overrides.json, line 3, entry \"TWX\", field storefront"),
      "\(outcome.report)"
    )
  }
}

/// Failures of standard output.
@Suite struct StreamTests {
  @Test func failsForFullDisk() throws {
    let outcome = try CommandLineTool.shell("pricetag storefronts >/dev/full")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "pricetag: standard output: cannot write the file: No space left on device; make room on the disk\n",
      "\(outcome.report)"
    )
  }

  /// The reader of the pipe has ended before the command starts, which may also ignore SIGPIPE.
  @Test(arguments: ["", "trap '' PIPE; "]) func endsSilentlyForClosedPipe(trap: String) throws {
    let outcome = try CommandLineTool.shell(
      "\(trap)exec 3> >(true); wait $!; pricetag storefronts --json >&3; echo status $? >&2"
    )
    #expect(outcome.errors == "status 141\n", "\(outcome.report)")
  }

  @Test func failsForClosedStandardOutput() throws {
    let outcome = try CommandLineTool.shell("pricetag version >&-")
    #expect(
      outcome.status == 1 && outcome.errors.contains("standard output: cannot write the file"),
      "\(outcome.report)"
    )
  }
}

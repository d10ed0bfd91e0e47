import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag pack`.
@Suite struct PackCommandTests {
  private static let customCurrencies = #"""
    {"schema":1,"currencies":[{"code":"BOLTS","digits":0,"symbol":"⬢","like":"USD","storefronts":["BGR","JPN"],
     "reason":"coins","names":{"en":{"one":"bolt","other":"bolts"}}}]}
    """#
  /// The group separator of EUR in de-DE would be that of the fraction.
  private static let overrides = #"""
    {"schema":1,"overrides":[{"currency":"EUR","decimal":".","reason":"r"}]}
    """#

  /// Calls a closure with a temporary folder that has two folders of locale data, and removes it.
  private static func inFolder(_ body: (String) throws -> Void) throws {
    try CommandLineTool.inFolder([
      "game/custom-currencies.json": customCurrencies, "euro/currency-overrides.json": overrides,
    ]) { try body($0.path) }
  }

  private static func shell(_ folder: String, _ line: String) throws -> CommandLineTool.Outcome {
    try CommandLineTool.shell("cd '\(folder)' && \(line)")
  }

  static let runs: [(arguments: String, status: Int32, output: String, errors: String)] = [
    ("--storefronts JPN,USA -o a.pack", 0, "", "pricetag: wrote 4 formatters in "),
    ("--storefronts jp,us,JPN -o a.pack", 0, "", "pricetag: wrote 4 formatters in "),
    ("--storefronts BGR --no-spoken -o a.pack", 0, "", "pricetag: wrote 2 formatters in "),
    (
      "--locales de-DE --currencies EUR --widths standard,iso,name -o a.pack", 0, "",
      "pricetag: wrote 3 formatters in "
    ),
    (
      "--locales de-DE --currencies EUR --per kg,100ml --no-spoken -o a.pack", 0, "",
      "pricetag: wrote 3 formatters in "
    ),
    (
      "--locales de-DE --currencies EUR --locale-data euro -o a.pack", 3, "",
      "pricetag: wrote 0 formatters in "
    ),
    (
      "--locales de-DE --currencies EUR --locale-data euro --no-spoken --per kg -o a.pack", 3, "",
      "not in the pack: EUR in de-DE, standard, per kg: currency-overrides.json: EUR in de-DE would have the same separator"
    ),
    // Lists
    ("--storefronts JPN,USB -o a.pack", 1, "", "unknown storefront \"USB\"; did you mean \"USA\"?"),
    ("--storefronts JPN, -o a.pack", 1, "", "unknown storefront \"\""),
    ("--locales de-DE,xx -o a.pack", 1, "", "\"xx\""),
    ("--locales de-DE --currencies EUR,EUX -o a.pack", 1, "", "unknown currency \"EUX\""),
    ("--locales de-DE --currencies BOLTS -o a.pack", 1, "", "unknown currency \"BOLTS\""),
    (
      "--storefronts JPN --widths standard,wide -o a.pack", 1, "",
      "unknown width \"wide\"; use a list of standard, narrow,"
    ),
    ("--storefronts JPN --per kg,stone -o a.pack", 1, "", "stone"),
    ("--storefronts JPN --per '' -o a.pack", 1, "", "\"\" is not a reference for unit prices"),
    (
      "--storefronts JPN --per kg,piece -o a.pack", 1, "",
      "a pack has no prices per piece, because CLDR has no pattern for them; remove \"piece\", and put the price into a message"
    ),
    // Files
    ("", 2, "", "one of --output and --show is needed; add -o FILE to write a pack"),
    ("--storefronts JPN -o no/such/a.pack", 1, "", "no/such/a.pack: cannot write the file"),
    ("--show missing.pack", 1, "", "missing.pack: "),
    (
      "--show game/custom-currencies.json", 1, "",
      "custom-currencies.json: the file is not a pack; write one with pricetag pack"
    ),
  ]

  @Test(arguments: runs)
  func runsCommand(arguments: String, status: Int32, output: String, errors: String) throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(folder, "pricetag pack \(arguments)")
      #expect(outcome.status == status, "\(outcome.report)")
      #expect(outcome.output == output, "\(outcome.report)")
      #expect(outcome.errors.contains(errors), "\(outcome.report)")
      let isWritten = FileManager.default.fileExists(atPath: "\(folder)/a.pack")
      #expect(isWritten == [0, 3].contains(status), "\(outcome.report)")
    }
  }

  @Test func showsContents() throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(
        folder,
        """
        pricetag pack --storefronts BGR,JPN --locales de-CH --currencies CHF,bolts --widths iso,standard \
          --per 100ml --sign except-zero --digits 0-2 --no-spoken --locale-data game -o a.pack 2>/dev/null
        pricetag pack --show a.pack
        """
      )
      #expect(outcome.status == 0, "\(outcome.report)")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      let versions = lines.prefix(6).map { $0.prefix { $0 != ":" } }
      #expect(versions == ["cldr", "icu", "license", "pricetag", "registry", "unicode"])
      #expect(lines.dropFirst(2).first == "license: Unicode-3.0")
      #expect(
        lines.dropFirst(6).prefix(9) == [
          "storefronts (2): BGR JPN", "locales (3): de-CH en-BG ja-JP", "currencies (4): BGN CHF EUR JPY",
          "custom currencies (1): BOLTS", "styles (4):", "  standard, sign except-zero, digits 0-2",
          "  standard, sign except-zero, digits 0-2, per 100 mL",
          "  iso, sign except-zero, digits 0-2", "  iso, sign except-zero, digits 0-2, per 100 mL",
        ],
        "\(outcome.report)"
      )
      #expect(lines.count == 16 && lines.last?.hasPrefix("formatters: ") == true, "\(outcome.report)")
    }
  }

  /// Two runs give the same bytes, whatever the order of the lists, and on standard output.
  @Test func bytesAreReproducible() throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(
        folder,
        """
        exec 2>/dev/null
        run() { pricetag pack --locale-data game --at 2026-06-01 "$@"; }
        run -o 1 --storefronts JPN,BGR,USA --locales de-CH,ja-JP --currencies CHF,BOLTS --widths standard,iso --per kg,L
        run -o 2 --storefronts JPN,BGR,USA --locales de-CH,ja-JP --currencies CHF,BOLTS --widths standard,iso --per kg,L
        run -o 3 --storefronts us,BGR,jp --locales ja-JP,de-CH --currencies bolts,chf --widths iso,standard --per l,kg
        run -o - --storefronts BGR,JPN,USA --locales ja-JP,de-CH --currencies CHF,BOLTS --widths iso,standard --per L,kg >4
        cmp 1 2 && cmp 1 3 && cmp 1 4 && pricetag pack --show 4 | tail -n 1
        """
      )
      #expect(outcome.status == 0 && outcome.output.hasPrefix("formatters: "), "\(outcome.report)")
    }
  }

  /// A pack is written from ICU's output, whatever pack the environment names.
  @Test func ignoresPackOfEnvironment() throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(
        folder,
        """
        exec 2>/dev/null
        pricetag pack --storefronts JPN -o a.pack
        PRICETAG_PACK=missing.pack pricetag pack --storefronts JPN -o b.pack
        cmp a.pack b.pack && PRICETAG_PACK=a.pack pricetag pack --storefronts USA -o - | head -c 8
        """
      )
      #expect(outcome.status == 0 && outcome.output == "PriceTag", "\(outcome.report)")
    }
  }

  /// A pack replaces a file as a whole, and a failed run leaves the file as it was.
  @Test func replacesFile() throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(
        folder,
        """
        echo old >a.pack; chmod 640 a.pack; ln a.pack other
        pricetag pack --storefronts JPN,USB -o a.pack 2>/dev/null; echo $?; cat a.pack
        pricetag pack --storefronts JPN -o a.pack 2>/dev/null; echo $?; cat other; head -c 8 a.pack; echo
        stat -c %a a.pack; ls
        """
      )
      #expect(
        outcome.output == "1\nold\n0\nold\nPriceTag\n640\na.pack\neuro\ngame\nother\n",
        "\(outcome.report)"
      )
    }
  }

  /// The bytes of the file that is shown must be those that were written.
  @Test func showRejectsDamage() throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(
        folder,
        """
        pricetag pack --storefronts JPN -o a.pack 2>/dev/null
        head -c 400 a.pack >short.pack; pricetag pack --show short.pack
        { head -c 299 a.pack; printf Z; tail -c +301 a.pack; } >damaged.pack; pricetag pack --show damaged.pack
        """
      )
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.report)")
      #expect(
        outcome.errors.contains(
          "short.pack: the size of the pack is not the one in its header; copy the file again"
        ),
        "\(outcome.report)"
      )
      #expect(
        outcome.errors.contains(
          "damaged.pack: the pack has changed since it was written; copy the file again"
        ),
        "\(outcome.report)"
      )
    }
  }

  /// All storefronts, with symbols, names and spoken forms, fit into 32 KB.
  @Test func storefrontsAreSmall() throws {
    try Self.inFolder { folder in
      let outcome = try Self.shell(
        folder,
        "pricetag pack --widths standard,name -o - 2>/dev/null | gzip --best --no-name | wc --bytes"
      )
      let size = Int(outcome.output.split(separator: "\n").first ?? "") ?? 0
      #expect((1_000...32_768).contains(size), "\(outcome.report)")
    }
  }
}

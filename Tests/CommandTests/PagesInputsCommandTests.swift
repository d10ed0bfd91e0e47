import CommandLineTools
import Foundation
import Testing

/// Tests that `pricetag pages` writes a site again when an option, or a file that an option names, has changed.
@Suite struct PagesInputsCommandTests {
  private static let setUp = """
    mkdir -p kernel templates own assets data
    printf '\\0asm\\1\\0\\0\\0' >kernel/pricetag-full.wasm; echo 'export {}' | tee kernel/phrases.js >kernel/pricetag.js
    echo '<footer>{{shopName}}</footer>' >templates/footer.mustache
    echo '{"thanks":"Thanks"}' >own/en-US.json
    echo one >assets/a.txt
    echo '{"schema":1,"overrides":[{"currency":"USD","symbol":"US$","reason":"a test"}]}' >data/currency-overrides.json
    cat >shop.jsonl <<'END'
    {"productIdentifier":"car","kind":"consumable","localizations":{"en-US":{"name":"Car"}},"prices":{"USA":"4.99","JPN":"700"}}
    END
    run() { pricetag pages shop.jsonl --storefronts USA,JPN --languages en-US,ja --at 2026-11-21 -o site --quiet "$@"; }

    """

  /// Runs a shell script after the files of the options were written.
  private static func shell(_ line: String) throws -> CommandLineTool.Outcome {
    // Few options need the pack.
    let pack =
      line.contains("store.pack")
      ? "pricetag pack --storefronts USA,JPN --at 2026-11-21 -o store.pack\n" : ""
    return try CommandLineTool.shell("\(setUp)\(pack)\(line)", with: [:])
  }

  /// The options, each with a value that makes another site.
  static let options: [(name: String, value: String)] = [
    ("--storefronts", "USA"), ("--languages", "en-US"), ("--development", ""), ("--shop", "Mine"),
    ("--logo", "https://shop.example/logo.svg"), ("--url", "https://shop.example/"),
    ("--checkout", "'https://pay.example/{product}'"), ("--theme", "accent=#123456"),
    ("--templates", "templates"), ("--assets", "assets"), ("--kernel", "kernel"), ("--tax-labels", ""),
    ("--tax-included", "unknown"),
    ("--unit-prices", "half-even"), ("--price-date", ""), ("--page-size", "4"), ("--offers", "promotional"),
    ("--announce-increases", ""), ("--hero", "car"), ("--strings", "own --templates templates"),
    ("--contact", "mailto:me@shop.example"), ("--imprint", "https://shop.example/i"),
    ("--privacy", "https://shop.example/p"), ("--terms", "https://shop.example/t"), ("--width", "iso"),
    ("--zeros", "trim"), ("--sign", "always"), ("--digits", "2-3"), ("--rounding", "half-even"),
    ("--grouping", "never"), ("--numbering", "arab"), ("--notation", "compact-short"),
    ("--qualifier", "approximately"), ("--written-as", "store-web"), ("--locale-data", "data"),
    ("--pack", "store.pack"),
    ("--at", "2026-11-22"), ("--no-payments", ""), ("--first-language", "ja"), ("--everywhere", ""),
  ]

  /// The options that do not change a site, with the reason.
  private static let others: [String: String] = [
    "--from": "changes what is read, which the contents of the catalog cover",
    "--prices-of": "changes what is read, which the contents of the catalog cover",
    "--reinterpret-as": "changes what is read, which the contents of the catalog cover",
    "--texts-in": "changes what is read, which the contents of the catalog cover",
    "--changed": "changes how a site is written, not what it is",
    "--jobs": "the number of threads does not change pages",
    "--strict-language": "fails, or changes nothing",
    "--output": "where the site is",
    "--quiet": "changes what is printed",
    "--write-templates": "writes no site",
    "--version": "writes no site",
    "--help": "writes no site",
  ]

  /// Each option of the command is in one of the lists.
  @Test func namesEveryOption() throws {
    let help = try CommandLineTool.run(["pages", "--help"]).output
    let names = help.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^  (?:-[a-z], )?(--[a-z-]+)/).map { String($0.1) }
    }
    #expect(names.count > 40)
    let known = Set(Self.options.map(\.name)).union(Self.others.keys)
    #expect(Set(names).subtracting(known).isEmpty, "test that these options write the site again")
    #expect(known.subtracting(names).isEmpty, "the command has no such options")
  }

  /// Writes a site two times with the same options.
  ///
  /// - Returns: The fingerprint of the inputs, and whether the second run kept the site of the first one.
  private static func inputs(_ arguments: String) throws -> (text: String, isKept: Bool) {
    let outcome = try shell(
      """
      state() { stat -c %i site; tail -n 1 site/.pricetag-site | cut -d ' ' -f 2; }
      run \(arguments); state; run \(arguments); state
      """
    )
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(outcome.report)")
    return (lines[1], lines[0] == lines[2] && lines[1] == lines[3])
  }

  /// The inputs of a site that is written without any of the options.
  private static let withoutOptions = Result { try inputs("") }

  /// Other folders have the same inputs, so that the tests below compare options only.
  @Test func inputsDoNotNameFolders() throws {
    #expect(try Self.inputs("").text == Self.withoutOptions.get().text)
  }

  /// A site is written again if an option is added or removed, because its inputs are others. The same options keep it.
  @Test(arguments: options.map(\.name)) func optionIsAnInput(_ name: String) throws {
    let option = try #require(Self.options.first { $0.name == name })
    let inputs = try Self.inputs("\(option.name) \(option.value)")
    #expect(inputs.isKept)
    let others = try Self.withoutOptions.get()
    #expect(others.isKept && inputs.text != others.text)
  }

  /// Adding an option writes the site again, and so does removing it.
  @Test func writesSiteForOtherOptions() throws {
    let outcome = try Self.shell(
      """
      number() { stat -c %i site; }
      run; a=$(number); run --width iso; b=$(number); run; c=$(number)
      [ $a != $b ] && [ $b != $c ] && echo written
      """
    )
    #expect(outcome.output == "written\n", "\(outcome.report)")
  }

  /// Changes of files that options name, and what the site has after them.
  static let files: [(arguments: String, change: String, check: String)] = [
    ("", "sed -i s/4.99/5.99/ shop.jsonl", "grep -c '\\$5.99' site/store/usa/en-us/index.html"),
    (
      "--templates templates", "echo '<footer>New</footer>' >templates/footer.mustache",
      "grep -c '>New<' site/store/usa/en-us/index.html"
    ),
    (
      "--strings own --templates templates",
      "echo '{{own.thanks}}' >templates/footer.mustache; run --strings own --templates templates; echo '{\"thanks\":\"Many\"}' >own/en-US.json",
      "grep -c Many site/store/usa/en-us/index.html"
    ),
    // The time and the size of a picture are those of the old one.
    (
      "--assets assets", "touch -r assets/a.txt time; echo two >assets/a.txt; touch -r time assets/a.txt",
      "grep -c two site/a.txt"
    ),
    (
      "--kernel kernel", "echo 'export { }' >kernel/pricetag.js",
      "cat site/assets/kernel-*/pricetag.js | grep -c '{ }'"
    ),
    (
      "--locale-data data", "sed -i 's/US\\$/U\\$/' data/currency-overrides.json",
      "grep -c '>U\\$4.99<' site/store/usa/en-us/index.html"
    ),
    (
      "--pack store.pack",
      "pricetag pack --locale-data data --storefronts USA,JPN --at 2026-11-21 -o store.pack",
      "grep -c '>US\\$4.99<' site/store/usa/en-us/index.html"
    ),
  ]

  @Test(arguments: files) func writesSiteForFile(_ arguments: String, _ change: String, _ check: String)
    throws
  {
    let outcome = try Self.shell(
      "run \(arguments); \(check); echo -; \(change); run \(arguments); \(check) | grep -qv '^0$' && echo shown"
    )
    #expect(outcome.output == "0\n-\nshown\n", "\(outcome.report)")
  }

  // MARK: Changed products

  /// The site of `--changed` is that of a complete run, from a file and from a database.
  @Test(arguments: ["shop.jsonl", "shop.pricetag"]) func changedProducts(_ catalog: String) throws {
    let outcome = try Self.shell(
      """
      pages() { pricetag pages \(catalog) --storefronts USA,JPN --languages en-US,ja --at ${day:-2026-11-21} "$@" 2>&1 | head -1; }
      read_shop() { case \(catalog) in *.pricetag) pricetag import shop.jsonl --into \(catalog) --quiet;; esac; }
      sed 's/car/bike/g; s/Car/Bike/' shop.jsonl >bike; cat bike >>shop.jsonl; read_shop
      pages -o site --changed
      sed -i s/4.99/5.99/ shop.jsonl; read_shop
      pages -o site --changed; pages -o other >/dev/null
      diff -r -x .pricetag-site site other && echo same
      pages -o site --changed; day=2026-11-22 pages -o site --changed --shop Mine
      """
    )
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 5, "\(outcome.report)")
    #expect(lines[0].hasSuffix("0 unchanged, 0 removed (complete run: no record of a complete site)"))
    #expect(!lines[1].contains("complete run") && !lines[1].contains(" 0 files written"), "\(lines)")
    #expect(lines[2] == "same" && lines[3].contains(": 0 files written"), "\(lines)")
    #expect(lines[4].hasSuffix("(complete run: dates, options changed)"), "\(lines)")
  }

  /// A killed run leaves a folder from which both kinds of runs write the right site.
  @Test func killedChangedRun() throws {
    let outcome = try Self.shell(
      """
      set +e
      for i in $(seq -w 1 40); do
        echo '{"productIdentifier":"item'$i'","category":"all","localizations":{"en-US":{"name":"Item"}},"prices":{"USA":"1.99"}}'
      done >shop.jsonl
      options="--storefronts USA --languages en-US --page-size 4 --at 2026-11-21 --quiet"
      pricetag pages shop.jsonl -o site $options
      for number in 1 2 3 4 5; do
        sed -i s/1.9[0-9]/1.9$number/ shop.jsonl
        sed -i 2d shop.jsonl
        pricetag pages shop.jsonl -o site $options --changed & sleep 0.0$number; kill -9 $! 2>/dev/null; wait $! 2>/dev/null
        [ $number = 3 ] && kind= || kind=--changed
        pricetag pages shop.jsonl -o site $options $kind; pricetag pages shop.jsonl -o other $options
        diff -r -x .pricetag-site site other && echo same
      done
      ls -d site*
      """
    )
    #expect(outcome.output == String(repeating: "same\n", count: 5) + "site\n", "\(outcome.report)")
  }
}

import CommandLineTools
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Runs `pricetag check` with packs.
@Suite struct PackCheckCommandTests {
  /// The bytes of `old.pack`, which is written once for all tests.
  private static let pack: Result<Data, any Error> = Result {
    try CommandLineTool.inFolder { folder in
      let outcome = try CommandLineTool.shell(
        "cd '\(folder.path)' && pricetag pack --storefronts CHE,JPN --widths standard,name --at 2026-11-21 -o old.pack"
      )
      try #require(outcome.status == 0, "\(outcome.report)")
      return try Data(contentsOf: folder.appending(path: "old.pack"))
    }
  }

  /// Runs a shell script in a temporary folder. The folder has `old.pack`, a pack of two storefronts, and `new/`, locale
  /// data with another group separator in Switzerland.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    let files: KeyValuePairs = [
      "new/currency-overrides.json":
        #"{"schema":1,"overrides":[{"storefront":"JPN","group":"·","reason":"r"}]}"#,
      "stores/storefronts.json": #"""
      {"schema":1,"sources":{"s":"source"},"storefronts":[{"id":"JPN","alpha2":"JP",
      "currencies":[{"currency":"JPY","source":"s"}],"priceLocale":"ja-JP","defaultLanguage":"ja",
      "languages":["ja"],"sources":{"id":"s","priceLocale":"s","languages":"s"}}]}
      """#,
      "shop.jsonl": #"{"productIdentifier":"car","prices":{"JPN":"1200"}}"# + "\n",
    ]
    return try CommandLineTool.inFolder(files) { folder in
      try Self.pack.get().write(to: folder.appending(path: "old.pack"))
      return try CommandLineTool.shell("cd '\(folder.path)'\n\(line)")
    }
  }

  private static func withoutVersions(_ text: String) -> String {
    text.replacing(/PriceTag \S+, ICU \S+, CLDR \S+, Unicode \S+, registry \w{16}/, with: "VERSIONS")
  }

  private static let same = """
    no changes: 2 storefronts in 2 styles
    old and new with VERSIONS

    """

  private static let changed = """
    1 change, in 1 of 2 storefronts
    old with VERSIONS
    new with VERSIONS
    The registries differ: check --locale-data and its version.

    class            changes  storefronts
    separators             1  JPN

    separators: group separator , → ·
      1 storefront: JPN; 2 styles: standard name
      1234 JPY in JPN (standard)
        - ￥1,234
        + ￥1·234
          at 3: U+00B7 MIDDLE DOT, expected U+002C COMMA

    """

  private static let note = "pricetag: note: to accept all changes, run again with --accept\n"

  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    ("pricetag check old.pack", 0, same, ""),
    ("PRICETAG_PACK=old.pack pricetag check old.pack", 0, same, ""),
    ("pricetag check old.pack --locale-data new", 3, changed, note),
    ("PRICETAG_LOCALE_DATA=new pricetag check old.pack", 3, changed, note),
    ("pricetag check old.pack --locale-data new --fail-on none", 0, changed, ""),
    ("pricetag check old.pack --locale-data new --fail-on amount,symbol", 0, changed, ""),
    ("pricetag check old.pack --locale-data new --fail-on separators", 3, changed, note),
    (
      "pricetag pack --storefronts CHE,JPN --widths standard,name --locale-data new -o new.pack 2>/dev/null; pricetag check old.pack --against new.pack",
      3, changed, ""
    ),
    ("pricetag check old.pack --against old.pack", 0, same, ""),
  ]

  @Test(arguments: runs)
  func reportsChanges(line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try shell(line)
    #expect(outcome.status == status, "\(line): \(outcome.errors)")
    #expect(Self.withoutVersions(outcome.output) == output, "\(line)")
    #expect(outcome.errors == errors, "\(line)")
  }

  /// An accepted pack keeps its phrases, also those of the shop.
  @Test func keepsPhrases() throws {
    let outcome = try shell(
      #"""
      mkdir strings; echo '{"fee": "Fee: {fee}"}' >strings/en-US.json
      pricetag pack --storefronts JPN --phrases de,en --strings strings -o shop.pack 2>/dev/null
      cp shop.pack other.pack
      pricetag check shop.pack --accept 2>/dev/null | head -1
      cmp shop.pack other.pack && echo equal
      pricetag pack --storefronts JPN --phrases de -o german.pack 2>/dev/null
      pricetag check shop.pack --against german.pack | grep -E '^(gone|new|text):' -A 1
      """#
    )
    #expect(
      outcome.output == """
        no changes: 1 storefront in 2 styles, 50 phrases in 2 languages
        equal
        gone: language of phrases is gone
          1 locale: en-US
        --
        gone: phrase fee is gone
          1 locale: de

        """
    )
  }

  /// The accepted pack has the bytes of a new one with the same options, and keeps its permissions.
  @Test func acceptsChanges() throws {
    let outcome = try shell(
      """
      chmod 640 old.pack
      pricetag check old.pack --locale-data new --accept | head -1
      pricetag check old.pack --locale-data new | head -1
      stat -c %a old.pack
      ls
      pricetag pack --storefronts CHE,JPN --widths standard,name --locale-data new -o new.pack 2>/dev/null
      cmp old.pack new.pack && echo equal
      """
    )
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        1 change, in 1 of 2 storefronts
        no changes: 2 storefronts in 2 styles
        640
        new
        old.pack
        shop.jsonl
        stores
        equal

        """
    )
    #expect(outcome.errors.wholeMatch(of: /pricetag: wrote \d+ formatters in \d+ bytes\n/) != nil)
  }

  /// A pack is not replaced by one that lacks a storefront.
  @Test func acceptsNoMissingStorefronts() throws {
    let outcome = try shell(
      """
      cp old.pack copy.pack
      pricetag check old.pack --locale-data stores --accept > report
      echo $?
      head -1 report
      cmp old.pack copy.pack && echo equal
      """
    )
    #expect(
      outcome.output == "1\n2 changes, in 1 of 2 storefronts\nequal\n",
      "\(outcome.output)"
    )
    #expect(
      outcome.errors
        == "pricetag: old.pack: unknown storefront \"CHE\", so the pack was not changed; use locale data that has it, or write a new pack with pricetag pack\n"
    )
  }

  /// A pack is not replaced by one that lacks a custom currency of its storefronts.
  @Test func acceptsNoMissingCurrencies() throws {
    let outcome = try shell(
      #"""
      mkdir coins
      echo '{"schema":1,"currencies":[{"code":"GEMS","digits":0,"symbol":"G","like":"USD","storefronts":"all","reason":"r"}]}' > coins/custom-currencies.json
      pricetag pack --storefronts JPN --locale-data coins -o coins.pack 2>/dev/null
      cp coins.pack copy.pack
      pricetag check coins.pack --accept > report
      echo $?
      cmp coins.pack copy.pack && echo equal
      """#
    )
    #expect(outcome.output == "1\nequal\n", "\(outcome.report)")
    #expect(
      outcome.errors
        == "pricetag: coins.pack: unknown currency \"GEMS\", so the pack was not changed; use locale data that has it, or write a new pack with pricetag pack\n"
    )
  }

  static let failures: [(line: String, status: Int32, error: String)] = [
    (
      "printf x >> old.pack; pricetag check old.pack", 1,
      "old.pack: the size of the pack is not the one in its header; copy the file again"
    ),
    (
      "printf X | dd of=old.pack bs=1 seek=200 conv=notrunc status=none; pricetag check old.pack --accept", 1,
      "old.pack: the pack has changed since it was written; copy the file again"
    ),
    (
      "printf '\\002' | dd of=old.pack bs=1 seek=8 conv=notrunc status=none; pricetag check old.pack", 1,
      "old.pack: the pack has a layout of another version; write it again with this version of PriceTag"
    ),
    (
      "pricetag check old.pack --against shop.jsonl", 1,
      "shop.jsonl: the file is not a pack; write one with pricetag pack -o FILE"
    ),
    (
      "pricetag check old.pack --against none.pack", 1,
      "none.pack: cannot read the pack: No such file or directory; check the path"
    ),
    (
      "pricetag record shop.jsonl --storefronts JPN -o a.golden 2>/dev/null; pricetag check a.golden --against old.pack",
      1, "old.pack, line 1: the file does not start with "
    ),
    (
      "pricetag check old.pack --catalog shop.jsonl", 2,
      "a pack cannot be checked with --catalog; remove it (see pricetag help)"
    ),
    (
      "pricetag check old.pack --displayed shop.jsonl", 2,
      "a pack cannot be checked with --displayed; remove it (see pricetag help)"
    ),
    (
      "pricetag check old.pack --pack old.pack", 2,
      "a pack cannot be checked with --pack; use --against to compare with another pack (see pricetag help)"
    ),
    (
      "pricetag check old.pack --from csv", 2,
      "a pack cannot be checked with options that read a catalog (--from, --prices-of, --reinterpret-as, --texts-in); remove them (see pricetag help)"
    ),
    (
      "pricetag check old.pack --against old.pack --locale-data new", 2,
      "packs are compared without locale data; remove --against or --locale-data (see pricetag help)"
    ),
    (
      "pricetag check old.pack --against old.pack --accept", 2,
      "--accept and --against cannot be combined; remove one (see pricetag help)"
    ),
  ]

  @Test(arguments: failures)
  func invalidInputIsAnError(line: String, status: Int32, error: String) throws {
    let outcome = try shell(line)
    #expect(outcome.status == status, "\(line)")
    #expect(outcome.output.isEmpty, "\(line)")
    #expect(outcome.errors.hasPrefix("pricetag: \(error)"), "\(line): \(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(line): \(outcome.errors)")
  }

  /// The formats of other tools.
  @Test func writesReportsForTools() throws {
    let json = try shell("pricetag check old.pack --locale-data new --format json")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    )
    let change = try #require((report["changes"] as? [[String: Any]])?.first)
    #expect(change["class"] as? String == "separators" && change["subject"] as? String == "group separator")
    #expect(change["storefronts"] as? [String] == ["JPN"])
    #expect(change["styles"] as? [String] == ["standard", "name"])
    #expect(report["changedStorefronts"] as? Int == 1 && report["storefronts"] as? Int == 2)
    #expect((report["old"] as? [String: Any])?["name"] as? String == "old.pack")
    #expect(json.status == 3)

    let gitHub = try shell("pricetag check old.pack --locale-data new --format github")
    #expect(
      Self.withoutVersions(gitHub.output) == """
        ::error file=old.pack,line=1,title=separators%3A JPN::separators: group separator , → · in 1 storefront: JPN; 2 styles: standard name, such as 1234 JPY in JPN: "￥1,234" would be "￥1·234"
        ::notice::1 change, in 1 of 2 storefronts. old with VERSIONS; new with VERSIONS; The registries differ: check --locale-data and its version.

        """
    )

    let junit = try shell("pricetag check old.pack --locale-data new --format junit")
    let document = try XMLDocument(data: Data(junit.output.utf8))
    #expect(try document.nodes(forXPath: "//testcase/@name").map(\.stringValue) == ["CHE", "JPN"])
    #expect(try document.nodes(forXPath: "//testcase[failure]/@name").map(\.stringValue) == ["JPN"])
    #expect(try document.nodes(forXPath: "/testsuites[@tests=2][@failures=1]").count == 1)
  }
}

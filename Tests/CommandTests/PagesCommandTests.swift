import CommandLineTools
import Foundation
import Testing

/// `pricetag pages` as a person runs it.
@Suite struct PagesCommandTests {
  private static let shop = """
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"}},"prices":{"USA":"4.99","JPN":"700"}}
    {"productIdentifier":"sold-in-usa","clearedForSale":["USA"],"prices":{"USA":"1.00"}}

    """

  /// A line of shell in a folder of its own, which has `shop.jsonl`.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.shop.utf8).write(to: folder.appending(path: "shop.jsonl"))
    return try CommandLineTool.shell("cd '\(folder.path)'\n\(line)")
  }

  private static let usual = "pricetag pages shop.jsonl --storefronts USA,JPN --languages en-US,ja -o site"

  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    (
      "\(usual); find site -name '*.html' | wc -l; grep -c '￥700' site/store/jpn/en-us/index.html", 0,
      "16\n2\n",
      "pricetag: 16 pages in \"site\": 19 files written, 0 unchanged, 0 removed\n"
    ),
    (
      "\(usual) --quiet; \(usual)", 0, "",
      "pricetag: 16 pages in \"site\": 0 files written, 19 unchanged, 0 removed\n"
    ),
    // A mistake is told once, and the rest is there.
    (
      "\(usual.replacing("USA,JPN", with: "USA,DEU")); echo $?; ls site/store", 0, "3\ndeu\nusa\n",
      "pricetag: not shown: DEU: \"car\": the product has no price in DEU on"
    ),
    (
      "pricetag pages --write-templates t && ls t | wc -l && sed -i 's/<h1>/<h1 class=\"mine\">/' t/store.mustache && \(usual) --quiet --templates t && grep -c 'h1 class=\"mine\"' site/store/usa/ja/index.html",
      0, "12\n1\n", ""
    ),
    (
      "mkdir t && echo '{{nope}}' > t/store.mustache; \(usual) --templates t", 1, "",
      "t, store.mustache, line 1: no page has \"nope\""
    ),
    (
      "pricetag pages --write-templates t; pricetag pages --write-templates t", 1, "",
      "is there already: give a new folder"
    ),
    (
      "mkdir site && echo mine > site/letter; \(usual); echo $?; cat site/letter", 0, "1\nmine\n",
      "holds \"letter\", which is not of a site"
    ),
    (
      "mkdir in && mv shop.jsonl in/ && pricetag pages in/shop.jsonl -o in", 1, "",
      "the site would replace the folder of the catalogue"
    ),
    ("\(usual) --theme accent=red", 1, "", "accent: \"red\" is no colour"),
    ("\(usual) --theme accent", 2, "", "\"accent\" is no colour of a theme: give one such as accent=#8a2be2"),
    ("\(usual) --url ftp://x/", 1, "", "\"ftp://x/\" is no address of a site"),
    ("\(usual) --checkout 'javascript:x'", 1, "", "is no address of a checkout"),
    ("\(usual) --assets nothing", 1, "", "\"nothing\" is no folder that can be read"),
    ("\(usual) --languages xx", 1, "", "xx"),
    ("pricetag pages shop.jsonl", 2, "", "Missing expected argument '--output <dir>'"),
    ("pricetag pages -o site", 2, "", "Missing expected argument '<catalog>'"),
    (
      "\(usual) --no-payments --quiet && grep -c 'The store is not available' site/store/usa/en-us/index.html; grep -c USD site/store/usa/en-us/index.html",
      1, "3\n0\n", ""
    ),
    ("\(usual) -o /proc/site", 1, "", "\"/proc/site\" cannot be made"),
    // What is a mistake takes no site's place.
    (
      "\(usual) --quiet; : > shop.jsonl; \(usual) 2>&1 | tail -n 1; ls site/store", 0,
      "pricetag: the catalogue has no products: correct the catalogue, or the storefronts and the day that were asked for; the old site is as it was\njpn\nusa\n",
      ""
    ),
    (
      "\(usual.replacing("USA,JPN", with: "DEU"))", 1, "",
      "none of 2 products can be shown in any of these storefronts"
    ),
    (
      "\(usual) --assets .", 1, "",
      "the catalogue is among the shop's own files, and would be published with them"
    ),
    (
      "mkdir files; \(usual) --assets files -o files/site", 1, "",
      "the site and the shop's own files are in each other"
    ),
    (
      "\(usual) --logo logo.png", 0, "",
      "not shown, for there are no files of the shop's (--assets): logo.png, of the logo"
    ),
    ("\(usual) --theme accent=#000000 --theme accent=#111111", 2, "", "--theme names \"accent\" twice"),
    (
      "\(usual) --theme accent=#000080 --theme dark-accent=#ffffff --no-everywhere --quiet; ls site", 0,
      "assets\nchoose\nindex.html\nstore\n", ""
    ),
    ("pricetag pages shop.jsonl -o -", 2, "", "a site is a folder, and - is none"),
    ("\(usual) -o deep/er/site", 1, "", "the folder that it would be in is not there: make that first"),
    // A store that has nothing is in no list.
    (
      "\(usual.replacing("USA,JPN", with: "USA,DEU")) 2>/dev/null; grep -c data-storefront=.DEU site/index.html; ls site/store/deu",
      0,
      "0\nen-us\nja\n", ""
    ),
    // From standard input.
    (
      "pricetag pages - --from jsonl --storefronts USA --languages en-US -o site --quiet < shop.jsonl && ls site/store",
      0, "usa\n", ""
    ),
  ]

  @Test(arguments: runs)
  func pagesAreMade(line: String, status: Int32, output: String, errors: String) throws {
    let run = try shell(line)
    #expect(run.status == status, "\(run.report)")
    #expect(run.output == output, "\(run.report)")
    #expect(errors.isEmpty ? run.errors.isEmpty : run.errors.contains(errors), "\(run.report)")
  }

  /// A run that is stopped in the middle leaves the old site, whichever way it is stopped; the next run is not hindered.
  @Test(arguments: ["KILL", "TERM", "INT"])
  func aStoppedRunLeavesTheOldSite(signal: String) throws {
    let run = try shell(
      """
      pricetag pages shop.jsonl --storefronts USA --languages en-US -o site --quiet
      find site -type f -exec md5sum {} + | sort > before
      set -m
      pricetag pages shop.jsonl --storefronts USA,JPN --languages all --jobs 1 -o site --quiet 2>errors &
      for try in $(seq 500); do compgen -G 'site.pricetag-new/store/*' >/dev/null && break; sleep 0.01; done
      kill -\(signal) $! && wait $!
      find site -type f -exec md5sum {} + | sort | cmp - before && echo same
      [ \(signal) = KILL ] || ls -d *.pricetag-new 2>/dev/null
      [ \(signal) = KILL ] || grep -o 'the site is as it was before' errors
      pricetag pages shop.jsonl --storefronts JPN --languages en-US -o site --quiet
      ls site/store; ls -d site*
      """
    )
    let told = signal == "KILL" ? "" : "the site is as it was before\n"
    #expect(run.output == "same\n\(told)jpn\nsite\n", "\(run.report)")
  }
}

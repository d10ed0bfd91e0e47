import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag pages`.
@Suite struct PagesCommandTests {
  private static let shop = """
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"}},"prices":{"USA":"4.99","JPN":"700"}}
    {"productIdentifier":"sold-in-usa","clearedForSale":["USA"],"prices":{"USA":"1.00"}}

    """

  /// Runs a shell script in a temporary folder that has `shop.jsonl`.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    try CommandLineTool.shell(line, with: ["shop.jsonl": Self.shop])
  }

  private static let command = "pricetag pages shop.jsonl --storefronts USA,JPN --languages en-US,ja -o site"

  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    (
      "\(command); find site -name '*.html' | wc -l; grep -c '￥700' site/store/jpn/en-us/index.html", 0,
      "16\n2\n",
      "pricetag: 16 pages in \"site\": 21 files written, 0 unchanged, 0 removed\n"
    ),
    (
      "\(command) --quiet; \(command)", 0, "",
      "pricetag: 16 pages in \"site\": 0 files written, 21 unchanged, 0 removed\n"
    ),
    // Buttons need a checkout or a script, which a template may link.
    (
      "\(command)", 0, "",
      "pricetag: buttons do nothing without --checkout or a script of yours that handles them\n"
    ),
    (
      "\(command) --checkout 'https://pay.example/{product}' 2>&1 | grep -c buttons; \(command) --no-payments 2>&1 | grep -c buttons",
      1, "0\n0\n", ""
    ),
    // A rejected product is reported, and the other pages are written.
    (
      "\(command.replacing("USA,JPN", with: "USA,DEU")); echo $?; ls site/store", 0, "3\ndeu\nusa\n",
      "pricetag: not shown: DEU: \"car\": the product has no price in DEU on"
    ),
    (
      "pricetag pages --write-templates t && ls t | wc -l && sed -i 's/<h1>/<h1 class=\"mine\">/' t/store.mustache && \(command) --quiet --templates t && grep -c 'h1 class=\"mine\"' site/store/usa/ja/index.html",
      0, "25\n1\n", ""
    ),
    (
      "mkdir t && echo '{{nope}}' > t/store.mustache; \(command) --templates t", 1, "",
      "t, store.mustache, line 1: unknown name \"nope\""
    ),
    (
      "pricetag pages --write-templates t; pricetag pages --write-templates t", 1, "",
      "the file already exists; use a new folder"
    ),
    (
      "mkdir site && echo mine > site/letter; \(command); echo $?; cat site/letter", 0, "1\nmine\n",
      "contains \"letter\", which does not belong to a site"
    ),
    (
      "mkdir in && mv shop.jsonl in/ && pricetag pages in/shop.jsonl -o in", 1, "",
      "is in the folder of the site, which would be replaced"
    ),
    ("\(command) --theme accent=red", 2, "", "accent: \"red\" is not a color"),
    (
      "\(command) --theme accent", 2, "",
      "\"accent\" is not a theme color; write name=#rrggbb, such as accent=#8a2be2"
    ),
    ("\(command) --url ftp://x/", 2, "", "\"ftp://x/\" is not an address of a site"),
    ("\(command) --checkout 'javascript:x'", 2, "", "is not an address of a checkout"),
    ("\(command) --hero bad=id", 2, "", "the hero \"bad=id\" is not a product identifier"),
    ("\(command) --assets nothing", 1, "", "cannot read the folder \"nothing\""),
    ("\(command) --languages xx", 1, "", "xx"),
    ("pricetag pages shop.jsonl", 2, "", "Missing expected argument '--output <dir>'"),
    ("pricetag pages -o site", 2, "", "Missing expected argument '<catalog>'"),
    (
      "\(command) --no-payments --quiet && grep -c 'The store is unavailable' site/store/usa/en-us/index.html; grep -c USD site/store/usa/en-us/index.html",
      1, "3\n0\n", ""
    ),
    ("\(command) -o /proc/site", 1, "", "cannot create \"/proc/site\""),
    // A failed run does not replace the previous site.
    (
      "\(command) --quiet; : > shop.jsonl; \(command) 2>&1 | tail -n 1; ls site/store", 0,
      "pricetag: the catalog has no products; correct the catalog, or request other storefronts or another date (the previous site is unchanged)\njpn\nusa\n",
      ""
    ),
    (
      "\(command.replacing("USA,JPN", with: "DEU"))", 1, "",
      "no product can be shown in the requested storefronts"
    ),
    (
      "\(command) --assets .", 1, "",
      "the catalog is in the folder of --assets, and would be published"
    ),
    (
      "mkdir files; \(command) --assets files -o files/site", 1, "",
      "one of the folders of --output and --assets is inside the other"
    ),
    (
      "\(command) --logo logo.png", 0, "",
      "picture not shown, because --assets is missing: logo.png"
    ),
    (
      "\(command) --theme accent=#000000 --theme accent=#111111", 2, "",
      "the theme color \"accent\" appears twice; remove one"
    ),
    (
      "\(command) --theme accent=#000080 --theme dark-accent=#ffffff --quiet; ls site", 0,
      "404.html\nassets\nchoose\nindex.html\nstore\n", ""
    ),
    (
      "\(command) --tax-labels --quiet; grep -ho '>plus tax<\\|>税込<' site/store/*/*/index.html | sort -u", 0,
      ">plus tax<\n>税込<\n", ""
    ),
    ("\(command) --quiet; grep -rl 'plus tax' site", 1, "", ""),
    (
      #"echo '{"productIdentifier":"fuel","content":"0.5 L","prices":{"USA":"0.99"}}' > fuel.jsonl; "#
        + "pricetag pages fuel.jsonl -o site --storefronts USA --languages en-US --unit-prices half-up --quiet; "
        + "grep -ho '>$1.98/L<' site/store/usa/en-us/index.html site/store/usa/en-us/products/fuel/index.html",
      0, ">$1.98/L<\n>$1.98/L<\n", ""
    ),
    (
      "\(command) --offers code", 2, "",
      "\"code\" is not a kind of offers that pages show; use introductory, "
    ),
    (
      "\(command) --offers none --quiet; ls site", 0,
      "404.html\nassets\nchoose\nindex.html\nstore\n", ""
    ),
    // Messages of the shop's own, in the store's price and the page's language.
    (
      "mkdir own tpl; echo '{\"note\": \"Only {price}\"}' > own/en-US.json; echo '{\"note\": \"{price}だけ\"}' > own/ja.json; "
        + "echo '{{#product}}{{{own.note}}} {{amount}}{{/product}}' > tpl/product.mustache; "
        + "\(command) --templates tpl --strings own --quiet; "
        + "cat site/store/jpn/*/products/*/index.html | sed 's/<[^>]*>/|/g' | head -n 2",
      0, "Only ||￥700||700円|| 700\n||￥700||700円||だけ 700\n", ""
    ),
    ("\(command) --strings own", 2, "", "--strings has no effect without --templates"),
    (
      "\(command) --templates . --strings nothing", 1, "", "nothing: cannot read the folder; check the path"
    ),
    (
      "\(command) --imprint https://shop.example/imprint --contact tel:+4930123 --quiet; "
        + "grep -ho '<a href=\"[^\"]*\">\\(Contact\\|Legal notice\\)' site/index.html",
      0, "<a href=\"tel:+4930123\">Contact\n<a href=\"https://shop.example/imprint\">Legal notice\n", ""
    ),
    (
      "\(command) --privacy mailto:a@shop.example", 2, "",
      "\"mailto:a@shop.example\" is not an address of the link \"privacy\""
    ),
    ("pricetag pages shop.jsonl -o -", 2, "", "--output must be a folder, not -"),
    ("\(command) -o deep/er/site", 1, "", "the parent folder does not exist; create the parent folder"),
    // A storefront without products is not in the list.
    (
      "\(command.replacing("USA,JPN", with: "USA,DEU")) 2>/dev/null; grep -c data-storefront=.DEU site/index.html; ls site/store/deu",
      0,
      "0\nen-us\nja\n", ""
    ),
    // Reads standard input.
    (
      "pricetag pages - --from jsonl --storefronts USA --languages en-US -o site --quiet < shop.jsonl && ls site/store",
      0, "usa\n", ""
    ),
  ]

  @Test(arguments: runs)
  func runsCommand(line: String, status: Int32, output: String, errors: String) throws {
    let run = try shell(line)
    #expect(run.status == status, "\(run.report)")
    #expect(run.output == output, "\(run.report)")
    #expect(errors.isEmpty ? run.errors.isEmpty : run.errors.contains(errors), "\(run.report)")
  }

  /// A run that is stopped leaves the previous site, and does not affect the next run.
  @Test(arguments: ["KILL", "TERM", "INT"])
  func keepsPreviousSiteWhenStopped(signal: String) throws {
    let run = try shell(
      """
      pricetag pages shop.jsonl --storefronts USA --languages en-US -o site --quiet
      find site -type f -exec md5sum {} + | sort > before
      # Many pages, so that the run is stopped long before its end.
      for i in {1..200}; do echo '{"productIdentifier":"p'$i'","prices":{"USA":"1.00","JPN":"100"}}'; done >many.jsonl
      set -m
      pricetag pages many.jsonl --storefronts USA,JPN --languages all --jobs 1 -o site --quiet 2>errors &
      for try in $(seq 60000); do compgen -G 'site.pricetag-new/store/*' >/dev/null && break; sleep 0.01; done
      kill -\(signal) $! && wait $!
      find site -type f -exec md5sum {} + | sort | cmp - before && echo same
      [ \(signal) = KILL ] || ls -d *.pricetag-new 2>/dev/null
      [ \(signal) = KILL ] || grep -o 'the previous site is unchanged' errors
      pricetag pages shop.jsonl --storefronts JPN --languages en-US -o site --quiet
      ls site/store; ls -d site*
      """
    )
    let message = signal == "KILL" ? "" : "the previous site is unchanged\n"
    #expect(run.output == "same\n\(message)jpn\nsite\n", "\(run.report)")
  }
}

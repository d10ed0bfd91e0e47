import CommandLineTools
import Foundation
import Testing

/// Runs the verbs that format prices with `--pack`.
@Suite struct PinnedPriceCommandTests {
  private static let shop = """
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"}},"prices":{"USA":"4.99","JPN":"700","DEU":"5.49"}}

    """

  private static let rows = """
    {"storefront":"USA","amount":"5"}
    {"storefront":"DEU","amount":"5"}
    {"storefront":"JPN","amount":"5","currency":"JPY"}
    {"priceLocale":"de-DE","currency":"USD","amount":"5"}

    """

  private static let writesPack =
    "pack() { pricetag pack --storefronts USA,JPN --locale-data data \"$@\" 2>/dev/null; }"

  /// Calls a closure with a temporary folder that has `shop.jsonl`, `rows.jsonl`, and locale data in which USD has
  /// another symbol than in ICU.
  private static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let override = #"{"schema":1,"overrides":[{"currency":"USD","symbol":"U$","reason":"r"}]}"#
    return try CommandLineTool.inFolder(
      ["data/currency-overrides.json": override, "shop.jsonl": shop, "rows.jsonl": rows],
      body
    )
  }

  /// The bytes of `store.pack`, which is written once for all tests.
  private static let pack: Result<Data, any Error> = Result {
    try inFolder { folder in
      let outcome = try CommandLineTool.shell("cd '\(folder.path)'\n\(writesPack)\npack -o store.pack")
      try #require(outcome.status == 0, "\(outcome.report)")
      return try Data(contentsOf: folder.appending(path: "store.pack"))
    }
  }

  /// Runs a shell script in a temporary folder. The folder has `shop.jsonl`, `rows.jsonl`, and `store.pack` with the
  /// storefronts USA and JPN, in which USD has another symbol than in ICU.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    try Self.inFolder { folder in
      try Self.pack.get().write(to: folder.appending(path: "store.pack"))
      return try CommandLineTool.shell("cd '\(folder.path)'\n\(Self.writesPack)\n\(line)")
    }
  }

  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    ("pricetag format --storefront USA 5 --pack store.pack", 0, "U$5.00\n", ""),
    ("pricetag format --storefront=JPN 1200 --pack=store.pack", 0, "￥1,200\n", ""),
    ("pricetag format --storefront USA --pack store.pack -- 5", 0, "U$5.00\n", ""),
    ("PRICETAG_PACK=store.pack pricetag format --storefront USA 5", 0, "U$5.00\n", ""),
    ("PRICETAG_PACK= pricetag format --storefront USA 5", 0, "$5.00\n", ""),
    ("PRICETAG_PACK=none pricetag format --storefront USA 5 --pack store.pack", 0, "U$5.00\n", ""),
    (
      "pricetag format --storefront DEU 5 --pack store.pack", 1, "",
      "the pack does not have the storefront DEU; write it again with pricetag pack, and add DEU to --storefronts"
    ),
    (
      "pricetag format --storefront USA --width iso 5 --pack store.pack", 1, "",
      "the pack does not have the style (iso); write it again with pricetag pack, and pass --widths standard,iso"
    ),
    (
      "pricetag format --storefront USA 1 --to 5 --pack store.pack", 1, "",
      "a pack has no ranges of prices; format the two amounts separately"
    ),
    ("pricetag format --storefront USA 5.005 --pack store.pack", 1, "", "5.005 USD has more decimals"),
    (
      "pricetag format --storefront USA 5 --pack none.pack", 1, "",
      "none.pack: cannot read the pack: "
    ),
    (
      "pricetag format --storefront USA 5 --pack rows.jsonl", 1, "",
      "rows.jsonl: the file is not a pack; write one with pricetag pack -o FILE"
    ),
    (
      "pricetag format --storefront USA --installments 3 --rounding half-up 10 --pack store.pack", 0,
      "2 payments of U$3.33 and a last one of U$3.34\n", ""
    ),
    // The spoken form is in the pack too, or the price is an error.
    (
      "pack --no-spoken -o silent.pack; pricetag format --storefront USA 5 --pack silent.pack; pricetag format --storefront USA --json 5 --pack silent.pack",
      1, "U$5.00\n",
      "the pack has no spoken forms of these prices; write it again with pricetag pack, and remove --no-spoken"
    ),
    (
      "pack --per kg -o unit.pack; pricetag format --storefront USA --content '2 kg' 5 --pack unit.pack", 0,
      "U$2.50/kg\n", ""
    ),
    (
      "pricetag batch rows.jsonl --pack store.pack --rejects rejects --quiet; echo $?; grep -o '\"code\":\"[^\"]*\"' rejects",
      0,
      """
      {"storefront":"USA","amount":"5","display":"U$5.00"}
      {"storefront":"JPN","amount":"5","currency":"JPY","display":"￥5"}
      3
      "code":"missing-from-pack"
      "code":"missing-from-pack"

      """, ""
    ),
    (
      "pack --no-spoken -o silent.pack; pricetag pages shop.jsonl --storefronts USA --languages en-US -o site --pack silent.pack",
      1, "", "not shown: USA: \"car\": the pack has no spoken forms"
    ),
    (
      "pack --no-spoken -o silent.pack; pricetag batch rows.jsonl --pack silent.pack --fields spoken", 3, "",
      "the pack has no spoken forms"
    ),
    (
      "pricetag batch shop.jsonl --from jsonl --storefronts USA --languages en-US --to csv --pack store.pack --quiet | grep -o 'U.4.99'",
      0, "U$4.99\n", ""
    ),
    (
      "pricetag record shop.jsonl --storefronts USA,JPN --languages en-US --pack store.pack 2>/dev/null | cut -f 1,2,7,8 | tail -n 2",
      0, "car\tJPN\t￥700\t700円\ncar\tUSA\tU$4.99\t4.99 US dollars\n", ""
    ),
    (
      "pricetag record shop.jsonl --storefronts USA --languages en-US -o usa.golden 2>/dev/null; pricetag check usa.golden --pack store.pack 2>/dev/null | grep -c 'U.4.99'; pricetag check usa.golden >/dev/null && echo same",
      0, "1\nsame\n", ""
    ),
    (
      "pricetag pages shop.jsonl --storefronts USA,JPN --languages en-US -o site --quiet --pack store.pack; grep -rhoE '(U.4\\.99|￥700)' site/store/*/en-us/index.html | sort -u",
      0, "U$4.99\n￥700\n", ""
    ),
    (
      "pricetag pages shop.jsonl --storefronts USA,DEU --languages en-US -o site --pack store.pack",
      3, "",
      "not shown: DEU: \"car\": the pack does not have the storefront DEU; write it again"
    ),
    (
      "pricetag products shop.jsonl --storefront USA --pack store.pack car | grep -o 'U.4.99' | head -n 1", 0,
      "U$4.99\n", ""
    ),
    (
      "pricetag storefronts USA DEU --pack store.pack | grep -o 'U.1,234.50'", 0, "U$1,234.50\n",
      "the pack does not have the storefront DEU"
    ),
    // Without identifiers, the storefronts of the pack; the others are named once.
    (
      "pricetag storefronts --pack store.pack 2>/dev/null | cut -c 1-3", 0, "ID \nJPN\nUSA\n", ""
    ),
    (
      "pricetag storefronts --json --pack store.pack | grep -o '\"id\":\"...\"'; pricetag storefronts --pack store.pack 2>&1 >/dev/null | wc -l",
      0, "\"id\":\"JPN\"\n\"id\":\"USA\"\n1\n", "the pack does not have 173 of 175 storefronts: "
    ),
    (
      "pricetag storefronts --pack store.pack --json >/dev/null", 0, "",
      "; write it again with pricetag pack, and add them to --storefronts\n"
    ),
    (
      "pricetag pack --locales de-AT --currencies CHF --no-spoken -o table.pack 2>/dev/null; pricetag storefronts --pack table.pack",
      1, "", "the pack does not have 175 of 175 storefronts: "
    ),
    ("pricetag storefronts DEU --pack store.pack", 1, "", "the pack does not have the storefront DEU"),
    // A pack from standard input is checked like one with a path.
    (
      "pricetag check - --locale-data data <store.pack | head -n 1; cat store.pack | pricetag check - --locale-data data | head -n 1",
      0, String(repeating: "no changes: 2 storefronts in 2 styles\n", count: 2), ""
    ),
    (
      "head -c 300 store.pack | pricetag check -", 1, "",
      "pricetag: /dev/stdin: the size of the pack is not the one in its header; copy the file again\n"
    ),
    ("pricetag check - --accept <store.pack", 2, "", "--accept requires a file that it can replace"),
    // All prices are checked, also those that the pack cannot write.
    (
      #"echo '{"schema":1,"rules":{"*":[".00"]}}' >rules.json; pricetag endings shop.jsonl --rules rules.json --pack store.pack | grep -o 'car in .* does'"#,
      0, "car in DEU: \u{2068}5.49 EUR\u{2069} does\ncar in USA: \u{2068}U$4.99\u{2069} does\n",
      "pricetag: the pack does not have 1 of 175 storefronts: DEU; their findings have the amount and the currency's code instead of the price\n"
    ),
    (
      #"echo '{"schema":1,"rules":{"EUR":[".49"],"USD":[".99"]}}' >rules.json; pricetag endings shop.jsonl --rules rules.json --pack store.pack"#,
      0, "", "pricetag: 2 prices checked, 0 findings; 1 price in currencies without a rule\n"
    ),
    (
      "pricetag pack -o again.pack --pack store.pack", 2, "",
      "; remove --pack"
    ),
    (
      #"pricetag strings format --message '{price}' --args '{"price":{"storefront":"USA","amount":"5"}}' --pack store.pack --isolation none"#,
      0, "U$5.00\n", ""
    ),
    // A pack is written with ICU, whatever the variable names.
    (
      "PRICETAG_PACK=none pricetag pack -o again.pack --storefronts JPN 2>/dev/null && echo written", 0,
      "written\n", ""
    ),
  ]

  @Test(arguments: runs)
  func formatsFromThePack(line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try shell(line)
    #expect(outcome.status == status, "\(line)\n\(outcome.report)")
    #expect(outcome.output == output, "\(line)\n\(outcome.report)")
    #expect(outcome.errors.contains(errors) || errors.isEmpty, "\(line)\n\(outcome.report)")
  }
}

import CommandLineTools
import Foundation
import Testing

/// Runs the verbs that read and write catalogs.
@Suite struct CatalogCommandTests {
  private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/rocket-garage.json").path

  /// Calls a closure with a temporary folder, and removes it.
  private func inScratch(_ body: (String) throws -> Void) throws {
    try CommandLineTool.inFolder { try body($0.path) }
  }

  static let products: [(arguments: String, status: Int32, output: String, errors: String)] = [
    (
      "--storefront JPN --language en com.example.level1", 0,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}￥160\u{2069}\n", ""
    ),
    // German is not a language of this store: the text of the store, with its language.
    (
      "--storefront USA --language de com.example.level1", 0,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069} (en-US)  \u{2068}$0.99\u{2069}\n", ""
    ),
    (
      "--storefront USA --language en --at 2026-12-31 com.example.level3", 0,
      "com.example.level3  \u{2068}Rings of Saturn\u{2069}  \u{2068}$1.99\u{2069}  [\u{2068}$2.99\u{2069} from 2027-01-01]\n",
      ""
    ),
    (
      "--storefront USA --language en --width iso com.example.level1", 0,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}USD\u{A0}0.99\u{2069}\n", ""
    ),
    (
      "--storefront DEU --language de --unit-prices half-up com.example.rocket_fuel", 0,
      "com.example.rocket_fuel  \u{2068}Raketentreibstoff, 0,5 l\u{2069}  \u{2068}1,09\u{A0}€\u{2069} (\u{2068}2,18\u{A0}€/l\u{2069})\n",
      ""
    ),
    (
      "--storefront USA --language de --unit-prices half-up com.example.coins_600", 0,
      "com.example.coins_600  \u{2068}600 Coins\u{2069} (en-US)  \u{2068}$4.99\u{2069} (\u{2068}$0.83\u{2069} pro 100 Stück)\n",
      ""
    ),
    (
      "--storefront USA --language en --unit-prices exact com.example.coins_600", 3, "",
      "pricetag: \"com.example.coins_600\": unit price: 4.99 for 600 piece is not a multiple of 0.01 per 100 piece; name a rounding mode such as half-up to allow rounding\n"
    ),
    (
      "--storefront USA --language en com.example.level1 com.example.nope", 3,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}$0.99\u{2069}\n",
      "pricetag: \"com.example.nope\": the catalog has no such product; import it, or correct the identifier\n"
    ),
    (
      "--storefront USA --language en --development com.example.nope", 1, "",
      "pricetag: cannot show \"com.example.nope\": the catalog has no such product; import it, or correct the identifier; correct the identifiers or the catalog, or use production mode, which omits them\n"
    ),
    (
      "--storefront USA --language en --no-payments com.example.level1", 0,
      "The store is unavailable\nPayments are not allowed for this account or on this device.\n\ncom.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}$0.99\u{2069}\n",
      ""
    ),
    // A language without strings gets the store's default language, unless the command line is strict.
    (
      "--storefront JPN --language bg com.example.pit_radio_weekly", 0,
      "com.example.pit_radio_weekly  \u{2068}ピットラジオ 週間プラン\u{2069} (ja)  \u{2068}￥160\u{2069}/週\n",
      "pricetag: note: bg: ja (the default language of JPN, because there are no strings in bg)\n"
    ),
    (
      "--storefront BGR --language sr-Latn com.example.level1", 0,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069} (en-US)  \u{2068}€0.99\u{2069}\n",
      "pricetag: note: sr-Latn: en-GB (the default language of BGR, because there are no strings in sr-Latn)\n"
    ),
    (
      "--storefront JPN --language jp com.example.level1", 1, "",
      "pricetag: unknown language \"jp\" (ICU has no data for the language); did you mean \"ja-JP\"?\n"
    ),
    (
      "--storefront JPN --language es-AR --strict-language com.example.level1", 0,
      "com.example.level1  \u{2068}夜明けの峡谷\u{2069} (ja)  \u{2068}￥160\u{2069}\n", ""
    ),
    (
      "--storefront ZZZ com.example.level1", 1, "",
      "pricetag: unknown storefront \"ZZZ\"; use a code such as \"USA\" (pricetag storefronts lists all codes)\n"
    ),
    (
      "com.example.level1", 2, "",
      "pricetag: Missing expected argument '--storefront <id>' (see pricetag help)\n"
    ),
  ]

  /// Verbs with a language without strings, and with one that CLDR does not know.
  static let languages: [(line: String, status: Int32, output: String, errors: String)] = [
    (
      "products SHOP --storefront JPN --language bg --json com.example.level1 | cut -c 1-69", 0,
      #"{"storefront":"JPN","language":"ja","requestedLanguage":"bg","date":""# + "\n", ""
    ),
    ("products SHOP --storefront JPN --language bg --strict-language com.example.level1", 1, "", refusal),
    (
      "batch SHOP --storefronts JPN,BGR --languages ja,bg --to csv --quiet | grep level1, | cut -d , -f 1-4",
      0,
      "com.example.level1,JPN,ja,夜明けの峡谷\ncom.example.level1,BGR,ja,Sunrise Canyon\ncom.example.level1,BGR,en-GB,Sunrise Canyon\n",
      note
    ),
    ("batch SHOP --storefronts JPN --languages bg --strict-language", 1, "", refusal),
    ("batch SHOP --storefronts JPN --languages jp", 1, "", unknown),
    (
      "pages SHOP --storefronts JPN,USA --languages bg -o site --quiet && ls site/store/* | tr '\\n' ' '", 0,
      "site/store/jpn: ja  site/store/usa: en-us ", note
    ),
    ("pages SHOP --storefronts JPN --languages bg --strict-language -o site", 1, "", refusal),
    ("pages SHOP --storefronts JPN --languages jp -o site", 1, "", unknown),
    (
      "record SHOP --storefronts JPN --languages bg -o g 2>/dev/null; grep -c 'JPN.ja.' g; grep languages: g; pricetag check g >/dev/null && echo same",
      0, "25\n# languages: bg\nsame\n", ""
    ),
    ("record SHOP --storefronts JPN --languages bg --strict-language", 1, "", refusal),
  ]

  private static let refusal = #"pricetag: no strings are available in "bg"; use one of ar, "#
  private static let note =
    "pricetag: note: bg: the default language of each store, because there are no strings in bg\n"
  private static let unknown =
    #"pricetag: unknown language "jp" (ICU has no data for the language); did you mean "ja-JP"?"# + "\n"

  @Test(arguments: languages)
  func usesDefaultLanguageOfStore(line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try CommandLineTool.shell(
      "pricetag " + line.replacing("SHOP", with: "'\(Self.shop)'"),
      with: [:]
    )
    #expect(outcome.status == status && outcome.output == output, "\(outcome.report)")
    #expect(
      errors.hasSuffix("\n") || errors.isEmpty ? outcome.errors == errors : outcome.errors.hasPrefix(errors),
      "\(outcome.report)"
    )
  }

  @Test(arguments: products)
  func listsProducts(
    arguments: String,
    status: Int32,
    output: String,
    errors: String
  ) throws {
    let outcome = try CommandLineTool.run(
      ["products", Self.shop] + arguments.split(separator: " ").map(String.init)
    )
    #expect(outcome.status == status, "\(outcome.report)")
    #expect(outcome.output == output, "\(outcome.report)")
    #expect(outcome.errors == errors, "\(outcome.report)")
  }

  @Test func importsTwice() throws {
    try inScratch { folder in
      let file = "\(folder)/shop.jsonl"
      try #"""
      {"productIdentifier":"a","prices":{"USA":"1.999","JPN":"160"}}
      {"productIdentifier":"b","tier":"7"}
      """#.write(toFile: file, atomically: true, encoding: .utf8)
      let catalog = "\(folder)/shop.pricetag"
      let expected = """
        pricetag: rejected: \(file), product "a", line 1, price of USA: 1.999 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded
        pricetag: note: products refer to tiers that the catalog does not have ("7"); import a tier matrix
        products: 2 added, 0 changed, 0 unchanged
        rejected: 1

        """
      let first = try CommandLineTool.run(["import", file, "--into", catalog])
      #expect(first.status == 3 && first.errors == expected, "\(first.report)")
      let second = try CommandLineTool.run([
        "import", file, "--into", catalog, "--rejects", "\(folder)/rejects.jsonl",
      ])
      #expect(second.errors.contains("products: 0 added, 0 changed, 2 unchanged\n"), "\(second.report)")
      #expect(
        try String(contentsOfFile: "\(folder)/rejects.jsonl", encoding: .utf8)
          == #"{"place":"\#(file), product \"a\", line 1, price of USA","code":"too-many-digits","message":"1.999 USD has more decimals than the minor unit of USD (2)","fix":"write an amount that can be charged; imported prices are not rounded"}"#
          + "\n"
      )
      let strict = try CommandLineTool.run([
        "import", file, "--into", "\(folder)/strict.pricetag", "--strict",
      ])
      #expect(strict.status == 1, "\(strict.report)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/strict.pricetag"))
    }
  }

  static let storefronts: [(arguments: String, status: Int32, output: String, errors: String)] = [
    ("", 0, "a  -  \u{2068}￥500\u{2069}\n", "products: 1 added, 0 changed, 0 unchanged\nrejected: 0\n"),
    (
      "--prices-of JPN", 0, "a  -  \u{2068}￥500\u{2069}\n",
      "products: 1 added, 0 changed, 0 unchanged\nrejected: 0\n"
    ),
    (
      "--prices-of USA", 3, "",
      """
      pricetag: rejected: FILE, product "a", line 1, field displayPrice: the price 500 belongs to JPN according to the file, but to USA according to --prices-of; pass --prices-of JPN, or --reinterpret-as USA (ImportOptions.reinterpretAs) to import it as a price of USA
      products: 1 added, 0 changed, 0 unchanged
      rejected: 1

      """
    ),
    (
      "--reinterpret-as USA", 0, "a  -  \u{2068}$500.00\u{2069}\n",
      """
      products: 1 added, 0 changed, 0 unchanged
      reinterpreted: FILE names the storefront JPN; its prices were read as those of USA
      rejected: 0

      """
    ),
  ]

  /// The storefront that a file names takes precedence, except with `--reinterpret-as`.
  @Test(arguments: storefronts)
  func readsStorefrontOfFile(arguments: String, status: Int32, output: String, errors: String) throws {
    try inScratch { folder in
      let (file, catalog) = ("\(folder)/Products.storekit", "\(folder)/shop.pricetag")
      try
        #"{"identifier":"1","settings":{"_storefront":"JPN"},"version":{"major":4,"minor":0},"products":[{"productID":"a","type":"Consumable","displayPrice":"500"}]}"#
        .write(toFile: file, atomically: true, encoding: .utf8)
      let options = arguments.split(separator: " ").map(String.init)
      let outcome = try CommandLineTool.run(["import", file, "--into", catalog] + options)
      #expect(outcome.status == status, "\(outcome.report)")
      #expect(outcome.errors == errors.replacing("FILE", with: file), "\(outcome.report)")
      let storefront = arguments == "--reinterpret-as USA" ? "USA" : "JPN"
      let shown = try CommandLineTool.run([
        "products", catalog, "--storefront", storefront, "--language", "en",
      ])
      #expect(shown.output == output, "\(shown.report)")
    }
  }

  @Test func rejectsInvalidReinterpretation() throws {
    let outcome = try CommandLineTool.run([
      "products", Self.shop, "--storefront", "USA", "--prices-of", "USA", "--reinterpret-as", "JPN",
    ])
    #expect(outcome.status == 2, "\(outcome.report)")
    let other = try CommandLineTool.run([
      "products", Self.shop, "--storefront", "USA", "--reinterpret-as", "JPN",
    ])
    #expect(
      other.status == 1 && other.errors.contains("cannot be reinterpreted as prices of JPN"),
      "\(other.report)"
    )
  }

  /// Every verb fails if it reads a changed byte, and `verify` names the product.
  @Test func reportsDamagedCatalog() throws {
    try inScratch { folder in
      let (file, catalog) = ("\(folder)/shop.jsonl", "\(folder)/shop.pricetag")
      func writePrices(_ price: String) throws {
        try #"{"productIdentifier":"a","prices":{"USA":"\#(price)","JPN":"160"}}"#
          .write(toFile: file, atomically: true, encoding: .utf8)
      }
      try writePrices("1234.56")
      _ = try CommandLineTool.run(["import", file, "--into", catalog])
      // The same file again would only be compared with its digest.
      try writePrices("1235")
      let intact = try CommandLineTool.run(["verify", catalog])
      #expect(intact.status == 0, "\(intact.report)")
      #expect(intact.errors == "verified: 1 product, 2 prices\ndamaged items: 0\n", "\(intact.report)")
      var bytes = try Data(contentsOf: URL(filePath: catalog))
      let amount = try #require(bytes.range(of: Data("1234.56".utf8)))
      bytes[amount.lowerBound] = UInt8(ascii: "9")
      try bytes.write(to: URL(filePath: catalog))
      let damage =
        "pricetag: product \"a\": the catalog is damaged: a row of the table price does not match its checksum; import its sources into a new catalog\n"
      let verbs = [
        ["products", catalog, "--storefront", "USA"], ["batch", catalog, "-o", "-"],
        ["record", catalog, "-o", "\(folder)/prices.golden"], ["export", catalog, "--to", "json"],
        ["import", file, "--into", catalog],
      ]
      for verb in verbs {
        let outcome = try CommandLineTool.run(verb)
        // An import also names the file with the product.
        let errors = outcome.errors.replacing("\(file), ", with: "")
        #expect(outcome.status == 1 && errors == damage, "\(outcome.report)")
      }
      let verified = try CommandLineTool.run(["verify", catalog])
      #expect(verified.status == 1, "\(verified.report)")
      #expect(
        verified.errors == damage + "verified: 0 products, 0 prices\ndamaged items: 1\n",
        "\(verified.report)"
      )
    }
  }

  /// Kills an import with an open transaction. The catalog is unchanged.
  @Test func killedImportChangesNothing() throws {
    try inScratch { folder in
      let catalog = "\(folder)/shop.pricetag"
      let before = try CommandLineTool.run(["import", Self.shop, "--into", catalog, "--quiet"])
      #expect(before.status == 0, "\(before.report)")
      let script = """
        cd '\(folder)'
        prices=$(printf '"USA":"1.99","JPN":"160","DEU":"2.29"')
        mkfifo rows
        pricetag import --from jsonl --into '\(catalog)' rows &
        exec 3>rows
        for ((i = 0; i < 20000; i++)); do
          printf '{"productIdentifier":"p%d","prices":{%s}}\\n' $i "$prices"
        done >&3
        # The import has read nearly all rows, so its transaction is open.
        ls '\(catalog)'-wal
        kill -KILL %1
        exec 3>&-
        wait %1
        echo "killed $?"
        """
      let killed = try CommandLineTool.shell(script)
      #expect(
        killed.output.contains("shop.pricetag-wal") && killed.output.contains("killed 137"),
        "\(killed.report)"
      )
      let after = try CommandLineTool.run([
        "products", catalog, "--storefront", "USA", "com.example.level1", "p0",
      ])
      #expect(after.status == 3 && after.output.contains("$0.99"), "\(after.report)")
      #expect(
        after.errors.hasPrefix("pricetag: \"p0\": the catalog has no such product"),
        "\(after.report)"
      )
      let again = try CommandLineTool.run(["import", Self.shop, "--into", catalog])
      #expect(again.errors.contains("products: 0 added, 0 changed, 26 unchanged"), "\(again.report)")
    }
  }

  /// A read-only catalog can be read, and an import fails.
  @Test func readsReadOnlyCatalog() throws {
    try inScratch { folder in
      try #"{"productIdentifier":"new","prices":{"USA":"2.99"}}"#
        .write(toFile: "\(folder)/rows.jsonl", atomically: true, encoding: .utf8)
      let created = try CommandLineTool.run(["import", Self.shop, "--into", "\(folder)/shop.pricetag"])
      #expect(created.status == 0, "\(created.report)")
      let outcome = try CommandLineTool.shell(
        """
        cd '\(folder)' && chmod 644 rows.jsonl && chmod 444 shop.pricetag && chmod 555 . && before=$(sha256sum <shop.pricetag)
        run() { if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi; }
        run pricetag verify shop.pricetag; echo "verify $?"
        run pricetag import rows.jsonl --into shop.pricetag; echo "import $?"
        [ "$(sha256sum <shop.pricetag)" = "$before" ] && echo same
        ls | sort | paste -sd ' ' -
        chmod 755 .
        """
      )
      #expect(
        outcome.output == "verify 0\nimport 1\nsame\nrows.jsonl shop.pricetag\n",
        "\(outcome.report)"
      )
      #expect(outcome.errors.contains("verified: 26 products, "), "\(outcome.report)")
      #expect(
        outcome.errors.hasSuffix(
          "pricetag: shop.pricetag: cannot write the catalog: it is read-only; make the file and its folder writable\n"
        ),
        "\(outcome.report)"
      )
    }
  }

  /// Detecting the format of a pipe loses no bytes.
  @Test func readsCompletePipe() throws {
    try inScratch { folder in
      let script = """
        cd '\(folder)'
        for ((i = 0; i < 9000; i++)); do printf '{"productIdentifier":"p%d","prices":{"USA":"1.99"}}\\n' $i; done >rows
        cat rows | pricetag import - --into a.pricetag
        cat rows | pricetag import - --from jsonl --into b.pricetag
        pricetag products <(cat rows) --from jsonl --storefront USA | wc -l
        ls
        """
      let outcome = try CommandLineTool.shell(script)
      let summary = "products: 9000 added, 0 changed, 0 unchanged\nrejected: 0\n"
      #expect(outcome.errors == summary + summary, "\(outcome.report)")
      #expect(outcome.output == "9000\na.pricetag\nb.pricetag\nrows\n", "\(outcome.report)")
    }
  }

  static let failures: [(name: String, script: String, status: Int32, errors: String)] = [
    (
      "a missing folder", "pricetag import SHOP --into /nowhere/shop.pricetag", 1,
      "pricetag: /nowhere/shop.pricetag: cannot open the catalog: No such file or directory; check the path\n"
    ),
    (
      "a file that is not a catalog",
      "printf 'x%.0s' {1..200} >x.pricetag; pricetag import SHOP --into x.pricetag", 1,
      "pricetag: x.pricetag: the file is not a PriceTag catalog; use a catalog that pricetag import created, or import the file into one\n"
    ),
    (
      "an unknown format", "printf x >y; pricetag products y --storefront USA", 1,
      "pricetag: y: the file has an unknown format; name its format with --from (json, jsonl, csv, storekit, google-play-csv, google-play-json, app-store-connect, itmsp, stripe, tiers, unity), or check that it is the right file\n"
    ),
    (
      "rejects in the catalog",
      "pricetag import SHOP --into r.pricetag --quiet; pricetag import SHOP --into r.pricetag --rejects r.pricetag",
      1,
      "pricetag: --rejects and --into are the same file, \"r.pricetag\"; use another file\n"
    ),
    (
      "an export to its catalog", "cp SHOP shop.json; pricetag export shop.json -o shop.json", 1,
      "pricetag: shop.json: the catalog and the output are the same file; use another file\n"
    ),
    (
      "another program's database",
      "head -c 100 /dev/zero >z; (printf 'SQLite format 3\\0'; cat z) >o.sqlite; pricetag import SHOP --into o.sqlite; cmp <(printf 'SQLite format 3\\0'; cat z) o.sqlite && exit 1",
      1,
      "pricetag: o.sqlite: the file is not a PriceTag catalog; use a catalog that pricetag import created, or import the file into one\n"
    ),
    (
      "a missing file", "pricetag import nothing.json --into z.pricetag; ls z.pricetag 2>/dev/null", 2,
      "pricetag: nothing.json: cannot read the file: No such file or directory; check the path\n"
    ),
  ]

  @Test(arguments: failures)
  func printsErrorOnOneLine(name: String, script: String, status: Int32, errors: String) throws {
    try inScratch { folder in
      let script = "cd '\(folder)'; " + script.replacing("SHOP", with: "'\(Self.shop)'")
      let outcome = try CommandLineTool.shell(script)
      #expect(outcome.errors == errors, "\(name): \(outcome.report)")
      #expect(outcome.status == status, "\(name): \(outcome.report)")
    }
  }
}

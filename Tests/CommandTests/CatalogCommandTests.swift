import CommandLineTools
import Foundation
import Testing

@Suite struct CatalogCommandTests {
  private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/rocket-garage.json").path

  /// A folder to work in, removed at the end.
  private func inScratch(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  static let products: [(arguments: String, status: Int32, output: String, errors: String)] = [
    (
      "--storefront JPN --language en com.example.level1", 0,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}￥160\u{2069}\n", ""
    ),
    // Somebody who reads German in a store that does not support it: the store's text, and its language.
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
      "--storefront USA --language en com.example.level1 com.example.nope", 3,
      "com.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}$0.99\u{2069}\n",
      "pricetag: \"com.example.nope\": the catalogue has no such product: import it, or correct the identifier\n"
    ),
    (
      "--storefront USA --language en --development com.example.nope", 1, "",
      "pricetag: nothing can be shown for \"com.example.nope\": the catalogue has no such product: import it, or correct the identifier: correct the identifiers or the catalogue, or ask in production mode, which leaves them out\n"
    ),
    (
      "--storefront USA --language en --no-payments com.example.level1", 0,
      "The store is not available\nPayments are not allowed for this account or on this device.\n\ncom.example.level1  \u{2068}Sunrise Canyon\u{2069}  \u{2068}$0.99\u{2069}\n",
      ""
    ),
    (
      "--storefront ZZZ com.example.level1", 1, "",
      "pricetag: no storefront is called \"ZZZ\": give a territory such as USA; pricetag storefronts lists them all\n"
    ),
    (
      "com.example.level1", 2, "",
      "pricetag: Missing expected argument '--storefront <id>' (pricetag help tells more)\n"
    ),
  ]

  @Test(arguments: products)
  func productsAreShownAsOneStoreShowsThem(
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

  @Test func anImportIsToldAndRepeatedWithoutAChange() throws {
    try inScratch { folder in
      let file = "\(folder)/shop.jsonl"
      try #"""
      {"productIdentifier":"a","prices":{"USA":"1.999","JPN":"160"}}
      {"productIdentifier":"b","tier":"7"}
      """#.write(toFile: file, atomically: true, encoding: .utf8)
      let catalog = "\(folder)/shop.pricetag"
      let expected = """
        pricetag: set aside: \(file), product "a", line 1, price of USA: 1.999 USD has more digits than USD, which has 2: give a price that can be paid; nothing is rounded
        pricetag: note: products refer to tiers that the catalogue does not have ("7"): import a tier matrix
        products: 2 added, 0 changed, 0 unchanged
        set aside: 1

        """
      let first = try CommandLineTool.run(["import", file, "--into", catalog])
      #expect(first.status == 3 && first.errors == expected, "\(first.report)")
      let second = try CommandLineTool.run([
        "import", file, "--into", catalog, "--rejects", "\(folder)/rejects.jsonl",
      ])
      #expect(second.errors.contains("products: 0 added, 0 changed, 2 unchanged\n"), "\(second.report)")
      #expect(
        try String(contentsOfFile: "\(folder)/rejects.jsonl", encoding: .utf8)
          == #"{"place":"\#(file), product \"a\", line 1, price of USA","code":"too-many-digits","message":"1.999 USD has more digits than USD, which has 2","fix":"give a price that can be paid; nothing is rounded"}"#
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
    ("", 0, "a  -  \u{2068}￥500\u{2069}\n", "products: 1 added, 0 changed, 0 unchanged\nset aside: 0\n"),
    (
      "--prices-of JPN", 0, "a  -  \u{2068}￥500\u{2069}\n",
      "products: 1 added, 0 changed, 0 unchanged\nset aside: 0\n"
    ),
    (
      "--prices-of USA", 3, "",
      """
      pricetag: set aside: FILE, product "a", line 1, field displayPrice: the file names JPN as the storefront of the price 500, and --prices-of names USA: pass --prices-of JPN, or --reinterpret-as USA (ImportOptions.reinterpretAs) to read the file's prices as those of USA
      products: 1 added, 0 changed, 0 unchanged
      set aside: 1

      """
    ),
    (
      "--reinterpret-as USA", 0, "a  -  \u{2068}$500.00\u{2069}\n",
      """
      products: 1 added, 0 changed, 0 unchanged
      reinterpreted: FILE names JPN, and its prices were read as those of USA
      set aside: 0

      """
    ),
  ]

  /// A file's own storefront wins, and another one is an option of its own.
  @Test(arguments: storefronts)
  func aFileKeepsItsStorefront(arguments: String, status: Int32, output: String, errors: String) throws {
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

  @Test func aStorefrontIsNotBothNamedAndReinterpreted() throws {
    let outcome = try CommandLineTool.run([
      "products", Self.shop, "--storefront", "USA", "--prices-of", "USA", "--reinterpret-as", "JPN",
    ])
    #expect(outcome.status == 2, "\(outcome.report)")
    let other = try CommandLineTool.run([
      "products", Self.shop, "--storefront", "USA", "--reinterpret-as", "JPN",
    ])
    #expect(
      other.status == 1 && other.errors.contains("cannot be reinterpreted as those of JPN"),
      "\(other.report)"
    )
  }

  /// A changed byte ends every verb that reads it, and `verify` names the product.
  @Test func aDamagedCatalogIsReported() throws {
    try inScratch { folder in
      let (file, catalog) = ("\(folder)/shop.jsonl", "\(folder)/shop.pricetag")
      try #"{"productIdentifier":"a","prices":{"USA":"1234.56","JPN":"160"}}"#
        .write(toFile: file, atomically: true, encoding: .utf8)
      _ = try CommandLineTool.run(["import", file, "--into", catalog])
      let whole = try CommandLineTool.run(["verify", catalog])
      #expect(whole.status == 0, "\(whole.report)")
      #expect(whole.errors == "verified: 1 product, 2 prices\ndamages: 0\n", "\(whole.report)")
      var bytes = try Data(contentsOf: URL(filePath: catalog))
      let amount = try #require(bytes.range(of: Data("1234.56".utf8)))
      bytes[amount.lowerBound] = UInt8(ascii: "9")
      try bytes.write(to: URL(filePath: catalog))
      let damage =
        "pricetag: product \"a\": the catalog is damaged: a row of the table price does not match its checksum: import its sources into a new catalog\n"
      let verbs = [
        ["products", catalog, "--storefront", "USA"], ["batch", catalog, "-o", "-"],
        ["record", catalog, "-o", "\(folder)/prices.golden"], ["export", catalog, "--to", "json"],
        ["import", file, "--into", catalog],
      ]
      for verb in verbs {
        let outcome = try CommandLineTool.run(verb)
        // An import names the file that speaks of the product, too.
        let errors = outcome.errors.replacing("\(file), ", with: "")
        #expect(outcome.status == 1 && errors == damage, "\(outcome.report)")
      }
      let verified = try CommandLineTool.run(["verify", catalog])
      #expect(verified.status == 1, "\(verified.report)")
      #expect(
        verified.errors == damage + "verified: 0 products, 0 prices\ndamages: 1\n",
        "\(verified.report)"
      )
    }
  }

  /// The process is killed while its transaction is open: the catalogue is as it was.
  @Test func aKilledImportLosesNothing() throws {
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
        # All that a pipe does not hold was read, and the transaction is open.
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
        after.errors.hasPrefix("pricetag: \"p0\": the catalogue has no such product"),
        "\(after.report)"
      )
      let again = try CommandLineTool.run(["import", Self.shop, "--into", catalog])
      #expect(again.errors.contains("products: 0 added, 0 changed, 23 unchanged"), "\(again.report)")
    }
  }

  /// A pipe can be read once: what tells its format is not lost.
  @Test func aPipeIsReadWhole() throws {
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
      let summary = "products: 9000 added, 0 changed, 0 unchanged\nset aside: 0\n"
      #expect(outcome.errors == summary + summary, "\(outcome.report)")
      #expect(outcome.output == "9000\na.pricetag\nb.pricetag\nrows\n", "\(outcome.report)")
    }
  }

  static let failures: [(name: String, script: String, status: Int32, errors: String)] = [
    (
      "a folder that may not be written", "pricetag import SHOP --into /nowhere/shop.pricetag", 1,
      "pricetag: /nowhere/shop.pricetag: the catalog cannot be opened: No such file or directory: correct the path\n"
    ),
    (
      "a file that is no catalogue",
      "printf 'x%.0s' {1..200} >x.pricetag; pricetag import SHOP --into x.pricetag", 1,
      "pricetag: x.pricetag: the file is no catalogue of PriceTag's: give a catalogue that pricetag import has made (a file that it reads is imported into one)\n"
    ),
    (
      "a file of no format", "printf x >y; pricetag products y --storefront USA", 1,
      "pricetag: y: the file is of no format that is known: say which it is with --from (json, jsonl, csv, storekit, google-play-csv, google-play-json, app-store-connect, itmsp, stripe, tiers), or give another file\n"
    ),
    (
      "rejects into the catalogue",
      "pricetag import SHOP --into r.pricetag --quiet; pricetag import SHOP --into r.pricetag --rejects r.pricetag",
      1,
      "pricetag: --rejects names \"r.pricetag\", which the import reads or writes: give another file\n"
    ),
    (
      "an export over its catalogue", "cp SHOP shop.json; pricetag export shop.json -o shop.json", 1,
      "pricetag: shop.json: the output is the catalogue itself: give another file\n"
    ),
    (
      "another program's database",
      "head -c 100 /dev/zero >z; (printf 'SQLite format 3\\0'; cat z) >o.sqlite; pricetag import SHOP --into o.sqlite; cmp <(printf 'SQLite format 3\\0'; cat z) o.sqlite && exit 1",
      1,
      "pricetag: o.sqlite: the file is no catalogue of PriceTag's: give a catalogue that pricetag import has made (a file that it reads is imported into one)\n"
    ),
    (
      "a missing file", "pricetag import nothing.json --into z.pricetag; ls z.pricetag 2>/dev/null", 2,
      "pricetag: nothing.json: the file cannot be read: No such file or directory: correct the path\n"
    ),
  ]

  @Test(arguments: failures)
  func aFailureIsOneLine(name: String, script: String, status: Int32, errors: String) throws {
    try inScratch { folder in
      let script = "cd '\(folder)'; " + script.replacing("SHOP", with: "'\(Self.shop)'")
      let outcome = try CommandLineTool.shell(script)
      #expect(outcome.errors == errors, "\(name): \(outcome.report)")
      #expect(outcome.status == status, "\(name): \(outcome.report)")
    }
  }
}

import CatalogSamples
import Foundation
import PriceTag
import PriceTagStrings
import Synchronization
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct CatalogImportTests {
  static let level =
    #"{"productIdentifier":"com.example.level1","kind":"non-consumable","localizations":{"en-US":{"name":"Level 1"}},"prices":{"USA":"0.99","JPN":"160"}}"#

  @Test func reimportChangesNothing() throws {
    let catalog = try Catalog()
    let file = lines(
      #"{"type":"tier","tier":"1","prices":{"USA":"0.99"}}"#,
      #"{"type":"category","identifier":"levels","names":{"en-US":"Levels"}}"#,
      Self.level,
      #"{"productIdentifier":"club","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","tier":[{"tier":"1","until":"2026-12-31"}],"priceLocales":{"USA":"es-US"},"clearedForSale":{"except":["CHN"]},"approved":false,"image":"images/club.png","sortOrder":-3,"offers":[{"paymentMode":"free-trial","period":"P7D"},{"kind":"win-back","identifier":"back","paymentMode":"pay-as-you-go","period":"P1M","periodCount":3,"prices":{"USA":"1.99"},"from":"2026-01-01"}]}"#
    )
    let first = try catalog.importFiles([file])
    #expect(first.products == .init(added: 2))
    #expect(first.tiers == .init(added: 1))
    #expect(first.groups == .init(added: 1))
    #expect(first.revision == 1)
    let before = try contents(of: catalog)
    let second = try catalog.importFiles([file])
    #expect(second.products == .init(unchanged: 2))
    #expect(second.tiers == .init(unchanged: 1))
    #expect(second.groups == .init(unchanged: 1))
    #expect(second.revision == 1)
    #expect(try contents(of: catalog) == before)
  }

  static let merges: [(name: String, files: [CatalogFile], mode: Catalog.ImportMode, expected: [String])] = [
    (
      "a second file's price replaces only the price of that storefront",
      [lines(level), lines(#"{"productIdentifier":"com.example.level1","prices":{"USA":"1.99"}}"#)],
      .update, ["com.example.level1, en-US=Level 1, JPN 160 JPY, USA 1.99 USD"]
    ),
    (
      "a second file's text is added to the first file's",
      [
        lines(level),
        lines(#"{"productIdentifier":"com.example.level1","localizations":{"ja":{"name":"レベル1"}}}"#),
      ],
      .update, ["com.example.level1, en-US=Level 1, ja=レベル1, JPN 160 JPY, USA 0.99 USD"]
    ),
    (
      "replacing merges the files of one import",
      [lines(level), lines(#"{"productIdentifier":"com.example.level1","prices":{"DEU":"1.09"}}"#)],
      .replace, ["com.example.level1, en-US=Level 1, DEU 1.09 EUR, JPN 160 JPY, USA 0.99 USD"]
    ),
    (
      "replacing removes products that are not in the files",
      [lines(#"{"productIdentifier":"other","prices":{"USA":"5"}}"#)],
      .replace, ["other, USA 5.00 USD"]
    ),
  ]

  @Test(arguments: merges)
  func mergesFiles(name: String, files: [CatalogFile], mode: Catalog.ImportMode, expected: [String])
    throws
  {
    let catalog = try Catalog()
    try catalog.importFiles([
      lines(
        #"{"type":"tier","tier":"9","prices":{"USA":"9.99"}}"#,
        #"{"type":"category","identifier":"old","names":{"en-US":"Old"}}"#,
        #"{"productIdentifier":"old","prices":{"USA":"5"}}"#
      )
    ])
    let summary = try catalog.importFiles(files, mode: mode)
    let found = try contents(of: catalog)
    if mode == .replace {
      #expect(found == expected, "\(name)")
      #expect(summary.products.removed == 1 && summary.tiers.removed == 1 && summary.groups.removed == 1)
    } else {
      #expect(found.filter { expected.contains($0) } == expected, "\(name)")
      #expect(found.contains("old, USA 5.00 USD"))
    }
  }

  /// A file whose products are all rejected does not empty a catalog.
  @Test func rejectsReplacementWithoutProducts() throws {
    let catalog = try Catalog()
    try catalog.importFiles([lines(Self.level)])
    let failure = #expect(throws: CatalogError.self) {
      try catalog.importFiles([lines(#"{"productIdentifier":"bad id"}"#)], mode: .replace)
    }
    #expect(failure?.code == .invalidRequest)
    #expect(try catalog.productIdentifiers() == ["com.example.level1"])
  }

  @Test func rejectsDuplicateProduct() throws {
    let catalog = try Catalog()
    var rejects: [String] = []
    let summary = try catalog.importFiles([
      lines(Self.level, #"{"productIdentifier":"com.example.level1","prices":{"USA":"5.99"}}"#)
    ]) { rejects.append($0.description) }
    #expect(summary.products == .init(added: 1))
    #expect(summary.rejected == 1)
    #expect(
      rejects == [
        #"shop.jsonl, line 2, product "com.example.level1": "com.example.level1" appears twice; remove one (the first was imported)"#
      ]
    )
    #expect(
      try contents(of: catalog) == ["com.example.level1, en-US=Level 1, JPN 160 JPY, USA 0.99 USD"]
    )
  }

  /// A statement inserts up to 64 prices.
  @Test(arguments: [1, 63, 64, 65, 128, 150])
  func storesManyPrices(count: Int) throws {
    let catalog = try Catalog()
    let days = try (0..<count).map { try #require(CalendarDate(daysSince1970: 20_000 + $0)) }
    // The last price has no end.
    let ends = days.dropLast().map(Optional.some) + [nil]
    let prices = (0..<count).map { number in
      #"{"amount":"\#(number)","from":"\#(days[number])""#
        + (ends[number].map { #","until":"\#($0)"}"# } ?? "}")
    }
    try catalog.importFiles([
      lines(#"{"productIdentifier":"a","prices":{"USA":[\#(prices.joined(separator: ","))],"JPN":"160"}}"#)
    ])
    let expected = (0..<count).map { number in
      "USA \(number).00 USD from \(days[number])" + (ends[number].map { " until \($0)" } ?? "")
    }
    #expect(try contents(of: catalog) == [(["a", "JPN 160 JPY"] + expected).joined(separator: ", ")])
    #expect(try catalog.verify().prices == count + 1)
    #expect(try catalog.verify().damages == 0)
  }

  /// The second price of a storefront is checked like the first one.
  @Test func checksEachPriceOfStorefront() throws {
    let catalog = try Catalog()
    var rejects: [String] = []
    try catalog.importFiles(
      [
        lines(
          #"{"productIdentifier":"a","prices":{"BGR":"1","USA":"1"}}"#,
          #"{"productIdentifier":"b","prices":{"BGR":"0.5","USA":"-1"}}"#,
          #"{"productIdentifier":"c","prices":{"US":2,"BGR":"0.555"}}"#,
          #"{"productIdentifier":"d","prices":{"USA":"x"}}"#
        )
      ],
      options: .on("2025-12-31")
    ) { rejects.append($0.problem) }
    #expect(
      rejects == [
        "the price -1 is negative",
        "0.555 BGN has more decimals than the minor unit of BGN (2)",
        "\"x\" is not a decimal amount",
      ]
    )
    #expect(
      try contents(of: catalog) == [
        "a, BGR 1.00 BGN until 2025-12-31, USA 1.00 USD", "b, BGR 0.50 BGN until 2025-12-31",
        "c, USA 2.00 USD", "d",
      ]
    )
  }

  /// A new file has no write-ahead log.
  @Test func createsFile() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    let catalog = try Catalog(newFile: path, localeData: .embedded)
    try catalog.importFiles([lines(Self.level)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shop.pricetag"])
    try catalog.close()
    let expected = try Catalog()
    try expected.importFiles([lines(Self.level)])
    #expect(try contents(of: Catalog(path: path)) == contents(of: expected))
    #expect(throws: CatalogError.self) { try Catalog(newFile: path, localeData: .embedded) }
  }

  @Test func reportsMissingTiers() throws {
    let catalog = try Catalog()
    let summary = try catalog.importFiles([lines(#"{"productIdentifier":"a","tier":"87"}"#)])
    #expect(summary.missingTiers == ["87"])
  }

  static let productsWithRejectedPrice: [(name: String, file: CatalogFile)] = [
    (
      "two prices on the same dates",
      lines(#"{"productIdentifier":"a","tier":"1","prices":{"USA":[{"amount":"1.99"},{"amount":"2.99"}]}}"#)
    ),
    ("too many digits", lines(#"{"productIdentifier":"a","tier":"1","prices":{"USA":"1.999"}}"#)),
    (
      "the same in CSV",
      lines("productIdentifier,tier,storefront,amount\na,1,USA,1.99\na,,USA,0.99\n", name: "a.csv")
    ),
  ]

  /// If a price is rejected, the price of the product's tier does not replace it.
  @Test(arguments: productsWithRejectedPrice)
  func rejectsProductInsteadOfUsingTierPrice(name: String, file: CatalogFile) throws {
    let catalog = try Catalog()
    try catalog.importFiles([lines(#"{"type":"tier","tier":"1","prices":{"USA":"9.99"}}"#), file])
    #expect(try catalog.productIdentifiers() == [], "\(name)")
  }

  /// A product with an invalid approval or clearance is not for sale.
  @Test func invalidApprovalOrClearanceIsNotForSale() throws {
    let catalog = try Catalog()
    let text =
      "productIdentifier,approved,clearedForSale,storefront,amount\na,no,,USA,1\nb,true,JPN XX1,USA,2\nc,true,all,USA,3\n"
    try catalog.importFiles([CatalogFile(name: "a.csv", bytes: Array(text.utf8))])
    let request = ProductsRequest(nil, storefront: try Storefront("USA"), language: .development)
    #expect(try catalog.products(for: request).products.map(\.identifier) == ["c"])
  }

  /// An undated price without a currency is in the storefront's currency and ends when the storefront stops charging
  /// it.
  @Test func priceWithoutCurrencyEndsWithCurrency() throws {
    let catalog = try Catalog()
    try catalog.importFiles(
      [lines(#"{"productIdentifier":"a","prices":{"BGR":"10.00"}}"#)],
      options: ImportOptions(day: try .date(CalendarDate("2025-06-30")))
    )
    #expect(try contents(of: catalog) == ["a, BGR 10.00 BGN until 2025-12-31"])
  }

  @Test(arguments: [Int.min, -1, 0, 60, 36_501, .max]) func rejectsHistoryOfDays(_ days: Int) throws {
    var options = ImportOptions()
    options.historyDays = days
    let catalog = try Catalog()
    let failure = #expect(throws: CatalogError.self) {
      try catalog.importFiles([lines(Self.level)], options: options)
    }
    #expect(failure?.description == "a history cannot have \(days) days; use 61 to 36500")
    #expect(try catalog.productIdentifiers() == [])
  }

  static let broken: [(name: String, second: CatalogFile, error: String)] = [
    (
      "malformed JSON", lines(#"{"productIdentifier":"b"}"#, "{"),
      #"shop.jsonl, line 2, column 2: expected the name of a field, but the text ends; correct the JSON"#
    ),
    (
      "an unknown format", lines("hello", name: "shop.txt"),
      "shop.txt: the file has an unknown format; name its format with --from (json, jsonl, csv, storekit, google-play-csv, google-play-json, app-store-connect, itmsp, stripe, tiers, unity), or check that it is the right file"
    ),
    (
      "a property list of product identifiers",
      lines(
        #"<?xml version="1.0"?><plist version="1.0"><dict><key>Products</key><array><string>a</string></array></dict></plist>"#,
        name: "ids.plist"
      ),
      "ids.plist: the file is a property list of product identifiers, which has no prices; import a catalog, and request its products with pricetag products --identifiers"
    ),
    (
      "a binary property list", lines("bplist00", name: "ids.plist"),
      "ids.plist: the file is a property list, not a catalog; import a catalog"
    ),
    (
      "another property list",
      lines("<plist><dict><key>a</key><true/></dict></plist>", name: "Info.plist"),
      "Info.plist: the file is a property list, not a catalog; import a catalog"
    ),
    (
      "an array of product identifiers", lines(#"[ "a", "b"]"#, name: "ids.json"),
      "ids.json: the file is a list of product identifiers, which has no prices; import a catalog, and request its products with pricetag products --identifiers"
    ),
    (
      "a versioned list of product identifiers",
      lines(#"{"version": 1, "productIdentifiers": ["a"]}"#, name: "ids.json"),
      "ids.json: the file is a list of product identifiers, which has no prices; import a catalog, and request its products with pricetag products --identifiers"
    ),
    (
      "columns that no format has",
      lines("Product ID,Name\na,A\n", name: "shop.csv"),
      "shop.csv: the file has an unknown format; name its format with --from (json, jsonl, csv, storekit, google-play-csv, google-play-json, app-store-connect, itmsp, stripe, tiers, unity), or check that it is the right file"
    ),
    (
      "a missing file", CatalogFile(path: "/nowhere/shop.jsonl"),
      "/nowhere/shop.jsonl: cannot read the file: No such file or directory; check the path"
    ),
    (
      "an empty file", CatalogFile(name: "shop.json", bytes: []),
      "shop.json: the file is empty; name its format with --from (json, jsonl, csv, storekit, google-play-csv, google-play-json, app-store-connect, itmsp, stripe, tiers, unity), or check that it is the right file"
    ),
    (
      "UTF-16", CatalogFile(name: "shop.json", bytes: [0xFF, 0xFE, 0x7B, 0]),
      "shop.json, line 1: the file is UTF-16; save it as UTF-8"
    ),
    (
      "UTF-32", CatalogFile(name: "shop.json", bytes: [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0]),
      "shop.json, line 1: the file is UTF-32; save it as UTF-8"
    ),
    (
      "UTF-32 without a byte order mark", CatalogFile(name: "shop.json", bytes: [0, 0, 0, 0x7B]),
      "shop.json, line 1: the file is UTF-32; save it as UTF-8"
    ),
    (
      "zeros", CatalogFile(name: "shop.json", bytes: [0, 0, 0, 0]),
      "shop.json, line 1: the file starts with a zero byte, so it is not text; use a text file in UTF-8"
    ),
    (
      "a folder", CatalogFile(path: "/"),
      "/: cannot read the file: it is a folder without a metadata.xml; use a file, or the folder of an iTunes Store package (.itmsp)"
    ),
    (
      "a mistake in a file of one line",
      lines(
        #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"é",}]}"#,
        name: "shop.json"
      ),
      #"shop.json, line 1, column 79: expected the name of a field, not "}"; correct the JSON"#
    ),
  ]

  /// An import is one transaction: the valid first file is not stored either.
  @Test(arguments: broken)
  func importIsAllOrNothing(name: String, second: CatalogFile, error: String) throws {
    let catalog = try Catalog()
    try catalog.importFiles([lines(Self.level)])
    let before = try contents(of: catalog)
    let failure = #expect(throws: CatalogError.self) {
      try catalog.importFiles([lines(#"{"productIdentifier":"new","prices":{"USA":"1"}}"#), second])
    }
    #expect(failure?.description == error, "\(name)")
    #expect(try contents(of: catalog) == before)
    #expect(try catalog.revision() == 1)
  }

  static let empty: [(name: String, file: CatalogFile)] = [
    ("JSON Lines without a line", lines("")),
    ("JSON Lines of blank lines", lines("", "", "")),
    ("JSON", lines(#"{"format":"pricetag-catalog","version":1,"products":[]}"#, name: "shop.json")),
    ("CSV with only a header", lines("productIdentifier,storefront,amount", "", name: "shop.csv")),
    (
      "an App Store Connect response without products",
      lines(#"{"data":[],"links":{"self":"x"},"meta":{"attributes":{"relationships":1}}}"#, name: "a.json")
    ),
  ]

  /// An empty file may be the wrong file or truncated, so it is reported.
  @Test(arguments: empty)
  func reportsEmptyFile(name: String, file: CatalogFile) throws {
    let catalog = try Catalog()
    var rejects: [String] = []
    let summary = try catalog.importFiles([lines(Self.level), file]) { (error) throws(CatalogError) in
      rejects.append("\(error.code.rawValue): \(error)")
    }
    #expect(
      rejects == [
        "empty-file: \(file.name): the file has no product, tier or group; check that it is the right file and complete"
      ]
    )
    #expect(summary.rejected == 1 && summary.products.added == 1)
  }

  @Test func throwingHandlerEndsImport() throws {
    let catalog = try Catalog()
    #expect(throws: CatalogError.self) {
      try catalog.importFiles([lines(Self.level, #"{"productIdentifier":"b","prices":{"USA":"1.999"}}"#)]) {
        (error) throws(CatalogError) in throw error
      }
    }
    #expect(try contents(of: catalog) == [])
  }

  // MARK: Files

  @Test func catalogIsPersistent() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    do {
      let catalog = try Catalog(path: path, access: .readAndImport)
      try catalog.importFiles([lines(Self.level)])
    }
    #expect(Catalog.isDatabase(path: path))
    let catalog = try Catalog(path: path)
    #expect(try catalog.productIdentifiers() == ["com.example.level1"])
    #expect(throws: CatalogError.self) { try catalog.importFiles([lines(Self.level)]) }
  }

  @Test func rejectsInvalidDatabase() throws {
    let folder = try ScratchFolder()
    let text = folder.path("text.pricetag")
    try Data(
      "not a database, and long enough to have a header of one hundred bytes, which SQLite would read first of all"
        .utf8
    )
    .write(to: URL(filePath: text))
    let empty = folder.path("empty.pricetag")
    try Data().write(to: URL(filePath: empty))
    let missing = folder.path("missing.pricetag")
    for (path, code) in [
      (text, CatalogError.Code.unknownFormat), (empty, .unknownFormat), (missing, .unreadableFile),
    ] {
      let failure = #expect(throws: CatalogError.self) { try Catalog(path: path) }
      #expect(failure?.code == code, "\(path): \(String(describing: failure))")
    }
    #expect(throws: CatalogError.self) { try Catalog(path: text, access: .readAndImport) }
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  /// During an import, readers see the previous state of the catalog and do not wait.
  @Test func readersDoNotWaitForImport() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    let importing = try Catalog(path: path, access: .readAndImport)
    try importing.importFiles([lines(Self.level)])
    let reading = try Catalog(path: path)
    var seen: [[String]] = []
    // The handler is called in the middle of the import.
    try importing.importFiles([
      lines(#"{"productIdentifier":"new","prices":{"USA":"1"}}"#, #"{"productIdentifier":"bad id"}"#)
    ]) { (_) throws(CatalogError) in
      seen.append(try reading.productIdentifiers())
      seen.append(try importing.productIdentifiers())
    }
    #expect(seen == [["com.example.level1"], ["com.example.level1"]])
    #expect(try reading.productIdentifiers() == ["com.example.level1", "new"])
  }

  /// A closed catalog is one file, which can be read from read-only storage. Open readers are not interrupted by an
  /// import.
  @Test func closedCatalogIsOneFile() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    let first = try Catalog(path: path, access: .readAndImport)
    try first.importFiles([lines(Self.level)])
    try first.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shop.pricetag"])
    #expect(throws: CatalogError.self) { try first.productIdentifiers() }
    // 1: the file format version that needs no additional files.
    #expect(try Data(contentsOf: URL(filePath: path))[18...19] == Data([1, 1]))

    let reading = try Catalog(path: path)
    #expect(try reading.productIdentifiers() == ["com.example.level1"])
    let second = try Catalog(path: path, access: .readAndImport)
    try second.importFiles([lines(#"{"productIdentifier":"bad id"}"#, #"{"productIdentifier":"new"}"#)]) {
      (_) throws(CatalogError) in
      #expect((try? reading.productIdentifiers()) == ["com.example.level1"])
    }
    #expect(try reading.productIdentifiers() == ["com.example.level1", "new"])
  }

  @Test func rejectsConcurrentImport() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    let first = try Catalog(path: path, access: .readAndImport)
    let second = try Catalog(path: path, access: .readAndImport)
    var failure: CatalogError?
    try first.importFiles([lines(#"{"productIdentifier":"bad id"}"#)]) { (_) throws(CatalogError) in
      do throws(CatalogError) { try second.importFiles([lines(Self.level)]) } catch { failure = error }
    }
    #expect(failure?.problem == "another import is writing the catalog")
  }
}

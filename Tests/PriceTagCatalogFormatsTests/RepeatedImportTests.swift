import CatalogSamples
import Foundation
import PriceTag
import Synchronization
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Tests of imports that are skipped, because importing the same again changes nothing.
@Suite struct RepeatedImportTests {
  private static let shop = lines(
    #"{"type":"tier","tier":"1","prices":{"USA":"0.99"}}"#,
    #"{"type":"category","identifier":"levels","names":{"en-US":"Levels"}}"#,
    #"{"productIdentifier":"level","tier":"2","prices":{"USA":{"amount":"0.99","taxIncluded":"unknown"},"BGR":"1"}}"#,
    #"{"productIdentifier":"club","kind":"auto-renewable-subscription","prices":{"USA":"4.99"}}"#
  )
  private static let other = lines(#"{"productIdentifier":"other","prices":{"USA":"1.99"}}"#)

  /// What an import of the shop is given.
  struct Input: Sendable {
    var files = [RepeatedImportTests.shop]
    var options = ImportOptions.inFebruary
    var mode = Catalog.ImportMode.update

    static func with(_ change: (inout Input) throws -> Void) rethrows -> Input {
      var input = Input()
      try change(&input)
      return input
    }

    @discardableResult
    func `import`(into catalog: Catalog) throws -> ImportSummary {
      try catalog.importFiles(files, options: options, mode: mode)
    }
  }

  /// Returns whether an import is skipped: it does not read the prices, of which another program changes one here, and so it does
  /// not find the damage.
  private static func isSkipped(_ catalog: Catalog, _ input: Input = Input()) throws -> Bool {
    func damage(_ amount: String) throws {
      try catalog.write {
        try $0.execute(sql: "UPDATE price SET amount = '\(amount)' WHERE storefront = 'BGR'")
      }
    }
    try damage("9.00")
    defer { try? damage("1.00") }
    do throws(CatalogError) {
      try catalog.importFiles(input.files, options: input.options, mode: input.mode)
      return true
    } catch {
      guard error.problem.hasPrefix("the catalog is damaged") else { throw error }
      return false
    }
  }

  @Test(arguments: [Catalog.ImportMode.update, .replace])
  func skipsTheSame(mode: Catalog.ImportMode) throws {
    let catalog = try Catalog()
    let input = Input.with { $0.mode = mode }
    #expect(try input.import(into: catalog).products == .init(added: 2))
    let skipped = try input.import(into: catalog)
    #expect(try Self.isSkipped(catalog, input))
    try catalog.write { try $0.execute(sql: "DELETE FROM import_input") }
    #expect(try input.import(into: catalog) == skipped)
    #expect(skipped.products == .init(unchanged: 2) && skipped.revision == 1)
    #expect(skipped.missingTiers == ["2"] && skipped.subscriptionsWithoutPeriod == ["club"])
    #expect(skipped.unknownTaxPrices == 1 && skipped.rejected == 0)
    #expect(try Self.isSkipped(catalog, input), "after an import that changed nothing")
  }

  private static let overrides = Result { () throws -> LocaleData in
    let folder = try ScratchFolder(["custom-currencies.json": #"{"schema":1,"currencies":[]}"#])
    return try LocaleData(folder: folder.url.path)
  }

  static let changes: [(what: String, input: @Sendable () throws -> Input)] = [
    (
      "a byte",
      {
        try .with {
          $0.files[0] = CatalogFile(name: "shop.jsonl", bytes: try $0.files[0].contents() + [0x20])
        }
      }
    ),
    (
      "another name",
      { try .with { $0.files[0] = CatalogFile(name: "a.jsonl", bytes: try $0.files[0].contents()) } }
    ),
    ("a second file", { .with { $0.files.append(other) } }),
    ("the mode", { .with { $0.mode = .replace } }),
    ("the language", { .with { $0.options.language = "de" } }),
    ("the storefront", { try .with { $0.options.storefront = try Storefront("JPN") } }),
    ("the locale data", { try .with { $0.options.localeData = try overrides.get() } }),
    ("a date of prices", { try .with { $0.options.effective = try CalendarDate("2026-02-01") } }),
    // The lev ended on 2025-12-31.
    ("a currency", { try .with { $0.options.day = try .date(CalendarDate("2025-12-31")) } }),
  ]

  @Test(arguments: changes)
  func importsAnotherInput(what: String, input: @Sendable () throws -> Input) throws {
    let catalog = try Catalog()
    try Input().import(into: catalog)
    #expect(try !Self.isSkipped(catalog, input()), "\(what)")
    #expect(try Self.isSkipped(catalog))
  }

  /// What has no effect on an import that changes nothing.
  static let ineffective: [(what: String, input: @Sendable () throws -> Input)] = [
    ("another day", { try .with { $0.options.day = try .date(CalendarDate("2026-02-02")) } }),
    ("the kept days", { .with { $0.options.historyDays = 61 } }),
    ("a correction", { .with { $0.options.corrects = true } }),
  ]

  @Test(arguments: ineffective)
  func skipsOtherOptions(what: String, input: @Sendable () throws -> Input) throws {
    let catalog = try Catalog()
    try Input().import(into: catalog)
    #expect(try Self.isSkipped(catalog, input()), "\(what)")
  }

  static let writes: [(what: String, input: Input)] = [
    ("another product", .with { $0.files = [other] }),
    ("a changed price", .with { $0.files = [lines(#"{"productIdentifier":"club","prices":{"USA":"5"}}"#)] }),
    ("a removal", .with { ($0.files, $0.mode) = ([other], .replace) }),
    ("a tier", .with { $0.files = [lines(#"{"type":"tier","tier":"1","prices":{"USA":"1.99"}}"#)] }),
    (
      "a name",
      .with { $0.files = [lines(#"{"type":"category","identifier":"levels","names":{"de":"Stufen"}}"#)] }
    ),
  ]

  @Test(arguments: writes)
  func importsAfterAnotherWrite(what: String, input: Input) throws {
    let catalog = try Catalog()
    try Input().import(into: catalog)
    try input.import(into: catalog)
    let summary = try Input().import(into: catalog)
    let expected = try Catalog()
    for input in [Input(), input] { try input.import(into: expected) }
    try expected.write { try $0.execute(sql: "DELETE FROM import_input") }
    #expect(try summary == Input().import(into: expected), "\(what)")
    #expect(try contents(of: catalog) == contents(of: expected), "\(what)")
  }

  /// Inputs whose result is not stored.
  static let unstored: [(what: String, files: [CatalogFile])] = [
    ("a reject", [shop, lines(#"{"productIdentifier":"bad id"}"#)]),
    (
      "an empty file",
      [
        shop,
        CatalogFile(name: "empty.json", bytes: Array(#"{"format":"pricetag-catalog","version":1}"#.utf8)),
      ]
    ),
    ("files with the same product", [shop, lines(#"{"productIdentifier":"level","prices":{"USA":"5"}}"#)]),
  ]

  @Test(arguments: unstored)
  func importsAgain(what: String, files: [CatalogFile]) throws {
    let catalog = try Catalog()
    let input = Input.with { $0.files = files }
    for _ in 0..<2 {
      try input.import(into: catalog)
      #expect(try !Self.isSkipped(catalog, input), "\(what)")
    }
  }

  /// A failed import stores nothing, and what an earlier one stored remains valid.
  @Test func failedImportStoresNothing() throws {
    let catalog = try Catalog()
    try Input().import(into: catalog)
    let failing = Input.with { $0.files = [lines(#"{"productIdentifier":"new","prices":{"USA":"1"}}"#, "{")] }
    for _ in 0..<2 { #expect(throws: CatalogError.self) { try failing.import(into: catalog) } }
    let file = Input.with { $0.files = [shopWithOther()] }
    #expect(throws: CatalogError.self) {
      try catalog.write { database in
        let writing = try CatalogImport(
          database,
          path: "",
          localeData: .embedded,
          mode: .update,
          ImportTiming()
        )
        writing.input = "0"
        _ = try writing.finish()
        throw CatalogError.notACatalog("")
      }
    }
    #expect(try catalog.read { try CatalogStore($0, localeData: .embedded).repeatableInputs().count } == 1)
    #expect(try Self.isSkipped(catalog))
    #expect(try !Self.isSkipped(catalog, file))
  }

  private func shopWithOther() -> CatalogFile { lines(#"{"productIdentifier":"level"}"#) }

  @Test func skipsEachOfSeveralFiles() throws {
    let catalog = try Catalog()
    let inputs = [Input(), .with { $0.files = [Self.other] }]
    for input in inputs + inputs { try input.import(into: catalog) }
    for input in inputs { #expect(try Self.isSkipped(catalog, input)) }
    for number in 0..<200 {
      try Input.with { $0.files = [lines(#"{"productIdentifier":"other"}"#, name: "\(number).jsonl")] }
        .import(into: catalog)
    }
    #expect(try catalog.read { try CatalogStore($0, localeData: .embedded).repeatableInputs().count } <= 100)
    #expect(try catalog.verify().damages == 0)
  }

  /// The digest is that of the bytes that were imported, not of those that replaced them in the meantime.
  @Test func importsFileThatChangedWhileItWasRead() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("shop.jsonl", try Self.shop.contents())
    let changed = Array(
      String(decoding: try Self.shop.contents(), as: UTF8.self).replacing("4.99", with: "5.99").utf8
    )
    let catalog = try Catalog()
    let files = [CatalogFile(path: path)]
    let readCount = Mutex(0)
    let write: @Sendable (String, Int) -> Void = { _, _ in
      // The first chunk is read twice, to detect the format and to import it.
      let isImported = readCount.withLock { count in
        count += 1
        return count > 1
      }
      if isImported { _ = try? folder.write("shop.jsonl", changed) }
    }
    try catalog.importFiles(files, options: .inFebruary, progress: write)
    #expect(try contents(of: catalog).contains("club, USA 4.99 USD"))
    try catalog.importFiles(files, options: .inFebruary)
    #expect(try contents(of: catalog).contains("club, USA 5.99 USD"))
  }

  /// A pipe can be read only once.
  @Test func importsPipe() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.jsonl")
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = Data(try Self.shop.contents())
    let catalog = try Catalog()
    for _ in 0..<2 {
      Thread.detachNewThread { try? bytes.write(to: URL(filePath: path)) }
      try catalog.importFiles([CatalogFile(path: path)], options: .inFebruary)
    }
    #expect(try catalog.read { try CatalogStore($0, localeData: .embedded).repeatableInputs().isEmpty })
  }

  @Test func reportsDamage() throws {
    let catalog = try Catalog()
    try Input().import(into: catalog)
    try catalog.write { try $0.execute(sql: "UPDATE import_input SET products = 3") }
    #expect(throws: CatalogError.self) { try Input().import(into: catalog) }
    #expect(try catalog.verify().damages == 1)
  }
}

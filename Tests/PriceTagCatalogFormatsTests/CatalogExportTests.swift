import CatalogSamples
import Foundation
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct CatalogExportTests {
  private static let shop = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/rocket-garage.json").path

  private static func exported(_ catalog: Catalog, _ format: ExportFormat) throws -> (
    text: String, leftOut: [String]
  ) {
    var text = ""
    var leftOut: [String] = []
    try catalog.export(as: format) {
      text += $0
    } leftOut: {
      leftOut.append($0.description)
    }
    return (text, leftOut)
  }

  /// Everything, and nothing else: a new catalogue of the export says the same, and so does its own export.
  @Test(arguments: [ExportFormat.json, .jsonl])
  func whatHasEverythingSaysTheSameAgain(format: ExportFormat) throws {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(path: Self.shop)])
    let (text, leftOut) = try Self.exported(catalog, format)
    #expect(leftOut == [])
    let again = try Catalog()
    try again.importFiles([CatalogFile(name: "export.\(format.rawValue)", bytes: Array(text.utf8))]) {
      (error) throws(CatalogError) in throw error
    }
    #expect(try Self.exported(again, format).text == text)
    #expect(
      try catalog.importFiles([CatalogFile(name: "export.\(format.rawValue)", bytes: Array(text.utf8))])
        .isUnchanged
    )
    #expect(try contents(of: again) == contents(of: catalog))
  }

  static let partial: [(format: ExportFormat, name: String, leftOut: [String])] = [
    (
      .csv, "export.csv",
      [
        "CSV has no prices of tiers, of which there are 10: export to json or jsonl, which have everything",
        "CSV has no names of groups, of which there are 8: export to json or jsonl, which have everything",
      ]
    ),
    (
      .itmsp, "metadata.xml",
      [
        "a package has no prices of tiers, of which there are 10: export to json or jsonl, which have everything",
        "a package has no categories, of which there are 6: export to json or jsonl, which have everything",
      ]
    ),
  ]

  /// What a format can say comes back as it was; what it cannot is told.
  @Test(arguments: partial)
  func whatAFormatCannotSayIsTold(format: ExportFormat, name: String, leftOut: [String]) throws {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(path: Self.shop)])
    let (text, told) = try Self.exported(catalog, format)
    for line in leftOut { #expect(told.contains(line), "\(told.prefix(4))") }
    #expect(told.contains { $0.contains("garage_club") })
    let again = try Catalog()
    let summary = try again.importFiles([CatalogFile(name: name, bytes: Array(text.utf8))])
    #expect(summary.products.added == 23)
    // A package keeps no order.
    let (first, second) = (
      text.split(separator: "\n"), try Self.exported(again, format).text.split(separator: "\n")
    )
    #expect(format == .itmsp ? first.sorted() == second.sorted() : first == second)
  }

  @Test func anEmptyCatalogueIsADocument() throws {
    let catalog = try Catalog()
    #expect(try Self.exported(catalog, .json).text == "{\"format\":\"pricetag-catalog\",\"version\":1}\n")
    #expect(try Self.exported(catalog, .jsonl).text.isEmpty)
    let text = try Self.exported(catalog, .itmsp).text
    #expect(try catalog.importFiles([CatalogFile(name: "metadata.xml", bytes: Array(text.utf8))]).isUnchanged)
  }
}

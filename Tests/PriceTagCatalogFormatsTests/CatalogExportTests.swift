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
    text: String, omissions: [String]
  ) {
    var text = ""
    var omissions: [String] = []
    try catalog.export(as: format) {
      text += $0
    } onOmission: {
      omissions.append($0.description)
    }
    return (text, omissions)
  }

  /// A catalog imported from an export has the same contents and the same export.
  @Test(arguments: [ExportFormat.json, .jsonl])
  func roundTripsCatalog(format: ExportFormat) throws {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(path: Self.shop)])
    let (text, omissions) = try Self.exported(catalog, format)
    #expect(omissions == [])
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

  static let partial: [(format: ExportFormat, name: String, omissions: [String])] = [
    (
      .csv, "export.csv",
      [
        "CSV does not support tier prices (omitted: 10); export to json or jsonl, which support all data"
      ]
    ),
    (
      .itmsp, "metadata.xml",
      [
        "the iTunes package format does not support tier prices (omitted: 10); export to json or jsonl, which support all data",
        "the iTunes package format does not support categories (omitted: 6); export to json or jsonl, which support all data",
      ]
    ),
  ]

  /// Supported data are the same after an import, and omitted data are reported.
  @Test(arguments: partial)
  func reportsOmissions(format: ExportFormat, name: String, omissions expected: [String]) throws {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(path: Self.shop)])
    let (text, omissions) = try Self.exported(catalog, format)
    for line in expected { #expect(omissions.contains(line), "\(omissions.prefix(4))") }
    #expect(omissions.contains { $0.contains("garage_club") })
    let again = try Catalog()
    let summary = try again.importFiles([CatalogFile(name: name, bytes: Array(text.utf8))])
    #expect(summary.products.added == 26)
    // A package does not preserve the order.
    let (first, second) = (
      text.split(separator: "\n"), try Self.exported(again, format).text.split(separator: "\n")
    )
    #expect(format == .itmsp ? first.sorted() == second.sorted() : first == second)
    // CSV has the names of categories and subscription groups, too.
    if format == .csv { #expect(try groups(of: again) == groups(of: catalog)) }
  }

  private func groups(of catalog: Catalog) throws -> [ProductGroup] {
    var groups: [ProductGroup] = []
    try catalog.forEachItem { (item) throws(CatalogError) in
      if case .group(let group) = item { groups.append(group) }
    }
    return groups
  }

  @Test func reportsGroupsWithoutProducts() throws {
    let catalog = try Catalog()
    let text = #"{"type":"category","identifier":"cars","names":{"en":"Cars"}}"#
    try catalog.importFiles([CatalogFile(name: "cars.jsonl", bytes: Array(text.utf8))])
    let (csv, omissions) = try Self.exported(catalog, .csv)
    #expect(
      csv.hasPrefix("productIdentifier,")
        && csv.hasSuffix(
          "unitReference,related,categoryName[en],storefront,amount,currency,priceLocale,from,until\n"
        )
    )
    #expect(
      omissions == [
        "CSV does not support groups without products (omitted: 1); export to json or jsonl, which support all data"
      ]
    )
  }

  @Test func exportsEmptyCatalog() throws {
    let catalog = try Catalog()
    #expect(try Self.exported(catalog, .json).text == "{\"format\":\"pricetag-catalog\",\"version\":1}\n")
    #expect(try Self.exported(catalog, .jsonl).text.isEmpty)
    let text = try Self.exported(catalog, .itmsp).text
    #expect(try catalog.importFiles([CatalogFile(name: "metadata.xml", bytes: Array(text.utf8))]).isUnchanged)
  }
}

import CatalogSamples
import PriceTag

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// The result of importing a file.
struct Imported {
  var products: [CatalogProduct] = []
  var tiers: [PriceTier] = []
  var groups: [ProductGroup] = []
  /// The description of each reject.
  var rejects: [String] = []
  /// The description of the error that ended the import.
  var failure: String?

  init(_ format: CatalogFormat, _ text: String, _ options: ImportOptions = ImportOptions()) {
    self.init(format, CatalogFile(name: "file", bytes: Array(text.utf8)), options)
  }

  init(_ format: CatalogFormat, _ file: CatalogFile, _ options: ImportOptions = ImportOptions()) {
    let collector = Collector()
    let session = ImportSession(
      options: options,
      add: { (item, _) throws(CatalogError) in collector.items.append(item) },
      onReject: { (error) throws(CatalogError) in collector.rejects.append(error.description) }
    )
    do throws(CatalogError) { try format.importer.read(file, into: session) } catch {
      failure = error.description
    }
    rejects = collector.rejects
    for item in collector.items {
      switch item {
      case .product(let product): products.append(product)
      case .tier(let tier): tiers.append(tier)
      case .group(let group): groups.append(group)
      }
    }
  }

  /// The failure, the imported items and the rejects, one per line.
  var text: String {
    let items = tiers.flatMap { ["tier \($0.name)"] + $0.prices.lines } + groups.map(\.line)
    let failures = failure.map { ["failure: \($0)"] } ?? []
    return (failures + items + products.flatMap(\.lines) + rejects.map { "rejected: \($0)" })
      .joined(separator: "\n")
  }

  /// The rejects, one per line.
  var rejectText: String { rejects.joined(separator: "\n") }

  /// Returns the prices of a product as text: `USA 0.99 USD`, `BGR 1.95 BGN until 2025-12-31`.
  func prices(of identifier: String) -> [String] {
    (products.first { $0.identifier == identifier }?.prices ?? PriceTable()).lines
  }

  private final class Collector {
    var items: [ImportedItem] = []
    var rejects: [String] = []
  }
}

extension ImportOptions {
  /// Options with the date 2026-02-01.
  static let inFebruary = ImportOptions(day: .date((try? CalendarDate("2026-02-01")) ?? .todayInUTC))

  /// Returns options with a fixed date.
  static func on(_ date: String) throws -> ImportOptions { ImportOptions(day: try .date(CalendarDate(date))) }
}

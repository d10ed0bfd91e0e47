import CatalogSamples
import PriceTag

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// What an importer made of a file.
struct Imported {
  var products: [CatalogProduct] = []
  var tiers: [PriceTier] = []
  var groups: [ProductGroup] = []
  /// Each as one line.
  var setAside: [String] = []
  /// What ended the import.
  var failure: String?

  init(_ format: CatalogFormat, _ text: String, _ options: ImportOptions = ImportOptions()) {
    self.init(format, CatalogFile(name: "file", bytes: Array(text.utf8)), options)
  }

  init(_ format: CatalogFormat, _ file: CatalogFile, _ options: ImportOptions = ImportOptions()) {
    let collector = Collector()
    let session = ImportSession(
      options: options,
      take: { (item, _) throws(CatalogError) in collector.items.append(item) },
      setAside: { (error) throws(CatalogError) in collector.setAside.append(error.description) }
    )
    do throws(CatalogError) { try format.importer.read(file, into: session) } catch {
      failure = error.description
    }
    setAside = collector.setAside
    for item in collector.items {
      switch item {
      case .product(let product): products.append(product)
      case .tier(let tier): tiers.append(tier)
      case .group(let group): groups.append(group)
      }
    }
  }

  /// The prices of a product as text: `USA 0.99 USD`, `BGR 1.95 BGN until 2025-12-31`.
  func prices(of identifier: String) -> [String] {
    (products.first { $0.identifier == identifier }?.prices ?? PriceTable()).lines
  }

  private final class Collector {
    var items: [ImportedItem] = []
    var setAside: [String] = []
  }
}

extension ImportOptions {
  /// Of a day that is always the same.
  static func on(_ date: String) throws -> ImportOptions { ImportOptions(date: try CalendarDate(date)) }
}

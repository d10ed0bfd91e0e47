import PriceTag
import PriceTagCatalog

/// Where a list of product identifiers is: a file or a URL.
struct ProductIdentifierSource {
  init(_ location: String, cache: String?) {}

  func read() throws -> (identifiers: [String], setAside: [CatalogError]) { ([], []) }
}

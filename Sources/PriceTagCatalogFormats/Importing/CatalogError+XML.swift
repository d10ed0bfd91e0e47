import PriceTag
import PriceTagCatalog
import PriceTagXML

extension CatalogError {
  /// Creates the error for a malformed XML document.
  init(_ error: XMLError) {
    self.init(.malformedFile, error.problem, fix: error.fix, place: error.place)
  }
}

import PriceTag
import PriceTagCatalog
import PriceTagXML

extension CatalogError {
  /// What is wrong with an XML document.
  init(_ error: XMLError) {
    self.init(.malformedFile, error.problem, fix: error.fix, place: error.place)
  }
}

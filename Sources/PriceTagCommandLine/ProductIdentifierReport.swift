import PriceTag
import PriceTagCatalog

extension ProductIdentifierList {
  /// Writes the entries that were rejected to standard error, a line each.
  ///
  /// - Throws: In development the first malformed identifier, as StoreKit would refuse the request.
  package func report(isDevelopment: Bool) throws(CatalogError) {
    for error in setAside { StandardError.write("\(CommandLineProgram.name): set aside: \(error)\n") }
    if isDevelopment, let malformed = setAside.first(where: { $0.code == .malformedIdentifier }) {
      throw malformed
    }
  }
}

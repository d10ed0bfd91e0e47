import PriceTagCatalog

extension ProductIdentifierList {
  /// Writes the rejected entries to standard error, one per line.
  ///
  /// - Throws: In development, the first malformed identifier. StoreKit would refuse such a request.
  package func report(isDevelopment: Bool) throws(CatalogError) {
    for error in rejects { StandardError.write("\(CommandLineProgram.name): rejected: \(error)\n") }
    if isDevelopment, let malformed = rejects.first(where: { $0.code == .malformedIdentifier }) {
      throw malformed
    }
  }
}

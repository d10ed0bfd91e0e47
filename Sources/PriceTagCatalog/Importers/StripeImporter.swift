import PriceTag

enum StripeImporter: CatalogImporter {
  static let format = CatalogFormat.stripe

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

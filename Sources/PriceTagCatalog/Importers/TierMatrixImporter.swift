import PriceTag

enum TierMatrixImporter: CatalogImporter {
  static let format = CatalogFormat.tiers

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

import PriceTag

enum StoreKitImporter: CatalogImporter {
  static let format = CatalogFormat.storekit

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

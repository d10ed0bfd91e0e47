import PriceTag

enum ITunesPackageImporter: CatalogImporter {
  static let format = CatalogFormat.itmsp

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

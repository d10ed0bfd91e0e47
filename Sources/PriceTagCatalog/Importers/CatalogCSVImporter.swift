import PriceTag

enum CatalogCSVImporter: CatalogImporter {
  static let format = CatalogFormat.csv

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

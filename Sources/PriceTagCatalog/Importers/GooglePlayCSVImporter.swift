import PriceTag

enum GooglePlayCSVImporter: CatalogImporter {
  static let format = CatalogFormat.googlePlayCSV

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

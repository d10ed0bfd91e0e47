import PriceTag

enum GooglePlayJSONImporter: CatalogImporter {
  static let format = CatalogFormat.googlePlayJSON

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

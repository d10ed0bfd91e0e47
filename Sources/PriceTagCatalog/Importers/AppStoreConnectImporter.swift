import PriceTag

enum AppStoreConnectImporter: CatalogImporter {
  static let format = CatalogFormat.appStoreConnect

  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError) {
    throw CatalogError(.unknownFormat, "not yet", fix: "wait")
  }
}

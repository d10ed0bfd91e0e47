import PriceTagCatalog

/// Imports files of one format.
///
/// An importer rejects every product, price or text that it does not fully understand, with its place and the reason.
/// A file that breaks the rules of its format ends the import, and no file of that import is stored.
protocol CatalogImporter {
  /// Reads a file and adds its products, tiers and groups to a session.
  ///
  /// - Throws: `CatalogError` with the place in the file; the caller adds the file name.
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError)
}

extension CatalogFormat {
  /// The importer that reads files of this format.
  var importer: any CatalogImporter.Type {
    switch self {
    case .json: CatalogJSONImporter.self
    case .jsonl: CatalogJSONLinesImporter.self
    case .csv: CatalogCSVImporter.self
    case .storekit: StoreKitImporter.self
    case .googlePlayCSV: GooglePlayCSVImporter.self
    case .googlePlayJSON: GooglePlayJSONImporter.self
    case .appStoreConnect: AppStoreConnectImporter.self
    case .itmsp: ITunesPackageImporter.self
    case .stripe: StripeImporter.self
    case .tiers: TierMatrixImporter.self
    case .unity: UnityImporter.self
    }
  }
}

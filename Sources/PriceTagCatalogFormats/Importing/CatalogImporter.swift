import PriceTag
import PriceTagCatalog

/// Reads one format of files of products.
///
/// An importer is strict about what it understands: what it does not is set aside with its place and reason, and what
/// breaks the format's rules ends the import, of which then nothing is kept.
protocol CatalogImporter {
  /// The format that it reads.
  static var format: CatalogFormat { get }

  /// Hands what a file says to a session.
  ///
  /// - Throws: `CatalogError` with the place in the file, without the file's name.
  static func read(_ file: CatalogFile, into session: ImportSession) throws(CatalogError)
}

extension CatalogFormat {
  /// Who reads it.
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
    }
  }
}

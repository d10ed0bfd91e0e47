import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText
import Synchronization

/// A digest of everything that decides what an import does to the contents of a catalog: the program with its data, the
/// options, and the bytes of the files as they are read. Options of the history have no effect on an import that changes nothing.
final class ImportDigest: Sendable {
  private let digest: Mutex<ContentDigest>

  var text: String { digest.withLock(\.text) }

  private init(_ digest: ContentDigest) { self.digest = Mutex(digest) }

  /// Creates the digest of an import, without its files; `nil` for an import that is never skipped.
  convenience init?(
    _ files: [CatalogFile],
    into catalog: Catalog,
    _ options: ImportOptions,
    _ mode: Catalog.ImportMode
  ) {
    // A pipe can be read only once. Whether a date of prices is allowed depends on the date of the import. The summary of a
    // reinterpretation names files.
    guard options.effective == nil, options.reinterpretAs == nil,
      files.allSatisfy({ $0.byteCount != nil }), let program = ProgramFiles.all()
    else { return nil }
    var digest = ContentDigest()
    for text in program + ["\(mode)", catalog.localeData.digest, options.localeData.digest] {
      digest.add(text)
    }
    for text in [options.storefront?.digest, options.language] { digest.add(text) }
    // The day of the import decides the currency of a price without one.
    for storefront in options.localeData.storefronts + [options.storefront].compactMap(\.self)
    where storefront.currencyPeriods.count > 1 {
      guard let date = try? options.day.date(in: storefront) else { return nil }
      digest.add(storefront.currencyPeriods.count { $0.lastDay.map { $0 < date } ?? false })
    }
    self.init(digest)
  }

  /// Returns a file that adds its bytes to the digest when it is read.
  func reading(_ file: CatalogFile, as format: CatalogFormat) -> CatalogFile {
    for text in [file.name, format.rawValue] { digest.withLock { $0.add(text) } }
    var file = file
    file.onRead = { bytes in self.digest.withLock { $0.add(UnsafeRawBufferPointer(bytes)) } }
    return file
  }

  /// Returns the text of the digest with the files as they are now; `nil` if one cannot be read.
  func text(with files: [CatalogFile], _ format: CatalogFormat?) -> String? {
    let copy = ImportDigest(digest.withLock { $0 })
    do throws(CatalogError) {
      for file in files {
        let fileFormat = if let format { format } else { try CatalogFormat(of: file) }
        try copy.reading(file, as: fileFormat).forEachChunk { (_) in true }
      }
      return copy.text
    } catch { return nil }
  }
}

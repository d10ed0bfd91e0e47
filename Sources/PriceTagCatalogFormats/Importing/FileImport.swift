import PriceTag
import PriceTagCatalog
import PriceTagText

extension Catalog {
  /// Imports files, in their order: all of them in one transaction, or nothing where one cannot be read.
  ///
  ///     let catalog = try Catalog(path: "shop.pricetag", access: .readAndImport)
  ///     let summary = try catalog.importFiles([CatalogFile(path: "Products.storekit")])
  ///     summary.products.added    // 12
  ///
  /// Importing the same files again changes nothing. A product that two files speak of has what both say; where they
  /// differ, the later one holds. A price of a product's own goes before its tier's, also where the tier came later.
  ///
  /// - Parameters:
  ///   - files: The files, each of any format that PriceTag reads.
  ///   - format: The format of all of them; `nil` to tell it by each file's ending and first bytes.
  ///   - options: What prices mean that do not say it themselves.
  ///   - mode: How what is there is dealt with.
  ///   - setAside: Is handed what could not be taken, with file, place and reason; where it throws, nothing is imported.
  ///   - progress: Is told which file is read, and how many of its bytes were.
  /// - Throws: `CatalogError`, naming file and place.
  @discardableResult
  public func importFiles(
    _ files: [CatalogFile],
    format: CatalogFormat? = nil,
    options: ImportOptions = ImportOptions(),
    mode: ImportMode = .update,
    setAside: (CatalogError) throws(CatalogError) -> Void = { _ in },
    progress: @escaping @Sendable (_ file: String, _ bytes: Int) -> Void = { _, _ in }
  ) throws(CatalogError) -> ImportSummary {
    try importItems(mode: mode) { (writing) throws(CatalogError) in
      try withoutActuallyEscaping(setAside) { (setAside) throws(CatalogError) in
        for (number, file) in files.enumerated() {
          let name = printable(file.name)
          var file = file
          file.progress = { progress(name, $0) }
          var isEmpty = true
          func tell(_ error: CatalogError) throws(CatalogError) {
            isEmpty = false
            writing.summary.setAside += 1
            try setAside(error.at(name))
          }
          let session = ImportSession(
            options: options,
            take: { (item, place) throws(CatalogError) in
              isEmpty = false
              if let error = try writing.take(item, ofFile: number) { try tell(error.at(place)) }
            },
            setAside: { (error) throws(CatalogError) in try tell(error) }
          )
          do throws(CatalogError) {
            let known = if let format { format } else { try CatalogFormat(of: file) }
            if let storefront = options.reinterpretAs, known != .storekit {
              throw CatalogError(
                .invalidRequest,
                "the prices cannot be reinterpreted as those of \(storefront.id): the format \(known.rawValue) names no storefront for a complete file",
                fix: "leave out --reinterpret-as for this file, or give a StoreKit configuration"
              )
            }
            try known.importer.read(file, into: session)
            if let own = session.reinterpretedStorefront, let storefront = options.reinterpretAs {
              writing.summary.reinterpretations.append(
                ImportSummary.Reinterpretation(file: name, storefront: own, reinterpretedAs: storefront.id)
              )
            }
            if isEmpty { try tell(.emptyFile) }
          } catch {
            // What is set aside names its file already; so does the database.
            throw error.place.hasPrefix(name) ? error : error.at(name)
          }
        }
      }
    }
  }
}

extension CatalogError {
  /// A file that says nothing, such as an answer without products: it may be the wrong one, or cut off.
  fileprivate static let emptyFile = CatalogError(
    .emptyFile,
    "the file has no product, tier or group",
    fix: "check that it is the right file and complete"
  )
}

import PriceTag
import PriceTagCatalog
import PriceTagText

extension Catalog {
  /// Imports files in the given order, in one transaction. If one file cannot be read, no file is imported.
  ///
  ///     let catalog = try Catalog(path: "shop.pricetag", access: .readAndImport)
  ///     let summary = try catalog.importFiles([CatalogFile(path: "Products.storekit")])
  ///     summary.products.added    // 12
  ///
  /// Importing the same files again leaves the catalog unchanged; without changes of the catalog, the options, the program or its
  /// data, they are only compared with a digest of the bytes that were imported. If several files describe a product, their fields are
  /// merged, and the later file wins where they differ. A product's own price takes precedence over its tier's price,
  /// even if the tier was imported later.
  ///
  /// - Parameters:
  ///   - files: The files, in any mix of formats.
  ///   - format: The format of all files, or `nil` to detect the format of each file from its name and first bytes.
  ///   - options: The storefront, language and date to assume where a file does not state them.
  ///   - mode: Whether to update or replace the products that the catalog contains.
  ///   - onReject: Called for each rejected item with an error that names the file, the place and the reason. If it
  ///     throws, no file is imported.
  ///   - progress: Called with the name of the current file and the number of its bytes read so far.
  /// - Returns: The number of items added, changed and rejected.
  /// - Throws: `CatalogError`, which names the file and the place.
  @discardableResult
  public func importFiles(
    _ files: [CatalogFile],
    format: CatalogFormat? = nil,
    options: ImportOptions = ImportOptions(),
    mode: ImportMode = .update,
    onReject: (CatalogError) throws(CatalogError) -> Void = { _ in },
    progress: @escaping @Sendable (_ file: String, _ bytes: Int) -> Void = { _, _ in }
  ) throws(CatalogError) -> ImportSummary {
    let allowed = ImportOptions.historyDayRange
    guard allowed.contains(options.historyDays) else {
      throw CatalogError(
        .invalidRequest,
        "a history cannot have \(options.historyDays) days",
        fix: "use \(allowed.lowerBound) to \(allowed.upperBound)"
      )
    }
    let timing = ImportTiming(
      day: options.day,
      effective: options.effective,
      corrects: options.corrects,
      historyDays: options.historyDays
    )
    let digest = ImportDigest(files, into: self, options, mode)
    return try importItems(mode: mode, timing: timing) { (writing) throws(CatalogError) in
      if let digest, try writing.isRepeated(digest.text(with: files, format)) { return }
      try withoutActuallyEscaping(onReject) { (onReject) throws(CatalogError) in
        for (number, file) in files.enumerated() {
          let name = printable(file.name)
          var file = file
          file.progress = { progress(name, $0) }
          var isEmpty = true
          func reject(_ error: CatalogError) throws(CatalogError) {
            isEmpty = false
            writing.summary.rejected += 1
            try onReject(error.at(name))
          }
          let session = ImportSession(
            options: options,
            add: { (item, place) throws(CatalogError) in
              isEmpty = false
              if let error = try writing.add(item, fromFile: number) { return try reject(error.at(place)) }
              guard case .product(let product) = item else { return }
              writing.summary.unknownTaxPrices += product.prices.prices.count {
                ($0.taxInclusion ?? product.taxInclusion) == .unknown
              }
            },
            onReject: { (error) throws(CatalogError) in try reject(error) }
          )
          do throws(CatalogError) {
            let fileFormat = if let format { format } else { try CatalogFormat(of: file) }
            if let storefront = options.reinterpretAs, fileFormat != .storekit {
              throw CatalogError(
                .invalidRequest,
                "prices in the format \(fileFormat.rawValue) cannot be reinterpreted as prices of \(storefront.id)",
                fix: "remove --reinterpret-as, which applies to StoreKit configurations only"
              )
            }
            try fileFormat.importer.read(digest?.reading(file, as: fileFormat) ?? file, into: session)
            if let own = session.reinterpretedStorefront, let storefront = options.reinterpretAs {
              writing.summary.reinterpretations.append(
                ImportSummary.Reinterpretation(file: name, storefront: own, reinterpretedAs: storefront.id)
              )
            }
            if isEmpty { try reject(.emptyFile) }
          } catch {
            // Errors from rejects and from the database already name the file.
            throw error.place.hasPrefix(name) ? error : error.at(name)
          }
        }
        writing.input = digest?.text
      }
    }
  }
}

extension CatalogError {
  /// A file without any item, such as an API response without products: it may be the wrong file or truncated.
  fileprivate static let emptyFile = CatalogError(
    .emptyFile,
    "the file has no product, tier or group",
    fix: "check that it is the right file and complete"
  )
}

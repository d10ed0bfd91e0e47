import Dispatch
import Logging
import PriceTag
import PriceTagCatalog
import Synchronization

/// The shop that is served now, and how the next one takes its place: whole, or not at all.
///
/// Sendable notes: everything that changes is under a lock, and only one thread loads.
final class CurrentShop: Sendable {
  /// A catalogue that could not take the place of the one that is served.
  struct Failure: Sendable {
    let error: ServiceError
    /// In seconds since 1970.
    let failed: Int
  }

  private struct State {
    var shop: ServedShop
    var file: ShopFile?
    var failure: Failure?
    var isStopping = false
  }

  private let source: ShopSource
  private let logger: Logger
  private let state: Mutex<State>
  /// Catalogues are read one after the other, on a thread of their own: it may take minutes.
  private let loading = DispatchQueue(label: "pricetag.catalogue")
  private let isReloadWanted = Atomic(false)

  /// Reads the catalogue for the first time.
  ///
  /// - Throws: `.catalogFailed`, `.outOfResources`.
  init(_ source: ShopSource, _ logger: Logger) throws(ServiceError) {
    (self.source, self.logger) = (source, logger)
    // What is looked at before it is read has changed where it differs after.
    let file = ShopFile(source.path)
    let shop = try Self.load(source, file, logger)
    if shop.productCount == 0 { logger.warning("the catalogue has no products") }
    state = Mutex(State(shop: shop, file: file))
  }

  var shop: ServedShop { state.withLock { $0.shop } }
  var failure: Failure? { state.withLock { $0.failure } }
  var isStopping: Bool { state.withLock { $0.isStopping } }

  func stop() { state.withLock { $0.isStopping = true } }

  /// Whether the file is another one than was read last, or the same and changed; and what it is now.
  func change(since seen: ShopFile?) -> (hasChanged: Bool, now: ShopFile?) {
    let now = ShopFile(source.path)
    return (now != state.withLock { $0.file } && now == seen, now)
  }

  /// Has the catalogue read again, soon. One that waits to be read will have all changes up to then.
  func reloadSoon(_ hasReloaded: @escaping @Sendable () -> Void) {
    guard !isReloadWanted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loading.async {
      self.isReloadWanted.store(false, ordering: .releasing)
      self.load()
      hasReloaded()
    }
  }

  /// Reads the catalogue again. What is served stays until the new one is whole, and for good where that is bad.
  func reload() { loading.sync { load() } }

  private func load() {
    let file = ShopFile(source.path)
    do throws(ServiceError) {
      let old = self.shop
      let shop = try Self.load(source, file, logger, after: old)
      guard shop.productCount > 0 || old.productCount == 0 else {
        throw ServiceError(
          .catalogFailed,
          "the catalogue has no products",
          fix: "import some; to serve none, start the service anew",
          place: printable(source.path)
        )
      }
      state.withLock { ($0.shop, $0.file, $0.failure) = (shop, file, nil) }
      logger.notice(
        "the catalogue was reloaded",
        metadata: [
          "products": .stringConvertible(shop.productCount), "revision": .stringConvertible(shop.revision),
          "setAside": .stringConvertible(shop.setAsideCount),
        ]
      )
    } catch {
      state.withLock { state in
        (state.file, state.failure) = (file, Failure(error: error, failed: HTTPDate.now.seconds))
      }
      logger.error(
        "the new catalogue cannot be served; the old one is, as before",
        metadata: ["error": "\(error)"]
      )
    }
  }

  // MARK: Loading

  /// Reads a catalogue into a copy of the service's own, which no import and no other program changes.
  private static func load(
    _ source: ShopSource,
    _ file: ShopFile?,
    _ logger: Logger,
    after old: ServedShop? = nil
  ) throws(ServiceError) -> ServedShop {
    let folder = try PrivateFolder()
    let copy = "\(folder.path)/catalog.pricetag"
    do throws(CatalogError) {
      var setAside = 0
      if Catalog.isDatabase(path: source.path) {
        let original = try Catalog(path: source.path, localeData: source.localeData)
        try original.copy(to: copy)
        try original.close()
      } else {
        let imported = try Catalog(path: copy, access: .readAndImport, localeData: source.localeData)
        let options = ImportOptions(
          localeData: source.localeData,
          storefront: source.pricesOf,
          language: source.textsIn
        )
        setAside = try imported.importFiles(
          [CatalogFile(path: source.path)],
          format: source.format,
          options: options
        ) { (error) throws(CatalogError) in
          logger.warning("set aside", metadata: ["error": "\(error)"])
        }.setAside
        try imported.close()
      }
      // Work that is paused within a read holds its connection.
      let catalog = try Catalog(
        path: copy,
        localeData: source.localeData,
        maximumReaderCount: Workers.shared.maximumBegunCount
      )
      return try ServedShop(
        catalog,
        in: folder,
        source,
        modified: file?.modified ?? HTTPDate.now.seconds,
        setAside: setAside,
        after: old
      )
    } catch { throw ServiceError(.catalogFailed, error) }
  }
}

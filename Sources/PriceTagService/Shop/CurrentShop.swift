import Dispatch
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagText
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

  /// What a catalog must be like to take the place of the one before.
  struct Rules: Sendable {
    /// The seconds for which its file has not changed.
    var settleSeconds = 0
    /// Whether it may have less than half of the products.
    var allowsShrinking = false
  }

  /// What came of reading a catalog again.
  enum Outcome: Sendable {
    /// It is served.
    case served
    /// It cannot be served; ``failure`` says why.
    case refused
    /// Its file changed while it was read: it will be read again.
    case changing
  }

  private let source: ShopSource
  private let rules: Rules
  private let logger: Logger
  private let state: Mutex<State>
  /// Catalogues are read one after the other, on a thread of their own: it may take minutes.
  private let loading = DispatchQueue(label: "pricetag.catalogue")
  private let isReloadWanted = Atomic(false)

  /// Reads the catalogue for the first time.
  ///
  /// - Throws: `.catalogFailed`, `.outOfResources`.
  init(_ source: ShopSource, _ logger: Logger, _ rules: Rules = Rules()) throws(ServiceError) {
    (self.source, self.rules, self.logger) = (source, rules, logger)
    var (file, shop) = try Self.loadSettled(source, rules, logger)
    // A file that is written slowly may have been settled for a moment.
    while rules.settleSeconds > 0, Self.isChanging(source, since: file) {
      (file, shop) = try Self.loadSettled(source, rules, logger)
    }
    if shop.productCount == 0 { logger.warning("the catalogue has no products") }
    state = Mutex(State(shop: shop, file: file))
  }

  var shop: ServedShop { state.withLock { $0.shop } }
  var failure: Failure? { state.withLock { $0.failure } }
  var isStopping: Bool { state.withLock { $0.isStopping } }

  func stop() { state.withLock { $0.isStopping = true } }

  /// Returns whether the file is another one than was read last, or the same and changed; and what it is now.
  func change() -> (hasChanged: Bool, now: ShopFile?) {
    let now = ShopFile(source.path)
    return (now != state.withLock { $0.file }, now)
  }

  var settleSeconds: Int { rules.settleSeconds }

  /// Has the catalog read again, soon. One that waits to be read will have all changes up to then.
  func reloadSoon(_ hasReloaded: @escaping @Sendable (Outcome) -> Void) {
    guard !isReloadWanted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loading.async {
      self.isReloadWanted.store(false, ordering: .releasing)
      hasReloaded(self.load())
    }
  }

  /// Reads the catalog again. What is served stays until the new one is complete, and for good where that is bad.
  @discardableResult
  func reload() -> Outcome { loading.sync { load() } }

  private func load() -> Outcome {
    var file: ShopFile?
    do throws(ServiceError) {
      let old = self.shop
      let shop: ServedShop
      (file, shop) = try Self.loadSettled(source, rules, logger, after: old)
      guard !Self.isChanging(source, since: file) else {
        logger.info("the catalog changed while it was read; it is read again when it has settled")
        return .changing
      }
      try check(shop, after: old)
      state.withLock { ($0.shop, $0.file, $0.failure) = (shop, file, nil) }
      logger.notice(
        "the catalogue was reloaded",
        metadata: [
          "products": .stringConvertible(shop.productCount), "revision": .stringConvertible(shop.revision),
          "setAside": .stringConvertible(shop.setAsideCount),
        ]
      )
      return .served
    } catch {
      let file = file ?? ShopFile(source.path)
      state.withLock { state in
        (state.file, state.failure) = (file, Failure(error: error, failed: HTTPDate.now.seconds))
      }
      logger.error(
        "the new catalogue cannot be served; the old one is, as before",
        metadata: ["error": "\(error)"]
      )
      return .refused
    }
  }

  /// Refuses a catalog that looks like part of one.
  private func check(_ shop: ServedShop, after old: ServedShop) throws(ServiceError) {
    guard shop.productCount > 0 || old.productCount == 0 else {
      throw ServiceError(
        .catalogFailed,
        "the catalogue has no products",
        fix: "import some; to serve none, start the service anew",
        place: printable(source.path)
      )
    }
    // Written so that no count can overflow.
    guard rules.allowsShrinking || shop.productCount >= old.productCount - shop.productCount else {
      throw ServiceError(
        .catalogFailed,
        "the catalog has \(shop.productCount) products, less than half of the \(old.productCount) that are served",
        fix: "complete it; to serve it as it is, pass --allow-shrink or restart the service",
        place: printable(source.path)
      )
    }
  }

  // MARK: Loading

  /// Whether a file was written while it was read. A database was read in one transaction, whoever writes it.
  private static func isChanging(_ source: ShopSource, since file: ShopFile?) -> Bool {
    ShopFile(source.path) != file && !Catalog.isDatabase(path: source.path)
  }

  /// Reads a catalog whose file has settled.
  private static func loadSettled(
    _ source: ShopSource,
    _ rules: Rules,
    _ logger: Logger,
    after old: ServedShop? = nil
  ) throws(ServiceError) -> (ShopFile?, ServedShop) {
    // An import changes a database in one transaction: it is never half written.
    let settleSeconds = Catalog.isDatabase(path: source.path) ? 0 : rules.settleSeconds
    try FileSettling.wait(for: source.path, seconds: settleSeconds, logger)
    // What is looked at before it is read has changed where it differs after.
    let file = ShopFile(source.path)
    var source = source
    if old != nil {
      do throws(PagesError) { source.assets = try source.assets.reloaded() } catch {
        throw ServiceError(.catalogFailed, error)
      }
    }
    return (file, try load(source, file, logger, after: old))
  }

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
        if !original.hasChecksums {
          logger.warning(
            "the catalog was written by an older PriceTag, without checksums; import anything into it to add them"
          )
        }
        try original.copy(to: copy)
        try original.close()
      } else {
        let imported = try Catalog(path: copy, access: .readAndImport, localeData: source.localeData)
        let options = ImportOptions(
          localeData: source.localeData,
          storefront: source.pricesOf,
          language: source.textsIn,
          reinterpretAs: source.reinterpretAs
        )
        let summary = try imported.importFiles(
          [CatalogFile(path: source.path)],
          format: source.format,
          options: options
        ) { (error) throws(CatalogError) in
          logger.warning("set aside", metadata: ["error": "\(error)"])
        }
        setAside = summary.setAside
        for file in summary.reinterpretations {
          logger.notice(
            "the file's prices were read as another storefront's",
            metadata: [
              "file": "\(file.file)", "storefront": "\(file.storefront)",
              "reinterpretedAs": "\(file.reinterpretedAs)",
            ]
          )
        }
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

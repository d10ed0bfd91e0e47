import Dispatch
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagText
import Synchronization

/// Holds the snapshot that the service serves, and replaces it when the catalog is reloaded. A reload that fails keeps
/// the previous snapshot.
///
/// Sendable notes: a lock protects all mutable state, and only one thread loads.
final class CurrentSnapshot: Sendable {
  /// A reload that failed.
  struct Failure: Sendable {
    let error: ServiceError
    /// The time of the failure, in seconds since 1970.
    let time: Int
  }

  private struct State {
    var snapshot: CatalogSnapshot
    var file: CatalogFileStatus?
    var failure: Failure?
    var isStopping = false
  }

  /// The conditions for loading a catalog.
  struct Rules: Sendable {
    /// The seconds for which its file must stay unchanged.
    var settleSeconds = 0
    /// Whether it may have less than half of the previous catalog's products.
    var allowsShrinking = false
  }

  /// The outcome of a reload.
  enum Outcome: Sendable {
    /// The new catalog is served.
    case served
    /// The new catalog cannot be served; ``failure`` has the reason.
    case refused
    /// The file changed while it was read. It has to be read again.
    case changing
  }

  private let source: CatalogSource
  private let rules: Rules
  private let logger: Logger
  private let state: Mutex<State>
  /// A serial queue for loading, which may take minutes.
  private let loadQueue = DispatchQueue(label: "pricetag.catalog")
  private let isReloadPending = Atomic(false)

  /// Loads the catalog for the first time.
  ///
  /// - Throws: `.catalogFailed`, `.outOfResources`.
  init(_ source: CatalogSource, _ logger: Logger, _ rules: Rules = Rules()) throws(ServiceError) {
    (self.source, self.rules, self.logger) = (source, rules, logger)
    var file: CatalogFileStatus?
    var snapshot = try Self.loadSettled(source, rules, logger, &file)
    // A slow writer may have paused for longer than the file has to settle.
    while rules.settleSeconds > 0, Self.isChanging(source, since: file) {
      snapshot = try Self.loadSettled(source, rules, logger, &file)
    }
    if snapshot.productCount == 0 { logger.warning("the catalog has no products") }
    state = Mutex(State(snapshot: snapshot, file: file))
  }

  var snapshot: CatalogSnapshot { state.withLock { $0.snapshot } }
  var failure: Failure? { state.withLock { $0.failure } }
  var isStopping: Bool { state.withLock { $0.isStopping } }

  func stop() { state.withLock { $0.isStopping = true } }

  /// Returns whether the file was replaced or changed since it was last read, and its present status.
  func fileChange() -> (hasChanged: Bool, status: CatalogFileStatus?) {
    let status = CatalogFileStatus(source.path)
    return (status != state.withLock { $0.file }, status)
  }

  var settleSeconds: Int { rules.settleSeconds }

  /// Schedules a reload. Does nothing if one is already pending, because that one will read all changes so far.
  ///
  /// - Parameter onCompletion: Called after the reload, on the queue for loading.
  func scheduleReload(_ onCompletion: @escaping @Sendable (Outcome) -> Void) {
    guard !isReloadPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loadQueue.async {
      self.isReloadPending.store(false, ordering: .releasing)
      onCompletion(self.load())
    }
  }

  /// Reloads the catalog. The previous snapshot stays in use until the new one is complete, or if loading fails.
  @discardableResult
  func reload() -> Outcome { loadQueue.sync { load() } }

  private func load() -> Outcome {
    // The status before reading, so that a file that replaces a refused one meanwhile is read, too.
    var file = CatalogFileStatus(source.path)
    do throws(ServiceError) {
      let previous = self.snapshot
      let snapshot = try Self.loadSettled(source, rules, logger, after: previous, &file)
      guard !Self.isChanging(source, since: file) else {
        logger.info("the catalog changed while it was read; it will be read again when it has settled")
        return .changing
      }
      try check(snapshot, after: previous)
      state.withLock { ($0.snapshot, $0.file, $0.failure) = (snapshot, file, nil) }
      logger.notice(
        "reloaded the catalog",
        metadata: [
          "products": .stringConvertible(snapshot.productCount),
          "revision": .stringConvertible(snapshot.revision),
          "rejected": .stringConvertible(snapshot.rejectCount),
        ]
      )
      return .served
    } catch {
      state.withLock { state in
        (state.file, state.failure) = (file, Failure(error: error, time: HTTPDate.now.seconds))
      }
      logger.error(
        "cannot serve the new catalog; the previous one stays in use",
        metadata: ["error": "\(error)"]
      )
      return .refused
    }
  }

  /// Throws if a catalog is empty or has lost so many products that it may be incomplete.
  private func check(_ snapshot: CatalogSnapshot, after previous: CatalogSnapshot) throws(ServiceError) {
    guard snapshot.productCount > 0 || previous.productCount == 0 else {
      throw ServiceError(
        .catalogFailed,
        "the catalog has no products",
        fix: "add products; to serve an empty catalog, restart the service",
        place: printable(source.path)
      )
    }
    // A subtraction, because doubling a count could overflow.
    guard rules.allowsShrinking || snapshot.productCount >= previous.productCount - snapshot.productCount
    else {
      throw ServiceError(
        .catalogFailed,
        "the catalog has \(snapshot.productCount) products, less than half of the \(previous.productCount) that are served",
        fix: "complete it; to serve it as it is, pass --allow-shrink or restart the service",
        place: printable(source.path)
      )
    }
  }

  // MARK: Loading

  /// Returns whether a file changed while it was read. A database is read in a transaction, so its changes do not
  /// matter.
  private static func isChanging(_ source: CatalogSource, since file: CatalogFileStatus?) -> Bool {
    CatalogFileStatus(source.path) != file && !Catalog.isDatabase(path: source.path)
  }

  /// Waits until the catalog file has settled, and loads it.
  ///
  /// - Parameter file: Set to the status of the file that is read.
  private static func loadSettled(
    _ source: CatalogSource,
    _ rules: Rules,
    _ logger: Logger,
    after previous: CatalogSnapshot? = nil,
    _ file: inout CatalogFileStatus?
  ) throws(ServiceError) -> CatalogSnapshot {
    // An import changes a database in one transaction, so a database is always complete.
    let settleSeconds = Catalog.isDatabase(path: source.path) ? 0 : rules.settleSeconds
    try FileSettling.wait(for: source.path, seconds: settleSeconds, logger)
    // Get the status before reading, so that a change during reading shows as a different status afterwards.
    file = CatalogFileStatus(source.path)
    var source = source
    if previous != nil {
      do throws(PagesError) { source.assets = try source.assets.reloaded() } catch {
        throw ServiceError(.catalogFailed, error)
      }
    }
    return try load(source, file, logger, after: previous)
  }

  /// Loads the catalog into a private copy that no other program changes.
  private static func load(
    _ source: CatalogSource,
    _ file: CatalogFileStatus?,
    _ logger: Logger,
    after previous: CatalogSnapshot? = nil
  ) throws(ServiceError) -> CatalogSnapshot {
    let folder = try PrivateFolder()
    let copy = "\(folder.path)/catalog.pricetag"
    do throws(CatalogError) {
      var rejected = 0
      let isDatabase = Catalog.isDatabase(path: source.path)
      if isDatabase {
        let original = try Catalog(path: source.path, localeData: source.localeData)
        try original.copy(to: copy)
        try original.close()
      } else {
        let imported = try Catalog(path: copy, access: .readAndImport, localeData: source.localeData)
        let options = ImportOptions(
          localeData: source.localeData,
          day: source.currentDay,
          storefront: source.pricesOf,
          language: source.textsIn,
          reinterpretAs: source.reinterpretAs
        )
        var file = CatalogFile(path: source.path)
        file.mayBePipe = false
        let summary = try imported.importFiles(
          [file],
          format: source.format,
          options: options
        ) { (error) throws(CatalogError) in
          logger.warning("rejected", metadata: ["error": "\(error)"])
        }
        rejected = summary.rejected
        for file in summary.reinterpretations {
          logger.notice(
            "read the file's prices as prices of another storefront",
            metadata: [
              "file": "\(file.file)", "storefront": "\(file.storefront)",
              "reinterpretedAs": "\(file.reinterpretedAs)",
            ]
          )
        }
        try imported.close()
      }
      // Work that is paused during a read keeps its database connection.
      let catalog = try Catalog(
        path: copy,
        localeData: source.localeData,
        maximumReaderCount: Workers.shared.maximumStartedCount
      )
      if isDatabase {
        logger.info("verifying the catalog")
        // The copy that is served, because the file may change meanwhile.
        do throws(CatalogError) {
          _ = try catalog.verify { (error) throws(CatalogError) in throw error }
        } catch { throw error.at(printable(source.path)) }
      }
      return try CatalogSnapshot(
        catalog,
        in: folder,
        source,
        modified: file?.modified ?? HTTPDate.now.seconds,
        rejected: rejected,
        after: previous,
        logger
      )
    } catch { throw ServiceError(.catalogFailed, error) }
  }
}

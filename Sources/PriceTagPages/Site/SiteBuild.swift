import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText
import Synchronization

/// A summary of a written site.
public struct SiteSummary: Hashable, Sendable {
  /// The number of files in the site, including the shop's own files.
  public var files = 0
  /// The number of pages.
  public var pages = 0
  /// The number of new or changed files.
  public var written = 0
  /// The number of unchanged files.
  public var unchanged: Int { files - written }
  /// The number of removed files.
  public var removed = 0
  /// The images that the shop or a product names but the site lacks: `images/a.png, of com.example.level1`.
  public var missingPictures: [String] = []
  /// The number of rejected products, counted once for each storefront.
  public var rejected = 0
  /// The number of products with a reduced price in a storefront whose prices of the 30 days before the catalog does not know. Their
  /// pages do not state the lowest price. It is 0 if the site was already up to date.
  public var unknownReductions = 0
  /// Why the complete site was written although only the pages of changed products were requested; `nil` if it was not.
  public var completeReason: String?
}

/// The progress of writing a site.
public struct SiteProgress: Hashable, Sendable {
  /// The number of pages so far.
  public let pages: Int
  /// The number of completed storefronts and products.
  public let done: Int
  /// The total number of storefronts and products.
  public let total: Int
}

/// The pages of a storefront that the sitemap lists.
struct ShownStore: Sendable {
  /// The positions of its products in the catalog. One bit for each, because the sitemap needs those of all storefronts.
  var positions = StoreOutline.PositionSet()
  /// The lists: that of all products first, and those of the categories. Empty for a store that shows all on its page.
  var lists: [(category: String?, pageCount: Int)] = []
}

/// The images that a site lacks, each with the first product that names it.
struct MissingPictures: Sendable {
  private var owners: [String: (position: Int, owner: String)] = [:]

  mutating func add(_ image: String, of owner: String, at position: Int) {
    if let first = owners[image], first.position <= position { return }
    owners[image] = (position, owner)
  }

  /// The images, sorted: `images/a.png, of com.example.level1`.
  var list: [String] { owners.map { "\($0.key), of \($0.value.owner)" }.sorted() }
}

/// The state of writing a site with several threads.
///
/// It is `Sendable` because a lock protects everything that changes.
final class SiteBuild: Sendable {
  /// The folders of the sites being written, to be abandoned when the process ends.
  static let current = Mutex<[ObjectIdentifier: SiteFolder]>([:])

  /// A queue from which threads take indices.
  final class IndexQueue: Sendable {
    private let state: Mutex<Range<Int>>

    init(_ count: Int) {
      state = Mutex(0..<count)
    }

    func next() -> Int? { state.withLock { $0.popFirst() } }
    func stop() { state.withLock { $0 = 0..<0 } }
  }

  private struct State {
    var summary = SiteSummary()
    var done = 0
    var failure: PagesError?
    var shown: [Int: ShownStore] = [:]
    var missingPictures = MissingPictures()
  }

  private let folder: SiteFolder
  private let total: Int
  private let onReject: @Sendable (Storefront, InvalidProductIdentifier) -> Void
  private let onProgress: @Sendable (SiteProgress) -> Void
  private let state = Mutex(State())

  init(
    _ folder: SiteFolder,
    total: Int,
    _ onReject: @escaping @Sendable (Storefront, InvalidProductIdentifier) -> Void,
    _ progress: @escaping @Sendable (SiteProgress) -> Void
  ) {
    (self.folder, self.total) = (folder, total)
    (self.onReject, onProgress) = (onReject, progress)
  }

  /// Runs work on a queue of indices in several threads, including the current one. The first error ends all of them.
  func run(
    jobs: Int,
    count: Int,
    _ work: @escaping @Sendable (IndexQueue) throws(PagesError) -> Void
  ) throws(PagesError) {
    let queue = IndexQueue(count)
    let runWorker: @Sendable () -> Void = { [self] in
      do throws(PagesError) { try work(queue) } catch {
        queue.stop()
        state.withLock { if $0.failure == nil { $0.failure = error } }
      }
    }
    let threads = (1..<max(1, min(jobs, count))).compactMap { _ in WorkThread(runWorker) }
    runWorker()
    for thread in threads { thread.join() }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func add(_ path: String, _ text: String) throws(PagesError) {
    try add(path, Array(text.utf8))
  }

  func add(_ path: String, _ bytes: [UInt8]) throws(PagesError) {
    record(try folder.add(path, bytes), isPage: path.hasSuffix(".html"))
  }

  func add(_ path: String, copyOf source: String) throws(PagesError) {
    record(try folder.add(path, copyOf: source), isPage: false)
  }

  /// Returns whether pages with this key, a digest of everything that they are written from, are the same in the previous site.
  ///
  /// Each key is of a number of pages. Call it once for each.
  func isUnchanged(_ key: ContentDigest) -> Bool { folder.addKey(key) }

  /// Keeps a file of the previous site.
  ///
  /// - Returns: Whether that site has the file.
  @discardableResult
  func keep(_ path: String) throws(PagesError) -> Bool {
    let isKept = try folder.keep(path)
    if isKept { record(.unchanged, isPage: path.hasSuffix(".html")) }
    return isKept
  }

  /// The name of a file in the staging folder that is written in parts.
  private static let part = ".pricetag-part"

  /// Writes a part of a sitemap.
  func write(_ output: Sitemap.Output) throws(PagesError) {
    switch output {
    case .text(let text): try folder.append(text, to: Self.part)
    case .end(let path): record(try folder.add(path, moving: Self.part), isPage: false)
    }
  }

  private func record(_ outcome: SiteFolder.Outcome, isPage: Bool) {
    state.withLock { state in
      state.summary.files += 1
      if isPage { state.summary.pages += 1 }
      if outcome == .written { state.summary.written += 1 }
    }
  }

  func reject(_ storefront: Storefront, _ invalid: InvalidProductIdentifier) {
    if invalid.reason.isIntended { return }
    state.withLock { state in
      state.summary.rejected += 1
      onReject(storefront, invalid)
    }
  }

  /// Records the pages of a storefront.
  func setShown(_ store: ShownStore, inStorefront number: Int) {
    state.withLock { $0.shown[number] = store }
  }

  var shown: [Int: ShownStore] { state.withLock { $0.shown } }

  /// Records a product whose price was reduced from an unknown one.
  func addUnknownReduction() { state.withLock { $0.summary.unknownReductions += 1 } }

  /// Changes the images that the site lacks.
  func update(_ change: (inout MissingPictures) -> Void) { state.withLock { change(&$0.missingPictures) } }

  /// Records that a storefront or a product is completed.
  func advance() {
    state.withLock { state in
      state.done += 1
      onProgress(SiteProgress(pages: state.summary.pages, done: state.done, total: total))
    }
  }

  /// - Parameter inputs: The fingerprint of the site's inputs; `nil` if it is unknown.
  func finish(inputs: String?) throws(PagesError) -> SiteSummary {
    let pageCount = state.withLock { $0.summary.pages }
    let removed = try folder.finish(inputs: inputs, pageCount: pageCount)
    return state.withLock { state in
      state.summary.removed = removed
      state.summary.missingPictures = state.missingPictures.list
      return state.summary
    }
  }
}

extension Site {
  /// Removes the incomplete files of all sites being written. Call it before the process ends early.
  ///
  /// The old sites remain and are no longer replaced.
  ///
  /// - Returns: Whether a new site has already replaced the old one.
  public static func abandon() -> Bool {
    SiteBuild.current.withLock { folders in folders.values.map { $0.abandon() }.contains(true) }
  }
}

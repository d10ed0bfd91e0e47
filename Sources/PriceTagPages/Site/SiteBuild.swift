import PriceTag
import PriceTagCatalog
import Synchronization

/// What was written of a site.
public struct SiteSummary: Hashable, Sendable {
  /// All files of the site, the shop's own ones too.
  public var files = 0
  /// Those of them that are pages.
  public var pages = 0
  /// Those that are new or have changed.
  public var written = 0
  /// Those that were there and have not changed.
  public var unchanged: Int { files - written }
  /// Those that were there and are not any more.
  public var removed = 0
  /// The pictures that products and the shop name and the site does not have: `images/a.png, of com.example.level1`.
  public var missingPictures: [String] = []
  /// How many products could not be shown somewhere, each counted once for a storefront, by mistake.
  public var setAside = 0
}

/// How far a site is.
public struct SiteProgress: Hashable, Sendable {
  /// How many pages there are by now.
  public let pages: Int
  /// How many storefronts and products are done.
  public let done: Int
  /// How many there are.
  public let total: Int
}

/// One making of a site, by several threads.
///
/// Sendable notes: what changes is under the lock.
final class SiteBuild: Sendable {
  /// The sites that are being made, for a process that ends.
  static let current = Mutex<[ObjectIdentifier: SiteFolder]>([:])

  /// Numbers for threads to take, each once.
  final class Numbers: Sendable {
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
    var shown: [Int: [String]] = [:]
    var names: [String: String?] = [:]
  }

  private let folder: SiteFolder
  private let total: Int
  private let tellSetAside: @Sendable (Storefront, InvalidProductIdentifier) -> Void
  private let tellProgress: @Sendable (SiteProgress) -> Void
  private let state = Mutex(State())

  init(
    _ folder: SiteFolder,
    total: Int,
    _ setAside: @escaping @Sendable (Storefront, InvalidProductIdentifier) -> Void,
    _ progress: @escaping @Sendable (SiteProgress) -> Void
  ) {
    (self.folder, self.total) = (folder, total)
    (tellSetAside, tellProgress) = (setAside, progress)
  }

  /// Does work on numbers by several threads; the first failure ends it.
  func run(
    jobs: Int,
    count: Int,
    _ work: @escaping @Sendable (Numbers) throws(PagesError) -> Void
  ) throws(PagesError) {
    let numbers = Numbers(count)
    let share: @Sendable () -> Void = { [self] in
      do throws(PagesError) { try work(numbers) } catch {
        numbers.stop()
        state.withLock { if $0.failure == nil { $0.failure = error } }
      }
    }
    // This thread is one of them.
    let threads = (1..<max(1, min(jobs, count))).compactMap { _ in WorkThread(share) }
    share()
    for thread in threads { thread.join() }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func add(_ path: String, _ text: String) throws(PagesError) {
    note(try folder.add(path, text), isPage: path.hasSuffix(".html"))
  }

  func add(_ path: String, copyOf source: String) throws(PagesError) {
    note(try folder.add(path, copyOf: source), isPage: false)
  }

  private func note(_ outcome: SiteFolder.Outcome, isPage: Bool) {
    state.withLock { state in
      state.summary.files += 1
      if isPage { state.summary.pages += 1 }
      if outcome == .written { state.summary.written += 1 }
    }
  }

  func setAside(_ storefront: Storefront, _ invalid: InvalidProductIdentifier) {
    if invalid.reason.isIntended { return }
    state.withLock { state in
      state.summary.setAside += 1
      tellSetAside(storefront, invalid)
    }
  }

  /// Notes which products a storefront shows.
  func shows(_ identifiers: [String], inStorefront number: Int) {
    state.withLock { $0.shown[number] = identifiers }
  }

  var shown: [Int: [String]] { state.withLock { $0.shown } }

  func named(_ identifier: String, _ name: String?) {
    state.withLock { $0.names[identifier] = name }
  }

  var names: [String: String?] { state.withLock { $0.names } }

  /// Notes that a storefront or a product is done.
  func step() {
    state.withLock { state in
      state.done += 1
      tellProgress(SiteProgress(pages: state.summary.pages, done: state.done, total: total))
    }
  }

  func finish(missingPictures: [String]) throws(PagesError) -> SiteSummary {
    let removed = try folder.finish()
    return state.withLock { state in
      state.summary.removed = removed
      state.summary.missingPictures = missingPictures
      return state.summary
    }
  }
}

extension Site {
  /// Takes away what is not whole of a site that is being made, for a process that ends: the old site stays, and
  /// nothing comes into its place any more.
  ///
  /// - Returns: Whether the new site is in its place already.
  public static func abandon() -> Bool {
    SiteBuild.current.withLock { folders in folders.values.map { $0.abandon() }.contains(true) }
  }
}

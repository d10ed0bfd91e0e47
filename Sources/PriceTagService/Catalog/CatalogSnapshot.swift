import HTTPTypes
import Logging
import NIOCore
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagSystem
import PriceTagText
import Synchronization

/// An immutable snapshot of the catalog. Each response comes from a single snapshot, even if the file changes
/// meanwhile.
///
/// Sendable notes: the catalog is a private, read-only copy, which is deleted after the last request that reads it.
final class CatalogSnapshot: Sendable {
  let catalog: Catalog
  let pages: StorePages
  /// The style sheet, the script and the shop's asset files, by the UTF-8 bytes of their paths.
  let files: [[UInt8]: ServedFile]
  let productCount: Int
  /// The number of rejects of the import.
  let rejectCount: Int
  /// The catalog's revision, which counts its changes.
  let revision: Int
  /// The modification time of the file, in seconds since 1970.
  let modified: Int
  /// The time the file was loaded, in seconds since 1970.
  let loaded: Int
  /// The value for `Last-Modified`: later than that of every previous snapshot, regardless of the files' times.
  let lastModified: Int
  /// The cached pages and files of this snapshot.
  let answers = AnswerCache(maximumByteCount: 48 << 20)
  /// The cached answers of the API, which clients can request for any number of dates.
  let answersOfAPI = AnswerCache(maximumByteCount: 16 << 20)
  /// The stored outlines of stores, by storefront and date. Each of their products takes less than 50 bytes. An outline
  /// costs as much as 100 products more, because those of stores without products are bounded too.
  private let outlines = Mutex(RecentValues<String, StoreOutline>(maximumCost: 1_000_000))
  /// The products, as all outlines read them; `nil` if each outline has to read them.
  private let outlinedProducts: OutlinedProducts?
  let folder: PrivateFolder

  init(
    _ catalog: Catalog,
    in folder: PrivateFolder,
    _ source: CatalogSource,
    modified: Int,
    rejected: Int,
    after previous: CatalogSnapshot?,
    _ logger: Logger
  ) throws(CatalogError) {
    (self.catalog, self.folder, self.modified, loaded) = (catalog, folder, modified, HTTPDate.now.seconds)
    rejectCount = rejected
    lastModified = max(loaded, (previous?.lastModified ?? 0) + 1)
    revision = try catalog.revision()
    let identifiers = try catalog.productIdentifiers()
    productCount = identifiers.count
    if let hero = source.shop.hero, !identifiers.contains(hero) {
      logger.warning(
        "the catalog has no product for the hero of store pages",
        metadata: ["product": "\(hero)"]
      )
    }
    outlinedProducts = try catalog.outlinedProducts()
    let assets = source.assets
    pages = StorePages(
      shop: source.shop,
      templates: source.templates,
      strings: source.strings,
      kernel: source.kernel,
      hasFile: { assets.has($0) }
    )
    var files: [[UInt8]: ServedFile] = [:]
    for (path, source) in assets.all { files[Array(path.utf8)] = ServedFile(path, .onDisk(source, assets)) }
    for (path, text) in pages.assets + pages.searchAssets {
      files[Array(path.utf8)] = ServedFile(path, .bytes(Array(text.utf8)))
    }
    for (path, bytes) in pages.kernelAssets { files[Array(path.utf8)] = ServedFile(path, .bytes(bytes)) }
    self.files = files
  }

  /// Returns the outline of a storefront on a date, which is read, outside the lock, if it is not stored.
  func outline(for request: ProductsRequest) throws(CatalogError) -> StoreOutline {
    let key = "\(request.storefront.id) \(try request.date)"
    if let stored = outlines.withLock({ $0.value(for: key) }) { return stored }
    let outline = try catalog.outline(for: request, of: outlinedProducts)
    outlines.withLock { $0.store(outline, for: key, cost: outline.products.count + 100) }
    return outline
  }

  /// Logs an error of the catalog, and returns the problem to answer with, which does not contain the reason.
  func problem(_ error: CatalogError, _ logger: Logger) -> Problem {
    if let excess = WorkBudget.current?.excess { return Problem(excess) }
    logger.error("cannot read the catalog", metadata: ["error": "\(error)"])
    return .internal
  }
}

/// A file that pages refer to.
struct ServedFile: Sendable {
  enum Contents: Sendable {
    case bytes([UInt8])
    case onDisk(String, SiteAssets)
  }

  private let contentType: String
  private let contents: Contents

  /// The maximum size of a file, because a file is answered from memory.
  private static let maximumByteCount = 64 << 20

  init(_ path: String, _ contents: Contents) {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    (contentType, self.contents) = (Self.types[ending] ?? "application/octet-stream", contents)
  }

  private static let types = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "avif": "image/avif",
    "gif": "image/gif", "ico": "image/vnd.microsoft.icon", "json": "application/json", "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8", "xml": "application/xml",
    "webmanifest": "application/manifest+json", "wasm": "application/wasm",
    "pack": "application/vnd.pricetag.pack", "mp4": "video/mp4", "pdf": "application/pdf",
  ]

  func answer() throws(Problem) -> Answer {
    switch contents {
    case .bytes(let bytes): return Answer(ByteBuffer(bytes: bytes), contentType)
    case .onDisk(let source, let assets):
      guard let path = assets.resolved(source) else {
        throw errno == EMFILE || errno == ENFILE ? Problem.tooManyOpenFiles : Problem.missingFile
      }
      do throws(RegularFile.Failure) {
        let bytes = try RegularFile.bytes(of: path, limit: Self.maximumByteCount)
        return Answer(ByteBuffer(bytes: bytes), contentType)
      } catch {
        throw error.number == EMFILE || error.number == ENFILE
          ? Problem.tooManyOpenFiles : Problem.missingFile
      }
    }
  }
}

extension Problem {
  /// The file was removed after the catalog was loaded.
  fileprivate static let missingFile = Problem(
    .notFound,
    "not-found",
    "the file no longer exists",
    fix: "see /docs for the routes"
  )

  /// The file exists but cannot be opened at the moment.
  fileprivate static let tooManyOpenFiles = Problem(
    unavailable: "busy",
    "too many files and connections are open",
    fix: "retry in a second"
  )
}

import HTTPTypes
import Logging
import NIOCore
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagText

/// A catalogue as it was at one moment: an answer is made of one of these from its first byte to its last, whatever
/// becomes of the file meanwhile.
///
/// Sendable notes: the catalogue is a private copy that nobody writes, and goes with the last request that reads it.
final class ServedShop: Sendable {
  let catalog: Catalog
  let pages: StorePages
  /// The style sheet, the script and the shop's own files, by their paths in bytes.
  let files: [[UInt8]: ServedFile]
  let productCount: Int
  /// How many parts of the file could not be taken.
  let setAsideCount: Int
  /// The catalogue's own count of changes.
  let revision: Int
  /// When the file was changed last, and when it was read, in seconds since 1970.
  let modified: Int
  let loaded: Int
  /// What `Last-Modified` says: later than of any catalogue before, whatever the files' times are.
  let lastModified: Int
  /// Answers that were made of this catalogue.
  let answers = AnswerCache()
  private let folder: PrivateFolder

  init(
    _ catalog: Catalog,
    in folder: PrivateFolder,
    _ source: ShopSource,
    modified: Int,
    setAside: Int,
    after old: ServedShop?
  ) throws(CatalogError) {
    (self.catalog, self.folder, self.modified, loaded) = (catalog, folder, modified, HTTPDate.now.seconds)
    setAsideCount = setAside
    lastModified = max(loaded, (old?.lastModified ?? 0) + 1)
    revision = try catalog.revision()
    productCount = try catalog.productIdentifiers().count
    let assets = source.assets
    pages = StorePages(
      shop: source.shop,
      templates: source.templates,
      strings: source.strings,
      hasFile: { assets.has($0) }
    )
    var files: [[UInt8]: ServedFile] = [:]
    for (path, source) in assets.all { files[Array(path.utf8)] = ServedFile(path, .onDisk(source, assets)) }
    for (path, text) in pages.assets { files[Array(path.utf8)] = ServedFile(path, .text(text)) }
    self.files = files
  }

  /// A catalogue that fails while it is served: why is for the log.
  func failed(_ error: CatalogError, _ logger: Logger) -> Problem {
    if let excess = WorkBudget.current?.excess { return Problem(excess) }
    logger.error("the catalogue cannot be read", metadata: ["error": "\(error)"])
    return .internal
  }
}

/// A file that pages ask for.
struct ServedFile: Sendable {
  enum Contents: Sendable {
    case text(String)
    case onDisk(String, SiteAssets)
  }

  private let contentType: String
  private let contents: Contents

  /// The most bytes of a file: they are answered from memory.
  private static let mostBytes = 64 << 20

  init(_ path: String, _ contents: Contents) {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    (contentType, self.contents) = (Self.types[ending] ?? "application/octet-stream", contents)
  }

  private static let types = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "avif": "image/avif",
    "gif": "image/gif", "ico": "image/vnd.microsoft.icon", "json": "application/json", "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8", "xml": "application/xml",
    "webmanifest": "application/manifest+json", "mp4": "video/mp4", "pdf": "application/pdf",
  ]

  func answer() throws(Problem) -> Answer {
    switch contents {
    case .text(let text): return Answer(text, contentType)
    case .onDisk(let source, let assets):
      guard let path = assets.resolved(source) else {
        throw errno == EMFILE || errno == ENFILE ? Problem.tooManyOpenFiles : Problem.fileIsGone
      }
      do throws(RegularFile.Failure) {
        let bytes = try RegularFile.bytes(of: path, limit: Self.mostBytes)
        return Answer(ByteBuffer(bytes: bytes), contentType)
      } catch {
        throw error.number == EMFILE || error.number == ENFILE ? Problem.tooManyOpenFiles : Problem.fileIsGone
      }
    }
  }
}

extension Problem {
  fileprivate static let fileIsGone = Problem(
    .notFound,
    "not-found",
    "the file is not there any more",
    fix: "see /docs for what there is"
  )

  /// The file is there, and cannot be opened now.
  fileprivate static let tooManyOpenFiles = Problem(
    unavailable: "busy",
    "too many files and connections are open",
    fix: "try again in a second"
  )
}

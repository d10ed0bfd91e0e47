import GRDB
import PriceTag
import PriceTagStrings
import PriceTagText

/// The products of a shop, in an embedded database: a file, or in memory.
///
///     let catalog = try Catalog(path: "shop.pricetag")
///     let store = try Storefront("JPN")
///     let request = try ProductsRequest(["com.example.level1"], storefront: store, language: UILanguage("en"))
///     let response = try catalog.products(for: request)
///     response.products.first?.displayPrice    // "￥160"
///
/// An import is one transaction. Whoever reads sees the catalogue as it was before the import or as it is after it,
/// and never waits for one.
///
/// Sendable notes: the connections are GRDB's, which serves each by one thread at a time.
public final class Catalog: Sendable {
  let reader: any DatabaseReader
  private let writer: (any DatabaseWriter)?
  /// The registry that prices and storefronts are read by.
  public let localeData: LocaleData
  /// Whether the catalog has checksums, by which damage is noticed. A catalog of an older PriceTag has none until
  /// something is imported into it.
  public let hasChecksums: Bool

  /// What may be done with a catalogue's file.
  public enum Access: Sendable {
    /// Reading; nothing is written, and no file is made.
    case read
    /// Reading and importing; a file that is not there is made.
    case readAndImport
  }

  /// A catalogue in memory, empty at first.
  ///
  /// - Throws: `.databaseFailed`.
  public init(localeData: LocaleData = .embedded) throws(CatalogError) {
    self.localeData = localeData
    try Self.checkResources("")
    do {
      let queue = try DatabaseQueue()
      try CatalogSchema.migrator.migrate(queue)
      (reader, writer, hasChecksums) = (queue, queue, true)
    } catch { throw CatalogError(database: error, "in memory") }
  }

  /// A catalogue in a file.
  ///
  /// - Parameters:
  ///   - path: The file: an SQLite database.
  ///   - access: What may be done with it.
  ///   - localeData: The registry of storefronts and currencies.
  ///   - maximumReaderCount: The most threads that read at a time; further ones wait.
  /// - Throws: `.unreadableFile`, `.unknownFormat` for a file that is no catalogue, `.unknownVersion` for one of a newer
  ///   PriceTag, `.databaseFailed`.
  public init(
    path: String,
    access: Access = .read,
    localeData: LocaleData = .embedded,
    maximumReaderCount: Int = 5
  ) throws(CatalogError) {
    self.localeData = localeData
    try Self.checkResources(path)
    do {
      var configuration = Configuration()
      configuration.maximumReaderCount = max(1, maximumReaderCount)
      configuration.label = "catalogue"
      // Another import may be at its end.
      configuration.busyMode = .timeout(5)
      if access == .read {
        // GRDB would make the file.
        if let size = CatalogFile(path: path).byteCount, size == 0 { throw CatalogError.noCatalogue(path) }
        configuration.readonly = true
      }
      try Self.checkStart(path)
      let pool = try DatabasePool(path: path, configuration: configuration)
      try Self.check(pool, path: path, access)
      if access == .readAndImport { try CatalogSchema.migrator.migrate(pool) }
      hasChecksums = try pool.read { database in
        guard try CatalogSchema.hasChecksums(database) else { return false }
        try CatalogTotals(database, hasChecksums: true).checkSchema(database)
        return true
      }
      reader = pool
      writer = access == .readAndImport ? pool : nil
    } catch { throw CatalogError(database: error, path) }
  }

  /// Copies the catalogue as it is at this moment into a new file, which no later import changes.
  ///
  /// - Throws: `.databaseFailed`.
  public func copy(to path: String) throws(CatalogError) {
    do {
      let copy = try DatabaseQueue(path: path)
      try reader.backup(to: copy)
      try copy.close()
    } catch { throw CatalogError(database: error, path) }
  }

  /// Closes the catalogue, and leaves one file that can be read from anywhere: also from a folder or a disk that may not
  /// be written. While other processes have it open, their files beside it stay.
  ///
  /// - Throws: `.databaseFailed`. Where the catalogue is used after this, every call throws.
  public func close() throws(CatalogError) {
    do {
      try reader.close()
      guard let pool = writer as? DatabasePool else { return }
      let queue = try DatabaseQueue(path: pool.path)
      // Refused while somebody else has the file open: then it is left to who closes it last.
      try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
    } catch { throw CatalogError(database: error) }
  }

  /// What GRDB's connections and libdispatch need.
  private static func checkResources(_ path: String) throws(CatalogError) {
    guard let shortage = ProcessResources.shortage(threads: 4, descriptors: 8) else { return }
    throw CatalogError(.outOfResources, shortage.problem, fix: shortage.fix, place: printable(path))
  }

  /// Refuses another program's file by its first bytes, before a connection would change how it is kept.
  private static func checkStart(_ path: String) throws(CatalogError) {
    let file = CatalogFile(path: path)
    guard let size = file.byteCount, size > 0 else { return }
    let start = try file.start(100)
    guard start.starts(with: databaseMark), start.count == 100 else {
      throw .noCatalogue(path)
    }
    let id = start[68..<72].reduce(0) { $0 << 8 | Int32($1) }
    // What a killed import has written beside the file may say more.
    guard id == CatalogSchema.applicationID || CatalogFile(path: "\(path)-wal").byteCount != nil else {
      throw .noCatalogue(path)
    }
  }

  /// Refuses another program's database, and one of a newer release.
  private static func check(_ pool: DatabasePool, path: String, _ access: Access) throws {
    try pool.read { database in
      let id = try Int32.fetchOne(database, sql: "PRAGMA application_id")
      let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
      guard id == CatalogSchema.applicationID || (isEmpty && access == .readAndImport) else {
        throw CatalogError.noCatalogue(path)
      }
      if try !isEmpty && CatalogSchema.migrator.hasBeenSuperseded(database) {
        throw CatalogError(
          .unknownVersion,
          "the catalog was written by a newer PriceTag",
          fix: "use that version, or import the sources into a new catalog",
          place: printable(path)
        )
      }
      // A catalog of the first release has no checksums, and is read without them.
      let isReadable = try CatalogSchema.migrator.appliedMigrations(database).contains("1")
      if access == .read && !isReadable {
        throw CatalogError(
          .unknownVersion,
          "the catalogue was written by an older PriceTag",
          fix: "import anything into it, which brings it up to date",
          place: printable(path)
        )
      }
    }
  }

  /// Whether a file is an SQLite database, by its first bytes.
  public static func isDatabase(path: String) -> Bool {
    let file = CatalogFile(path: path)
    // A pipe is none, and would be read by looking.
    guard file.byteCount != nil, let start = try? file.start(16) else { return false }
    return start.starts(with: databaseMark)
  }

  /// What every SQLite database starts with.
  private static let databaseMark = Array("SQLite format 3\0".utf8)

  /// Reads with one connection, in one state of the catalogue.
  func read<Answer>(_ body: (Database) throws -> Answer) throws(CatalogError) -> Answer {
    do { return try reader.read(body) } catch { throw CatalogError(database: error) }
  }

  /// Writes in one transaction: all of it, or nothing where the body throws.
  func write<Answer>(_ body: (Database) throws -> Answer) throws(CatalogError) -> Answer {
    guard let writer else {
      throw CatalogError(
        .databaseFailed,
        "the catalogue was opened for reading",
        fix: "open it with the access readAndImport"
      )
    }
    do {
      return try writer.writeWithoutTransaction { database in
        var answer: Answer?
        try database.inTransaction(.immediate) {
          answer = try body(database)
          return .commit
        }
        guard let answer else { throw DamagedCatalog(problem: "the transaction has no answer") }
        return answer
      }
    } catch { throw CatalogError(database: error) }
  }

  /// A number that every import which changes something makes larger; what was read under one holds under the same.
  ///
  /// - Throws: `.databaseFailed`.
  public func revision() throws(CatalogError) -> Int {
    try read { Int(clamping: try CatalogTotals($0, hasChecksums: hasChecksums).revision) }
  }

  /// The identifiers of all products, in the order that they stand in a store.
  ///
  /// - Throws: `.databaseFailed`.
  public func productIdentifiers() throws(CatalogError) -> [String] {
    try read { try CatalogKeys($0, hasChecksums: hasChecksums).productIdentifiers() }
  }
}

extension CatalogError {
  static func noCatalogue(_ path: String) -> CatalogError {
    CatalogError(
      .unknownFormat,
      "the file is no catalogue of PriceTag's",
      fix: "give a catalogue that pricetag import has made (a file that it reads is imported into one)",
      place: printable(path)
    )
  }

  /// A catalog that has lost something, or says something else than was imported.
  private init(damage: String, _ place: String = "") {
    self.init(
      .databaseFailed,
      "the catalog is damaged: \(damage)",
      fix: "import its sources into a new catalog",
      place: place
    )
  }

  /// What went wrong with the database, in one line and without its statements.
  init(database error: any Error, _ path: String = "") {
    switch error {
    case let error as CatalogError: self = error
    case let error as PriceTagError:
      self.init(damage: error.problem)
    case is RowDecodingError:
      self.init(damage: DamagedCatalog.wrongType.problem)
    case let error as DamagedCatalog:
      self.init(damage: error.problem, error.product.map { "product \(quoted($0))" } ?? printable(path))
    case let error as StringsError: self.init(.stringsFailed, error)
    case is WorkBudget.Excess:
      self.init(.interrupted, "the work was ended before it was complete", fix: "ask for less at a time")
    case let error as DatabaseError:
      let reason = printable(error.message ?? "\(error.resultCode)")
      let place = printable(path)
      switch error.resultCode {
      case .SQLITE_CANTOPEN: self = .unopened(path)
      case .SQLITE_IOERR: self = .failedAccess(path, reason)
      case .SQLITE_NOTADB:
        self = .noCatalogue(path)
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        self.init(
          .databaseFailed,
          "another import is writing the catalogue",
          fix: "try again when it is done",
          place: place
        )
      case .SQLITE_FULL:
        self.init(
          .databaseFailed,
          "the disk is full",
          fix: "make room; the catalogue is as it was",
          place: place
        )
      case .SQLITE_READONLY, .SQLITE_PERM:
        self.init(
          .databaseFailed,
          "the catalogue may not be written",
          fix: "give a file that this process may write",
          place: place
        )
      case .SQLITE_CORRUPT:
        self.init(damage: reason, place)
      default:
        self.init(
          .databaseFailed,
          "the catalogue failed: \(reason)",
          fix: "see whether the disk is in order",
          place: place
        )
      }
    default:
      self.init(
        .databaseFailed,
        "the catalogue failed: \(printable("\(error)"))",
        fix: "see whether the disk is in order"
      )
    }
  }
}

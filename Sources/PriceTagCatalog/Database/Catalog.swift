import GRDB
import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// The products of a shop, stored in an embedded SQLite database on disk or in memory.
///
///     let catalog = try Catalog(path: "shop.pricetag")
///     let store = try Storefront("JPN")
///     let request = try ProductsRequest(["com.example.level1"], storefront: store, language: UILanguage("en"))
///     let response = try catalog.products(for: request)
///     response.products.first?.displayPrice    // "￥160"
///
/// An import is one transaction. Readers see the catalog either before or after an import, and never wait for one.
///
/// Safe to share between threads: GRDB lets only one thread at a time use a connection.
public final class Catalog: Sendable {
  let reader: any DatabaseReader
  /// The path of the catalog's file; empty for a catalog in memory.
  let path: String
  private let writer: (any DatabaseWriter)?
  /// The currencies and storefronts with which the catalog is read.
  public let localeData: LocaleData
  /// The formatters of the prices of requests.
  let formatters = StoredFormatters()

  /// The operations that an opened catalog allows.
  public enum Access: Sendable {
    /// Reading only. A missing file is an error.
    case read
    /// Reading and importing. A missing file is created.
    case readAndImport
  }

  /// Creates an empty catalog in memory.
  ///
  /// - Parameter localeData: The currencies and storefronts.
  /// - Throws: `.databaseFailed`.
  public init(localeData: LocaleData = .embedded) throws(CatalogError) {
    (self.localeData, path) = (localeData, "")
    let queue = try Self.emptyDatabase(in: nil)
    (reader, writer) = (queue, queue)
  }

  /// Creates an empty catalog in a new file, which is only read after the catalog was closed.
  ///
  /// Without readers, SQLite needs no write-ahead log, to which it would write every page before it writes the file.
  package init(newFile path: String, localeData: LocaleData) throws(CatalogError) {
    (self.localeData, self.path) = (localeData, path)
    let queue = try Self.emptyDatabase(in: path)
    (reader, writer) = (queue, queue)
  }

  private static func emptyDatabase(in path: String?) throws(CatalogError) -> DatabaseQueue {
    try checkResources(path ?? "")
    do {
      let queue = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
      try queue.write { try CatalogSchema.create($0) }
      return queue
    } catch { throw CatalogError(database: error, path ?? "in memory") }
  }

  /// Opens a catalog in a file.
  ///
  /// - Parameters:
  ///   - path: The path of the SQLite database.
  ///   - access: The allowed operations.
  ///   - localeData: The currencies and storefronts.
  ///   - maximumReaderCount: The maximum number of concurrent readers. Others wait.
  /// - Throws: `.unreadableFile`; `.unknownFormat` if the file is not a catalog; `.unknownVersion` if it has another
  ///   version of the schema; `.databaseFailed`.
  public init(
    path: String,
    access: Access = .read,
    localeData: LocaleData = .embedded,
    maximumReaderCount: Int = 5
  ) throws(CatalogError) {
    (self.localeData, self.path) = (localeData, path)
    try Self.checkResources(path)
    do {
      var configuration = Configuration()
      configuration.maximumReaderCount = max(1, maximumReaderCount)
      configuration.label = "catalog"
      // Another import may be about to finish.
      configuration.busyMode = .timeout(5)
      if access == .read {
        // GRDB would turn an empty file into a database.
        if let size = CatalogFile(path: path).byteCount, size == 0 { throw CatalogError.notACatalog(path) }
        configuration.readonly = true
        configuration.prepareDatabase(CatalogSchema.hideTablesOfSchema4)
      }
      try Self.checkFileTypes(path)
      try Self.checkFileHeader(path)
      let pool = try DatabasePool(path: path, configuration: configuration)
      if access == .readAndImport { try Self.createTables(pool, path: path) }
      try pool.read { database in
        try Self.checkVersion(database, path: path)
        try CatalogTotals(database).checkSchema(database)
      }
      reader = pool
      writer = access == .readAndImport ? pool : nil
    } catch { throw CatalogError(database: error, path) }
  }

  /// Copies the current state of the catalog to a new file. Later imports do not change the copy.
  ///
  /// - Throws: `.databaseFailed`.
  public func copy(to path: String) throws(CatalogError) {
    do {
      let copy = try DatabaseQueue(path: path)
      try reader.backup(to: copy)
      try copy.close()
    } catch { throw CatalogError(database: error, path) }
  }

  /// Closes the catalog, and merges its write-ahead log into the file, so that it can also be read from a read-only
  /// folder or disk. The log files remain while another process has the catalog open.
  ///
  /// - Throws: `.databaseFailed`. Every later call on this catalog throws, too.
  public func close() throws(CatalogError) {
    do {
      try reader.close()
      guard let pool = writer as? DatabasePool else { return }
      let queue = try DatabaseQueue(path: pool.path)
      // Fails while another process has the file open. The last process to close it succeeds.
      try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
    } catch { throw CatalogError(database: error) }
  }

  /// Checks that GRDB's connections and libdispatch get the threads and file descriptors they need.
  private static func checkResources(_ path: String) throws(CatalogError) {
    guard let shortage = ProcessResources.shortage(threads: 4, descriptors: 8) else { return }
    throw CatalogError(.outOfResources, shortage.problem, fix: shortage.fix, place: printable(path))
  }

  /// Rejects pipes and devices, for which SQLite would wait.
  private static func checkFileTypes(_ path: String) throws(CatalogError) {
    for path in ["", "-journal", "-wal", "-shm"].map({ path + $0 }) {
      var status = stat()
      guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { continue }
      throw CatalogError(
        .unreadableFile,
        "cannot open the catalog: it is a pipe or a device",
        fix: "use a regular file",
        place: printable(path)
      )
    }
  }

  /// Rejects a file of another program by its header, before a connection changes the file's journal mode.
  private static func checkFileHeader(_ path: String) throws(CatalogError) {
    let file = CatalogFile(path: path)
    guard let size = file.byteCount, size > 0 else { return }
    let header = try file.prefix(100)
    guard header.starts(with: sqliteSignature), header.count == 100 else {
      throw .notACatalog(path)
    }
    let id = header[68..<72].reduce(0) { $0 << 8 | Int32($1) }
    // After an import was killed, the application ID may only be in the write-ahead log.
    guard id == CatalogSchema.applicationID || CatalogFile(path: "\(path)-wal").byteCount != nil else {
      throw .notACatalog(path)
    }
  }

  /// Creates the tables of a new catalog, or adds those that an earlier schema lacks.
  private static func createTables(_ pool: DatabasePool, path: String) throws {
    func needsTables(_ database: Database) throws -> Bool {
      if try CatalogSchema.isEmpty(database) { return true }
      try checkVersion(database, path: path)
      return try CatalogSchema.version(database) < CatalogSchema.version
    }
    guard try pool.read(needsTables) else { return }
    try pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        // Another import may have created the tables.
        guard try needsTables(database) else { return .rollback }
        let isEmpty = try CatalogSchema.isEmpty(database)
        try isEmpty ? CatalogSchema.create(database) : CatalogSchema.upgrade(database)
        return .commit
      }
    }
  }

  /// Rejects a database of another program, or of another version of the schema.
  private static func checkVersion(_ database: Database, path: String) throws {
    let id = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    guard id == CatalogSchema.applicationID else { throw CatalogError.notACatalog(path) }
    let version = try CatalogSchema.version(database)
    let readable = CatalogSchema.firstVersion...CatalogSchema.version
    guard !readable.contains(version) else { return }
    throw CatalogError(
      .unknownVersion,
      "the catalog has schema \(version), but this version of PriceTag reads schemas \(readable.lowerBound) to \(readable.upperBound)",
      fix: "import its sources into a new catalog",
      place: printable(path)
    )
  }

  /// Returns whether a file is an SQLite database, judged by its first bytes.
  public static func isDatabase(path: String) -> Bool {
    var file = CatalogFile(path: path)
    file.mayBePipe = false
    // A pipe is not a database, and reading it would consume its bytes.
    guard file.byteCount != nil, let header = try? file.prefix(16) else { return false }
    return header.starts(with: sqliteSignature)
  }

  private static let sqliteSignature = Array("SQLite format 3\0".utf8)

  /// Runs the body with a connection that sees one consistent state of the catalog.
  func read<Value>(_ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    try reader.read(path, body)
  }

  /// Runs the body in one transaction, which is rolled back if the body throws.
  func write<Value>(_ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    guard let writer else {
      throw CatalogError(
        .databaseFailed,
        "the catalog was opened for reading only",
        fix: "open it with access: .readAndImport"
      )
    }
    do {
      return try writer.writeWithoutTransaction { database in
        var value: Value?
        try database.inTransaction(.immediate) {
          value = try body(database)
          return .commit
        }
        guard let value else { throw DamagedCatalog(problem: "the transaction returned no value") }
        return value
      }
    } catch { throw CatalogError(database: error, path) }
  }

  /// Returns the catalog's revision, which every import that changes the catalog increments.
  ///
  /// The contents of a catalog do not change while its revision stays the same.
  ///
  /// - Throws: `.databaseFailed`.
  public func revision() throws(CatalogError) -> Int {
    try read { Int(clamping: try CatalogTotals($0).revision) }
  }

  /// Returns the identifiers of all products, in store order.
  ///
  /// - Throws: `.databaseFailed`.
  public func productIdentifiers() throws(CatalogError) -> [String] {
    try read { try CatalogKeys($0).productIdentifiers() }
  }
}

extension DatabaseReader {
  /// Reads a catalog.
  ///
  /// - Parameter path: The path of the catalog, for errors.
  func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    do { return try read(body) } catch { throw CatalogError(database: error, path) }
  }
}

extension CatalogError {
  /// The error for a file that is not a catalog.
  static func notACatalog(_ path: String) -> CatalogError {
    CatalogError(
      .unknownFormat,
      "the file is not a PriceTag catalog",
      fix: "use a catalog that pricetag import created, or import the file into one",
      place: printable(path)
    )
  }

  /// Creates the error for a catalog whose contents differ from what was imported.
  private init(damage: String, _ place: String = "") {
    self.init(
      .databaseFailed,
      "the catalog is damaged: \(damage)",
      fix: "import its sources into a new catalog",
      place: place
    )
  }

  /// Creates an error from any error of a database access, without the SQL statement.
  init(database error: any Error, _ path: String = "") {
    switch error {
    case let error as CatalogError: self = error
    case let error as PriceTagError where error.code == .unknownTimeZone: self.init(error)
    case let error as PriceTagError:
      self.init(damage: error.problem)
    case is RowDecodingError:
      self.init(damage: DamagedCatalog.wrongType.problem)
    case let error as DamagedCatalog:
      self.init(damage: error.problem, error.product.map { "product \(quoted($0))" } ?? printable(path))
    case let error as UnknownStoredCurrency:
      self.init(
        .unknownCurrency,
        "the catalog has prices in \(quoted(error.code)), a currency that is not in the locale data",
        fix: "use the locale data that the catalog was imported with",
        place: printable(path)
      )
    case let error as StringsError: self.init(.stringsFailed, error)
    case is WorkBudget.Excess:
      self.init(.interrupted, "the work exceeded its limit and was stopped", fix: "request less at a time")
    case let error as DatabaseError:
      let reason = printable(error.message ?? "\(error.resultCode)")
      switch error.resultCode {
      case .SQLITE_CANTOPEN: self = .unopened(path)
      case .SQLITE_IOERR: self = .failedAccess(path, reason)
      case .SQLITE_NOTADB: self = .notACatalog(path)
      // Every statement is valid for the schema, so only a damaged schema lacks a table or a column.
      case .SQLITE_CORRUPT, .SQLITE_ERROR: self.init(damage: reason, printable(path))
      default:
        let (problem, fix) =
          switch error.resultCode {
          case .SQLITE_BUSY, .SQLITE_LOCKED:
            ("another import is writing the catalog", "try again when it has finished")
          case .SQLITE_FULL:
            ("the disk is full", "free some disk space (the catalog is unchanged)")
          case .SQLITE_READONLY, .SQLITE_PERM:
            ("cannot write the catalog: it is read-only", "make the file and its folder writable")
          default: ("the database failed: \(reason)", "check the disk")
          }
        self.init(.databaseFailed, problem, fix: fix, place: printable(path))
      }
    default:
      self.init(
        .databaseFailed,
        "the database failed: \(printable("\(error)"))",
        fix: "check the disk"
      )
    }
  }
}

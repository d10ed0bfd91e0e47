import GRDB
import GRDBSQLite
import PriceTag
import PriceTagSystem
import PriceTagText

/// A prepared statement that is bound and read through SQLite's C interface.
///
/// Text is read as bytes without a copy, which makes the checksum of a row cheap.
///
/// A statement belongs to one connection and is used only on its thread. The connection caches one statement per SQL
/// text, so a statement must not be run again while its rows are being read.
struct CatalogStatement {
  private let statement: Statement
  private let handle: SQLiteStatement

  init(_ database: Database, _ sql: String) throws {
    statement = try database.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
  }

  // MARK: Running

  /// Runs a statement that returns no rows.
  func run(_ arguments: CatalogValue...) throws { try run(arguments) }

  func run(_ arguments: [CatalogValue]) throws {
    try bind(arguments)
    try runBound()
  }

  /// Runs a statement that returns no rows, with the values that are already bound.
  func runBound() throws { try forEachBoundRow {} }

  /// Calls the body for each row.
  func forEachRow(_ arguments: CatalogValue..., body: () throws -> Void) throws {
    try forEachRow(arguments, body: body)
  }

  func forEachRow(_ arguments: [CatalogValue], body: () throws -> Void) throws {
    try bind(arguments)
    try forEachBoundRow(body)
  }

  /// Calls the body for each row of a statement with the parameters integer and text.
  ///
  /// SQLite does not copy the text. Every later run binds all parameters again before it reads them.
  func forEachRow(_ integer: Int64, _ text: String, body: () throws -> Void) throws {
    var text = text
    try text.withUTF8 { utf8 in
      try bind(0, integer)
      try bind(1, UnsafeRawBufferPointer(utf8), nil)
      try forEachBoundRow(body)
    }
  }

  /// Calls the body for each row of an ID in the requested storefronts, and possibly in others.
  ///
  /// If only one storefront is requested, the statement has its identifier as second parameter.
  func forEachRow(_ id: Int64, in storefronts: [Storefront], body: () throws -> Void) throws {
    if storefronts.count == 1, let storefront = storefronts.first {
      try forEachRow(id, storefront.id, body: body)
    } else {
      try forEachRow(.integer(id), body: body)
    }
  }

  /// Calls the body for each row, with the values that are already bound.
  private func forEachBoundRow(_ body: () throws -> Void) throws {
    defer { sqlite3_reset(handle) }
    while try step() { try body() }
  }

  /// Returns the body's value for the first row, or `nil` if there is no row.
  func firstRow<Value>(_ arguments: CatalogValue..., body: () throws -> Value) throws -> Value? {
    try bind(arguments)
    defer { sqlite3_reset(handle) }
    return try step() ? body() : nil
  }

  private func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  private func failure(_ code: CInt) -> DatabaseError {
    let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }

  // MARK: Binding

  func bind(_ arguments: [CatalogValue]) throws {
    for (index, argument) in arguments.enumerated() {
      switch argument {
      case .null: try check(sqlite3_bind_null(handle, Self.number(index)))
      case .integer(let integer): try bind(index, integer)
      case .text(var text): try text.withUTF8 { try bind(index, UnsafeRawBufferPointer($0)) }
      }
    }
  }

  func bind(_ index: Int, _ integer: Int64) throws {
    try check(sqlite3_bind_int64(handle, Self.number(index), integer))
  }

  func bindNull(_ index: Int) throws { try check(sqlite3_bind_null(handle, Self.number(index))) }

  /// Binds UTF-8 text, which SQLite copies unless the destructor is `nil`.
  func bind(
    _ index: Int,
    _ text: UnsafeRawBufferPointer,
    _ destructor: sqlite3_destructor_type? = copied
  ) throws {
    // SQLite binds NULL for a null pointer.
    guard let start = text.baseAddress, let count = CInt(exactly: text.count) else {
      guard text.isEmpty else { throw failure(SQLITE_TOOBIG) }
      return try check(sqlite3_bind_text(handle, Self.number(index), "", 0, Self.copied))
    }
    let characters = start.assumingMemoryBound(to: CChar.self)
    try check(sqlite3_bind_text(handle, Self.number(index), characters, count, destructor))
  }

  private static func number(_ index: Int) -> CInt { CInt(truncatingIfNeeded: index &+ 1) }

  /// SQLITE_TRANSIENT, which Swift does not import.
  private static var copied: sqlite3_destructor_type? {
    unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type?.self)
  }

  private func check(_ code: CInt) throws {
    if code != SQLITE_OK { throw failure(code) }
  }

  // MARK: Columns

  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Returns the integer of a column, or `nil` for null.
  @inline(__always)
  func integer(_ column: some CatalogColumn) throws -> Int64? { try integer(at: column.rawValue) }

  func integer(at index: Int) throws -> Int64? {
    switch type(index) {
    case SQLITE_INTEGER: return sqlite3_column_int64(handle, CInt(truncatingIfNeeded: index))
    case SQLITE_NULL: return nil
    default: throw DamagedCatalog.wrongType
    }
  }

  /// Returns the integer of a column as an `Int`.
  func smallInteger(_ column: some CatalogColumn) throws -> Int? {
    try integer(column).map { Int(clamping: $0) }
  }

  func requiredInteger(_ column: some CatalogColumn) throws -> Int64 {
    guard let integer = try integer(column) else { throw DamagedCatalog.wrongType }
    return integer
  }

  /// Returns whether a column is null.
  func isNull(at index: Int) -> Bool { type(index) == SQLITE_NULL }

  /// Returns the UTF-8 of a column's text, which is valid until the next row, or `nil` for null.
  @inline(__always)
  func bytes(_ column: some CatalogColumn) throws -> UnsafeRawBufferPointer? {
    // The connection has no mutex, so the functions of values may be called, which look the column up only once.
    let value = sqlite3_column_value(handle, CInt(truncatingIfNeeded: column.rawValue))
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT:
      let start = sqlite3_value_blob(value)
      return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    case SQLITE_NULL: return nil
    default: throw DamagedCatalog.wrongType
    }
  }

  @inline(__always)
  func requiredBytes(_ column: some CatalogColumn) throws -> UnsafeRawBufferPointer {
    guard let bytes = try bytes(column) else { throw DamagedCatalog.wrongType }
    return bytes
  }

  func text(_ column: some CatalogColumn) throws -> String? {
    try bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  func requiredText(_ column: some CatalogColumn) throws -> String {
    String(decoding: try requiredBytes(column), as: UTF8.self)
  }

  @inline(__always)
  private func type(_ column: Int) -> CInt { sqlite3_column_type(handle, CInt(truncatingIfNeeded: column)) }

  @inline(__always)
  private func rawBytes(_ column: Int) -> UnsafeRawBufferPointer {
    let column = CInt(truncatingIfNeeded: column)
    // sqlite3_column_bytes must follow sqlite3_column_blob: it returns the length of the value fetched before.
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start,
      count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    )
  }

  /// Adds a column of any type to a checksum.
  @inline(__always)
  func add(at index: Int, to checksum: inout RowChecksum) {
    switch type(index) {
    case SQLITE_TEXT: checksum.add(rawBytes(index))
    case SQLITE_INTEGER: checksum.add(sqlite3_column_int64(handle, CInt(truncatingIfNeeded: index)))
    case SQLITE_NULL: checksum.addNull()
    case SQLITE_FLOAT:
      checksum.add(real: sqlite3_column_double(handle, CInt(truncatingIfNeeded: index)).bitPattern)
    default: checksum.add(blob: rawBytes(index))
    }
  }
}

extension CatalogStatement {
  /// Adds the columns of the current row to a digest, from one of them on.
  func addRow(to digest: inout ContentDigest, from first: Int) {
    for index in first..<columnCount {
      switch type(index) {
      case SQLITE_TEXT: digest.add(rawBytes(index))
      case SQLITE_INTEGER: digest.add(sqlite3_column_int64(handle, CInt(truncatingIfNeeded: index)))
      case SQLITE_NULL: digest.addNull()
      case SQLITE_FLOAT:
        digest.add("real")
        let number = sqlite3_column_double(handle, CInt(truncatingIfNeeded: index))
        digest.add(Int64(bitPattern: number.bitPattern))
      default:
        digest.add("blob")
        digest.add(rawBytes(index))
      }
    }
  }
}

/// A value of a column.
enum CatalogValue {
  case null
  case integer(Int64)
  case text(String)

  init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  init(_ integer: Int?) { self.init(integer.map(Int64.init)) }
  init(_ flag: Bool?) { self.init(flag.map { $0 ? Int64(1) : 0 }) }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

extension CatalogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral integer: Int64) { self = .integer(integer) }
}

extension RowChecksum {
  mutating func add(_ value: CatalogValue) {
    switch value {
    case .null: addNull()
    case .integer(let integer): add(integer)
    case .text(let text): add(text)
    }
  }
}

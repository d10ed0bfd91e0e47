import PriceTag

/// A row of the table `price`: the UTF-8 of its columns, which is valid until the statement's next row.
///
/// Prices are most of a catalog's rows, so each column is read only once.
struct PriceRow {
  let storefront: UnsafeRawBufferPointer
  private let firstDay: UnsafeRawBufferPointer
  private let lastDay: UnsafeRawBufferPointer?
  private let amountText: UnsafeRawBufferPointer
  private let currencyCode: UnsafeRawBufferPointer

  /// Reads the current row of a statement that selects the table's columns, and verifies its checksum.
  ///
  /// - Parameters:
  ///   - row: The statement.
  ///   - listChecksum: The result of `checksum(ofList:)` for the row's list.
  /// - Throws: `DamagedCatalog`.
  init(_ row: CatalogStatement, _ listChecksum: RowChecksum) throws {
    storefront = try row.requiredBytes(PriceColumn.storefront)
    firstDay = try row.requiredBytes(PriceColumn.firstDay)
    lastDay = try row.bytes(PriceColumn.lastDay)
    amountText = try row.requiredBytes(PriceColumn.amount)
    currencyCode = try row.requiredBytes(PriceColumn.currency)
    var checksum = listChecksum
    checksum.add(storefront)
    checksum.add(firstDay)
    if let lastDay { checksum.add(lastDay) } else { checksum.addNull() }
    checksum.add(amountText)
    checksum.add(currencyCode)
    guard try row.integer(PriceColumn.checksum) == checksum.value else {
      throw DamagedCatalog.checksum(of: .price)
    }
  }

  /// The maximum number of rows that a statement inserts. A row costs half of what a statement for each row costs.
  static let maximumInsertedCount = 64

  /// Returns the SQL that inserts rows of one list. Its parameters are the list, then the texts and the checksum of each row.
  static func insertion(of count: Int) -> String {
    "INSERT INTO price (list, storefront, first_day, last_day, amount, currency, checksum) VALUES "
      + repeatElement("(?1, ?, ?, ?, ?, ?, ?)", count: count).joined(separator: ", ")
  }

  /// Returns the common start of the checksums of a list's rows.
  static func checksum(ofList list: Int64) -> RowChecksum {
    var checksum = RowChecksum(.price)
    checksum.add(list)
    return checksum
  }

  func amount() throws -> Amount {
    if let amount = amountText.withMemoryRebound(to: UInt8.self, { Amount(decimalUTF8: $0) }) {
      return amount
    }
    // The other initializer throws an error that describes the problem.
    return try Amount(decimal: String(decoding: amountText, as: UTF8.self))
  }

  var currency: String { String(decoding: currencyCode, as: UTF8.self) }

  /// Returns whether the price is in the currency with a code.
  func isIn(currency code: String) -> Bool {
    var code = code
    return code.withUTF8 { $0.count == currencyCode.count && $0.elementsEqual(currencyCode) }
  }

  func days() throws -> DateRange { try .stored(firstDay, lastDay) }
}

import PriceTag

/// A row of the table `price`: the UTF-8 of its columns, until the statement's next row. Each column is read once, for
/// prices are most of a catalog.
struct PriceRow {
  let storefront: UnsafeRawBufferPointer
  private let firstDay: UnsafeRawBufferPointer
  private let lastDay: UnsafeRawBufferPointer?
  private let amountText: UnsafeRawBufferPointer
  private let currencyCode: UnsafeRawBufferPointer

  /// Reads the row that a statement of the table's selection is at.
  ///
  /// - Parameter ofList: The start of the checksum, with the row's list; `nil` for a catalog without checksums.
  /// - Throws: `DamagedCatalog`.
  init(_ row: CatalogStatement, _ ofList: RowChecksum?) throws {
    storefront = try row.requiredBytes(PriceColumn.storefront)
    firstDay = try row.requiredBytes(PriceColumn.firstDay)
    lastDay = try row.bytes(PriceColumn.lastDay)
    amountText = try row.requiredBytes(PriceColumn.amount)
    currencyCode = try row.requiredBytes(PriceColumn.currency)
    guard var checksum = ofList else { return }
    checksum.add(storefront)
    checksum.add(firstDay)
    if let lastDay { checksum.add(lastDay) } else { checksum.addNull() }
    checksum.add(amountText)
    checksum.add(currencyCode)
    guard try row.integer(PriceColumn.checksum) == checksum.value else {
      throw DamagedCatalog.checksum(of: .price)
    }
  }

  /// The start of the checksum of a list's rows.
  static func checksum(of list: Int64) -> RowChecksum {
    var checksum = RowChecksum(.price)
    checksum.add(list)
    return checksum
  }

  func amount() throws -> Amount {
    if let amount = amountText.withMemoryRebound(to: UInt8.self, { Amount(decimalUTF8: $0) }) {
      return amount
    }
    // The other initializer says what is wrong.
    return try Amount(decimal: String(decoding: amountText, as: UTF8.self))
  }

  var currency: String { String(decoding: currencyCode, as: UTF8.self) }

  func days() throws -> Days {
    // Most prices hold always: no text is made for them.
    if firstDay.isEmpty, lastDay == nil { return .always }
    return Days(
      uncheckedFirst: try .stored(String(decoding: firstDay, as: UTF8.self)),
      last: try .stored(lastDay.map { String(decoding: $0, as: UTF8.self) })
    )
  }
}

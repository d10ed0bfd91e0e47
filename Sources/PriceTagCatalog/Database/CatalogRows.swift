import GRDB
import PriceTag
import PriceTagSystem
import PriceTagText

// Conversions between values and the text of their columns.

extension CalendarDate {
  /// Returns the date of a column, or `nil` for null and for the empty text of a range without a start.
  static func stored(_ text: UnsafeRawBufferPointer?) throws -> CalendarDate? {
    guard let text, !text.isEmpty else { return nil }
    return try CalendarDate(String(decoding: text, as: UTF8.self))
  }
}

extension DateRange {
  /// The text of the column `first_day`.
  var storedFirst: String { first?.description ?? "" }
  /// The text of the column `last_day`.
  var storedLast: String? { last?.description }

  /// Returns the range of two columns.
  static func stored(
    _ first: UnsafeRawBufferPointer?,
    _ last: UnsafeRawBufferPointer?
  ) throws -> DateRange {
    // Most rows have no dates, so this case creates no strings.
    if first?.isEmpty ?? true, last == nil { return .always }
    return DateRange(uncheckedFirst: try .stored(first), last: try .stored(last))
  }
}

extension Clearance {
  /// The text of a column: `all`, `USA JPN` or `!CHN HKG`; empty for nowhere.
  var stored: String {
    switch self {
    case .everywhere: "all"
    case .only(let storefronts): storefronts.sorted().joined(separator: " ")
    case .except(let storefronts): "!" + storefronts.sorted().joined(separator: " ")
    }
  }

  init(stored text: String) {
    let list = text.drop { $0 == "!" }.split(separator: " ").map(String.init)
    switch text {
    case "all": self = .everywhere
    case _ where text.hasPrefix("!"): self = .except(Set(list))
    default: self = .only(Set(list))
    }
  }
}

extension TierPeriod {
  /// Reads a row of the table `tier_period`.
  init(_ row: CatalogStatement) throws {
    self.init(
      try row.requiredText(TierPeriodColumn.tier),
      days: try .stored(row.bytes(TierPeriodColumn.firstDay), row.bytes(TierPeriodColumn.lastDay))
    )
  }
}

extension ProductText {
  /// Returns the text of a row of the table `product_text`, after verifying the row.
  static func stored(_ row: CatalogStatement) throws -> (language: String, text: ProductText) {
    try CatalogTable.productText.verify(row)
    return (
      try row.requiredText(ProductTextColumn.language),
      ProductText(
        name: try row.text(ProductTextColumn.name),
        description: try row.text(ProductTextColumn.description)
      )
    )
  }
}

extension ProductImage {
  /// Returns all pictures of the product of a row: the first one is its main picture, if it has one.
  static func all(_ row: CatalogStatement) throws -> [ProductImage] {
    all(try row.text(ProductColumn.image), try row.text(ProductColumn.images).map(stored) ?? [])
  }
}

/// The error for a catalog whose contents differ from what was imported.
struct DamagedCatalog: Error {
  let problem: String
  /// The product whose rows are damaged.
  var product: String?

  static var wrongType: DamagedCatalog { DamagedCatalog(problem: "a column has a value of the wrong type") }
  static var incompleteOffer: DamagedCatalog { DamagedCatalog(problem: "an offer is incomplete") }

  /// The error for parts of a product, such as its prices, that differ from what was imported.
  static func mismatch(_ parts: String) -> DamagedCatalog {
    DamagedCatalog(problem: "its \(parts) do not match what was imported")
  }

  static func checksum(of table: CatalogTable) -> DamagedCatalog {
    DamagedCatalog(problem: "a row of the table \(table.name) does not match its checksum")
  }

  /// Runs a closure that reads a product, and adds the product to the error if it finds damage.
  static func naming<Value>(_ product: @autoclosure () -> String, _ read: () throws -> Value) throws -> Value
  {
    do { return try read() } catch {
      var damage: DamagedCatalog
      switch error {
      case let error as DamagedCatalog: damage = error
      case let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT:
        damage = DamagedCatalog(problem: printable(error.message ?? "\(error.resultCode)"))
      case let error as PriceTagError: damage = DamagedCatalog(problem: error.problem)
      default: throw error
      }
      damage.product = damage.product ?? product()
      throw damage
    }
  }
}

/// Returns the value that a column's text denotes, or `nil` for null.
///
/// - Throws: `DamagedCatalog` if `parse` returns `nil`.
func stored<Value>(_ text: String?, _ parse: (String) -> Value?) throws -> Value? {
  guard let text else { return nil }
  guard let value = parse(text) else { throw DamagedCatalog(problem: "unknown value \(quoted(text))") }
  return value
}

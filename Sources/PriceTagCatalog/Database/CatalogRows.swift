import GRDB
import PriceTag
import PriceTagText

/// How facts stand in the columns.
extension CalendarDate {
  /// The day of a column; `nil` for null and for the empty text that stands for always before.
  static func stored(_ text: String?) throws -> CalendarDate? {
    guard let text, !text.isEmpty else { return nil }
    return try CalendarDate(text)
  }
}

extension Days {
  /// What stands in `first_day`.
  var storedFirst: String { first?.description ?? "" }
  /// What stands in `last_day`.
  var storedLast: String? { last?.description }

  /// The days of two columns.
  static func stored<Column: CatalogColumn>(
    _ row: CatalogStatement,
    _ first: Column,
    _ last: Column
  ) throws -> Days {
    // Most prices hold always: no text is made for them.
    if try row.bytes(first)?.isEmpty ?? true, row.isNull(last) { return .always }
    return Days(
      uncheckedFirst: try CalendarDate.stored(row.text(first)),
      last: try CalendarDate.stored(row.text(last))
    )
  }
}

extension Clearance {
  /// `all`, `USA JPN`, or `!CHN HKG`; an empty text for nowhere.
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

/// A catalog that holds what no release has written, or that has lost something.
struct DamagedCatalog: Error {
  let problem: String
  /// The product that it was noticed at.
  var product: String?

  init(problem: String) { self.problem = problem }

  static var wrongType: DamagedCatalog { DamagedCatalog(problem: "a column holds what it cannot") }

  static func checksum(of table: CatalogTable) -> DamagedCatalog {
    DamagedCatalog(problem: "a row of the table \(table.name) does not match its checksum")
  }

  /// Does what reads a product: where that meets damage, the failure names the product.
  static func naming<Answer>(_ product: @autoclosure () -> String, _ read: () throws -> Answer) throws
    -> Answer
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

/// What a column's text names.
func stored<Value>(_ text: String?, _ make: (String) -> Value?) throws -> Value? {
  guard let text else { return nil }
  guard let value = make(text) else { throw DamagedCatalog(problem: "\(quoted(text)) has no meaning") }
  return value
}

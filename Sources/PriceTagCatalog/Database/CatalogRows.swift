import GRDB
import PriceTag

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

  static func stored(_ row: Row, at index: Int) throws -> Days {
    Days(
      uncheckedFirst: try .stored(row.decode(atIndex: index)),
      last: try .stored(row.decode(atIndex: index + 1))
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

/// A column that holds what no release has written.
struct DamagedCatalog: Error {
  let problem: String
}

/// What a column's text names.
func stored<Value>(_ text: String?, _ make: (String) -> Value?) throws -> Value? {
  guard let text else { return nil }
  guard let value = make(text) else { throw DamagedCatalog(problem: "\(quoted(text)) has no meaning") }
  return value
}

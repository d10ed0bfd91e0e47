import GRDB

/// The storefronts that a list has prices for, the languages that a product has texts in, or the storefronts that it
/// has price locales for; and how many rows each of them has.
///
/// Most products share a few sets, so a set is stored once, as text: `DEU JPN:2 USA`. Of a language the count is that of
/// its names: `en-US fr:0` has a description in French without a name.
struct PartSet: Equatable {
  /// In the order of the members' bytes.
  private(set) var members: [(name: String, count: Int)] = []

  init() {}

  /// Reads a set as it is stored.
  init(stored text: UnsafeRawBufferPointer) throws {
    for part in text.split(separator: UInt8(ascii: " ")) {
      let fields = part.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = fields.first, fields.count < 3,
        let count = fields.count == 1 ? 1 : Int(String(decoding: fields[1], as: UTF8.self))
      else { throw DamagedCatalog(problem: "a set of storefronts or languages cannot be read") }
      members.append((String(decoding: name, as: UTF8.self), count))
    }
  }

  /// The set as it is stored.
  var stored: String {
    var text = ""
    for (name, count) in members {
      if !text.isEmpty { text += " " }
      text += name
      if count != 1 { text += ":\(count)" }
    }
    return text
  }

  /// Adds a row; members come in their order.
  mutating func add(_ name: String, count: Int = 1) {
    if let last = members.indices.last, members[last].name == name {
      members[last].count += count
    } else {
      members.append((name, count))
    }
  }

  /// The members that have rows of their own: all.
  var names: [String] { members.map(\.name) }

  /// How many rows a member has.
  func count(of name: String) -> Int { members.first { $0.name == name }?.count ?? 0 }

  /// Checks rows against the members, one after another.
  struct Iterator {
    private let members: [(name: String, count: Int)]
    private var index = -1
    private var remaining = 0

    fileprivate init(_ members: [(name: String, count: Int)]) { self.members = members }

    /// Whether the next row is of a member.
    mutating func isNext(_ name: String) -> Bool {
      if remaining == 0 {
        index += 1
        guard index < members.count else { return false }
        remaining = members[index].count
      }
      remaining -= 1
      return remaining >= 0 && members[index].name == name
    }

    /// Whether there were all rows of all members.
    var isAtEnd: Bool { remaining == 0 && index + 1 == members.count }
  }

  var iterator: Iterator { Iterator(members) }

  static func == (first: PartSet, second: PartSet) -> Bool {
    first.members.elementsEqual(second.members) { $0 == $1 }
  }
}

/// Reads and writes the table `part_set`. The number 0 stands for the empty set, which has no row.
struct PartSets {
  private let database: Database
  private var numbers = BoundedCache<String, Int64>(limit: 4096)
  /// The set that was written last, and its number: one product's is often the next one's, too.
  private var last: (set: PartSet, number: Int64)?

  init(_ database: Database) { self.database = database }

  private static let selection = "SELECT \(CatalogTable.partSet.selection(true)) FROM part_set WHERE"

  /// Returns the set of a number.
  ///
  /// - Throws: `DamagedCatalog`.
  func set(_ number: Int64) throws -> PartSet {
    if number == 0 { return PartSet() }
    let find = try CatalogStatement(database, "\(Self.selection) id = ?")
    let found = try find.firstRow(.integer(number)) {
      try CatalogTable.partSet.verify(find)
      guard try find.integer(PartSetColumn.id) == number else { throw DamagedCatalog.checksum(of: .partSet) }
      return try PartSet(stored: find.requiredBytes(PartSetColumn.members))
    }
    guard let found else { throw DamagedCatalog(problem: "a set of storefronts or languages is lost") }
    return found
  }

  /// Returns the number of a set, and stores the set where it is new.
  mutating func number(of set: PartSet) throws -> Int64 {
    if set.members.isEmpty { return 0 }
    if let last, last.set == set { return last.number }
    let text = set.stored
    if let known = numbers[text] {
      last = (set, known)
      return known
    }
    let find = try CatalogStatement(database, "\(Self.selection) members = ?")
    let stored = try find.firstRow(.text(text)) {
      try CatalogTable.partSet.verify(find)
      guard try find.text(PartSetColumn.members) == text else { throw DamagedCatalog.checksum(of: .partSet) }
      return try find.requiredInteger(PartSetColumn.id)
    }
    let number = try stored ?? insert(text)
    numbers.keep(number, for: text)
    last = (set, number)
    return number
  }

  private func insert(_ text: String) throws -> Int64 {
    let last = try CatalogStatement(database, "SELECT max(id) AS value FROM part_set")
    let (number, overflow) = (try last.firstRow { try last.integer(OnlyColumn.value) ?? 0 } ?? 0)
      .addingReportingOverflow(1)
    guard !overflow else { throw DamagedCatalog(problem: "there is no number for another set") }
    try CatalogStatement(database, CatalogTable.partSet.insertion).run(
      PartSetColumn.row([.id: .integer(number), .members: .text(text)])
    )
    return number
  }

  private enum CountColumn: Int, CatalogColumn {
    case sets, owners
  }

  /// Removes the sets that have no row any more, once there are many.
  func removeUnused() throws {
    let counts = try CatalogStatement(
      database,
      """
      SELECT (SELECT count(*) FROM part_set) AS sets, \
      (SELECT count(*) FROM product) + (SELECT count(*) FROM offer) AS owners
      """,
      CountColumn.self
    )
    let areMany = try counts.firstRow {
      try counts.requiredInteger(CountColumn.sets) > counts.requiredInteger(CountColumn.owners) &* 4 &+ 1000
    }
    guard areMany == true else { return }
    try CatalogStatement(
      database,
      """
      DELETE FROM part_set WHERE id NOT IN (SELECT price_set FROM product UNION SELECT text_set FROM product \
      UNION SELECT locale_set FROM product UNION SELECT price_set FROM offer UNION SELECT price_set FROM tier)
      """
    ).run()
  }
}

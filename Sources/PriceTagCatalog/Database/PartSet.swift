import GRDB

/// The keys of the rows that belong to a product or a price list, with the number of rows for each key. It reveals
/// missing rows.
///
/// The keys are the storefronts of prices, the storefronts of price locales, or the languages of texts.
///
/// Most products share a few sets, so each set is stored only once, as text such as `DEU JPN:2 USA`. For a language, the
/// count is 1 if the text has a name: `en-US fr:0` means that the French text has only a description.
struct PartSet: Hashable {
  /// The members, sorted by the bytes of their names.
  private(set) var members: [(name: String, count: Int)] = []

  init() {}

  /// Parses the stored text of a set.
  init(stored text: UnsafeRawBufferPointer) throws {
    for part in text.split(separator: UInt8(ascii: " ")) {
      let fields = part.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = fields.first, fields.count < 3,
        let count = fields.count == 1 ? 1 : Int(String(decoding: fields[1], as: UTF8.self))
      else { throw DamagedCatalog(problem: "a set of storefronts or languages is malformed") }
      members.append((String(decoding: name, as: UTF8.self), count))
    }
  }

  /// The text of the set, as stored.
  var stored: String {
    var text = ""
    for (name, count) in members {
      if !text.isEmpty { text += " " }
      text += name
      if count != 1 { text += ":\(count)" }
    }
    return text
  }

  /// Adds a row. Rows must be added in the order of the members.
  mutating func add(_ name: String, count: Int = 1) {
    if let last = members.indices.last, members[last].name == name {
      members[last].count += count
    } else {
      members.append((name, count))
    }
  }

  /// The names of all members.
  var names: [String] { members.map(\.name) }

  static func == (first: PartSet, second: PartSet) -> Bool {
    first.members.elementsEqual(second.members) { $0 == $1 }
  }

  /// Hashes a part of the set, because a hash of all members would take longer than a comparison.
  func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    hasher.combine(members.first?.name)
    hasher.combine(members.last?.name)
  }
}

/// Reads and writes the table `part_set`. The ID 0 means the empty set, which has no row.
struct PartSetStore {
  private let database: Database
  private var ids = BoundedCache<PartSet, Int64>(limit: 256)

  init(_ database: Database) { self.database = database }

  private static let selection = "SELECT \(CatalogTable.partSet.selection) FROM part_set WHERE"

  /// Returns the set with an ID.
  ///
  /// - Throws: `DamagedCatalog`.
  func set(_ id: Int64) throws -> PartSet {
    if id == 0 { return PartSet() }
    let find = try CatalogStatement(database, "\(Self.selection) id = ?")
    let found = try find.firstRow(.integer(id)) {
      try CatalogTable.partSet.verify(find)
      guard try find.integer(PartSetColumn.id) == id else { throw DamagedCatalog.checksum(of: .partSet) }
      return try PartSet(stored: find.requiredBytes(PartSetColumn.members))
    }
    guard let found else { throw DamagedCatalog(problem: "a set of storefronts or languages is missing") }
    return found
  }

  /// Returns the ID of a set, and inserts the set if it is new.
  mutating func id(of set: PartSet) throws -> Int64 {
    if set.members.isEmpty { return 0 }
    if let cached = ids[set] { return cached }
    let text = set.stored
    let find = try CatalogStatement(database, "\(Self.selection) members = ?")
    let stored = try find.firstRow(.text(text)) {
      try CatalogTable.partSet.verify(find)
      guard try find.text(PartSetColumn.members) == text else { throw DamagedCatalog.checksum(of: .partSet) }
      return try find.requiredInteger(PartSetColumn.id)
    }
    let id = try stored ?? insert(text)
    ids.store(id, for: set)
    return id
  }

  private func insert(_ text: String) throws -> Int64 {
    let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM part_set") ?? 0
    let (id, overflow) = last.addingReportingOverflow(1)
    guard !overflow else { throw DamagedCatalog(problem: "no set ID is left") }
    try CatalogStatement(database, CatalogTable.partSet.insertion).run(
      PartSetColumn.row([.id: .integer(id), .members: .text(text)])
    )
    return id
  }

  /// Removes sets that no row refers to, once the table has grown large.
  func removeUnused() throws {
    let areMany = try Bool.fetchOne(
      database,
      sql: """
        SELECT (SELECT count(*) FROM part_set) \
        > ((SELECT count(*) FROM product) + (SELECT count(*) FROM offer)) * 4 + 1000
        """
    )
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

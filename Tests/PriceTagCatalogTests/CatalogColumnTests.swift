import CatalogSamples
import GRDB
import PriceTag
import Testing

@testable import PriceTagCatalog

/// Tests of reading and writing rows by column name.
@Suite struct CatalogColumnTests {
  @Test(arguments: CatalogTable.allCases)
  func columnEnumMatchesTable(table: CatalogTable) throws {
    let catalog = try Catalog()
    let columns = try catalog.read { try $0.columns(in: table.name).map(\.name) }
    #expect(Set(columns) == Set(table.columns + ["checksum"]))
    #expect(columns.count == table.columns.count + 1)
  }

  static let selections: [(table: CatalogTable, hasChecksums: Bool, expected: String)] = [
    (.tier, true, "SELECT checksum, name, list, price_set FROM tier WHERE true"),
    (.tier, false, "SELECT NULL AS checksum, name, list, NULL AS price_set FROM tier WHERE true"),
    (
      .price, true,
      "SELECT checksum, list, storefront, first_day, last_day, amount, currency FROM price WHERE true"
    ),
  ]

  @Test(arguments: selections)
  func selectionListsColumns(table: CatalogTable, hasChecksums: Bool, expected: String) {
    let selection = table.selection(hasChecksums ? .current : .first)
    #expect("SELECT \(selection) FROM \(table.name) WHERE true" == expected)
  }

  @Test(arguments: [
    (CatalogTable.ColumnVersion.fourth, "offers, content, unit_reference, images, related"),
    (.third, "offers, content, unit_reference, NULL AS images, NULL AS related"),
    (.second, "offers, NULL AS content, NULL AS unit_reference, NULL AS images, NULL AS related"),
    (
      .first,
      "NULL AS offers, NULL AS content, NULL AS unit_reference, NULL AS images, NULL AS related"
    ),
  ])
  func selectionHasColumnsOfEachVersion(version: CatalogTable.ColumnVersion, expected: String) {
    let selection = CatalogTable.product.selection(version)
    #expect(selection.hasSuffix(", " + expected), "\(selection)")
  }

  /// The checksum of a product without pictures and related products is the one that version 3 wrote.
  @Test func checksumOmitsNullsOfVersion4() {
    func checksum(_ images: CatalogValue, _ related: CatalogValue) -> Int64? {
      let row = ProductColumn.row([.identifier: "a", .content: "1 L", .images: images, .related: related])
      guard case .integer(let checksum)? = row.first else { return nil }
      return checksum
    }
    var third = RowChecksum(.product)
    third.addNull()
    third.add("a")
    for _ in 0..<16 { third.addNull() }
    third.add("1 L")
    third.addNull()
    #expect(checksum(.null, .null) == third.value)
    let all = [
      checksum(.null, .null), checksum("[]", .null), checksum(.null, "[]"), checksum(.null, ""),
      checksum("a", "b"),
    ]
    #expect(Set(all).count == all.count)
  }

  /// The checksum of a product without a content is the one that version 2 wrote.
  @Test func checksumOmitsNullsOfLaterColumns() {
    func checksum(_ content: CatalogValue, _ reference: CatalogValue) -> Int64? {
      let row = ProductColumn.row([.identifier: "a", .content: content, .unitReference: reference])
      guard case .integer(let checksum)? = row.first else { return nil }
      return checksum
    }
    var first = RowChecksum(.product)
    first.addNull()
    first.add("a")
    for _ in 0..<16 { first.addNull() }
    #expect(checksum(.null, .null) == first.value)
    let all = [
      checksum(.null, .null), checksum("1 L", .null), checksum(.null, "1 L"), checksum("1 L", "1 L"),
      checksum("", .null), checksum(.null, ""),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test func insertionListsColumns() {
    #expect(CatalogTable.partSet.insertion == "INSERT INTO part_set (checksum, id, members) VALUES (?, ?, ?)")
  }

  private enum Column: Int, CatalogColumn {
    case sortOrder, identifier
  }

  static let statements: [(sql: String, isAccepted: Bool)] = [
    ("SELECT sort_order, identifier FROM product", true),
    ("SELECT 1 AS sort_order, 'a' AS identifier", true),
    ("SELECT identifier, sort_order FROM product", false),
    ("SELECT sort_order FROM product", false),
    ("SELECT sort_order, identifier, list FROM product", false),
  ]

  @Test(arguments: statements)
  func rejectsStatementWithOtherColumns(sql: String, isAccepted: Bool) throws {
    let catalog = try Catalog()
    let outcome = try catalog.read { database in
      do { _ = try CatalogStatement(database, sql, Column.self) } catch is DamagedCatalog { return false }
      return true
    }
    #expect(outcome == isAccepted)
  }

  /// The values are listed in another order than the columns.
  @Test func sortsRowByColumns() throws {
    let row = TierPeriodColumn.row([.tier: "1", .list: 7, .firstDay: ""])
    var checksum = RowChecksum(.tierPeriod)
    checksum.add(Int64(7))
    checksum.add("")
    checksum.addNull()
    checksum.add("1")
    let catalog = try Catalog()
    try catalog.write { database in
      try CatalogStatement(database, CatalogTable.tierPeriod.insertion).run(row)
      let find = try CatalogTable.tierPeriod.select("true", database, true)
      try find.forEachRow {
        try CatalogTable.tierPeriod.verify(find)
        #expect(try find.integer(TierPeriodColumn.checksum) == checksum.value)
        #expect(try find.integer(TierPeriodColumn.list) == 7)
        #expect(try find.text(TierPeriodColumn.firstDay)?.isEmpty == true)
        #expect(find.isNull(TierPeriodColumn.lastDay))
        #expect(try find.text(TierPeriodColumn.tier) == "1")
      }
      let count = try CatalogStatement(
        database,
        "SELECT count(*) AS value FROM tier_period",
        SingleColumn.self
      )
      #expect(try count.firstRow { try count.integer(SingleColumn.value) } == 1)
    }
  }
}

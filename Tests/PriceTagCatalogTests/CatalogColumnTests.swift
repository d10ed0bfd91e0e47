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
    #expect(columns.sorted() == table.columns.sorted())
  }

  @Test func selectionListsColumns() {
    #expect(CatalogTable.tier.selection == "checksum, name, list, price_set")
    #expect(
      CatalogTable.price.selection == "checksum, list, storefront, first_day, last_day, amount, currency"
    )
  }

  @Test func insertionListsColumns() {
    #expect(CatalogTable.partSet.insertion == "INSERT INTO part_set (checksum, id, members) VALUES (?, ?, ?)")
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
      let find = try CatalogTable.tierPeriod.select("true", database)
      try find.forEachRow {
        try CatalogTable.tierPeriod.verify(find)
        #expect(try find.integer(TierPeriodColumn.checksum) == checksum.value)
        #expect(try find.integer(TierPeriodColumn.list) == 7)
        #expect(try find.text(TierPeriodColumn.firstDay)?.isEmpty == true)
        #expect(try find.text(TierPeriodColumn.lastDay) == nil)
        #expect(try find.text(TierPeriodColumn.tier) == "1")
      }
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM tier_period") == 1)
    }
  }
}

import PriceTag
import Testing

@testable import PriceTagVerbs

/// The currencies of `pricetag pack --locales`.
@Suite struct PackCurrenciesTests {
  private func codes(_ list: String?, on date: CalendarDate) throws -> [String] {
    let option = list.map { ["--currencies", $0] } ?? []
    let command = try PackCommand.parse(["-o", "world.pack", "--locales", "all"] + option)
    return try command.currencies(.embedded, on: date).map(\.code)
  }

  @Test(arguments: [nil, "all"])
  func all(list: String?) throws {
    let codes = Set(try codes(list, on: CalendarDate("2026-11-27")))
    let currencies = ["USD", "EUR", "CHF", "XCG", "ZWG"]
    let funds = ["BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW"]
    let metalsAndUnits = ["XAU", "XAG", "XPD", "XPT", "XDR", "XSU", "XUA"]
    #expect(codes.isSuperset(of: currencies + funds + metalsAndUnits))
    #expect(codes.isDisjoint(with: ["DEM", "BGN", "HRK", "XTS", "XXX"]))
    #expect(codes.count == 176)
  }

  @Test func lists() throws {
    let date = try CalendarDate("2026-11-27")
    #expect(try codes("CHF,DEM", on: date) == ["CHF", "DEM"])
    let all = try codes("all", on: date)
    #expect(try codes("all,DEM,FRF", on: date) == all + ["DEM", "FRF"])
    #expect(try codes("DEM,all", on: date) == ["DEM"] + all)
    #expect(throws: PriceTagError.self) { try codes("all,", on: date) }
    #expect(throws: PriceTagError.self) { try codes("all,QQQ", on: date) }
  }
}

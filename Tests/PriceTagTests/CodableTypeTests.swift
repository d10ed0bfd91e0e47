import Foundation
import PriceTag
import Testing

/// The table of `Codable` types in docs/swift.md, compared with the types.
@Suite struct CodableTypeTests {
  /// The rows: a type, and a value of it in JSON.
  static let rows: [(type: String, json: String)] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/swift.md")
    let lines = ((try? String(contentsOf: page.standardized, encoding: .utf8)) ?? "").split(separator: "\n")
    let table = lines.drop { $0 != "| `Codable` | In JSON |" }.dropFirst(2).prefix { $0.hasPrefix("| `") }
    return table.map { line in
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      return (String(parts[1]), String(parts[3]))
    }
  }()

  static let types: [any (Codable & Equatable & Sendable).Type] = [
    Amount.self, Price.self, Currency.self, PriceLocale.self, Storefront.self, CalendarDate.self,
    SubscriptionPeriod.self, PriceStyle.self, RoundingMode.self, ProductContent.self, UnitPriceReference.self,
    Installments<Amount>.self,
  ]

  @Test func tableHasAllTypes() {
    #expect(Self.rows.map(\.type) == Self.types.map { "\($0)" })
  }

  /// Each value is read, and written as the table shows it.
  @Test func tableShowsJSON() throws {
    func written<Value: Codable>(_ type: Value.Type, _ json: String) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(
        decoding: try encoder.encode(JSONDecoder().decode(type, from: Data(json.utf8))),
        as: UTF8.self
      )
    }
    for (row, type) in zip(Self.rows, Self.types) { #expect(try written(type, row.json) == row.json) }
  }
}

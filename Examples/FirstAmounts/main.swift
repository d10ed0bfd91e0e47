import Foundation
import PriceTag

let formatter = try PriceFormatter(storefront: Storefront("JPN"))
let (text, number, decimal) = ("1200", 7500, Decimal(160))  // as a database or a request holds them

print(try formatter.format(text))  // ￥1,200
print(try formatter.format(number))  // ￥7,500
print(try formatter.format(decimal))  // ￥160
print(try formatter.format(Amount(minorUnits: 120_000, exponent: 2)))  // ￥1,200

for input in ["1200.50", "1,200"] {
  do { _ = try formatter.format(input) } catch {
    switch error.code {
    case .needsRounding: print(error.fix)  // name a rounding mode such as half-even to allow rounding, or …
    case .malformedAmount: print(error)  // "1,200" is not a decimal amount; write ASCII digits with …
    default: throw error
    }
  }
}

struct Item: Codable {
  let name: String
  let price: Amount
}

let items = Data(#"[{"name": "Level 1", "price": "1200"}, {"name": "Level 2", "price": 1200}]"#.utf8)
do {
  _ = try JSONDecoder().decode([Item].self, from: items)
} catch DecodingError.typeMismatch(_, let context) {
  print(context.codingPath.map(\.stringValue))  // ["Index 1", "price"]
  print(context.debugDescription)  // the value is not text; write decimal text, such as "4.99", because …
}

let newZealand = try Storefront("NZL")
print(try newZealand.date(at: Instant("2026-11-30T12:00Z")))  // 2026-12-01
print(try StoreDay("2026-11-30T10:59Z").date(in: newZealand))  // 2026-11-30
print(try StoreDay("2026-11-30").date(in: newZealand))  // 2026-11-30

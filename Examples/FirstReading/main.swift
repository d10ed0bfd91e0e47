import PriceTag
import PriceTagReading

let reader = try PriceReader(storefront: Storefront("CHE"))
print(try reader.read("CHF\u{A0}1’234.50").amount)  // 1234.50
print(try reader.read("CHF 1'234.50", .lenient).amount)  // 1234.50
print(try reader.read("USD 4.99", .lenient).currency)  // USD

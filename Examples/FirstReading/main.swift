import PriceTag
import PriceTagReading

let reader = try PriceReader(storefront: Storefront("FRA"))
print(try reader.read("1\u{202F}234,50\u{A0}€").amount)  // 1234.50
print(try reader.read("1 234,50 €", .lenient).amount)  // 1234.50
print(try reader.read("4,99 USD", .lenient).currency)  // USD

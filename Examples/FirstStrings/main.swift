import PriceTag
import PriceTagStrings

let strings = StoreStrings.embedded  // 150 messages in the App Store's 50 languages
let language = strings.matcher.match(acceptLanguage: "es-AR, en;q=0.5").language  // es-MX
let price = try PriceFormatter(storefront: Storefront("USA")).format("9.99")  // by the store's locale

print(try strings.format("buy_for_price", in: language, ["price": .price(price)]).plain)  // Comprar por $9.99
let offer = try strings.offer(.free(SubscriptionPeriod("P7D")), then: price, every: .month, in: language)
print(offer.plain)  // 7 días gratis, luego $9.99 al mes
print(offer.html)  // 7 días gratis, luego <bdi lang="en-US" dir="ltr">$9.99</bdi> al mes

let cars = try Message("{n, plural, one {# car} other {# cars}} for {price}", language: .development)
let total = try price.total(quantity: 3)
print(try cars.format(["n": .count(3), "price": .price(total)]).plain)  // 3 cars for $29.97
let refused = "{p, number, currency}"
do { _ = try Message(refused, language: language) } catch { print(error.code) }  // refusedFormat

print(try strings.taxLabel(for: Storefront("DEU"), in: language)?.plain ?? "unknown")  // IVA incluido
let payments = try strings.installments(of: total, count: 4, rounding: .halfUp, in: language)
print(payments.plain)  // 3 pagos de $7.49 y un último de $7.50

let bulgarian = try strings.language(for: UILanguage("bg"), in: Storefront("JPN"))
print(bulgarian.language, bulgarian.isStoreDefault)  // ja true

import PriceTag

let store = try Storefront("JPN")  // one of the App Store's 175, by alpha-3 or alpha-2
let formatter = try PriceFormatter(storefront: store)  // compiled once; Sendable, without a lock
let price = try formatter.format("1200")

print(price.text)  // ￥1,200
print(price.spoken)  // 1,200円
print(price.html)  // <bdi lang="ja-JP" dir="ltr">￥1,200</bdi>
print(try price.total(quantity: 12).text)  // ￥14,400
do { _ = try formatter.format("1200.50") } catch { print(error) }  // 1200.50 JPY has more decimals than …

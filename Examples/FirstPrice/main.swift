import PriceTag

let formatter = try PriceFormatter(storefront: Storefront("JPN"))  // one of 175; create it once, and share it
let amount = "1200"  // as a request holds it: decimal text, an integer or a Decimal, but never a Double
let price = try formatter.format(amount)

print(price.text)  // ￥1,200
print(price.spoken)  // 1,200円
print(price.html)  // <bdi lang="ja-JP" dir="ltr">￥1,200</bdi>
print(try price.total(quantity: 12).text)  // ￥14,400
do { _ = try formatter.format("1200.50") } catch { print(error.code, error) }  // needsRounding 1200.50 JPY …

import PriceTag

let pack = try Pack(contentsOf: CommandLine.arguments.dropFirst().first ?? "store.pack")
let formatter = try PriceFormatter(storefront: Storefront("JPN"), in: pack)
let pinned = LocaleData.embedded.pinned(to: pack)  // all formatters of this registry use the pack
let american = try PriceFormatter(storefront: Storefront("USA", in: pinned))

print(try formatter.format("1200").text)  // ￥1,200
print(try american.format("4.99").spoken)  // 4.99 US dollars
do { _ = try formatter.format(from: 1, to: 5) } catch { print(error.code) }  // missingFromPack

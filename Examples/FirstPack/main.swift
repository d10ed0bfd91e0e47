import PriceTag

let pack = try Pack(contentsOf: CommandLine.arguments.dropFirst().first ?? "store.pack")
let pinned = LocaleData.embedded.pinned(to: pack)  // all formatters of this registry use the pack
let formatter = try PriceFormatter(storefront: Storefront("JPN", in: pinned))

print(try formatter.format("1200").text)  // ￥1,200
print(try formatter.format("1200").spoken)  // 1,200円
do { _ = try formatter.format(from: 1, to: 5) } catch { print(error.code) }  // missingFromPack

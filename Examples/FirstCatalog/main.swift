import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings

let shop = try Catalog()  // in memory; Catalog(path:access:) uses an SQLite file
try shop.importFiles([CatalogFile(path: "Examples/rocket-garage.json")])  // or .storekit, CSV, …

let request = ProductsRequest(
  ["com.example.level1", "com.example.garage_club_monthly", "com.example.nope"],
  storefront: try Storefront("JPN"),
  language: try UILanguage("en-GB"),
  at: try .date(CalendarDate("2026-11-21"))
)
let response = try shop.products(for: request)
let (level, club) = (response.products[0], response.products[1])

print(level.displayName, level.displayPrice)  // Sunrise Canyon ￥160
print(club.subscription?.priceText?.plain ?? "")  // ￥800 per month
print(club.offers[0].text.plain)  // ￥400 per month for 2 months, then ￥800 per month
print(response.invalidProductIdentifiers[0])  // "com.example.nope": the catalog has no such product; …

let prices = "productIdentifier,storefront,amount\ncom.example.level1,JPN,4.99\n"
let file = CatalogFile(name: "prices.csv", bytes: Array(prices.utf8))
try shop.importFiles([file]) { print($0.code, $0) }  // tooManyDigits prices.csv, line 2, product …

import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings

let shop = try Catalog()
try shop.importFiles([CatalogFile(path: "Examples/rocket-garage.json")])
let request = ProductsRequest(nil, storefront: try Storefront("JPN"), language: try UILanguage("de"))
let response = try shop.products(for: request)

let pages = StorePages(shop: try Shop(name: "Rocket Garage", theme: Theme(["accent": "#8a2be2"])))
let store = Store(response, languages: try ["ja", "de"].map { try UILanguage($0) })
let page = try pages.productPage("com.example.level1", in: store)
let button = page.split(separator: "\n").first { $0.contains("class=\"buy\"") } ?? ""

print(page.split(separator: "\n")[1])  // <html lang="de" dir="ltr" data-storefront="JPN">
print(button.split(separator: ">")[1])  // Für <bdi class="price" lang="ja-JP" dir="ltr"
do { _ = try Theme(["text": "#999999"]) } catch { print(error.code) }  // invalidTheme

import PriceTagReceipts
import PriceTagStrings

let json = #"""
  {"storefront": "DEU", "date": "2026-11-23", "seller": "Rocket Garage", "charged": "10.98",
   "lines": [{"name": "Level 1", "quantity": 2, "unitPrice": "5.49"}], "tax": "1.75", "taxIncluded": true}
  """#
let order = try OrderReader().order(Array(json.utf8))
let receipt = try Receipt(order, language: UILanguage("fr"))
print(receipt.title)  // Reçu émis par Rocket Garage
print(receipt.totals.count)  // 2
print(receipt.totals.map(\.label.plain))  // ["Total", "Dont TVA"]
let email = receipt.email

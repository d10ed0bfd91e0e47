import PriceTagBatch

let batch = try Batch()  // with BatchOptions: CSV, more fields, a style, minor units, jobs, gzip …
let rows = """
  {"id":1,"storefront":"JPN","amount":"1200"}
  {"id":2,"storefront":"USA","amountMinor":4999}
  {"id":3,"storefront":"JPN","amount":"4.99"}
  """
let result = try batch.format(rows)  // or run(from:to:) for files and pipes of any size
let lines = result.text.split(separator: "\n")

print(lines[0])  // {"id":1,"storefront":"JPN","amount":"1200","display":"￥1,200"}
print(lines[1])  // {"id":2,"storefront":"USA","amountMinor":4999,"display":"$49.99"}
print(result.rejects[0])  // line 3, field "amount": 4.99 JPY has more decimals than JPY displays (0); …

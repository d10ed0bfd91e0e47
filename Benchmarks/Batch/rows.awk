# Writes rows of prices. Every run and every awk gives the same rows.
#   awk -v rows=1000000 -f rows.awk STORES      a number of rows over sixteen storefronts
#   awk -v products=10000 -f rows.awk STORES    each product in every storefront of STORES
# The rows are JSON Lines, or CSV with a header with -v format=csv. STORES has one line per storefront: id, price locale,
# currency and digits, separated by tabs.

# Park and Miller's generator, because rand() differs between awks. The product stays below 2^53.
function random(bound) {
  state = state * 16807 % 2147483647
  return state % bound
}

function row(number, store,    units, amount) {
  units = random(1999999) + 1
  amount = digits[store] ? sprintf(form[store], int(units / scale[store]), units % scale[store]) : units
  printf pattern, number, id[store], currency[store], amount
}

BEGIN {
  FS = "\t"
  state = 20260101
  stores = 0
  # Dollars, euros, currencies without decimals, native digits, other grouping, symbols on either side, direction marks.
  some = " USA CAN GBR DEU FRA POL CHE TUR SAU EGY IND CHN JPN KOR VNM BRA "
  csv = format == "csv"
  pattern = csv ? "com.example.shop.item.%07d,%s,%s,%s\n" \
    : "{\"id\":\"com.example.shop.item.%07d\",\"storefront\":\"%s\",\"currency\":\"%s\",\"amount\":\"%s\"}\n"
}

products || index(some, " " $1 " ") {
  id[stores] = $1
  currency[stores] = $3
  digits[stores] = $4
  scale[stores] = 10 ^ $4
  form[stores] = "%d.%0" $4 "d"
  stores++
}

END {
  if (!stores) {
    print "rows.awk: no storefronts to write rows for" >"/dev/stderr"
    exit 1
  }
  if (csv) print "id,storefront,currency,amount"
  for (number = 0; number < products; number++)
    for (store = 0; store < stores; store++) row(number, store)
  for (number = 0; number < rows; number++) row(number, random(stores))
}

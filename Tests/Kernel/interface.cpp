// Tests pricetag.hpp with the pack of make_pack.py.
//
//     interface PACK

#include "pricetag.hpp"

#include <iostream>
#include <string>

static int failures = 0;

static void expect(const std::string &name, const std::string &actual, const std::string &expected) {
  if (actual == expected) return;
  std::cerr << name << ": " << actual << ", not " << expected << "\n";
  failures++;
}

template <typename Work>
static std::string code_of(Work work) {
  try {
    work();
  } catch (const pricetag::error &error) {
    return error.code();
  }
  return "no error";
}

static std::string joined(const std::vector<std::string_view> &names) {
  std::string text;
  for (std::string_view name : names) text += (text.empty() ? "" : " ") + std::string(name);
  return text;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  pricetag::pack pack(arguments[1]);
  auto usa = pack.storefront("USA");
  expect("text", usa.format("4.99"), "$4.99");
  expect("minor units", usa.format_units(-123456, 2), "-$1,234.56");
  expect("a long text", usa.spoken().format("-92233720368547758.07"), "-92,233,720,368,547,758.07 US dollars");
  expect("a price after its pack", [&] { return pricetag::pack(arguments[1]).locale("ja-JP", "JPY"); }().format("1200"), "￥1,200");
  expect("the first currency", pack.storefront("BGR", 20251231).format("5"), "$5.00");
  expect("the second currency", pack.storefront("bg", 20260101).format("5"), "5,00\u00a0€");
  expect("a custom currency", pack.storefront_in("USA", "RKT").format("1200"), "1,200 coins");
  expect("its minor unit", std::to_string(pack.minor_unit_digits("RKT")), "-1");
  expect("another currency", code_of([&] { pack.storefront_in("USA", "EUR", 20260101); }), "currency-mismatch");
  expect("no date", code_of([&] { pack.storefront("BGR"); }), "missing-date");
  expect("a mode", usa.format("0.005", pricetag::rounding::half_up), "$0.01");
  expect("no mode", code_of([&] { usa.format("0.005"); }), "needs-rounding");
  expect("an empty text", code_of([&] { usa.format(std::string_view()); }), "malformed-amount");
  expect("an unknown storefront", code_of([&] { pack.storefront("XXX"); }), "unknown-storefront");
  pricetag_style iso = {};
  iso.width = 2;
  expect("a style", pack.storefront("USA", 0, &iso).format("4.99"), "USD\u00a04.99");
  pricetag_style formal = {};
  formal.width = 5;
  expect("a missing style", code_of([&] { pack.storefront("USA", 0, &formal); }), "missing-style");
  expect("no spoken form", code_of([&] { pack.locale("ja-JP", "JPY").spoken(); }), "missing-style");
  expect("a missing file", code_of([&] { pricetag::pack(std::string("/no/such/file")); }), "unreadable-file");
  expect("not a pack", code_of([&] { pricetag::pack("PriceTag", 8); }), "not-a-pack");
  expect("a version", std::string(pack.version("icu")), "1.2");
  expect("no version", code_of([&] { pack.version("x"); }), "unknown-version");
  expect("the storefronts", joined(pack.storefronts()), "BGR DEU JPN USA");
  expect("the currencies", joined(pack.currencies()), "CHF CNY EGP EUR INR JPY RKT USD");
  expect("the first currency's code", std::string(pack.currency("BGR", 20251231)), "USD");
  expect("the second currency's code", std::string(pack.currency("BGR", 20260101)), "EUR");
  expect("digits", std::to_string(pack.minor_unit_digits("usd")), "2");
  std::string parts;
  for (const auto &part : usa.parts(123456, 2)) parts += std::to_string(part.kind) + ":" + std::to_string(part.end) + " ";
  expect("parts", parts, "1:1 2:2 3:3 2:6 4:7 5:9 ");
  expect("right to left", pack.locale("ar-EG", "EGP").is_right_to_left(1, 0) ? "yes" : "no", "yes");
  expect("left to right", usa.is_right_to_left(1, 0) ? "yes" : "no", "no");

  auto read = usa.read("$1,234.56");
  expect("a price that is read", std::to_string(read.first) + " " + std::to_string(read.second), "123456 2");
  ptrdiff_t difference = 0;
  read = usa.read("-$ 4.99", true, &difference);
  expect("another space", std::to_string(read.first) + " at " + std::to_string(difference), "-499 at 2");
  expect("another space, strictly", code_of([&] { usa.read("-$ 4.99", false, &difference); }), "not-as-written");
  expect("no text", code_of([&] { usa.read(std::string_view()); }), "not-a-price");

  int64_t column[] = {1, 250, -399, 123456};
  int32_t offsets[5];
  char text[64];
  size_t formatted = 0;
  int32_t status = pricetag_format_column(usa.handle(), column, 4, 2, PRICETAG_EXACT, text, sizeof text, offsets, &formatted);
  expect("a column", std::string(text, offsets[formatted]), "$0.01$2.50-$3.99$1,234.56");
  expect("its status", pricetag_status_code(status), "ok");
  status = pricetag_format_column(usa.handle(), column, 4, 2, PRICETAG_EXACT, text, 12, offsets, &formatted);
  expect("a column in a small buffer", pricetag_status_code(status), "buffer-too-small");
  expect("its prices", std::string(text, offsets[formatted]), "$0.01$2.50");
  // The rest of the column, in the same buffer.
  size_t rest = formatted;
  status = pricetag_format_column(usa.handle(), column + rest, 4 - rest, 2, PRICETAG_EXACT, text, sizeof text, offsets, &formatted);
  expect("the rest of the column", std::string(text, offsets[formatted]), "-$3.99$1,234.56");
  return failures == 0 ? 0 : 1;
}

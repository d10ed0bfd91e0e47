// Formats the prices of a storefront with a pack, in C++17.
//
//     price PACK STOREFRONT AMOUNT...
//
// The pack comes from `pricetag pack -o store.pack`.

#include <pricetag.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>

static void print(const char *label, std::string_view text) {
  std::cout << std::left << std::setw(12) << label << ' ' << text << '\n';
}

int main(int count, char **arguments) try {
  if (count < 4) {
    std::cerr << "usage: price PACK STOREFRONT AMOUNT...\n";
    return 2;
  }
  const std::string storefront = arguments[2];
  // The date decides the currency of a storefront that has changed it.
  const int32_t date = 20260131;
  const pricetag::pack pack(arguments[1]);
  const pricetag::formatter formatter = pack.storefront(storefront, date);

  for (int index = 3; index < count; index++) {
    print("text", formatter.format(arguments[index]));
    try {
      print("spoken", formatter.spoken().format(arguments[index]));
    } catch (const pricetag::error &error) {
      // A pack may have no spoken forms.
      if (error.status() != PRICETAG_MISSING_STYLE) throw;
    }
  }

  // Minor units, such as cents, with the number of digits of the currency.
  const int32_t digits = std::max(0, pack.minor_unit_digits(std::string(pack.currency(storefront, date))));
  print("minor units", formatter.format_units(123400, digits));

  // A column of minor units, with the functions of pricetag.h. The price at an index is between two offsets.
  const std::vector<int64_t> column = {100, 25000, -39900};
  std::vector<int32_t> offsets(column.size() + 1);
  std::vector<char> text(column.size() * PRICETAG_MAXIMUM_CAPACITY);
  size_t formatted = 0;
  int32_t status = pricetag_format_column(formatter.handle(), column.data(), column.size(), digits, PRICETAG_EXACT,
                                          text.data(), text.size(), offsets.data(), &formatted);
  if (status != PRICETAG_OK) throw pricetag::error(status);
  for (size_t row = 0; row < formatted; row++) {
    print("column", std::string_view(text.data() + offsets[row], offsets[row + 1] - offsets[row]));
  }
  return 0;
} catch (const pricetag::error &error) {
  std::cerr << "price: " << error.what() << " (" << error.code() << ")\n";
  return 1;
}

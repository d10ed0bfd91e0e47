// Formats the prices of a storefront with a pack, in C.
//
//     price PACK STOREFRONT AMOUNT...
//
// The pack comes from `pricetag pack -o store.pack`.

#include <pricetag.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Prints what was wrong, how to fix it, and the code, and ends the program.
static void check(int32_t status, const char *place) {
  if (status == PRICETAG_OK) return;
  fprintf(stderr, "%s: %s; %s (%s)\n", place, pricetag_status_message(status), pricetag_status_fix(status),
          pricetag_status_code(status));
  exit(1);
}

static void print(const char *label, const char *text, size_t length) { printf("%-12s %.*s\n", label, (int)length, text); }

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: price PACK STOREFRONT AMOUNT...\n");
    return 2;
  }
  const char *storefront = arguments[2];
  const pricetag_pack *pack;
  const pricetag_formatter *formatter;
  check(pricetag_pack_open_file(arguments[1], &pack), arguments[1]);
  // The date decides the currency of a storefront that has changed it.
  check(pricetag_formatter_for_storefront(pack, storefront, 20260131, NULL, &formatter), storefront);

  // Large enough for every price.
  char buffer[PRICETAG_MAXIMUM_CAPACITY];
  size_t length;
  for (int index = 3; index < count; index++) {
    const char *amount = arguments[index];
    check(pricetag_format(formatter, amount, strlen(amount), PRICETAG_EXACT, buffer, sizeof buffer, &length), amount);
    print("text", buffer, length);
    const pricetag_formatter *spoken = pricetag_formatter_spoken(formatter);
    if (spoken) {
      check(pricetag_format(spoken, amount, strlen(amount), PRICETAG_EXACT, buffer, sizeof buffer, &length), amount);
      print("spoken", buffer, length);
    }
  }

  // Minor units, such as cents, with the number of digits of the currency.
  pricetag_text currency;
  int32_t digits;
  char code[16];
  check(pricetag_storefront(pack, storefront, 20260131, &currency, NULL), storefront);
  snprintf(code, sizeof code, "%.*s", (int)currency.length, currency.bytes);
  check(pricetag_minor_unit_digits(pack, code, &digits), code);
  if (digits < 0) digits = 0;
  check(pricetag_format_units(formatter, 123400, digits, PRICETAG_EXACT, buffer, sizeof buffer, &length), "123400 minor units");
  print("minor units", buffer, length);

  // A column of minor units. The price at an index is between two offsets.
  static const int64_t column[] = {100, 25000, -39900};
  enum { ROWS = sizeof column / sizeof *column };
  int32_t offsets[ROWS + 1];
  size_t formatted;
  char text[ROWS * PRICETAG_MAXIMUM_CAPACITY];
  check(pricetag_format_column(formatter, column, ROWS, digits, PRICETAG_EXACT, text, sizeof text, offsets, &formatted),
        "a column");
  for (size_t row = 0; row < formatted; row++) print("column", text + offsets[row], (size_t)(offsets[row + 1] - offsets[row]));

  pricetag_pack_close(pack);
  return 0;
}

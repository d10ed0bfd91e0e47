// Formats the rows of a table with a pack, reads the prices back, and prints the results in the form of the table.
//
//     prices PACK <prices.tsv

#include "pricetag.h"

#include <stdio.h>
#include <string.h>

// Reads a price, and formats what was read. Returns the first status that is not PRICETAG_OK.
static int32_t read_back(const pricetag_formatter *formatter, const char *text, size_t length) {
  char again[256];
  size_t again_length = 0;
  for (int32_t mode = PRICETAG_STRICT; mode <= PRICETAG_LENIENT; mode++) {
    int64_t units = 0;
    int32_t exponent = 0;
    ptrdiff_t difference = 0;
    int32_t status = pricetag_read(formatter, text, length, mode, &units, &exponent, &difference);
    if (status == PRICETAG_OK) {
      status = pricetag_format_units(formatter, units, exponent, PRICETAG_EXACT, again, sizeof again, &again_length);
    }
    if (status != PRICETAG_OK) return status;
    if (difference != -1 || again_length != length || memcmp(again, text, length) != 0) return PRICETAG_NOT_AS_WRITTEN;
  }
  return PRICETAG_OK;
}

// Prints the price of a row, or the code of the first status that is not PRICETAG_OK.
static void print(const pricetag_pack *pack, const char *locale, const char *currency, const char *amount, int32_t rounding) {
  const pricetag_formatter *formatter = NULL;
  char text[256];
  size_t length = 0;
  int32_t status = pricetag_formatter_for_locale(pack, locale, currency, NULL, &formatter);
  if (status == PRICETAG_OK) {
    status = pricetag_format(formatter, amount, strlen(amount), rounding, text, sizeof text, &length);
  }
  if (status == PRICETAG_OK) status = read_back(formatter, text, length);
  printf("%s\t%s\t%s\t%d\t", locale, currency, amount, (int)rounding);
  if (status == PRICETAG_OK) {
    printf("%.*s\n", (int)length, text);
  } else {
    printf("%s\n", pricetag_status_code(status));
  }
}

// Returns the field before the next tab, and moves to the text after it.
static char *field(char **rest) {
  char *start = *rest, *end = strpbrk(start, "\t\n");
  *rest = end ? end + 1 : start + strlen(start);
  if (end) *end = 0;
  return start;
}

int main(int count, char **arguments) {
  const pricetag_pack *pack;
  int32_t status = count == 2 ? pricetag_pack_open_file(arguments[1], &pack) : PRICETAG_INVALID_ARGUMENT;
  if (status != PRICETAG_OK) {
    fprintf(stderr, "%s: %s; %s\n", count == 2 ? arguments[1] : "usage", pricetag_status_message(status), pricetag_status_fix(status));
    return 1;
  }
  char line[512];
  while (fgets(line, sizeof line, stdin)) {
    if (*line == '#') {
      fputs(line, stdout);
      continue;
    }
    char *rest = line;
    char *locale = field(&rest), *currency = field(&rest), *amount = field(&rest), *rounding = field(&rest);
    print(pack, locale, currency, amount, (int32_t)(*rounding - '0'));
  }
  pricetag_pack_close(pack);
  return 0;
}

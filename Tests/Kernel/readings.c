// Reads the texts of a table with a pack, and prints the results in the form of the table.
//
//     readings PACK <readings.tsv

#include "pricetag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Replaces \u{…} by a character and \x and two digits by a byte. Returns the length.
static size_t unescape(const char *escaped, char *text) {
  char *end = text;
  while (*escaped) {
    if (*escaped != '\\') {
      *end++ = *escaped++;
      continue;
    }
    unsigned long value = strtoul(escaped + (escaped[1] == 'u' ? 3 : 2), NULL, 16);
    if (escaped[1] == 'x' || value < 0x80) {
      char digits[3] = {escaped[2], escaped[1] == 'x' ? escaped[3] : 0, 0};
      *end++ = (char)(escaped[1] == 'x' ? strtoul(digits, NULL, 16) : value);
    } else if (value < 0x800) {
      *end++ = (char)(0xC0 | value >> 6);
      *end++ = (char)(0x80 | (value & 63));
    } else {
      if (value >= 0x10000) *end++ = (char)(0xF0 | value >> 18);
      *end++ = (char)(value >= 0x10000 ? 0x80 | (value >> 12 & 63) : 0xE0 | value >> 12);
      *end++ = (char)(0x80 | (value >> 6 & 63));
      *end++ = (char)(0x80 | (value & 63));
    }
    escaped = escaped[1] == 'x' ? escaped + 4 : strchr(escaped, '}') + 1;
  }
  return (size_t)(end - text);
}

static void print(const pricetag_pack *pack, char **fields) {
  const pricetag_formatter *formatter = NULL;
  char text[512];
  int64_t units = 0;
  int32_t exponent = 0;
  ptrdiff_t difference = 0;
  int32_t status = pricetag_formatter_for_locale(pack, fields[0], fields[1], NULL, &formatter);
  if (status == PRICETAG_OK) {
    status = pricetag_read(formatter, text, unescape(fields[3], text), *fields[2] - '0', &units, &exponent, &difference);
  }
  printf("%s\t%s\t%s\t%s\t", fields[0], fields[1], fields[2], fields[3]);
  if (status == PRICETAG_OK) {
    printf("%lld %d\t%td\n", (long long)units, (int)exponent, difference);
  } else {
    printf("%s\t%td\n", pricetag_status_code(status), difference);
  }
}

int main(int count, char **arguments) {
  const pricetag_pack *pack;
  int32_t status = count == 2 ? pricetag_pack_open_file(arguments[1], &pack) : PRICETAG_INVALID_ARGUMENT;
  if (status != PRICETAG_OK) {
    fprintf(stderr, "%s: %s; %s\n", count == 2 ? arguments[1] : "usage", pricetag_status_message(status), pricetag_status_fix(status));
    return 1;
  }
  char line[1024], *fields[4];
  while (fgets(line, sizeof line, stdin)) {
    if (*line == '#') {
      fputs(line, stdout);
      continue;
    }
    char *rest = line;
    for (int field = 0; field < 4; field++) {
      fields[field] = rest;
      rest += strcspn(rest, "\t\n");
      if (*rest) *rest++ = 0;
    }
    print(pack, fields);
  }
  pricetag_pack_close(pack);
  return 0;
}

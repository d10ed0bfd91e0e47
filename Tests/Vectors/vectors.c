// Formats the rows of a vector file with the C library, compares the results, and prints a digest of them.
//
//     vectors FOLDER      with FOLDER/vectors.tsv and the packs that it names
//
// Tests/Proof/Sources/Vectors/VectorLines.swift describes the lines. Exits with 1 if a result differs.

#define _POSIX_C_SOURCE 200809L

#include "pricetag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { maximum_packs = 256, maximum_styles = 1024, maximum_fields = 9, maximum_printed = 20, maximum_parts = 256 };

// A field of a line, without its escapes.
typedef struct {
  char *bytes;
  size_t length;
} field;

// Text that the library writes. The bytes after its capacity must not change.
typedef struct {
  char bytes[2048];
  size_t length;
} output;

static const pricetag_pack *packs[maximum_packs];
static pricetag_style styles[maximum_styles];
static const pricetag_formatter *formatter;
// FNV-1a of everything that the library returned. It is the same on every machine.
static uint64_t digest = 0xCBF29CE484222325;
static unsigned long line_number, rows, prices, errors, details, small_buffers, departures, mismatches;

static void fail(const char *problem) {
  fprintf(stderr, "vectors: line %lu: %s\n", line_number, problem);
  exit(2);
}

__attribute__((format(printf, 1, 2))) static void mismatch(const char *format, ...) {
  if (++mismatches > maximum_printed) return;
  printf("line %lu: ", line_number);
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

static void add_to_digest(const void *bytes, size_t length) {
  for (size_t at = 0; at < length; at++) digest = (digest ^ ((const unsigned char *)bytes)[at]) * 0x100000001B3;
}

// Splits a line at its tabs, replaces the escapes, and ends each field with a zero byte.
static int split(char *line, field *fields) {
  int count = 0;
  char *from = line, *to = line;
  fields[0].bytes = line;
  for (;; from++) {
    if (*from == '\t' || *from == 0) {
      const int is_end = *from == 0;
      fields[count].length = (size_t)(to - fields[count].bytes);
      *to++ = 0;
      if (++count == maximum_fields || is_end) return count;
      fields[count].bytes = to;
    } else if (*from == '\\') {
      from++;
      *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from == 'r' ? '\r' : *from == '0' ? 0 : *from;
    } else {
      *to++ = *from;
    }
  }
}

static int is(field found, const char *bytes, size_t length) {
  return found.length == length && memcmp(found.bytes, bytes, length) == 0;
}

// Compares a status with the expected result: "=" and a text, or "!" and a code. Returns whether there is a text to compare.
static int expect_status(field expected, int32_t status) {
  const char *returned = pricetag_status_code(status);
  add_to_digest(returned, strlen(returned) + 1);
  if (status == PRICETAG_OK) {
    if (expected.bytes[0] != '!') return 1;
    mismatch("a result instead of the error %s", expected.bytes + 1);
  } else {
    const char *code = pricetag_status_code(status);
    if (expected.bytes[0] == '~' && status == PRICETAG_MISSING_PLURAL) {
      departures++;
      return 0;
    }
    errors++;
    if (expected.bytes[0] != '!' || strcmp(expected.bytes + 1, code) != 0) mismatch("%s instead of %s", code, expected.bytes);
  }
  return 0;
}

static void expect_text(field expected, const char *bytes, size_t length, const char *what) {
  if (!is(expected, bytes, length)) mismatch("%s: \"%.*s\" instead of \"%s\"", what, (int)length, bytes, expected.bytes);
}

// Compares a text with "=" and the expected one. After "~", a text with another plural form of a name is a departure.
static int expect_result(field expected, const char *bytes, size_t length, const char *what) {
  add_to_digest(bytes, length);
  const field text = {expected.bytes + 1, expected.length - 1};
  if (expected.bytes[0] == '~' && !is(text, bytes, length)) {
    departures++;
    return 0;
  }
  expect_text(text, bytes, length, what);
  return 1;
}

// MARK: Formatters

static size_t index_of(field number, size_t count) {
  const unsigned long index = strtoul(number.bytes, NULL, 10);
  if (index >= count) fail("an index is out of range");
  return index;
}

static void open_pack(const char *folder, field *fields) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, fields[2].bytes);
  const int32_t status = pricetag_pack_open_file(path, &packs[index_of(fields[1], maximum_packs)]);
  if (status == PRICETAG_OK) return;
  fprintf(stderr, "%s: %s; %s\n", path, pricetag_status_message(status), pricetag_status_fix(status));
  exit(2);
}

static void read_style(field *fields) {
  unsigned char *key = (unsigned char *)&styles[index_of(fields[1], maximum_styles)];
  if (fields[2].length != 2 * sizeof *styles) fail("a style does not have 28 bytes");
  for (size_t at = 0; at < sizeof *styles; at++) {
    const char digits[3] = {fields[2].bytes[2 * at], fields[2].bytes[2 * at + 1], 0};
    key[at] = (unsigned char)strtoul(digits, NULL, 16);
  }
}

// The default style is NULL.
static const pricetag_style *style_of(field number) {
  static const pricetag_style usual;
  const pricetag_style *style = &styles[index_of(number, maximum_styles)];
  return memcmp(style, &usual, sizeof usual) == 0 ? NULL : style;
}

static void expect_formatter(field result, field currency, const pricetag_pack *pack, int32_t status) {
  if (!expect_status(result, status)) return;
  int32_t minor_digits = 99;
  status = pricetag_minor_unit_digits(pack, currency.bytes, &minor_digits);
  if (status != PRICETAG_OK) mismatch("minor units: %s", pricetag_status_code(status));
  char found[32];
  const int length = snprintf(found, sizeof found, "=%d %d", (int)pricetag_formatter_digits(formatter), (int)minor_digits);
  expect_text(result, found, (size_t)length, "digits");
}

static void find_by_locale(field *fields) {
  const pricetag_pack *pack = packs[index_of(fields[1], maximum_packs)];
  formatter = NULL;
  const int32_t status =
      pricetag_formatter_for_locale(pack, fields[3].bytes, fields[4].bytes, style_of(fields[2]), &formatter);
  expect_formatter(fields[5], fields[6], pack, status);
}

static void find_by_storefront(field *fields) {
  const pricetag_pack *pack = packs[index_of(fields[1], maximum_packs)];
  const int32_t date = (int32_t)strtol(fields[4].bytes, NULL, 10);
  formatter = NULL;
  const int32_t status =
      pricetag_formatter_for_storefront(pack, fields[3].bytes, date, style_of(fields[2]), &formatter);
  expect_formatter(fields[5], fields[6], pack, status);
  if (status != PRICETAG_OK) return;
  pricetag_text currency, locale;
  if (pricetag_storefront(pack, fields[3].bytes, date, &currency, &locale) != PRICETAG_OK) mismatch("no storefront");
  expect_text(fields[6], currency.bytes, currency.length, "currency");
  expect_text(fields[7], locale.bytes, locale.length, "price locale");
}

// MARK: Amounts

// An amount as text, or as minor units if the text is NULL.
typedef struct {
  const field *text;
  int64_t units;
  int32_t exponent, rounding;
} amount;

static int32_t format(const pricetag_formatter *used, amount value, output *written, size_t capacity) {
  memset(written->bytes, 0x7E, sizeof written->bytes);
  const int32_t status =
      value.text
          ? pricetag_format(used, value.text->bytes, value.text->length, value.rounding, written->bytes, capacity,
                            &written->length)
          : pricetag_format_units(used, value.units, value.exponent, value.rounding, written->bytes, capacity,
                                  &written->length);
  for (size_t at = capacity; at < sizeof written->bytes; at++) {
    if (written->bytes[at] != 0x7E) {
      mismatch("a byte after the buffer was written");
      break;
    }
  }
  return status;
}

static void expect_details(field *fields, amount value, const output *written) {
  details++;
  if (value.text && pricetag_parse(value.text->bytes, value.text->length, &value.units, &value.exponent) != PRICETAG_OK) {
    mismatch("the amount cannot be parsed");
  }
  pricetag_part parts[maximum_parts];
  size_t count = 0, end = 0;
  int32_t status = pricetag_parts(formatter, value.units, value.exponent, value.rounding, parts, maximum_parts, &count);
  if (status != PRICETAG_OK || count > maximum_parts) mismatch("parts: %s", pricetag_status_code(status));
  char text[16 * maximum_parts] = "";
  size_t length = 0;
  for (size_t index = 0; index < count && index < maximum_parts; index++) {
    if (parts[index].start != end) mismatch("part %zu does not start at the end of the previous one", index);
    end = parts[index].end;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%u:%u", index ? " " : "", parts[index].kind,
                               parts[index].end - parts[index].start);
  }
  if (end != written->length) mismatch("the parts end at %zu of %zu", end, written->length);
  add_to_digest(text, length);
  expect_text(fields[0], text, length, "parts");

  int32_t direction = 0;
  status = pricetag_direction(formatter, value.units, value.exponent, value.rounding, &direction);
  if (status != PRICETAG_OK) mismatch("direction: %s", pricetag_status_code(status));
  add_to_digest(&direction, 1);
  expect_text(fields[1], direction == PRICETAG_RIGHT_TO_LEFT ? "rtl" : "ltr", 3, "direction");

  if (fields[2].length == 0) return;
  const pricetag_formatter *spoken_formatter = pricetag_formatter_spoken(formatter);
  output spoken = {.length = 0};
  status = spoken_formatter ? format(spoken_formatter, value, &spoken, sizeof spoken.bytes) : PRICETAG_MISSING_STYLE;
  if (!expect_status(fields[2], status)) return;
  expect_result(fields[2], spoken.bytes, spoken.length, "spoken form");
}

static void expect_price(field *fields, int count, amount value) {
  if (!formatter) fail("a price has no formatter");
  output written;
  // Some rows have a buffer of exactly the capacity, others one of exactly the price.
  const size_t capacity = pricetag_formatter_capacity(formatter);
  if (!expect_status(fields[0], format(formatter, value, &written, capacity))) return;
  prices++;
  if (!expect_result(fields[0], written.bytes, written.length, "text")) return;
  if (count > 3) expect_details(fields + 1, value, &written);
  if (rows % 8 == 0 && written.length > 0) {
    small_buffers++;
    const size_t length = written.length;
    if (format(formatter, value, &written, length) != PRICETAG_OK) mismatch("the price does not fit a buffer of its size");
    expect_result(fields[0], written.bytes, written.length, "text in a small buffer");
    if (format(formatter, value, &written, length - 1) != PRICETAG_BUFFER_TOO_SMALL || written.length != length) {
      mismatch("a buffer that is one byte too small is accepted");
    }
  }
}

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("usage: vectors FOLDER\n", stderr);
    return 2;
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/vectors.tsv", arguments[1]);
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 2;
  }
  char *line = NULL;
  size_t size = 0;
  ssize_t length;
  while ((length = getline(&line, &size, file)) > 0) {
    line_number++;
    if (line[length - 1] == '\n') line[length - 1] = 0;
    field fields[maximum_fields];
    const int found = split(line, fields);
    const char kind = fields[0].length == 1 ? fields[0].bytes[0] : 0;
    if (kind == 'p' && found == 3) {
      open_pack(arguments[1], fields);
      continue;
    }
    if (kind == 's' && found == 3) {
      read_style(fields);
      continue;
    }
    rows++;
    if (kind == 'l' && found == 8) {
      find_by_locale(fields);
    } else if (kind == 'f' && found == 8) {
      find_by_storefront(fields);
    } else if (kind == 't' && (found == 4 || found == 7)) {
      const amount value = {.text = &fields[2], .rounding = (int32_t)strtol(fields[1].bytes, NULL, 10)};
      expect_price(fields + 3, found - 3, value);
    } else if (kind == 'u' && (found == 5 || found == 8)) {
      const amount value = {.units = strtoll(fields[2].bytes, NULL, 10),
                            .exponent = (int32_t)strtol(fields[3].bytes, NULL, 10),
                            .rounding = (int32_t)strtol(fields[1].bytes, NULL, 10)};
      expect_price(fields + 4, found - 4, value);
    } else {
      fail("unknown line");
    }
  }
  free(line);
  fclose(file);
  for (size_t index = 0; index < maximum_packs; index++) pricetag_pack_close(packs[index]);
  printf("C library: %lu rows: %lu prices, %lu errors; %lu with parts, direction and spoken form; %lu small buffers; "
         "%lu departures, %lu mismatches; digest %016" PRIx64 "\n",
         rows, prices, errors, details, small_buffers, departures, mismatches, digest);
  return mismatches == 0 && rows > 0 ? 0 : 1;
}

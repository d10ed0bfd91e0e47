// Measures the C library beside ICU4C: the same thousand amounts from text into a buffer, in turn. Prints one figure per line.
//
//     kernel measure PRICES STOREFRONTS             times, in nanoseconds
//     kernel read PRICES                            times of reading beside those of writing, in nanoseconds
//     kernel run WHAT LOCALE CURRENCY COUNT PACK    only one contender, for counting its instructions
//
// PRICES is a pack of the locales and currencies below; STOREFRONTS is a pack of all storefronts.

#define _POSIX_C_SOURCE 200809L

#include "pricetag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>

enum { amount_count = 1000, round_count = 200, column_length = 100000, column_rounds = 30 };

typedef struct {
  const char *locale, *currency;
  int digits;
} store;

// Latin and native digits, three groupings, with and without decimals, as in PriceBenchmarks.
static const store stores[] = {{"en-US", "USD", 2}, {"de-DE", "EUR", 2}, {"fr-FR", "EUR", 2},
                               {"ja-JP", "JPY", 0}, {"ar-EG", "EGP", 2}, {"hi-IN", "INR", 2}};

typedef struct {
  char text[24];
  size_t length;
  int64_t units;
} amount;

// A formatted price.
typedef struct {
  char text[96];
  size_t length;
  int64_t units;
} price;

// The texts to read: as written, and with spaces that only lenient reading accepts.
enum { as_written, folded, read_kinds };
static const char *const read_names[read_kinds] = {"strict", "lenient"};

static volatile size_t sink;

static void fail(const char *problem) {
  fprintf(stderr, "kernel: %s\n", problem);
  exit(1);
}

static void check(int32_t status, const char *what) {
  if (status == PRICETAG_OK) return;
  fprintf(stderr, "kernel: %s: %s; %s\n", what, pricetag_status_message(status), pricetag_status_fix(status));
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Random amounts, the same as those of PriceBenchmarks: from 0.01 to 19,999.99, or up to 1,999,999 without decimals.
static void fill(amount *amounts, int digits) {
  uint64_t state = 7;
  for (int index = 0; index < amount_count; index++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const int64_t units = (int64_t)(state >> 33) % 1999999 + 1;
    amount *next = &amounts[index];
    next->units = units;
    next->length = (size_t)(digits == 2 ? snprintf(next->text, sizeof next->text, "%" PRId64 ".%02d", units / 100, (int)(units % 100))
                                        : snprintf(next->text, sizeof next->text, "%" PRId64, units));
  }
}

static int by_value(const void *first, const void *second) {
  const double a = *(const double *)first, b = *(const double *)second;
  return (a > b) - (a < b);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

// MARK: Contenders

typedef struct {
  UNumberFormatter *formatter;
  UFormattedNumber *result;
} icu;

static icu icu_open(const store *of) {
  UErrorCode status = U_ZERO_ERROR;
  char skeleton[32];
  snprintf(skeleton, sizeof skeleton, "currency/%s", of->currency);
  UChar units[32];
  u_charsToUChars(skeleton, units, (int32_t)strlen(skeleton) + 1);
  const icu opened = {unumf_openForSkeletonAndLocale(units, -1, of->locale, &status), unumf_openResult(&status)};
  if (U_FAILURE(status)) fail("ICU has no formatter");
  return opened;
}

static size_t icu_format(icu used, const amount *value, char *buffer, size_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  int32_t written = 0;
  unumf_formatDecimal(used.formatter, value->text, (int32_t)value->length, used.result, &status);
  const int32_t count = unumf_resultToString(used.result, units, 256, &status);
  u_strToUTF8(buffer, (int32_t)capacity, &written, units, count, &status);
  if (U_FAILURE(status)) fail("ICU fails");
  return (size_t)written;
}

static size_t own_format(const pricetag_formatter *formatter, const amount *value, char *buffer, size_t capacity) {
  size_t length = 0;
  if (pricetag_format(formatter, value->text, value->length, PRICETAG_EXACT, buffer, capacity, &length) != PRICETAG_OK) {
    fail("the library fails");
  }
  return length;
}

static size_t own_format_units(const pricetag_formatter *formatter, const amount *value, int digits, char *buffer,
                               size_t capacity) {
  size_t length = 0;
  if (pricetag_format_units(formatter, value->units, digits, PRICETAG_EXACT, buffer, capacity, &length) != PRICETAG_OK) {
    fail("the library fails");
  }
  return length;
}

// Reads the price of an amount, and returns the status.
static int32_t own_read(const pricetag_formatter *formatter, const price *value, int32_t mode) {
  int64_t units = 0;
  int32_t exponent = 0;
  const int32_t status = pricetag_read(formatter, value->text, value->length, mode, &units, &exponent, NULL);
  if (status == PRICETAG_OK && units != value->units) fail("a price is read as another amount");
  return status;
}

static void format_column(const pricetag_formatter *formatter, const int64_t *units, size_t count, int digits, char *buffer,
                          size_t capacity, int32_t *offsets) {
  size_t formatted = 0;
  check(pricetag_format_column(formatter, units, count, digits, PRICETAG_EXACT, buffer, capacity, offsets, &formatted), "column");
  if (formatted != count) fail("the column is not complete");
}

// MARK: Packs

typedef struct {
  char *bytes;
  size_t size;
} contents;

static contents read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) fail("a pack cannot be read");
  const long size = ftell(file);
  rewind(file);
  contents read = {malloc((size_t)size), (size_t)size};
  if (!read.bytes || fread(read.bytes, 1, read.size, file) != read.size) fail("a pack cannot be read");
  fclose(file);
  return read;
}

static const pricetag_pack *open_bytes(contents file) {
  const pricetag_pack *pack = NULL;
  check(pricetag_pack_open(file.bytes, file.size, &pack), "pack");
  return pack;
}

static const pricetag_formatter *formatter_of(const pricetag_pack *pack, const store *of) {
  const pricetag_formatter *formatter = NULL;
  check(pricetag_formatter_for_locale(pack, of->locale, of->currency, NULL, &formatter), of->locale);
  return formatter;
}

// The identifiers of the storefronts: the third section of a pack (see docs/packs.md).
static size_t storefront_ids(contents file, char (*ids)[4], size_t capacity) {
  uint32_t place[2];
  memcpy(place, file.bytes + 32 + 2 * 8, sizeof place);
  for (uint32_t index = 0; index < place[1] && index < capacity; index++) {
    memcpy(ids[index], file.bytes + place[0] + 16 * index, 4);
  }
  return place[1] < capacity ? place[1] : capacity;
}

static void find_all(const pricetag_pack *pack, char (*ids)[4], size_t count) {
  for (size_t index = 0; index < count; index++) {
    const pricetag_formatter *formatter = NULL;
    check(pricetag_formatter_for_storefront(pack, ids[index], 20261123, NULL, &formatter), ids[index]);
    sink += (size_t)formatter;
  }
}

// MARK: Measuring

static void measure_prices(const pricetag_pack *pack, const store *of) {
  static amount amounts[amount_count];
  fill(amounts, of->digits);
  const pricetag_formatter *formatter = formatter_of(pack, of);
  const icu peer = icu_open(of);
  char own[1024], other[1024];
  for (int index = 0; index < amount_count; index++) {
    const size_t length = own_format(formatter, &amounts[index], own, sizeof own);
    if (length != icu_format(peer, &amounts[index], other, sizeof other) || memcmp(own, other, length) != 0) {
      fail("a price differs from ICU's");
    }
  }
  // The contenders take turns, so that ratios are valid even if the speed of the machine changes.
  static double text[round_count], units[round_count], icu_text[round_count];
  for (int round = 0; round < round_count; round++) {
    const double start = now();
    for (int index = 0; index < amount_count; index++) sink += own_format(formatter, &amounts[index], own, sizeof own);
    const double after_text = now();
    for (int index = 0; index < amount_count; index++) {
      sink += own_format_units(formatter, &amounts[index], of->digits, own, sizeof own);
    }
    const double after_units = now();
    for (int index = 0; index < amount_count; index++) sink += icu_format(peer, &amounts[index], other, sizeof other);
    const double end = now();
    text[round] = (after_text - start) / amount_count;
    units[round] = (after_units - after_text) / amount_count;
    icu_text[round] = (end - after_units) / amount_count;
  }
  printf("%s_%s\t%.1f\t%.1f\t%.1f\n", of->locale, of->currency, median(text, round_count), median(units, round_count),
         median(icu_text, round_count));
}

// Fills prices with the formatted amounts. Folded ones have a space before the price.
static void fill_prices(price *prices, const pricetag_formatter *formatter, int digits, int kind) {
  static amount amounts[amount_count];
  fill(amounts, digits);
  for (int index = 0; index < amount_count; index++) {
    price *next = &prices[index];
    next->units = amounts[index].units;
    next->text[0] = ' ';
    char *start = next->text + (kind == folded);
    next->length = own_format_units(formatter, &amounts[index], digits, start, 64) + (kind == folded);
  }
}

static void measure_reads(const pricetag_pack *pack, const store *of) {
  static amount amounts[amount_count];
  static price prices[read_kinds][amount_count];
  static double text[round_count], reads[read_kinds][round_count];
  const pricetag_formatter *formatter = formatter_of(pack, of);
  char own[1024];
  fill(amounts, of->digits);
  for (int kind = 0; kind < read_kinds; kind++) fill_prices(prices[kind], formatter, of->digits, kind);
  for (int round = 0; round < round_count; round++) {
    double start = now();
    for (int index = 0; index < amount_count; index++) {
      sink += own_format(formatter, &amounts[index], own, sizeof own);
    }
    double end = now();
    text[round] = (end - start) / amount_count;
    for (int kind = 0; kind < read_kinds; kind++) {
      start = now();
      for (int index = 0; index < amount_count; index++) {
        if (own_read(formatter, &prices[kind][index], kind == as_written ? PRICETAG_STRICT : PRICETAG_LENIENT) != PRICETAG_OK) {
          fail("a price cannot be read");
        }
      }
      end = now();
      reads[kind][round] = (end - start) / amount_count;
    }
  }
  printf("%s_%s\t%.1f", of->locale, of->currency, median(text, round_count));
  for (int kind = 0; kind < read_kinds; kind++) printf("\t%.1f", median(reads[kind], round_count));
  printf("\n");
}

static void measure_column(const pricetag_pack *pack, const store *of) {
  static amount amounts[amount_count];
  static int64_t units[column_length];
  static int32_t offsets[column_length + 1];
  static char buffer[column_length * 64];
  fill(amounts, of->digits);
  for (size_t index = 0; index < column_length; index++) units[index] = amounts[index % amount_count].units;
  const pricetag_formatter *formatter = formatter_of(pack, of);
  static double times[column_rounds];
  for (int round = 0; round < column_rounds; round++) {
    const double start = now();
    format_column(formatter, units, column_length, of->digits, buffer, sizeof buffer, offsets);
    times[round] = (now() - start) / column_length;
  }
  printf("column_%s_%s\t%.2f\n", of->locale, of->currency, median(times, column_rounds));
}

static void measure_pack(const char *path) {
  static double open_times[round_count], file_times[round_count], find_times[round_count];
  static char ids[1024][4];
  const contents file = read_file(path);
  const size_t count = storefront_ids(file, ids, 1024);
  for (int round = 0; round < round_count; round++) {
    double start = now();
    const pricetag_pack *pack = open_bytes(file);
    open_times[round] = now() - start;
    start = now();
    find_all(pack, ids, count);
    find_times[round] = now() - start;
    start = now();
    check(pricetag_pack_open_file(path, &pack), path);
    file_times[round] = now() - start;
    pricetag_pack_close(pack);
  }
  printf("open\t%.0f\n", median(open_times, round_count));
  printf("open_file\t%.0f\n", median(file_times, round_count));
  printf("find\t%.0f\t%zu\n", median(find_times, round_count), count);
}

// MARK: Running one contender

static void run(const char *what, const store *of, int rounds, const char *path) {
  static amount amounts[amount_count];
  static int64_t units[amount_count];
  static int32_t offsets[amount_count + 1];
  static char buffer[amount_count * 64], ids[1024][4];
  fill(amounts, of->digits);
  static price prices[amount_count];
  for (int index = 0; index < amount_count; index++) units[index] = amounts[index].units;
  const contents file = read_file(path);
  const size_t count = storefront_ids(file, ids, 1024);
  const pricetag_pack *pack = open_bytes(file);
  const int is_icu = strcmp(what, "icu") == 0;
  const int is_pack = strcmp(what, "open") == 0 || strcmp(what, "find") == 0;
  const pricetag_formatter *formatter = is_pack ? NULL : formatter_of(pack, of);
  int kind = 0;
  while (kind < read_kinds && strcmp(what, read_names[kind]) != 0) kind++;
  if (kind < read_kinds) fill_prices(prices, formatter, of->digits, kind);
  const icu peer = is_icu ? icu_open(of) : (icu){NULL, NULL};
  for (int round = 0; round < rounds; round++) {
    if (strcmp(what, "open") == 0) {
      sink += (size_t)open_bytes(file);
    } else if (strcmp(what, "find") == 0) {
      find_all(pack, ids, count);
    } else if (strcmp(what, "column") == 0) {
      format_column(formatter, units, amount_count, of->digits, buffer, sizeof buffer, offsets);
    } else if (kind < read_kinds) {
      for (int index = 0; index < amount_count; index++) {
        sink += (size_t)own_read(formatter, &prices[index], kind == as_written ? PRICETAG_STRICT : PRICETAG_LENIENT);
      }
    } else {
      for (int index = 0; index < amount_count; index++) {
        sink += is_icu ? icu_format(peer, &amounts[index], buffer, sizeof buffer)
                : strcmp(what, "text") == 0
                    ? own_format(formatter, &amounts[index], buffer, sizeof buffer)
                    : own_format_units(formatter, &amounts[index], of->digits, buffer, sizeof buffer);
      }
    }
  }
}

int main(int count, char **arguments) {
  const size_t store_count = sizeof stores / sizeof *stores;
  if (count == 4 && strcmp(arguments[1], "measure") == 0) {
    const pricetag_pack *pack = open_bytes(read_file(arguments[2]));
    for (size_t index = 0; index < store_count; index++) measure_prices(pack, &stores[index]);
    for (size_t index = 0; index < store_count; index++) measure_column(pack, &stores[index]);
    measure_pack(arguments[3]);
    return 0;
  }
  if (count == 3 && strcmp(arguments[1], "read") == 0) {
    const pricetag_pack *pack = open_bytes(read_file(arguments[2]));
    for (size_t index = 0; index < store_count; index++) measure_reads(pack, &stores[index]);
    return 0;
  }
  if (count == 7 && strcmp(arguments[1], "run") == 0) {
    for (size_t index = 0; index < store_count; index++) {
      if (strcmp(stores[index].locale, arguments[3]) != 0 || strcmp(stores[index].currency, arguments[4]) != 0) continue;
      run(arguments[2], &stores[index], atoi(arguments[5]), arguments[6]);
      return 0;
    }
  }
  fputs("usage: kernel measure PRICES STOREFRONTS\n       kernel read PRICES\n       kernel run text|units|icu|strict|lenient|column|open|find LOCALE CURRENCY COUNT PACK\n", stderr);
  return 2;
}

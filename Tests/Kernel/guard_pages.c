// Formats into buffers of every capacity, and reads, from packs, texts and columns whose memory ends at a page without access rights. A
// read or write outside of them ends the process. Bytes before a buffer are compared.
//
//     guard_pages PACK [FILE]      FILE is written with truncated packs, and removed

#define _DEFAULT_SOURCE
#include "harness.h"

#include <unistd.h>

enum { MARGIN = 64, MARK = 0xA5, MAXIMUM_PARTS = 128, COLUMN = 6 };

static guarded output, text_memory, column_memory, offset_memory, part_memory, result_memory;
static size_t calls;

// A result directly before the page without access rights.
#define RESULT(type) ((type *)result_memory.end - 1)

// Returns a buffer of a capacity that ends at the page, after bytes with a known value.
static char *buffer_of(size_t capacity) {
  memset(output.end - capacity - MARGIN, MARK, MARGIN + capacity);
  calls++;
  return (char *)output.end - capacity;
}

static void check_margin(const void *start) {
  const uint8_t *bytes = (const uint8_t *)start;
  for (int index = 1; index <= MARGIN; index++) CHECK(*(bytes - index) == MARK, "a byte %d before the buffer", index);
}

static const char *text_at_page(const char *text, size_t size) {
  return (const char *)memcpy(text_memory.end - size, text, size);
}

// Writes units as decimal text, and returns its length.
static size_t decimal_text(char *text, int64_t units, int32_t exponent) {
  char digits[40];
  uint64_t magnitude = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;
  int count = snprintf(digits, sizeof digits, "%0*llu", (int)exponent + 1, (unsigned long long)magnitude);
  const char *sign = units < 0 ? "-" : "", *point = exponent > 0 ? "." : "";
  return (size_t)sprintf(text, "%s%.*s%s%s", sign, count - (int)exponent, digits, point, digits + count - exponent);
}

// Formats into every capacity, from decimal text and from units.
static void check_text(const pricetag_formatter *formatter, int64_t units, int32_t exponent, int32_t rounding) {
  static char expected[2 * MAXIMUM_PRICE];
  char decimal[48];
  size_t expected_length = 0, *length = RESULT(size_t);
  int32_t expected_status =
      pricetag_format_units(formatter, units, exponent, rounding, expected, sizeof expected, &expected_length);
  size_t decimal_length = decimal_text(decimal, units, exponent);
  const char *amount = text_at_page(decimal, decimal_length);
  CHECK(expected_length <= pricetag_formatter_capacity(formatter), "a price of %zu bytes", expected_length);
  for (size_t capacity = 0; capacity <= pricetag_formatter_capacity(formatter) + 2; capacity++) {
    for (int is_text = 0; is_text < 2; is_text++) {
      char *buffer = buffer_of(capacity);
      *length = 12345;
      int32_t status = is_text ? pricetag_format(formatter, amount, decimal_length, rounding, buffer, capacity, length)
                               : pricetag_format_units(formatter, units, exponent, rounding, buffer, capacity, length);
      if (expected_status != PRICETAG_OK) {
        CHECK(status == expected_status && *length == 12345, "status %d, not %d", (int)status, (int)expected_status);
      } else if (capacity < expected_length) {
        CHECK(status == PRICETAG_BUFFER_TOO_SMALL && *length == expected_length, "status %d", (int)status);
      } else {
        CHECK(status == PRICETAG_OK && *length == expected_length, "status %d, length %zu", (int)status, *length);
        CHECK(memcmp(buffer, expected, expected_length) == 0, "another text at capacity %zu", capacity);
      }
      check_margin(buffer);
    }
  }
}

// Reads a price with every length and with other spaces, from text that ends at the page, into results before pages.
static void check_reads(const pricetag_formatter *formatter, int64_t units, int32_t exponent) {
  static char price[2 * MAXIMUM_PRICE];
  size_t length = 0;
  if (pricetag_format_units(formatter, units, exponent, PRICETAG_EXACT, price + 3, MAXIMUM_PRICE, &length) != PRICETAG_OK) return;
  memcpy(price, "\xE2\x80\xAF", 3);
  int64_t *read_units = RESULT(int64_t);
  int32_t *read_exponent = (int32_t *)offset_memory.end - 1;
  ptrdiff_t *difference = (ptrdiff_t *)part_memory.end - 1;
  for (size_t start = 0; start <= 3; start++) {
    for (size_t end = start; end <= length + 3; end += end < 40 || end + 8 > length ? 1 : 7) {
      const char *text = (const char *)memcpy(output.end - (end - start), price + start, end - start);
      for (int32_t mode = PRICETAG_STRICT; mode <= PRICETAG_LENIENT; mode++) {
        int32_t status = pricetag_read(formatter, text, end - start, mode, read_units, read_exponent, difference);
        calls++;
        CHECK(*difference >= -1 && *difference <= (ptrdiff_t)(end - start), "a difference at %td", *difference);
        if (end < length + 3) continue;
        CHECK(start < 3 || (status == PRICETAG_OK && *difference == -1), "a price is not read: %d", (int)status);
        CHECK(start > 0 || mode == PRICETAG_STRICT || (status == PRICETAG_OK && *difference >= 0 && *difference < 3), "a space is not ignored");
      }
    }
  }
}

// Formats a column into every capacity. The units, the offsets and the buffer end at pages without access rights.
static void check_column(const pricetag_formatter *formatter, const int64_t *units, int32_t exponent, int32_t rounding) {
  static char expected[COLUMN][MAXIMUM_PRICE];
  size_t lengths[COLUMN], total = 0, *formatted = RESULT(size_t);
  int32_t statuses[COLUMN];
  for (int index = 0; index < COLUMN; index++) {
    lengths[index] = 0;
    statuses[index] =
        pricetag_format_units(formatter, units[index], exponent, rounding, expected[index], MAXIMUM_PRICE, lengths + index);
    total += lengths[index];
  }
  int64_t *column = (int64_t *)column_memory.end - COLUMN;
  int32_t *offsets = (int32_t *)offset_memory.end - (COLUMN + 1);
  memcpy(column, units, COLUMN * sizeof *units);
  for (size_t capacity = 0; capacity <= total + pricetag_formatter_capacity(formatter) + 2; capacity++) {
    memset((uint8_t *)offsets - MARGIN, MARK, MARGIN + (COLUMN + 1) * sizeof *offsets);
    char *buffer = buffer_of(capacity);
    int32_t status =
        pricetag_format_column(formatter, column, COLUMN, exponent, rounding, buffer, capacity, offsets, formatted);
    int32_t expected_status = PRICETAG_OK, end = 0;
    size_t index = 0;
    for (; index < COLUMN; index++) {
      CHECK(offsets[index] == end, "offset %zu is %d, not %d", index, (int)offsets[index], (int)end);
      expected_status = statuses[index];
      if (expected_status == PRICETAG_OK && lengths[index] > capacity - (size_t)end) expected_status = PRICETAG_BUFFER_TOO_SMALL;
      if (expected_status != PRICETAG_OK) break;
      CHECK(memcmp(buffer + end, expected[index], lengths[index]) == 0, "price %zu of a column", index);
      end += (int32_t)lengths[index];
    }
    CHECK(status == expected_status && *formatted == index, "status %d, %zu prices, not %zu", (int)status, *formatted, index);
    CHECK(offsets[index] == end, "the last offset is %d, not %d", (int)offsets[index], (int)end);
    for (const uint8_t *byte = (const uint8_t *)(offsets + index + 1); byte < offset_memory.end; byte++) {
      CHECK(*byte == MARK, "an offset after those of %zu prices", index);
    }
    check_margin(buffer);
    check_margin(offsets);
  }
}

// Stores parts into arrays of every capacity.
static void check_parts(const pricetag_formatter *formatter, int64_t units, int32_t exponent, int32_t rounding) {
  pricetag_part expected[MAXIMUM_PARTS];
  size_t expected_count = 0, length = 0, *count = RESULT(size_t);
  char text[MAXIMUM_PRICE];
  int32_t expected_status =
      pricetag_parts(formatter, units, exponent, rounding, expected, MAXIMUM_PARTS, &expected_count);
  int32_t status = pricetag_format_units(formatter, units, exponent, rounding, text, sizeof text, &length);
  CHECK(status == expected_status, "the status of the parts is %d, that of the text %d", (int)expected_status, (int)status);
  CHECK(expected_count <= MAXIMUM_PARTS, "%zu parts", expected_count);
  uint32_t end = 0;
  for (size_t index = 0; index < expected_count; index++) {
    CHECK(expected[index].start == end && expected[index].end > end, "part %zu", index);
    CHECK(expected[index].kind <= PRICETAG_UNIT, "kind %u", (unsigned)expected[index].kind);
    end = expected[index].end;
  }
  CHECK(end == length, "the parts have %u bytes, the text %zu", (unsigned)end, length);
  for (size_t capacity = 0; capacity <= expected_count + 1; capacity++) {
    pricetag_part *parts = (pricetag_part *)part_memory.end - capacity;
    memset((uint8_t *)parts - MARGIN, MARK, MARGIN);
    *count = 12345;
    status = pricetag_parts(formatter, units, exponent, rounding, parts, capacity, count);
    calls++;
    CHECK(status == expected_status && *count == (status == PRICETAG_OK ? expected_count : 12345), "%zu parts", *count);
    size_t stored = capacity < expected_count ? capacity : expected_count;
    if (stored > 0) CHECK(memcmp(parts, expected, stored * sizeof *parts) == 0, "other parts at capacity %zu", capacity);
    check_margin(parts);
  }
}

static void check_every_capacity(const pricetag_pack *pack) {
  static const int32_t exponents[] = {0, 2, 6, 18};
  uint32_t formatters = formatter_count(pack), step = 1 + formatters / 40;
  for (uint32_t index = 0; index < formatters; index += step) {
    const pricetag_formatter *formatter = formatter_at(pack, index);
    for (size_t exponent = 0; exponent < sizeof exponents / sizeof *exponents; exponent++) {
      for (int32_t rounding = 0; rounding < 2; rounding++) {
        for (size_t unit = 0; unit < SAMPLE_UNITS; unit++) {
          check_text(formatter, sample_units[unit], exponents[exponent], rounding);
          check_parts(formatter, sample_units[unit], exponents[exponent], rounding);
          if (rounding == 0) check_reads(formatter, sample_units[unit], exponents[exponent]);
        }
        for (size_t unit = 0; unit + COLUMN <= SAMPLE_UNITS; unit += 4) {
          check_column(formatter, sample_units + unit, exponents[exponent], rounding);
        }
      }
    }
  }
}

// Returns a number for all prices of a pack.
static uint64_t fingerprint(const pricetag_pack *pack) {
  char text[MAXIMUM_PRICE];
  uint64_t sum = 0;
  for (uint32_t index = 0; index < formatter_count(pack); index++) {
    for (size_t unit = 0; unit < SAMPLE_UNITS; unit++) {
      for (int32_t exponent = 0; exponent <= 18; exponent += 6) {
        size_t length = 0;
        const pricetag_formatter *formatter = formatter_at(pack, index);
        int32_t status =
            pricetag_format_units(formatter, sample_units[unit], exponent, PRICETAG_HALF_EVEN, text, sizeof text, &length);
        sum = (sum ^ (uint64_t)status) * 0x100000001B3u;
        for (size_t byte = 0; byte < length; byte++) sum = (sum ^ (uint8_t)text[byte]) * 0x100000001B3u;
      }
    }
  }
  return sum;
}

// Opens a pack that ends at a page without access rights, one that starts after such a page, and others at odd addresses.
static void check_places(const uint8_t *bytes, size_t size) {
  guarded memory = guarded_memory(size + 16);
  size_t room = (size_t)(memory.end - memory.start) - size;
  const pricetag_pack *pack;
  uint64_t expected = 0;
  size_t expected_found = 0;
  for (size_t distance = 0; distance <= 16; distance++) {
    for (int is_first = 0; is_first < 2; is_first++) {
      uint8_t *place = is_first ? memory.start + distance : memory.start + room - distance;
      memcpy(place, bytes, size);
      int32_t status = pricetag_pack_open(place, size, &pack);
      CHECK(status == PRICETAG_OK && (const uint8_t *)pack == place, "status %d", (int)status);
      uint64_t found = look_up_everything(pack, size, 1000), prices = fingerprint(pack);
      calls += write_phrases(pack, size, 1000, output.end);
      if (expected_found == 0) expected = prices, expected_found = found;
      CHECK(found > 0 && found == expected_found && prices == expected, "other prices at another address");
      calls++;
    }
  }
  munmap(memory.start - PAGE, (size_t)(memory.end - memory.start) + 2 * PAGE);
}

// Opens the pack at every length but its own, in memory and as a file.
static void check_truncated(const uint8_t *bytes, size_t size, const char *path) {
  guarded memory = guarded_memory(size + 16);
  size_t step = size > 16384 ? size / 4096 : 1;
  const pricetag_pack *pack = NULL;
  for (size_t length = 0; length < size + 16; length += length < HEADER_SIZE || length >= size - 1 ? 1 : step) {
    if (length == size) continue;
    uint8_t *place = memory.end - length;
    memset(place, 0, length);
    memcpy(place, bytes, length < size ? length : size);
    // With the checksum of the other length, the check cannot rely on the checksum.
    for (int is_fixed = 0; is_fixed < (length >= HEADER_SIZE ? 2 : 1); is_fixed++) {
      if (is_fixed) store_checksum(place, length);
      int32_t status = pricetag_pack_open(place, length, &pack);
      int32_t expected = length < 12 ? PRICETAG_NOT_A_PACK : PRICETAG_TRUNCATED;
      CHECK(status == expected && !pack, "%zu of %zu bytes: status %d", length, size, (int)status);
      // A header with the other length must not help.
      if (is_fixed) {
        store32(place + SIZE_FIELD, (uint32_t)length);
        store_checksum(place, length);
        status = pricetag_pack_open(place, length, &pack);
        CHECK(length > size ? status == PRICETAG_OK : status == PRICETAG_INVALID_PACK || length + 16 > size,
              "%zu of %zu bytes with their own header: status %d", length, size, (int)status);
        if (status == PRICETAG_OK) look_up_everything(pack, length, 1000);
        pack = NULL;
      }
      calls++;
    }
  }
  FILE *file = path ? fopen(path, "wb") : NULL;
  if (file) {
    CHECK(fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "%s cannot be written", path);
    const pricetag_pack *opened;
    CHECK(pricetag_pack_open_file(path, &opened) == PRICETAG_OK, "%s cannot be opened", path);
    // The file shrinks while the pack of all of it is in use.
    for (size_t length = size - 1; length < size; length = length > step ? length - step : length - 1) {
      CHECK(truncate(path, (off_t)length) == 0, "%s cannot be truncated", path);
      int32_t status = pricetag_pack_open_file(path, &pack);
      CHECK(status == (length < 12 ? PRICETAG_NOT_A_PACK : PRICETAG_TRUNCATED) && !pack, "status %d", (int)status);
      calls++;
    }
    CHECK(fingerprint(opened) != 0 && memcmp(opened, bytes, size) == 0, "an opened pack changes with its file");
    pricetag_pack_close(opened);
    CHECK(unlink(path) == 0, "%s cannot be removed", path);
  }
  munmap(memory.start - PAGE, (size_t)(memory.end - memory.start) + 2 * PAGE);
}

// Opens a pack whose patterns are at its end, before a page without access rights. Without the 16 bytes after the patterns, which
// the writer may read, it must be refused.
static void check_end_of_patterns(const uint8_t *bytes, size_t size) {
  enum { SLACK = 16 };
  size_t length = section_count(bytes, PATTERNS), start = (size_t)(element(bytes, PATTERNS, 0) - bytes);
  size_t places = (size_t)(element(bytes, FORMATTERS, 0) - bytes);
  guarded memory = guarded_memory(size + length);
  const pricetag_pack *pack;
  uint64_t expected = 0;
  CHECK(pricetag_pack_open(bytes, size, &pack) == PRICETAG_OK, "the pack cannot be opened");
  expected = fingerprint(pack);
  for (size_t cut = 0; cut <= SLACK; cut++) {
    size_t all = size + length - cut;
    uint8_t *copy = memory.end - all;
    memcpy(copy, bytes, size);
    memcpy(copy + size, bytes + start, length - cut);
    store32(copy + SECTION_FIELDS + 8 * PATTERNS, (uint32_t)size);
    store32(copy + SECTION_FIELDS + 8 * PATTERNS + 4, (uint32_t)(length - cut));
    for (uint32_t index = 0; index < section_count(copy, FORMATTERS); index++) {
      uint8_t *formatter = copy + places + 16 * index;
      if (formatter[8] == 1) store32(formatter, read32(formatter) + (uint32_t)(size - start));
    }
    store32(copy + SIZE_FIELD, (uint32_t)all);
    store_checksum(copy, all);
    int32_t status = pricetag_pack_open(copy, all, &pack);
    CHECK(status == (cut == 0 ? PRICETAG_OK : PRICETAG_INVALID_PACK), "without %zu bytes: status %d", cut, (int)status);
    if (cut == 0) CHECK(fingerprint(pack) == expected, "other prices with the patterns at the end");
    calls++;
  }
}

// Looks formatters up with names, a style and results that end at pages without access rights.
static void check_names(const pricetag_pack *pack) {
  const uint8_t *bytes = (const uint8_t *)pack;
  guarded second_memory = guarded_memory(256), styles = guarded_memory(sizeof(pricetag_style));
  pricetag_style *style = (pricetag_style *)(void *)(styles.end - sizeof *style);
  char name[256];
  for (uint32_t index = 0; index < section_count(bytes, STYLES); index++) {
    *style = pack_style(bytes, index);
    for (uint32_t place = 0; place < section_count(bytes, STOREFRONTS); place++) {
      const char *id = text_at_page(storefront_id(name, bytes, place), 4);
      const pricetag_formatter **formatter = RESULT(const pricetag_formatter *);
      int32_t status = pricetag_formatter_for_storefront(pack, id, 20260101, style, formatter);
      CHECK(status == PRICETAG_OK || (index > 0 && status == PRICETAG_MISSING_FORMATTER), "%s: %d", id, (int)status);
      pricetag_text *text = RESULT(pricetag_text);
      CHECK(pricetag_storefront(pack, id, 20260101, text, NULL) == PRICETAG_OK && text->length >= 3, "%s", id);
      CHECK(pricetag_storefront(pack, id, 20260101, NULL, text) == PRICETAG_OK && text->length >= 2, "%s", id);
      calls += 3;
    }
    for (uint32_t place = 0; place < section_count(bytes, LOCALES); place++) {
      const char *tag = locale_tag(name, bytes, place);
      tag = text_at_page(tag, strlen(tag) + 1);
      for (uint32_t column = 0; column < section_count(bytes, CURRENCIES); column++) {
        const char *code = currency_code(name, bytes, column);
        size_t size = strlen(code) + 1;
        code = (const char *)memcpy(second_memory.end - size, code, size);
        const pricetag_formatter **formatter = RESULT(const pricetag_formatter *);
        int32_t status = pricetag_formatter_for_locale(pack, tag, code, style, formatter);
        CHECK(status == PRICETAG_OK || status == PRICETAG_MISSING_FORMATTER, "%s %s: %d", tag, code, (int)status);
        calls++;
      }
    }
  }
  // A name without a zero byte at its end is not read forever.
  static char endless[300];
  memset(endless, 'x', sizeof endless);
  const char *unterminated = text_at_page(endless, 256);
  const pricetag_formatter *formatter;
  CHECK(pricetag_formatter_for_locale(pack, unterminated, unterminated, NULL, &formatter) == PRICETAG_UNKNOWN_LOCALE, "a name");
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  size_t size;
  uint8_t *bytes = read_file(arguments[1], &size);
  output = guarded_memory(16 * MAXIMUM_PRICE);
  text_memory = guarded_memory(512);
  column_memory = guarded_memory(COLUMN * sizeof(int64_t));
  offset_memory = guarded_memory(MARGIN + (COLUMN + 1) * sizeof(int32_t));
  part_memory = guarded_memory(2 * PAGE);
  result_memory = guarded_memory(64);
  const pricetag_pack *pack;
  CHECK(pricetag_pack_open(bytes, size, &pack) == PRICETAG_OK, "%s cannot be opened", arguments[1]);
  check_every_capacity(pack);
  check_names(pack);
  check_places(bytes, size);
  check_end_of_patterns(bytes, size);
  check_truncated(bytes, size, count > 2 ? arguments[2] : NULL);
  printf("guard pages: %zu calls, no access outside of the memory\n", calls);
  free(bytes);
  return 0;
}

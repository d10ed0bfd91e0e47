// What the hostile tests of the C interface share: memory between pages without access rights, the layout of
// docs/packs.md, and a walk over everything that a pack has.
#ifndef HARNESS_H
#define HARNESS_H

#include "pricetag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, MAXIMUM_PRICE = 1024 };

// Ends the test if a condition does not hold.
#define CHECK(condition, ...)                                    \
  do {                                                           \
    if (!(condition)) {                                          \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                              \
      fputc('\n', stderr);                                       \
      abort();                                                   \
    }                                                            \
  } while (0)

// ---- Numbers

static uint64_t random_state = 88172645463325252u;

static inline uint64_t number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static const int64_t sample_units[] = {0,        1,         -1,          5,           99,        100, 1005, -123456,
                                       99999999, 100000000, 12345678901, -5000000000, INT64_MAX, INT64_MIN};
enum { SAMPLE_UNITS = sizeof sample_units / sizeof *sample_units };

// ---- Memory

// Memory with a page without access rights before its start and after its end.
typedef struct {
  uint8_t *start, *end;
} guarded;

static inline guarded guarded_memory(size_t size) {
  size_t pages = (size + PAGE - 1) / PAGE * PAGE;
  uint8_t *start = (uint8_t *)mmap(NULL, pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(start != MAP_FAILED && mprotect(start + PAGE, pages, PROT_READ | PROT_WRITE) == 0, "no memory");
  return (guarded){start + PAGE, start + PAGE + pages};
}

static inline uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  CHECK(file && fseek(file, 0, SEEK_END) == 0, "%s cannot be read", path);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = (uint8_t *)malloc(*size + 1);
  CHECK(bytes && fread(bytes, 1, *size, file) == *size, "%s cannot be read", path);
  fclose(file);
  return bytes;
}

// ---- The layout of packs

enum { TEXTS, METADATA, STOREFRONTS, PERIODS, PERIOD_FORMATTERS, LOCALES, LOCALE_ROWS, CURRENCIES, STYLES, ROWS, FORMATTERS, PATTERNS };
enum { HEADER_SIZE = 160, SIZE_FIELD = 12, CHECKSUM_FIELD = 16, SECTION_FIELDS = 32, SECTION_COUNT = 13, PHRASES_FIELD = 136 };
static const uint8_t element_sizes[SECTION_COUNT] = {1, 16, 16, 12, 4, 8, 4, 24, 32, 4, 16, 1, 4};

static inline uint32_t read16(const uint8_t *bytes) { return bytes[0] | (uint32_t)bytes[1] << 8; }

static inline uint32_t read32(const uint8_t *bytes) { return read16(bytes) | read16(bytes + 2) << 16; }

static inline void store16(uint8_t *bytes, uint32_t value) {
  bytes[0] = (uint8_t)value;
  bytes[1] = (uint8_t)(value >> 8);
}

static inline void store32(uint8_t *bytes, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) bytes[byte] = (uint8_t)(value >> (8 * byte));
}

static inline void store_checksum(uint8_t *pack, size_t size) {
  uint64_t sum = 0xCBF29CE484222325u;
  for (size_t index = 0; index <= size; index += 8) {
    if (index == CHECKSUM_FIELD) continue;
    uint64_t word = 0;
    for (size_t byte = 0; byte < 8 && index + byte < size; byte++) word |= (uint64_t)pack[index + byte] << (8 * byte);
    sum ^= word;
    sum = (sum << 29 | sum >> 35) * 0x100000001B3u;
  }
  for (int byte = 0; byte < 8; byte++) pack[CHECKSUM_FIELD + byte] = (uint8_t)(sum >> (8 * byte));
}

static inline uint32_t section_count(const uint8_t *pack, int section) { return read32(pack + SECTION_FIELDS + 8 * section + 4); }

static inline const uint8_t *element(const uint8_t *pack, int section, uint32_t index) {
  return pack + read32(pack + SECTION_FIELDS + 8 * section) + (size_t)index * element_sizes[section];
}

// Changes an integer of 1, 2 or 4 bytes.
static inline void change_field(uint8_t *field, size_t width) {
  static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 18, 19, 32, 40, 64, 127, 128, 255, 256, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF};
  uint32_t value = values[number() % (sizeof values / sizeof *values)];
  if (number() % 2) {
    uint32_t old = width == 4 ? read32(field) : width == 2 ? read16(field) : *field;
    value = number() % 2 ? old + (uint32_t)(number() % 9) - 4 : old ^ 1u << (number() % 32);
  }
  if (width == 4) store32(field, value);
  if (width == 2) store16(field, value);
  if (width == 1) *field = (uint8_t)value;
}

static inline int is_utf8(const uint8_t *text, size_t length) {
  for (size_t index = 0; index < length;) {
    uint8_t byte = text[index];
    size_t count = byte < 0x80 ? 1 : byte >= 0xC2 && byte < 0xE0 ? 2 : byte >= 0xE0 && byte < 0xF0 ? 3 : byte >= 0xF0 && byte < 0xF5 ? 4 : 0;
    if (count == 0 || count > length - index) return 0;
    for (size_t next = 1; next < count; next++) {
      if ((text[index + next] & 0xC0) != 0x80) return 0;
    }
    index += count;
  }
  return 1;
}

// ---- Everything that a pack has

// Copies text to a buffer of 256 bytes, with a zero byte at its end.
static inline const char *terminated(char *buffer, const void *text, size_t length) {
  if (length > 255) length = 255;
  memcpy(buffer, text, length);
  buffer[length] = 0;
  return buffer;
}

static inline const char *storefront_id(char *buffer, const uint8_t *pack, uint32_t index) {
  return terminated(buffer, element(pack, STOREFRONTS, index), 3);
}

static inline const char *locale_tag(char *buffer, const uint8_t *pack, uint32_t index) {
  const uint8_t *locale = element(pack, LOCALES, index);
  return terminated(buffer, element(pack, TEXTS, read32(locale)), read16(locale + 4));
}

static inline const char *currency_code(char *buffer, const uint8_t *pack, uint32_t index) {
  const uint8_t *code = element(pack, CURRENCIES, index);
  return terminated(buffer, code, strnlen((const char *)code, 12));
}

static inline pricetag_style pack_style(const uint8_t *pack, uint32_t index) {
  pricetag_style style;
  memcpy(&style, element(pack, STYLES, index), sizeof style);
  return style;
}

// The formatters are used in place, as the functions that find them return them.
static inline const pricetag_formatter *formatter_at(const pricetag_pack *pack, uint32_t index) {
  return (const pricetag_formatter *)element((const uint8_t *)pack, FORMATTERS, index);
}

static inline uint32_t formatter_count(const pricetag_pack *pack) { return section_count((const uint8_t *)pack, FORMATTERS); }

// Calls every function with what a pack has: at most about `limit` storefronts, locales and currencies each, in all styles.
// The results of lookups must be formatters of the pack. Returns the number of formatters that were found.
static inline size_t look_up_everything(const pricetag_pack *pack, size_t size, uint32_t limit) {
  const uint8_t *bytes = (const uint8_t *)pack;
  char first[256], second[256];
  size_t found = 0;
  uint32_t storefronts = section_count(bytes, STOREFRONTS), locales = section_count(bytes, LOCALES);
  uint32_t currencies = section_count(bytes, CURRENCIES), styles = section_count(bytes, STYLES);
  uint32_t storefront_step = 1 + storefronts / limit, locale_step = 1 + locales / limit, currency_step = 1 + currencies / limit;
  uint32_t style_step = 1 + styles / limit;
  static const int32_t dates[] = {0, 1, 19991231, 20260101, INT32_MAX};

#define IS_INSIDE(pointer) ((const uint8_t *)(pointer) >= bytes && (const uint8_t *)(pointer) < bytes + size)
#define FOUND(status, formatter)                                           \
  do {                                                                     \
    if ((status) == PRICETAG_OK) {                                         \
      CHECK(IS_INSIDE(formatter), "a formatter outside the pack");         \
      CHECK(pricetag_formatter_capacity(formatter) <= MAXIMUM_PRICE, "a large price"); \
      found++;                                                             \
    }                                                                      \
  } while (0)

  for (uint32_t index = 0; index < styles || index == 0; index += style_step) {
    pricetag_style style = {0};
    if (index < styles) style = pack_style(bytes, index);
    const pricetag_formatter *formatter = NULL;
    for (uint32_t place = 0; place < storefronts; place += storefront_step) {
      const char *id = storefront_id(first, bytes, place);
      for (size_t date = 0; date < sizeof dates / sizeof *dates; date++) {
        pricetag_text currency = {0}, locale = {0};
        if (pricetag_storefront(pack, id, dates[date], &currency, &locale) == PRICETAG_OK) {
          CHECK(currency.length <= 12 && IS_INSIDE(currency.bytes), "a currency outside the pack");
          CHECK(locale.length == 0 || (IS_INSIDE(locale.bytes) && IS_INSIDE(locale.bytes + locale.length - 1)), "a tag outside");
          const char *code = terminated(second, currency.bytes, currency.length);
          FOUND(pricetag_formatter_for_storefront_in(pack, id, code, dates[date], &style, &formatter), formatter);
        }
        FOUND(pricetag_formatter_for_storefront(pack, id, dates[date], &style, &formatter), formatter);
      }
      terminated(second, element(bytes, STOREFRONTS, place) + 4, 2);
      FOUND(pricetag_formatter_for_storefront(pack, second, 20260101, &style, &formatter), formatter);
    }
    for (uint32_t place = 0; place < locales; place += locale_step) {
      const char *tag = locale_tag(first, bytes, place);
      for (uint32_t column = 0; column < currencies; column += currency_step) {
        const char *code = currency_code(second, bytes, column);
        FOUND(pricetag_formatter_for_locale(pack, tag, code, &style, &formatter), formatter);
      }
    }
  }
  for (uint32_t column = 0; column < currencies; column += currency_step) {
    int32_t digits = -2;
    int32_t status = pricetag_minor_unit_digits(pack, currency_code(first, bytes, column), &digits);
    CHECK(status != PRICETAG_OK || (digits >= -1 && digits < 255), "digits %d", (int)digits);
  }
  static const char *const names[] = {"icu", "cldr", "pricetag", "license", "registry", "unicode", ""};
  for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
    pricetag_text version = {0};
    if (pricetag_pack_version(pack, names[name], &version) != PRICETAG_OK || version.length == 0) continue;
    CHECK(IS_INSIDE(version.bytes) && IS_INSIDE(version.bytes + version.length - 1), "a version outside the pack");
  }
  pricetag_text listed = {0};
  for (size_t index = 0; index < 300 && pricetag_pack_storefront(pack, index, &listed) == PRICETAG_OK; index++) {
    CHECK(listed.length == 3 && IS_INSIDE(listed.bytes) && IS_INSIDE(listed.bytes + 2), "a storefront outside the pack");
  }
  for (size_t index = 0; index < 300 && pricetag_pack_currency(pack, index, &listed) == PRICETAG_OK; index++) {
    CHECK(listed.length >= 1 && listed.length <= 12 && IS_INSIDE(listed.bytes) && IS_INSIDE(listed.bytes + listed.length - 1),
          "a currency outside the pack");
  }
  return found;
#undef FOUND
#undef IS_INSIDE
}

// Reads a price strictly and leniently, with and without its last byte. What was read must be written as the same text.
static inline void read_in_all_modes(const pricetag_formatter *formatter, const char *text, size_t length) {
  char again[MAXIMUM_PRICE];
  for (int32_t mode = PRICETAG_STRICT; mode <= PRICETAG_LENIENT; mode++) {
    for (size_t cut = 0; cut < 2 && cut <= length; cut++) {
      int64_t units = 0;
      int32_t exponent = 0;
      ptrdiff_t difference = -2;
      size_t again_length = 0;
      int32_t status = pricetag_read(formatter, text, length - cut, mode, &units, &exponent, &difference);
      CHECK(difference >= -1 && difference <= (ptrdiff_t)length, "a difference at %td of %zu", difference, length);
      if (status != PRICETAG_OK) continue;
      int32_t written = pricetag_format_units(formatter, units, exponent, PRICETAG_EXACT, again, sizeof again, &again_length);
      CHECK(written == PRICETAG_OK, "an amount that was read is not written: %d", (int)written);
      CHECK(difference >= 0 || (again_length == length - cut && memcmp(again, text, again_length) == 0), "another price is written");
    }
  }
}

// Writes at most `limit` messages of each language with arguments of the right kinds, and of wrong ones. The buffer ends at a page
// without access rights. Returns the number of phrases.
static inline size_t write_phrases(const pricetag_pack *pack, size_t size, size_t limit, uint8_t *buffer_end) {
  enum { MAXIMUM_ARGUMENTS = 255 };
  static pricetag_argument arguments[MAXIMUM_ARGUMENTS + 1];
  static const char *const keywords[] = {"family", "other", "", "\xE2\x82"};
  const pricetag_phrases *phrases = NULL;
  const pricetag_language *language;
  const uint8_t *bytes = (const uint8_t *)pack;
  size_t written = 0;
  if (pricetag_phrases_open(pack, &phrases) != PRICETAG_OK) return 0;
  for (size_t index = 0; index < limit && pricetag_phrases_language(phrases, index, &language) == PRICETAG_OK; index++) {
    pricetag_text key, tag;
    char name[256];
    int32_t direction;
    CHECK(pricetag_language_tag(language, &tag) == PRICETAG_OK && (const uint8_t *)tag.bytes + tag.length <= bytes + size, "a tag");
    CHECK(pricetag_language_direction(language, &direction) == PRICETAG_OK && direction >= 1 && direction <= 2, "a direction");
    pricetag_phrases_match(phrases, terminated(name, tag.bytes, tag.length), &language);
    const pricetag_message *inner = NULL;
    for (size_t place = 0; place < limit && pricetag_language_key(language, place, &key) == PRICETAG_OK; place++) {
      const pricetag_message *message;
      if (pricetag_message_find(language, terminated(name, key.bytes, key.length), &message) != PRICETAG_OK) continue;
      size_t count = 0;
      pricetag_text argument_name;
      for (int32_t kind; pricetag_message_argument(message, count, &argument_name, &kind) == PRICETAG_OK; count++) {
        CHECK(argument_name.bytes[argument_name.length] == 0 && count < MAXIMUM_ARGUMENTS && kind >= 1 && kind <= 5, "an argument");
        pricetag_argument *argument = arguments + count;
        *argument = (pricetag_argument){.name = argument_name.bytes, .units = sample_units[number() % SAMPLE_UNITS]};
        argument->exponent = number() % 4 ? 0 : (int32_t)(number() % 19);
        argument->rounding = (int32_t)(number() % 8);
        if (kind == PRICETAG_ARGUMENT_KEYWORD) argument->keyword = keywords[number() % 4];
        if (kind == PRICETAG_ARGUMENT_PRICE && formatter_count(pack) > 0) {
          argument->price = formatter_at(pack, (uint32_t)(number() % formatter_count(pack)));
        }
        // A phrase inside another one, with the same arguments and at last inside itself, which must end.
        if (kind == PRICETAG_ARGUMENT_PHRASE) argument->message = inner, argument->arguments = arguments, argument->argument_count = count;
        if (number() % 16 == 0) argument->price = NULL, argument->message = message, argument->arguments = arguments, argument->argument_count = count + 1;
      }
      size_t length = 0, capacity = number() % 3 ? number() % 200 : 1900;
      int32_t isolation = (int32_t)(number() % 2);
      int32_t status = pricetag_phrase(message, arguments, count, isolation, (char *)buffer_end - capacity, capacity, &length);
      CHECK(status != PRICETAG_OK || length <= capacity, "%zu bytes in a buffer of %zu", length, capacity);
      CHECK(status != PRICETAG_BUFFER_TOO_SMALL || (length > capacity && length <= 65536), "%zu bytes are required", length);
      if (status == PRICETAG_OK) written++, inner = message;
    }
  }
  return written;
}

// Formats an amount in all ways. The buffer has room for `MAXIMUM_PRICE` bytes before its end, which may be a page without
// access rights; `capacity` is the number of bytes to use.
static inline void format_in_all_ways(const pricetag_formatter *formatter, int64_t units, int32_t exponent, int32_t rounding,
                                      uint8_t *buffer_end, size_t capacity) {
  pricetag_part parts[80];
  size_t length = 0, count = 0, formatted = 0;
  int32_t direction = 0, offsets[3] = {0};
  char *buffer = (char *)buffer_end - capacity;
  int32_t status = pricetag_format_units(formatter, units, exponent, rounding, buffer, capacity, &length);
  CHECK(status != PRICETAG_OK || length <= capacity, "%zu bytes in a buffer of %zu", length, capacity);
  CHECK(status != PRICETAG_BUFFER_TOO_SMALL || (length > capacity && length <= MAXIMUM_PRICE), "%zu bytes are required", length);
  int32_t parts_status = pricetag_parts(formatter, units, exponent, rounding, parts, 80, &count);
  int32_t direction_status = pricetag_direction(formatter, units, exponent, rounding, &direction);
  if (status == PRICETAG_OK || status == PRICETAG_BUFFER_TOO_SMALL) {
    CHECK(parts_status == PRICETAG_OK && direction_status == PRICETAG_OK, "parts: %d", (int)parts_status);
    CHECK(direction == PRICETAG_LEFT_TO_RIGHT || direction == PRICETAG_RIGHT_TO_LEFT, "direction %d", (int)direction);
    if (count > 0 && count <= 80) CHECK(parts[count - 1].end == length, "parts end at %u, not %zu", parts[count - 1].end, length);
  } else {
    CHECK(parts_status == status, "parts: %d, not %d", (int)parts_status, (int)status);
  }
  if (status == PRICETAG_OK) read_in_all_modes(formatter, buffer, length);
  int64_t column[2] = {units, units};
  pricetag_format_column(formatter, column, 2, exponent, rounding, buffer, capacity, offsets, &formatted);
  CHECK(formatted <= 2 && offsets[formatted] >= 0 && (size_t)offsets[formatted] <= capacity, "a column");
}

#endif

// Fuzzes the opening of packs. The mutator knows the layout: it changes fields of elements and patterns, and then stores the size
// and the checksum, so that the other checks are reached. With a pack that is accepted, every function is called.
//
// libFuzzer calls the functions (Scripts/test/kernel-fuzz).

#define _DEFAULT_SOURCE
#include "harness.h"

#include <time.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);

static void finish(uint8_t *pack, size_t size) {
  memcpy(pack, "PriceTag", 8);
  // Version 1.2, which has phrases.
  store32(pack + 8, 1 | 2 << 16);
  store32(pack + SIZE_FIELD, (uint32_t)size);
  store_checksum(pack, size);
}

// ---- Mutation

// Returns the place of a section's element, or NULL if the section is empty or not inside the pack.
static uint8_t *random_element(uint8_t *pack, size_t size, int section) {
  uint64_t count = section_count(pack, section), offset = read32(pack + SECTION_FIELDS + 8 * section);
  if (count == 0 || offset + count * element_sizes[section] > size) return NULL;
  return pack + offset + number() % count * element_sizes[section];
}

// Returns the place of a pattern with at least 40 bytes in the pack, or NULL.
static uint8_t *random_pattern(uint8_t *pack, size_t size) {
  uint8_t *formatter = random_element(pack, size, FORMATTERS);
  if (!formatter) return NULL;
  int64_t place = (formatter - pack) + (int64_t)(int32_t)read32(formatter);
  return formatter[8] == 1 && place >= HEADER_SIZE && place + 40 <= (int64_t)size ? pack + place : NULL;
}

// Stores the capacity that docs/packs.md requires, as far as the affixes are inside the pack.
static void store_capacity(uint8_t *pattern, const uint8_t *end) {
  uint32_t longest = 0, fields[2] = {40, read16(pattern + 30)};
  for (int variant = 0; variant < 2; variant++) {
    const uint8_t *affix = pattern + fields[variant];
    for (uint32_t left = fields[variant] ? 2u * pattern[6] : 0; left > 0; left--, affix += 16) {
      if (affix + 16 > end) return;
      uint32_t length = read16(affix + 2) + read16(affix + 10);
      if (read16(affix + 2) != 0xFFFF && length > longest) longest = length;
    }
  }
  store16(pattern + 16, longest + 37u * pattern[1] + 19 * read16(pattern + 22) + read16(pattern + 26) + 96);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed) {
  random_state = ((uint64_t)seed + 1) * 0x9E3779B97F4A7C15u | 1;
  if (size < HEADER_SIZE + 16 || maximum < size) return LLVMFuzzerMutate(data, size, maximum);
  // Most changes make a pack invalid, so there is rarely more than one.
  for (uint64_t left = number() % 4 ? 1 : 1 + number() % 3; left > 0; left--) {
    int section = (int)(number() % SECTION_COUNT);
    uint8_t *place = random_element(data, size, section), *pattern = random_pattern(data, size);
    size_t width = (size_t)1 << (number() % 3);
    switch (number() % 12) {
      case 0: size = HEADER_SIZE + LLVMFuzzerMutate(data + HEADER_SIZE, size - HEADER_SIZE, maximum - HEADER_SIZE); break;
      case 1: change_field(data + SECTION_FIELDS + 8 * section + number() % 2 * 4, 4); break;
      case 2:
      case 3: {
        // Elements have aligned fields.
        if (width > element_sizes[section]) width = 1;
        if (place) change_field(place + number() % (element_sizes[section] / width) * width, width);
        break;
      }
      case 4: {
        uint8_t *other = random_element(data, size, section);
        if (place && other) memmove(place, other, element_sizes[section]);
        break;
      }
      case 6: {
        // The names of a currency are in the section of texts.
        uint8_t *formatter = random_element(data, size, FORMATTERS);
        int64_t names = formatter ? (formatter - data) + (int64_t)(int32_t)read32(formatter + 12) : 0;
        if (names >= HEADER_SIZE && names + 16 <= (int64_t)size) change_field(data + names + number() % 16, 1);
        if (formatter && number() % 4 == 0) change_field(formatter + 12, 4);
        break;
      }
      case 7: {
        // The phrases: records of 2 and 4 bytes, and nodes.
        uint64_t start = read32(data + PHRASES_FIELD), count = read32(data + PHRASES_FIELD + 4);
        if (count < 4 || start + count > size) break;
        for (int changes = 0; changes < 2; changes++) change_field(data + start + number() % (count - 3), width);
        if (number() % 8 == 0) change_field(data + PHRASES_FIELD + number() % 2 * 4, 4);
        break;
      }
      case 5:
        if (pattern) LLVMFuzzerMutate(pattern, 40, 40);
        break;
      default: {
        // The head and the affixes of a pattern are integers of two bytes; the rest has others.
        size_t length = pattern ? read16(pattern + 18) : 0;
        if (!pattern || length < 40 || length > (size_t)(data + size - pattern)) break;
        size_t head = 40 + 32 * (size_t)pattern[6];
        size_t field = number() % 4 && head <= length ? 16 + number() % ((head - 16) / 2) * 2 : number() % length;
        if (field + width > length) width = 1;
        change_field(pattern + field, number() % 2 && field + 2 <= length ? 2 : width);
        break;
      }
    }
    if (size < HEADER_SIZE + 16) break;
    if (pattern && pattern + 40 <= data + size && number() % 4) store_capacity(pattern, data + size);
  }
  if (size >= HEADER_SIZE) finish(data, size);
  return size;
}

// ---- Use

static void use_formatter(const pricetag_formatter *formatter) {
  static uint8_t *small, *large;
  if (!small) small = guarded_memory(2 * MAXIMUM_PRICE).end, large = guarded_memory(2 * MAXIMUM_PRICE).end - MAXIMUM_PRICE;
  size_t capacity = pricetag_formatter_capacity(formatter);
  int32_t digits = pricetag_formatter_digits(formatter);
  CHECK(capacity > 0 && capacity <= MAXIMUM_PRICE && digits >= 0 && digits <= 18, "capacity %zu, digits %d", capacity, (int)digits);
  for (size_t index = 0; index < SAMPLE_UNITS; index++) {
    int32_t exponent = number() % 3 ? digits : (int32_t)(number() % 19), rounding = (int32_t)(number() % 8);
    size_t length = 0, again = 0, room = number() % (capacity + 1);
    int32_t status =
        pricetag_format_units(formatter, sample_units[index], exponent, rounding, (char *)large, MAXIMUM_PRICE, &length);
    CHECK(status == PRICETAG_OK || status == PRICETAG_NEEDS_ROUNDING || status == PRICETAG_AMOUNT_OUT_OF_RANGE ||
              status == PRICETAG_MISSING_PLURAL,
          "status %d", (int)status);
    if (status == PRICETAG_OK) {
      CHECK(length <= capacity && is_utf8(large, length), "a price of %zu bytes", length);
      uint8_t *place = small - room;
      int32_t second = pricetag_format_units(formatter, sample_units[index], exponent, rounding, (char *)place, room, &again);
      CHECK(again == length && second == (length <= room ? PRICETAG_OK : PRICETAG_BUFFER_TOO_SMALL), "%zu bytes, then %zu", length, again);
      CHECK(second != PRICETAG_OK || memcmp(place, large, length) == 0, "two texts of one price");
    }
    format_in_all_ways(formatter, sample_units[index], exponent, rounding, small, room);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // At an odd address, and with nothing after the pack that may be read.
  uint8_t *memory = (uint8_t *)malloc(size + 1), *bytes = memory + 1;
  CHECK(memory, "no memory");
  memcpy(bytes, data, size);
  const pricetag_pack *pack = NULL;
  random_state = size * 0x9E3779B97F4A7C15u | 1;
  int32_t status = pricetag_pack_open(bytes, size, &pack);
  if (status != PRICETAG_OK && size >= HEADER_SIZE) {
    finish(bytes, size);
    // The processor's time, because other programs may be running.
    clock_t start = clock();
    status = pricetag_pack_open(bytes, size, &pack);
    CHECK(clock() - start < CLOCKS_PER_SEC, "a pack of %zu bytes takes long to check", size);
  }
  CHECK((status == PRICETAG_OK) == (pack != NULL), "status %d", (int)status);
  if (pack) {
    uint32_t count = formatter_count(pack), step = 1 + count / 48;
    for (uint32_t index = 0; index < count; index += step) {
      use_formatter(formatter_at(pack, index));
      const pricetag_formatter *spoken = pricetag_formatter_spoken(formatter_at(pack, index));
      if (spoken) CHECK(pricetag_formatter_spoken(spoken) == spoken, "a spoken form of a spoken form");
    }
    look_up_everything(pack, size, 12);
    static uint8_t text[2048];
    write_phrases(pack, size, 60, text + sizeof text);
  }
  free(memory);
  return 0;
}

// Opens damaged packs and formats with those that pass the check. Pages without access rights surround the pack and the
// buffer, so that a read or write outside them ends the process.
//
//     hostile_packs PACK COUNT [SEED]

#define _DEFAULT_SOURCE
#include "pricetag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, FORMATTERS = 10 };

static uint64_t state;

static uint64_t number(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Returns the end of memory of a size, which a page without access rights follows and precedes.
static uint8_t *guarded_end(size_t size) {
  size_t pages = (size + PAGE - 1) / PAGE * PAGE;
  uint8_t *start = mmap(NULL, pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED || mprotect(start + PAGE, pages, PROT_READ | PROT_WRITE) != 0) abort();
  return start + PAGE + pages;
}

static uint32_t read32(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Stores the checksum of docs/pack-format.md.
static void store_checksum(uint8_t *pack, size_t size) {
  uint64_t sum = 0xCBF29CE484222325u;
  for (size_t index = 0; index <= size; index += 8) {
    if (index == 16) continue;
    uint64_t word = 0;
    for (size_t byte = 0; byte < 8 && index + byte < size; byte++) word |= (uint64_t)pack[index + byte] << (8 * byte);
    sum ^= word;
    sum = (sum << 29 | sum >> 35) * 0x100000001B3u;
  }
  for (int byte = 0; byte < 8; byte++) pack[16 + byte] = (uint8_t)(sum >> (8 * byte));
}

static void damage(uint8_t *pack, size_t size) {
  static const uint8_t values[] = {0, 1, 2, 4, 0x10, 0x3F, 0x40, 0x7F, 0x80, 0xFE, 0xFF};
  for (uint64_t left = 1 + number() % 4; left > 0; left--) {
    uint8_t *byte = pack + 24 + number() % (size - 24);
    switch (number() % 4) {
      case 0: *byte = (uint8_t)number(); break;
      case 1: *byte = values[number() % sizeof values]; break;
      case 2: *byte ^= (uint8_t)(1u << (number() % 8)); break;
      default: *byte += number() % 2 ? 1 : 0xFF; break;
    }
  }
}

static void format(const pricetag_formatter *formatter, uint8_t *buffer_end) {
  static const int64_t units[] = {0, 1, -1, 5, 99, 100, -123456, 99999999, 100000000, 12345678901, INT64_MAX, INT64_MIN};
  for (size_t index = 0; index < sizeof units / sizeof *units; index++) {
    for (int32_t exponent = 0; exponent <= 18; exponent += 1 + (int32_t)(number() % 5)) {
      size_t capacity = number() % 3 ? number() % 64 : number() % 1100, length = 0, count = 0;
      int32_t rounding = (int32_t)(number() % 8), direction = 0;
      char *buffer = (char *)buffer_end - capacity;
      pricetag_part parts[8];
      int32_t status =
          pricetag_format_units(formatter, units[index], exponent, rounding, buffer, capacity, &length);
      if (status == PRICETAG_OK && length > capacity) abort();
      if (status == PRICETAG_BUFFER_TOO_SMALL && length <= capacity) abort();
      pricetag_parts(formatter, units[index], exponent, rounding, parts, 8, &count);
      pricetag_direction(formatter, units[index], exponent, rounding, &direction);
    }
  }
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  state = count > 3 ? strtoull(arguments[3], NULL, 10) | 1 : 88172645463325252u;
  FILE *file = fopen(arguments[1], "rb");
  if (!file) return 2;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *original = malloc(size);
  if (!original || fread(original, 1, size, file) != size) return 2;
  fclose(file);

  uint8_t *pack = guarded_end(size) - size;
  uint8_t *buffer_end = guarded_end(2048);
  long tries = strtol(arguments[2], NULL, 10), opened = 0;
  for (long try = 0; try < tries; try++) {
    const pricetag_pack *result = NULL;
    const pricetag_formatter *formatter = NULL;
    memcpy(pack, original, size);
    damage(pack, size);
    store_checksum(pack, size);
    // A shorter pack starts later, so that its end is still at the page without access rights.
    size_t cut = number() % 8 ? 0 : number() % size;
    if (cut) memmove(pack + cut, pack, size - cut);
    if (pricetag_pack_open(pack + cut, size - cut, &result) != PRICETAG_OK) continue;
    opened++;
    uint32_t first = read32(pack + 32 + 8 * FORMATTERS), formatters = read32(pack + 32 + 8 * FORMATTERS + 4);
    uint32_t step = formatters > 64 ? 1 + (uint32_t)(number() % (formatters / 16)) : 1;
    for (uint32_t index = 0; index < formatters; index += step) {
      formatter = (const pricetag_formatter *)(pack + first + 16 * index);
      format(formatter, buffer_end);
      formatter = pricetag_formatter_spoken(formatter);
      if (formatter && number() % 4 == 0) format(formatter, buffer_end);
    }
    pricetag_formatter_for_storefront(result, "USA", (int32_t)(number() % 30000000), NULL, &formatter);
    pricetag_formatter_for_locale(result, "en-US", "USD", NULL, &formatter);
    pricetag_text currency, locale, version;
    pricetag_storefront(result, "BGR", (int32_t)(number() % 30000000), &currency, &locale);
    pricetag_pack_version(result, "icu", &version);
  }
  printf("%ld damaged packs, %ld of them opened\n", tries, opened);
  return 0;
}

// Opens damaged packs and formats with those that pass the check. Pages without access rights surround the pack and the
// buffer, so that a read or write outside them ends the process.
//
//     hostile_packs PACK COUNT [SEED]

#define _DEFAULT_SOURCE
#include "harness.h"

static void damage(uint8_t *pack, size_t size) {
  static const uint8_t values[] = {0, 1, 2, 4, 0x10, 0x28, 0x3F, 0x40, 0x7F, 0x80, 0xFE, 0xFF};
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
  for (size_t index = 0; index < SAMPLE_UNITS; index++) {
    for (int32_t exponent = 0; exponent <= 18; exponent += 1 + (int32_t)(number() % 5)) {
      size_t capacity = number() % 3 ? number() % 64 : number() % 1100;
      format_in_all_ways(formatter, sample_units[index], exponent, (int32_t)(number() % 8), buffer_end, capacity);
    }
  }
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  if (count > 3) random_state = strtoull(arguments[3], NULL, 10) | 1;
  size_t size;
  uint8_t *original = read_file(arguments[1], &size);
  uint8_t *pack = guarded_memory(size).end - size;
  uint8_t *buffer_end = guarded_memory(2 * MAXIMUM_PRICE).end;
  long tries = strtol(arguments[2], NULL, 10), opened = 0;
  size_t phrases = 0;
  for (long try = 0; try < tries; try++) {
    const pricetag_pack *result = NULL;
    memcpy(pack, original, size);
    damage(pack, size);
    store_checksum(pack, size);
    // A shorter pack starts later, so that its end is still at the page without access rights.
    size_t cut = number() % 8 ? 0 : number() % size;
    if (cut) memmove(pack + cut, pack, size - cut);
    if (pricetag_pack_open(pack + cut, size - cut, &result) != PRICETAG_OK) continue;
    CHECK(cut == 0, "a truncated pack was opened");
    opened++;
    uint32_t formatters = formatter_count(result);
    uint32_t step = formatters > 64 ? 1 + (uint32_t)(number() % (formatters / 16)) : 1;
    for (uint32_t index = 0; index < formatters; index += step) {
      const pricetag_formatter *formatter = formatter_at(result, index);
      format(formatter, buffer_end);
      formatter = pricetag_formatter_spoken(formatter);
      if (formatter && number() % 4 == 0) format(formatter, buffer_end);
    }
    look_up_everything(result, size, 8);
    phrases += write_phrases(result, size, 60, buffer_end);
  }
  free(original);
  printf("%ld damaged packs, %ld of them opened, %zu phrases\n", tries, opened, phrases);
  return 0;
}

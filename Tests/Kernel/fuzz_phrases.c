// Fuzzes the phrases of packs. An input is ARGUMENT_BYTES bytes, from which the arguments of messages come, and the phrases of a pack;
// its prices are those of the pack in KERNEL_FUZZ_PACK, and its checksum is correct. The mutator knows the layout: it changes fields of
// records, and writes other nodes in place of a message's code, most of them valid.
//
// Every message of every language is written into a large buffer, one of its exact size, a smaller one and none, which must agree.
//
// libFuzzer calls the functions (Scripts/test/kernel-fuzz).

#define _DEFAULT_SOURCE
#include "harness.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);

enum { ARGUMENT_BYTES = 64, MAXIMUM_PHRASE = 65536, MAXIMUM_ARGUMENTS = 255 };
enum { LANGUAGES = 0, TAGS = 8, KEYS = 16, HEAD_SIZE = 24, LANGUAGE_SIZE = 36, KEY_SIZE = 12, MESSAGE_SIZE = 12, ARGUMENT_SIZE = 8 };
enum { TEXT, VALUE, NUMBER, HASH, PLURAL, SELECT };

// The pack up to its phrases, which are its last part.
static uint8_t *prices;
static size_t prices_size;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count, (void)arguments;
  const char *path = getenv("KERNEL_FUZZ_PACK");
  CHECK(path, "KERNEL_FUZZ_PACK names no pack");
  size_t size;
  prices = read_file(path, &size);
  prices_size = read32(prices + PHRASES_FIELD);
  CHECK(prices_size + read32(prices + PHRASES_FIELD + 4) == size, "the phrases are not the last part of %s", path);
  return 0;
}

// ---- Mutation

static uint8_t *phrases;
static size_t phrases_size;

// Returns the place to which a field of a record refers, or NULL if so many bytes there are not inside the phrases.
static uint8_t *target(uint8_t *record, size_t field, size_t size) {
  if (!record) return NULL;
  int64_t offset = (record - phrases) + (int64_t)(int32_t)read32(record + field);
  return offset >= 0 && offset + (int64_t)size <= (int64_t)phrases_size ? phrases + offset : NULL;
}

// Returns a record of a list whose number of records is in one field, and whose distance is in another.
static uint8_t *random_record(uint8_t *owner, size_t count_field, size_t count_width, size_t field, size_t size) {
  if (!owner) return NULL;
  uint32_t count = count_width == 4 ? read32(owner + count_field) : read16(owner + count_field);
  uint64_t index = count ? number() % count : 0;
  uint8_t *list = count ? target(owner, field, (index + 1) * size) : NULL;
  return list ? list + index * size : NULL;
}

static uint8_t *random_language(void) { return random_record(phrases, LANGUAGES, 4, LANGUAGES + 4, LANGUAGE_SIZE); }

// Returns the index of an argument with one of the kinds, if the key has one.
static uint32_t random_argument(uint8_t *key, uint32_t first_kind, uint32_t last_kind, int *is_found) {
  uint32_t count = read16(key + 6), start = count ? (uint32_t)(number() % count) : 0;
  uint8_t *list = target(key, 8, (size_t)count * ARGUMENT_SIZE);
  *is_found = 0;
  for (uint32_t tried = 0; list && tried < count && !*is_found; tried++) {
    uint32_t index = (start + tried) % count, kind = read16(list + index * ARGUMENT_SIZE + 6);
    if (kind < first_kind || kind > last_kind) continue;
    *is_found = 1;
    return index;
  }
  return 0;
}

static void write_block(uint8_t *at, size_t size, uint8_t *key, int depth);

static void store64(uint8_t *at, uint64_t value) { store32(at, (uint32_t)value), store32(at + 4, (uint32_t)(value >> 32)); }

static void write_amount(uint8_t *at) {
  static const int64_t coefficients[] = {0, 1, 2, 3, 5, 10, 15, 100, -1, INT64_MAX, INT64_MIN};
  at[0] = (uint8_t)(number() % 4 ? 0 : number() % 19);
  store64(at + 1, (uint64_t)coefficients[number() % (sizeof coefficients / sizeof *coefficients)]);
}

// Writes nodes with exactly this number of bytes.
static void write_nodes(uint8_t *at, size_t size, uint8_t *key, int depth) {
  while (size > 0) {
    int is_found = 0;
    size_t used = 0;
    uint32_t argument;
    switch (number() % 8) {
      case 0:
      case 1: {
        if (size < 3) break;
        size_t length = number() % (size - 2);
        if (length > 40 && number() % 16) length = number() % 40;
        at[0] = TEXT, store16(at + 1, (uint32_t)length);
        for (size_t index = 0; index < length; index++) at[3 + index] = (uint8_t)('a' + number() % 26);
        if (length >= 3 && number() % 4 == 0) memcpy(at + length, "\xE2\x82\xAC", 3);
        used = 3 + length;
        break;
      }
      case 2:
        if (size < 3 || (argument = random_argument(key, 1, 4, &is_found), !is_found)) break;
        at[0] = VALUE, store16(at + 1, argument), used = 3;
        break;
      case 3: {
        uint32_t style = (uint32_t)(number() % 3);
        if (size < 6 || (argument = random_argument(key, style == 2 ? 3 : 2, style == 2 ? 3 : 2, &is_found), !is_found)) break;
        at[0] = NUMBER, store16(at + 1, argument), at[3] = (uint8_t)style, store16(at + 4, 0), used = 6;
        break;
      }
      case 4:
      case 5: {
        uint32_t exact = (uint32_t)(number() % 3), categories = 32 | (uint32_t)(number() % 32), blocks = exact;
        for (uint32_t bit = 0; bit < 6; bit++) blocks += categories >> bit & 1;
        size_t least = 20 + 9 * exact + 2 * (size_t)blocks;
        if (depth > 40 || size < least || (argument = random_argument(key, 2, 2, &is_found), !is_found)) break;
        size_t left = number() % (size - least + 1);
        if (number() % 2) left = size - least;
        at[0] = PLURAL, store16(at + 1, argument), store16(at + 3, (uint32_t)(least + left));
        at[5] = (uint8_t)(number() % 2 | number() % 3 << 1), at[6] = (uint8_t)categories, store16(at + 7, exact), write_amount(at + 9), store16(at + 18, 0);
        uint8_t *branch = at + 20;
        for (uint32_t index = 0; index < blocks; index++) {
          size_t length = index + 1 == blocks ? left : number() % (left + 1);
          if (index < exact) write_amount(branch), branch += 9;
          write_block(branch, length, key, depth + 1);
          branch += 2 + length, left -= length;
        }
        used = (size_t)(branch - at);
        break;
      }
      case 6: {
        static const char *const keywords[] = {"family", "other", "", "a"};
        uint32_t blocks = 1 + (uint32_t)(number() % 4);
        if (depth > 40 || size < 9 + 10 * (size_t)blocks || (argument = random_argument(key, 5, 5, &is_found), !is_found)) break;
        size_t left = number() % 2 ? size - 9 - 10 * (size_t)blocks : number() % (size - 8 - 10 * (size_t)blocks);
        uint8_t *branch = at + 9;
        at[0] = SELECT, store16(at + 1, argument), store16(at + 5, blocks), store16(at + 7, 0);
        for (uint32_t index = 0; index < blocks; index++) {
          const char *keyword = keywords[number() % 4];
          size_t length = index + 1 == blocks ? left : number() % (left + 1), count = strlen(keyword);
          store16(branch, (uint32_t)count), memcpy(branch + 2, keyword, count), branch += 2 + count;
          write_block(branch, length, key, depth + 1);
          branch += 2 + length, left -= length;
        }
        used = (size_t)(branch - at);
        store16(at + 3, (uint32_t)used);
        break;
      }
      default: at[0] = HASH, used = 1;
    }
    at += used, size -= used;
  }
}

static void write_block(uint8_t *at, size_t size, uint8_t *key, int depth) {
  store16(at, (uint32_t)size);
  write_nodes(at + 2, size, key, depth);
}

// Changes something of a language, a tag, a key or a message.
static void change_record(void) {
  size_t width = (size_t)1 << (number() % 3);
  uint8_t *language = random_language(), *other = random_language();
  uint8_t *message = language ? random_record(language, 28, 4, 24, MESSAGE_SIZE) : NULL;
  uint8_t *key = random_record(phrases, KEYS, 4, KEYS + 4, KEY_SIZE), *argument = random_record(key, 6, 2, 8, ARGUMENT_SIZE);
  uint8_t *tag = random_record(phrases, TAGS, 4, TAGS + 4, 8), *place;
  switch (number() % 12) {
    case 0: change_field(phrases + number() % 6 * 4, 4); break;
    case 1: if (language) change_field(language + number() % 9 * 4, number() % 2 ? 4 : 1); break;
    case 2: if (tag) change_field(tag + number() % 4 * 2, 2); break;
    case 3: if (key) change_field(key + number() % 6 * 2, 2); break;
    case 4: if (argument) change_field(argument + number() % 4 * 2, 2); break;
    case 5: if (argument) store16(argument + 6, 1 + (uint32_t)(number() % 5)); break;
    case 6: if (message) change_field(message + number() % 3 * 4, 4); break;
    // The rules and patterns of another language.
    case 7: if (message && other) store32(message + 4, (uint32_t)(int32_t)(other - message)); break;
    case 8:
      if ((place = target(language, 8 + number() % 2 * 4, 44))) change_field(place + number() % (45 - width), width);
      break;
    case 9:
      if ((place = target(language, 16 + number() % 2 * 4, 84))) change_field(place + number() % (85 - width), width);
      break;
    case 10:
      // A name of the same length for two arguments.
      if (key && argument && (place = random_record(key, 6, 2, 8, ARGUMENT_SIZE))) {
        uint8_t *from = target(argument, 0, read16(argument + 4)), *to = target(place, 0, read16(argument + 4));
        if (from && to) memmove(to, from, read16(argument + 4)), store16(place + 4, read16(argument + 4));
      }
      break;
    default:
      if ((place = target(message, 0, 2)) && (place = target(message, 0, 2 + read16(place)))) {
        change_field(place + number() % (2 + read16(place)), 1);
      }
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed) {
  random_state = ((uint64_t)seed + 1) * 0x9E3779B97F4A7C15u | 1;
  if (size < ARGUMENT_BYTES + HEAD_SIZE || maximum < size) return LLVMFuzzerMutate(data, size, maximum);
  phrases = data + ARGUMENT_BYTES, phrases_size = size - ARGUMENT_BYTES;
  for (uint64_t left = number() % 4 ? 1 : 1 + number() % 3; left > 0; left--) {
    switch (number() % 8) {
      case 0: phrases_size = LLVMFuzzerMutate(phrases, phrases_size, maximum - ARGUMENT_BYTES); break;
      case 1:
      case 2: LLVMFuzzerMutate(data, ARGUMENT_BYTES, ARGUMENT_BYTES); break;
      case 3:
      case 4: change_record(); break;
      default: {
        uint8_t *language = random_language(), *message = language ? random_record(language, 28, 4, 24, MESSAGE_SIZE) : NULL;
        uint8_t *key = message ? target(message, 8, KEY_SIZE) : NULL, *block = message ? target(message, 0, 2) : NULL;
        // The number of bytes stays, because the code of the next message follows.
        if (key && block && block != message && target(message, 0, 2 + read16(block))) write_nodes(block + 2, read16(block), key, 1);
      }
    }
    if (phrases_size < HEAD_SIZE) break;
  }
  return ARGUMENT_BYTES + phrases_size;
}

// ---- Use

static uint8_t argument_bytes[ARGUMENT_BYTES];
static size_t drawn;

// Returns a number below a limit, from the bytes of the input. After the last one, they are used again, each with another value.
static uint64_t draw(uint64_t limit) {
  uint64_t value = argument_bytes[drawn % ARGUMENT_BYTES] + drawn / ARGUMENT_BYTES * 41;
  drawn++;
  return value % limit;
}

static int64_t draw_units(void) {
  if (draw(4) > 0) return draw(2) ? (int64_t)draw(256) - 8 : sample_units[draw(SAMPLE_UNITS)];
  uint64_t units = 0;
  for (int byte = 0; byte < 8; byte++) units = units << 8 | draw(256);
  return (int64_t)units;
}

// Returns an argument, which has the right kind in 15 of 16 cases. The messages inside are the one before and itself.
static pricetag_argument draw_argument(const pricetag_pack *pack, const char *name, int32_t kind, const pricetag_message *message,
                                       const pricetag_argument *arguments, size_t count) {
  static const char *const keywords[] = {"family", "other", "", "a", "\xC3\xA9t\xC3\xA9", "\xE2\x82"};
  pricetag_argument argument = {.name = name, .units = draw_units()};
  // 19 is out of range, and -1 too.
  argument.exponent = draw(4) ? (int32_t)draw(4) : (int32_t)draw(21) - 1;
  argument.rounding = draw(32) ? (int32_t)draw(8) : (int32_t)draw(10) - 1;
  if (draw(16) == 0) kind = (int32_t)draw(8);
  if ((kind == PRICETAG_ARGUMENT_PRICE && draw(4) == 0) || kind == PRICETAG_ARGUMENT_PHRASE || kind == 6) {
    argument.message = message, argument.arguments = arguments, argument.argument_count = count;
  } else if (kind == PRICETAG_ARGUMENT_PRICE || kind == 7) {
    argument.price = formatter_at(pack, (uint32_t)draw(formatter_count(pack)));
  }
  if (kind == PRICETAG_ARGUMENT_KEYWORD || kind == 7) argument.keyword = keywords[draw(6)];
  if (draw(64) == 0) argument.name = draw(2) ? NULL : "";
  return argument;
}

static void write_message(const pricetag_message *message, const pricetag_argument *arguments, size_t count) {
  static uint8_t *large, *small;
  if (!large) large = guarded_memory(MAXIMUM_PHRASE).end, small = guarded_memory(MAXIMUM_PHRASE + PAGE).end;
  size_t lengths[2];
  int32_t statuses[2];
  for (int32_t isolation = PRICETAG_ISOLATES; isolation <= PRICETAG_NO_ISOLATES; isolation++) {
    char *whole = (char *)large - MAXIMUM_PHRASE;
    size_t length = SIZE_MAX, again = SIZE_MAX;
    int32_t status = pricetag_phrase(message, arguments, count, isolation, whole, MAXIMUM_PHRASE, &length);
    statuses[isolation] = status, lengths[isolation] = length;
    switch (status) {
      case PRICETAG_OK: CHECK(length <= MAXIMUM_PHRASE && is_utf8((uint8_t *)whole, length), "a phrase of %zu bytes", length); break;
      case PRICETAG_AMOUNT_OUT_OF_RANGE:
      case PRICETAG_NEEDS_ROUNDING:
      case PRICETAG_INVALID_ARGUMENT:
      case PRICETAG_MISSING_PLURAL:
      case PRICETAG_MISSING_ARGUMENT:
      case PRICETAG_EXTRA_ARGUMENT:
      case PRICETAG_WRONG_ARGUMENT:
      case PRICETAG_PHRASE_TOO_LONG: CHECK(length == SIZE_MAX, "a failed call has changed the length"); break;
      default: CHECK(0, "status %d", (int)status);
    }
    // Without a buffer, and in one that may be too small: the same status, or that the buffer is too small, with the same length.
    size_t capacities[] = {0, status == PRICETAG_OK ? length : 0, status == PRICETAG_OK && length > 0 ? draw(256) * 257 % length : draw(64)};
    for (int index = 0; index < 3; index++) {
      size_t capacity = capacities[index];
      uint8_t *place = small - capacity;
      memset(place - 16, 0xA5, 16);
      int32_t second = pricetag_phrase(message, arguments, count, isolation, index ? (char *)place : NULL, capacity, &again);
      for (int before = 1; before <= 16; before++) CHECK(place[-before] == 0xA5, "a byte before the buffer has changed");
      if (status != PRICETAG_OK) {
        CHECK(second == status, "status %d in a large buffer, %d in %zu bytes", (int)status, (int)second, capacity);
        continue;
      }
      CHECK(again == length && second == (length <= capacity ? PRICETAG_OK : PRICETAG_BUFFER_TOO_SMALL), "%zu bytes, then %zu: %d", length, again, (int)second);
      CHECK(second != PRICETAG_OK || memcmp(place, whole, length) == 0, "two texts of one phrase");
    }
  }
  if (statuses[0] == PRICETAG_OK) {
    CHECK(statuses[1] == PRICETAG_OK && lengths[1] <= lengths[0] && (lengths[0] - lengths[1]) % 6 == 0, "%zu bytes, %zu without isolates", lengths[0], lengths[1]);
  }
}

// Writes the messages of a language. Arguments of messages inside are those of the message before, or the own ones, without an end.
static void use_language(const pricetag_pack *pack, const pricetag_language *language) {
  static pricetag_argument lists[2][MAXIMUM_ARGUMENTS + 1];
  const pricetag_message *inner = NULL, *message;
  size_t inner_count = 0, used = 0;
  pricetag_text key, name;
  char text[256];
  for (size_t place = 0; place < 64 && pricetag_language_key(language, place, &key) == PRICETAG_OK; place++) {
    if (pricetag_message_find(language, terminated(text, key.bytes, key.length), &message) != PRICETAG_OK) continue;
    pricetag_argument *arguments = lists[used % 2];
    const pricetag_language *owner;
    size_t count = 0;
    CHECK(pricetag_message_language(message, &owner) == PRICETAG_OK && owner, "no language");
    for (int32_t kind; pricetag_message_argument(message, count, &name, &kind) == PRICETAG_OK; count++) {
      CHECK(count < MAXIMUM_ARGUMENTS && name.bytes[name.length] == 0 && kind >= 1 && kind <= 5, "an argument");
      int is_own = !inner || draw(16) == 0;
      arguments[count] = draw_argument(pack, name.bytes, kind, is_own ? message : inner, is_own ? arguments : lists[(used + 1) % 2], is_own ? count + 1 : inner_count);
    }
    if (count > 1 && draw(8) == 0) {
      pricetag_argument last = arguments[count - 1];
      arguments[count - 1] = arguments[0], arguments[0] = last;
    }
    if (draw(32) == 0) arguments[count] = arguments[0], count++;
    else if (draw(32) == 0 && count > 0) count--;
    write_message(message, arguments, count);
    inner = message, inner_count = count, used++;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < ARGUMENT_BYTES) return 0;
  memcpy(argument_bytes, data, ARGUMENT_BYTES);
  drawn = 0;
  size -= ARGUMENT_BYTES;
  // At an odd address, and with nothing after the pack that may be read.
  size_t total = prices_size + size;
  uint8_t *memory = (uint8_t *)malloc(total + 1), *bytes = memory + 1;
  CHECK(memory, "no memory");
  memcpy(bytes, prices, prices_size);
  memcpy(bytes + prices_size, data + ARGUMENT_BYTES, size);
  store32(bytes + PHRASES_FIELD + 4, (uint32_t)size);
  store32(bytes + SIZE_FIELD, (uint32_t)total);
  store_checksum(bytes, total);
  const pricetag_pack *pack = NULL;
  const pricetag_phrases *opened = NULL;
  const pricetag_language *language;
  int32_t status = pricetag_pack_open(bytes, total, &pack);
  CHECK(status == PRICETAG_OK, "the prices of the pack: status %d", (int)status);
  status = pricetag_phrases_open(pack, &opened);
  CHECK(status == PRICETAG_OK || status == PRICETAG_INVALID_PACK || (size == 0 && status == PRICETAG_NO_PHRASES), "status %d", (int)status);
  CHECK((status == PRICETAG_OK) == (opened != NULL), "status %d", (int)status);
  for (size_t index = 0; opened && index < 8 && pricetag_phrases_language(opened, index, &language) == PRICETAG_OK; index++) {
    pricetag_text tag;
    char text[256 + 8];
    CHECK(pricetag_language_tag(language, &tag) == PRICETAG_OK && is_utf8((const uint8_t *)tag.bytes, tag.length), "a tag");
    terminated(text, tag.bytes, tag.length);
    if (draw(2)) strcat(text, "_x-y");
    const pricetag_language *found = NULL;
    status = pricetag_phrases_match(opened, text, &found);
    CHECK(status == PRICETAG_OK ? found != NULL : status == PRICETAG_UNKNOWN_LANGUAGE, "status %d", (int)status);
    use_language(pack, language);
    if (found && found != language) use_language(pack, found);
  }
  free(memory);
  return 0;
}

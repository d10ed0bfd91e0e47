// Fuzzes the reading of prices. A text is any bytes, or a price with some changes, such as a space in another form. It ends at a
// page without access rights. Reading must agree with writing:
//
// - A price that was written is read as its amount.
// - The price of an amount that was read strictly is the same bytes.
// - The price of an amount that was read leniently has the same digits, and is read strictly as this amount.
// - The first difference is a place in the text, and the bytes before it are those of a price.
//
// libFuzzer calls the functions (Scripts/test/kernel-fuzz). The variable KERNEL_FUZZ_PACK names a pack.

#define _DEFAULT_SOURCE
#include "harness.h"

enum { MAXIMUM_TEXT = 4096 };

static const pricetag_pack *pack;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count, (void)arguments;
  const char *path = getenv("KERNEL_FUZZ_PACK");
  CHECK(path && pricetag_pack_open_file(path, &pack) == PRICETAG_OK, "KERNEL_FUZZ_PACK names no pack");
  return 0;
}

// Pieces that people and programs put into prices. The last ones are the bytes of tokens in folded text, and no UTF-8.
static const char *const pieces[] = {
    " ", "\u00A0", "\u202F", "\u2009", "\n", "'", "\u2019", "`", ",", ".", "\uFF0C", "\uFF0E", "-", "\u2212", "(", ")", "+", "\u200F", "\u202E", "\u2066",
    "\u200B", "\uFEFF", "0", "1", "9", "5", "\u0660", "\u0665", "\u066B", "\u066C", "\u0967", "\u4E00", "\U0001D7E3", "$", "\uFF04", "\u00A5", "\uFFE5", "\u00A3",
    "\u20AC", "US", "USD", "EUR", "JPY", "CHF", "EGP", "A", "\x01", "\x02", "\x03", "\x04", "\x80", "\xC2", "\xF0\x9D", "\xFF", "\u066A", "k", "/",
};
enum { PIECES = sizeof pieces / sizeof *pieces };

// Changes a text with three bytes at a time: what to do, where, and a piece. Returns the length.
static size_t change(char *text, size_t length, const uint8_t *changes, size_t count) {
  for (; count >= 3; changes += 3, count -= 3) {
    const char *piece = pieces[changes[2] % PIECES];
    size_t place = length ? changes[1] % (length + 1) : 0, added = changes[0] % 4 == 0 ? 0 : strlen(piece);
    size_t removed = changes[0] % 4 == 1 ? 0 : changes[0] % 4 == 3 ? 2 : 1;
    if (removed > length - place) removed = length - place;
    if (length + added - removed > MAXIMUM_TEXT + 1) break;
    memmove(text + place + added, text + place + removed, length - place - removed);
    memcpy(text + place, piece, added);
    length = length + added - removed;
  }
  return length;
}

// Stores the ASCII digits and those of the scripts in the pack, as ASCII. Returns their number.
static size_t digits_of(const char *text, size_t length, char *digits) {
  static const char *const hanidec[] = {"\u3007", "\u4E00", "\u4E8C", "\u4E09", "\u56DB", "\u4E94", "\u516D", "\u4E03", "\u516B", "\u4E5D"};
  static const struct { const char *zero; size_t length; } zeros[] = {{"0", 1}, {"\u0660", 2}, {"\u06F0", 2}, {"\u0966", 3}, {"\u09E6", 3}, {"\u1040", 3}, {"\u0F20", 3}, {"\U0001D7E2", 4}};
  size_t count = 0;
  for (size_t index = 0; index < length; index++) {
    for (size_t zero = 0; zero < sizeof zeros / sizeof *zeros; zero++) {
      size_t last = zeros[zero].length - 1;
      if (index + last >= length || memcmp(text + index, zeros[zero].zero, last) != 0) continue;
      int value = (uint8_t)text[index + last] - (uint8_t)zeros[zero].zero[last];
      if (value >= 0 && value <= 9) digits[count++] = (char)('0' + value);
    }
    for (int value = 0; value < 10; value++) {
      if (index + 3 <= length && memcmp(text + index, hanidec[value], 3) == 0) digits[count++] = (char)('0' + value);
    }
  }
  return count;
}

typedef struct {
  int32_t status, exponent;
  int64_t units;
  ptrdiff_t difference;
} reading;

static reading read(const pricetag_formatter *formatter, const char *text, size_t length, int32_t mode) {
  static uint8_t *page;
  if (!page) page = guarded_memory(MAXIMUM_TEXT + 64).end;
  reading found = {-1, 77, 77, -77};
  memcpy(page - length, text, length);
  found.status = pricetag_read(formatter, (char *)page - length, length, mode, &found.units, &found.exponent, &found.difference);
  switch (found.status) {
    case PRICETAG_OK: break;
    case PRICETAG_NOT_A_PRICE:
    case PRICETAG_NOT_AS_WRITTEN:
    case PRICETAG_AMBIGUOUS_NUMBER:
    case PRICETAG_AMOUNT_OUT_OF_RANGE:
    case PRICETAG_TEXT_TOO_LONG: CHECK(found.units == 77 && found.exponent == 77, "a failed call has changed a result"); break;
    default: CHECK(0, "status %d", (int)found.status);
  }
  CHECK((found.status == PRICETAG_TEXT_TOO_LONG) == (length > MAXIMUM_TEXT), "%zu bytes: status %d", length, (int)found.status);
  CHECK(found.difference >= -1 && found.difference <= (ptrdiff_t)length, "difference %td of %zu bytes", found.difference, length);
  CHECK(found.status != PRICETAG_OK || (found.exponent >= 0 && found.exponent <= 18), "exponent %d", (int)found.exponent);
  return found;
}

// Returns whether two amounts are the same number.
static int is_same(int64_t units, int32_t exponent, int64_t other, int32_t other_exponent) {
  __int128 first = units, second = other;
  for (; exponent < other_exponent; exponent++) first *= 10;
  for (; other_exponent < exponent; other_exponent++) second *= 10;
  return first == second;
}

static void check(const pricetag_formatter *formatter, const char *text, size_t length) {
  char price[MAXIMUM_PRICE], digits[MAXIMUM_TEXT + 1], price_digits[MAXIMUM_TEXT + 1];
  size_t price_length = 0;
  reading strict = read(formatter, text, length, PRICETAG_STRICT), lenient = read(formatter, text, length, PRICETAG_LENIENT);
  CHECK((strict.difference < 0) == (strict.status == PRICETAG_OK || strict.status == PRICETAG_AMBIGUOUS_NUMBER), "a difference");
  if (strict.status == PRICETAG_OK) {
    CHECK(lenient.status == PRICETAG_OK && lenient.difference < 0 && is_same(strict.units, strict.exponent, lenient.units, lenient.exponent),
          "strict and lenient reading differ: %d", (int)lenient.status);
  }
  if (lenient.status != PRICETAG_OK) return;
  int32_t status = pricetag_format_units(formatter, lenient.units, lenient.exponent, PRICETAG_EXACT, price, sizeof price, &price_length);
  CHECK(status == PRICETAG_OK, "the amount is not written: status %d", (int)status);
  int is_equal = length == price_length && memcmp(text, price, length) == 0;
  CHECK(is_equal == (lenient.difference < 0) && is_equal == (strict.status == PRICETAG_OK), "%.*s is written as %.*s", (int)length, text,
        (int)price_length, price);
  if (!is_equal) {
    size_t place = (size_t)lenient.difference;
    CHECK(place <= price_length && memcmp(text, price, place) == 0, "a difference before %zu", place);
    CHECK(place == length || place == price_length || text[place] != price[place], "no difference at %zu", place);
  }
  reading again = read(formatter, price, price_length, PRICETAG_STRICT);
  CHECK(again.status == PRICETAG_OK && is_same(again.units, again.exponent, lenient.units, lenient.exponent), "the written price is not read");
  size_t count = digits_of(text, length, digits);
  CHECK(count == digits_of(price, price_length, price_digits) && memcmp(digits, price_digits, count) == 0, "%.*s is read as %.*s", (int)length, text,
        (int)price_length, price);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 11) return 0;
  static char text[MAXIMUM_TEXT + 64];
  const pricetag_formatter *formatter = formatter_at(pack, (data[0] | (uint32_t)data[1] << 8) % formatter_count(pack));
  int64_t units;
  memcpy(&units, data + 3, sizeof units);
  size_t length = 0;
  if (data[2] % 8 != 7) {
    // Most prices are short, and some have many digits.
    if (data[2] & 16) units %= 100000000;
    int32_t exponent = data[2] & 32 ? pricetag_formatter_digits(formatter) : data[2] % 19;
    if (pricetag_format_units(formatter, units, exponent, PRICETAG_HALF_EVEN, text, MAXIMUM_PRICE, &length) == PRICETAG_OK) {
      reading found = read(formatter, text, length, PRICETAG_STRICT);
      char price[MAXIMUM_PRICE];
      size_t price_length = 0;
      // Without a sign, another amount may have the same price.
      CHECK(found.status == PRICETAG_OK && found.difference < 0, "%.*s cannot be read: status %d", (int)length, text, (int)found.status);
      CHECK(pricetag_format_units(formatter, found.units, found.exponent, PRICETAG_EXACT, price, sizeof price, &price_length) == PRICETAG_OK &&
                price_length == length && memcmp(price, text, length) == 0, "%.*s is read as %.*s", (int)length, text, (int)price_length, price);
    }
    length = change(text, length, data + 11, size - 11);
  } else {
    length = size - 11 < MAXIMUM_TEXT + 32 ? size - 11 : MAXIMUM_TEXT + 32;
    memcpy(text, data + 11, length);
  }
  check(formatter, text, length);
  return 0;
}

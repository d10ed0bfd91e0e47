// Fuzzes amounts: decimal text and units, in all rounding modes. An independent reader, rounding and writer with 128-bit
// integers give the expected results for en-US and USD; for the other formatters, the functions must agree with each other.
//
// libFuzzer calls the functions (Scripts/test/kernel-fuzz). The variable KERNEL_FUZZ_PACK names the pack of make_pack.py.

#define _DEFAULT_SOURCE
#include "harness.h"

typedef unsigned __int128 wide;

static const pricetag_pack *pack;
static const pricetag_formatter *usa;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count, (void)arguments;
  const char *path = getenv("KERNEL_FUZZ_PACK");
  CHECK(path && pricetag_pack_open_file(path, &pack) == PRICETAG_OK, "KERNEL_FUZZ_PACK names no pack");
  CHECK(pricetag_formatter_for_locale(pack, "en-US", "USD", NULL, &usa) == PRICETAG_OK, "no en-US and USD");
  return 0;
}

static int is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Reads decimal text as docs/c.md defines it.
static int32_t expected_amount(const uint8_t *text, size_t length, int64_t *units, int32_t *exponent) {
  if (length > 64) {
    for (size_t index = 0; index < 65; index++) {
      if (!is_digit(text[index]) && !strchr("+-.", text[index] ? text[index] : 'x')) return PRICETAG_MALFORMED_AMOUNT;
    }
    return PRICETAG_AMOUNT_OUT_OF_RANGE;
  }
  size_t start = length > 0 && (text[0] == '-' || text[0] == '+'), point = start;
  while (point < length && is_digit(text[point])) point++;
  if (point == start) return PRICETAG_MALFORMED_AMOUNT;
  if (point < length && (text[point] != '.' || point + 1 == length)) return PRICETAG_MALFORMED_AMOUNT;
  for (size_t index = point + 1; index < length; index++) {
    if (!is_digit(text[index])) return PRICETAG_MALFORMED_AMOUNT;
  }
  int is_negative = text[0] == '-';
  wide limit = (wide)INT64_MAX + (wide)is_negative, magnitude = 0;
  for (size_t index = start; index < point; index++) {
    magnitude = magnitude * 10 + (wide)(text[index] - '0');
    if (magnitude > limit) return PRICETAG_AMOUNT_OUT_OF_RANGE;
  }
  int32_t scale = 0;
  size_t index = point + 1;
  for (; index < length && scale < 18 && magnitude * 10 + (wide)(text[index] - '0') <= limit; index++, scale++) {
    magnitude = magnitude * 10 + (wide)(text[index] - '0');
  }
  for (; index < length; index++) {
    if (text[index] != '0') return PRICETAG_AMOUNT_OUT_OF_RANGE;
  }
  *units = is_negative ? (int64_t)(0 - (uint64_t)magnitude) : (int64_t)magnitude;
  *exponent = scale;
  return PRICETAG_OK;
}

// Writes the price of USD in en-US, and returns its status.
static int32_t expected_price(int64_t units, int32_t exponent, int32_t rounding, char *text) {
  int is_negative = units < 0;
  wide cents = is_negative ? (wide) - (__int128)units : (wide)units;
  for (int32_t scale = exponent; scale < 2; scale++) cents *= 10;
  if (exponent > 2) {
    wide divisor = 1;
    for (int32_t scale = exponent; scale > 2; scale--) divisor *= 10;
    wide rest = cents % divisor;
    cents /= divisor;
    if (rest > 0) {
      int is_tie = rest * 2 == divisor, is_above = rest * 2 > divisor;
      switch (rounding) {
        case PRICETAG_EXACT: return PRICETAG_NEEDS_ROUNDING;
        case PRICETAG_HALF_EVEN: cents += is_above || (is_tie && cents % 2 == 1); break;
        case PRICETAG_HALF_UP: cents += is_above || is_tie; break;
        case PRICETAG_HALF_DOWN: cents += is_above; break;
        case PRICETAG_UP: cents += 1; break;
        case PRICETAG_DOWN: break;
        case PRICETAG_CEILING: cents += !is_negative; break;
        case PRICETAG_FLOOR: cents += is_negative; break;
      }
    }
  }
  char reversed[64];
  size_t length = 0, digits = 0;
  is_negative = is_negative && cents > 0;
  do {
    if (digits == 2) reversed[length++] = '.';
    if (digits > 2 && (digits - 2) % 3 == 0) reversed[length++] = ',';
    reversed[length++] = (char)('0' + (int)(cents % 10));
    cents /= 10;
    digits++;
  } while (cents > 0 || digits < 3);
  reversed[length++] = '$';
  if (is_negative) reversed[length++] = '-';
  for (size_t index = 0; index < length; index++) text[index] = reversed[length - 1 - index];
  text[length] = 0;
  return PRICETAG_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 11) return 0;
  static uint8_t *buffer_end;
  if (!buffer_end) buffer_end = guarded_memory(2 * MAXIMUM_PRICE).end;
  const pricetag_formatter *formatter = formatter_at(pack, data[0] % formatter_count(pack));
  int32_t rounding = data[1] % 8, exponent = data[2] % 19, scale = 0;
  int64_t units, parsed = 0, expected_units = 0;
  memcpy(&units, data + 3, sizeof units);
  size_t text_length = size - 11;
  char *text = (char *)malloc(text_length + 1), first[MAXIMUM_PRICE], second[MAXIMUM_PRICE], expected[64];
  CHECK(text, "no memory");
  memcpy(text, data + 11, text_length);

  int32_t expected_status = expected_amount((uint8_t *)text, text_length, &expected_units, &exponent);
  int32_t status = pricetag_parse(text, text_length, &parsed, &scale);
  CHECK(status == expected_status, "%.*s: status %d, not %d", (int)text_length, text, (int)status, (int)expected_status);
  if (status == PRICETAG_OK) {
    CHECK(parsed == expected_units && scale == exponent, "%.*s is %lld and %d", (int)text_length, text, (long long)parsed, (int)scale);
  } else {
    exponent = data[2] % 19;
  }
  for (int round = 0; round < 2; round++) {
    // First the text, if it is an amount, then the units.
    int64_t amount = round == 0 ? parsed : units;
    int32_t digits = round == 0 ? exponent : data[2] % 19;
    if (round == 0 && status != PRICETAG_OK) {
      size_t length = 0;
      CHECK(pricetag_format(formatter, text, text_length, rounding, first, sizeof first, &length) == status, "a malformed text");
      continue;
    }
    size_t length = 0, other_length = 0;
    int32_t units_status = pricetag_format_units(formatter, amount, digits, rounding, first, sizeof first, &length);
    if (round == 0) {
      int32_t text_status = pricetag_format(formatter, text, text_length, rounding, second, sizeof second, &other_length);
      CHECK(text_status == units_status && length == other_length && memcmp(first, second, length) == 0, "text and units differ");
    }
    format_in_all_ways(formatter, amount, digits, rounding, buffer_end, data[0] % 64);
    int32_t usa_status = pricetag_format_units(usa, amount, digits, rounding, first, sizeof first, &length);
    int32_t price_status = expected_price(amount, digits, rounding, expected);
    CHECK(usa_status == price_status, "status %d, not %d", (int)usa_status, (int)price_status);
    if (usa_status == PRICETAG_OK) {
      CHECK(length == strlen(expected) && memcmp(first, expected, length) == 0, "%.*s, not %s", (int)length, first, expected);
    }
  }
  free(text);
  return 0;
}

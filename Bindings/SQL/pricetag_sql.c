// The text of options, codes, the cache of formatters, and messages; see pricetag_sql.h.
#include "pricetag_sql.h"

#include <stdio.h>
#include <string.h>

#include "../C/pricetag_shared.h"

// ---- Codes

// The texts of the statuses beside those of pricetag.h, in order.
static const pricetag_status_text own_texts[] = {
    {"wrong-type", "the argument has a type that the function does not take", "pass decimal text or an integer"},
    {"malformed-date", "the text is not a date", "write YYYY-MM-DD, such as '2026-01-31'"},
    {"invalid-option", "the option is unknown or has an unknown value",
     "write pairs such as 'width=iso rounding=half-even', each name once"},
    {"no-minor-unit", "the currency has no minor unit", "pass the amount as decimal text"},
    {"missing-style", "the pack has no spoken forms of the style", "write the pack without --no-spoken"},
    {"missing-storefront", "there is no storefront, and no price locale with a currency", "pass one of them"},
    {"unknown-locale", "the extension contains no pack of price locales",
     "set PRICETAG_PACK to a pack that was written with --locales"},
};

// Returns how to fix an error, in the words of SQL: the fixes of pricetag.h are for C programs.
static const char *fix_of(int32_t status) {
  switch (status) {
    // Generated from Bindings/tables.json (fixes); do not edit.
    case PRICETAG_NEEDS_ROUNDING: return "allow rounding in the options, such as 'rounding=half-even'";
    case PRICETAG_MISSING_STYLE: return "write a pack with the options of this style (pricetag pack), and set PRICETAG_PACK to its path";
    case PRICETAG_MISSING_DATE: return "pass the date of the price, such as '2026-01-31'";
    // End of the generated lines.
    default: return pricetag_status_fix(status);
  }
}

static pricetag_status_text text(int32_t status) {
  bool is_own = status >= PRICETAG_SQL_WRONG_TYPE && status <= PRICETAG_SQL_MISSING_LOCALES;
  if (is_own) return own_texts[status - PRICETAG_SQL_WRONG_TYPE];
  return (pricetag_status_text){pricetag_status_code(status), pricetag_status_message(status), fix_of(status)};
}

const char *pricetag_sql_code(int32_t status) { return text(status).code; }
const char *pricetag_sql_message(int32_t status) { return text(status).message; }
const char *pricetag_sql_fix(int32_t status) { return text(status).fix; }

bool pricetag_sql_is_of_query(int32_t status) {
  switch (status) {
    case PRICETAG_SQL_INVALID_OPTION:
    case PRICETAG_SQL_MISSING_SPOKEN:
    case PRICETAG_SQL_MISSING_LOCALES:
    case PRICETAG_INVALID_ARGUMENT:
    case PRICETAG_MISSING_STYLE: return true;
    default: return false;
  }
}

// ---- Options

enum { WIDTH, ZEROS, SIGN, DIGITS, GROUPING, NUMBERING, NOTATION, QUALIFIER, PER, ROUNDING, UNIT, LENIENT, OPTIONS };

// The options, and their values, the indices of which are the constants of pricetag.h. The values of some are not only
// in a list.
static const struct {
  const char *name, *values[10];
} all_options[OPTIONS] = {
    // Generated from Bindings/tables.json (options); do not edit.
    [WIDTH] = {"width", {"standard", "narrow", "iso", "name", "hidden", "formal", "variant", "unambiguous"}},
    [ZEROS] = {"zeros", {"keep", "trim"}},
    [SIGN] = {"sign", {"auto", "accounting", "always", "never", "except-zero", "accounting-always",
        "accounting-except-zero", "negative", "accounting-negative"}},
    [DIGITS] = {"digits", {"standard", "cash", "minor-units"}},
    [GROUPING] = {"grouping", {"auto", "always", "min2", "never"}},
    [NUMBERING] = {"numbering", {NULL}},
    [NOTATION] = {"notation", {"standard", "compact-short", "compact-long"}},
    [QUALIFIER] = {"qualifier", {"none", "approximately", "at-least"}},
    [PER] = {"per", {NULL}},
    [ROUNDING] = {"rounding", {"exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"}},
    [UNIT] = {"unit", {"major", "minor", "micros"}},
    [LENIENT] = {"lenient", {"false", "true"}},
    // End of the generated lines.
};

static bool equals(const char *text, size_t length, const char *name) {
  return strlen(name) == length && memcmp(text, name, length) == 0;
}

// Stores the index of a value in a list that ends with NULL; returns false for a value that the list lacks.
static bool read_choice(const char *value, size_t length, const char *const *list, uint8_t *result) {
  for (uint8_t index = 0; list[index]; index++) {
    if (equals(value, length, list[index])) {
      *result = index;
      return true;
    }
  }
  return false;
}

const char *const *pricetag_sql_values(const char *name) {
  for (size_t option = 0; option < OPTIONS; option++) {
    if (strcmp(all_options[option].name, name) == 0) return all_options[option].values;
  }
  return NULL;
}

// Reads a number from 0 to 18 of at most two digits, and moves the text beyond it.
static bool read_digits(const char **text, const char *end, uint8_t *number) {
  unsigned value = 0;
  const char *start = *text;
  while (*text < end && **text >= '0' && **text <= '9' && *text - start < 2)
    value = value * 10 + (unsigned)(*(*text)++ - '0');
  if (*text == start || value > 18) return false;
  *number = (uint8_t)value;
  return true;
}

bool pricetag_sql_is_pack_name(const char *text) {
  static const char prefix[] = "cldr-";
  const char *number = text + sizeof prefix - 1;
  if (strncmp(text, prefix, sizeof prefix - 1) != 0) return false;
  return *number && !number[strspn(number, "0123456789")];
}

bool pricetag_sql_parse_digits(const char *value, size_t length, pricetag_style *style) {
  if (read_choice(value, length, all_options[DIGITS].values, &style->digits)) {
    // Between cash and minor-units are the kinds of numbers, which have no name.
    if (style->digits > PRICETAG_DIGITS_CASH) style->digits = PRICETAG_DIGITS_MINOR_UNITS;
    return true;
  }
  const char *text = value, *end = value + length;
  if (!read_digits(&text, end, &style->minimum_digits)) return false;
  style->maximum_digits = style->minimum_digits;
  if (text < end && *text == '-') {
    text++;
    if (!read_digits(&text, end, &style->maximum_digits)) return false;
  }
  if (text < end || style->minimum_digits > style->maximum_digits) return false;
  style->digits = style->minimum_digits == style->maximum_digits ? PRICETAG_DIGITS_FIXED : PRICETAG_DIGITS_RANGE;
  return true;
}

// Reads the name of a numbering system: lowercase letters and digits. Which names exist is decided by the pack.
static bool read_numbering(const char *value, size_t length, char result[8]) {
  if (length == 0 || length > 8) return false;
  for (size_t index = 0; index < length; index++) {
    if (!(value[index] >= 'a' && value[index] <= 'z') && !(value[index] >= '0' && value[index] <= '9')) return false;
  }
  memcpy(result, value, length);
  return true;
}

// The units of references: each spelling that the command accepts, and the one in a pack.
static const struct {
  const char *spelling, *unit;
} reference_units[] = {
    {"mg", "mg"}, {"g", "g"}, {"kg", "kg"}, {"t", "t"}, {"oz", "oz"},
    {"lb", "lb"}, {"lbs", "lb"}, {"mL", "mL"}, {"ml", "mL"}, {"cL", "cL"},
    {"cl", "cL"}, {"dL", "dL"}, {"dl", "dL"}, {"L", "L"}, {"l", "L"},
    {"hL", "hL"}, {"hl", "hL"}, {"cm³", "cm3"}, {"cm3", "cm3"}, {"m³", "m3"},
    {"m3", "m3"}, {"fl oz", "fl oz"}, {"floz", "fl oz"}, {"fl. oz.", "fl oz"}, {"pt", "pt"},
    {"qt", "qt"}, {"gal", "gal"}, {"mm", "mm"}, {"cm", "cm"}, {"m", "m"},
    {"km", "km"}, {"in", "in"}, {"ft", "ft"}, {"yd", "yd"}, {"cm²", "cm2"},
    {"cm2", "cm2"}, {"m²", "m2"}, {"m2", "m2"}, {"sq in", "sq in"}, {"in²", "sq in"},
    {"in2", "sq in"}, {"sq ft", "sq ft"}, {"ft²", "sq ft"}, {"ft2", "sq ft"}, {"sq yd", "sq yd"},
    {"yd²", "sq yd"}, {"yd2", "sq yd"},
};

// Returns the number of bytes of the space at the start of the text: U+0020, U+00A0, U+2009 or U+202F; 0 for others.
static size_t space(const char *text, size_t length) {
  static const char *const spaces[] = {" ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF"};
  for (size_t index = 0; index < sizeof spaces / sizeof spaces[0]; index++) {
    size_t count = strlen(spaces[index]);
    if (count <= length && memcmp(text, spaces[index], count) == 0) return count;
  }
  return 0;
}

static bool read_unit(const char *value, size_t length, const char **unit) {
  for (size_t index = 0; index < sizeof reference_units / sizeof reference_units[0]; index++) {
    if (!equals(value, length, reference_units[index].spelling)) continue;
    *unit = reference_units[index].unit;
    return true;
  }
  return false;
}

// A pack has references without the number 1, and without spaces if they have more than 8 bytes.
bool pricetag_sql_parse_reference(const char *value, size_t length, char result[8]) {
  static const char *const quantities[] = {"1", "10", "50", "75", "100", "1000", NULL};
  char text[64];
  size_t count = 0;
  // Single spaces, and none at the ends.
  for (size_t at = 0; at < length;) {
    size_t width = space(value + at, length - at);
    if (width == 0) {
      if (count == sizeof text) return false;
      text[count++] = value[at++];
      continue;
    }
    at += width;
    if (count == 0 || text[count - 1] == ' ') continue;
    if (count == sizeof text) return false;
    text[count++] = ' ';
  }
  if (count != 0 && text[count - 1] == ' ') count--;

  size_t start = 0, digits = 0;
  while (start < count && text[start] == '0') start++;
  while (start + digits < count && text[start + digits] >= '0' && text[start + digits] <= '9') digits++;
  uint8_t quantity = 0;
  size_t place = start + digits;
  if (place != 0 && !read_choice(text + start, digits, quantities, &quantity)) return false;
  if (place != 0 && place < count && text[place] == ' ') place++;
  const char *unit;
  if (!read_unit(text + place, count - place, &unit)) return false;

  char reference[16];
  size_t end = 0;
  if (quantity != 0) {
    end = strlen(quantities[quantity]);
    memcpy(reference, quantities[quantity], end);
    reference[end++] = ' ';
  }
  size_t unit_length = strlen(unit);
  memcpy(reference + end, unit, unit_length);
  end += unit_length;
  if (end > 8) {
    size_t kept = 0;
    for (size_t index = 0; index < end; index++) {
      if (reference[index] != ' ') reference[kept++] = reference[index];
    }
    end = kept;
  }
  if (end > 8) return false;
  memset(result, 0, 8);
  memcpy(result, reference, end);
  return true;
}

static bool read_option(unsigned option, const char *value, size_t length, pricetag_sql_options *options) {
  const char *const *values = all_options[option].values;
  pricetag_style *style = &options->style;
  uint8_t choice = 0;
  switch (option) {
    case WIDTH: return read_choice(value, length, values, &style->width);
    case ZEROS: return read_choice(value, length, values, &style->zeros);
    case SIGN: return read_choice(value, length, values, &style->sign);
    case DIGITS: return pricetag_sql_parse_digits(value, length, style);
    case GROUPING: return read_choice(value, length, values, &style->grouping);
    case NUMBERING: return read_numbering(value, length, style->numbering);
    case NOTATION: return read_choice(value, length, values, &style->notation);
    case QUALIFIER: return read_choice(value, length, values, &style->qualifier);
    case PER: return pricetag_sql_parse_reference(value, length, style->unit);
    default:
      if (!read_choice(value, length, values, &choice)) return false;
      *(option == ROUNDING ? &options->rounding : option == UNIT ? &options->unit : &options->mode) = choice;
      return true;
  }
}

static size_t end_of_word(const char *text, size_t length, size_t at) {
  while (at < length && text[at] != ' ' && text[at] != ',') at++;
  return at;
}

// Returns the end of the pair that starts here. A word without an equals sign after a space belongs to the pair:
// "per=100 mL".
static size_t end_of_pair(const char *text, size_t length, size_t at) {
  size_t end = end_of_word(text, length, at);
  for (;;) {
    size_t start = end;
    while (start < length && text[start] == ' ') start++;
    size_t next = end_of_word(text, length, start);
    if (next == start || memchr(text + start, '=', next - start)) return end;
    end = next;
  }
}

int32_t pricetag_sql_parse_options(const char *text, size_t length, int32_t unit, pricetag_sql_options *options,
                                   pricetag_text *place) {
  pricetag_sql_options result;
  memset(&result, 0, sizeof result);
  *place = (pricetag_text){text, length};
  if (length > PRICETAG_SQL_MAXIMUM_OPTIONS) return PRICETAG_SQL_INVALID_OPTION;
  unsigned seen = unit == PRICETAG_SQL_READ ? 1u << ROUNDING : 1u << LENIENT;
  if (unit != PRICETAG_SQL_ANY_UNIT) {
    seen |= 1u << UNIT;
    result.unit = unit;
  }
  size_t at = 0;
  while (at < length) {
    if (text[at] == ' ' || text[at] == ',') {
      at++;
      continue;
    }
    size_t start = at;
    at = end_of_pair(text, length, at);
    *place = (pricetag_text){text + start, at - start};
    const char *sign = memchr(text + start, '=', at - start);
    unsigned option = 0;
    if (!sign) return PRICETAG_SQL_INVALID_OPTION;
    while (option < OPTIONS && !equals(text + start, (size_t)(sign - text) - start, all_options[option].name)) option++;
    if (option == OPTIONS || (seen >> option & 1) != 0) return PRICETAG_SQL_INVALID_OPTION;
    seen |= 1u << option;
    if (!read_option(option, sign + 1, (size_t)(text + at - (sign + 1)), &result)) return PRICETAG_SQL_INVALID_OPTION;
  }
  *options = result;
  return PRICETAG_OK;
}

// ---- The cache

int32_t pricetag_sql_find_options(pricetag_sql_cache *cache, pricetag_text text, int32_t unit,
                                  const pricetag_sql_cached_options **options, pricetag_text *place) {
  size_t length = text.bytes ? text.length : 0;
  if (length > PRICETAG_SQL_MAXIMUM_OPTIONS) {
    *place = text;
    return PRICETAG_SQL_INVALID_OPTION;
  }
  for (size_t index = 0; index < PRICETAG_SQL_CACHED_OPTIONS; index++) {
    const pricetag_sql_cached_options *cached = &cache->options[index];
    if (cached->id != 0 && cached->unit == unit && cached->length == length &&
        (length == 0 || memcmp(cached->text, text.bytes, length) == 0)) {
      *options = cached;
      return PRICETAG_OK;
    }
  }
  pricetag_sql_options parsed;
  int32_t status = pricetag_sql_parse_options(text.bytes ? text.bytes : "", length, unit, &parsed, place);
  if (status != PRICETAG_OK) return status;
  if (cache->next_options == UINT32_MAX) memset(cache, 0, sizeof *cache);
  pricetag_sql_cached_options *cached = &cache->options[cache->next_options % PRICETAG_SQL_CACHED_OPTIONS];
  cached->id = ++cache->next_options;
  cached->unit = unit;
  cached->options = parsed;
  cached->length = (uint32_t)length;
  if (length != 0) memcpy(cached->text, text.bytes, length);
  *options = cached;
  return PRICETAG_OK;
}

// The maximum number of bytes of a storefront, a price locale or a currency that is looked up.
enum { MAXIMUM_NAME = 127 };

static bool copy_name(pricetag_text name, char result[MAXIMUM_NAME + 1]) {
  return pricetag_copy_name(result, MAXIMUM_NAME + 1, name.bytes, name.length);
}

int32_t pricetag_sql_look_up(const pricetag_sql_packs *packs, const pricetag_sql_question *question,
                             const pricetag_sql_options *options, pricetag_sql_formatter *result) {
  char name[MAXIMUM_NAME + 1], currency[MAXIMUM_NAME + 1];
  const pricetag_pack *pack = question->is_locale ? packs->locales : packs->storefronts;
  if (!pack) return PRICETAG_SQL_MISSING_LOCALES;
  if (!copy_name(question->name, name))
    return question->is_locale ? PRICETAG_UNKNOWN_LOCALE : PRICETAG_UNKNOWN_STOREFRONT;
  bool has_currency = question->currency.bytes != NULL;
  if (has_currency && !copy_name(question->currency, currency)) return PRICETAG_UNKNOWN_CURRENCY;
  const pricetag_formatter *formatter;
  int32_t status;
  if (question->is_locale) {
    if (!has_currency) return PRICETAG_SQL_MISSING_STOREFRONT;
    status = pricetag_formatter_for_locale(pack, name, currency, &options->style, &formatter);
  } else if (has_currency) {
    status = pricetag_formatter_for_storefront_in(pack, name, currency, question->date, &options->style, &formatter);
  } else {
    status = pricetag_formatter_for_storefront(pack, name, question->date, &options->style, &formatter);
  }
  if (status != PRICETAG_OK) return status;
  int32_t exponent = options->unit == PRICETAG_SQL_MICROS ? 6 : 0;
  if (options->unit == PRICETAG_SQL_MINOR) {
    if (!has_currency) {
      pricetag_text charged;
      status = pricetag_storefront(pack, name, question->date, &charged, NULL);
      if (status != PRICETAG_OK) return status;
      if (!copy_name(charged, currency)) return PRICETAG_UNKNOWN_CURRENCY;
    }
    status = pricetag_minor_unit_digits(pack, currency, &exponent);
    if (status == PRICETAG_OK && exponent < 0) status = PRICETAG_SQL_NO_MINOR_UNIT;
    if (status != PRICETAG_OK) return status;
  }
  if (question->is_spoken) {
    formatter = pricetag_formatter_spoken(formatter);
    if (!formatter) return PRICETAG_SQL_MISSING_SPOKEN;
  }
  *result = (pricetag_sql_formatter){formatter, options->rounding, exponent, options->unit, options->mode};
  return PRICETAG_OK;
}

// Returns the place of a question in the cache.
static size_t place_of(const pricetag_sql_cached_formatter *key) {
  uint64_t words[(sizeof key->name + sizeof key->currency) / sizeof(uint64_t)];
  memcpy(words, key->name, sizeof key->name);
  memcpy((char *)words + sizeof key->name, key->currency, sizeof key->currency);
  uint64_t hash = (uint64_t)key->options << 2 | (key->is_locale ? 2u : 0u) | (key->is_spoken ? 1u : 0u);
  hash = pricetag_hash(hash, (uint64_t)key->date);
  for (size_t index = 0; index < sizeof words / sizeof *words; index++) hash = pricetag_hash(hash, words[index]);
  return hash % PRICETAG_SQL_CACHE_SIZE;
}

int32_t pricetag_sql_find(pricetag_sql_cache *cache, const pricetag_sql_packs *packs,
                          const pricetag_sql_question *question, const pricetag_sql_cached_options *options,
                          pricetag_sql_formatter *result) {
  pricetag_sql_cached_formatter key;
  size_t name = question->name.length, currency = question->currency.bytes ? question->currency.length : 0;
  // An empty name and one with a zero byte are unknown, so that zero bytes can end the names in the cache.
  if (name == 0 || name > PRICETAG_SQL_CACHED_NAME || memchr(question->name.bytes, 0, name) ||
      (question->currency.bytes &&
       (currency == 0 || currency > PRICETAG_SQL_CACHED_CURRENCY || memchr(question->currency.bytes, 0, currency)))) {
    return pricetag_sql_look_up(packs, question, &options->options, result);
  }
  memset(&key, 0, sizeof key);
  memcpy(key.name, question->name.bytes, name);
  if (currency != 0) memcpy(key.currency, question->currency.bytes, currency);
  key.date = question->date;
  key.options = options->id;
  key.is_locale = question->is_locale;
  key.is_spoken = question->is_spoken;
  pricetag_sql_cached_formatter *cached = &cache->formatters[place_of(&key)];
  if (cached->options == key.options && cached->date == key.date && cached->is_locale == key.is_locale &&
      cached->is_spoken == key.is_spoken && memcmp(cached->name, key.name, sizeof key.name) == 0 &&
      memcmp(cached->currency, key.currency, sizeof key.currency) == 0) {
    *result = cached->result;
    return PRICETAG_OK;
  }
  int32_t status = pricetag_sql_look_up(packs, question, &options->options, &key.result);
  if (status != PRICETAG_OK) return status;
  *cached = key;
  *result = key.result;
  return PRICETAG_OK;
}

// ---- Amounts

int32_t pricetag_sql_format_text(const pricetag_sql_formatter *formatter, pricetag_text amount, char *buffer,
                                 size_t *length) {
  if (formatter->unit != PRICETAG_SQL_MAJOR) return PRICETAG_SQL_WRONG_TYPE;
  return pricetag_format(formatter->formatter, amount.bytes, amount.length, formatter->rounding, buffer,
                         PRICETAG_MAXIMUM_CAPACITY, length);
}

int32_t pricetag_sql_format_integer(const pricetag_sql_formatter *formatter, int64_t amount, char *buffer,
                                    size_t *length) {
  return pricetag_format_units(formatter->formatter, amount, formatter->exponent, formatter->rounding, buffer,
                               PRICETAG_MAXIMUM_CAPACITY, length);
}

int32_t pricetag_sql_read(const pricetag_sql_formatter *formatter, pricetag_text price, char *buffer, size_t *length) {
  int64_t units;
  int32_t exponent;
  int32_t status =
      pricetag_read(formatter->formatter, price.bytes, price.length, formatter->mode, &units, &exponent, NULL);
  if (status == PRICETAG_OK) *length = pricetag_amount_text(units, exponent, buffer);
  return status;
}

// ---- Messages

// Returns the number of bytes of the character at the start of the text; 0 if it is a control character or not UTF-8.
static size_t character(const unsigned char *text, size_t length) {
  if (text[0] < 0x80) return text[0] >= 0x20 && text[0] != 0x7F ? 1 : 0;
  size_t count = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
  if (text[0] < 0xC2 || text[0] > 0xF4 || length < count) return 0;
  for (size_t index = 1; index < count; index++) {
    if ((text[index] & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and numbers above U+10FFFF; and the control characters from U+0080 on.
  if ((text[0] == 0xC2 && text[1] < 0xA0) || (text[0] == 0xE0 && text[1] < 0xA0) ||
      (text[0] == 0xED && text[1] > 0x9F) || (text[0] == 0xF0 && text[1] < 0x90) ||
      (text[0] == 0xF4 && text[1] > 0x8F)) {
    return 0;
  }
  return count;
}

const char *pricetag_sql_quote(pricetag_text text, char quoted[PRICETAG_SQL_QUOTED]) {
  enum { MAXIMUM = 160 };
  size_t at = 0, end = 0;
  quoted[end++] = '"';
  while (at < text.length && at < MAXIMUM) {
    size_t count = character((const unsigned char *)text.bytes + at, text.length - at);
    if (count == 0) {
      quoted[end++] = '?';
      at++;
    } else {
      memcpy(quoted + end, text.bytes + at, count);
      end += count;
      at += count;
    }
  }
  if (at < text.length) {
    memcpy(quoted + end, "…", sizeof "…" - 1);
    end += sizeof "…" - 1;
  }
  quoted[end++] = '"';
  quoted[end] = 0;
  return quoted;
}

void pricetag_sql_describe(int32_t status, const char *place, const char *problem, const char *fix,
                           char message[PRICETAG_SQL_MESSAGE]) {
  snprintf(message, PRICETAG_SQL_MESSAGE, "%s: %s%s%s; %s", pricetag_sql_code(status), place ? place : "",
           place ? ": " : "", problem ? problem : pricetag_sql_message(status), fix ? fix : pricetag_sql_fix(status));
}

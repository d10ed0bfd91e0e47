// Prices of Arrow columns; see pricetag_arrow.h.
#include "pricetag_arrow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Errors

static const char *code_of(int32_t status) {
  switch (status) {
    case PRICETAG_ARROW_WRONG_TYPE: return "wrong-type";
    case PRICETAG_ARROW_INVALID_ARRAY: return "invalid-array";
    case PRICETAG_ARROW_OUT_OF_MEMORY: return "out-of-memory";
    case PRICETAG_ARROW_RESULT_TOO_LARGE: return "result-too-large";
    case PRICETAG_ARROW_INVALID_OPTION: return "invalid-option";
    case PRICETAG_ARROW_MALFORMED_DATE: return "malformed-date";
    case PRICETAG_ARROW_NO_MINOR_UNIT: return "no-minor-unit";
    default: return pricetag_status_code(status);
  }
}

#define PRINTS(text, first) __attribute__((format(printf, text, first)))

PRINTS(4, 5)
static int32_t fail(pricetag_arrow_error *error, int32_t status, const char *fix, const char *message, ...) {
  if (error) {
    va_list arguments;
    error->status = status;
    snprintf(error->code, sizeof error->code, "%s", code_of(status));
    snprintf(error->fix, sizeof error->fix, "%s", fix);
    va_start(arguments, message);
    vsnprintf(error->message, sizeof error->message, message, arguments);
    va_end(arguments);
  }
  return status;
}

static int32_t out_of_memory(pricetag_arrow_error *error) {
  return fail(error, PRICETAG_ARROW_OUT_OF_MEMORY, "pass smaller batches", "there is not enough memory for the prices");
}

static const char produce_again[] = "correct the producer of the array";
static const char *const argument_names[PRICETAG_ARROW_ARGUMENTS] = {"amount", "storefront", "locale", "currency",
                                                                     "date"};

// Text of an argument for a message: printable, and not too long.
typedef struct {
  char text[56];
} excerpt;

static excerpt excerpt_of(const char *text, size_t length) {
  excerpt result;
  size_t end = 0;
  while (end < length && end < 48) {
    unsigned char byte = (unsigned char)text[end];
    if (byte == 0) break;
    result.text[end++] = byte < 0x20 || byte == 0x7F ? '?' : (char)byte;
  }
  if (end < length && (unsigned char)text[end] >= 0x80) {
    // Only complete characters.
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  }
  memcpy(result.text + end, end < length ? "…" : "", end < length ? sizeof "…" : 1);
  return result;
}

// ---- Codes of rows

enum {
  NO_ERROR = 0,
  UNKNOWN_STOREFRONT,
  UNKNOWN_LOCALE,
  MALFORMED_LOCALE,
  UNEXPECTED_EXTENSION,
  UNKNOWN_CURRENCY,
  CURRENCY_MISMATCH,
  MALFORMED_DATE,
  MISSING_DATE,
  MISSING_STOREFRONT,
  MISSING_FORMATTER,
  MISSING_STYLE,
  MISSING_PLURAL,
  MALFORMED_AMOUNT,
  AMOUNT_OUT_OF_RANGE,
  NEEDS_ROUNDING,
  NO_MINOR_UNIT,
  INVALID_ARGUMENT,
  ERROR_COUNT
};

// The values of a dictionary in Arrow's layout: its index is that of the code, less one.
#define ERROR_CODES(CODE)                            \
  CODE(UNKNOWN_STOREFRONT, "unknown-storefront")     \
  CODE(UNKNOWN_LOCALE, "unknown-locale")             \
  CODE(MALFORMED_LOCALE, "malformed-locale")         \
  CODE(UNEXPECTED_EXTENSION, "unexpected-extension") \
  CODE(UNKNOWN_CURRENCY, "unknown-currency")         \
  CODE(CURRENCY_MISMATCH, "currency-mismatch")       \
  CODE(MALFORMED_DATE, "malformed-date")             \
  CODE(MISSING_DATE, "missing-date")                 \
  CODE(MISSING_STOREFRONT, "missing-storefront")     \
  CODE(MISSING_FORMATTER, "missing-formatter")       \
  CODE(MISSING_STYLE, "missing-style")               \
  CODE(MISSING_PLURAL, "missing-plural")             \
  CODE(MALFORMED_AMOUNT, "malformed-amount")         \
  CODE(AMOUNT_OUT_OF_RANGE, "amount-out-of-range")   \
  CODE(NEEDS_ROUNDING, "needs-rounding")             \
  CODE(NO_MINOR_UNIT, "no-minor-unit")               \
  CODE(INVALID_ARGUMENT, "invalid-argument")

static uint8_t error_of(int32_t status) {
  switch (status) {
    case PRICETAG_OK: return NO_ERROR;
    case PRICETAG_MALFORMED_AMOUNT: return MALFORMED_AMOUNT;
    case PRICETAG_AMOUNT_OUT_OF_RANGE: return AMOUNT_OUT_OF_RANGE;
    case PRICETAG_NEEDS_ROUNDING: return NEEDS_ROUNDING;
    case PRICETAG_UNKNOWN_STOREFRONT: return UNKNOWN_STOREFRONT;
    case PRICETAG_UNKNOWN_LOCALE: return UNKNOWN_LOCALE;
    case PRICETAG_UNKNOWN_CURRENCY: return UNKNOWN_CURRENCY;
    case PRICETAG_MISSING_STYLE: return MISSING_STYLE;
    case PRICETAG_MISSING_FORMATTER: return MISSING_FORMATTER;
    case PRICETAG_MISSING_DATE: return MISSING_DATE;
    case PRICETAG_MISSING_PLURAL: return MISSING_PLURAL;
    case PRICETAG_CURRENCY_MISMATCH: return CURRENCY_MISMATCH;
    default: return INVALID_ARGUMENT;
  }
}

// The status with the code of a row's error.
static int32_t status_of(uint8_t error) {
  switch (error) {
    case UNKNOWN_STOREFRONT:
    case MISSING_STOREFRONT: return PRICETAG_UNKNOWN_STOREFRONT;
    case UNKNOWN_LOCALE:
    case MALFORMED_LOCALE:
    case UNEXPECTED_EXTENSION: return PRICETAG_UNKNOWN_LOCALE;
    case UNKNOWN_CURRENCY: return PRICETAG_UNKNOWN_CURRENCY;
    case CURRENCY_MISMATCH: return PRICETAG_CURRENCY_MISMATCH;
    case MALFORMED_DATE: return PRICETAG_ARROW_MALFORMED_DATE;
    case MISSING_DATE: return PRICETAG_MISSING_DATE;
    case MISSING_FORMATTER: return PRICETAG_MISSING_FORMATTER;
    case MISSING_STYLE: return PRICETAG_MISSING_STYLE;
    case NO_MINOR_UNIT: return PRICETAG_ARROW_NO_MINOR_UNIT;
    default: return PRICETAG_INVALID_ARGUMENT;
  }
}

// A dictionary of texts that are known when this file is compiled.
typedef struct {
  const char *bytes;
  int32_t count;
  int32_t offsets[24];
} text_list;

#define TEXT_OF(name, text) text
#define FIELD_OF(name, text) char name[sizeof text - 1];
#define OFFSET_OF(name, text) offsetof(struct error_bytes, name),
struct error_bytes {
  ERROR_CODES(FIELD_OF)
};
static const text_list error_list = {
    ERROR_CODES(TEXT_OF), ERROR_COUNT - 1, {ERROR_CODES(OFFSET_OF) sizeof(struct error_bytes)}};
static const text_list direction_list = {"ltrrtl", 2, {0, 3, 6}};
// In the order of the kinds of pricetag_part.
static const text_list part_list = {
    "literalsymbolintegergroupdecimalfractionsigncompactqualifierunit", 10, {0, 7, 13, 20, 25, 32, 40, 44, 51, 60, 64}};

// ---- Types

enum {
  TYPE_NULL = 1,
  TYPE_TEXT,
  TYPE_LARGE_TEXT,
  TYPE_TEXT_VIEW,
  TYPE_DATE32,
  TYPE_DATE64,
  TYPE_INT8,
  TYPE_UINT8,
  TYPE_INT16,
  TYPE_UINT16,
  TYPE_INT32,
  TYPE_UINT32,
  TYPE_INT64,
  TYPE_UINT64,
  TYPE_DECIMAL32,
  TYPE_DECIMAL64,
  TYPE_DECIMAL128,
  TYPE_DECIMAL256
};

typedef struct {
  // The type of the values; 0 for an argument that is not a column.
  uint8_t values;
  // The type of a dictionary's indices; 0 for other columns.
  uint8_t indices;
  // Of decimals.
  int32_t scale;
} column_type;

static bool is_text(uint8_t type) { return type >= TYPE_TEXT && type <= TYPE_TEXT_VIEW; }
static bool is_integer(uint8_t type) { return type >= TYPE_INT8 && type <= TYPE_UINT64; }
static bool is_decimal(uint8_t type) { return type >= TYPE_DECIMAL32 && type <= TYPE_DECIMAL256; }

// Reads an integer of at most four digits, and moves the text behind it.
static bool read_number(const char **text, int32_t *number) {
  const char *at = *text;
  bool is_negative = *at == '-';
  int32_t value = 0;
  int digits = 0;
  if (is_negative) at++;
  for (; *at >= '0' && *at <= '9'; at++) {
    if (++digits > 4) return false;
    value = value * 10 + (*at - '0');
  }
  *number = is_negative ? -value : value;
  *text = at;
  return digits > 0;
}

// "d:precision,scale" or "d:precision,scale,bits".
static uint8_t decimal_type(const char *format, int32_t *scale) {
  int32_t precision, bits = 128;
  format += 2;
  if (!read_number(&format, &precision) || *format++ != ',' || !read_number(&format, scale)) return 0;
  if (*format == ',') {
    format++;
    if (!read_number(&format, &bits)) return 0;
  }
  if (*format) return 0;
  switch (bits) {
    case 32: return precision >= 1 && precision <= 9 ? TYPE_DECIMAL32 : 0;
    case 64: return precision >= 1 && precision <= 18 ? TYPE_DECIMAL64 : 0;
    case 128: return precision >= 1 && precision <= 38 ? TYPE_DECIMAL128 : 0;
    case 256: return precision >= 1 && precision <= 76 ? TYPE_DECIMAL256 : 0;
    default: return 0;
  }
}

// Returns the type of a format string that arguments or indices may have, or 0.
static uint8_t value_type(const char *format, int32_t *scale) {
  static const struct {
    const char *format;
    uint8_t type;
  } types[] = {{"n", TYPE_NULL},     {"u", TYPE_TEXT},     {"U", TYPE_LARGE_TEXT}, {"vu", TYPE_TEXT_VIEW},
               {"tdD", TYPE_DATE32}, {"tdm", TYPE_DATE64}, {"c", TYPE_INT8},       {"C", TYPE_UINT8},
               {"s", TYPE_INT16},    {"S", TYPE_UINT16},   {"i", TYPE_INT32},      {"I", TYPE_UINT32},
               {"l", TYPE_INT64},    {"L", TYPE_UINT64}};
  for (size_t index = 0; index < sizeof types / sizeof *types; index++) {
    if (strcmp(format, types[index].format) == 0) return types[index].type;
  }
  return format[0] == 'd' && format[1] == ':' ? decimal_type(format, scale) : 0;
}

// What a refused type is called, and what to do about it.
static void describe_type(const char *format, int argument, const char **name, const char **fix) {
  static const struct {
    const char *format, *name;
  } names[] = {{"e", "float16"},  {"f", "float32"},      {"g", "float64"},      {"b", "bool"},
               {"z", "binary"},   {"Z", "large_binary"}, {"vz", "binary_view"}, {"+r", "run_end_encoded"},
               {"+s", "struct"},  {"+l", "list"},        {"+L", "large_list"},  {"+m", "map"},
               {"tdD", "date32"}, {"tdm", "date64"},     {"c", "int8"},         {"C", "uint8"},
               {"s", "int16"},    {"S", "uint16"},       {"i", "int32"},        {"I", "uint32"},
               {"l", "int64"},    {"L", "uint64"}};
  *name = NULL;
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (strcmp(format, names[index].format) == 0) *name = names[index].name;
  }
  if (!*name && strncmp(format, "d:", 2) == 0) *name = "decimal";
  if (!*name && strncmp(format, "ts", 2) == 0) *name = "timestamp";
  if (!*name && strncmp(format, "w:", 2) == 0) *name = "fixed_size_binary";
  if (strcmp(format, "+r") == 0) {
    *fix = "decode the runs, for example with pyarrow.compute.run_end_decode, or use a dictionary";
  } else if (argument == PRICETAG_ARROW_AMOUNT) {
    *fix = "cast the column to decimal128, to integers of minor units, or to text";
  } else if (argument == PRICETAG_ARROW_DATE) {
    *fix = "cast the column to date32, or to text such as 2026-01-31";
  } else {
    *fix = "cast the column to utf8, or to a dictionary of utf8";
  }
}

static int32_t refuse_type(pricetag_arrow_error *error, int argument, const char *format) {
  const char *name, *fix;
  describe_type(format, argument, &name, &fix);
  bool is_float = strcmp(format, "e") == 0 || strcmp(format, "f") == 0 || strcmp(format, "g") == 0;
  if (is_float && argument == PRICETAG_ARROW_AMOUNT) {
    return fail(
        error, PRICETAG_ARROW_WRONG_TYPE,
        "read the amounts as decimal128, as integers of minor units or as text; if only floats exist, cast them "
        "to decimal128(18, 2) and check the result",
        "amount: the column is %s, and binary floating point cannot hold 0.10", name);
  }
  excerpt shown = excerpt_of(format, strlen(format));
  if (!name) {
    return fail(error, PRICETAG_ARROW_WRONG_TYPE, fix, "%s: the column has the type \"%s\"", argument_names[argument],
                shown.text);
  }
  return fail(error, PRICETAG_ARROW_WRONG_TYPE, fix, "%s: the column has the type %s (\"%s\")",
              argument_names[argument], name, shown.text);
}

static int32_t read_type(const struct ArrowSchema *schema, int argument, column_type *type,
                         pricetag_arrow_error *error) {
  const char *name = argument_names[argument];
  static const char fix[] = "pass the schema of the column, before it is released";
  if (!schema->release) return fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema was released", name);
  const struct ArrowSchema *values = schema;
  if (schema->dictionary) {
    int32_t scale = 0;
    if (!schema->format || schema->n_children != 0) {
      return fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema of the dictionary's indices is invalid",
                  name);
    }
    type->indices = value_type(schema->format, &scale);
    values = schema->dictionary;
    if (!is_integer(type->indices)) {
      excerpt shown = excerpt_of(schema->format, strlen(schema->format));
      return fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the dictionary has indices of the type \"%s\"", name,
                  shown.text);
    }
    if (!values->release || values->dictionary) {
      return fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema of the dictionary %s", name,
                  values->release ? "is a dictionary too" : "was released");
    }
  }
  if (!values->format) return fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema has no format", name);
  type->values = value_type(values->format, &type->scale);
  bool is_allowed;
  switch (argument) {
    case PRICETAG_ARROW_AMOUNT:
      is_allowed = is_text(type->values) || is_integer(type->values) || is_decimal(type->values);
      break;
    case PRICETAG_ARROW_DATE:
      is_allowed = is_text(type->values) || type->values == TYPE_DATE32 || type->values == TYPE_DATE64;
      break;
    default: is_allowed = is_text(type->values);
  }
  if (!is_allowed && type->values != TYPE_NULL) return refuse_type(error, argument, values->format);
  if (values->n_children != 0) {
    return fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema has %" PRId64 " children, not 0", name,
                values->n_children);
  }
  return PRICETAG_OK;
}

// ---- Plans

enum {
  KEY_WORDS = 8,
  // One batch may need as many entries as a map has places, in addition to those of earlier batches.
  MAXIMUM_MAP = 16384,
  MAXIMUM_ENTRIES = 2 * MAXIMUM_MAP,
  MAXIMUM_PROBES = 16,
  NO_ENTRY = 0xFFFFFFFF
};

// The formatter of a storefront, a locale, a currency and a date, or the reason why there is none.
typedef struct {
  uint64_t key[KEY_WORDS];
  uint32_t key_words;
  uint8_t error;
  uint8_t amount_error;
  int32_t exponent;
  const pricetag_formatter *formatter;
  const pricetag_formatter *spoken;
  size_t capacity;
  size_t spoken_capacity;
} entry;

struct pricetag_arrow_plan {
  const pricetag_pack *pack;
  pricetag_style style;
  bool has_style;
  int32_t unit, rounding, date, text;
  uint8_t outputs[PRICETAG_ARROW_OUTPUTS];
  int output_count;
  bool wants[PRICETAG_ARROW_OUTPUTS + 1];
  column_type types[PRICETAG_ARROW_ARGUMENTS];
  // Constants with a zero byte at their end; NULL for columns and absent arguments.
  char *constants[PRICETAG_ARROW_ARGUMENTS];
  int64_t constant_units;
  int32_t constant_exponent;
  // The arguments that decide the formatter, and are columns.
  int keys[PRICETAG_ARROW_ARGUMENTS];
  int key_count;
  // The formatters so far. The table has places in `entries`.
  entry *entries;
  uint32_t entry_count, entry_capacity;
  uint32_t *table;
  uint32_t table_mask;
  entry uncached;
  // Places in `entries` by the indices of dictionaries.
  uint32_t *map;
  size_t map_capacity;
};

// Returns why a locale that the pack lacks is an error: the checks of price locales in `pricetag batch`, in their
// order.
static uint8_t error_of_locale(const char *text, size_t length) {
  if (length == 0 || length > 48) return MALFORMED_LOCALE;
  if (memchr(text, '@', length)) return UNEXPECTED_EXTENSION;
  size_t start = 0, subtags = 0;
  bool has_extension = false;
  for (size_t index = 0; index <= length; index++) {
    char byte = index < length ? text[index] : '-';
    if (byte == '-' || byte == '_') {
      size_t size = index - start;
      if (size < 1 || size > 8 || (subtags == 0 && size < 2)) return MALFORMED_LOCALE;
      if (size == 1) has_extension = true;
      subtags++;
      start = index + 1;
    } else if (!((byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'))) {
      return MALFORMED_LOCALE;
    }
  }
  return has_extension ? UNEXPECTED_EXTENSION : UNKNOWN_LOCALE;
}

static bool days_exist(int32_t year, int32_t month, int32_t day) {
  static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= days[month - 1] + (month == 2 && is_leap ? 1 : 0);
}

// Returns a date such as 20260131; 0 if the text is not a date.
static int32_t date_of_text(const char *text, size_t length) {
  int32_t numbers[3] = {0, 0, 0};
  int field = 0;
  if (length != 10) return 0;
  for (size_t index = 0; index < length; index++) {
    if (index == 4 || index == 7) {
      if (text[index] != '-') return 0;
      field++;
    } else {
      if (text[index] < '0' || text[index] > '9') return 0;
      numbers[field] = numbers[field] * 10 + (text[index] - '0');
    }
  }
  if (!days_exist(numbers[0], numbers[1], numbers[2])) return 0;
  return numbers[0] * 10000 + numbers[1] * 100 + numbers[2];
}

// Returns the date of a number of days since 1970-01-01; 0 outside the years 1 to 9999.
static int32_t date_of_days(int64_t days) {
  if (days < -719162 || days > 2932896) return 0;
  // Years that start in March have the leap day at their end. Eras have 400 years.
  int64_t shifted = days + 719468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int64_t day_of_era = shifted - era * 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t shifted_month = (5 * day_of_year + 2) / 153;
  int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return (int32_t)(year * 10000 + month * 100 + day);
}

// The values that decide the formatter of a row. A text is NULL if it is absent; the date is 0 if it is absent.
typedef struct {
  const char *texts[PRICETAG_ARROW_ARGUMENTS];
  size_t lengths[PRICETAG_ARROW_ARGUMENTS];
  int32_t date;
  bool is_date_malformed;
} row_key;

enum { NAME_SIZE = 256 };

// Copies a name with a zero byte at its end. False if it cannot be a name of the pack.
static bool copy_name(char *name, const char *text, size_t length) {
  if (length >= NAME_SIZE || memchr(text, 0, length)) return false;
  memcpy(name, text, length);
  name[length] = 0;
  return true;
}

// Finds a formatter. The checks have the order of `pricetag batch`.
static void resolve(const pricetag_arrow_plan *plan, const row_key *key, entry *result) {
  char storefront[NAME_SIZE], locale[NAME_SIZE], currency[NAME_SIZE];
  const pricetag_style *style = plan->has_style ? &plan->style : NULL;
  const char *const *texts = key->texts;
  int32_t status, digits = -1;
  result->formatter = result->spoken = NULL;
  result->amount_error = NO_ERROR;
  result->exponent = plan->unit == PRICETAG_ARROW_MICROS ? 6 : 0;
  if (texts[PRICETAG_ARROW_LOCALE]) {
    const char *text = texts[PRICETAG_ARROW_LOCALE];
    size_t length = key->lengths[PRICETAG_ARROW_LOCALE];
    // Without a currency of this name, an unknown locale is the first problem that a lookup reports.
    const pricetag_formatter *unused;
    if (!copy_name(locale, text, length) ||
        pricetag_formatter_for_locale(plan->pack, locale, "", style, &unused) == PRICETAG_UNKNOWN_LOCALE) {
      result->error = error_of_locale(text, length);
      return;
    }
  }
  if (texts[PRICETAG_ARROW_CURRENCY]) {
    if (!copy_name(currency, texts[PRICETAG_ARROW_CURRENCY], key->lengths[PRICETAG_ARROW_CURRENCY]) ||
        pricetag_minor_unit_digits(plan->pack, currency, &digits) != PRICETAG_OK) {
      result->error = UNKNOWN_CURRENCY;
      return;
    }
  }
  if (key->is_date_malformed) {
    result->error = MALFORMED_DATE;
    return;
  }
  int32_t date = key->date ? key->date : plan->date;
  if (texts[PRICETAG_ARROW_STOREFRONT]) {
    if (!copy_name(storefront, texts[PRICETAG_ARROW_STOREFRONT], key->lengths[PRICETAG_ARROW_STOREFRONT])) {
      status = PRICETAG_UNKNOWN_STOREFRONT;
    } else if (texts[PRICETAG_ARROW_CURRENCY]) {
      status = pricetag_formatter_for_storefront_in(plan->pack, storefront, currency, date, style, &result->formatter);
    } else {
      status = pricetag_formatter_for_storefront(plan->pack, storefront, date, style, &result->formatter);
      pricetag_text own;
      if (status == PRICETAG_OK && plan->unit == PRICETAG_ARROW_MINOR) {
        status = pricetag_storefront(plan->pack, storefront, date, &own, NULL);
        if (status == PRICETAG_OK && !copy_name(currency, own.bytes, own.length)) status = PRICETAG_UNKNOWN_CURRENCY;
        if (status == PRICETAG_OK) status = pricetag_minor_unit_digits(plan->pack, currency, &digits);
      }
    }
  } else if (texts[PRICETAG_ARROW_LOCALE] && texts[PRICETAG_ARROW_CURRENCY]) {
    status = pricetag_formatter_for_locale(plan->pack, locale, currency, style, &result->formatter);
  } else {
    result->error = MISSING_STOREFRONT;
    return;
  }
  result->error = error_of(status);
  if (status != PRICETAG_OK) return;
  result->capacity = pricetag_formatter_capacity(result->formatter);
  result->spoken_capacity = 0;
  if (plan->wants[PRICETAG_ARROW_SPOKEN]) {
    result->spoken = pricetag_formatter_spoken(result->formatter);
    if (!result->spoken) {
      result->error = MISSING_FORMATTER;
      return;
    }
    result->spoken_capacity = pricetag_formatter_capacity(result->spoken);
  }
  if (plan->unit == PRICETAG_ARROW_MINOR) {
    result->exponent = digits;
    if (digits < 0) result->amount_error = NO_MINOR_UNIT;
  }
}

// The values of constants; those of columns are absent.
static row_key constant_key(const pricetag_arrow_plan *plan) {
  row_key key = {0};
  for (int argument = PRICETAG_ARROW_STOREFRONT; argument <= PRICETAG_ARROW_CURRENCY; argument++) {
    key.texts[argument] = plan->constants[argument];
    if (key.texts[argument]) key.lengths[argument] = strlen(key.texts[argument]);
  }
  return key;
}

static int32_t refuse_constant(pricetag_arrow_error *error, int argument, const char *text, int32_t status,
                               const char *message, const char *fix) {
  excerpt shown = excerpt_of(text, strlen(text));
  return fail(error, status, fix, "%s \"%s\": %s", argument_names[argument], shown.text, message);
}

static int32_t refuse_status(pricetag_arrow_error *error, int argument, const char *text, int32_t status) {
  return refuse_constant(error, argument, text, status, pricetag_status_message(status), pricetag_status_fix(status));
}

// Checks every constant alone, and all of them if no column decides the formatter.
static int32_t check_constants(pricetag_arrow_plan *plan, pricetag_arrow_error *error) {
  const pricetag_formatter *found;
  const pricetag_style *style = plan->has_style ? &plan->style : NULL;
  char *const *constants = plan->constants;
  int32_t status, digits;
  const char *text = constants[PRICETAG_ARROW_AMOUNT];
  if (text) {
    status = pricetag_parse(text, strlen(text), &plan->constant_units, &plan->constant_exponent);
    if (status != PRICETAG_OK) return refuse_status(error, PRICETAG_ARROW_AMOUNT, text, status);
  }
  if ((text = constants[PRICETAG_ARROW_LOCALE])) {
    status = pricetag_formatter_for_locale(plan->pack, text, "", style, &found);
    if (status == PRICETAG_UNKNOWN_LOCALE) return refuse_status(error, PRICETAG_ARROW_LOCALE, text, status);
  }
  if ((text = constants[PRICETAG_ARROW_CURRENCY])) {
    status = pricetag_minor_unit_digits(plan->pack, text, &digits);
    if (status != PRICETAG_OK) return refuse_status(error, PRICETAG_ARROW_CURRENCY, text, status);
    if (plan->unit == PRICETAG_ARROW_MINOR && digits < 0) {
      return refuse_constant(error, PRICETAG_ARROW_CURRENCY, text, PRICETAG_ARROW_NO_MINOR_UNIT,
                             "ISO 4217 defines no minor unit of the currency", "pass amounts of major units");
    }
  }
  if ((text = constants[PRICETAG_ARROW_DATE])) {
    plan->date = date_of_text(text, strlen(text));
    if (plan->date == 0) {
      return refuse_constant(error, PRICETAG_ARROW_DATE, text, PRICETAG_ARROW_MALFORMED_DATE,
                             "the text is not a date, or the date does not exist",
                             "write YYYY-MM-DD, such as 2026-01-31");
    }
  }
  if ((text = constants[PRICETAG_ARROW_STOREFRONT])) {
    status = pricetag_storefront(plan->pack, text, plan->date, NULL, NULL);
    if (status != PRICETAG_OK && status != PRICETAG_MISSING_DATE) {
      return refuse_status(error, PRICETAG_ARROW_STOREFRONT, text, status);
    }
  }
  // Without a storefront of this name, only the style can be missing.
  status = pricetag_formatter_for_storefront(plan->pack, "", 0, style, &found);
  if (status == PRICETAG_MISSING_STYLE || status == PRICETAG_INVALID_ARGUMENT) {
    return fail(error, status, pricetag_status_fix(status), "%s", pricetag_status_message(status));
  }
  if (plan->key_count > 0) return PRICETAG_OK;
  row_key key = constant_key(plan);
  entry found_entry = {0};
  resolve(plan, &key, &found_entry);
  if (found_entry.amount_error) found_entry.error = found_entry.amount_error;
  if (found_entry.error) {
    int32_t failed = status_of(found_entry.error);
    int place = constants[PRICETAG_ARROW_STOREFRONT] ? PRICETAG_ARROW_STOREFRONT : PRICETAG_ARROW_LOCALE;
    if (failed == PRICETAG_ARROW_NO_MINOR_UNIT) {
      return refuse_constant(error, place, constants[place], failed, "ISO 4217 defines no minor unit of the currency",
                             "pass amounts of major units");
    }
    return refuse_status(error, place, constants[place], failed);
  }
  plan->uncached = found_entry;
  return PRICETAG_OK;
}

static int32_t read_outputs(pricetag_arrow_plan *plan, const uint8_t outputs[8], pricetag_arrow_error *error) {
  static const uint8_t standard[8] = {PRICETAG_ARROW_DISPLAY, PRICETAG_ARROW_ERROR};
  if (outputs[0] == 0) outputs = standard;
  for (int index = 0; index < 8 && outputs[index]; index++) {
    if (outputs[index] > PRICETAG_ARROW_OUTPUTS || plan->wants[outputs[index]]) {
      return fail(error, PRICETAG_ARROW_INVALID_OPTION, "name each output once", "output %d is %s", outputs[index],
                  outputs[index] > PRICETAG_ARROW_OUTPUTS ? "unknown" : "named twice");
    }
    plan->wants[outputs[index]] = true;
    plan->outputs[plan->output_count++] = outputs[index];
  }
  return PRICETAG_OK;
}

static int32_t read_arguments(pricetag_arrow_plan *plan, const pricetag_arrow_argument *arguments,
                              pricetag_arrow_error *error) {
  bool is_given[PRICETAG_ARROW_ARGUMENTS];
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    const pricetag_arrow_argument *given = &arguments[argument];
    is_given[argument] = given->schema || given->text;
    if (given->schema) {
      int32_t status = read_type(given->schema, argument, &plan->types[argument], error);
      if (status != PRICETAG_OK) return status;
      if (argument != PRICETAG_ARROW_AMOUNT) plan->keys[plan->key_count++] = argument;
    } else if (given->text) {
      if (given->length >= NAME_SIZE || memchr(given->text, 0, given->length)) {
        excerpt shown = excerpt_of(given->text, given->length);
        return fail(error, PRICETAG_INVALID_ARGUMENT, "pass a shorter text without a zero byte",
                    "%s \"%s\": the text is too long or has a zero byte", argument_names[argument], shown.text);
      }
      char *copy = malloc(given->length + 1);
      if (!copy) return out_of_memory(error);
      memcpy(copy, given->text, given->length);
      copy[given->length] = 0;
      plan->constants[argument] = copy;
    }
  }
  const char *problem = NULL, *fix = "pass a storefront, or both a locale and a currency";
  if (!is_given[PRICETAG_ARROW_AMOUNT]) {
    problem = "there is no amount";
    fix = "pass a column of amounts";
  } else if (is_given[PRICETAG_ARROW_STOREFRONT] && is_given[PRICETAG_ARROW_LOCALE]) {
    problem = "a storefront and a locale exclude each other";
    fix = "remove one of them";
  } else if (!is_given[PRICETAG_ARROW_STOREFRONT] &&
             !(is_given[PRICETAG_ARROW_LOCALE] && is_given[PRICETAG_ARROW_CURRENCY])) {
    problem = is_given[PRICETAG_ARROW_LOCALE]     ? "the currency is missing"
              : is_given[PRICETAG_ARROW_CURRENCY] ? "the locale or the storefront is missing"
                                                  : "the storefront is missing";
  }
  if (problem) return fail(error, PRICETAG_ARROW_INVALID_OPTION, fix, "%s", problem);
  uint8_t amount = plan->types[PRICETAG_ARROW_AMOUNT].values;
  if (plan->unit != PRICETAG_ARROW_MAJOR && !is_integer(amount) && amount != TYPE_NULL) {
    const char *unit = plan->unit == PRICETAG_ARROW_MINOR ? "minor units" : "micros";
    if (!amount) {
      return fail(error, PRICETAG_ARROW_WRONG_TYPE, "pass a column of integers, or an amount of major units",
                  "amount: a constant counts major units, not %s", unit);
    }
    return fail(error, PRICETAG_ARROW_WRONG_TYPE, "pass integers, or the unit of decimals and text, which is major",
                "amount: a column of %s must be integers, not %s", unit, is_decimal(amount) ? "decimals" : "text");
  }
  return PRICETAG_OK;
}

int32_t pricetag_arrow_plan_create(const pricetag_pack *pack,
                                   const pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS],
                                   const pricetag_arrow_options *options, pricetag_arrow_plan **result,
                                   pricetag_arrow_error *error) {
  if (!pack || !arguments || !options || !result) {
    return fail(error, PRICETAG_INVALID_ARGUMENT, "pass it",
                "the pack, the arguments, the options or the plan are NULL");
  }
  pricetag_arrow_plan *plan = calloc(1, sizeof *plan);
  if (!plan) return out_of_memory(error);
  plan->pack = pack;
  plan->unit = options->unit;
  plan->rounding = options->rounding;
  plan->date = options->date;
  plan->text = options->text;
  if (options->style) {
    plan->style = *options->style;
    plan->has_style = true;
  }
  int32_t status = PRICETAG_OK;
  const char *name = options->unit < PRICETAG_ARROW_MAJOR || options->unit > PRICETAG_ARROW_MICROS     ? "unit"
                     : options->rounding < PRICETAG_EXACT || options->rounding > PRICETAG_FLOOR        ? "rounding"
                     : options->text < PRICETAG_ARROW_UTF8 || options->text > PRICETAG_ARROW_UTF8_VIEW ? "text"
                                                                                                       : NULL;
  if (name) {
    status = fail(error, PRICETAG_ARROW_INVALID_OPTION, "use a constant of pricetag_arrow.h",
                  "the option %s is unknown", name);
  } else if (options->date != 0 &&
             (options->date < 0 || options->date > 99999999 ||
              !days_exist(options->date / 10000, options->date / 100 % 100, options->date % 100))) {
    status = fail(error, PRICETAG_ARROW_MALFORMED_DATE, "pass a date such as 20260131",
                  "the date %" PRId32 " does not exist", options->date);
  }
  if (status == PRICETAG_OK) status = read_outputs(plan, options->outputs, error);
  if (status == PRICETAG_OK) status = read_arguments(plan, arguments, error);
  if (status == PRICETAG_OK) status = check_constants(plan, error);
  if (status != PRICETAG_OK) {
    pricetag_arrow_plan_free(plan);
    return status;
  }
  *result = plan;
  return PRICETAG_OK;
}

void pricetag_arrow_plan_free(pricetag_arrow_plan *plan) {
  if (!plan) return;
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) free(plan->constants[argument]);
  free(plan->entries);
  free(plan->table);
  free(plan->map);
  free(plan);
}

// ---- The store of formatters

static uint64_t hash_key(const uint64_t *key, uint32_t words) {
  uint64_t hash = words;
  for (uint32_t index = 0; index < words; index++) {
    hash = (hash ^ key[index]) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash;
}

static inline bool has_key(const entry *candidate, const uint64_t *key, uint32_t words) {
  if (candidate->key_words != words) return false;
  for (uint32_t index = 0; index < words; index++) {
    if (candidate->key[index] != key[index]) return false;
  }
  return true;
}

// Puts an entry into the table, if a place near its hash is free.
static void insert(pricetag_arrow_plan *plan, uint32_t index) {
  const entry *added = &plan->entries[index];
  if (added->key_words == 0) return;
  uint64_t hash = hash_key(added->key, added->key_words);
  for (uint32_t probe = 0; probe < MAXIMUM_PROBES; probe++) {
    uint32_t place = (uint32_t)(hash + probe) & plan->table_mask;
    if (plan->table[place] == NO_ENTRY) {
      plan->table[place] = index;
      return;
    }
  }
}

static void clear_entries(pricetag_arrow_plan *plan) {
  plan->entry_count = 0;
  if (plan->table) memset(plan->table, 0xFF, ((size_t)plan->table_mask + 1) * sizeof *plan->table);
}

// Makes room for one entry. False without memory.
static bool grow_entries(pricetag_arrow_plan *plan) {
  if (plan->entry_count < plan->entry_capacity) return true;
  uint32_t capacity = plan->entry_capacity ? plan->entry_capacity * 2 : 64;
  entry *entries = realloc(plan->entries, capacity * sizeof *entries);
  if (!entries) return false;
  plan->entries = entries;
  uint32_t *table = realloc(plan->table, capacity * 4 * sizeof *table);
  if (!table) return false;
  plan->table = table;
  plan->table_mask = capacity * 4 - 1;
  plan->entry_capacity = capacity;
  memset(table, 0xFF, capacity * 4 * sizeof *table);
  for (uint32_t index = 0; index < plan->entry_count; index++) insert(plan, index);
  return true;
}

static uint32_t find_entry(const pricetag_arrow_plan *plan, const uint64_t *key, uint32_t words) {
  if (!plan->table || words == 0) return NO_ENTRY;
  uint64_t hash = hash_key(key, words);
  for (uint32_t probe = 0; probe < MAXIMUM_PROBES; probe++) {
    uint32_t index = plan->table[(uint32_t)(hash + probe) & plan->table_mask];
    if (index == NO_ENTRY) return NO_ENTRY;
    if (has_key(&plan->entries[index], key, words)) return index;
  }
  return NO_ENTRY;
}

// ---- Reading columns

typedef struct {
  uint8_t values_type, indices_type;
  int argument;
  int32_t scale;
  // The place of the first row.
  int64_t first;
  const uint8_t *validity;
  const uint8_t *indices;
  // Of the dictionary, or of the column if it has none.
  int64_t values_first, values_count;
  const uint8_t *values_validity;
  const uint8_t *values;
  const char *bytes;
  int64_t last_offset;
  const void *const *view_buffers;
  const uint8_t *view_sizes;
  int64_t view_count;
} column;

// Buffers need no alignment.
#define LOAD(type, name)                                                 \
  static inline type name(const uint8_t *buffer, int64_t index) {        \
    type value;                                                          \
    memcpy(&value, buffer + (size_t)index * sizeof value, sizeof value); \
    return value;                                                        \
  }
LOAD(int8_t, load_int8)
LOAD(uint8_t, load_uint8)
LOAD(int16_t, load_int16)
LOAD(uint16_t, load_uint16)
LOAD(int32_t, load_int32)
LOAD(uint32_t, load_uint32)
LOAD(int64_t, load_int64)
LOAD(uint64_t, load_uint64)

static inline bool is_bit_set(const uint8_t *bits, int64_t index) { return bits[index >> 3] >> (index & 7) & 1; }

static int64_t buffer_count_of(uint8_t type) {
  switch (type) {
    case TYPE_NULL: return 0;
    case TYPE_TEXT:
    case TYPE_LARGE_TEXT: return 3;
    default: return 2;
  }
}

// Checks what all arrays have in common, and reads the null bitmap.
static int32_t check_array(const struct ArrowArray *array, uint8_t type, const char *name, const char *part,
                           const uint8_t **validity, pricetag_arrow_error *error) {
  const int32_t invalid = PRICETAG_ARROW_INVALID_ARRAY;
  if (!array) return fail(error, invalid, produce_again, "%s: the %s is NULL", name, part);
  if (!array->release)
    return fail(error, invalid, "pass the array before it is released or moved", "%s: the %s was released", name, part);
  // Places of up to 32 bytes fit into the memory.
  if (array->length < 0 || array->offset < 0 || array->length > INT64_MAX / 64 || array->offset > INT64_MAX / 64) {
    return fail(error, invalid, produce_again, "%s: the %s has the length %" PRId64 " and the offset %" PRId64, name,
                part, array->length, array->offset);
  }
  if (array->null_count < -1 || array->null_count > array->length) {
    return fail(error, invalid, produce_again, "%s: the %s has %" PRId64 " nulls in %" PRId64 " rows", name, part,
                array->null_count, array->length);
  }
  int64_t count = buffer_count_of(type);
  bool has_count = type == TYPE_TEXT_VIEW ? array->n_buffers >= 3
                   // Some producers have a null bitmap here.
                   : type == TYPE_NULL ? array->n_buffers >= 0 && array->n_buffers <= 1
                                       : array->n_buffers == count;
  if (!has_count) {
    return fail(error, invalid, produce_again, "%s: the %s has %" PRId64 " buffers, not %s%" PRId64, name, part,
                array->n_buffers, type == TYPE_TEXT_VIEW ? "at least " : "", type == TYPE_TEXT_VIEW ? 3 : count);
  }
  if (array->n_children != 0) {
    return fail(error, invalid, produce_again, "%s: the %s has %" PRId64 " children, not 0", name, part,
                array->n_children);
  }
  *validity = NULL;
  if (type == TYPE_NULL) return PRICETAG_OK;
  if (!array->buffers) return fail(error, invalid, produce_again, "%s: the buffers of the %s are NULL", name, part);
  if (array->null_count != 0) {
    *validity = array->buffers[0];
    if (!*validity && array->null_count > 0) {
      return fail(error, invalid, produce_again, "%s: the %s has %" PRId64 " nulls and no null bitmap", name, part,
                  array->null_count);
    }
  }
  return PRICETAG_OK;
}

// Reads the buffers of values. `array` has been checked.
static int32_t read_values(column *read, const struct ArrowArray *array, const char *name, const char *part,
                           pricetag_arrow_error *error) {
  const int32_t invalid = PRICETAG_ARROW_INVALID_ARRAY;
  if (read->values_type == TYPE_NULL) return PRICETAG_OK;
  read->values = array->buffers[1];
  bool is_empty = array->length == 0;
  if (!read->values && !is_empty) {
    return fail(error, invalid, produce_again, "%s: buffer 1 of the %s is NULL", name, part);
  }
  if (read->values_type == TYPE_TEXT || read->values_type == TYPE_LARGE_TEXT) {
    read->bytes = array->buffers[2];
    if (is_empty) return PRICETAG_OK;
    int64_t end = array->offset + array->length;
    read->last_offset = read->values_type == TYPE_TEXT ? load_int32(read->values, end) : load_int64(read->values, end);
    if (read->last_offset < 0 || (read->last_offset > 0 && !read->bytes)) {
      return fail(error, invalid, produce_again, "%s: the last offset of the %s is %" PRId64 "%s", name, part,
                  read->last_offset, read->last_offset < 0 ? "" : ", and its text is NULL");
    }
  } else if (read->values_type == TYPE_TEXT_VIEW) {
    read->view_count = array->n_buffers - 3;
    read->view_buffers = array->buffers + 2;
    if (read->view_count > 0) {
      read->view_sizes = array->buffers[array->n_buffers - 1];
      if (!read->view_sizes) {
        return fail(error, invalid, produce_again, "%s: the sizes of the %s's buffers are NULL", name, part);
      }
    }
  }
  return PRICETAG_OK;
}

static int32_t read_column(const pricetag_arrow_plan *plan, int argument, const struct ArrowArray *array, int64_t start,
                           int64_t count, column *read, pricetag_arrow_error *error) {
  const char *name = argument_names[argument];
  column_type type = plan->types[argument];
  memset(read, 0, sizeof *read);
  read->argument = argument;
  read->values_type = type.values;
  read->indices_type = type.indices;
  read->scale = type.scale;
  int32_t status = check_array(array, type.indices ? type.indices : type.values, name, "array", &read->validity, error);
  if (status != PRICETAG_OK) return status;
  if (start < 0 || start > array->length || count > array->length - start) {
    return fail(error, PRICETAG_ARROW_INVALID_ARRAY, "pass columns of the same length",
                "%s: the array has %" PRId64 " rows, which are not enough for the %" PRId64 " rows from row %" PRId64,
                name, array->length, count, start);
  }
  read->first = array->offset + start;
  if (!type.indices) {
    if (array->dictionary) {
      return fail(error, PRICETAG_ARROW_INVALID_ARRAY, produce_again,
                  "%s: the array has a dictionary, and its schema none", name);
    }
    return read_values(read, array, name, "array", error);
  }
  read->indices = array->buffers[1];
  if (!read->indices && array->length > 0) {
    return fail(error, PRICETAG_ARROW_INVALID_ARRAY, produce_again, "%s: buffer 1 of the array is NULL", name);
  }
  const struct ArrowArray *dictionary = array->dictionary;
  status = check_array(dictionary, type.values, name, "dictionary", &read->values_validity, error);
  if (status != PRICETAG_OK) return status;
  if (dictionary->dictionary) {
    return fail(error, PRICETAG_ARROW_INVALID_ARRAY, produce_again, "%s: the dictionary has a dictionary", name);
  }
  read->values_first = dictionary->offset;
  read->values_count = dictionary->length;
  return read_values(read, dictionary, name, "dictionary", error);
}

static inline bool index_at(const column *read, int64_t place, int64_t *index) {
  switch (read->indices_type) {
    case TYPE_INT8: *index = load_int8(read->indices, place); break;
    case TYPE_UINT8: *index = load_uint8(read->indices, place); break;
    case TYPE_INT16: *index = load_int16(read->indices, place); break;
    case TYPE_UINT16: *index = load_uint16(read->indices, place); break;
    case TYPE_INT32: *index = load_int32(read->indices, place); break;
    case TYPE_UINT32: *index = load_uint32(read->indices, place); break;
    case TYPE_INT64: *index = load_int64(read->indices, place); break;
    default: {
      uint64_t value = load_uint64(read->indices, place);
      *index = value > INT64_MAX ? -1 : (int64_t)value;
    }
  }
  return *index >= 0 && *index < read->values_count;
}

static int32_t refuse_index(const column *read, int64_t row, pricetag_arrow_error *error) {
  return fail(error, PRICETAG_ARROW_INVALID_ARRAY, produce_again,
              "%s, row %" PRId64 ": the index is outside the dictionary, which has %" PRId64 " values",
              argument_names[read->argument], row, read->values_count);
}

enum { IS_INVALID = -1, IS_NULL = 0, IS_VALUE = 1 };

// Finds the place of a row's value. Reports invalid indices.
static inline int locate(const column *read, int64_t row, int64_t *place, pricetag_arrow_error *error) {
  int64_t at = read->first + row;
  if (read->values_type == TYPE_NULL) return IS_NULL;
  if (read->validity && !is_bit_set(read->validity, at)) return IS_NULL;
  if (read->indices_type) {
    int64_t index;
    if (!index_at(read, at, &index)) return refuse_index(read, row, error), IS_INVALID;
    at = read->values_first + index;
    if (read->values_validity && !is_bit_set(read->values_validity, at)) return IS_NULL;
  }
  *place = at;
  return IS_VALUE;
}

// Reads the text at a place. `row` is for messages; that of a dictionary has none.
static bool text_at(const column *read, int64_t place, int64_t row, const char **text, size_t *length,
                    pricetag_arrow_error *error) {
  const char *name = argument_names[read->argument];
  int64_t start, end;
  if (read->values_type == TYPE_TEXT_VIEW) {
    const uint8_t *view = read->values + (size_t)place * 16;
    int32_t size = load_int32(view, 0);
    if (size >= 0 && size <= 12) {
      *text = (const char *)view + 4;
      *length = (size_t)size;
      return true;
    }
    int32_t buffer = load_int32(view, 2);
    start = load_int32(view, 3);
    if (size >= 0 && start >= 0 && buffer >= 0 && buffer < read->view_count && read->view_buffers[buffer]) {
      int64_t limit = load_int64(read->view_sizes, buffer);
      if (start <= limit && size <= limit - start) {
        *text = (const char *)read->view_buffers[buffer] + start;
        *length = (size_t)size;
        return true;
      }
    }
    fail(error, PRICETAG_ARROW_INVALID_ARRAY, produce_again,
         "%s, row %" PRId64 ": the view has %" PRId32 " bytes at %" PRId64 " of buffer %" PRId32
         ", which does not have them",
         name, row, size, start, buffer);
    return false;
  }
  if (read->values_type == TYPE_TEXT) {
    start = load_int32(read->values, place);
    end = load_int32(read->values, place + 1);
  } else {
    start = load_int64(read->values, place);
    end = load_int64(read->values, place + 1);
  }
  if (start < 0 || end < start || end > read->last_offset) {
    fail(error, PRICETAG_ARROW_INVALID_ARRAY, produce_again,
         "%s, row %" PRId64 ": the offsets are %" PRId64 " and %" PRId64 ", and the last offset is %" PRId64, name, row,
         start, end, read->last_offset);
    return false;
  }
  *text = read->bytes ? read->bytes + start : "";
  *length = (size_t)(end - start);
  return true;
}

// ---- Amounts

enum { AMOUNT_INVALID = -1, AMOUNT_NULL, AMOUNT_UNITS, AMOUNT_TEXT, AMOUNT_TOO_LARGE };

typedef struct {
  int64_t units;
  int32_t exponent;
  const char *text;
  size_t length;
} amount_value;

// Brings decimals into the range of amounts: removes zeros at the end of the fraction, or adds those of a negative
// scale.
static int bounded_decimal(const uint64_t limbs[4], int32_t scale, amount_value *amount) {
  uint64_t digits[4];
  bool is_negative = limbs[3] >> 63;
  uint64_t carry = is_negative;
  for (int index = 0; index < 4; index++) {
    digits[index] = (is_negative ? ~limbs[index] : limbs[index]) + carry;
    carry = carry && digits[index] == 0;
  }
  if (!(digits[0] | digits[1] | digits[2] | digits[3])) {
    amount->units = amount->exponent = 0;
    return AMOUNT_UNITS;
  }
  const uint64_t limit = (uint64_t)INT64_MAX + is_negative;
  while (scale > 18 || digits[1] || digits[2] || digits[3] || digits[0] > limit) {
    if (scale <= 0) return AMOUNT_TOO_LARGE;
    unsigned __int128 rest = 0;
    for (int index = 3; index >= 0; index--) {
      rest = rest << 64 | digits[index];
      digits[index] = (uint64_t)(rest / 10);
      rest %= 10;
    }
    if (rest) return AMOUNT_TOO_LARGE;
    scale--;
  }
  for (; scale < 0; scale++) {
    if (digits[0] > limit / 10) return AMOUNT_TOO_LARGE;
    digits[0] *= 10;
  }
  amount->units = (int64_t)(is_negative ? 0 - digits[0] : digits[0]);
  amount->exponent = scale;
  return AMOUNT_UNITS;
}

static int decimal_at(const column *read, int64_t place, amount_value *amount) {
  uint64_t limbs[4];
  int count = 1;
  switch (read->values_type) {
    case TYPE_DECIMAL32: limbs[0] = (uint64_t)(int64_t)load_int32(read->values, place); break;
    case TYPE_DECIMAL64: limbs[0] = load_uint64(read->values, place); break;
    case TYPE_DECIMAL128:
      limbs[0] = load_uint64(read->values, place * 2);
      limbs[1] = load_uint64(read->values, place * 2 + 1);
      count = 2;
      break;
    default:
      for (count = 0; count < 4; count++) limbs[count] = load_uint64(read->values, place * 4 + count);
  }
  for (; count < 4; count++) limbs[count] = limbs[count - 1] >> 63 ? UINT64_MAX : 0;
  uint64_t extension = limbs[0] >> 63 ? UINT64_MAX : 0;
  if (limbs[1] == extension && limbs[2] == extension && limbs[3] == extension && read->scale >= 0 &&
      read->scale <= 18) {
    amount->units = (int64_t)limbs[0];
    amount->exponent = read->scale;
    return AMOUNT_UNITS;
  }
  return bounded_decimal(limbs, read->scale, amount);
}

// Reads a row's amount. The exponent of integers is set by the caller.
static inline int amount_at(const column *read, int64_t row, amount_value *amount, pricetag_arrow_error *error) {
  int64_t place;
  int found = locate(read, row, &place, error);
  if (found != IS_VALUE) return found == IS_NULL ? AMOUNT_NULL : AMOUNT_INVALID;
  switch (read->values_type) {
    case TYPE_INT64: amount->units = load_int64(read->values, place); return AMOUNT_UNITS;
    case TYPE_INT32: amount->units = load_int32(read->values, place); return AMOUNT_UNITS;
    case TYPE_INT16: amount->units = load_int16(read->values, place); return AMOUNT_UNITS;
    case TYPE_INT8: amount->units = load_int8(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT32: amount->units = load_uint32(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT16: amount->units = load_uint16(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT8: amount->units = load_uint8(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT64: {
      uint64_t value = load_uint64(read->values, place);
      amount->units = (int64_t)(value & INT64_MAX);
      return value > INT64_MAX ? AMOUNT_TOO_LARGE : AMOUNT_UNITS;
    }
    case TYPE_TEXT:
    case TYPE_LARGE_TEXT:
    case TYPE_TEXT_VIEW:
      return text_at(read, place, row, &amount->text, &amount->length, error) ? AMOUNT_TEXT : AMOUNT_INVALID;
    default: return decimal_at(read, place, amount);
  }
}

// ---- Formatters of rows

// Appends a value to a key: its length and its bytes, in words. False if the key has no room.
static inline bool append_text(uint64_t *key, uint32_t *words, const char *text, size_t length) {
  if (length < 8) {
    if (*words == KEY_WORDS) return false;
    uint64_t word = 0;
    const uint8_t *bytes = (const uint8_t *)text;
    if (length >= 4) {
      word = load_uint32(bytes, 0) | (uint64_t)load_uint32(bytes + length - 4, 0) << (8 * (length - 4));
    } else if (length > 0) {
      word = bytes[0] | (uint64_t)bytes[length / 2] << (8 * (length / 2)) |
             (uint64_t)bytes[length - 1] << (8 * (length - 1));
    }
    key[(*words)++] = word | (uint64_t)(length + 1) << 56;
    return true;
  }
  size_t count = length / 8 + 2;
  if (length > KEY_WORDS * 8 || count > KEY_WORDS - *words) return false;
  key[*words] = length + 9;
  memset(key + *words + 1, 0, (count - 1) * 8);
  memcpy(key + *words + 1, text, length);
  *words += (uint32_t)count;
  return true;
}

// A key column's value at a row.
typedef struct {
  bool is_null;
  const char *text;
  size_t length;
  // Of a column of dates.
  int64_t days;
} key_value;

static bool key_value_at(const column *read, int found, int64_t place, int64_t row, key_value *value,
                         pricetag_arrow_error *error) {
  value->is_null = found == IS_NULL;
  if (value->is_null) return true;
  switch (read->values_type) {
    case TYPE_DATE32: value->days = load_int32(read->values, place); return true;
    case TYPE_DATE64: {
      int64_t milliseconds = load_int64(read->values, place);
      value->days = milliseconds / 86400000 - (milliseconds % 86400000 < 0);
      return true;
    }
    default: return text_at(read, place, row, &value->text, &value->length, error);
  }
}

// Returns the entry of key values; NULL without memory. `place` is that of the entry in the store, or NO_ENTRY.
static const entry *entry_of(pricetag_arrow_plan *plan, const column *columns, const key_value *values, bool must_store,
                             uint32_t *place) {
  uint64_t key[KEY_WORDS];
  uint32_t words = 0;
  bool is_short = true;
  for (int index = 0; index < plan->key_count && is_short; index++) {
    if (values[index].is_null) {
      is_short = words < KEY_WORDS;
      if (is_short) key[words++] = 0;
    } else if (columns[index].values_type == TYPE_DATE32 || columns[index].values_type == TYPE_DATE64) {
      is_short = words < KEY_WORDS;
      if (is_short) key[words++] = (uint64_t)values[index].days << 8 | 1;
    } else {
      is_short = append_text(key, &words, values[index].text, values[index].length);
    }
  }
  if (!is_short) words = 0;
  *place = find_entry(plan, key, words);
  if (*place != NO_ENTRY) return &plan->entries[*place];

  row_key named = constant_key(plan);
  for (int index = 0; index < plan->key_count; index++) {
    int argument = plan->keys[index];
    if (values[index].is_null) continue;
    if (argument != PRICETAG_ARROW_DATE) {
      named.texts[argument] = values[index].text;
      named.lengths[argument] = values[index].length;
    } else {
      named.date = is_text(columns[index].values_type) ? date_of_text(values[index].text, values[index].length)
                                                       : date_of_days(values[index].days);
      named.is_date_malformed = named.date == 0;
    }
  }
  entry *added = &plan->uncached;
  if (must_store || words > 0) {
    if (!must_store && plan->entry_count == MAXIMUM_ENTRIES) clear_entries(plan);
    if (!grow_entries(plan)) return NULL;
    added = &plan->entries[plan->entry_count];
  }
  resolve(plan, &named, added);
  memcpy(added->key, key, words * sizeof *key);
  added->key_words = words;
  if (added != &plan->uncached) {
    *place = plan->entry_count++;
    insert(plan, *place);
  }
  return added;
}

// Finds the entry of a row by the indices of dictionaries.
typedef struct {
  pricetag_arrow_plan *plan;
  column keys[PRICETAG_ARROW_ARGUMENTS];
  bool has_map;
  const entry *previous;
} key_reader;

// Prepares a map of the entries, if the columns are dictionaries that have few combinations.
static bool prepare_keys(key_reader *reader) {
  pricetag_arrow_plan *plan = reader->plan;
  size_t places = 1;
  if (plan->key_count == 0) return true;
  reader->has_map = true;
  for (int index = 0; index < plan->key_count && reader->has_map; index++) {
    const column *key = &reader->keys[index];
    if (key->values_type == TYPE_NULL) continue;
    // Nulls have a place too.
    reader->has_map =
        key->indices_type && key->values_count < MAXIMUM_MAP && places * ((size_t)key->values_count + 1) <= MAXIMUM_MAP;
    if (reader->has_map) places *= (size_t)key->values_count + 1;
  }
  if (!reader->has_map) return true;
  if (plan->map_capacity < places) {
    size_t capacity = plan->map_capacity ? plan->map_capacity : 256;
    while (capacity < places) capacity *= 2;
    uint32_t *map = realloc(plan->map, capacity * sizeof *map);
    if (!map) return false;
    plan->map = map;
    plan->map_capacity = capacity;
  }
  memset(plan->map, 0xFF, places * sizeof *plan->map);
  if (plan->entry_count > MAXIMUM_ENTRIES - MAXIMUM_MAP) clear_entries(plan);
  return true;
}

// Reads the values of a row's keys, and finds their entry.
static const entry *read_keys(key_reader *reader, int64_t row, bool must_store, uint32_t *place, int32_t *status,
                              pricetag_arrow_error *error) {
  key_value values[PRICETAG_ARROW_ARGUMENTS];
  for (int index = 0; index < reader->plan->key_count; index++) {
    int64_t at = 0;
    int found = locate(&reader->keys[index], row, &at, error);
    if (found == IS_INVALID || !key_value_at(&reader->keys[index], found, at, row, &values[index], error)) {
      *status = PRICETAG_ARROW_INVALID_ARRAY;
      return NULL;
    }
  }
  const entry *result = entry_of(reader->plan, reader->keys, values, must_store, place);
  if (!result) *status = out_of_memory(error);
  return result;
}

// Returns the entry of a row; NULL with a status.
static inline const entry *entry_at(key_reader *reader, int64_t row, int32_t *status, pricetag_arrow_error *error) {
  pricetag_arrow_plan *plan = reader->plan;
  uint32_t place;
  if (plan->key_count == 0) return &plan->uncached;
  if (!reader->has_map) {
    // The same value as in the row before needs no table.
    const column *key = &reader->keys[0];
    int64_t at = key->first + row;
    const entry *previous = reader->previous;
    if (previous && plan->key_count == 1 && is_text(key->values_type) && !key->indices_type &&
        previous->key_words == 1 && (!key->validity || is_bit_set(key->validity, at))) {
      const char *text;
      size_t length;
      if (!text_at(key, at, row, &text, &length, error)) {
        *status = PRICETAG_ARROW_INVALID_ARRAY;
        return NULL;
      }
      uint64_t word = 0;
      uint32_t words = 0;
      if (length < 8 && append_text(&word, &words, text, length) && word == previous->key[0]) return previous;
    }
    reader->previous = read_keys(reader, row, false, &place, status, error);
    return reader->previous;
  }
  size_t code = 0;
  for (int index = 0; index < plan->key_count; index++) {
    const column *key = &reader->keys[index];
    int64_t at = key->first + row, position = 0;
    if (key->values_type == TYPE_NULL) continue;
    if (!key->validity || is_bit_set(key->validity, at)) {
      if (!index_at(key, at, &position)) {
        *status = refuse_index(key, row, error);
        return NULL;
      }
      position++;
    }
    code = code * ((size_t)key->values_count + 1) + (size_t)position;
  }
  place = plan->map[code];
  if (place != NO_ENTRY) return &plan->entries[place];
  const entry *result = read_keys(reader, row, true, &place, status, error);
  if (result) plan->map[code] = place;
  return result;
}

// ---- Writing text

enum { FIRST_BLOCK = 1 << 15, LARGEST_BLOCK = 1 << 24, MAXIMUM_GUESS = 1 << 20 };

// The bytes that the offsets of utf8 can address. Tests compile this file with a smaller number.
#ifndef MAXIMUM_UTF8
#define MAXIMUM_UTF8 INT32_MAX
#endif

// Text of Arrow's layouts, in memory that grows.
typedef struct {
  int32_t layout;
  // Offsets, or views of 16 bytes.
  uint8_t *places;
  char *bytes;
  size_t length, capacity;
  // The complete buffers of views; `bytes` is the last one.
  char **blocks;
  int64_t *block_sizes;
  size_t block_count, block_capacity;
} text_builder;

static size_t place_size(int32_t layout) {
  return layout == PRICETAG_ARROW_UTF8_VIEW ? 16 : layout == PRICETAG_ARROW_LARGE_UTF8 ? 8 : 4;
}

static bool start_text(text_builder *text, int32_t layout, int64_t count) {
  memset(text, 0, sizeof *text);
  text->layout = layout;
  size_t places = (size_t)count + 1;
  if (places > SIZE_MAX / 32) return false;
  text->places = malloc(places * place_size(layout));
  if (!text->places) return false;
  memset(text->places, 0, place_size(layout));
  if (layout == PRICETAG_ARROW_UTF8_VIEW) return true;
  // Few prices are longer than this guess. An allocator that gets the same sizes for each batch can use memory again,
  // which the system has mapped and cleared before. Larger batches grow.
  text->capacity = (count < MAXIMUM_GUESS ? (size_t)count : MAXIMUM_GUESS) * 16 + PRICETAG_MAXIMUM_CAPACITY;
  text->bytes = malloc(text->capacity);
  return text->bytes;
}

static void free_text(text_builder *text) {
  for (size_t index = 0; index < text->block_count; index++) free(text->blocks[index]);
  free(text->blocks);
  free(text->block_sizes);
  free(text->bytes);
  free(text->places);
  memset(text, 0, sizeof *text);
}

// Stores the last buffer of views among the complete ones.
static bool finish_block(text_builder *text) {
  if (!text->bytes) return true;
  if (text->length == 0) {
    free(text->bytes);
    text->bytes = NULL;
    text->capacity = 0;
    return true;
  }
  if (text->block_count == text->block_capacity) {
    size_t capacity = text->block_capacity ? text->block_capacity * 2 : 8;
    char **blocks = realloc(text->blocks, capacity * sizeof *blocks);
    if (!blocks) return false;
    text->blocks = blocks;
    int64_t *sizes = realloc(text->block_sizes, capacity * sizeof *sizes);
    if (!sizes) return false;
    text->block_sizes = sizes;
    text->block_capacity = capacity;
  }
  text->blocks[text->block_count] = text->bytes;
  text->block_sizes[text->block_count++] = (int64_t)text->length;
  text->bytes = NULL;
  text->length = text->capacity = 0;
  return true;
}

static bool grow_text(text_builder *text, size_t needed) {
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW) {
    size_t size = text->capacity ? text->capacity * 2 : FIRST_BLOCK;
    if (!finish_block(text)) return false;
    if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
    if (size < needed) size = needed;
    text->bytes = malloc(size);
    if (!text->bytes) return false;
    text->capacity = size;
    return true;
  }
  if (text->length > SIZE_MAX / 4 || needed > SIZE_MAX / 4) return false;
  size_t capacity = text->capacity * 2;
  if (capacity < text->length + needed) capacity = text->length + needed;
  // The last price may be shorter than its capacity.
  size_t limit = (size_t)MAXIMUM_UTF8 + PRICETAG_MAXIMUM_CAPACITY;
  if (text->layout == PRICETAG_ARROW_UTF8 && capacity > limit && text->length + needed <= limit) capacity = limit;
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) return false;
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

// Makes room at the end of the text.
static inline bool reserve(text_builder *text, size_t needed) {
  return text->capacity - text->length >= needed || grow_text(text, needed);
}

// Ends the text of a row: `length` bytes at the end of the buffer, 0 for a null row. False if it is too large.
static inline bool append_length(text_builder *text, int64_t row, size_t length) {
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW) {
    uint8_t *view = text->places + (size_t)row * 16;
    int32_t size = (int32_t)length;
    memset(view, 0, 16);
    memcpy(view, &size, 4);
    if (length <= 12) {
      // An empty text may be before the first buffer.
      if (length > 0) memcpy(view + 4, text->bytes + text->length, length);
      return true;
    }
    int32_t block = (int32_t)text->block_count, start = (int32_t)text->length;
    memcpy(view + 4, text->bytes + text->length, 4);
    memcpy(view + 8, &block, 4);
    memcpy(view + 12, &start, 4);
    text->length += length;
    return true;
  }
  text->length += length;
  if (text->layout == PRICETAG_ARROW_UTF8) {
    if (text->length > MAXIMUM_UTF8) return false;
    int32_t end = (int32_t)text->length;
    memcpy(text->places + (size_t)(row + 1) * 4, &end, 4);
  } else {
    int64_t end = (int64_t)text->length;
    memcpy(text->places + (size_t)(row + 1) * 8, &end, 8);
  }
  return true;
}

// Returns memory that is not needed, if it is most of it.
static void shrink_text(text_builder *text) {
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW || text->capacity / 2 < text->length || text->capacity < 4096) return;
  char *bytes = realloc(text->bytes, text->length + 1);
  if (bytes) {
    text->bytes = bytes;
    text->capacity = text->length + 1;
  }
}

// ---- Results

// What a result owns. Buffers of dictionaries are constants of this file.
typedef struct {
  bool owns_buffers;
  // `n_buffers` pointers, then the children, pointers to them, and the dictionary.
  const void **buffers;
  struct ArrowArray *children;
  struct ArrowArray **child_pointers;
  struct ArrowArray dictionary;
} array_data;

static void release_array(struct ArrowArray *array) {
  array_data *data = array->private_data;
  if (data->owns_buffers) {
    for (int64_t index = 0; index < array->n_buffers; index++) free((void *)(uintptr_t)data->buffers[index]);
  }
  // A child that was moved has no release callback here.
  for (int64_t index = 0; index < array->n_children; index++) {
    if (data->children[index].release) data->children[index].release(&data->children[index]);
  }
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  free(data->buffers);
  free(data->children);
  free(data->child_pointers);
  free(data);
  array->release = NULL;
}

// Makes an array without buffers and children, which can be released from now on.
static bool start_array(struct ArrowArray *array, int64_t length, int64_t buffers, int64_t children,
                        bool has_dictionary) {
  memset(array, 0, sizeof *array);
  array_data *data = calloc(1, sizeof *data);
  if (!data) return false;
  data->owns_buffers = true;
  data->buffers = calloc((size_t)buffers + 1, sizeof *data->buffers);
  data->children = calloc((size_t)children + 1, sizeof *data->children);
  data->child_pointers = calloc((size_t)children + 1, sizeof *data->child_pointers);
  if (!data->buffers || !data->children || !data->child_pointers) {
    free(data->buffers);
    free(data->children);
    free(data->child_pointers);
    free(data);
    return false;
  }
  array->length = length;
  array->n_buffers = buffers;
  array->buffers = data->buffers;
  array->n_children = children;
  for (int64_t index = 0; index < children; index++) data->child_pointers[index] = &data->children[index];
  array->children = children ? data->child_pointers : NULL;
  array->dictionary = has_dictionary ? &data->dictionary : NULL;
  array->private_data = data;
  array->release = release_array;
  return true;
}

// An array of int8 indices, whose dictionary is a list of texts.
static bool start_dictionary(struct ArrowArray *array, int64_t length, const text_list *list) {
  if (!start_array(array, length, 2, 0, true)) return false;
  if (!start_array(array->dictionary, list->count, 3, 0, false)) return false;
  array_data *data = array->dictionary->private_data;
  data->owns_buffers = false;
  data->buffers[1] = list->offsets;
  data->buffers[2] = list->bytes;
  return true;
}

static void set_buffer(struct ArrowArray *array, int index, void *buffer) {
  array_data *data = array->private_data;
  data->buffers[index] = buffer;
}

// Moves text into an array that was started with it.
static bool set_text(struct ArrowArray *array, text_builder *text) {
  array_data *data = array->private_data;
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW) {
    if (!finish_block(text)) return false;
    size_t count = text->block_count + 3;
    const void **buffers = calloc(count, sizeof *buffers);
    if (!buffers) return false;
    free(data->buffers);
    data->buffers = array->buffers = buffers;
    array->n_buffers = (int64_t)count;
    for (size_t index = 0; index < text->block_count; index++) buffers[2 + index] = text->blocks[index];
    buffers[count - 1] = text->block_sizes;
    text->block_sizes = NULL;
    text->block_count = 0;
  } else {
    shrink_text(text);
    data->buffers[2] = text->bytes;
    text->bytes = NULL;
  }
  data->buffers[1] = text->places;
  text->places = NULL;
  free_text(text);
  return true;
}

// ---- Schemas

typedef struct {
  struct ArrowSchema children[PRICETAG_ARROW_OUTPUTS];
  struct ArrowSchema *child_pointers[PRICETAG_ARROW_OUTPUTS];
  struct ArrowSchema dictionary;
} schema_data;

static void release_schema(struct ArrowSchema *schema) {
  schema_data *data = schema->private_data;
  for (int64_t index = 0; index < schema->n_children; index++) {
    if (data->children[index].release) data->children[index].release(&data->children[index]);
  }
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  free(data);
  schema->release = NULL;
}

static bool start_schema(struct ArrowSchema *schema, const char *name, const char *format, int64_t flags,
                         int64_t children) {
  memset(schema, 0, sizeof *schema);
  schema_data *data = calloc(1, sizeof *data);
  if (!data) return false;
  for (int64_t index = 0; index < children; index++) data->child_pointers[index] = &data->children[index];
  schema->format = format;
  schema->name = name;
  schema->flags = flags;
  schema->n_children = children;
  schema->children = children ? data->child_pointers : NULL;
  schema->private_data = data;
  schema->release = release_schema;
  return true;
}

static bool start_dictionary_schema(struct ArrowSchema *schema, const char *name, int64_t flags) {
  if (!start_schema(schema, name, "c", flags, 0)) return false;
  schema_data *data = schema->private_data;
  schema->dictionary = &data->dictionary;
  return start_schema(schema->dictionary, "", "u", ARROW_FLAG_NULLABLE, 0);
}

static bool start_output_schema(struct ArrowSchema *schema, uint8_t output, int32_t text) {
  const char *format = text == PRICETAG_ARROW_UTF8_VIEW ? "vu" : text == PRICETAG_ARROW_LARGE_UTF8 ? "U" : "u";
  switch (output) {
    case PRICETAG_ARROW_DISPLAY: return start_schema(schema, "display", format, ARROW_FLAG_NULLABLE, 0);
    case PRICETAG_ARROW_SPOKEN: return start_schema(schema, "spoken", format, ARROW_FLAG_NULLABLE, 0);
    case PRICETAG_ARROW_ERROR: return start_dictionary_schema(schema, "error", ARROW_FLAG_NULLABLE);
    case PRICETAG_ARROW_DIRECTION: return start_dictionary_schema(schema, "direction", ARROW_FLAG_NULLABLE);
    default:
      return start_schema(schema, "parts", "+l", ARROW_FLAG_NULLABLE, 1) &&
             start_schema(schema->children[0], "item", "+s", 0, 2) &&
             start_dictionary_schema(schema->children[0]->children[0], "type", 0) &&
             start_schema(schema->children[0]->children[1], "value", "u", 0, 0);
  }
}

int32_t pricetag_arrow_plan_schema(const pricetag_arrow_plan *plan, struct ArrowSchema *schema,
                                   pricetag_arrow_error *error) {
  if (!plan || !schema) return fail(error, PRICETAG_INVALID_ARGUMENT, "pass it", "the plan or the schema is NULL");
  struct ArrowSchema result;
  bool is_complete = start_schema(&result, "", "+s", 0, plan->output_count);
  if (!is_complete) return out_of_memory(error);
  for (int index = 0; index < plan->output_count && is_complete; index++) {
    is_complete = start_output_schema(result.children[index], plan->outputs[index], plan->text);
  }
  if (!is_complete) {
    result.release(&result);
    return out_of_memory(error);
  }
  *schema = result;
  return PRICETAG_OK;
}

// ---- Batches

// The outputs of a batch while it is formatted.
typedef struct {
  int64_t count;
  // Of the rows without a price, and of those with an error; NULL while there are none.
  uint8_t *validity, *error_validity;
  int64_t null_count, error_count;
  int8_t *errors, *directions;
  text_builder display, spoken, values;
  // The parts of all rows.
  int32_t *part_offsets;
  int8_t *part_kinds;
  int64_t part_count, part_capacity;
} outputs;

static void free_outputs(outputs *out) {
  free(out->validity);
  free(out->error_validity);
  free(out->errors);
  free(out->directions);
  free(out->part_offsets);
  free(out->part_kinds);
  free_text(&out->display);
  free_text(&out->spoken);
  free_text(&out->values);
}

static size_t bitmap_size(int64_t count) { return ((size_t)count + 7) / 8 + 1; }

static bool start_outputs(outputs *out, const pricetag_arrow_plan *plan, int64_t count) {
  memset(out, 0, sizeof *out);
  out->count = count;
  // Without the output, the buffer of the display is for the price of one row.
  if (!start_text(&out->display, plan->text, plan->wants[PRICETAG_ARROW_DISPLAY] ? count : 0)) return false;
  if (plan->wants[PRICETAG_ARROW_SPOKEN] && !start_text(&out->spoken, plan->text, count)) return false;
  if (plan->wants[PRICETAG_ARROW_DIRECTION] && !(out->directions = calloc((size_t)count + 1, 1))) return false;
  if (plan->wants[PRICETAG_ARROW_PARTS]) {
    if (!start_text(&out->values, PRICETAG_ARROW_UTF8, 0)) return false;
    out->part_offsets = calloc((size_t)count + 1, sizeof *out->part_offsets);
    if (!out->part_offsets) return false;
  }
  return true;
}

// Ends a row without a price.
static bool append_null(outputs *out, const pricetag_arrow_plan *plan, int64_t row, uint8_t error) {
  if (!out->validity) {
    out->validity = malloc(bitmap_size(out->count));
    if (!out->validity) return false;
    memset(out->validity, 0xFF, bitmap_size(out->count));
  }
  out->validity[row >> 3] &= (uint8_t)~(1u << (row & 7));
  out->null_count++;
  if (plan->wants[PRICETAG_ARROW_DISPLAY]) append_length(&out->display, row, 0);
  if (plan->wants[PRICETAG_ARROW_SPOKEN]) append_length(&out->spoken, row, 0);
  if (plan->wants[PRICETAG_ARROW_PARTS]) out->part_offsets[row + 1] = (int32_t)out->part_count;
  if (!error || !plan->wants[PRICETAG_ARROW_ERROR]) return true;
  if (!out->errors) {
    out->error_validity = calloc(bitmap_size(out->count), 1);
    out->errors = calloc((size_t)out->count + 1, 1);
    if (!out->error_validity || !out->errors) return false;
  }
  out->error_validity[row >> 3] |= (uint8_t)(1u << (row & 7));
  out->errors[row] = (int8_t)(error - 1);
  out->error_count++;
  return true;
}

enum { MAXIMUM_PARTS = 128 };

// Makes room for a price's parts, and their values.
static bool reserve_parts(outputs *out, size_t count, size_t bytes) {
  if (!reserve(&out->values, bytes)) return false;
  int64_t needed = out->part_count + (int64_t)count;
  if (needed <= out->part_capacity) return true;
  int64_t capacity = out->part_capacity ? out->part_capacity * 2 : 1024;
  if (capacity < needed) capacity = needed;
  int8_t *kinds = realloc(out->part_kinds, (size_t)capacity);
  if (!kinds) return false;
  out->part_kinds = kinds;
  uint8_t *offsets = realloc(out->values.places, ((size_t)capacity + 1) * 4);
  if (!offsets) return false;
  out->values.places = offsets;
  out->part_capacity = capacity;
  return true;
}

// The values of parts have no other layout.
static int32_t too_large(pricetag_arrow_error *error, bool is_of_parts) {
  return fail(error, PRICETAG_ARROW_RESULT_TOO_LARGE,
              is_of_parts ? "pass smaller batches" : "pass smaller batches, or request text as utf8_view",
              "the text of the batch has more than 2,147,483,647 bytes");
}

// The parts of a price of a row, and its direction and spoken form.
static int32_t append_forms(outputs *out, const pricetag_arrow_plan *plan, const entry *formatters, int64_t row,
                            int64_t units, int32_t exponent, const char *display, uint8_t *row_error,
                            pricetag_arrow_error *error) {
  int32_t status = PRICETAG_OK, direction = PRICETAG_LEFT_TO_RIGHT;
  size_t spoken_length = 0, part_count = 0;
  pricetag_part parts[MAXIMUM_PARTS];
  if (plan->wants[PRICETAG_ARROW_SPOKEN]) {
    if (!reserve(&out->spoken, formatters->spoken_capacity)) return out_of_memory(error);
    status = pricetag_format_units(formatters->spoken, units, exponent, plan->rounding,
                                   out->spoken.bytes + out->spoken.length, formatters->spoken_capacity, &spoken_length);
  }
  if (status == PRICETAG_OK && plan->wants[PRICETAG_ARROW_DIRECTION]) {
    status = pricetag_direction(formatters->formatter, units, exponent, plan->rounding, &direction);
  }
  if (status == PRICETAG_OK && plan->wants[PRICETAG_ARROW_PARTS]) {
    status = pricetag_parts(formatters->formatter, units, exponent, plan->rounding, parts, MAXIMUM_PARTS, &part_count);
    if (status == PRICETAG_OK && part_count > MAXIMUM_PARTS) status = PRICETAG_INVALID_ARGUMENT;
  }
  if (status != PRICETAG_OK) {
    *row_error = error_of(status);
    return PRICETAG_OK;
  }
  if (plan->wants[PRICETAG_ARROW_SPOKEN] && !append_length(&out->spoken, row, spoken_length)) {
    return too_large(error, false);
  }
  if (plan->wants[PRICETAG_ARROW_DIRECTION]) out->directions[row] = direction == PRICETAG_RIGHT_TO_LEFT;
  if (plan->wants[PRICETAG_ARROW_PARTS]) {
    if (!reserve_parts(out, part_count, formatters->capacity)) return out_of_memory(error);
    for (size_t index = 0; index < part_count; index++) {
      size_t length = parts[index].end - parts[index].start;
      memcpy(out->values.bytes + out->values.length, display + parts[index].start, length);
      out->part_kinds[out->part_count] = (int8_t)parts[index].kind;
      if (!append_length(&out->values, out->part_count, length)) return too_large(error, true);
      out->part_count++;
    }
    if (out->part_count > INT32_MAX) return too_large(error, true);
    out->part_offsets[row + 1] = (int32_t)out->part_count;
  }
  return PRICETAG_OK;
}

// Returns a copy of a bitmap, which is NULL if there are no nulls.
static bool copy_validity(struct ArrowArray *array, const outputs *out) {
  array->null_count = out->null_count;
  if (out->null_count == 0) return true;
  uint8_t *copy = malloc(bitmap_size(out->count));
  if (!copy) return false;
  memcpy(copy, out->validity, bitmap_size(out->count));
  set_buffer(array, 0, copy);
  return true;
}

// Moves an output into an array. The array owns what it has, also after a failure.
static bool finish_output(struct ArrowArray *array, uint8_t output, outputs *out, int32_t layout) {
  int64_t text_buffers = layout == PRICETAG_ARROW_UTF8_VIEW ? 2 : 3;
  switch (output) {
    case PRICETAG_ARROW_DISPLAY:
    case PRICETAG_ARROW_SPOKEN:
      return start_array(array, out->count, text_buffers, 0, false) &&
             set_text(array, output == PRICETAG_ARROW_DISPLAY ? &out->display : &out->spoken) &&
             copy_validity(array, out);
    case PRICETAG_ARROW_ERROR:
      if (!out->error_validity) out->error_validity = calloc(bitmap_size(out->count), 1);
      if (!out->errors) out->errors = calloc((size_t)out->count + 1, 1);
      if (!out->error_validity || !out->errors || !start_dictionary(array, out->count, &error_list)) return false;
      array->null_count = out->count - out->error_count;
      set_buffer(array, 0, out->error_validity);
      set_buffer(array, 1, out->errors);
      out->error_validity = NULL;
      out->errors = NULL;
      return true;
    case PRICETAG_ARROW_DIRECTION:
      if (!start_dictionary(array, out->count, &direction_list)) return false;
      set_buffer(array, 1, out->directions);
      out->directions = NULL;
      return copy_validity(array, out);
    default: {
      if (!reserve_parts(out, 1, 0) || !start_array(array, out->count, 2, 1, false)) return false;
      set_buffer(array, 1, out->part_offsets);
      out->part_offsets = NULL;
      struct ArrowArray *item = array->children[0];
      if (!copy_validity(array, out) || !start_array(item, out->part_count, 1, 2, false) ||
          !start_dictionary(item->children[0], out->part_count, &part_list)) {
        return false;
      }
      set_buffer(item->children[0], 1, out->part_kinds);
      out->part_kinds = NULL;
      return start_array(item->children[1], out->part_count, 3, 0, false) && set_text(item->children[1], &out->values);
    }
  }
}

// The columns of a batch, and the null bitmap of its struct array.
typedef struct {
  column amount;
  key_reader keys;
  const uint8_t *validity;
  int64_t validity_first;
} inputs;

// Formats all rows of a constant formatter and integers without nulls.
static int32_t format_plain(const pricetag_arrow_plan *plan, const column *amount, outputs *out,
                            pricetag_arrow_error *error) {
  const entry *formatters = &plan->uncached;
  text_builder *text = &out->display;
  const uint8_t *units = amount->values + (size_t)amount->first * 8;
  int64_t row = 0;
  while (row < out->count) {
    // At least one price fits. A call returns what fits, and offsets that start with 0.
    if (!reserve(text, formatters->capacity)) return out_of_memory(error);
    size_t done = 0;
    int32_t *offsets = (int32_t *)(void *)text->places + row;
    int32_t start = *offsets;
    int32_t status = pricetag_format_column(formatters->formatter, (const int64_t *)(const void *)units + row,
                                            (size_t)(out->count - row), formatters->exponent, plan->rounding,
                                            text->bytes + text->length, text->capacity - text->length, offsets, &done);
    for (size_t index = 0; index <= done; index++) {
      int64_t end = (int64_t)offsets[index] + start;
      if (end > MAXIMUM_UTF8) return too_large(error, false);
      offsets[index] = (int32_t)end;
    }
    text->length = (size_t)offsets[done];
    row += (int64_t)done;
    if (status == PRICETAG_BUFFER_TOO_SMALL) {
      // The rest of the buffer may be smaller than a price.
      if (!grow_text(text, formatters->capacity)) return out_of_memory(error);
    } else if (status != PRICETAG_OK) {
      if (!append_null(out, plan, row, error_of(status))) return out_of_memory(error);
      row++;
    }
  }
  return PRICETAG_OK;
}

// Formats int64 amounts by the indices of one dictionary, with less work for a row than format_rows.
static int32_t format_indexed(pricetag_arrow_plan *plan, inputs *in, outputs *out, pricetag_arrow_error *error) {
  const column *amount = &in->amount, *key = &in->keys.keys[0];
  text_builder *text = &out->display;
  int32_t *offsets = (int32_t *)(void *)text->places;
  for (int64_t row = 0; row < out->count; row++) {
    int32_t status = PRICETAG_OK;
    int64_t index;
    if (!index_at(key, key->first + row, &index)) return refuse_index(key, row, error);
    // The first place of the map is that of nulls.
    uint32_t place = plan->map[index + 1];
    const entry *formatters =
        place != NO_ENTRY ? &plan->entries[place] : entry_at(&in->keys, row, &status, error);
    if (!formatters) return status;
    uint8_t row_error = formatters->error ? formatters->error : formatters->amount_error;
    if (!row_error) {
      size_t length = 0;
      if (!reserve(text, formatters->capacity)) return out_of_memory(error);
      status = pricetag_format_units(formatters->formatter, load_int64(amount->values, amount->first + row),
                                     formatters->exponent, plan->rounding, text->bytes + text->length,
                                     formatters->capacity, &length);
      if (status == PRICETAG_OK) {
        text->length += length;
        if (text->length > MAXIMUM_UTF8) return too_large(error, false);
        offsets[row + 1] = (int32_t)text->length;
        continue;
      }
      row_error = error_of(status);
    }
    if (!append_null(out, plan, row, row_error)) return out_of_memory(error);
  }
  return PRICETAG_OK;
}

// Returns whether the amounts are int64 without nulls, and the only output of text is `display`, as utf8.
static bool is_simple(const pricetag_arrow_plan *plan, const inputs *in) {
  const column *amount = &in->amount;
  if (!plan->wants[PRICETAG_ARROW_DISPLAY] || plan->text != PRICETAG_ARROW_UTF8) return false;
  for (int output = PRICETAG_ARROW_SPOKEN; output <= PRICETAG_ARROW_OUTPUTS; output++) {
    if (plan->wants[output]) return false;
  }
  return amount->values_type == TYPE_INT64 && !amount->indices_type && !amount->validity && !in->validity &&
         amount->values;
}

static bool is_plain(const pricetag_arrow_plan *plan, const inputs *in) {
  return is_simple(plan, in) && plan->key_count == 0 && (uintptr_t)in->amount.values % sizeof(int64_t) == 0;
}

static bool is_indexed(const pricetag_arrow_plan *plan, const inputs *in) {
  const column *key = &in->keys.keys[0];
  return is_simple(plan, in) && plan->key_count == 1 && in->keys.has_map && key->indices_type &&
         key->values_type != TYPE_NULL && !key->validity;
}

static int32_t format_rows(pricetag_arrow_plan *plan, inputs *in, outputs *out, pricetag_arrow_error *error) {
  const bool has_forms =
      plan->wants[PRICETAG_ARROW_SPOKEN] || plan->wants[PRICETAG_ARROW_DIRECTION] || plan->wants[PRICETAG_ARROW_PARTS];
  const bool has_integers = is_integer(in->amount.values_type);
  const bool has_display = plan->wants[PRICETAG_ARROW_DISPLAY];
  const bool is_constant = !plan->types[PRICETAG_ARROW_AMOUNT].values;
  text_builder *display = &out->display;
  amount_value amount = {plan->constant_units, plan->constant_exponent, NULL, 0};
  for (int64_t row = 0; row < out->count; row++) {
    int kind = AMOUNT_UNITS;
    if (in->validity && !is_bit_set(in->validity, in->validity_first + row)) {
      kind = AMOUNT_NULL;
    } else if (!is_constant) {
      kind = amount_at(&in->amount, row, &amount, error);
      if (kind == AMOUNT_INVALID) return PRICETAG_ARROW_INVALID_ARRAY;
    }
    uint8_t row_error = NO_ERROR;
    if (kind == AMOUNT_NULL) {
      if (!append_null(out, plan, row, NO_ERROR)) return out_of_memory(error);
      continue;
    }
    int32_t status = PRICETAG_OK;
    const entry *formatters = entry_at(&in->keys, row, &status, error);
    if (!formatters) return status;
    size_t length = 0;
    if (formatters->error) {
      row_error = formatters->error;
    } else if (kind == AMOUNT_TOO_LARGE) {
      row_error = AMOUNT_OUT_OF_RANGE;
    } else if (formatters->amount_error) {
      row_error = formatters->amount_error;
    } else {
      if (!reserve(display, formatters->capacity)) return out_of_memory(error);
      char *end = display->bytes + display->length;
      if (kind == AMOUNT_TEXT && has_forms) {
        status = pricetag_parse(amount.text, amount.length, &amount.units, &amount.exponent);
        kind = AMOUNT_UNITS;
      } else if (has_integers) {
        amount.exponent = formatters->exponent;
      }
      if (status == PRICETAG_OK) {
        status = kind == AMOUNT_TEXT ? pricetag_format(formatters->formatter, amount.text, amount.length,
                                                       plan->rounding, end, formatters->capacity, &length)
                                     : pricetag_format_units(formatters->formatter, amount.units, amount.exponent,
                                                             plan->rounding, end, formatters->capacity, &length);
      }
      row_error = error_of(status);
      if (!row_error && has_forms) {
        status = append_forms(out, plan, formatters, row, amount.units, amount.exponent, end, &row_error, error);
        if (status != PRICETAG_OK) return status;
      }
    }
    if (row_error) {
      if (!append_null(out, plan, row, row_error)) return out_of_memory(error);
    } else if (has_display && !append_length(display, row, length)) {
      return too_large(error, false);
    }
  }
  return PRICETAG_OK;
}

static int32_t format_inputs(pricetag_arrow_plan *plan, inputs *in, int64_t count, struct ArrowArray *result,
                             pricetag_arrow_error *error) {
  outputs out = {0};
  struct ArrowArray made;
  if ((uint64_t)count > SIZE_MAX / 64) return out_of_memory(error);
  in->keys.plan = plan;
  if (!prepare_keys(&in->keys) || !start_outputs(&out, plan, count)) {
    free_outputs(&out);
    return out_of_memory(error);
  }
  int32_t status = is_plain(plan, in)     ? format_plain(plan, &in->amount, &out, error)
                   : is_indexed(plan, in) ? format_indexed(plan, in, &out, error)
                                          : format_rows(plan, in, &out, error);
  if (status == PRICETAG_OK) {
    bool is_complete = start_array(&made, count, 1, plan->output_count, false);
    if (is_complete) {
      for (int index = 0; index < plan->output_count && is_complete; index++) {
        is_complete = finish_output(made.children[index], plan->outputs[index], &out, plan->text);
      }
      if (!is_complete) made.release(&made);
    }
    if (!is_complete) status = out_of_memory(error);
  }
  free_outputs(&out);
  if (status == PRICETAG_OK) *result = made;
  return status;
}

int32_t pricetag_arrow_format(pricetag_arrow_plan *plan, const pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS],
                              int64_t count, struct ArrowArray *result, pricetag_arrow_error *error) {
  if (!plan || !columns || !result || count < 0) {
    return fail(error, PRICETAG_INVALID_ARGUMENT, "pass it",
                "the plan, the columns or the result are NULL, or the number of rows is negative");
  }
  inputs in;
  memset(&in, 0, sizeof in);
  int key = 0;
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    if (!plan->types[argument].values) continue;
    column *read = argument == PRICETAG_ARROW_AMOUNT ? &in.amount : &in.keys.keys[key++];
    if (count == 0 && !columns[argument].array) continue;
    int32_t status = read_column(plan, argument, columns[argument].array, columns[argument].start, count, read, error);
    if (status != PRICETAG_OK) return status;
  }
  return format_inputs(plan, &in, count, result, error);
}

int32_t pricetag_arrow_format_batch(pricetag_arrow_plan *plan, const struct ArrowArray *batch,
                                    const int64_t children[PRICETAG_ARROW_ARGUMENTS], struct ArrowArray *result,
                                    pricetag_arrow_error *error) {
  const int32_t invalid = PRICETAG_ARROW_INVALID_ARRAY;
  if (!plan || !batch || !children || !result) {
    return fail(error, PRICETAG_INVALID_ARGUMENT, "pass it",
                "the plan, the batch, the children or the result are NULL");
  }
  if (!batch->release) {
    return fail(error, invalid, "pass the batch before it is released or moved", "the batch was released");
  }
  if (batch->length < 0 || batch->offset < 0 || batch->length > INT64_MAX / 64 || batch->offset > INT64_MAX / 64) {
    return fail(error, invalid, produce_again, "the batch has the length %" PRId64 " and the offset %" PRId64,
                batch->length, batch->offset);
  }
  if (batch->n_buffers != 1 || !batch->buffers || batch->n_children < 0 ||
      (batch->n_children > 0 && !batch->children) || batch->dictionary || batch->null_count < -1 ||
      batch->null_count > batch->length || (batch->null_count > 0 && !batch->buffers[0])) {
    return fail(error, invalid, produce_again, "the batch is not a valid struct array");
  }
  inputs in;
  memset(&in, 0, sizeof in);
  in.validity = batch->null_count != 0 ? batch->buffers[0] : NULL;
  in.validity_first = batch->offset;
  int key = 0;
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    if (!plan->types[argument].values) continue;
    column *read = argument == PRICETAG_ARROW_AMOUNT ? &in.amount : &in.keys.keys[key++];
    if (children[argument] < 0 || children[argument] >= batch->n_children) {
      return fail(error, invalid, "pass a batch with the columns of the plan's schemas",
                  "%s: the batch has %" PRId64 " columns, and none at %" PRId64, argument_names[argument],
                  batch->n_children, children[argument]);
    }
    int32_t status =
        read_column(plan, argument, batch->children[children[argument]], batch->offset, batch->length, read, error);
    if (status != PRICETAG_OK) return status;
  }
  return format_inputs(plan, &in, batch->length, result, error);
}

// What the files of this folder share: the codes of rows, the types of columns, plans, columns as they are read, and
// text as it is written. Of other files, only Bindings/Spark/pricetag_spark.c includes it, to find formatters.
#ifndef ARROW_INTERNAL_H
#define ARROW_INTERNAL_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pricetag_arrow.h"
#include "../C/pricetag_shared.h"

#pragma GCC visibility push(hidden)

// ---- Errors: arrow_errors.c

// Stores an error, and returns its status.
__attribute__((format(printf, 4, 5))) int32_t arrow_fail(pricetag_arrow_error *error, int32_t status, const char *fix,
                                                         const char *message, ...);
int32_t arrow_out_of_memory(pricetag_arrow_error *error);

// Stores the error of an array that its producer made wrong.
#define arrow_invalid(error, ...) \
  arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, "correct the producer of the array", __VA_ARGS__)

// The text that a plan reads is the amount of its arrays, and has another name.
enum { READ_TEXT = PRICETAG_ARROW_ARGUMENTS };
extern const char *const arrow_argument_names[READ_TEXT + 1];

// Text of an argument for a message: printable, and not too long.
typedef struct {
  char text[56];
} excerpt;

excerpt arrow_excerpt(const char *text, size_t length);

// The codes of rows, with a status that has the code. Where several codes have a status, the first one is its own.
#define ERROR_CODES(CODE)                                                        \
  CODE(UNKNOWN_STOREFRONT, "unknown-storefront", PRICETAG_UNKNOWN_STOREFRONT)    \
  CODE(UNKNOWN_LOCALE, "unknown-locale", PRICETAG_UNKNOWN_LOCALE)                \
  CODE(MALFORMED_LOCALE, "malformed-locale", PRICETAG_UNKNOWN_LOCALE)            \
  CODE(UNEXPECTED_EXTENSION, "unexpected-extension", PRICETAG_UNKNOWN_LOCALE)    \
  CODE(UNKNOWN_CURRENCY, "unknown-currency", PRICETAG_UNKNOWN_CURRENCY)          \
  CODE(CURRENCY_MISMATCH, "currency-mismatch", PRICETAG_CURRENCY_MISMATCH)       \
  CODE(MALFORMED_DATE, "malformed-date", PRICETAG_ARROW_MALFORMED_DATE)          \
  CODE(MISSING_DATE, "missing-date", PRICETAG_MISSING_DATE)                      \
  CODE(MISSING_STOREFRONT, "missing-storefront", PRICETAG_UNKNOWN_STOREFRONT)    \
  CODE(MISSING_FORMATTER, "missing-formatter", PRICETAG_MISSING_FORMATTER)       \
  CODE(MISSING_STYLE, "missing-style", PRICETAG_MISSING_STYLE)                   \
  CODE(MISSING_PLURAL, "missing-plural", PRICETAG_MISSING_PLURAL)                \
  CODE(MALFORMED_AMOUNT, "malformed-amount", PRICETAG_MALFORMED_AMOUNT)          \
  CODE(AMOUNT_OUT_OF_RANGE, "amount-out-of-range", PRICETAG_AMOUNT_OUT_OF_RANGE) \
  CODE(NEEDS_ROUNDING, "needs-rounding", PRICETAG_NEEDS_ROUNDING)                \
  CODE(NO_MINOR_UNIT, "no-minor-unit", PRICETAG_ARROW_NO_MINOR_UNIT)             \
  CODE(NOT_A_PRICE, "not-a-price", PRICETAG_NOT_A_PRICE)                         \
  CODE(NOT_AS_WRITTEN, "not-as-written", PRICETAG_NOT_AS_WRITTEN)                \
  CODE(AMBIGUOUS_NUMBER, "ambiguous-number", PRICETAG_AMBIGUOUS_NUMBER)          \
  CODE(TEXT_TOO_LONG, "text-too-long", PRICETAG_TEXT_TOO_LONG)                   \
  CODE(INVALID_ARGUMENT, "invalid-argument", PRICETAG_INVALID_ARGUMENT)

#define NAME_OF(name, text, status) name,
enum { NO_ERROR = 0, ERROR_CODES(NAME_OF) ERROR_COUNT };

// Return the code of a status, and a status with a code.
uint8_t arrow_error_of(int32_t status);
int32_t arrow_status_of(uint8_t error);

// ---- Types: arrow_types.c

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

static inline bool is_text(uint8_t type) { return type >= TYPE_TEXT && type <= TYPE_TEXT_VIEW; }
static inline bool is_integer(uint8_t type) { return type >= TYPE_INT8 && type <= TYPE_UINT64; }
static inline bool is_decimal(uint8_t type) { return type >= TYPE_DECIMAL32 && type <= TYPE_DECIMAL256; }

int32_t arrow_read_type(const struct ArrowSchema *schema, int argument, column_type *type, pricetag_arrow_error *error);

// ---- Plans: arrow_plan.c

enum { KEY_WORDS = 8, NAME_SIZE = 256, NO_ENTRY = 0xFFFFFFFF };

// The formatter of a storefront, a locale, a currency and a date, or the reason why it is missing.
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
  int32_t unit, rounding, date, text, reading;
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

// ---- Reading columns: arrow_input.c

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

// Checks an array, and the rows of it that a call reads.
int32_t arrow_read_column(const pricetag_arrow_plan *plan, int argument, const struct ArrowArray *array, int64_t start,
                          int64_t count, column *read, pricetag_arrow_error *error);

// Reads the text at a place. `row` is for messages; that of a dictionary has none.
bool arrow_text_at(const column *read, int64_t place, int64_t row, const char **text, size_t *length,
                   pricetag_arrow_error *error);

int32_t arrow_refuse_index(const column *read, int64_t row, pricetag_arrow_error *error);

// Reads an index of a dictionary. False if it is outside.
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

enum { IS_INVALID = -1, IS_NULL = 0, IS_VALUE = 1 };

// Finds the place of a row's value. Reports invalid indices.
static inline int locate(const column *read, int64_t row, int64_t *place, pricetag_arrow_error *error) {
  int64_t at = read->first + row;
  if (read->values_type == TYPE_NULL) return IS_NULL;
  if (read->validity && !is_bit_set(read->validity, at)) return IS_NULL;
  if (read->indices_type) {
    int64_t index;
    if (!index_at(read, at, &index)) return arrow_refuse_index(read, row, error), IS_INVALID;
    at = read->values_first + index;
    if (read->values_validity && !is_bit_set(read->values_validity, at)) return IS_NULL;
  }
  *place = at;
  return IS_VALUE;
}

// ---- Formatters of rows: arrow_formatters.c

// The values that decide the formatter of a row. A text is NULL if it is absent; the date is 0 if it is absent.
typedef struct {
  const char *texts[PRICETAG_ARROW_ARGUMENTS];
  size_t lengths[PRICETAG_ARROW_ARGUMENTS];
  int32_t date;
  bool is_date_malformed;
} row_key;

// Returns the values of constants; those of columns are absent.
row_key arrow_constant_key(const pricetag_arrow_plan *plan);

// Finds the formatter of values in the pack. The checks have the order of `pricetag batch`.
void arrow_resolve(const pricetag_arrow_plan *plan, const row_key *key, entry *result);

// Finds the entry of a row by the indices of dictionaries.
typedef struct {
  pricetag_arrow_plan *plan;
  column keys[PRICETAG_ARROW_ARGUMENTS];
  bool has_map;
} key_reader;

enum { MAXIMUM_PROBES = 16 };

// Returns the word of a text of fewer than 8 bytes in a key.
static inline uint64_t key_word(const char *text, size_t length) {
  uint64_t word = 0;
  const uint8_t *bytes = (const uint8_t *)text;
  if (length >= 4) {
    word = load_uint32(bytes, 0) | (uint64_t)load_uint32(bytes + length - 4, 0) << (8 * (length - 4));
  } else if (length > 0) {
    word = bytes[0] | (uint64_t)bytes[length / 2] << (8 * (length / 2)) |
           (uint64_t)bytes[length - 1] << (8 * (length - 1));
  }
  return word | (uint64_t)(length + 1) << 56;
}

static inline uint64_t hash_key(const uint64_t *key, uint32_t words) {
  uint64_t hash = words;
  for (uint32_t index = 0; index < words; index++) hash = pricetag_hash(hash, key[index]);
  return hash;
}

// Returns the place of an entry in the store, or NO_ENTRY.
static inline uint32_t arrow_find_entry(const pricetag_arrow_plan *plan, const uint64_t *key, uint32_t words) {
  if (!plan->table || words == 0) return NO_ENTRY;
  uint64_t hash = hash_key(key, words);
  for (uint32_t probe = 0; probe < MAXIMUM_PROBES; probe++) {
    uint32_t place = plan->table[(uint32_t)(hash + probe) & plan->table_mask];
    if (place == NO_ENTRY) return NO_ENTRY;
    const entry *candidate = &plan->entries[place];
    uint32_t equal = 0;
    while (equal < words && candidate->key[equal] == key[equal]) equal++;
    if (candidate->key_words == words && equal == words) return place;
  }
  return NO_ENTRY;
}

// Prepares a map of the entries, if the columns are dictionaries that have few combinations.
bool arrow_prepare_keys(key_reader *reader);

// Returns the entry of a row; NULL with a status.
const entry *arrow_entry_at(key_reader *reader, int64_t row, int32_t *status, pricetag_arrow_error *error);

// ---- Writing text: arrow_text.c

// The bytes that the offsets of utf8 can address. Tests compile with a smaller number.
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

bool arrow_start_text(text_builder *text, int32_t layout, int64_t count);
void arrow_free_text(text_builder *text);

// Stores the last buffer of views among the complete ones.
bool arrow_finish_block(text_builder *text);
bool arrow_grow_text(text_builder *text, size_t needed);

// Returns memory that is not needed, if it is most of it.
void arrow_shrink_text(text_builder *text);

// Makes room at the end of the text.
static inline bool reserve(text_builder *text, size_t needed) {
  return text->capacity - text->length >= needed || arrow_grow_text(text, needed);
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

// ---- Outputs: arrow_outputs.c

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

bool arrow_start_outputs(outputs *out, const pricetag_arrow_plan *plan, int64_t count);
void arrow_free_outputs(outputs *out);

// Ends a row without a price.
bool arrow_append_null(outputs *out, const pricetag_arrow_plan *plan, int64_t row, uint8_t error);

// Writes the parts of a price of a row, and its direction and spoken form.
int32_t arrow_append_forms(outputs *out, const pricetag_arrow_plan *plan, const entry *formatters, int64_t row,
                           int64_t units, int32_t exponent, const char *display, uint8_t *row_error,
                           pricetag_arrow_error *error);

// Stores the error of a result. The values of parts have no other layout.
int32_t arrow_too_large(pricetag_arrow_error *error, bool is_of_parts);

// Moves the outputs into a result. False without memory.
bool arrow_finish_outputs(struct ArrowArray *result, const pricetag_arrow_plan *plan, outputs *out);

#pragma GCC visibility pop

#endif

/*
** The DuckDB extension of PriceTag: functions that format prices, with the packs inside.
**
**     LOAD 'pricetag.duckdb_extension';
**     SELECT price_format('JPN', '1200');    -- ￥1,200
**
** docs/sql.md describes the functions. The extension needs version 1.2.0 of DuckDB's C API for extensions, which later
** versions of DuckDB keep. DuckDB calls a function from several threads, with up to 2,048 rows at a time; each call has
** a cache of its own on the stack, so that threads share only the packs, which never change.
*/
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../C/pricetag_shared.h"
#include "duckdb_extension.h"
#include "pricetag_sql.h"

DUCKDB_EXTENSION_EXTERN

__extension__ typedef __int128 wide_integer;

// The pack of a file, which is closed when the last function is dropped.
typedef struct shared_packs {
  atomic_uint references;
  pricetag_sql_packs packs;
  const pricetag_pack *file;
} shared_packs;

enum { IS_LOCALE = 1, IS_SPOKEN = 2, IS_ERROR = 4, IS_MINOR = 8, IS_MICROS = 16, IS_READ = 32 };

// What a function does; DuckDB stores it with the function. Its arguments are (storefront, amount, date, options,
// currency) or (locale, currency, amount, options). A function that reads has the text of a price as its amount.
typedef struct function {
  shared_packs *shared;
  unsigned flags;
} function;

static void release(shared_packs *shared) {
  if (atomic_fetch_sub(&shared->references, 1) != 1) return;
  pricetag_pack_close(shared->file);
  duckdb_free(shared);
}

static void free_function(void *pointer) {
  function *called = pointer;
  release(called->shared);
  duckdb_free(called);
}

// ---- Columns

// A column of a chunk, whose rows are next to each other.
typedef struct column {
  duckdb_type type;
  // The type of the integers of a decimal, and its decimals; or the type again, and 0.
  duckdb_type storage;
  uint8_t scale;
  const void *data;
  const uint64_t *validity;
} column;

static column read_column(duckdb_data_chunk chunk, idx_t index) {
  duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, index);
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  column result = {.type = duckdb_get_type_id(type), .scale = 0};
  result.storage = result.type;
  if (result.type == DUCKDB_TYPE_DECIMAL) {
    result.storage = duckdb_decimal_internal_type(type);
    result.scale = duckdb_decimal_scale(type);
  }
  duckdb_destroy_logical_type(&type);
  result.data = duckdb_vector_get_data(vector);
  result.validity = duckdb_vector_get_validity(vector);
  return result;
}

static bool is_null(const column *values, idx_t row) {
  return values->type == DUCKDB_TYPE_SQLNULL ||
         (values->validity && (values->validity[row / 64] >> (row % 64) & 1) == 0);
}

static pricetag_text text_at(const column *values, idx_t row) {
  const duckdb_string_t *string = (const duckdb_string_t *)values->data + row;
  uint32_t length = string->value.inlined.length;
  return (pricetag_text){length <= sizeof string->value.inlined.inlined ? string->value.inlined.inlined
                                                                        : string->value.pointer.ptr,
                         length};
}

static wide_integer integer_at(const column *values, idx_t row) {
  switch (values->storage) {
    case DUCKDB_TYPE_TINYINT: return ((const int8_t *)values->data)[row];
    case DUCKDB_TYPE_SMALLINT: return ((const int16_t *)values->data)[row];
    case DUCKDB_TYPE_INTEGER: return ((const int32_t *)values->data)[row];
    case DUCKDB_TYPE_BIGINT: return ((const int64_t *)values->data)[row];
    case DUCKDB_TYPE_UTINYINT: return ((const uint8_t *)values->data)[row];
    case DUCKDB_TYPE_USMALLINT: return ((const uint16_t *)values->data)[row];
    case DUCKDB_TYPE_UINTEGER: return ((const uint32_t *)values->data)[row];
    case DUCKDB_TYPE_UBIGINT: return ((const uint64_t *)values->data)[row];
    case DUCKDB_TYPE_UHUGEINT: {
      const duckdb_uhugeint *value = (const duckdb_uhugeint *)values->data + row;
      // Every integer that is this large is out of range.
      uint64_t upper = value->upper <= INT64_MAX ? value->upper : INT64_MAX;
      return (wide_integer)upper * ((wide_integer)1 << 64) + value->lower;
    }
    default: {
      const duckdb_hugeint *value = (const duckdb_hugeint *)values->data + row;
      return (wide_integer)value->upper * ((wide_integer)1 << 64) + value->lower;
    }
  }
}

typedef enum amount_kind { TEXT_AMOUNT, INTEGER_AMOUNT, NULL_AMOUNT, OTHER_AMOUNT } amount_kind;

static amount_kind kind_of(const column *values) {
  switch (values->storage) {
    case DUCKDB_TYPE_VARCHAR: return TEXT_AMOUNT;
    case DUCKDB_TYPE_SQLNULL: return NULL_AMOUNT;
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT: return INTEGER_AMOUNT;
    default: return OTHER_AMOUNT;
  }
}

// ---- Rows

// The columns of a call; `date`, `currency` and `options` have no data if the call lacks them.
typedef struct arguments {
  column name, currency, amount, date, options;
  amount_kind amount_kind;
} arguments;

static void set_error(duckdb_function_info info, int32_t status, const char *place, const char *problem,
                      const char *fix) {
  char message[PRICETAG_SQL_MESSAGE];
  pricetag_sql_describe(status, place, problem, fix, message);
  duckdb_scalar_function_set_error(info, message);
}

// Sets the error of a query, with the options that have the problem.
static void set_options_error(duckdb_function_info info, int32_t status, pricetag_text options) {
  char quoted[PRICETAG_SQL_QUOTED];
  set_error(info, status, options.length != 0 ? pricetag_sql_quote(options, quoted) : NULL, NULL, NULL);
}

// Checks the types of columns: a wrong one is a problem of the query, not of a row.
static bool check_types(duckdb_function_info info, const function *called, const arguments *read) {
  if (called->flags & IS_READ && read->amount_kind != TEXT_AMOUNT && read->amount_kind != NULL_AMOUNT) {
    set_error(info, PRICETAG_SQL_WRONG_TYPE, NULL, "the price is not text", "pass VARCHAR");
    return false;
  }
  if (read->amount_kind == OTHER_AMOUNT) {
    bool is_float = read->amount.type == DUCKDB_TYPE_DOUBLE || read->amount.type == DUCKDB_TYPE_FLOAT;
    set_error(info, PRICETAG_SQL_WRONG_TYPE, NULL,
              is_float ? "the amount is a floating-point number, which is not exact"
                       : "the amount is neither text nor a number",
              is_float ? "store it as DECIMAL or VARCHAR, or as BIGINT of minor units for price_format_minor"
                       : "pass DECIMAL, VARCHAR or an integer");
    return false;
  }
  if (read->date.data && read->date.type != DUCKDB_TYPE_DATE && read->date.type != DUCKDB_TYPE_VARCHAR &&
      read->date.type != DUCKDB_TYPE_SQLNULL) {
    set_error(info, PRICETAG_SQL_WRONG_TYPE, NULL, "the date is neither a DATE nor text", "use CAST(… AS DATE)");
    return false;
  }
  return true;
}

static bool check_unit(duckdb_function_info info, const arguments *read, int32_t unit) {
  if (unit == PRICETAG_SQL_MAJOR || unit == PRICETAG_SQL_READ || read->amount_kind == NULL_AMOUNT) return true;
  if (read->amount_kind == INTEGER_AMOUNT && read->amount.scale == 0) return true;
  set_error(info, PRICETAG_SQL_WRONG_TYPE, NULL, "minor units and micros are integers, not decimals or text",
            "use CAST(… AS BIGINT), or pass an amount of major units");
  return false;
}

static int32_t read_date(const column *dates, idx_t row, int32_t *date) {
  *date = 0;
  if (!dates->data || is_null(dates, row)) return PRICETAG_OK;
  if (dates->type == DUCKDB_TYPE_DATE) {
    *date = pricetag_date_of_days(((const duckdb_date *)dates->data)[row].days);
  } else {
    pricetag_text text = text_at(dates, row);
    *date = pricetag_date_of_text(text.bytes, text.length);
  }
  return *date ? PRICETAG_OK : PRICETAG_SQL_MALFORMED_DATE;
}

static int32_t format_integer(const pricetag_sql_formatter *formatter, wide_integer value, int32_t scale, char *buffer,
                              size_t *length) {
  // The zeros at the end of a fraction do not count against the digits of an amount.
  while (scale > 0 && (scale > 18 || value > INT64_MAX || value < INT64_MIN) && value % 10 == 0) {
    value /= 10;
    scale--;
  }
  if (scale > 18 || value > INT64_MAX || value < INT64_MIN) return PRICETAG_AMOUNT_OUT_OF_RANGE;
  pricetag_sql_formatter scaled = *formatter;
  scaled.exponent += scale;
  return pricetag_sql_format_integer(&scaled, (int64_t)value, buffer, length);
}

// Answers a row, with its price in the buffer.
static int32_t answer(pricetag_sql_cache *cache, const function *called, const arguments *read, idx_t row,
                      const pricetag_sql_cached_options *options, char *buffer, size_t *length) {
  pricetag_sql_question question = {.is_locale = (called->flags & IS_LOCALE) != 0,
                                    .is_spoken = (called->flags & IS_SPOKEN) != 0};
  bool has_currency = read->currency.data && !is_null(&read->currency, row);
  if (is_null(&read->name, row) || (question.is_locale && !has_currency)) return PRICETAG_SQL_MISSING_STOREFRONT;
  question.name = text_at(&read->name, row);
  if (has_currency) question.currency = text_at(&read->currency, row);
  int32_t status = read_date(&read->date, row, &question.date);
  pricetag_sql_formatter formatter;
  if (status == PRICETAG_OK) status = pricetag_sql_find(cache, &called->shared->packs, &question, options, &formatter);
  if (status != PRICETAG_OK) return status;
  if (called->flags & IS_READ) return pricetag_sql_read(&formatter, text_at(&read->amount, row), buffer, length);
  if (read->amount_kind == TEXT_AMOUNT)
    return pricetag_sql_format_text(&formatter, text_at(&read->amount, row), buffer, length);
  return format_integer(&formatter, integer_at(&read->amount, row), read->amount.scale, buffer, length);
}

// Returns the unit that a function names.
static int32_t unit_of(const function *called) {
  if (called->flags & IS_READ) return PRICETAG_SQL_READ;
  if (called->flags & IS_MINOR) return PRICETAG_SQL_MINOR;
  return called->flags & IS_MICROS ? PRICETAG_SQL_MICROS : PRICETAG_SQL_ANY_UNIT;
}

static int32_t find_options(pricetag_sql_cache *cache, const function *called, const arguments *read, idx_t row,
                            const pricetag_sql_cached_options **options, pricetag_text *place) {
  pricetag_text words = {NULL, 0};
  if (read->options.data && !is_null(&read->options, row)) words = text_at(&read->options, row);
  return pricetag_sql_find_options(cache, words, unit_of(called), options, place);
}

static void call(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  const function *called = duckdb_scalar_function_get_extra_info(info);
  bool is_locale = (called->flags & IS_LOCALE) != 0, is_error = (called->flags & IS_ERROR) != 0;
  idx_t rows = duckdb_data_chunk_get_size(chunk), count = duckdb_data_chunk_get_column_count(chunk);
  arguments read;
  memset(&read, 0, sizeof read);
  read.name = read_column(chunk, 0);
  if (is_locale) read.currency = read_column(chunk, 1);
  read.amount = read_column(chunk, is_locale ? 2 : 1);
  if (!is_locale && count > 2) read.date = read_column(chunk, 2);
  if (count > 3) read.options = read_column(chunk, 3);
  if (!is_locale && count > 4) read.currency = read_column(chunk, 4);
  read.amount_kind = kind_of(&read.amount);
  if (!check_types(info, called, &read)) return;

  pricetag_sql_cache cache;
  memset(&cache, 0, sizeof cache);
  uint64_t *validity = NULL;
  for (idx_t row = 0; row < rows; row++) {
    char buffer[PRICETAG_MAXIMUM_CAPACITY];
    size_t length = 0;
    const char *text = NULL;
    const pricetag_sql_cached_options *options;
    pricetag_text place = {"", 0};
    int32_t status = find_options(&cache, called, &read, row, &options, &place);
    if (status != PRICETAG_OK) {
      set_options_error(info, status, place);
      return;
    }
    if (!check_unit(info, &read, options->options.unit)) return;
    if (!is_null(&read.amount, row)) {
      status = answer(&cache, called, &read, row, options, buffer, &length);
      if (pricetag_sql_is_of_query(status)) {
        set_options_error(info, status, (pricetag_text){options->text, options->length});
        return;
      }
      if (is_error && status != PRICETAG_OK) {
        text = pricetag_sql_code(status);
        length = strlen(text);
      } else if (!is_error && status == PRICETAG_OK) {
        text = buffer;
      }
    }
    if (text) {
      duckdb_vector_assign_string_element_len(output, row, text, length);
    } else {
      if (!validity) {
        duckdb_vector_ensure_validity_writable(output);
        validity = duckdb_vector_get_validity(output);
      }
      duckdb_validity_set_row_invalid(validity, row);
    }
  }
}

static void pack_version(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  const function *called = duckdb_scalar_function_get_extra_info(info);
  column names = read_column(chunk, 0);
  idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; row++) {
    char name[32];
    pricetag_text version, text = {"", 0};
    if (!is_null(&names, row)) text = text_at(&names, row);
    if (pricetag_copy_name(name, sizeof name, text.bytes, text.length) &&
        pricetag_pack_version(called->shared->packs.storefronts, name, &version) == PRICETAG_OK) {
      duckdb_vector_assign_string_element_len(output, row, version.bytes, version.length);
    } else {
      duckdb_vector_ensure_validity_writable(output);
      duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
    }
  }
}

// ---- Loading

// Adds a function with some of the parameters to a set.
static bool add_overload(duckdb_scalar_function_set set, shared_packs *shared, const char *name, unsigned flags,
                         const duckdb_type *parameters, idx_t count, duckdb_scalar_function_t implementation) {
  function *called = duckdb_malloc(sizeof *called);
  duckdb_scalar_function overload = duckdb_create_scalar_function();
  if (!called || !overload) {
    duckdb_free(called);
    duckdb_destroy_scalar_function(&overload);
    return false;
  }
  *called = (function){shared, flags};
  atomic_fetch_add(&shared->references, 1);
  duckdb_scalar_function_set_name(overload, name);
  for (idx_t index = 0; index < count; index++) {
    duckdb_logical_type type = duckdb_create_logical_type(parameters[index]);
    duckdb_scalar_function_add_parameter(overload, type);
    duckdb_destroy_logical_type(&type);
  }
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_scalar_function_set_return_type(overload, text);
  duckdb_destroy_logical_type(&text);
  duckdb_scalar_function_set_extra_info(overload, called, free_function);
  // A missing date or options may be NULL.
  duckdb_scalar_function_set_special_handling(overload);
  duckdb_scalar_function_set_function(overload, implementation);
  bool is_added = duckdb_add_scalar_function_to_set(set, overload) == DuckDBSuccess;
  duckdb_destroy_scalar_function(&overload);
  return is_added;
}

static bool define(duckdb_connection connection, shared_packs *shared, const char *name, unsigned flags,
                   const duckdb_type *parameters, idx_t minimum, idx_t maximum,
                   duckdb_scalar_function_t implementation) {
  duckdb_scalar_function_set set = duckdb_create_scalar_function_set(name);
  if (!set) return false;
  bool is_defined = true;
  for (idx_t count = minimum; count <= maximum && is_defined; count++) {
    is_defined = add_overload(set, shared, name, flags, parameters, count, implementation);
  }
  is_defined = is_defined && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
  duckdb_destroy_scalar_function_set(&set);
  return is_defined;
}

static bool define_all(duckdb_connection connection, shared_packs *shared) {
  static const duckdb_type storefront[] = {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY, DUCKDB_TYPE_VARCHAR,
                                           DUCKDB_TYPE_VARCHAR};
  static const duckdb_type locale[] = {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_ANY, DUCKDB_TYPE_VARCHAR};
  static const struct {
    const char *name;
    unsigned flags;
  } functions[] = {
      {"price_format", 0},
      {"price_format_minor", IS_MINOR},
      {"price_format_micros", IS_MICROS},
      {"price_format_locale", IS_LOCALE},
      {"price_spoken", IS_SPOKEN},
      {"price_spoken_locale", IS_LOCALE | IS_SPOKEN},
      {"price_error", IS_ERROR},
      {"price_error_locale", IS_LOCALE | IS_ERROR},
      {"price_read", IS_READ},
      {"price_read_locale", IS_LOCALE | IS_READ},
      {"price_read_error", IS_READ | IS_ERROR},
      {"price_read_error_locale", IS_LOCALE | IS_READ | IS_ERROR},
  };
  for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
    bool is_locale = (functions[index].flags & IS_LOCALE) != 0;
    if (!define(connection, shared, functions[index].name, functions[index].flags, is_locale ? locale : storefront,
                is_locale ? 3 : 2, is_locale ? 4 : 5, call)) {
      return false;
    }
  }
  return define(connection, shared, "price_pack_version", 0, storefront, 1, 1, pack_version);
}

static int32_t open_packs(shared_packs *shared, const char *path) {
  if (path) {
    int32_t status = pricetag_sql_open_pack(path, &shared->packs.storefronts, &shared->file);
    shared->packs.locales = shared->packs.storefronts;
    return status;
  }
  pricetag_text storefronts = pricetag_sql_embedded_storefronts(), locales = pricetag_sql_embedded_locales();
  int32_t status = pricetag_pack_open(storefronts.bytes, storefronts.length, &shared->packs.storefronts);
  if (status == PRICETAG_OK && locales.length != 0) {
    status = pricetag_pack_open(locales.bytes, locales.length, &shared->packs.locales);
  }
  return status;
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access) {
  shared_packs *shared = duckdb_malloc(sizeof *shared);
  if (!shared) {
    access->set_error(info, "out of memory");
    return false;
  }
  memset(shared, 0, sizeof *shared);
  atomic_init(&shared->references, 1);
  const char *path = getenv("PRICETAG_PACK");
  if (path && !*path) path = NULL;
  int32_t status = open_packs(shared, path);
  if (status != PRICETAG_OK) {
    char message[PRICETAG_SQL_MESSAGE], quoted[PRICETAG_SQL_QUOTED] = "the pack in the extension";
    if (path) pricetag_sql_quote((pricetag_text){path, strlen(path)}, quoted);
    bool is_unknown = path && pricetag_sql_is_pack_name(path);
    pricetag_sql_describe(status, quoted, is_unknown ? PRICETAG_SQL_UNKNOWN_PACK : NULL,
                          is_unknown ? PRICETAG_SQL_UNKNOWN_PACK_FIX : NULL, message);
    access->set_error(info, message);
  }
  bool is_loaded = status == PRICETAG_OK;
  if (is_loaded && !define_all(connection, shared)) {
    access->set_error(
        info, "a function could not be registered; load the extension into a database without functions of its names");
    is_loaded = false;
  }
  release(shared);
  return is_loaded;
}

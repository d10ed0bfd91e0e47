/*
** The SQLite extension of PriceTag: functions that format prices, with the packs inside.
**
**     .load ./pricetag
**     SELECT price_format('JPN', '1200');    -- ￥1,200
**
** docs/sql.md describes the functions. Each connection has its own packs and cache, which SQLite's mutex of the
** connection protects. A pack from a file belongs to the connection that opened it.
*/
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <sqlite3ext.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../C/pricetag_shared.h"
#include "pricetag_sql.h"
SQLITE_EXTENSION_INIT1

typedef struct connection {
  // The number of SQL functions that refer to this connection.
  unsigned references;
  bool has_opened_locales;
  pricetag_sql_packs packs;
  // The pack of a file, which must be closed; otherwise NULL.
  const pricetag_pack *file;
  pricetag_sql_cache cache;
} connection;

// ---- Errors

// Sets the error of a status, with the value that has the problem; NULL bytes for none. If the problem and the fix are
// NULL, they are those of the status.
static void set_error(sqlite3_context *context, int32_t status, pricetag_text value, const char *problem,
                      const char *fix) {
  char message[PRICETAG_SQL_MESSAGE], quoted[PRICETAG_SQL_QUOTED];
  pricetag_sql_describe(status, value.bytes ? pricetag_sql_quote(value, quoted) : NULL, problem, fix, message);
  sqlite3_result_error(context, message, -1);
}

// ---- Packs

// Opens the pack of all price locales that the extension contains, at the first question that needs it.
static void open_locales(connection *self) {
  if (self->has_opened_locales) return;
  self->has_opened_locales = true;
  pricetag_text bytes = pricetag_sql_embedded_locales();
  const pricetag_pack *pack;
  if (bytes.length != 0 && pricetag_pack_open(bytes.bytes, bytes.length, &pack) == PRICETAG_OK)
    self->packs.locales = pack;
}

// Opens the pack of a path or of a name.
static int32_t open_pack(connection *self, const char *path) {
  const pricetag_pack *pack, *file;
  int32_t status = pricetag_sql_open_pack(path, &pack, &file);
  if (status != PRICETAG_OK) return status;
  pricetag_pack_close(self->file);
  self->file = file;
  self->packs = (pricetag_sql_packs){pack, pack};
  self->has_opened_locales = true;
  // The formatters in the cache belong to the previous pack.
  memset(&self->cache, 0, sizeof self->cache);
  return PRICETAG_OK;
}

// Describes why a file, or the pack in the extension if the path is NULL, cannot be opened.
static void describe_file_error(int32_t status, int error, const char *path, char message[PRICETAG_SQL_MESSAGE]) {
  char text[128], quoted[PRICETAG_SQL_QUOTED] = "the pack in the extension";
  if (path) pricetag_sql_quote((pricetag_text){path, strlen(path)}, quoted);
  const char *reason = NULL;
  if (status == PRICETAG_UNREADABLE_FILE && error != 0 && strerror_r(error, text, sizeof text) == 0) {
    // The text is in the encoding of the process, and the message in UTF-8.
    for (char *place = text; *place; place++) {
      if ((unsigned char)*place >= 0x80) *place = '?';
    }
    reason = text;
  }
  bool is_unknown = path && pricetag_sql_is_pack_name(path);
  pricetag_sql_describe(status, quoted, is_unknown ? PRICETAG_SQL_UNKNOWN_PACK : reason,
                        is_unknown ? PRICETAG_SQL_UNKNOWN_PACK_FIX : NULL, message);
}

static void release(void *pointer) {
  connection *self = pointer;
  if (--self->references != 0) return;
  pricetag_pack_close(self->file);
  sqlite3_free(self);
}

// ---- Arguments

enum { IS_LOCALE = 1, IS_SPOKEN = 2, IS_ERROR = 4, IS_MINOR = 8, IS_MICROS = 16, IS_READ = 32 };

// What a function does, and its connection. Its arguments are (storefront, amount, date, options, currency, on_error)
// or (locale, currency, amount, options, on_error), the last one only if it can raise the error of a row. A function
// that reads has the text of a price as its amount.
typedef struct function {
  connection *connection;
  unsigned flags;
} function;

static pricetag_text text_of(sqlite3_value *value) {
  // The text before its length, because the conversion to UTF-8 changes the length.
  const char *bytes = (const char *)sqlite3_value_text(value);
  return (pricetag_text){bytes ? bytes : "", bytes ? (size_t)sqlite3_value_bytes(value) : 0};
}

// An answer of a row: a status, and for a message the value with the problem, and another problem and fix than the
// usual.
typedef struct answer {
  int32_t status;
  pricetag_text value;
  const char *problem, *fix;
  bool is_null_on_error;
  size_t length;
  char text[PRICETAG_MAXIMUM_CAPACITY];
} answer;

static void refuse_type(answer *result, const char *problem, const char *fix) {
  result->status = PRICETAG_SQL_WRONG_TYPE;
  result->value = (pricetag_text){NULL, 0};
  result->problem = problem;
  result->fix = fix;
}

static bool is_text(sqlite3_value *value, answer *result, const char *problem) {
  if (sqlite3_value_type(value) == SQLITE_TEXT) return true;
  refuse_type(result, problem, "pass text");
  return false;
}

static void format_amount(sqlite3_value *amount, const pricetag_sql_formatter *formatter, answer *result) {
  switch (sqlite3_value_type(amount)) {
    case SQLITE_INTEGER:
      result->status =
          pricetag_sql_format_integer(formatter, sqlite3_value_int64(amount), result->text, &result->length);
      if (result->status != PRICETAG_OK) result->value = text_of(amount);
      return;
    case SQLITE_TEXT:
      if (formatter->unit != PRICETAG_SQL_MAJOR) {
        refuse_type(result, "minor units and micros are integers, not text",
                    "use CAST(amount AS INTEGER), or pass an amount of major units");
        return;
      }
      result->value = text_of(amount);
      result->status = pricetag_sql_format_text(formatter, result->value, result->text, &result->length);
      return;
    case SQLITE_FLOAT:
      refuse_type(result, "the amount is a floating-point number, which is not exact",
                  "store decimal text in a TEXT column, or minor units in an INTEGER column for price_format_minor");
      return;
    default: refuse_type(result, "the amount is a BLOB", "pass decimal text or an integer");
  }
}

static void read_price(sqlite3_value *price, const pricetag_sql_formatter *formatter, answer *result) {
  if (!is_text(price, result, "the price is not text")) return;
  result->status = pricetag_sql_read(formatter, text_of(price), result->text, &result->length);
}

// Returns an argument, or NULL if the call lacks it or it is NULL.
static sqlite3_value *argument(int count, sqlite3_value **values, int index) {
  return index < count && sqlite3_value_type(values[index]) != SQLITE_NULL ? values[index] : NULL;
}

// Returns the unit that a function names.
static int32_t unit_of(const function *called) {
  if (called->flags & IS_READ) return PRICETAG_SQL_READ;
  if (called->flags & IS_MINOR) return PRICETAG_SQL_MINOR;
  return called->flags & IS_MICROS ? PRICETAG_SQL_MICROS : PRICETAG_SQL_ANY_UNIT;
}

static int32_t find_options(const function *called, sqlite3_value *value, const pricetag_sql_cached_options **options,
                            pricetag_text *place) {
  // The type before the text, because the conversion to text changes the type.
  bool is_wrong = value && sqlite3_value_type(value) != SQLITE_TEXT;
  pricetag_text words = {NULL, 0};
  if (value) words = text_of(value);
  *place = words;
  if (is_wrong) return PRICETAG_SQL_INVALID_OPTION;
  return pricetag_sql_find_options(&called->connection->cache, words, unit_of(called), options, place);
}

// Whether the error of a row is NULL instead of an error of the query; -1 for an unknown value.
static int read_on_error(sqlite3_value *value) {
  if (!value) return 0;
  if (sqlite3_value_type(value) != SQLITE_TEXT) return -1;
  pricetag_text text = text_of(value);
  if (text.length == 4 && memcmp(text.bytes, "null", 4) == 0) return 1;
  return text.length == 5 && memcmp(text.bytes, "raise", 5) == 0 ? 0 : -1;
}

// Answers a row. Returns false if the answer is NULL, and if the arguments are an error for every function, which it
// has set.
static bool answer_row(sqlite3_context *context, const function *called, int count, sqlite3_value **values,
                       answer *result) {
  connection *self = called->connection;
  bool is_locale = (called->flags & IS_LOCALE) != 0, is_error = (called->flags & IS_ERROR) != 0;
  sqlite3_value *name = argument(count, values, 0), *amount = argument(count, values, is_locale ? 2 : 1);
  sqlite3_value *currency = argument(count, values, is_locale ? 1 : 4),
                *date = is_locale ? NULL : argument(count, values, 2);
  result->status = PRICETAG_OK;
  result->problem = NULL;
  result->fix = NULL;
  result->value = (pricetag_text){"", 0};

  // Options are part of the query, not of a row; so every function reports their problems.
  const pricetag_sql_cached_options *options;
  pricetag_text place;
  int32_t status = find_options(called, argument(count, values, 3), &options, &place);
  if (status != PRICETAG_OK) {
    set_error(context, status, place, NULL, NULL);
    return false;
  }
  int on_error = is_error ? 0 : read_on_error(argument(count, values, is_locale ? 4 : 5));
  if (on_error < 0) {
    set_error(context, PRICETAG_SQL_INVALID_OPTION, (pricetag_text){NULL, 0}, "unknown value of on_error",
              "pass 'raise' or 'null'");
    return false;
  }
  result->is_null_on_error = on_error == 1 || (called->flags & IS_READ) != 0;

  if (!amount) return false;
  if (!name || (is_locale && !currency)) {
    result->status = PRICETAG_SQL_MISSING_STOREFRONT;
    // A price of NULL is NULL; price_error finds the row.
    return is_error;
  }
  if (!is_text(name, result, is_locale ? "the price locale is not text" : "the storefront is not text")) return true;
  if (currency && !is_text(currency, result, "the currency is not text")) return true;
  pricetag_sql_question question = {
      .name = text_of(name), .is_locale = is_locale, .is_spoken = (called->flags & IS_SPOKEN) != 0};
  if (currency) question.currency = text_of(currency);
  if (date) {
    if (!is_text(date, result, "the date is not text")) return true;
    result->value = text_of(date);
    question.date = pricetag_date_of_text(result->value.bytes, result->value.length);
    if (question.date == 0) {
      result->status = PRICETAG_SQL_MALFORMED_DATE;
      return true;
    }
  }
  if (is_locale) open_locales(self);
  pricetag_sql_formatter formatter;
  result->status = pricetag_sql_find(&self->cache, &self->packs, &question, options, &formatter);
  if (result->status != PRICETAG_OK) {
    bool is_currency = result->status == PRICETAG_UNKNOWN_CURRENCY || result->status == PRICETAG_CURRENCY_MISMATCH ||
                       result->status == PRICETAG_SQL_NO_MINOR_UNIT;
    result->value = is_currency && currency ? question.currency : question.name;
    if (pricetag_sql_is_of_query(result->status)) {
      result->value = (pricetag_text){options->length != 0 ? options->text : NULL, options->length};
    }
    return true;
  }
  (called->flags & IS_READ ? read_price : format_amount)(amount, &formatter, result);
  return true;
}

// ---- Functions

static void set_answer_error(sqlite3_context *context, const answer *result) {
  set_error(context, result->status, result->value, result->problem, result->fix);
}

static void call(sqlite3_context *context, int count, sqlite3_value **values) {
  const function *called = sqlite3_user_data(context);
  answer result;
  if (!answer_row(context, called, count, values, &result)) return;
  if (pricetag_sql_is_of_query(result.status)) {
    set_answer_error(context, &result);
  } else if (called->flags & IS_ERROR) {
    if (result.status != PRICETAG_OK) sqlite3_result_text(context, pricetag_sql_code(result.status), -1, SQLITE_STATIC);
  } else if (result.status != PRICETAG_OK) {
    if (!result.is_null_on_error) set_answer_error(context, &result);
  } else {
    sqlite3_result_text(context, result.text, (int)result.length, SQLITE_TRANSIENT);
  }
}

static void pack_version(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const function *called = sqlite3_user_data(context);
  if (sqlite3_value_type(values[0]) != SQLITE_TEXT) return;
  pricetag_text name = text_of(values[0]), version;
  if (memchr(name.bytes, 0, name.length)) return;
  if (pricetag_pack_version(called->connection->packs.storefronts, name.bytes, &version) != PRICETAG_OK) return;
  sqlite3_result_text(context, version.bytes, (int)version.length, SQLITE_TRANSIENT);
}

static void pack_open(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const function *called = sqlite3_user_data(context);
  bool is_path = sqlite3_value_type(values[0]) == SQLITE_TEXT;
  pricetag_text path = is_path ? text_of(values[0]) : (pricetag_text){"", 0};
  if (!is_path || memchr(path.bytes, 0, path.length)) {
    set_error(context, PRICETAG_SQL_WRONG_TYPE, (pricetag_text){NULL, 0}, "the path is not text",
              "pass the path of a pack");
    return;
  }
  errno = 0;
  int32_t status = open_pack(called->connection, path.bytes);
  if (status != PRICETAG_OK) {
    char message[PRICETAG_SQL_MESSAGE];
    describe_file_error(status, errno, path.bytes, message);
    sqlite3_result_error(context, message, -1);
    return;
  }
  sqlite3_result_value(context, values[0]);
}

// ---- Loading

static void free_function(void *pointer) {
  function *called = pointer;
  release(called->connection);
  sqlite3_free(called);
}

// The functions, with the numbers of their arguments. A price depends on the arguments and the pack only, so that
// generated columns and indexes can have it.
static const struct {
  const char *name;
  int minimum, maximum;
  unsigned flags;
  int properties;
  void (*implementation)(sqlite3_context *, int, sqlite3_value **);
} functions[] = {
    {"price_format", 2, 6, 0, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_format_minor", 2, 6, IS_MINOR, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_format_micros", 2, 6, IS_MICROS, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_format_locale", 3, 5, IS_LOCALE, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_spoken", 2, 6, IS_SPOKEN, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_spoken_locale", 3, 5, IS_LOCALE | IS_SPOKEN, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_error", 2, 5, IS_ERROR, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_error_locale", 3, 4, IS_LOCALE | IS_ERROR, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_read", 2, 5, IS_READ, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_read_locale", 3, 4, IS_LOCALE | IS_READ, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_read_error", 2, 5, IS_READ | IS_ERROR, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_read_error_locale", 3, 4, IS_LOCALE | IS_READ | IS_ERROR, SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, call},
    {"price_pack_version", 1, 1, 0, SQLITE_INNOCUOUS, pack_version},
    // Reads a file, so that a schema must not call it.
    {"price_pack_open", 1, 1, 0, SQLITE_DIRECTONLY, pack_open},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

// Defines a function for each number of arguments.
static int define_all(sqlite3 *database, connection *self) {
  for (size_t index = 0; index < FUNCTIONS; index++) {
    for (int count = functions[index].minimum; count <= functions[index].maximum; count++) {
      function *called = sqlite3_malloc(sizeof *called);
      if (!called) return SQLITE_NOMEM;
      *called = (function){self, functions[index].flags};
      self->references++;
      // If this fails, SQLite calls free_function.
      int status =
          sqlite3_create_function_v2(database, functions[index].name, count, SQLITE_UTF8 | functions[index].properties,
                                     called, functions[index].implementation, NULL, NULL, free_function);
      if (status != SQLITE_OK) return status;
    }
  }
  return SQLITE_OK;
}

// Removes the functions of an extension that fails to load. Those that SQLite does not remove, because a statement is
// running, still work: the library is linked so that it is never unloaded.
static void remove_all(sqlite3 *database) {
  for (size_t index = 0; index < FUNCTIONS; index++) {
    for (int count = functions[index].minimum; count <= functions[index].maximum; count++) {
      sqlite3_create_function_v2(database, functions[index].name, count, SQLITE_UTF8, NULL, NULL, NULL, NULL, NULL);
    }
  }
}

__attribute__((visibility("default"))) int sqlite3_pricetag_init(sqlite3 *database, char **error,
                                                                 const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api);
  connection *self = sqlite3_malloc(sizeof *self);
  if (!self) return SQLITE_NOMEM;
  memset(self, 0, sizeof *self);
  self->references = 1;

  const char *path = getenv("PRICETAG_PACK");
  int32_t opened;
  errno = 0;
  if (path && *path) {
    opened = open_pack(self, path);
  } else {
    pricetag_text bytes = pricetag_sql_embedded_storefronts();
    opened = pricetag_pack_open(bytes.bytes, bytes.length, &self->packs.storefronts);
    path = NULL;
  }
  if (opened != PRICETAG_OK) {
    char message[PRICETAG_SQL_MESSAGE];
    describe_file_error(opened, errno, path, message);
    *error = sqlite3_mprintf("%s", message);
    release(self);
    return SQLITE_ERROR;
  }

  int status = define_all(database, self);
  if (status != SQLITE_OK) {
    *error = sqlite3_mprintf("cannot define the functions: %s; load the extension when no statement is running",
                             sqlite3_errmsg(database));
    remove_all(database);
  }
  release(self);
  return status;
}

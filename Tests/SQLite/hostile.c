/*
** Calls the functions of the SQLite extension with hostile arguments: any number of them, of any type, with zero bytes,
** invalid UTF-8 and huge text, in databases with UTF-8 and UTF-16, from several threads, and without memory.
** Scripts/test/sqlite-tests builds it and the extension with the address and undefined-behavior sanitizers.
**
** Usage: hostile EXTENSION PACK CALLS
*/
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *extension;

#define CHECK(condition, ...)                      \
  do {                                             \
    if (!(condition)) {                            \
      fprintf(stderr, "hostile.c:%d: ", __LINE__); \
      fprintf(stderr, __VA_ARGS__);                \
      fprintf(stderr, "\n");                       \
      exit(1);                                     \
    }                                              \
  } while (0)

static uint64_t state;
static uint32_t random_below(uint32_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16) % limit;
}

static sqlite3 *open_database(const char *encoding) {
  sqlite3 *database;
  CHECK(sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL) == SQLITE_OK,
        "cannot open");
  CHECK(sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL) == SQLITE_OK,
        "cannot allow extensions");
  char sql[64], *error = NULL;
  snprintf(sql, sizeof sql, "PRAGMA encoding = '%s'", encoding);
  CHECK(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, "cannot set the encoding");
  CHECK(sqlite3_load_extension(database, extension, NULL, &error) == SQLITE_OK, "cannot load: %s", error);
  return database;
}

// ---- Random arguments

static const char *const names[] = {
    "price_format",        "price_format_minor", "price_format_micros", "price_format_locale", "price_spoken",
    "price_spoken_locale", "price_error",        "price_error_locale",  "price_read",          "price_read_locale",
    "price_read_error",    "price_read_error_locale", "price_pack_version", "price_pack_open"};
static const int minimums[] = {2, 2, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 1, 1};
static const int maximums[] = {6, 6, 6, 5, 6, 5, 5, 4, 5, 4, 5, 4, 1, 1};
static const char *const texts[] = {"USA",
                                    "JPN",
                                    "BGR",
                                    "de-CH",
                                    "CHF",
                                    "USD",
                                    "4.99",
                                    "-1",
                                    "1200",
                                    "2026-01-31",
                                    "2026-02-30",
                                    "",
                                    "null",
                                    "raise",
                                    "width=iso",
                                    "rounding=half-even unit=micros",
                                    "unit=minor",
                                    "per=100 mL",
                                    "per=100 floz x",
                                    "numbering=latn,digits=0-2",
                                    "icu",
                                    "$4.99",
                                    "\xEF\xBF\xA5 1,200",
                                    "lenient=true",
                                    "=",
                                    ",,,",
                                    "width=",
                                    "99999999999999999999",
                                    "0.0000000000000000001"};
static char *huge;
enum { HUGE_SIZE = 1 << 20 };

static void bind_random(sqlite3_stmt *statement, int place) {
  char bytes[300];
  switch (random_below(12)) {
    case 0: sqlite3_bind_null(statement, place); return;
    case 1:
      sqlite3_bind_int64(statement, place,
                         (int64_t)(((uint64_t)random_below(UINT32_MAX) << 32) | random_below(UINT32_MAX)));
      return;
    case 2: sqlite3_bind_int64(statement, place, random_below(2) ? INT64_MIN : INT64_MAX); return;
    case 3: sqlite3_bind_double(statement, place, random_below(2) ? 1e308 : 4.99); return;
    case 4: sqlite3_bind_zeroblob(statement, place, (int)random_below(1000)); return;
    case 5:
    case 6: {
      // Any bytes, also zero bytes and invalid UTF-8.
      uint32_t length = random_below(sizeof bytes);
      for (uint32_t index = 0; index < length; index++) bytes[index] = (char)random_below(256);
      sqlite3_bind_text(statement, place, bytes, (int)length, SQLITE_TRANSIENT);
      return;
    }
    case 7: {
      // A text that is right, with a zero byte and more after it.
      const char *text = texts[random_below(sizeof texts / sizeof texts[0])];
      size_t length = strlen(text);
      memcpy(bytes, text, length);
      memcpy(bytes + length, "\0x", 2);
      sqlite3_bind_text(statement, place, bytes, (int)length + 2, SQLITE_TRANSIENT);
      return;
    }
    case 8:
      if (random_below(50) == 0) {
        sqlite3_bind_text(statement, place, huge, HUGE_SIZE, SQLITE_STATIC);
        return;
      }
    // fall through
    default:
      sqlite3_bind_text(statement, place, texts[random_below(sizeof texts / sizeof texts[0])], -1, SQLITE_STATIC);
      return;
  }
}

static int is_utf8(const unsigned char *text, int length) {
  for (int at = 0; at < length;) {
    int count = text[at] < 0x80   ? 1
                : text[at] < 0xC2 ? 0
                : text[at] < 0xE0 ? 2
                : text[at] < 0xF0 ? 3
                : text[at] < 0xF5 ? 4
                                  : 0;
    if (count == 0 || at + count > length) return 0;
    for (int index = 1; index < count; index++) {
      if ((text[at + index] & 0xC0) != 0x80) return 0;
    }
    at += count;
  }
  return 1;
}

static long answers, failures;

static void call_random(sqlite3 *database, sqlite3_stmt *statements[][8]) {
  uint32_t function = random_below(sizeof names / sizeof names[0]);
  int count = minimums[function] + (int)random_below((uint32_t)(maximums[function] - minimums[function]) + 1);
  sqlite3_stmt **statement = &statements[function][count];
  if (!*statement) {
    char sql[128];
    int end = snprintf(sql, sizeof sql, "SELECT %s(", names[function]);
    for (int index = 0; index < count; index++)
      end += snprintf(sql + end, sizeof sql - (size_t)end, index ? ", ?" : "?");
    snprintf(sql + end, sizeof sql - (size_t)end, ")");
    CHECK(sqlite3_prepare_v2(database, sql, -1, statement, NULL) == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(database));
  }
  for (int index = 1; index <= count; index++) bind_random(*statement, index);
  int status = sqlite3_step(*statement);
  if (status == SQLITE_ROW) {
    int type = sqlite3_column_type(*statement, 0);
    CHECK(type == SQLITE_NULL || type == SQLITE_TEXT, "%s returned type %d", names[function], type);
    if (type == SQLITE_TEXT) {
      const unsigned char *text = sqlite3_column_text(*statement, 0);
      CHECK(is_utf8(text, sqlite3_column_bytes(*statement, 0)), "%s returned invalid UTF-8", names[function]);
      CHECK(sqlite3_column_bytes(*statement, 0) > 0, "%s returned empty text", names[function]);
      answers++;
    }
  } else {
    CHECK(status == SQLITE_ERROR, "%s: status %d, %s", names[function], status, sqlite3_errmsg(database));
    const char *message = sqlite3_errmsg(database);
    CHECK(strstr(message, ": ") && strstr(message, "; ") && strlen(message) < 512, "message without a fix: %s",
          message);
    CHECK(is_utf8((const unsigned char *)message, (int)strlen(message)), "message with invalid UTF-8");
    failures++;
  }
  sqlite3_reset(*statement);
}

static void attack(const char *encoding, long calls) {
  sqlite3 *database = open_database(encoding);
  sqlite3_stmt *statements[sizeof names / sizeof names[0]][8] = {{NULL}};
  answers = failures = 0;
  for (long index = 0; index < calls; index++) call_random(database, statements);
  CHECK(answers > calls / 50 && failures > calls / 50, "%ld answers and %ld errors are too few to test something",
        answers, failures);
  printf("%s: %ld calls with hostile arguments, %ld answers, %ld errors\n", encoding, calls, answers, failures);
  for (size_t function = 0; function < sizeof names / sizeof names[0]; function++) {
    for (int count = 0; count < 8; count++) sqlite3_finalize(statements[function][count]);
  }
  CHECK(sqlite3_close(database) == SQLITE_OK, "the connection has open statements");
}

// ---- Threads

static sqlite3 *shared;

static void *run_thread(void *argument) {
  const int *number = argument;
  sqlite3 *own = open_database("UTF-8");
  for (int round = 0; round < 200; round++) {
    for (int which = 0; which < 2; which++) {
      sqlite3_stmt *statement;
      sqlite3 *database = which ? shared : own;
      CHECK(sqlite3_prepare_v2(database, "SELECT price_format(?, ?, '2026-01-01')", -1, &statement, NULL) == SQLITE_OK,
            "prepare");
      static const char *const storefronts[] = {"USA", "DEU", "JPN", "BGR"};
      static const char *const expected[] = {"$7.00", "7,00\xC2\xA0€", "￥7", "€7.00"};
      int index = (round + *number) % 4;
      sqlite3_bind_text(statement, 1, storefronts[index], -1, SQLITE_STATIC);
      sqlite3_bind_int(statement, 2, 7);
      CHECK(sqlite3_step(statement) == SQLITE_ROW, "step: %s", sqlite3_errmsg(database));
      CHECK(strcmp((const char *)sqlite3_column_text(statement, 0), expected[index]) == 0, "%s: %s", storefronts[index],
            sqlite3_column_text(statement, 0));
      sqlite3_finalize(statement);
    }
  }
  sqlite3_close(own);
  return NULL;
}

static void use_threads(void) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  int numbers[THREADS];
  shared = open_database("UTF-8");
  for (int index = 0; index < THREADS; index++) {
    numbers[index] = index;
    CHECK(pthread_create(&threads[index], NULL, run_thread, &numbers[index]) == 0, "cannot start a thread");
  }
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
  CHECK(sqlite3_close(shared) == SQLITE_OK, "cannot close");
  printf("%d threads with connections of their own and a shared one: as expected\n", THREADS);
}

// ---- Memory

static int allocations_left = -1;
static sqlite3_mem_methods memory;
static int allocate_or_fail(void) {
  if (allocations_left < 0) return 1;
  return allocations_left-- > 0 ? 1 : (allocations_left = 0);
}
static void *failing_malloc(int size) { return allocate_or_fail() ? memory.xMalloc(size) : NULL; }
static void *failing_realloc(void *pointer, int size) {
  return allocate_or_fail() ? memory.xRealloc(pointer, size) : NULL;
}

// Lets every allocation of SQLite and the extension fail, one after the other. A query then has its answer or the error
// of its arguments, or is out of memory; no failed allocation gives it another one.
static void exhaust_memory(void) {
  static const struct {
    const char *encoding, *sql, *answer, *error;
  } calls[] = {
      {"UTF-8", "SELECT price_format('USA', '4.99')", "$4.99", NULL},
      {"UTF-8", "SELECT price_format('XXX', 4)", NULL, "unknown-storefront: \"XXX\": "},
      {"UTF-8", "SELECT price_pack_open('/none')", NULL, "unreadable-file: \"/none\": "},
      {"UTF-8", "SELECT price_format_locale('de-CH', 'CHF', 5, 'width=big')", NULL, "invalid-option: \"width="},
      // SQLite allocates memory to convert each argument, and the answer.
      {"UTF-16le", "SELECT price_format('BGR', '4.99', '2026-01-31', 'width=iso', 'EUR', 'null')", "EUR\xC2\xA0"
       "4.99", NULL},
      {"UTF-16be", "SELECT coalesce(price_error('USA', '4.99', NULL, 'rounding=up'), 'none')", "none", NULL},
      {"UTF-16be", "SELECT coalesce(price_format('USA', 499, NULL, 'unit=minor'), 'none')", "$4.99", NULL},
      {"UTF-16le", "SELECT typeof(price_pack_version('pricetag'))", "text", NULL},
      {"UTF-16le", "SELECT price_pack_open('/none')", NULL, "unreadable-file: \"/none\": "},
  };
  int loads = 0, queries = 0;
  for (int limit = 0;; limit++) {
    sqlite3 *database;
    CHECK(sqlite3_open(":memory:", &database) == SQLITE_OK, "cannot open");
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    allocations_left = limit;
    int status = sqlite3_load_extension(database, extension, NULL, NULL);
    int is_exhausted = allocations_left == 0;
    allocations_left = -1;
    sqlite3_close(database);
    if (!is_exhausted) {
      CHECK(status == SQLITE_OK, "the extension does not load with enough memory");
      break;
    }
    loads++;
  }
  for (size_t call = 0; call < sizeof calls / sizeof calls[0]; call++) {
    for (int limit = 0;; limit++) {
      sqlite3 *database = open_database(calls[call].encoding);
      allocations_left = limit;
      sqlite3_stmt *statement = NULL;
      int status = sqlite3_prepare_v2(database, calls[call].sql, -1, &statement, NULL);
      if (status == SQLITE_OK) status = sqlite3_step(statement);
      if (status == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        // NULL if the conversion of the answer fails.
        CHECK(text ? calls[call].answer && strcmp(text, calls[call].answer) == 0
                   : sqlite3_errcode(database) == SQLITE_NOMEM,
              "%s with %d allocations returned %s", calls[call].sql, limit, text ? text : "NULL");
      } else if (status != SQLITE_NOMEM) {
        // Without memory for the message, SQLite has the one of the status.
        const char *message = sqlite3_errmsg(database);
        CHECK(status == SQLITE_ERROR && calls[call].error &&
                  (strstr(message, calls[call].error) == message || strcmp(message, sqlite3_errstr(status)) == 0),
              "%s with %d allocations: status %d, %s", calls[call].sql, limit, status, message);
      }
      int is_exhausted = allocations_left == 0;
      allocations_left = -1;
      sqlite3_finalize(statement);
      CHECK(sqlite3_close(database) == SQLITE_OK, "cannot close");
      if (!is_exhausted) {
        CHECK(status == (calls[call].error ? SQLITE_ERROR : SQLITE_ROW), "%s: status %d", calls[call].sql, status);
        break;
      }
      queries++;
    }
  }
  CHECK(loads > 5 && queries > 20, "%d and %d failed allocations are too few to test something", loads, queries);
  printf("%d failed allocations while loading, %d in queries: as expected\n", loads, queries);
}

// ---- Loading that fails

static void return_one(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  (void)values;
  sqlite3_result_int(context, 1);
}

// A running statement keeps SQLite from replacing a function of the program, and from removing those that the extension
// has defined before. SQLite then unloads the extension, but its functions can still be called.
static void fail_to_load(void) {
  sqlite3 *database;
  CHECK(sqlite3_open(":memory:", &database) == SQLITE_OK, "cannot open");
  sqlite3_enable_load_extension(database, 1);
  CHECK(sqlite3_create_function(database, "price_spoken", 3, SQLITE_UTF8, NULL, return_one, NULL, NULL) == SQLITE_OK,
        "cannot define a function");
  char sql[4096];
  snprintf(sql, sizeof sql, "SELECT load_extension('%s')", extension);
  CHECK(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_ERROR, "the extension replaces a function in use");
  CHECK(strstr(sqlite3_errmsg(database), "; load the extension when no statement is running"), "message: %s",
        sqlite3_errmsg(database));
  int status = sqlite3_exec(database, "SELECT price_format('USA', 5)", NULL, NULL, NULL);
  CHECK(status == SQLITE_OK || strstr(sqlite3_errmsg(database), "no such function"), "%s", sqlite3_errmsg(database));
  CHECK(sqlite3_exec(database, "SELECT price_spoken('USA', 5, NULL)", NULL, NULL, NULL) == SQLITE_OK, "%s",
        sqlite3_errmsg(database));
  CHECK(sqlite3_close(database) == SQLITE_OK, "cannot close");
  printf("loading beside a running statement: as expected\n");
}

int main(int count, char **arguments) {
  CHECK(count == 4, "usage: hostile EXTENSION PACK CALLS");
  extension = arguments[1];
  long calls = atol(arguments[3]);
  CHECK(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory) == SQLITE_OK, "cannot read the allocator");
  sqlite3_mem_methods failing = memory;
  failing.xMalloc = failing_malloc;
  failing.xRealloc = failing_realloc;
  CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) == SQLITE_OK, "cannot replace the allocator");
  huge = malloc(HUGE_SIZE);
  memset(huge, '9', HUGE_SIZE);
  state = 0x9E3779B97F4A7C15;
  // First, while no other connection uses the library.
  fail_to_load();
  attack("UTF-8", calls);
  attack("UTF-16le", calls / 4);
  attack("UTF-16be", calls / 4);
  use_threads();
  exhaust_memory();

  // Packs that are opened again and again, with queries between them.
  sqlite3 *database = open_database("UTF-8");
  for (int round = 0; round < 100; round++) {
    char sql[4096];
    snprintf(sql, sizeof sql, "SELECT price_pack_open('%s'); SELECT price_format('JPN', 1200)", arguments[2]);
    CHECK(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(database));
  }
  // The extension may be loaded twice into a connection; the second replaces the first.
  char *error = NULL;
  CHECK(sqlite3_load_extension(database, extension, NULL, &error) == SQLITE_OK, "cannot load twice: %s", error);
  CHECK(sqlite3_exec(database, "SELECT price_format('JPN', 1200)", NULL, NULL, NULL) == SQLITE_OK, "%s",
        sqlite3_errmsg(database));
  CHECK(sqlite3_close(database) == SQLITE_OK, "cannot close");
  free(huge);
  printf("packs opened 100 times, the extension loaded twice: as expected\n");
  return 0;
}

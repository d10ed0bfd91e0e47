/*
** The PostgreSQL extension of PriceTag: functions that format prices from packs.
**
**     CREATE EXTENSION pricetag;
**     SELECT price_format('JPN', 1200);    -- ￥1,200
**
** docs/sql.md describes the functions, the setting pricetag.pack and the SQLSTATE of each error.
**
** A backend opens a pack when it first needs it, or inherits it from the postmaster if the library is preloaded. It
** never closes or replaces a pack, because the functions are immutable and caches refer to the formatters of the pack.
**
** Each call site of a function has a cache of formatters, in the memory of its FmgrInfo.
*/
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

#include "../C/pricetag_shared.h"
#include "pricetag_sql.h"

// The compiler hides all other symbols.
#pragma GCC visibility push(default)
PG_MODULE_MAGIC;
void _PG_init(void);
#pragma GCC visibility pop

// ---- Packs

enum { STOREFRONTS = 0, LOCALES = 1, PACKS = 2 };

static const char *const pack_names[PACKS] = {"storefronts", "locales"};
static const pricetag_pack *packs[PACKS];

// The setting pricetag.pack: a file that replaces both installed packs; empty for these.
static char *pack_setting;

// Before the library is loaded, any session can set pricetag.pack. PostgreSQL then ignores that value with a warning,
// and can lose the one of postgresql.conf.
static bool is_setting_lost;

// Stores the source of a value beside it. PostgreSQL also checks values that it does not assign, as for ALTER SYSTEM.
static bool check_pack_setting(char **value, void **extra, GucSource source) {
#if PG_VERSION_NUM >= 160000
  GucSource *stored = guc_malloc(LOG, sizeof *stored);
#else
  GucSource *stored = malloc(sizeof *stored);
#endif
  if (!stored) return false;
  *stored = source;
  *extra = stored;
  return true;
}

static void assign_pack_setting(const char *value, void *extra) {
  const GucSource *source = extra;
  is_setting_lost = is_setting_lost && source && *source == PGC_S_DEFAULT;
}

static int pack_sqlstate(int32_t status) {
  switch (status) {
    case PRICETAG_UNREADABLE_FILE: return errcode_for_file_access();
    case PRICETAG_OTHER_VERSION: return errcode(ERRCODE_FEATURE_NOT_SUPPORTED);
    default: return errcode(ERRCODE_DATA_CORRUPTED);
  }
}

// Opens a pack, or reports why it cannot be opened, which is an error or a message of the server's log.
static void open_pack(int which, int level) {
  // A session that uses one of the installed packs also uses the other one, although the setting has changed.
  bool is_set = !packs[STOREFRONTS] && !packs[LOCALES] && pack_setting && *pack_setting;
  char path[MAXPGPATH];
  if (is_setting_lost) {
    const char *code = pricetag_sql_code(PRICETAG_SQL_INVALID_OPTION);
    ereport(level, (errcode(ERRCODE_CANT_CHANGE_RUNTIME_PARAM),
                    errmsg("the setting pricetag.pack cannot differ between sessions, roles or databases"),
                    errdetail("Error code: %s.", code),
                    errhint("Set it in postgresql.conf only, and connect again."),
                    err_generic_string(PG_DIAG_CONSTRAINT_NAME, code)));
    return;
  }
  bool is_named = is_set && pricetag_sql_is_pack_name(pack_setting);
  if (is_set && !is_named) {
    if (!is_absolute_path(pack_setting) || strlen(pack_setting) >= sizeof path) {
      const char *code = pricetag_status_code(PRICETAG_UNREADABLE_FILE);
      ereport(level, (errcode(ERRCODE_CONFIG_FILE_ERROR), errmsg("the setting pricetag.pack is not an absolute path"),
                      errdetail("Error code: %s.", code),
                      errhint("Write the path of the file from the root folder on, or the name of a pack, such as cldr-48."),
                      err_generic_string(PG_DIAG_CONSTRAINT_NAME, code)));
      return;
    }
    strlcpy(path, pack_setting, sizeof path);
  } else {
    char share[MAXPGPATH];
    get_share_path(my_exec_path, share);
    const char *name = is_named ? pack_setting : pack_names[which];
    int length = snprintf(path, sizeof path, "%s/pricetag/%s.pack", share, name);
    if (length < 0 || (size_t)length >= sizeof path) {
      ereport(level, (errcode(ERRCODE_NAME_TOO_LONG),
                      errmsg("the path of the pack \"%s\" is too long", name)));
      return;
    }
  }
  const pricetag_pack *pack;
  errno = 0;
  int32_t status = pricetag_pack_open_file(path, &pack);
  if (status == PRICETAG_OK) {
    packs[which] = pack;
    if (is_set) packs[STOREFRONTS] = packs[LOCALES] = pack;
    return;
  }
  const char *code = pricetag_status_code(status);
  if (status == PRICETAG_UNREADABLE_FILE) {
    ereport(level, (pack_sqlstate(status), errmsg("could not read the pack \"%s\": %m", path),
                    errdetail("Error code: %s.", code), err_generic_string(PG_DIAG_CONSTRAINT_NAME, code),
                    is_named ? errhint("The packs are cldr-42 and cldr-48; use one of them in pricetag.pack, or the absolute path of a file.")
                    : is_set ? errhint("Correct the setting pricetag.pack, or the permissions of the file.")
                           : errhint("Install the packs again, or name a pack in postgresql.conf as pricetag.pack.")));
  } else {
    ereport(level, (pack_sqlstate(status), errmsg("invalid pack \"%s\": %s", path, pricetag_status_message(status)),
                    errdetail("Error code: %s.", code), err_generic_string(PG_DIAG_CONSTRAINT_NAME, code),
                    errhint("Write it again with `pricetag pack` of the version that is installed here.")));
  }
}

static const pricetag_pack *pack_of(int which) {
  if (!packs[which]) open_pack(which, ERROR);
  return packs[which];
}

void _PG_init(void) {
  bool is_preloaded = process_shared_preload_libraries_in_progress;
  // Until the definition below assigns a value of another source than the default.
  is_setting_lost = GetConfigOption("pricetag.pack", true, false) != NULL;
  // The functions are immutable, and sessions share tables and indexes. So no session may have a pack of its own.
  DefineCustomStringVariable("pricetag.pack", "The pack that formats prices, instead of the installed packs.",
                             "A session keeps the pack that it has opened. If pricetag is in shared_preload_libraries, "
                             "the server opens the pack when it starts.",
                             &pack_setting, "", is_preloaded ? PGC_POSTMASTER : PGC_SIGHUP, 0, check_pack_setting,
                             assign_pack_setting, NULL);
#if PG_VERSION_NUM >= 150000
  MarkGUCPrefixReserved("pricetag");
#else
  EmitWarningsOnPlaceholders("pricetag");
#endif
  if (is_preloaded) {
    for (int which = 0; which < PACKS; which++) {
      if (!packs[which]) open_pack(which, WARNING);
    }
  }
}

// ---- Functions and their call sites

typedef enum { DISPLAY, SPOKEN, CODE } output;
typedef enum { NUMERIC, MINOR, MICROS, PRICE } amount_type;

// What a function does. Its arguments are (storefront, amount, date, options, currency, on_error) or (locale, currency,
// amount, options, on_error), the last one only if it can raise the error of a row. A function that reads has the text
// of a price as its amount.
typedef struct function {
  bool is_locale;
  output output;
  amount_type amount;
} function;

enum { CACHED_NAME = 24, CACHED_CURRENCY = 12, CACHED_FORMATTERS = 512, CACHE_PROBES = 4 };

// A question of a row, filled with zero bytes. An empty name marks a free place of the cache.
typedef struct question {
  char name[CACHED_NAME];
  char currency[CACHED_CURRENCY];
  int32_t date;
} question;

typedef struct cached_formatter {
  question question;
  pricetag_sql_formatter answer;
} cached_formatter;

#define UNREAD_OPTIONS SIZE_MAX

typedef struct call_site {
  const function *function;
  const pricetag_pack *pack;
  MemoryContext memory;
  pricetag_sql_options options;
  // The text of the options, to recognize them in the next row. The length is UNREAD_OPTIONS if they were invalid.
  size_t options_length;
  char options_text[PRICETAG_SQL_MAXIMUM_OPTIONS];
  cached_formatter last;
  // Allocated for the second question.
  cached_formatter *formatters;
} call_site;

// The arguments of a row. Text is not terminated with a zero byte.
typedef struct row {
  pricetag_text name, currency;
  bool has_currency;
  int32_t date;
  // The amount as text, for formatting and for messages.
  const char *amount;
} row;

static pricetag_text text_argument(FunctionCallInfo fcinfo, int index) {
  text *value = PG_GETARG_TEXT_PP(index);
  return (pricetag_text){VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
}

static bool equals(pricetag_text text, const char *word) {
  return strlen(word) == text.length && memcmp(text.bytes, word, text.length) == 0;
}

// Returns text for a message, without its end if it is long.
static const char *clipped(pricetag_text text) {
  enum { MAXIMUM = 64 };
  if (text.length <= MAXIMUM) return pnstrdup(text.bytes, text.length);
  int length = pg_mbcliplen(text.bytes, (int)text.length, MAXIMUM);
  return psprintf("%.*s...", length, text.bytes);
}

// ---- Options

static void raise_invalid_option(const char *message, const char *hint) {
  const char *code = pricetag_sql_code(PRICETAG_SQL_INVALID_OPTION);
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", message), errdetail("Error code: %s.", code),
                  errhint("%s", hint), err_generic_string(PG_DIAG_CONSTRAINT_NAME, code)));
}

// Returns whether the text has the same bytes in UTF-8.
static bool is_utf8(pricetag_text text) {
  int encoding = GetDatabaseEncoding();
  if (encoding == PG_UTF8 || encoding == PG_SQL_ASCII) return true;
  for (size_t index = 0; index < text.length; index++) {
    if (IS_HIGHBIT_SET(text.bytes[index])) return false;
  }
  return true;
}

static void read_options(call_site *site, pricetag_text text) {
  // A function for minor units or micros names the unit, so that the options cannot.
  static const int32_t units[] = {PRICETAG_SQL_ANY_UNIT, PRICETAG_SQL_MINOR, PRICETAG_SQL_MICROS, PRICETAG_SQL_READ};
  pricetag_text words = text, place = text;
  int32_t status = PRICETAG_SQL_INVALID_OPTION;
  if (text.length <= PRICETAG_SQL_MAXIMUM_OPTIONS) {
    if (!is_utf8(text)) {
      words.bytes = pg_server_to_any(text.bytes, (int)text.length, PG_UTF8);
      words.length = strlen(words.bytes);
    }
    int32_t unit = units[site->function->amount];
    status = pricetag_sql_parse_options(words.bytes, words.length, unit, &site->options, &place);
  }
  if (status != PRICETAG_OK) {
    // The place in the converted text is not one in the text of the statement.
    raise_invalid_option(psprintf("invalid option \"%s\"", clipped(words.bytes == text.bytes ? place : text)),
                         "Write pairs such as 'width=iso rounding=half-even', each name once.");
  }
  if (text.length != 0) memcpy(site->options_text, text.bytes, text.length);
  site->options_length = text.length;
}

// Returns the state of a call site with the options of this row.
static call_site *find_call_site(FunctionCallInfo fcinfo, const function *function, pricetag_text options) {
  FmgrInfo *info = fcinfo->flinfo;
  call_site *site = info ? info->fn_extra : NULL;
  if (!site) {
    const pricetag_pack *pack = pack_of(function->is_locale ? LOCALES : STOREFRONTS);
    MemoryContext memory = info ? info->fn_mcxt : CurrentMemoryContext;
    site = MemoryContextAllocZero(memory, sizeof *site);
    site->function = function;
    site->pack = pack;
    site->memory = memory;
    site->options_length = UNREAD_OPTIONS;
    if (info) info->fn_extra = site;
  }
  if (options.length != site->options_length || memcmp(options.bytes, site->options_text, options.length) != 0) {
    // The formatters are those of the previous options.
    memset(&site->last, 0, sizeof site->last);
    if (site->formatters) memset(site->formatters, 0, CACHED_FORMATTERS * sizeof *site->formatters);
    site->options_length = UNREAD_OPTIONS;
    read_options(site, options);
  }
  return site;
}

// ---- Errors

static int row_sqlstate(int32_t status) {
  switch (status) {
    case PRICETAG_AMOUNT_OUT_OF_RANGE:
    case PRICETAG_NEEDS_ROUNDING: return ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE;
    case PRICETAG_MISSING_DATE: return ERRCODE_NULL_VALUE_NOT_ALLOWED;
    case PRICETAG_SQL_MALFORMED_DATE: return ERRCODE_DATETIME_VALUE_OUT_OF_RANGE;
    case PRICETAG_MALFORMED_AMOUNT:
    case PRICETAG_UNKNOWN_STOREFRONT:
    case PRICETAG_UNKNOWN_LOCALE:
    case PRICETAG_UNKNOWN_CURRENCY:
    case PRICETAG_CURRENCY_MISMATCH:
    case PRICETAG_SQL_NO_MINOR_UNIT: return ERRCODE_INVALID_PARAMETER_VALUE;
    case PRICETAG_MISSING_STYLE:
    case PRICETAG_SQL_MISSING_SPOKEN:
    case PRICETAG_MISSING_FORMATTER:
    case PRICETAG_MISSING_PLURAL: return ERRCODE_FEATURE_NOT_SUPPORTED;
    default: return ERRCODE_INTERNAL_ERROR;
  }
}

static const char *row_hint(int32_t status, const call_site *site) {
  switch (status) {
    case PRICETAG_MALFORMED_AMOUNT:
      return site->options.unit == PRICETAG_SQL_MAJOR
                 ? "Pass a finite number, or NULL."
                 : "Pass an integer, or an amount of whole currency units without unit=.";
    case PRICETAG_AMOUNT_OUT_OF_RANGE: return "Use at most 18 digits, of which at most 18 are after the decimal point.";
    case PRICETAG_NEEDS_ROUNDING: return "Pass options => 'rounding=half-even' to allow rounding.";
    case PRICETAG_UNKNOWN_STOREFRONT: return "Use a code such as USA or US, or a pack with this storefront.";
    case PRICETAG_UNKNOWN_LOCALE: return "Use a BCP 47 tag such as de-CH, or a pack with this price locale.";
    case PRICETAG_UNKNOWN_CURRENCY: return "Use an ISO 4217 code such as CHF, or a pack with this currency.";
    case PRICETAG_CURRENCY_MISMATCH:
      return "Pass an amount in the currency of the storefront; prices are never converted.";
    case PRICETAG_MISSING_DATE: return "Pass the date of the price, such as date => '2026-01-31'.";
    case PRICETAG_SQL_MALFORMED_DATE: return "Pass a date from 0001-01-01 to 9999-12-31, or NULL.";
    case PRICETAG_SQL_NO_MINOR_UNIT: return "Pass the amount in whole currency units.";
    case PRICETAG_MISSING_STYLE:
      return "Write a pack with this style (pricetag pack), and name its path in postgresql.conf as pricetag.pack.";
    case PRICETAG_SQL_MISSING_SPOKEN:
      return "Write the pack without --no-spoken, and name its path in postgresql.conf as pricetag.pack.";
    case PRICETAG_MISSING_FORMATTER:
      return "Write a pack with this combination, and name its path in postgresql.conf as pricetag.pack.";
    case PRICETAG_MISSING_PLURAL: return "Format the amount with another width.";
    default: return pricetag_sql_fix(status);
  }
}

// Returns the currency of a row, which is not known if the storefront or the date is wrong.
static const char *currency_of(const call_site *site, const row *row) {
  if (row->has_currency) return clipped(row->currency);
  pricetag_text currency;
  char *name = pnstrdup(row->name.bytes, row->name.length);
  if (pricetag_storefront(site->pack, name, row->date, &currency, NULL) != PRICETAG_OK) return "the currency";
  return clipped(currency);
}

static const char *row_message(int32_t status, const call_site *site, const row *row,
                               const pricetag_formatter *formatter) {
  const char *name = clipped(row->name);
  switch (status) {
    case PRICETAG_MALFORMED_AMOUNT:
      return psprintf(site->options.unit == PRICETAG_SQL_MAJOR ? "%s is not an amount" : "%s is not an integer",
                      clipped((pricetag_text){row->amount, strlen(row->amount)}));
    case PRICETAG_AMOUNT_OUT_OF_RANGE:
      return psprintf("the amount %s has too many digits", clipped((pricetag_text){row->amount, strlen(row->amount)}));
    case PRICETAG_NEEDS_ROUNDING: {
      const char *currency = currency_of(site, row);
      return site->options.unit == PRICETAG_SQL_MAJOR
                 ? psprintf("%s %s has more decimals than are displayed (%d)", row->amount, currency,
                            pricetag_formatter_digits(formatter))
                 : psprintf("%s %s of %s has more decimals than are displayed (%d)", row->amount,
                            site->options.unit == PRICETAG_SQL_MINOR ? "minor units" : "micros", currency,
                            pricetag_formatter_digits(formatter));
    }
    case PRICETAG_UNKNOWN_STOREFRONT: return psprintf("unknown storefront \"%s\"", name);
    case PRICETAG_UNKNOWN_LOCALE: return psprintf("unknown price locale \"%s\"", name);
    case PRICETAG_UNKNOWN_CURRENCY: return psprintf("unknown currency \"%s\"", clipped(row->currency));
    case PRICETAG_CURRENCY_MISMATCH: {
      pricetag_text charged;
      char *storefront = pnstrdup(row->name.bytes, row->name.length);
      if (pricetag_storefront(site->pack, storefront, row->date, &charged, NULL) != PRICETAG_OK) {
        return psprintf("the %s store does not charge %s", name, clipped(row->currency));
      }
      return psprintf("the %s store charges %s, not %s", name, clipped(charged), clipped(row->currency));
    }
    case PRICETAG_MISSING_DATE:
      return psprintf("the storefront \"%s\" has changed its currency, and there is no date", name);
    case PRICETAG_SQL_MALFORMED_DATE: return "the date is out of range";
    case PRICETAG_SQL_NO_MINOR_UNIT: return psprintf("the currency %s has no minor unit", currency_of(site, row));
    case PRICETAG_MISSING_STYLE:
      if (site->options_length == 0) return "the pack has no patterns of the default style";
      return psprintf("the pack has no patterns of the style \"%s\"",
                      clipped((pricetag_text){site->options_text, site->options_length}));
    case PRICETAG_MISSING_FORMATTER:
      return row->has_currency ? psprintf("the pack has no pattern of %s in %s", clipped(row->currency), name)
                               : psprintf("the pack has no pattern of %s", name);
    default: return pricetag_sql_message(status);
  }
}

static void raise_row_error(int32_t status, const call_site *site, const row *row,
                            const pricetag_formatter *formatter) {
  const char *code = pricetag_sql_code(status);
  ereport(ERROR, (errcode(row_sqlstate(status)), errmsg("%s", row_message(status, site, row, formatter)),
                  errdetail("Error code: %s.", code), errhint("%s", row_hint(status, site)),
                  err_generic_string(PG_DIAG_CONSTRAINT_NAME, code)));
}

// ---- Formatters

static int32_t look_up(const call_site *site, const row *row, pricetag_sql_formatter *result) {
  pricetag_sql_packs packs = {site->pack, site->pack};
  pricetag_sql_question question = {.name = row->name,
                                    .currency = row->has_currency ? row->currency : (pricetag_text){NULL, 0},
                                    .date = row->date,
                                    .is_locale = site->function->is_locale,
                                    .is_spoken = site->function->output == SPOKEN};
  return pricetag_sql_look_up(&packs, &question, &site->options, result);
}

// Returns the first place of a question in the cache.
static size_t place_of(const question *question) {
  uint64 words[sizeof *question / sizeof(uint64)];
  uint64 hash = 0;
  StaticAssertStmt(sizeof words == sizeof *question, "a question has padding");
  memcpy(words, question, sizeof words);
  for (size_t index = 0; index < lengthof(words); index++) hash = pricetag_hash(hash, words[index]);
  return (size_t)(hash % CACHED_FORMATTERS);
}

// Finds the formatter of a row, in the cache or in the pack.
static int32_t find(call_site *site, const row *row, pricetag_sql_formatter *result) {
  size_t name = row->name.length, currency = row->has_currency ? row->currency.length : 0;
  if (name == 0 || name > CACHED_NAME || currency > CACHED_CURRENCY || (row->has_currency && currency == 0)) {
    return look_up(site, row, result);
  }
  cached_formatter found;
  memset(&found, 0, sizeof found);
  memcpy(found.question.name, row->name.bytes, name);
  if (currency != 0) memcpy(found.question.currency, row->currency.bytes, currency);
  found.question.date = row->date;
  if (memcmp(&found.question, &site->last.question, sizeof found.question) == 0) {
    *result = site->last.answer;
    return PRICETAG_OK;
  }
  if (!site->formatters && site->last.question.name[0] != 0) {
    site->formatters = MemoryContextAllocZero(site->memory, CACHED_FORMATTERS * sizeof *site->formatters);
  }
  cached_formatter *place = NULL;
  if (site->formatters) {
    size_t first = place_of(&found.question);
    for (size_t probe = 0; probe < CACHE_PROBES; probe++) {
      cached_formatter *candidate = &site->formatters[(first + probe) % CACHED_FORMATTERS];
      if (memcmp(&candidate->question, &found.question, sizeof found.question) == 0) {
        site->last = *candidate;
        *result = candidate->answer;
        return PRICETAG_OK;
      }
      if (!place && candidate->question.name[0] == 0) place = candidate;
    }
    if (!place) place = &site->formatters[first];
  }
  int32_t status = look_up(site, row, &found.answer);
  if (status != PRICETAG_OK) return status;
  if (place) *place = found;
  site->last = found;
  *result = found.answer;
  return PRICETAG_OK;
}

// ---- Rows

// Stores a date as a number such as 20260131.
static int32_t read_date(DateADT value, int32_t *date) {
  int year, month, day;
  if (DATE_NOT_FINITE(value)) return PRICETAG_SQL_MALFORMED_DATE;
  j2date(value + POSTGRES_EPOCH_JDATE, &year, &month, &day);
  if (year < 1 || year > 9999) return PRICETAG_SQL_MALFORMED_DATE;
  *date = year * 10000 + month * 100 + day;
  return PRICETAG_OK;
}

// Formats the text of a numeric, which has no zeros at the end of its fraction.
static int32_t format_text(const pricetag_sql_formatter *found, const char *text, char *buffer, size_t *length) {
  enum { MAXIMUM_TEXT = 64 };
  const char *digits = text[0] == '-' ? text + 1 : text;
  if (digits[0] < '0' || digits[0] > '9') return PRICETAG_MALFORMED_AMOUNT;  // NaN and Infinity
  size_t text_length = strlen(text);
  if (found->unit != PRICETAG_SQL_MAJOR && strchr(text, '.')) return PRICETAG_MALFORMED_AMOUNT;
  if (text_length > MAXIMUM_TEXT) return PRICETAG_AMOUNT_OUT_OF_RANGE;
  if (found->unit == PRICETAG_SQL_MAJOR) {
    return pricetag_sql_format_text(found, (pricetag_text){text, text_length}, buffer, length);
  }
  int64_t units;
  int32_t exponent;
  int32_t status = pricetag_parse(text, text_length, &units, &exponent);
  return status == PRICETAG_OK ? pricetag_sql_format_integer(found, units, buffer, length) : status;
}

static int32_t format_amount(const call_site *site, const pricetag_sql_formatter *found, Datum amount, row *row,
                             char *buffer, size_t *length) {
  if (site->function->amount == NUMERIC) {
    row->amount = numeric_normalize(DatumGetNumeric(amount));
    return format_text(found, row->amount, buffer, length);
  }
  return pricetag_sql_format_integer(found, DatumGetInt64(amount), buffer, length);
}

// Reads the text of a price, as the text of a numeric.
static int32_t read_price(const pricetag_sql_formatter *found, pricetag_text price, char *buffer, size_t *length) {
  if (!is_utf8(price)) {
    price.bytes = pg_server_to_any(price.bytes, (int)price.length, PG_UTF8);
    price.length = strlen(price.bytes);
  }
  int32_t status = pricetag_sql_read(found, price, buffer, length);
  if (status == PRICETAG_OK) buffer[*length] = 0;
  return status;
}

// Returns formatted text in the encoding of the database. PostgreSQL raises an error for a character that it lacks.
static text *text_result(const char *bytes, size_t length) {
  if (GetDatabaseEncoding() == PG_UTF8) return cstring_to_text_with_len(bytes, (int)length);
  char *converted = pg_any_to_server(bytes, (int)length, PG_UTF8);
  return cstring_to_text_with_len(converted, converted == bytes ? (int)length : (int)strlen(converted));
}

static bool returns_null_on_error(FunctionCallInfo fcinfo, int index) {
  if (PG_ARGISNULL(index)) return false;
  pricetag_text word = text_argument(fcinfo, index);
  if (equals(word, "null")) return true;
  if (!equals(word, "raise")) {
    raise_invalid_option(psprintf("invalid on_error \"%s\"", clipped(word)), "Pass 'raise' or 'null'.");
  }
  return false;
}

// Stops if the function has been declared in another way than here, as by the script of another version.
static void check_declaration(FunctionCallInfo fcinfo, int count) {
  if (PG_NARGS() == count) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
                  errmsg("the function has %d arguments, and the library expects %d", PG_NARGS(), count),
                  errhint("Run ALTER EXTENSION pricetag UPDATE, or install the library and its script again.")));
}

static Datum call(FunctionCallInfo fcinfo, const function *function) {
  bool is_locale = function->is_locale, is_price = function->amount == PRICE;
  check_declaration(fcinfo, (is_locale ? 5 : 6) - (function->output == CODE || is_price ? 1 : 0));
  int amount_index = is_locale ? 2 : 1, options_index = 3, currency_index = is_locale ? 1 : 4;
  bool returns_null =
      function->output == CODE || is_price || returns_null_on_error(fcinfo, is_locale ? 4 : 5);
  pricetag_text options = {"", 0};
  if (!PG_ARGISNULL(options_index)) options = text_argument(fcinfo, options_index);
  call_site *site = find_call_site(fcinfo, function, options);

  if (PG_ARGISNULL(amount_index)) PG_RETURN_NULL();
  if (PG_ARGISNULL(0) || (is_locale && PG_ARGISNULL(currency_index))) {
    if (function->output != CODE) PG_RETURN_NULL();
    PG_RETURN_TEXT_P(cstring_to_text(pricetag_sql_code(PRICETAG_SQL_MISSING_STOREFRONT)));
  }

  row row = {.name = text_argument(fcinfo, 0), .has_currency = !PG_ARGISNULL(currency_index)};
  if (row.has_currency) row.currency = text_argument(fcinfo, currency_index);
  int32_t status = PRICETAG_OK;
  if (!is_locale && !PG_ARGISNULL(2)) status = read_date(PG_GETARG_DATEADT(2), &row.date);
  pricetag_sql_formatter found = {.formatter = NULL};
  if (status == PRICETAG_OK) status = find(site, &row, &found);
  char buffer[PRICETAG_MAXIMUM_CAPACITY];
  size_t length = 0;
  if (status == PRICETAG_OK) {
    status = is_price ? read_price(&found, text_argument(fcinfo, amount_index), buffer, &length)
                      : format_amount(site, &found, PG_GETARG_DATUM(amount_index), &row, buffer, &length);
  }

  if (status != PRICETAG_OK && (!returns_null || pricetag_sql_is_of_query(status))) {
    bool is_integer = function->amount == MINOR || function->amount == MICROS;
    if (is_integer) row.amount = psprintf(INT64_FORMAT, PG_GETARG_INT64(amount_index));
    raise_row_error(status, site, &row, found.formatter);
  }
  if (function->output == CODE) {
    if (status == PRICETAG_OK) PG_RETURN_NULL();
    PG_RETURN_TEXT_P(cstring_to_text(pricetag_sql_code(status)));
  }
  if (status != PRICETAG_OK) PG_RETURN_NULL();
  if (is_price) {
    return DirectFunctionCall3(numeric_in, CStringGetDatum(buffer), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
  }
  PG_RETURN_TEXT_P(text_result(buffer, length));
}

// ---- The functions of SQL

#pragma GCC visibility push(default)

#define DEFINE(name, ...)                     \
  PG_FUNCTION_INFO_V1(pricetag_##name);       \
  Datum pricetag_##name(PG_FUNCTION_ARGS) {   \
    static const function self = __VA_ARGS__; \
    return call(fcinfo, &self);               \
  }                                           \
  StaticAssertDecl(true, #name)

DEFINE(price_format, {false, DISPLAY, NUMERIC});
DEFINE(price_format_minor, {false, DISPLAY, MINOR});
DEFINE(price_format_micros, {false, DISPLAY, MICROS});
DEFINE(price_format_locale, {true, DISPLAY, NUMERIC});
DEFINE(price_spoken, {false, SPOKEN, NUMERIC});
DEFINE(price_spoken_locale, {true, SPOKEN, NUMERIC});
DEFINE(price_error, {false, CODE, NUMERIC});
DEFINE(price_error_locale, {true, CODE, NUMERIC});
DEFINE(price_read, {false, DISPLAY, PRICE});
DEFINE(price_read_locale, {true, DISPLAY, PRICE});
DEFINE(price_read_error, {false, CODE, PRICE});
DEFINE(price_read_error_locale, {true, CODE, PRICE});

PG_FUNCTION_INFO_V1(pricetag_price_pack_version);
Datum pricetag_price_pack_version(PG_FUNCTION_ARGS) {
  check_declaration(fcinfo, 2);
  pricetag_text name = text_argument(fcinfo, 0), pack = text_argument(fcinfo, 1), version;
  int which = 0;
  while (which < PACKS && !equals(pack, pack_names[which])) which++;
  if (which == PACKS) {
    raise_invalid_option(psprintf("unknown pack \"%s\"", clipped(pack)), "Pass 'storefronts' or 'locales'.");
  }
  char bytes[32];
  if (!pricetag_copy_name(bytes, sizeof bytes, name.bytes, name.length)) PG_RETURN_NULL();
  if (pricetag_pack_version(pack_of(which), bytes, &version) != PRICETAG_OK) PG_RETURN_NULL();
  PG_RETURN_TEXT_P(text_result(version.bytes, version.length));
}

#pragma GCC visibility pop

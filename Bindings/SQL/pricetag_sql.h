/*
** What the SQL functions of PriceTag share, whatever the database: the text of options, the codes of errors, a cache of
** formatters, and messages. The extensions of PostgreSQL, SQLite and DuckDB contain it, and that of Python for options
** and its packs. It uses pricetag.h only.
**
** Nothing here allocates memory or has global state. A cache is used by one thread at a time.
*/
#ifndef PRICETAG_SQL_H
#define PRICETAG_SQL_H

#include <stdbool.h>

#include "pricetag.h"

/*
** Statuses beside those of pricetag.h. Their codes are those of `pricetag batch`.
*/
enum {
  /* An argument has a type that the function does not take, such as a floating-point amount. */
  PRICETAG_SQL_WRONG_TYPE = 101,
  /* The date is not a date of the calendar, written as 2026-01-31. */
  PRICETAG_SQL_MALFORMED_DATE = 102,
  /* The options contain an unknown name or value. */
  PRICETAG_SQL_INVALID_OPTION = 103,
  /* The amount is in minor units, and the currency has none. */
  PRICETAG_SQL_NO_MINOR_UNIT = 104,
  /* The pack has no spoken forms. */
  PRICETAG_SQL_MISSING_SPOKEN = 105,
  /* There is no storefront, or no price locale with a currency. */
  PRICETAG_SQL_MISSING_STOREFRONT = 106,
  /* The extension was built without the pack of all price locales. */
  PRICETAG_SQL_MISSING_LOCALES = 107
};

/*
** Return the code of a status ("needs-rounding"), what was wrong, and how to fix it in SQL. The text is static.
*/
const char *pricetag_sql_code(int32_t status);
const char *pricetag_sql_message(int32_t status);
const char *pricetag_sql_fix(int32_t status);

/*
** Returns whether a status is an error of the query, because every row would have it: a style or spoken forms that the
** pack lacks, or a pack that the extension lacks. Every function then stops the query, also one that returns NULL or a
** code for the error of a row.
*/
bool pricetag_sql_is_of_query(int32_t status);

/*
** The values of pricetag_sql_options.unit. PRICETAG_SQL_ANY_UNIT is for functions that do not name a unit themselves:
** the options can, and the default is PRICETAG_SQL_MAJOR. PRICETAG_SQL_READ is for functions that read text: their
** options have neither a unit nor a rounding, and only theirs can be lenient.
*/
enum { PRICETAG_SQL_ANY_UNIT = -1, PRICETAG_SQL_MAJOR = 0, PRICETAG_SQL_MINOR = 1, PRICETAG_SQL_MICROS = 2 };
enum { PRICETAG_SQL_READ = 3 };

typedef struct pricetag_sql_options {
  pricetag_style style;
  int32_t rounding;
  int32_t unit;
  /* PRICETAG_STRICT or PRICETAG_LENIENT. */
  int32_t mode;
} pricetag_sql_options;

/* The maximum number of bytes of options. */
enum { PRICETAG_SQL_MAXIMUM_OPTIONS = 256 };

/*
** Reads the text of options: pairs such as "width=iso rounding=half-even", separated by spaces or commas. The names are
** width, zeros, sign, digits, grouping, numbering, notation, qualifier, per, rounding, unit (major, minor or micros),
** and lenient (true or false); the values are those of the command, such as "per=100 mL" or "per=100ml". Each name may
** occur once. Empty text stands for the defaults.
**
** `unit` is the unit that the function names, such as price_format_minor, so that the options cannot; or
** PRICETAG_SQL_ANY_UNIT; or PRICETAG_SQL_READ.
**
** Returns PRICETAG_SQL_INVALID_OPTION, and then the pair with the problem in `place`, which is a part of the text.
*/
int32_t pricetag_sql_parse_options(const char *text, size_t length, int32_t unit, pricetag_sql_options *options,
                                   pricetag_text *place);

/*
** Returns the values of an option, such as "width", in the order of pricetag.h's constants; NULL is after the last.
*/
const char *const *pricetag_sql_values(const char *name);

/*
** Reads a number of decimals: "standard", "cash", "minor-units", a number from 0 to 18, or a range such as "0-2". Returns
** false for other text.
*/
bool pricetag_sql_parse_digits(const char *text, size_t length, pricetag_style *style);

/*
** Reads the reference of a unit price in a spelling of the command, such as "kg", "100 mL" or "100ml", and stores it as
** packs do, filled with zero bytes. Returns false for other text.
*/
bool pricetag_sql_parse_reference(const char *text, size_t length, char unit[8]);

/*
** The packs of an extension. A storefront question uses `storefronts`, a locale question `locales`; both may be the
** same.
*/
typedef struct pricetag_sql_packs {
  const pricetag_pack *storefronts;
  const pricetag_pack *locales;
} pricetag_sql_packs;

/*
** The question of a row: a storefront, and perhaps a date and a currency that the storefront must charge; or a price
** locale and a currency.
*/
typedef struct pricetag_sql_question {
  /* The storefront or the price locale. */
  pricetag_text name;
  /* NULL bytes for a storefront without a currency. */
  pricetag_text currency;
  /* A number such as 20260131, or 0. */
  int32_t date;
  bool is_locale;
  bool is_spoken;
} pricetag_sql_question;

/*
** The answer to a question: a formatter, and how to read amounts for it.
*/
typedef struct pricetag_sql_formatter {
  const pricetag_formatter *formatter;
  int32_t rounding;
  /* The number of decimals of an integer amount: 0 for major units, 2 for cents, 6 for micros. */
  int32_t exponent;
  int32_t unit;
  int32_t mode;
} pricetag_sql_formatter;

enum {
  PRICETAG_SQL_CACHED_NAME = 15,
  PRICETAG_SQL_CACHED_CURRENCY = 7,
  PRICETAG_SQL_CACHE_SIZE = 256,
  PRICETAG_SQL_CACHED_OPTIONS = 8
};

typedef struct pricetag_sql_cached_options {
  pricetag_sql_options options;
  /* Distinguishes the options from those that were in this place before; 0 for an empty place. */
  uint32_t id;
  /* The unit that the function names. */
  int32_t unit;
  uint32_t length;
  char text[PRICETAG_SQL_MAXIMUM_OPTIONS];
} pricetag_sql_cached_options;

typedef struct pricetag_sql_cached_formatter {
  pricetag_sql_formatter result;
  /* Filled with zero bytes. */
  char name[PRICETAG_SQL_CACHED_NAME + 1];
  char currency[PRICETAG_SQL_CACHED_CURRENCY + 1];
  int32_t date;
  uint32_t options;
  bool is_locale;
  bool is_spoken;
} pricetag_sql_cached_formatter;

/*
** The formatters and options of recent questions. Initialize it with zeros, and again when the packs change.
*/
typedef struct pricetag_sql_cache {
  uint32_t next_options;
  pricetag_sql_cached_options options[PRICETAG_SQL_CACHED_OPTIONS];
  pricetag_sql_cached_formatter formatters[PRICETAG_SQL_CACHE_SIZE];
} pricetag_sql_cache;

/*
** Returns the options of a text, or of NULL bytes, which stand for the defaults. `unit` is as for
** pricetag_sql_parse_options, whose statuses it returns. The result is valid until the next call.
*/
int32_t pricetag_sql_find_options(pricetag_sql_cache *cache, pricetag_text text, int32_t unit,
                                  const pricetag_sql_cached_options **options, pricetag_text *place);

/*
** Find the formatter of a question: in the packs, or first in the cache. Return the statuses of
** pricetag_formatter_for_storefront_in and pricetag_formatter_for_locale, PRICETAG_SQL_NO_MINOR_UNIT,
** PRICETAG_SQL_MISSING_SPOKEN and PRICETAG_SQL_MISSING_LOCALES.
*/
int32_t pricetag_sql_look_up(const pricetag_sql_packs *packs, const pricetag_sql_question *question,
                             const pricetag_sql_options *options, pricetag_sql_formatter *result);
int32_t pricetag_sql_find(pricetag_sql_cache *cache, const pricetag_sql_packs *packs,
                          const pricetag_sql_question *question, const pricetag_sql_cached_options *options,
                          pricetag_sql_formatter *result);

/*
** Formats an amount of decimal text, or of an integer. Text is an amount of major units only; for minor units and
** micros it is PRICETAG_SQL_WRONG_TYPE. The buffer has PRICETAG_MAXIMUM_CAPACITY bytes.
*/
int32_t pricetag_sql_format_text(const pricetag_sql_formatter *formatter, pricetag_text amount, char *buffer,
                                 size_t *length);
int32_t pricetag_sql_format_integer(const pricetag_sql_formatter *formatter, int64_t amount, char *buffer,
                                    size_t *length);

/*
** Reads a formatted price back, and writes its amount as decimal text. The buffer has PRICETAG_MAXIMUM_CAPACITY bytes.
*/
int32_t pricetag_sql_read(const pricetag_sql_formatter *formatter, pricetag_text price, char *buffer, size_t *length);

enum { PRICETAG_SQL_QUOTED = 176 };

/*
** Writes text between quotation marks, for a message: about 160 bytes of it, with a question mark for each byte that
** is a control character or not UTF-8. The result ends with a zero byte. Returns it.
*/
const char *pricetag_sql_quote(pricetag_text text, char quoted[PRICETAG_SQL_QUOTED]);

enum { PRICETAG_SQL_MESSAGE = 512 };

/*
** Writes the message of a status: its code, the place of the problem (NULL for none), what was wrong, and how to fix
** it. If these two are NULL, they are those of the status.
*/
void pricetag_sql_describe(int32_t status, const char *place, const char *problem, const char *fix,
                           char message[PRICETAG_SQL_MESSAGE]);

/*
** The packs that an extension contains. `locales` has the size 0 if it was built without; that of Python is compressed.
*/
pricetag_text pricetag_sql_embedded_storefronts(void);
pricetag_text pricetag_sql_embedded_locales(void);

/*
** Returns whether text names a pack, such as cldr-48; any other text is the path of a file.
*/
bool pricetag_sql_is_pack_name(const char *text);

#define PRICETAG_SQL_UNKNOWN_PACK "unknown pack"
#define PRICETAG_SQL_UNKNOWN_PACK_FIX "use cldr-42 or cldr-48, or write ./ before the name of a file"

/*
** Opens the pack of a name that the extension contains, or of a file. `file` is then the pack to close, and NULL for a
** name. PRICETAG_INVALID_PACK for a name means that it is unknown.
*/
int32_t pricetag_sql_open_pack(const char *path, const pricetag_pack **pack, const pricetag_pack **file);

#endif

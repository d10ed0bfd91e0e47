/*
** PriceTag for columns in Arrow's C data interface: prices of millions of rows, written by libpricetag (pricetag.h).
**
** A plan is made once, from the types of the columns and the options. It then formats any number of batches:
**
**     pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {0};
**     arguments[PRICETAG_ARROW_AMOUNT].schema = &amount_schema;
**     arguments[PRICETAG_ARROW_STOREFRONT].schema = &storefront_schema;
**     pricetag_arrow_options options = {.unit = PRICETAG_ARROW_MINOR, .date = 20260131};
**     pricetag_arrow_plan *plan;
**     pricetag_arrow_error error;
**     int32_t status = pricetag_arrow_plan_create(pack, arguments, &options, &plan, &error);
**     if (status != PRICETAG_OK) return fail(error.message, error.fix);
**
**     pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {0};
**     columns[PRICETAG_ARROW_AMOUNT].array = &amounts;
**     columns[PRICETAG_ARROW_STOREFRONT].array = &storefronts;
**     struct ArrowArray result;
**     pricetag_arrow_format(plan, columns, amounts.length, &result, &error);
**     ...
**     result.release(&result);
**     pricetag_arrow_plan_free(plan);
**
** The result is a struct array, with one child for each requested output:
**
**     display     text                              the price; null if the amount is null, or the row has an error
**     error       dictionary<int8, utf8>            the code of the row's error; null for rows without an error
**     spoken      text                              the price with the full name of the currency
**     direction   dictionary<int8, utf8>            "ltr" or "rtl", the direction of the first strong character
**     parts       list<struct<type: dictionary<int8, utf8>, value: utf8>>
**
** A plan with the option `reading` reads formatted prices back, from text in the place of the amounts. The outputs are
** the error and, in the place of `display`:
**
**     amount      text                              the amount, such as 1234.50; null if the text cannot be read
**
** Errors of rows: the codes are those of `pricetag batch` (docs/batch.md, "Codes of rejects") and of
** pricetag_status_code. A row whose amount is null has no price and no error. Otherwise the first of these errors is
** reported:
**
**     malformed-locale        the locale is not a BCP 47 tag
**     unexpected-extension    the locale has an extension, such as -u-nu-latn, and is not in the pack
**     unknown-locale          the locale is not in the pack
**     unknown-currency        the currency is not in the pack
**     malformed-date          the date is not YYYY-MM-DD, or does not exist
**     missing-storefront      the storefront is null, or the locale or the currency is
**     unknown-storefront, currency-mismatch, missing-date, missing-formatter
**                             as in pricetag.h; missing-formatter also if the pack has no spoken form
**     malformed-amount        the text is not a decimal
**     amount-out-of-range     the amount has too many digits
**     no-minor-unit           minor units of a currency that has none
**     needs-rounding, missing-plural
**                             as in pricetag.h
**     not-a-price, not-as-written, ambiguous-number, text-too-long
**                             as in pricetag.h, of a text that cannot be read
**
** A null currency beside a storefront, and a null date, count as absent. What a batch with ICU can format and the pack
** lacks is one of the codes that start with "unknown" or "missing".
**
** Memory: a plan stores formatters of its pack, which must stay open. Neither a plan nor a result refers to the arrays
** and schemas of a call after it returns. The memory of a result belongs to its release callbacks; children may be
** moved out of it, as Arrow allows.
**
** Threads: a plan is used by one thread at a time. Results may be released by any thread.
**
** Hostile arrays: lengths, offsets, numbers of buffers and children, null bitmaps that are missing, offsets of text,
** views, dictionary indices and dictionaries are checked before they are used, and an error names the column. Arrow's
** interface does not have the sizes of most buffers. So these must be right: the buffers have as many elements as
** `offset` + `length` needs (for a dictionary, its own), the last offset of text is not beyond its bytes, the
** `n_buffers`, `n_children` and sizes of variadic buffers do not exceed what the pointers refer to, and pointers are
** NULL or valid.
*/
#ifndef PRICETAG_ARROW_H
#define PRICETAG_ARROW_H

#include <stddef.h>
#include <stdint.h>

#include "pricetag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structures of Arrow's C data interface, as its specification defines them. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* A plan: the types of the arguments, the options, and the formatters so far. */
typedef struct pricetag_arrow_plan pricetag_arrow_plan;

/*
** The status of a call: PRICETAG_OK, a status of pricetag.h, or one of these. An error has the code as text.
*/
enum {
  /* "wrong-type": a column has a type that the argument does not allow, such as floating point for an amount. */
  PRICETAG_ARROW_WRONG_TYPE = 100,
  /* "invalid-array": an array contradicts Arrow's specification or the schema of the plan, or was released. */
  PRICETAG_ARROW_INVALID_ARRAY = 101,
  /* "out-of-memory" */
  PRICETAG_ARROW_OUT_OF_MEMORY = 102,
  /* "result-too-large": the text of the batch has more bytes than the offsets of PRICETAG_ARROW_UTF8 can address. */
  PRICETAG_ARROW_RESULT_TOO_LARGE = 103,
  /* "invalid-option": an option is out of range, or two of them, or an argument and an option, exclude each other. */
  PRICETAG_ARROW_INVALID_OPTION = 104,
  /* "malformed-date": a constant date is not YYYY-MM-DD, or does not exist. */
  PRICETAG_ARROW_MALFORMED_DATE = 105,
  /* "no-minor-unit": minor units of a constant currency that has none. */
  PRICETAG_ARROW_NO_MINOR_UNIT = 106
};

/*
** Why a call failed: the status, its code, what was wrong and where, and how to fix it. All texts end with a zero byte.
*/
typedef struct pricetag_arrow_error {
  int32_t status;
  char code[32];
  char message[256];
  char fix[192];
} pricetag_arrow_error;

/* The arguments of a price, as indices. */
enum {
  PRICETAG_ARROW_AMOUNT = 0,
  PRICETAG_ARROW_STOREFRONT = 1,
  PRICETAG_ARROW_LOCALE = 2,
  PRICETAG_ARROW_CURRENCY = 3,
  PRICETAG_ARROW_DATE = 4,
  PRICETAG_ARROW_ARGUMENTS = 5
};

/*
** An argument: a column of the type of `schema`, or the constant text of `length` bytes if `schema` is NULL, or absent
** if both are NULL. The date may also be given as a number, in the options.
**
** The amount, and either the storefront or both locale and currency, are required. Types:
**
**     storefront, locale, currency    utf8, large_utf8, utf8_view, null
**     date                            the same; date32, date64
**     amount                          the same as storefront: decimal text such as 1234.50
**                                     decimal32, decimal64, decimal128, decimal256 of any scale
**                                     int8, uint8, int16, uint16, int32, uint32, int64, uint64
**
** and dictionaries of these with indices of any integer type. An extension type counts as its storage type.
*/
typedef struct pricetag_arrow_argument {
  const struct ArrowSchema *schema;
  const char *text;
  size_t length;
} pricetag_arrow_argument;

/*
** What the integers of an amount count. Text and decimals are always major units (1234.50 is 1234.50 of the currency);
** with another unit, they are refused.
*/
enum {
  PRICETAG_ARROW_MAJOR = 0,
  /* The minor unit of ISO 4217 of the row's currency, such as cents. */
  PRICETAG_ARROW_MINOR = 1,
  /* Millionths of the major unit. */
  PRICETAG_ARROW_MICROS = 2
};

enum {
  PRICETAG_ARROW_DISPLAY = 1,
  PRICETAG_ARROW_ERROR = 2,
  PRICETAG_ARROW_SPOKEN = 3,
  PRICETAG_ARROW_DIRECTION = 4,
  PRICETAG_ARROW_PARTS = 5,
  PRICETAG_ARROW_OUTPUTS = 5
};

/* The types of `display` and `spoken`. */
enum {
  /* A batch has at most 2,147,483,647 bytes of text; more is PRICETAG_ARROW_RESULT_TOO_LARGE. */
  PRICETAG_ARROW_UTF8 = 0,
  PRICETAG_ARROW_LARGE_UTF8 = 1,
  PRICETAG_ARROW_UTF8_VIEW = 2
};

/* How text is read: as pricetag_read does in its modes. */
enum { PRICETAG_ARROW_READ_STRICT = 1, PRICETAG_ARROW_READ_LENIENT = 2 };

/*
** Options. Zeros are the defaults.
*/
typedef struct pricetag_arrow_options {
  /* PRICETAG_ARROW_MAJOR, … */
  int32_t unit;
  /* PRICETAG_EXACT, … */
  int32_t rounding;
  /* The date of rows without one, such as 20260131, for storefronts that have changed their currency; or 0. */
  int32_t date;
  /* PRICETAG_ARROW_UTF8, … */
  int32_t text;
  /* The outputs in order, then zeros. Without any, they are PRICETAG_ARROW_DISPLAY and PRICETAG_ARROW_ERROR. */
  uint8_t outputs[8];
  /* NULL for the default style. */
  const pricetag_style *style;
  /* 0, or PRICETAG_ARROW_READ_STRICT, … */
  int32_t reading;
} pricetag_arrow_options;

/*
** Makes a plan. The schemas and the style are only read during the call. The pack is not copied, and must stay open.
**
** Constants are checked at once: an unknown storefront, for example, is PRICETAG_UNKNOWN_STOREFRONT. A style that the
** pack lacks is PRICETAG_MISSING_STYLE. `error` may be NULL.
*/
int32_t pricetag_arrow_plan_create(const pricetag_pack *pack,
                                   const pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS],
                                   const pricetag_arrow_options *options, pricetag_arrow_plan **plan,
                                   pricetag_arrow_error *error);

/* Frees a plan. Results stay valid. NULL is allowed. */
void pricetag_arrow_plan_free(pricetag_arrow_plan *plan);

/*
** Stores the schema of the results: a struct. The caller releases it.
*/
int32_t pricetag_arrow_plan_schema(const pricetag_arrow_plan *plan, struct ArrowSchema *schema,
                                   pricetag_arrow_error *error);

/*
** Rows of an array: those from `start`, which is added to the offset of the array. A column of a record batch starts at
** the offset of the batch's struct array.
*/
typedef struct pricetag_arrow_column {
  const struct ArrowArray *array;
  int64_t start;
} pricetag_arrow_column;

/*
** Formats `count` rows. `columns` has the array of each argument that is a column; the others are ignored. Without
** rows, arrays may be NULL. Stores the result, a struct array of `count` rows, which the caller releases. If the call
** fails, there is no result.
**
** Invalid rows are not a failure; their codes are in the output PRICETAG_ARROW_ERROR.
*/
int32_t pricetag_arrow_format(pricetag_arrow_plan *plan, const pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS],
                              int64_t count, struct ArrowArray *result, pricetag_arrow_error *error);

/*
** Formats all rows of a record batch, a struct array. `children` has the index of the child of each argument that is a
** column, and the others are ignored. A null row of the struct has a null amount.
*/
int32_t pricetag_arrow_format_batch(pricetag_arrow_plan *plan, const struct ArrowArray *batch,
                                    const int64_t children[PRICETAG_ARROW_ARGUMENTS], struct ArrowArray *result,
                                    pricetag_arrow_error *error);

#ifdef __cplusplus
}
#endif

#endif

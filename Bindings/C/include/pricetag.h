/*
** PriceTag: exact prices, written as ICU writes them, without ICU.
**
** A pack is a file of compiled patterns (see docs/packs.md; `pricetag pack` writes it). Open a pack, find a
** formatter, and format amounts into your own memory:
**
**     const pricetag_pack *pack;
**     const pricetag_formatter *japan;
**     char text[256];
**     size_t length;
**     pricetag_pack_open_file("store.pack", &pack);
**     pricetag_formatter_for_storefront(pack, "JPN", 20260101, NULL, &japan);
**     pricetag_format(japan, "1200", 4, PRICETAG_EXACT, text, sizeof text, &length);    // ￥1,200
**
** Memory: packs and formatters are places in the memory of the pack. No function allocates memory, and there is nothing
** to free, except for the pack of a file. A pack in your own memory must stay there, unchanged, as long as it is used.
**
** Threads: packs and formatters never change. Any number of threads may use them, also after fork(). There is no global
** state, and the process's locale has no effect.
**
** Errors: a function that can fail returns a status, PRICETAG_OK or one of the codes below, and then changes none of its
** results unless its comment says so. No function stops the process, whatever the pack or the amount contains.
** NULL for an argument that is not optional is PRICETAG_INVALID_ARGUMENT.
**
** Text: all text is UTF-8. Formatted text is not terminated with a zero byte; its length is a result. Names, such as those of
** storefronts, are arguments with a zero byte at their end, and case does not matter.
*/
#ifndef PRICETAG_H
#define PRICETAG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pack that has been checked. */
typedef struct pricetag_pack pricetag_pack;

/* The pattern of one price locale, currency and style in a pack. */
typedef struct pricetag_formatter pricetag_formatter;

/*
** The status of a call. The codes never change; later versions may add codes.
*/
enum {
  /* Generated from Bindings/tables.json (statuses); do not edit. */
  /* The call succeeded. */
  PRICETAG_OK = 0,
  /* The text is not a decimal amount, such as 1234.50. */
  PRICETAG_MALFORMED_AMOUNT = 1,
  /* The amount has more than 18 digits, or a scale outside 0...18. */
  PRICETAG_AMOUNT_OUT_OF_RANGE = 2,
  /* The amount has more decimals than are displayed, and the rounding is PRICETAG_EXACT. */
  PRICETAG_NEEDS_ROUNDING = 3,
  /* The buffer is too small; the length is the required number of bytes. */
  PRICETAG_BUFFER_TOO_SMALL = 4,
  /* An argument is NULL or out of range. */
  PRICETAG_INVALID_ARGUMENT = 5,
  /* The bytes are not a pack. */
  PRICETAG_NOT_A_PACK = 6,
  /* The pack has a layout that this library cannot read. */
  PRICETAG_OTHER_VERSION = 7,
  /* The pack has been truncated, or other bytes follow it. */
  PRICETAG_TRUNCATED = 8,
  /* The bytes of the pack have changed since it was written. */
  PRICETAG_DAMAGED = 9,
  /* A field of the pack has an invalid value. */
  PRICETAG_INVALID_PACK = 10,
  /* The pack does not have the storefront. */
  PRICETAG_UNKNOWN_STOREFRONT = 11,
  /* The pack does not have the price locale. */
  PRICETAG_UNKNOWN_LOCALE = 12,
  /* The pack does not have the currency. */
  PRICETAG_UNKNOWN_CURRENCY = 13,
  /* The pack has no patterns of the style. */
  PRICETAG_MISSING_STYLE = 14,
  /* The pack has no pattern for the locale, currency and style together. */
  PRICETAG_MISSING_FORMATTER = 15,
  /* The storefront has charged several currencies, and the call has no date. */
  PRICETAG_MISSING_DATE = 16,
  /* The pattern has no form for the plural category of the amount. */
  PRICETAG_MISSING_PLURAL = 17,
  /* The file cannot be read; errno has the reason. */
  PRICETAG_UNREADABLE_FILE = 18,
  /* The pack does not have the version with this name. */
  PRICETAG_UNKNOWN_VERSION = 19,
  /* The storefront does not charge the currency on the date. */
  PRICETAG_CURRENCY_MISMATCH = 20,
  /* The text has no digits. */
  PRICETAG_NOT_A_PRICE = 21,
  /* The text is not what the formatter writes for any amount. */
  PRICETAG_NOT_AS_WRITTEN = 22,
  /* The formatter writes the text for several amounts. */
  PRICETAG_AMBIGUOUS_NUMBER = 23,
  /* The text has more than 4,096 bytes. */
  PRICETAG_TEXT_TOO_LONG = 24,
  /* The pack has no phrases. */
  PRICETAG_NO_PHRASES = 25,
  /* The pack has no phrases in the language, or in one that is close to it. */
  PRICETAG_UNKNOWN_LANGUAGE = 26,
  /* The pack does not have the phrase in the language. */
  PRICETAG_UNKNOWN_PHRASE = 27,
  /* An argument of the phrase is missing. */
  PRICETAG_MISSING_ARGUMENT = 28,
  /* The phrase does not have the argument. */
  PRICETAG_EXTRA_ARGUMENT = 29,
  /* An argument has the wrong type: a price is a formatter and an amount, never an amount alone. */
  PRICETAG_WRONG_ARGUMENT = 30,
  /* The phrase has more than 65,536 bytes, or more than 16 phrases are inside each other. */
  PRICETAG_PHRASE_TOO_LONG = 31
  /* End of the generated lines. */
};

/* Generated from Bindings/tables.json (values); do not edit. */
/* The values of pricetag_style.width: the form of the currency. ISO is the code of ISO 4217; HIDDEN is no currency. */
enum { PRICETAG_WIDTH_STANDARD = 0, PRICETAG_WIDTH_NARROW = 1, PRICETAG_WIDTH_ISO = 2, PRICETAG_WIDTH_NAME = 3,
    PRICETAG_WIDTH_HIDDEN = 4, PRICETAG_WIDTH_FORMAL = 5, PRICETAG_WIDTH_VARIANT = 6, PRICETAG_WIDTH_UNAMBIGUOUS = 7 };

/* The values of pricetag_style.zeros: decimals that are all zero. */
enum { PRICETAG_ZEROS_KEEP = 0, PRICETAG_ZEROS_TRIM = 1 };

/* The values of pricetag_style.sign: the amounts with a sign, and the accounting form of negative amounts. */
enum { PRICETAG_SIGN_AUTO = 0, PRICETAG_SIGN_ACCOUNTING = 1, PRICETAG_SIGN_ALWAYS = 2, PRICETAG_SIGN_NEVER = 3,
    PRICETAG_SIGN_EXCEPT_ZERO = 4, PRICETAG_SIGN_ACCOUNTING_ALWAYS = 5, PRICETAG_SIGN_ACCOUNTING_EXCEPT_ZERO = 6,
    PRICETAG_SIGN_NEGATIVE = 7, PRICETAG_SIGN_ACCOUNTING_NEGATIVE = 8 };

/* The values of pricetag_style.grouping. */
enum { PRICETAG_GROUPING_AUTO = 0, PRICETAG_GROUPING_ALWAYS = 1, PRICETAG_GROUPING_MIN2 = 2, PRICETAG_GROUPING_NEVER = 3 };

/* The values of pricetag_style.notation. */
enum { PRICETAG_NOTATION_STANDARD = 0, PRICETAG_NOTATION_COMPACT_SHORT = 1, PRICETAG_NOTATION_COMPACT_LONG = 2 };

/* The values of pricetag_style.qualifier: the mark of an amount that is not the exact price. */
enum { PRICETAG_QUALIFIER_NONE = 0, PRICETAG_QUALIFIER_APPROXIMATELY = 1, PRICETAG_QUALIFIER_AT_LEAST = 2 };

/* The rounding of an amount that has more decimals than are displayed. PRICETAG_EXACT makes it an error. */
enum { PRICETAG_EXACT = 0, PRICETAG_HALF_EVEN = 1, PRICETAG_HALF_UP = 2, PRICETAG_HALF_DOWN = 3, PRICETAG_UP = 4,
    PRICETAG_DOWN = 5, PRICETAG_CEILING = 6, PRICETAG_FLOOR = 7 };

/* The values of pricetag_part.kind. */
enum { PRICETAG_LITERAL = 0, PRICETAG_SYMBOL = 1, PRICETAG_INTEGER = 2, PRICETAG_GROUP = 3, PRICETAG_DECIMAL = 4,
    PRICETAG_FRACTION = 5, PRICETAG_SIGN = 6, PRICETAG_COMPACT = 7, PRICETAG_QUALIFIER = 8, PRICETAG_UNIT = 9 };

/* End of the generated lines. */

/*
** The values of pricetag_style.digits: the decimals of the currency in CLDR, those for cash, minimum_digits and
** maximum_digits, or those of the currency's minor unit in ISO 4217.
*/
enum { PRICETAG_DIGITS_STANDARD = 0, PRICETAG_DIGITS_CASH = 1, PRICETAG_DIGITS_FIXED = 2, PRICETAG_DIGITS_RANGE = 3,
    PRICETAG_DIGITS_MINOR_UNITS = 4 };

/*
** How a price is written. Zeros are the defaults, and NULL in place of a style stands for them. A pack has the styles
** that it was written with, and no others; another one is PRICETAG_MISSING_STYLE.
**
**     pricetag_style iso = {.width = PRICETAG_WIDTH_ISO};    // USD 4.99
*/
typedef struct pricetag_style {
  uint8_t width;
  uint8_t zeros;
  uint8_t sign;
  uint8_t digits;
  uint8_t minimum_digits;
  uint8_t maximum_digits;
  uint8_t grouping;
  uint8_t notation;
  uint8_t qualifier;
  uint8_t reserved[3];
  /* A numbering system of CLDR, such as "latn"; zeros for the locale's own. */
  char numbering[8];
  /*
  ** The reference of unit prices, such as "kg", "100 mL" or "m2"; zeros for other prices. A reference of more than 8 bytes
  ** has no spaces: "100floz".
  */
  char unit[8];
} pricetag_style;

/*
** Text in the memory of a pack: UTF-8, without a zero byte at its end.
*/
typedef struct pricetag_text {
  const char *bytes;
  size_t length;
} pricetag_text;

/*
** A part of a formatted price: its kind, and its place in the text, in bytes.
*/
typedef struct pricetag_part {
  uint32_t kind;
  uint32_t start;
  uint32_t end;
} pricetag_part;

enum { PRICETAG_LEFT_TO_RIGHT = 1, PRICETAG_RIGHT_TO_LEFT = 2 };

/*
** Checks the bytes of a pack and returns the pack, which is these bytes: they must not change or move, and there is
** nothing to close. Every field is checked once, so that no later call reads outside the bytes. They need no alignment.
**
** Returns PRICETAG_NOT_A_PACK, PRICETAG_OTHER_VERSION, PRICETAG_TRUNCATED, PRICETAG_DAMAGED or PRICETAG_INVALID_PACK for bytes
** that cannot be used. The time is proportional to the size, for hostile bytes too.
*/
int32_t pricetag_pack_open(const void *bytes, size_t size, const pricetag_pack **pack);

/*
** Reads a file into memory that cannot be written to, and checks it like pricetag_pack_open. Close the pack with
** pricetag_pack_close. The file may then be replaced, overwritten or deleted; the pack does not change. After
** PRICETAG_UNREADABLE_FILE, errno has the reason.
*/
int32_t pricetag_pack_open_file(const char *path, const pricetag_pack **pack);

/*
** Frees the memory of a pack of pricetag_pack_open_file, and of no other. Neither the pack nor its formatters may be used
** afterward. NULL is allowed.
*/
void pricetag_pack_close(const pricetag_pack *pack);

/*
** Returns a version in the pack, such as that of "icu", "cldr" or "pricetag"; PRICETAG_UNKNOWN_VERSION if the pack does not
** have it.
*/
int32_t pricetag_pack_version(const pricetag_pack *pack, const char *name, pricetag_text *version);

/*
** Return the storefront or the currency with an index, such as "JPN" or "JPY", in alphabetical order. Count from 0 until
** the result is PRICETAG_UNKNOWN_STOREFRONT or PRICETAG_UNKNOWN_CURRENCY: the pack has no more.
*/
int32_t pricetag_pack_storefront(const pricetag_pack *pack, size_t index, pricetag_text *storefront);
int32_t pricetag_pack_currency(const pricetag_pack *pack, size_t index, pricetag_text *currency);

/*
** Returns the currency and the price locale of a storefront, such as "JPN" or "jp". The date, such as 20260131, decides the
** currency of a storefront that has changed it; it may be 0 for all others. Either result may be NULL.
**
** Returns PRICETAG_UNKNOWN_STOREFRONT; PRICETAG_MISSING_DATE if the date is 0 and decides the currency; and
** PRICETAG_INVALID_ARGUMENT for a date that does not exist, such as 20260230.
*/
int32_t pricetag_storefront(const pricetag_pack *pack, const char *storefront, int32_t date, pricetag_text *currency,
                            pricetag_text *locale);

/*
** Returns the number of digits of a currency's minor unit in ISO 4217: 2 for "USD", 0 for "JPY", -1 if it has none.
** Payment providers differ for some currencies. Returns PRICETAG_UNKNOWN_CURRENCY for a currency that the pack lacks.
*/
int32_t pricetag_minor_unit_digits(const pricetag_pack *pack, const char *currency, int32_t *digits);

/*
** Finds the formatter of a storefront on a date, which are as for pricetag_storefront. The formatter belongs to the pack; there
** is nothing to free.
**
** Returns the statuses of pricetag_storefront; PRICETAG_MISSING_STYLE if the pack has no formatters of the style, and
** PRICETAG_MISSING_FORMATTER if it has none of this storefront.
*/
int32_t pricetag_formatter_for_storefront(const pricetag_pack *pack, const char *storefront, int32_t date,
                                          const pricetag_style *style, const pricetag_formatter **formatter);

/*
** Finds the formatter of a storefront for a currency: the one that it charges on the date, or a custom currency that it
** charges too, such as the coins of a game. The date may be 0 for a custom currency.
**
** Returns the statuses of pricetag_formatter_for_storefront; PRICETAG_UNKNOWN_CURRENCY for a currency that the pack lacks, and
** PRICETAG_CURRENCY_MISMATCH for one that the storefront does not charge on the date.
*/
int32_t pricetag_formatter_for_storefront_in(const pricetag_pack *pack, const char *storefront, const char *currency,
                                             int32_t date, const pricetag_style *style,
                                             const pricetag_formatter **formatter);

/*
** Finds the formatter of a price locale, such as "de-CH", and a currency, such as "CHF".
**
** Returns PRICETAG_UNKNOWN_LOCALE, PRICETAG_UNKNOWN_CURRENCY, PRICETAG_MISSING_STYLE, or PRICETAG_MISSING_FORMATTER if the pack
** has all three but not together.
*/
int32_t pricetag_formatter_for_locale(const pricetag_pack *pack, const char *locale, const char *currency,
                                      const pricetag_style *style, const pricetag_formatter **formatter);

/*
** Returns the formatter of the spoken form, with the full name of the currency: 49.99 US dollars. NULL if the pack does not
** have it, and for NULL.
*/
const pricetag_formatter *pricetag_formatter_spoken(const pricetag_formatter *formatter);

/*
** Returns the number of bytes that are enough for every price of a formatter; 0 for NULL. Formatting into a smaller buffer
** works if the price fits, and takes a little longer.
*/
size_t pricetag_formatter_capacity(const pricetag_formatter *formatter);

/* A number of bytes that is enough for every price of every formatter. */
enum { PRICETAG_MAXIMUM_CAPACITY = 1024 };

/*
** Returns the maximum number of digits that a formatter displays after the decimal separator; 0 for NULL.
*/
int32_t pricetag_formatter_digits(const pricetag_formatter *formatter);

/*
** Reads decimal text, such as "-1234.50", as an integer of all its digits, -123450, and the number of digits after the
** decimal point, 2. The text has an optional sign, digits, and after a point at least one more digit, 64 bytes at most.
**
** Returns PRICETAG_MALFORMED_AMOUNT or PRICETAG_AMOUNT_OUT_OF_RANGE for other text.
*/
int32_t pricetag_parse(const char *text, size_t text_length, int64_t *units, int32_t *exponent);

/*
** Formats an amount of decimal text. Writes at most `capacity` bytes, and stores the number of bytes in `length`. If the
** buffer is too small, it stores the required number and returns PRICETAG_BUFFER_TOO_SMALL; the contents of the buffer are
** then undefined. Bytes of the buffer after the price may be overwritten. The buffer may be NULL if `capacity` is 0.
**
** The text needs no zero byte at its end. It may be inside the buffer.
**
** Returns also the statuses of pricetag_parse; PRICETAG_NEEDS_ROUNDING if digits would be lost and the rounding is
** PRICETAG_EXACT; PRICETAG_AMOUNT_OUT_OF_RANGE if the rounded amount is too large; PRICETAG_MISSING_PLURAL.
*/
int32_t pricetag_format(const pricetag_formatter *formatter, const char *text, size_t text_length, int32_t rounding,
                        char *buffer, size_t capacity, size_t *length);

/*
** Formats an amount of minor units, such as 499 cents with the exponent 2, or of micros with the exponent 6. The rest is as
** for pricetag_format.
*/
int32_t pricetag_format_units(const pricetag_formatter *formatter, int64_t units, int32_t exponent, int32_t rounding,
                              char *buffer, size_t capacity, size_t *length);

/*
** Formats a column of minor units into one buffer, without separators. The price at an index is between the offsets at this
** index and the next one, so `offsets` has `count` + 1 elements, as in Arrow's layout of text.
**
** Stores the number of formatted prices in `formatted`, also if it stops early: at an amount that cannot be formatted, with
** the status of pricetag_format_units, or at the end of the buffer, with PRICETAG_BUFFER_TOO_SMALL. Go on with the next
** amounts and another buffer. Offsets have 31 bits, so a call fills at most 2,147,483,647 bytes of the buffer. The arrays may
** not overlap. `units` may be NULL if `count` is 0.
*/
int32_t pricetag_format_column(const pricetag_formatter *formatter, const int64_t *units, size_t count, int32_t exponent,
                               int32_t rounding, char *buffer, size_t capacity, int32_t *offsets, size_t *formatted);

/*
** Returns the parts of a price in order, with their places in the text of pricetag_format_units. At most `capacity` parts
** are stored; `count` is the number of all parts, which is never above 128. `parts` may be NULL if `capacity` is 0.
*/
int32_t pricetag_parts(const pricetag_formatter *formatter, int64_t units, int32_t exponent, int32_t rounding,
                       pricetag_part *parts, size_t capacity, size_t *count);

/*
** Returns the direction of the first strong character of a price, PRICETAG_LEFT_TO_RIGHT if there is none.
*/
int32_t pricetag_direction(const pricetag_formatter *formatter, int64_t units, int32_t exponent, int32_t rounding,
                           int32_t *direction);

/* The texts that pricetag_read accepts. */
enum { PRICETAG_STRICT = 0, PRICETAG_LENIENT = 1 };

/*
** Reads a formatted price back, as minor units and their exponent: the inverse of pricetag_format_units.
**
** PRICETAG_STRICT accepts exactly the bytes that the formatter writes for some amount. PRICETAG_LENIENT also accepts other
** spaces, direction marks, apostrophes, minus signs, fullwidth forms and ASCII digits, and the other symbols and the code of the
** currency in the pack; docs/reading.md has the complete list. Neither accepts another currency, other separators, other groups
** or a symbol on the other side.
**
**     pricetag_read(japan, "￥1,200", 8, PRICETAG_STRICT, &units, &exponent, NULL);     // 1200, 0
**     pricetag_read(japan, "JPY 1,200", 9, PRICETAG_LENIENT, &units, &exponent, NULL);  // 1200, 0
**
** Stores the place of the first difference from what the formatter writes in `difference`, in bytes: -1 for the same bytes. It may
** be the length of the text, if the text is only the start of a price. It is stored for every status but
** PRICETAG_INVALID_ARGUMENT, and may be NULL. The exponent is the number of displayed decimals; it is lower if the amount has more
** than 18 digits with them.
**
** Returns PRICETAG_NOT_A_PRICE for a text without digits; PRICETAG_NOT_AS_WRITTEN for any other text that the formatter does not
** write; PRICETAG_AMBIGUOUS_NUMBER; PRICETAG_AMOUNT_OUT_OF_RANGE; PRICETAG_TEXT_TOO_LONG for more than 4,096 bytes.
*/
int32_t pricetag_read(const pricetag_formatter *formatter, const char *text, size_t text_length, int32_t mode, int64_t *units,
                      int32_t *exponent, ptrdiff_t *difference);

/* ---- Phrases: the words around prices */

/* The checked phrases of a pack, a language of them, and the message of a key in a language. They belong to the pack. */
typedef struct pricetag_phrases pricetag_phrases;
typedef struct pricetag_language pricetag_language;
typedef struct pricetag_message pricetag_message;

/*
** An argument of a message. What it is depends on the fields that are not NULL:
**
**     {.name = "price", .price = formatter, .units = 999, .exponent = 2}    a price, which the formatter writes
**     {.name = "then", .message = per_month, .arguments = &price, .argument_count = 1}    another phrase
**     {.name = "plan", .keyword = "family"}    the keyword of a select, which is not displayed
**     {.name = "count", .units = 3}    a count, or a percentage: {.name = "percent", .units = 16} is 16%
**
** A price is a formatter and an amount. An amount alone, or a text, for a price is PRICETAG_WRONG_ARGUMENT.
*/
typedef struct pricetag_argument {
  const char *name;
  const pricetag_formatter *price;
  const pricetag_message *message;
  const struct pricetag_argument *arguments;
  size_t argument_count;
  const char *keyword;
  int64_t units;
  int32_t exponent;
  /* The rounding of a price. */
  int32_t rounding;
} pricetag_argument;

/* The kinds of arguments. A price may also be a phrase with prices. */
enum { PRICETAG_ARGUMENT_PRICE = 1, PRICETAG_ARGUMENT_COUNT = 2, PRICETAG_ARGUMENT_PERCENT = 3,
    PRICETAG_ARGUMENT_PHRASE = 4, PRICETAG_ARGUMENT_KEYWORD = 5 };

/*
** Checks every node of the phrases of a pack, once. Returns PRICETAG_NO_PHRASES if the pack has none, and
** PRICETAG_INVALID_PACK if they cannot be used.
*/
int32_t pricetag_phrases_open(const pricetag_pack *pack, const pricetag_phrases **phrases);

/*
** Returns the language with an index, in alphabetical order. Count from 0 until the result is PRICETAG_UNKNOWN_LANGUAGE.
*/
int32_t pricetag_phrases_language(const pricetag_phrases *phrases, size_t index, const pricetag_language **language);

/*
** Finds the language of a BCP 47 tag, such as "de-AT": the one that the pack has for this tag, or for the tag without its last
** subtags. pricetag_language_tag returns which one it is. Returns PRICETAG_UNKNOWN_LANGUAGE.
*/
int32_t pricetag_phrases_match(const pricetag_phrases *phrases, const char *tag, const pricetag_language **language);

/* Return the BCP 47 tag and the direction of a language. */
int32_t pricetag_language_tag(const pricetag_language *language, pricetag_text *tag);
int32_t pricetag_language_direction(const pricetag_language *language, int32_t *direction);

/* Finds the message with a key, such as "price_per_month". Returns PRICETAG_UNKNOWN_PHRASE. */
int32_t pricetag_message_find(const pricetag_language *language, const char *key, const pricetag_message **message);

/* Returns the key with an index, sorted. Count from 0 until the result is PRICETAG_UNKNOWN_PHRASE. */
int32_t pricetag_language_key(const pricetag_language *language, size_t index, pricetag_text *key);

/* Returns the language of a message, which is another one if the requested language lacks the message. */
int32_t pricetag_message_language(const pricetag_message *message, const pricetag_language **language);

/*
** Returns the name and the kind of the argument with an index. The name has a zero byte at its end. Count from 0 until the result
** is PRICETAG_EXTRA_ARGUMENT.
*/
int32_t pricetag_message_argument(const pricetag_message *message, size_t index, pricetag_text *name, int32_t *kind);

/* PRICETAG_ISOLATES encloses each price in U+2068 and U+2069, so that it displays correctly in both directions. */
enum { PRICETAG_ISOLATES = 0, PRICETAG_NO_ISOLATES = 1 };

/*
** Formats a message with its arguments, in any order. The buffer and the length are as for pricetag_format.
**
**     pricetag_argument price = {.name = "price", .price = germany, .units = 999, .exponent = 2};
**     pricetag_phrase(per_month, &price, 1, PRICETAG_NO_ISOLATES, text, sizeof text, &length);    // 9,99 € pro Monat
**
** Returns PRICETAG_MISSING_ARGUMENT, PRICETAG_EXTRA_ARGUMENT, PRICETAG_WRONG_ARGUMENT, PRICETAG_PHRASE_TOO_LONG for more than
** 65,536 bytes or 16 messages inside each other, and the statuses of pricetag_format_units for a price.
*/
int32_t pricetag_phrase(const pricetag_message *message, const pricetag_argument *arguments, size_t count, int32_t isolation,
                        char *buffer, size_t capacity, size_t *length);

/* ---- Arithmetic with prices, exactly as in Swift */

/* Returns the price of a quantity. Returns PRICETAG_AMOUNT_OUT_OF_RANGE. */
int32_t pricetag_total(int64_t units, int32_t exponent, uint64_t quantity, int64_t *total_units, int32_t *total_exponent);

/*
** Returns the price for one period, such as "P1M", computed from the price for another one, such as "P1Y", and rounded once to
** the digits that a formatter displays. A year has twelve months, a week has seven days, and a month has 30.436875 days.
**
** Returns PRICETAG_INVALID_ARGUMENT for another text than a number of days, weeks, months or years; PRICETAG_NEEDS_ROUNDING;
** PRICETAG_AMOUNT_OUT_OF_RANGE.
*/
int32_t pricetag_per_period(const pricetag_formatter *formatter, int64_t units, int32_t exponent, const char *period,
                            const char *paid, int32_t rounding, int64_t *result_units, int32_t *result_exponent);

/*
** Returns the percentage that a price saves compared with another one of the same currency, each for its own period, rounded
** down: 49.99 for "P1Y" against 4.99 for "P1M" saves 16. Returns PRICETAG_INVALID_ARGUMENT if the other price is not above zero.
*/
int32_t pricetag_saving(int64_t units, int32_t exponent, const char *period, int64_t other_units, int32_t other_exponent,
                        const char *other_period, int64_t *percent);

/*
** Return the stable name of a status ("needs-rounding"), what was wrong, and how to fix it. The text is static, and has a
** zero byte at its end.
*/
const char *pricetag_status_code(int32_t status);
const char *pricetag_status_message(int32_t status);
const char *pricetag_status_fix(int32_t status);

#ifdef __cplusplus
}
#endif

#endif

// ICU's formatter through its public interfaces, for comparisons. It shares no code with CICU.
#ifndef ICU_FORMATTER_H
#define ICU_FORMATTER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ICUReferenceFormatter ICUReferenceFormatter;

// Creates a formatter for a number skeleton, such as "currency/USD unit-width-narrow". Returns NULL if ICU rejects it.
ICUReferenceFormatter *icu_reference_open(const char *skeleton, const char *locale);
void icu_reference_close(ICUReferenceFormatter *formatter);

// Formats a decimal number, and returns its UTF-8 length; -1 if ICU fails.
int32_t icu_reference_format(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                             int32_t capacity);

// Formats a decimal number, and writes the digits that are displayed as a decimal number: 1.2 for 1200 in compact notation.
// Returns the length; -1 if ICU fails.
int32_t icu_reference_digits(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, char *digits,
                             int32_t capacity);

// Formats like icu_reference_format. Also returns the byte offset of the first digit, and the number of currency symbols
// and names.
int32_t icu_reference_split(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                            int32_t capacity, int32_t *numberStart, int32_t *currencyCount);

// Writes the currency's symbol or code in ICU's text for 5, and returns its UTF-8 length; -1 if there is none.
int32_t icu_reference_symbol(const char *skeleton, const char *locale, uint8_t *utf8, int32_t capacity);

// Writes ICU's symbol of a currency in the standard or narrow width, and returns its UTF-8 length; -1 if ICU fails.
int32_t icu_reference_currency_symbol(const char *locale, const char *code, bool isNarrow, char *symbol,
                                      int32_t capacity);

// Writes ICU's names of a currency, each as a plural category of the locale and a name, between tabs, without categories that
// ICU writes with another name. Returns the length; -1 if ICU fails, or if a name is the code.
int32_t icu_reference_currency_names(const char *locale, const char *code, char *names, int32_t capacity);

typedef struct ICUReferenceRangeFormatter ICUReferenceRangeFormatter;

// Creates a formatter of ranges for a number skeleton, which writes equal bounds as one number, or as an approximate number.
// Returns NULL if ICU rejects the skeleton.
ICUReferenceRangeFormatter *icu_reference_range_open(const char *skeleton, const char *locale, bool isApproximate);
void icu_reference_range_close(ICUReferenceRangeFormatter *formatter);

// Formats a range of two decimal numbers, and returns its UTF-8 length; -1 if ICU fails.
int32_t icu_reference_range_format(ICUReferenceRangeFormatter *formatter, const char *low, int32_t lowLength,
                                   const char *high, int32_t highLength, uint8_t *utf8, int32_t capacity);

// Writes CLDR's pattern for "at least" in a numbering system; "" for that of the locale. Returns the length; -1 if there is
// no pattern.
int32_t icu_reference_at_least_pattern(const char *locale, const char *numberingSystem, char *pattern,
                                       int32_t capacity);

// Writes CLDR's pattern of an amount per quantity of a unit, such as {0}/100 mL. The unit is ICU's identifier, and the width
// is the name of a table of ICU's unit data: units, unitsShort or unitsNarrow. Returns the length; -1 if ICU fails.
int32_t icu_reference_unit_pattern(const char *locale, const char *width, const char *unit, int32_t quantity,
                                   char *pattern, int32_t capacity);

// Writes CLDR's names of the numbering systems with ten digits, separated by spaces. Returns the length; -1 if the buffer is
// too small.
int32_t icu_reference_numbering_systems(char *names, int32_t capacity);

// Writes the version of the running ICU, such as "72.1". `text` must have room for 20 bytes.
void icu_reference_version(char *text);

// The number of locales that ICU lists, and the locale at an index in ICU's spelling.
int32_t icu_reference_locale_count(void);
const char *icu_reference_locale_at(int32_t index);

// Sets ICU's default locale, which LANG and LC_ALL set in a process and ICU uses for unknown locales.
void icu_reference_set_default_locale(const char *locale);

#ifdef __cplusplus
}
#endif
#endif

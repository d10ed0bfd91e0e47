// ICU through its public interfaces, for tests that compare results with ICU. It shares no code with CICU.
#ifndef ICU_REFERENCE_H
#define ICU_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ICUReferencePlurals ICUReferencePlurals;

ICUReferencePlurals *icu_reference_plurals_open(const char *locale, bool ordinal);
void icu_reference_plurals_close(ICUReferencePlurals *plurals);

// Returns the plural category of a decimal number in text, such as "1.00"; false if ICU fails.
bool icu_reference_plurals_select(ICUReferencePlurals *plurals, const char *decimal, int32_t fractionDigits,
                                  char *category, int32_t capacity);

// Formats a decimal number with a number skeleton, such as "currency/USD unit-width-hidden", and returns its UTF-8 length;
// -1 if ICU fails.
int32_t icu_reference_number(const char *skeleton, const char *locale, const char *decimal, uint8_t *utf8,
                             int32_t capacity);

typedef struct ICUReferenceNumber ICUReferenceNumber;

// Creates a formatter of a number skeleton, for many numbers. Returns NULL if ICU rejects the skeleton.
ICUReferenceNumber *icu_reference_number_open(const char *skeleton, const char *locale);
void icu_reference_number_close(ICUReferenceNumber *formatter);

// Formats a decimal number, and returns its UTF-8 length; -1 if ICU fails.
int32_t icu_reference_number_write(ICUReferenceNumber *formatter, const char *decimal, uint8_t *utf8,
                                   int32_t capacity);

// Formats a range of two decimal numbers, and returns its UTF-8 length; -1 if ICU fails.
int32_t icu_reference_range(const char *skeleton, const char *locale, const char *low, const char *high,
                            uint8_t *utf8, int32_t capacity);

// Formats a decimal number as approximate: ICU's range with equal bounds. Returns its UTF-8 length; -1 if ICU fails.
int32_t icu_reference_approximate(const char *skeleton, const char *locale, const char *decimal, uint8_t *utf8,
                                  int32_t capacity);

// Returns the name of a currency in a locale as UTF-8, and its length; -1 if ICU fails. `kind` is "symbol", "narrow" or a
// plural category.
int32_t icu_reference_currency_name(const char *kind, const char *locale, const char *code, uint8_t *utf8,
                                    int32_t capacity);

typedef struct {
  const char *name;
  const char *value;
  bool isNumber;  // whether the value is a decimal number, and not text
} ICUReferenceArgument;

// Formats a message with icu::MessageFormat, and returns its UTF-8 length; -1 if ICU rejects the message.
int32_t icu_reference_message(const char *pattern, const char *locale, const ICUReferenceArgument *arguments,
                              int32_t count, uint8_t *utf8, int32_t capacity);

// Finds a pattern of units in ICU's data, and returns its UTF-8 length; -1 if there is none. `width` is units, unitsShort
// or unitsNarrow. With a type and a unit such as mass and kilogram, the key per has the pattern for an amount per unit, and
// a plural category, such as one, that for a number of units.
// The key denominator has the pattern for one unit after "per", in the grammatical case that the language has there.
// With the type compound and no unit (NULL), it has the pattern for a quotient.
int32_t icu_reference_unit_pattern(const char *locale, const char *width, const char *type, const char *unit,
                                   const char *key, uint8_t *utf8, int32_t capacity);

typedef struct ICUReferenceMatcher ICUReferenceMatcher;

// Creates an icu::LocaleMatcher for languages (BCP 47), without a default. Returns NULL if ICU rejects a language.
ICUReferenceMatcher *icu_reference_matcher_open(const char *const *supported, int32_t count);
void icu_reference_matcher_close(ICUReferenceMatcher *matcher);

// Returns the BCP 47 tag of the best match; false if there is none.
bool icu_reference_matcher_match(const ICUReferenceMatcher *matcher, const char *wanted, char *tag, int32_t capacity);

// Returns the offset of a time zone from UTC in seconds at an instant (seconds since 1970); false for an unknown zone.
bool icu_reference_zone_offset(const char *zone, int64_t seconds, int32_t *offset);

// Returns whether a character takes two columns in a terminal, according to its East_Asian_Width.
bool icu_reference_is_wide(uint32_t scalar);

#ifdef __cplusplus
}
#endif
#endif

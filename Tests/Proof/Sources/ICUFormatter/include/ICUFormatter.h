// ICU's formatter through its public interfaces, for comparisons. It shares no code with CICU.
#ifndef ICU_FORMATTER_H
#define ICU_FORMATTER_H

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

// Formats like icu_reference_format. Also returns the byte offset of the first digit, and the number of currency symbols
// and names.
int32_t icu_reference_split(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                            int32_t capacity, int32_t *numberStart, int32_t *currencyCount);

// Writes the currency's symbol or code in ICU's text for 5, and returns its UTF-8 length; -1 if there is none.
int32_t icu_reference_symbol(const char *skeleton, const char *locale, uint8_t *utf8, int32_t capacity);

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

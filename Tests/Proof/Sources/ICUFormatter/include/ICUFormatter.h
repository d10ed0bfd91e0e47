// ICU's own formatter, through its own public interfaces, to compare with. It shares no code with CICU.
#ifndef ICU_FORMATTER_H
#define ICU_FORMATTER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ICUReferenceFormatter ICUReferenceFormatter;

// A formatter of a number skeleton, such as "currency/USD unit-width-narrow"; NULL where ICU refuses it.
ICUReferenceFormatter *icu_reference_open(const char *skeleton, const char *locale);
void icu_reference_close(ICUReferenceFormatter *formatter);

// The UTF-8 length of a formatted decimal number, or -1.
int32_t icu_reference_format(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                             int32_t capacity);

// As icu_reference_format; also where the first digit is, in bytes, and how many symbols and names of currencies there
// are.
int32_t icu_reference_split(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                            int32_t capacity, int32_t *numberStart, int32_t *currencyCount);

// The version of ICU that runs, such as "72.1"; `text` has room for 20 bytes.
void icu_reference_version(char *text);

// The locales that ICU lists, as ICU spells them.
int32_t icu_reference_locale_count(void);
const char *icu_reference_locale_at(int32_t index);

// What LANG and LC_ALL decide in a process: the locale that ICU uses where it knows none.
void icu_reference_set_default_locale(const char *locale);

#ifdef __cplusplus
}
#endif
#endif

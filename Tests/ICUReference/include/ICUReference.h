// ICU itself, through its own public interfaces, for tests to compare with. It shares no code with CICU.
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

// The plural category of a decimal number as it is written, such as "1.00"; false where ICU fails.
bool icu_reference_plurals_select(ICUReferencePlurals *plurals, const char *decimal, int32_t fractionDigits,
                                  char *category, int32_t capacity);

typedef struct {
  const char *name;
  const char *value;
  bool isNumber;  // the value is a decimal number; otherwise a text
} ICUReferenceArgument;

// The UTF-8 length of what icu::MessageFormat makes of a message, or -1 where it refuses.
int32_t icu_reference_message(const char *pattern, const char *locale, const ICUReferenceArgument *arguments,
                              int32_t count, uint8_t *utf8, int32_t capacity);

typedef struct ICUReferenceMatcher ICUReferenceMatcher;

// icu::LocaleMatcher over some languages (BCP 47) without a default; NULL where ICU refuses them.
ICUReferenceMatcher *icu_reference_matcher_open(const char *const *supported, int32_t count);
void icu_reference_matcher_close(ICUReferenceMatcher *matcher);

// The BCP 47 tag of the best match, which has room in `tag`; false where there is none.
bool icu_reference_matcher_match(const ICUReferenceMatcher *matcher, const char *wanted, char *tag, int32_t capacity);

// Whether a character takes two columns in a terminal, by its East_Asian_Width.
bool icu_reference_is_wide(uint32_t scalar);

#ifdef __cplusplus
}
#endif
#endif

// The one door to ICU. No ICU header is visible here: Debian's ICU renames its symbols behind macros that
// Swift cannot import, and the Swift toolchain carries an ICU of its own whose types would clash.
//
// Every function may be called from any thread. Strings are UTF-8 and end with a zero unless a length says
// otherwise. Nothing here throws; nothing here aborts on any input.
#ifndef CICU_H
#define CICU_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Versions

typedef struct {
  char icu[20];
  char cldr[20];
  char unicode[20];
} CICUVersions;

// The versions of the ICU that is linked at run time, of its CLDR data and of its Unicode data.
void cicu_versions(CICUVersions *versions);

// MARK: Locales

typedef enum {
  CICULocaleKnown = 0,
  CICULocaleMalformed,
  CICULocaleUnknownLanguage,
  CICULocaleUnknownScript,
  CICULocaleUnknownRegion,
  CICULocaleUnknownVariant,
} CICULocaleStatus;

typedef struct {
  char identifier[64];  // canonical, BCP 47, without extensions: he-IL for iw-IL
  char icu[64];         // what to give ICU, so that data of the right script answers: sr_Latn_ME
  char data[64];        // the bundle that answers, BCP 47: en for en-KW
} CICULocale;

// Resolves aliases and tells whether ICU has data for the language and script, and CLDR knows the region.
// `tag` is BCP 47 without extensions.
CICULocaleStatus cicu_locale_resolve(const char *tag, CICULocale *locale);

// The most likely locale for a region, BCP 47: ja-JP for JP and JPN. False where there is none.
bool cicu_locale_for_region(const char *region, char *identifier, int32_t capacity);

// The most likely locale with a region for a language, BCP 47: en-US for en, zh-TW for zh-Hant. False where there is none.
bool cicu_locale_for_language(const char *tag, char *identifier, int32_t capacity);

// CLDR's English name of a language (BCP 47), UTF-8: Brazilian Portuguese for pt-BR. False where it has none.
bool cicu_language_name(const char *tag, char *name, int32_t capacity);

// The code that CLDR uses for a region today: GB for UK. False where CLDR does not know it.
bool cicu_region_canonical(const char *region, char *code, int32_t capacity);

// CLDR's English name of a region, UTF-8. False where it has none.
bool cicu_region_name(const char *region, char *name, int32_t capacity);

// How many locales ICU lists, and each of them (ICU spelling, such as sr_Latn_RS); NULL outside the list.
int32_t cicu_locale_count(void);
const char *cicu_locale_at(int32_t index);

// Whether CLDR has this numbering system, and it writes decimal digits (so not roman or hans).
bool cicu_numbering_system_is_decimal(const char *name);

// MARK: Currencies

typedef struct {
  int32_t digits;  // how many decimal digits are displayed
  int32_t step;    // the rounding step, in units of the last displayed digit: 5 for CHF in cash
} CICUCurrencyDigits;

// What CLDR displays of a currency, in accounts or in cash. False where ICU cannot say.
bool cicu_currency_digits(const char *code, bool cash, CICUCurrencyDigits *digits);

// MARK: Numbers

typedef enum {
  CICUWidthStandard = 0,
  CICUWidthNarrow,
  CICUWidthISO,
  CICUWidthName,
} CICUWidth;

typedef enum {
  CICUSignAuto = 0,
  CICUSignAccounting,
  CICUSignAlways,
  CICUSignNever,
} CICUSign;

typedef enum {
  CICUUnitCurrency = 0,
  CICUUnitNone,     // a plain number, grouped from four digits on, as MessageFormat writes it
  CICUUnitPercent,  // the same with a percent sign: 16 is 16%
  CICUUnitDay,      // a length of time in words: 3 days
  CICUUnitWeek,
  CICUUnitMonth,
  CICUUnitYear,
} CICUUnit;

typedef struct {
  const char *locale;  // ICU spelling, with @numbers=… where one was asked for
  CICUUnit unit;
  const char *currency;  // ISO 4217; read for CICUUnitCurrency only, as are symbol and width
  const char *symbol;    // replaces ICU's symbol; NULL for ICU's own
  CICUWidth width;
  CICUSign sign;
  int32_t fractionDigits;
  bool trimsWholeFraction;  // no fraction where all its digits are zero
} CICUNumberOptions;

typedef enum {
  CICUFieldInteger = 0,
  CICUFieldGroup,
  CICUFieldDecimal,
  CICUFieldFraction,
  CICUFieldSymbol,
  CICUFieldSign,
} CICUFieldKind;

typedef struct {
  CICUFieldKind kind;
  int32_t start;  // UTF-8 offsets
  int32_t end;
} CICUField;

#define CICU_TEXT_CAPACITY 1024
#define CICU_FIELD_CAPACITY 96

typedef struct {
  int32_t length;
  int32_t fieldCount;
  uint8_t utf8[CICU_TEXT_CAPACITY];
  CICUField fields[CICU_FIELD_CAPACITY];  // in order, none inside another
} CICUText;

// Immutable: one may be used by many threads at once.
typedef struct CICUNumberFormatter CICUNumberFormatter;

// NULL where ICU refuses the options.
CICUNumberFormatter *cicu_number_open(const CICUNumberOptions *options);
void cicu_number_close(CICUNumberFormatter *formatter);

// Formats a decimal number given as ASCII text, such as -1234.50. False where ICU fails or the text is longer
// than a CICUText holds.
bool cicu_number_format(const CICUNumberFormatter *formatter, const uint8_t *decimal, int32_t length,
                        bool withFields, CICUText *text);

// Formats a range, collapsed as ICU does; equal ends give one number.
bool cicu_range_format(const CICUNumberOptions *options, const uint8_t *low, int32_t lowLength,
                       const uint8_t *high, int32_t highLength, CICUText *text);

// MARK: Plural rules

// CLDR's plural rules of a locale (ICU spelling), a line per category in CLDR's order: "one: i = 1 and v = 0\n".
// The result is its length, or -1 where it does not fit. No line is given for "other".
int32_t cicu_plural_rules(const char *locale, bool ordinal, char *rules, int32_t capacity);

// MARK: Messages

typedef enum {
  CICUPartMessageStart = 0,
  CICUPartMessageEnd,
  CICUPartSkip,    // syntax that is not part of the text, such as an apostrophe that quotes
  CICUPartNumber,  // the # of a plural
  CICUPartArgumentStart,
  CICUPartArgumentEnd,
  CICUPartName,      // of an argument
  CICUPartType,      // of a simple argument: number
  CICUPartStyle,     // of a simple argument: percent
  CICUPartSelector,  // a keyword, or =1
  CICUPartNumeric,   // the number of =1 or of offset:1
} CICUPartKind;

typedef enum {
  CICUArgumentNone = 0,  // {name}
  CICUArgumentSimple,    // {name, number}
  CICUArgumentChoice,
  CICUArgumentPlural,
  CICUArgumentSelect,
  CICUArgumentSelectOrdinal,
} CICUArgumentKind;

typedef struct {
  CICUPartKind kind;
  CICUArgumentKind argument;  // of an argument's start
  int32_t start;              // UTF-8 offsets
  int32_t end;
} CICUPart;

typedef enum {
  CICUMessageParsed = 0,
  CICUMessageMalformed,
  CICUMessageUnmatchedBraces,
  CICUMessageWithoutOther,  // a plural or select that has no branch of that name
  CICUMessageTooLong,       // a name, a number of branches or of parts beyond ICU's limits
} CICUMessageStatus;

// A message as ICU reads it; owned by the caller, who closes it.
typedef struct CICUMessage CICUMessage;

// Reads ICU MessageFormat, apostrophes as ICU does by default. The caller sees to it that the message is UTF-8, at
// most 16 KB long and not nested deep: ICU reads it recursively. `errorOffset` is where it is malformed, -1 where ICU does
// not say.
CICUMessageStatus cicu_message_open(const uint8_t *utf8, int32_t length, CICUMessage **message,
                                    int32_t *errorOffset);
void cicu_message_close(CICUMessage *message);
const CICUPart *cicu_message_parts(const CICUMessage *message, int32_t *count);

// MARK: Languages

// CLDR's parent of a locale, BCP 47: es-419 for es-AR, en-001 for en-NZ, zh-Hant-HK for zh-MO, fr for fr-CA; and
// "und" for those whose parent is the root, such as zh-Hant.
bool cicu_locale_parent(const char *tag, char *parent, int32_t capacity);

// Immutable: one may be used by many threads at once.
typedef struct CICULanguageMatcher CICULanguageMatcher;

// Finds the nearest of some languages (BCP 47) by CLDR's distances between languages. NULL where ICU refuses them.
CICULanguageMatcher *cicu_matcher_open(const char *const *supported, int32_t count);
void cicu_matcher_close(CICULanguageMatcher *matcher);

// The index of the nearest; -1 where none is near enough.
int32_t cicu_matcher_nearest(const CICULanguageMatcher *matcher, const char *tag);

typedef enum {
  CICUNameLanguage = 0,  // of a BCP 47 tag
  CICUNameRegion,        // of an ISO 3166 code
  CICUNameCurrency,      // of an ISO 4217 code
} CICUNameKind;

// CLDR's name of a thing in a language (ICU spelling), as it stands inside a sentence. False where it has none.
bool cicu_display_name(CICUNameKind kind, const char *locale, const char *code, char *name, int32_t capacity);

// The order that a language sorts texts in: the numbers of the texts, by CLDR's collation; equal ones stay in theirs.
bool cicu_sort(const char *locale, const char *const *texts, int32_t count, int32_t *order);

// Whether a language is written from right to left.
bool cicu_locale_is_right_to_left(const char *locale);

// MARK: Text

// 1 where the first strong character is left-to-right, -1 where right-to-left, 0 where there is none.
int32_t cicu_first_strong_direction(const uint8_t *utf8, int32_t length);

#ifdef __cplusplus
}
#endif
#endif

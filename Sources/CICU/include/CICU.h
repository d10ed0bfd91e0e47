// The only interface to ICU. This header includes no ICU header: Debian's ICU renames its symbols with macros that
// Swift cannot import, and the Swift toolchain contains another ICU whose types would clash.
//
// All functions are thread-safe. Strings are UTF-8 and zero-terminated unless a parameter has their length. No function
// throws, and no function aborts for any input.
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
  char zones[20];  // of the time zone database: 2022e
} CICUVersions;

// Returns the versions of the ICU that is linked at run time, of its CLDR data, of its Unicode data and of its time zones.
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
  char icu[64];         // in ICU's spelling, with the script that ICU needs to find the right data: sr_Latn_ME
  char data[64];        // the resource bundle that ICU uses, BCP 47: en for en-KW
} CICULocale;

// Resolves aliases, and checks that ICU has data for the language and script and CLDR has the region. `tag` is BCP 47
// without extensions.
CICULocaleStatus cicu_locale_resolve(const char *tag, CICULocale *locale);

// Returns the most likely locale of a region, BCP 47: ja-JP for JP and JPN. False if CLDR has no such region.
bool cicu_locale_for_region(const char *region, char *identifier, int32_t capacity);

// Returns the most likely locale with a region for a language, BCP 47: en-US for en, zh-TW for zh-Hant. False if there is
// none.
bool cicu_locale_for_language(const char *tag, char *identifier, int32_t capacity);

// Returns the code that CLDR uses for a region: GB for UK. False if the region is unknown.
bool cicu_region_canonical(const char *region, char *code, int32_t capacity);

// The number of locales that ICU lists, and the locale at an index in ICU's spelling, such as sr_Latn_RS. NULL if the
// index is out of range.
int32_t cicu_locale_count(void);
const char *cicu_locale_at(int32_t index);

// Returns whether CLDR has a numbering system and it writes decimal digits (unlike roman or hans).
bool cicu_numbering_system_is_decimal(const char *name);

// MARK: Currencies

typedef struct {
  int32_t digits;  // the number of decimal digits that are displayed
  int32_t step;    // the rounding step, in units of the last displayed digit: 5 for CHF in cash
} CICUCurrencyDigits;

// Returns the digits that CLDR displays for a currency, in accounts or in cash. False if ICU fails.
bool cicu_currency_digits(const char *code, bool cash, CICUCurrencyDigits *digits);

// Returns the standard or narrow symbol of a currency in a locale (ICU's spelling): $ or CA$ for CAD in en_US. Returns the
// code if there is no symbol. False if ICU fails.
bool cicu_currency_symbol(const char *locale, const char *code, bool narrow, char *symbol, int32_t capacity);

// Writes CLDR's pattern for "this or more" in a locale (ICU's spelling) and its numbering system: {0}+ in en. False
// without one.
bool cicu_at_least_pattern(const char *locale, char *pattern, int32_t capacity);

// MARK: Numbers

typedef enum {
  CICUWidthStandard = 0,
  CICUWidthNarrow,
  CICUWidthISO,
  CICUWidthName,
  CICUWidthHidden,
  CICUWidthFormal,
  CICUWidthVariant,
  CICUWidthUnambiguous,  // the standard one: the caller has already chosen between the symbol and the code
} CICUWidth;

typedef enum {
  CICUSignAuto = 0,
  CICUSignAccounting,
  CICUSignAlways,
  CICUSignNever,
  CICUSignExceptZero,
  CICUSignAccountingAlways,
  CICUSignAccountingExceptZero,
  CICUSignNegative,
  CICUSignAccountingNegative,
} CICUSign;

typedef enum {
  CICUGroupingAuto = 0,
  CICUGroupingAlways,  // from four digits on
  CICUGroupingMin2,    // if the first group has at least two digits
  CICUGroupingNever,
} CICUGrouping;

typedef enum {
  CICUNotationStandard = 0,
  CICUNotationCompactShort,  // 1.2K
  CICUNotationCompactLong,   // 1.2 thousand
} CICUNotation;

typedef enum {
  CICUUnitCurrency = 0,
  CICUUnitNone,     // a plain number, grouped from four digits on, as MessageFormat writes it
  CICUUnitPercent,  // the same with a percent sign: 16 is 16%
  CICUUnitDay,      // a period in words: 3 days
  CICUUnitWeek,
  CICUUnitMonth,
  CICUUnitYear,
} CICUUnit;

typedef struct {
  const char *locale;  // ICU's spelling, with @numbers=… for another numbering system
  CICUUnit unit;
  const char *currency;  // ISO 4217; used for CICUUnitCurrency only, like symbol and width
  const char *symbol;    // replaces ICU's symbol, or the code in the width ISO; NULL for ICU's
  const char *names;     // replaces ICU's names: six lines, by plural category in CLDR's order; NULL for ICU's
  CICUWidth width;
  CICUSign sign;
  CICUGrouping grouping;  // of currencies; other units have their own
  int32_t minimumFractionDigits;
  int32_t fractionDigits;  // the maximum
  bool trimsZeroFraction;  // omits a fraction of zeros
  bool isApproximate;      // writes the locale's sign for "about", as ICU's range formatter does
  CICUNotation notation;   // of currencies
  bool hasNotationDigits;  // displays the digits that ICU displays in the notation, and ignores the numbers of digits
} CICUNumberOptions;

typedef enum {
  CICUFieldInteger = 0,
  CICUFieldGroup,
  CICUFieldDecimal,
  CICUFieldFraction,
  CICUFieldSymbol,
  CICUFieldSign,
  CICUFieldApproximately,
  CICUFieldCompact,
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
  CICUField fields[CICU_FIELD_CAPACITY];  // in order, without overlaps
} CICUText;

// Immutable: one may be used by many threads at once.
typedef struct CICUNumberFormatter CICUNumberFormatter;

// Opens a formatter of numbers or of ranges. Returns NULL if ICU rejects the options.
CICUNumberFormatter *cicu_number_open(const CICUNumberOptions *options, bool isRange);
void cicu_number_close(CICUNumberFormatter *formatter);

// Formats a decimal number in ASCII text, such as -1234.50. Returns false if ICU fails or the result does not fit a
// CICUText.
bool cicu_number_format(const CICUNumberFormatter *formatter, const uint8_t *decimal, int32_t length,
                        bool withFields, CICUText *text);

// Formats a range with a formatter of ranges, collapsed as ICU does. Equal bounds give a single number, with the sign for "about" if the options are
// approximate.
bool cicu_range_format(const CICUNumberFormatter *formatter, const uint8_t *low, int32_t lowLength,
                       const uint8_t *high, int32_t highLength, CICUText *text);

// MARK: Unit prices

// Writes the pattern for an amount per unit in a locale (ICU's spelling) and its numbering system: {0}/kg, and {0}/100 mL
// for a quantity of 100. `unit` is CLDR's identifier, such as kilogram. The name width takes the long pattern, the narrow
// width the narrow one, and any other width the short one. False if ICU has no such unit, or if it does not fit.
bool cicu_unit_price_pattern(const char *locale, const char *unit, int32_t quantity, CICUWidth width, char *pattern,
                             int32_t capacity);

// MARK: Plural rules

// Writes CLDR's plural rules of a locale (ICU's spelling), one line for each category in CLDR's order:
// "one: i = 1 and v = 0\n". There is no line for "other". False if the buffer is too small.
bool cicu_plural_rules(const char *locale, bool ordinal, char *rules, int32_t capacity);

// MARK: Messages

typedef enum {
  CICUPartMessageStart = 0,
  CICUPartMessageEnd,
  CICUPartSkip,    // syntax that is not part of the text, such as a quoting apostrophe
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
  CICUArgumentKind argument;  // for the start and the end of an argument; otherwise none
  int32_t start;              // UTF-8 offsets
  int32_t end;
} CICUPart;

typedef enum {
  CICUMessageParsed = 0,
  CICUMessageMalformed,
  CICUMessageUnmatchedBraces,
  CICUMessageWithoutOther,  // a plural or select has no branch "other"
  CICUMessageTooLong,       // a name is too long, or there are too many branches or parts for ICU
} CICUMessageStatus;

// A message that ICU has parsed. The caller owns and closes it.
typedef struct CICUMessage CICUMessage;

// Parses ICU MessageFormat with ICU's default apostrophe mode. The caller must check that the message is UTF-8, at most
// 16 KB long, and not deeply nested, because ICU parses it recursively. `errorOffset` receives the place of an error, or
// -1 if ICU does not report it.
CICUMessageStatus cicu_message_open(const uint8_t *utf8, int32_t length, CICUMessage **message,
                                    int32_t *errorOffset);
void cicu_message_close(CICUMessage *message);
const CICUPart *cicu_message_parts(const CICUMessage *message, int32_t *count);

// MARK: Languages

// Returns CLDR's parent of a locale, BCP 47: es-419 for es-AR, en-001 for en-NZ, zh-Hant-HK for zh-MO, fr for fr-CA, and
// "und" if the parent is the root, as for zh-Hant.
bool cicu_locale_parent(const char *tag, char *parent, int32_t capacity);

// Immutable: one may be used by many threads at once.
typedef struct CICULanguageMatcher CICULanguageMatcher;

// Creates a matcher that finds the closest match among languages (BCP 47) by CLDR's distances between languages. Returns
// NULL if ICU rejects a language.
CICULanguageMatcher *cicu_matcher_open(const char *const *supported, int32_t count);
void cicu_matcher_close(CICULanguageMatcher *matcher);

// Returns the index of the closest match; -1 if no language is close enough.
int32_t cicu_matcher_best_match(const CICULanguageMatcher *matcher, const char *tag);

typedef enum {
  CICUNameLanguage = 0,    // of a BCP 47 tag
  CICUNameRegion,          // of an ISO 3166 code
  CICUNameCurrency,        // of an ISO 4217 code
  CICUNameCurrencyPlural,  // the same in the plural category "other"
} CICUNameKind;

// Returns CLDR's name of a language, region or currency in a language (ICU's spelling), as used inside a sentence. False
// without one.
bool cicu_display_name(CICUNameKind kind, const char *locale, const char *code, char *name, int32_t capacity);

// Returns the continent that contains a region, as a UN M.49 code: 150 (Europe) for FR. False without one.
bool cicu_region_continent(const char *region, char *code, int32_t capacity);

// Writes a date of the Gregorian calendar in a language (ICU's spelling), with the name of the month: December 1, 2026. The
// calendar is the one that the language uses. False if ICU fails or the text does not fit.
bool cicu_date(const char *locale, int32_t year, int32_t month, int32_t day, char *text, int32_t capacity);

// A date in a time zone.
typedef struct {
  int32_t year, month, day;  // of the Gregorian calendar
  int64_t start, end;        // its first instant, and that of the next date, in seconds since 1970
} CICUZoneDay;

// Returns whether ICU has the time zone with an IANA identifier: Asia/Tokyo, but not GMT+9.
bool cicu_zone_is_known(const char *zone);

// Returns the date of an instant (seconds since 1970) in a time zone. False if ICU does not have the zone.
bool cicu_zone_day(const char *zone, int64_t seconds, CICUZoneDay *day);

// Sorts texts by CLDR's collation for a language. `order` receives the indices of the texts. The sort is stable.
bool cicu_sort(const char *locale, const char *const *texts, int32_t count, int32_t *order);

// Returns whether a language is written from right to left.
bool cicu_locale_is_right_to_left(const char *locale);

// MARK: Text

// Returns the direction of the first strong character: 1 for left-to-right, -1 for right-to-left, 0 without one.
int32_t cicu_first_strong_direction(const uint8_t *utf8, int32_t length);

#ifdef __cplusplus
}
#endif
#endif

#include "ICUReference.h"

#include <unicode/fmtable.h>
#include <unicode/localematcher.h>
#include <unicode/msgfmt.h>
#include <unicode/timezone.h>
#include <unicode/uchar.h>
#include <unicode/ucurr.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/unumberrangeformatter.h>
#include <unicode/upluralrules.h>
#include <unicode/ures.h>
#include <unicode/ustring.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

struct ICUReferenceMatcher {
  icu::LocaleMatcher matcher;
};

struct ICUReferenceNumber {
  UNumberFormatter *formatter;
  UFormattedNumber *result;
};

struct ICUReferencePlurals {
  UPluralRules *rules;
  std::string locale;
};

namespace {

UNumberFormatter *open(const char *skeleton, const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  u_strFromUTF8(units, 256, nullptr, skeleton, -1, &status);
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale(units, -1, locale, &status);
  if (U_SUCCESS(status)) return formatter;
  unumf_close(formatter);
  return nullptr;
}

std::string actualLocale(const UResourceBundle *bundle) {
  UErrorCode status = U_ZERO_ERROR;
  const char *name = ures_getLocaleByType(bundle, ULOC_ACTUAL_LOCALE, &status);
  return U_SUCCESS(status) ? name : "root";
}

// Returns the name of the bundle that a bundle falls back to.
std::string parentBundle(const std::string &name) {
  UErrorCode status = U_ZERO_ERROR;
  UResourceBundle *bundle = ures_open(U_ICUDATA_NAME "-unit", name.c_str(), &status);
  UResourceBundle *entry = ures_getByKey(bundle, "%%Parent", nullptr, &status);
  int32_t length = 0;
  const UChar *parent = ures_getString(entry, &length, &status);
  // The entry may be that of a bundle further up.
  const bool isOwn = U_SUCCESS(status) && actualLocale(entry) == name;
  std::string result;
  if (isOwn) icu::UnicodeString(parent, length).toUTF8String(result);
  ures_close(entry);
  ures_close(bundle);
  if (isOwn) return result;
  const auto end = name.rfind('_');
  return end == std::string::npos ? "root" : name.substr(0, end);
}

// Finds a string in the unit data of a locale and of the bundles that it falls back to. The root is not searched if the
// entries there are aliases for another path.
bool findUnitString(const char *locale, const std::vector<const char *> &path, bool searchesRoot,
                    icu::UnicodeString &found) {
  std::string name = locale;
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    std::vector<UResourceBundle *> bundles{ures_open(U_ICUDATA_NAME "-unit", name.c_str(), &status)};
    // ICU opens another language for one that it has no unit data for.
    const bool isOther = actualLocale(bundles.front()).substr(0, 2) != name.substr(0, 2);
    for (const char *key : path) bundles.push_back(ures_getByKey(bundles.back(), key, nullptr, &status));
    const std::string owner = bundles[1] == nullptr || isOther ? "root" : actualLocale(bundles[1]);
    int32_t length = 0;
    const UChar *text = ures_getString(bundles.back(), &length, &status);
    const bool isFound = U_SUCCESS(status) && (owner != "root" || (searchesRoot && name == "root"));
    if (isFound) found = icu::UnicodeString(text, length);
    for (UResourceBundle *bundle : bundles) ures_close(bundle);
    if (isFound) return true;
    if (name == "root" || (owner == "root" && !searchesRoot)) return false;
    name = owner == "root" ? "root" : parentBundle(owner);
  }
}

// Returns the grammatical case of a unit after "per" in a language; an empty text for the nominative.
std::string denominatorCase(const char *locale) {
  char language[ULOC_LANG_CAPACITY];
  UErrorCode status = U_ZERO_ERROR;
  uloc_getLanguage(locale, language, sizeof language, &status);
  std::vector<UResourceBundle *> bundles{ures_openDirect(nullptr, "grammaticalFeatures", &status)};
  for (const char *key : {"grammaticalData", "derivations", (const char *)language, "component", "case", "per"}) {
    bundles.push_back(ures_getByKey(bundles.back(), key, nullptr, &status));
  }
  int32_t length = 0;
  const UChar *text = ures_getStringByIndex(bundles.back(), 1, &length, &status);
  std::string result;
  if (U_SUCCESS(status)) icu::UnicodeString(text, length).toUTF8String(result);
  for (UResourceBundle *bundle : bundles) ures_close(bundle);
  return result == "nominative" || result == "compound" ? "" : result;
}

}  // namespace

ICUReferencePlurals *icu_reference_plurals_open(const char *locale, bool ordinal) {
  UErrorCode status = U_ZERO_ERROR;
  UPluralRules *rules =
      uplrules_openForType(locale, ordinal ? UPLURAL_TYPE_ORDINAL : UPLURAL_TYPE_CARDINAL, &status);
  return U_SUCCESS(status) ? new ICUReferencePlurals{rules, locale} : nullptr;
}

void icu_reference_plurals_close(ICUReferencePlurals *plurals) {
  uplrules_close(plurals->rules);
  delete plurals;
}

bool icu_reference_plurals_select(ICUReferencePlurals *plurals, const char *decimal, int32_t fractionDigits,
                                  char *category, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const std::string skeleton = fractionDigits == 0 ? "." : "." + std::string(size_t(fractionDigits), '0');
  UNumberFormatter *formatter = open(skeleton.c_str(), "en");
  UFormattedNumber *result = unumf_openResult(&status);
  unumf_formatDecimal(formatter, decimal, -1, result, &status);
  UChar keyword[32];
  const int32_t length = uplrules_selectFormatted(plurals->rules, result, keyword, 32, &status);
  if (U_SUCCESS(status) && length < capacity) u_UCharsToChars(keyword, category, length + 1);
  unumf_closeResult(result);
  unumf_close(formatter);
  return U_SUCCESS(status);
}

int32_t icu_reference_number(const char *skeleton, const char *locale, const char *decimal, uint8_t *utf8,
                             int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UNumberFormatter *formatter = open(skeleton, locale);
  UFormattedNumber *result = unumf_openResult(&status);
  UChar units[512];
  int32_t written = 0;
  // ICU 72 uses another code path for the first two calls, which garbles the names of currencies in some locales.
  for (int32_t call = 0; call < 3; call++) unumf_formatDecimal(formatter, decimal, -1, result, &status);
  const int32_t count = unumf_resultToString(result, units, 512, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, units, count, &status);
  unumf_closeResult(result);
  unumf_close(formatter);
  return U_SUCCESS(status) ? written : -1;
}

static int32_t range(const char *skeleton, const char *locale, const char *low, const char *high,
                     UNumberRangeIdentityFallback fallback, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[512];
  u_strFromUTF8(units, 512, nullptr, skeleton, -1, &status);
  UNumberRangeFormatter *formatter = unumrf_openForSkeletonWithCollapseAndIdentityFallback(
      units, -1, UNUM_RANGE_COLLAPSE_AUTO, fallback, locale, nullptr, &status);
  UFormattedNumberRange *result = unumrf_openResult(&status);
  unumrf_formatDecimalRange(formatter, low, -1, high, -1, result, &status);
  int32_t count = 0, written = 0;
  const UChar *text = ufmtval_getString(unumrf_resultAsValue(result, &status), &count, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, text, count, &status);
  unumrf_closeResult(result);
  unumrf_close(formatter);
  return U_SUCCESS(status) ? written : -1;
}

ICUReferenceNumber *icu_reference_number_open(const char *skeleton, const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UNumberFormatter *formatter = open(skeleton, locale);
  UFormattedNumber *result = unumf_openResult(&status);
  // See icu_reference_number.
  for (int32_t call = 0; call < 3; call++) unumf_formatInt(formatter, 1, result, &status);
  if (U_SUCCESS(status)) return new ICUReferenceNumber{formatter, result};
  unumf_closeResult(result);
  unumf_close(formatter);
  return nullptr;
}

void icu_reference_number_close(ICUReferenceNumber *formatter) {
  unumf_closeResult(formatter->result);
  unumf_close(formatter->formatter);
  delete formatter;
}

int32_t icu_reference_number_write(ICUReferenceNumber *formatter, const char *decimal, uint8_t *utf8,
                                   int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[512];
  int32_t written = 0;
  unumf_formatDecimal(formatter->formatter, decimal, -1, formatter->result, &status);
  const int32_t count = unumf_resultToString(formatter->result, units, 512, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, units, count, &status);
  return U_SUCCESS(status) ? written : -1;
}

int32_t icu_reference_range(const char *skeleton, const char *locale, const char *low, const char *high,
                            uint8_t *utf8, int32_t capacity) {
  return range(skeleton, locale, low, high, UNUM_IDENTITY_FALLBACK_SINGLE_VALUE, utf8, capacity);
}

int32_t icu_reference_approximate(const char *skeleton, const char *locale, const char *decimal, uint8_t *utf8,
                                  int32_t capacity) {
  return range(skeleton, locale, decimal, decimal, UNUM_IDENTITY_FALLBACK_APPROXIMATELY, utf8, capacity);
}

int32_t icu_reference_currency_name(const char *kind, const char *locale, const char *code, uint8_t *utf8,
                                    int32_t capacity) {
  if (std::strlen(code) != 3) return -1;
  UChar currency[4];
  u_charsToUChars(code, currency, 4);
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0;
  const UChar *name;
  if (std::strcmp(kind, "symbol") == 0) {
    name = ucurr_getName(currency, locale, UCURR_SYMBOL_NAME, nullptr, &length, &status);
  } else if (std::strcmp(kind, "narrow") == 0) {
    name = ucurr_getName(currency, locale, UCURR_NARROW_SYMBOL_NAME, nullptr, &length, &status);
  } else {
    name = ucurr_getPluralName(currency, locale, nullptr, kind, &length, &status);
  }
  if (U_FAILURE(status)) return -1;
  std::string bytes;
  icu::UnicodeString(name, length).toUTF8String(bytes);
  if (bytes.size() > size_t(capacity)) return -1;
  std::memcpy(utf8, bytes.data(), bytes.size());
  return int32_t(bytes.size());
}

int32_t icu_reference_message(const char *pattern, const char *locale, const ICUReferenceArgument *arguments,
                              int32_t count, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError error;
  icu::MessageFormat format(icu::UnicodeString::fromUTF8(pattern), icu::Locale(locale), error, status);
  std::vector<icu::UnicodeString> names;
  std::vector<icu::Formattable> values;
  for (int32_t index = 0; index < count; index++) {
    const ICUReferenceArgument &argument = arguments[index];
    names.push_back(icu::UnicodeString::fromUTF8(argument.name));
    values.push_back(argument.isNumber ? icu::Formattable(icu::StringPiece(argument.value), status)
                                       : icu::Formattable(icu::UnicodeString::fromUTF8(argument.value)));
  }
  icu::UnicodeString text;
  format.format(names.data(), values.data(), count, text, status);
  if (U_FAILURE(status)) return -1;
  std::string bytes;
  text.toUTF8String(bytes);
  if (bytes.size() > size_t(capacity)) return -1;
  std::memcpy(utf8, bytes.data(), bytes.size());
  return int32_t(bytes.size());
}

ICUReferenceMatcher *icu_reference_matcher_open(const char *const *supported, int32_t count) {
  UErrorCode status = U_ZERO_ERROR;
  icu::LocaleMatcher::Builder builder;
  for (int32_t index = 0; index < count; index++) {
    builder.addSupportedLocale(icu::Locale::forLanguageTag(supported[index], status));
  }
  icu::LocaleMatcher matcher = builder.setNoDefaultLocale().build(status);
  return U_SUCCESS(status) ? new ICUReferenceMatcher{std::move(matcher)} : nullptr;
}

void icu_reference_matcher_close(ICUReferenceMatcher *matcher) { delete matcher; }

bool icu_reference_matcher_match(const ICUReferenceMatcher *matcher, const char *wanted, char *tag,
                                 int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale *best = matcher->matcher.getBestMatch(icu::Locale::forLanguageTag(wanted, status), status);
  if (U_FAILURE(status) || best == nullptr) return false;
  const auto text = best->toLanguageTag<std::string>(status);
  if (U_FAILURE(status) || text.size() >= size_t(capacity)) return false;
  std::memcpy(tag, text.c_str(), text.size() + 1);
  return true;
}

bool icu_reference_is_wide(uint32_t scalar) {
  int32_t width = u_getIntPropertyValue((UChar32)scalar, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

int32_t icu_reference_unit_pattern(const char *locale, const char *width, const char *type, const char *unit,
                                   const char *key, uint8_t *utf8, int32_t capacity) {
  const std::string table = width, form = denominatorCase(locale);
  std::vector<std::vector<const char *>> keys{{key}};
  if (std::strcmp(key, "denominator") == 0) {
    keys = {{"one"}, {"other"}};
    // Only full names have cases.
    if (table == "units" && !form.empty()) keys.insert(keys.begin(), {"case", form.c_str(), "one"});
  }
  icu::UnicodeString found;
  const auto find = [&](const char *table, const std::vector<const char *> &keys, bool searchesRoot) {
    std::vector<const char *> path{table, type};
    if (unit != nullptr) path.push_back(unit);
    path.insert(path.end(), keys.begin(), keys.end());
    return findUnitString(locale, path, searchesRoot, found);
  };
  bool isFound = false;
  for (const auto &path : keys) {
    isFound = isFound || find(width, path, false) || (path.size() == 1 && find("unitsShort", path, true));
  }
  if (!isFound) return -1;
  int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &length, found.getBuffer(), found.length(), &status);
  return U_SUCCESS(status) ? length : -1;
}

bool icu_reference_zone_offset(const char *zone, int64_t seconds, int32_t *offset) {
  const std::unique_ptr<icu::TimeZone> found(icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(zone)));
  if (!found || *found == icu::TimeZone::getUnknown()) return false;
  UErrorCode status = U_ZERO_ERROR;
  int32_t standard = 0, summer = 0;
  found->getOffset(double(seconds) * 1000, false, standard, summer, status);
  *offset = (standard + summer) / 1000;
  return U_SUCCESS(status);
}

#include "ICUReference.h"

#include <unicode/fmtable.h>
#include <unicode/localematcher.h>
#include <unicode/msgfmt.h>
#include <unicode/uchar.h>
#include <unicode/unumberformatter.h>
#include <unicode/unumberrangeformatter.h>
#include <unicode/upluralrules.h>
#include <unicode/ustring.h>

#include <cstring>
#include <string>
#include <vector>

struct ICUReferenceMatcher {
  icu::LocaleMatcher matcher;
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

int32_t icu_reference_range(const char *skeleton, const char *locale, const char *low, const char *high,
                            uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[512];
  u_strFromUTF8(units, 512, nullptr, skeleton, -1, &status);
  UNumberRangeFormatter *formatter = unumrf_openForSkeletonWithCollapseAndIdentityFallback(
      units, -1, UNUM_RANGE_COLLAPSE_AUTO, UNUM_IDENTITY_FALLBACK_SINGLE_VALUE, locale, nullptr, &status);
  UFormattedNumberRange *result = unumrf_openResult(&status);
  unumrf_formatDecimalRange(formatter, low, -1, high, -1, result, &status);
  int32_t count = 0, written = 0;
  const UChar *text = ufmtval_getString(unumrf_resultAsValue(result, &status), &count, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, text, count, &status);
  unumrf_closeResult(result);
  unumrf_close(formatter);
  return U_SUCCESS(status) ? written : -1;
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

#include "ICUFormatter.h"

#include <unicode/measunit.h>
#include <unicode/simpleformatter.h>
#include <unicode/uchar.h>
#include <unicode/ucurr.h>
#include <unicode/unumsys.h>
#include <unicode/upluralrules.h>
#include <unicode/ures.h>
#include <unicode/ustring.h>

#include <string>

// ICU exports this function, but no public header declares it. It finds the string at a path of keys in the data of a locale
// or of its ancestors, and follows aliases.
extern "C" const UChar *ures_getStringByKeyWithFallback(const UResourceBundle *bundle, const char *path, int32_t *length,
                                                        UErrorCode *status);

namespace {

icu::UnicodeString find(const char *package, const char *locale, const std::string &path, UErrorCode &status) {
  UResourceBundle *bundle = ures_open(package, locale, &status);
  int32_t length = 0;
  const UChar *text = ures_getStringByKeyWithFallback(bundle, path.c_str(), &length, &status);
  const icu::UnicodeString found = U_SUCCESS(status) ? icu::UnicodeString(text, length) : icu::UnicodeString();
  ures_close(bundle);
  return found;
}

// Returns the string at the first of several paths that has one.
icu::UnicodeString findFirst(const char *package, const char *locale, std::initializer_list<std::string> paths,
                             UErrorCode &status) {
  icu::UnicodeString found;
  for (const std::string &path : paths) {
    status = U_ZERO_ERROR;
    found = find(package, locale, path, status);
    if (U_SUCCESS(status)) return found;
  }
  return found;
}

// Returns a text without the spaces at its start and end, no-break spaces included.
icu::UnicodeString withoutSpaces(const icu::UnicodeString &text) {
  int32_t start = 0, end = text.length();
  while (start < end && u_isJavaSpaceChar(text.charAt(start))) start++;
  while (start < end && u_isJavaSpaceChar(text.charAt(end - 1))) end--;
  return icu::UnicodeString(text, start, end - start);
}

// Returns whether ICU writes a name of a currency for a plural category. If CLDR has no pattern for the category, ICU 72
// writes the name for "other", and ICU 78 writes the name for the category.
bool usesName(const UPluralRules *rules, const char *locale, const char *code, const char *category,
              const std::string &name, const std::string &otherName) {
  UErrorCode status = U_ZERO_ERROR;
  find(U_ICUDATA_NAME "-curr", locale, std::string("CurrencyUnitPatterns/") + category, status);
  if (U_SUCCESS(status)) return true;
  status = U_ZERO_ERROR;
  UChar selected[16];
  // Integers, and then numbers with one decimal.
  int half = 0;
  const auto isSelected = [&] {
    uplrules_select(rules, half / 2.0, selected, 16, &status);
    return u_strcmp(selected, icu::UnicodeString(category, -1, US_INV).getTerminatedBuffer()) == 0;
  };
  while (U_SUCCESS(status) && !isSelected()) {
    half += 2;
    if (half == 402) half = 1;
    if (half == 401) return false;
  }
  const std::string skeleton = std::string("currency/") + code + " unit-width-full-name .#";
  const std::string decimal = std::to_string(half / 2) + (half % 2 == 0 ? "" : ".5");
  ICUReferenceFormatter *formatter = icu_reference_open(skeleton.c_str(), locale);
  if (formatter == nullptr) return false;
  char text[1536];
  int32_t count = -1;
  // The first calls of ICU 72 may write other names.
  for (int call = 0; call < 3; call++) {
    count = icu_reference_format(formatter, decimal.c_str(), int32_t(decimal.size()),
                                 reinterpret_cast<uint8_t *>(text), sizeof text);
  }
  icu_reference_close(formatter);
  if (count < 0) return false;
  const std::string written(text, size_t(count));
  const bool hasOther = otherName.size() > name.size() && written.find(otherName) != std::string::npos;
  return !hasOther && written.find(name) != std::string::npos;
}

int32_t copy(const icu::UnicodeString &text, char *utf8, int32_t capacity, UErrorCode &status) {
  int32_t written = 0;
  u_strToUTF8(utf8, capacity, &written, text.getBuffer(), text.length(), &status);
  return U_SUCCESS(status) ? written : -1;
}

}  // namespace

int32_t icu_reference_at_least_pattern(const char *locale, const char *numberingSystem, char *pattern,
                                       int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  std::string name = numberingSystem;
  if (name.empty()) {
    UNumberingSystem *system = unumsys_open(locale, &status);
    if (U_SUCCESS(status)) name = unumsys_getName(system);
    unumsys_close(system);
  }
  const auto found = findFirst(nullptr, locale,
                               {"NumberElements/" + name + "/miscPatterns/atLeast",
                                "NumberElements/latn/miscPatterns/atLeast"},
                               status);
  return copy(found, pattern, capacity, status);
}

int32_t icu_reference_unit_pattern(const char *locale, const char *width, const char *unitName, int32_t quantity,
                                   char *pattern, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const auto unit = icu::MeasureUnit::forIdentifier(unitName, status);
  if (U_FAILURE(status)) return -1;
  const char *package = U_ICUDATA_NAME "-unit";
  const std::string name = width;
  const std::string path = std::string("/") + unit.getType() + "/" + unit.getSubtype();
  if (quantity == 1) {
    const auto found = findFirst(package, locale, {name + path + "/per", "unitsShort" + path + "/per"}, status);
    if (U_SUCCESS(status)) return copy(found, pattern, capacity, status);
  }
  const auto quotient = findFirst(package, locale, {name + "/compound/per", "unitsShort/compound/per"}, status);
  icu::UnicodeString denominator;
  if (quantity == 1) {
    // ICU takes the unit's form for one, without the number.
    const icu::SimpleFormatter one(
        findFirst(package, locale,
                  {name + path + "/one", name + path + "/other", "unitsShort" + path + "/one",
                   "unitsShort" + path + "/other"},
                  status),
        0, 1, status);
    denominator = withoutSpaces(one.getTextWithNoArguments());
  } else {
    const std::string unitWidth = name == "units" ? "full-name" : name == "unitsNarrow" ? "narrow" : "short";
    const std::string skeleton = std::string("unit/") + unitName + " unit-width-" + unitWidth;
    const std::string decimal = std::to_string(quantity);
    char text[512];
    ICUReferenceFormatter *units = icu_reference_open(skeleton.c_str(), locale);
    if (units == nullptr) return -1;
    const int32_t count = icu_reference_format(units, decimal.c_str(), int32_t(decimal.size()),
                                               reinterpret_cast<uint8_t *>(text), sizeof text);
    icu_reference_close(units);
    if (count < 0) return -1;
    denominator = icu::UnicodeString::fromUTF8({text, count});
  }
  const icu::SimpleFormatter formatter(quotient, 2, 2, status);
  icu::UnicodeString result;
  formatter.format(u"{0}", denominator, result, status);
  return copy(result, pattern, capacity, status);
}

int32_t icu_reference_currency_symbol(const char *locale, const char *code, bool isNarrow, char *symbol,
                                      int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[4];
  u_charsToUChars(code, units, 4);
  int32_t length = 0;
  const UChar *name = ucurr_getName(units, locale, isNarrow ? UCURR_NARROW_SYMBOL_NAME : UCURR_SYMBOL_NAME, nullptr,
                                    &length, &status);
  return copy(icu::UnicodeString(name, length), symbol, capacity, status);
}

int32_t icu_reference_currency_names(const char *locale, const char *code, char *names, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[4];
  u_charsToUChars(code, units, 4);
  UPluralRules *rules = uplrules_open(locale, &status);
  UEnumeration *categories = uplrules_getKeywords(rules, &status);
  std::string lines, otherName;
  int32_t otherLength = 0;
  const UChar *other = ucurr_getPluralName(units, locale, nullptr, "other", &otherLength, &status);
  if (U_SUCCESS(status)) icu::UnicodeString(other, otherLength).toUTF8String(otherName);
  const char *category;
  while (U_SUCCESS(status) && (category = uenum_next(categories, nullptr, &status)) != nullptr) {
    int32_t length = 0;
    const UChar *name = ucurr_getPluralName(units, locale, nullptr, category, &length, &status);
    if (U_FAILURE(status) || u_strcmp(name, units) == 0) {
      lines.clear();
      break;
    }
    std::string text;
    icu::UnicodeString(name, length).toUTF8String(text);
    if (!usesName(rules, locale, code, category, text, otherName)) continue;
    if (!lines.empty()) lines += '\t';
    lines += category;
    lines += '\t';
    lines += text;
  }
  uenum_close(categories);
  uplrules_close(rules);
  if (lines.empty() || int32_t(lines.size()) > capacity) return -1;
  lines.copy(names, lines.size());
  return int32_t(lines.size());
}

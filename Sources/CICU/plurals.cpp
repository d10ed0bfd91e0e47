// Returns CLDR's plural rules as text, which Swift evaluates.
#include "CICU.h"
#include "copy.h"
#include "resources.h"

#include <unicode/ures.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>

#include <cstring>
#include <string>

namespace {

// Returns the name of a locale's rule set. Like ICU, removes subtags from the locale until it is listed.
std::string ruleSet(UResourceBundle *sets, const char *locale) {
  char name[ULOC_FULLNAME_CAPACITY];
  UErrorCode status = U_ZERO_ERROR;
  uloc_getBaseName(locale, name, sizeof name, &status);
  while (U_SUCCESS(status) && name[0] != 0) {
    UErrorCode found = U_ZERO_ERROR;
    int32_t length = 0;
    const UChar *set = ures_getStringByKey(sets, name, &length, &found);
    if (U_SUCCESS(found)) {
      std::string text;
      return icu::UnicodeString(set, length).toUTF8String(text);
    }
    char parent[ULOC_FULLNAME_CAPACITY];
    uloc_getParent(name, parent, sizeof parent, &status);
    std::memcpy(name, parent, sizeof name);
  }
  return "";
}

}  // namespace

bool cicu_plural_rules(const char *locale, bool ordinal, char *rules, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const Bundle plurals(ures_openDirect(nullptr, "plurals", &status));
  const Bundle sets(ures_getByKey(plurals.get(), ordinal ? "locales_ordinals" : "locales", nullptr, &status));
  if (U_FAILURE(status)) return false;
  const std::string set = ruleSet(sets.get(), locale);
  std::string text;
  if (!set.empty()) {
    const Bundle all(ures_getByKey(plurals.get(), "rules", nullptr, &status));
    const Bundle categories(ures_getByKey(all.get(), set.c_str(), nullptr, &status));
    while (U_SUCCESS(status) && ures_hasNext(categories.get())) {
      const char *category = nullptr;
      int32_t length = 0;
      const UChar *rule = ures_getNextString(categories.get(), &length, &category, &status);
      if (U_FAILURE(status) || category == nullptr) return false;
      if (std::strcmp(category, "other") == 0) continue;
      std::string condition;
      icu::UnicodeString(rule, length).toUTF8String(condition);
      text.append(category).append(": ").append(condition.substr(0, condition.find('@'))).append("\n");
    }
    if (U_FAILURE(status)) return false;
  }
  return copy(text, rules, size_t(capacity));
}

// The parents, distances, names and collation of languages in CLDR.
#include "CICU.h"
#include "copy.h"
#include "resources.h"

#include <unicode/localematcher.h>
#include <unicode/locdspnm.h>
#include <unicode/ucol.h>
#include <unicode/ucurr.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>
#include <unicode/uregion.h>
#include <unicode/ures.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct CICULanguageMatcher {
  icu::LocaleMatcher matcher;
  std::vector<std::string> supported;
};

namespace {

std::string tag(const icu::Locale &locale) {
  UErrorCode status = U_ZERO_ERROR;
  const auto text = locale.toLanguageTag<std::string>(status);
  return U_SUCCESS(status) ? text : "";
}

// CLDR's exceptions to the rule that a locale's parent is the locale without its last subtag, in ICU's spelling.
const std::map<std::string, std::string> &parentExceptions() {
  static const std::map<std::string, std::string> parents = [] {
    std::map<std::string, std::string> found;
    UErrorCode status = U_ZERO_ERROR;
    const Bundle data(ures_openDirect(nullptr, "supplementalData", &status));
    const Bundle all(ures_getByKey(data.get(), "parentLocales", nullptr, &status));
    while (U_SUCCESS(status) && ures_hasNext(all.get())) {
      const Bundle entry(ures_getNextResource(all.get(), nullptr, &status));
      if (U_FAILURE(status)) break;
      const std::string parent = ures_getKey(entry.get());
      // A single child is a string. Several children are an array.
      for (int32_t index = 0; index < ures_getSize(entry.get()); index++) {
        int32_t length = 0;
        const UChar *child = ures_getType(entry.get()) == URES_STRING
                                 ? ures_getString(entry.get(), &length, &status)
                                 : ures_getStringByIndex(entry.get(), index, &length, &status);
        if (U_FAILURE(status)) break;
        std::string name;
        found[icu::UnicodeString(child, length).toUTF8String(name)] = parent;
      }
    }
    return found;
  }();
  return parents;
}

// Returns whether a locale is a language in a script other than its default one. The parent of such a locale is the
// root, since its users may not read the default script. CLDR 42 lists these languages; since CLDR 43 it is a rule.
bool isInUnlikelyScript(const icu::Locale &locale) {
  if (*locale.getScript() == 0 || *locale.getCountry() != 0 || *locale.getVariant() != 0) return false;
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale likely(locale.getLanguage());
  likely.addLikelySubtags(status);
  return U_SUCCESS(status) && std::strcmp(likely.getScript(), locale.getScript()) != 0;
}

icu::LocaleDisplayNames *displayNames(const icu::Locale &locale) {
  UDisplayContext contexts[] = {UDISPCTX_DIALECT_NAMES, UDISPCTX_CAPITALIZATION_FOR_MIDDLE_OF_SENTENCE,
                                UDISPCTX_LENGTH_FULL, UDISPCTX_NO_SUBSTITUTE};
  return icu::LocaleDisplayNames::createInstance(locale, contexts, 4);
}

}  // namespace

std::string parentLocale(const std::string &name) {
  const icu::Locale locale(name.c_str());
  const auto exception = parentExceptions().find(locale.getBaseName());
  if (exception != parentExceptions().end()) return exception->second;
  if (isInUnlikelyScript(locale)) return "root";
  char cut[ULOC_FULLNAME_CAPACITY];
  UErrorCode status = U_ZERO_ERROR;
  uloc_getParent(locale.getBaseName(), cut, sizeof cut, &status);
  return U_FAILURE(status) || cut[0] == 0 ? "root" : cut;
}

bool cicu_locale_parent(const char *tagText, char *parent, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(tagText, status);
  if (U_FAILURE(status) || locale.isBogus()) return false;
  const std::string name = parentLocale(locale.getBaseName());
  return copy(name == "root" ? "und" : tag(icu::Locale(name.c_str())), parent, size_t(capacity));
}

CICULanguageMatcher *cicu_matcher_open(const char *const *supported, int32_t count) {
  UErrorCode status = U_ZERO_ERROR;
  icu::LocaleMatcher::Builder builder;
  std::vector<std::string> tags;
  for (int32_t index = 0; index < count; index++) {
    const icu::Locale locale = icu::Locale::forLanguageTag(supported[index], status);
    if (U_FAILURE(status)) return nullptr;
    builder.addSupportedLocale(locale);
    tags.push_back(locale.getName());
  }
  // Without a default, the matcher reports that no language is close enough.
  builder.setNoDefaultLocale();
  icu::LocaleMatcher matcher = builder.build(status);
  if (U_FAILURE(status)) return nullptr;
  return new (std::nothrow) CICULanguageMatcher{std::move(matcher), std::move(tags)};
}

void cicu_matcher_close(CICULanguageMatcher *matcher) { delete matcher; }

int32_t cicu_matcher_best_match(const CICULanguageMatcher *matcher, const char *tagText) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale wanted = icu::Locale::forLanguageTag(tagText, status);
  if (U_FAILURE(status) || wanted.isBogus()) return -1;
  const icu::Locale *best = matcher->matcher.getBestMatch(wanted, status);
  if (U_FAILURE(status) || best == nullptr) return -1;
  for (size_t index = 0; index < matcher->supported.size(); index++) {
    if (matcher->supported[index] == best->getName()) return int32_t(index);
  }
  return -1;
}

bool cicu_display_name(CICUNameKind kind, const char *localeName, const char *code, char *name, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  if (kind == CICUNameCurrency || kind == CICUNameCurrencyPlural) {
    icu::UnicodeString currency = icu::UnicodeString::fromUTF8(code);
    const UChar *currencyCode = currency.getTerminatedBuffer();
    int32_t length = 0;
    const UChar *found =
        kind == CICUNameCurrency
            ? ucurr_getName(currencyCode, localeName, UCURR_LONG_NAME, nullptr, &length, &status)
            : ucurr_getPluralName(currencyCode, localeName, nullptr, "other", &length, &status);
    // For a code without a name, ICU returns the code.
    if (U_FAILURE(status) || status == U_USING_DEFAULT_WARNING) return false;
    text = icu::UnicodeString(found, length);
  } else {
    // Suggestions need hundreds of English names, which are opened once.
    static const icu::LocaleDisplayNames *const english = displayNames(icu::Locale::getEnglish());
    const bool isEnglish = std::strcmp(localeName, "en") == 0;
    const std::unique_ptr<icu::LocaleDisplayNames> other(isEnglish ? nullptr : displayNames(localeName));
    const icu::LocaleDisplayNames *names = isEnglish ? english : other.get();
    if (names == nullptr) return false;
    if (kind == CICUNameRegion) {
      names->regionDisplayName(code, text);
    } else {
      const icu::Locale named = icu::Locale::forLanguageTag(code, status);
      if (U_FAILURE(status)) return false;
      names->localeDisplayName(named, text);
    }
    if (text.isBogus()) return false;
  }
  std::string utf8;
  return !text.isEmpty() && copy(text.toUTF8String(utf8), name, size_t(capacity));
}

bool cicu_region_continent(const char *region, char *code, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const URegion *found = uregion_getRegionFromCode(region, &status);
  if (U_FAILURE(status) || !found) return false;
  const URegion *continent = uregion_getContainingRegionOfType(found, URGN_CONTINENT);
  return continent && copy(uregion_getRegionCode(continent), code, size_t(capacity));
}

bool cicu_locale_is_right_to_left(const char *locale) { return icu::Locale(locale).isRightToLeft(); }

bool cicu_sort(const char *locale, const char *const *texts, int32_t count, int32_t *order) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUCollatorPointer collator(ucol_open(locale, &status));
  if (U_FAILURE(status) || count < 0) return false;
  std::vector<std::string> keys;
  for (int32_t index = 0; index < count; index++) {
    const auto text = icu::UnicodeString::fromUTF8(texts[index]);
    const int32_t length = ucol_getSortKey(collator.getAlias(), text.getBuffer(), text.length(), nullptr, 0);
    std::string key(static_cast<size_t>(length), '\0');
    ucol_getSortKey(collator.getAlias(), text.getBuffer(), text.length(), reinterpret_cast<uint8_t *>(key.data()), length);
    keys.push_back(std::move(key));
  }
  for (int32_t index = 0; index < count; index++) order[index] = index;
  std::sort(order, order + count, [&](int32_t first, int32_t second) {
    const int compared = keys[static_cast<size_t>(first)].compare(keys[static_cast<size_t>(second)]);
    return compared != 0 ? compared < 0 : first < second;
  });
  return true;
}

// Reads strings of ICU's locale data that no formatter of ICU uses.
#include "resources.h"

#include "CICU.h"
#include "copy.h"

#include <unicode/locid.h>
#include <unicode/numsys.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>

#include <vector>

void BundleCloser::operator()(UResourceBundle *bundle) const { ures_close(bundle); }

bool localeString(const char *package, const std::string &locale, std::initializer_list<const char *> path,
                  bool includesRoot, std::u16string &result) {
  std::string name = icu::Locale(locale.c_str()).getBaseName();
  // CLDR's longest chain of parents has five locales.
  for (int depth = 0; depth < 16; depth++) {
    UErrorCode status = U_ZERO_ERROR;
    std::vector<Bundle> bundles;
    // Not ures_openDirect: it caches nb without its parent, and ICU then formats every later price in nb as in the root.
    bundles.emplace_back(ures_open(package, name.empty() ? "root" : name.c_str(), &status));
    // Without data for the locale, ICU opens the one of the default locale.
    if (status == U_USING_DEFAULT_WARNING) bundles.back().reset(ures_open(package, "root", &status));
    // The first key is searched in all parents.
    std::string owner = "root";
    for (const char *key : path) {
      if (U_FAILURE(status)) break;
      bundles.emplace_back(ures_getByKey(bundles.back().get(), key, nullptr, &status));
      if (bundles.size() > 2 || U_FAILURE(status)) continue;
      owner = ures_getLocaleByType(bundles.back().get(), ULOC_ACTUAL_LOCALE, &status);
      if (owner == "root" && !includesRoot) return false;
    }
    if (U_SUCCESS(status)) {
      int32_t length = 0;
      const UChar *text = ures_getString(bundles.back().get(), &length, &status);
      if (U_SUCCESS(status)) {
        result.assign(text, size_t(length));
        return true;
      }
    }
    if (owner == "root") return false;
    name = parentLocale(owner);
  }
  return false;
}

bool cicu_at_least_pattern(const char *localeName, char *pattern, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(localeName);
  const std::unique_ptr<icu::NumberingSystem> numbering(icu::NumberingSystem::createInstance(locale, status));
  if (U_FAILURE(status)) return false;
  std::u16string found;
  // The patterns of the other numbering systems are aliases for those of latn, unless a locale has its own.
  if (!localeString(nullptr, localeName, {"NumberElements", numbering->getName(), "miscPatterns", "atLeast"}, false,
                    found)
      && !localeString(nullptr, localeName, {"NumberElements", "latn", "miscPatterns", "atLeast"}, true, found)) {
    return false;
  }
  std::string utf8;
  return copy(icu::UnicodeString(found.data(), int32_t(found.size())).toUTF8String(utf8), pattern, size_t(capacity));
}

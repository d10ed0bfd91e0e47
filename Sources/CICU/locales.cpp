// Resolves locales and regions, and finds the data that ICU uses for them.
#include "CICU.h"
#include "copy.h"
#include "resources.h"

#include <unicode/locid.h>
#include <unicode/numsys.h>
#include <unicode/uloc.h>
#include <unicode/ucal.h>
#include <unicode/ulocdata.h>
#include <unicode/uregion.h>
#include <unicode/ures.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

// Returns whether ICU has a resource bundle with exactly this name, without fallback.
bool hasBundle(const std::string &name) {
  UErrorCode status = U_ZERO_ERROR;
  const Bundle bundle(ures_openDirect(nullptr, name.c_str(), &status));
  return U_SUCCESS(status);
}

// Returns the resource bundle that ICU uses for a locale, after aliases and fallback.
std::string usedBundle(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  const Bundle bundle(ures_open(nullptr, locale, &status));
  const char *valid = ures_getLocaleByType(bundle.get(), ULOC_VALID_LOCALE, &status);
  return U_SUCCESS(status) && valid != nullptr ? valid : "";
}

// Returns whether ICU lists a locale. The list has only canonical names, so a listed locale is not an alias.
bool isListed(const std::string &name) {
  // Stores pointers to ICU's own names. Copying all names would take longer than formatting a price.
  static const auto precedes = [](const char *a, const char *b) { return std::strcmp(a, b) < 0; };
  static const std::vector<const char *> *const listed = [] {
    auto *names = new std::vector<const char *>;
    for (int32_t index = 0; index < uloc_countAvailable(); index++) names->push_back(uloc_getAvailable(index));
    if (!std::is_sorted(names->begin(), names->end(), precedes)) std::sort(names->begin(), names->end(), precedes);
    return names;
  }();
  return std::binary_search(listed->begin(), listed->end(), name.c_str(), precedes);
}

// The languages, scripts and variants of the locales that ICU lists.
//
// ICU's other resource bundles, such as "plurals", are not languages. Bundles with an unlisted script or variant are not
// searched for, because ICU's cache keeps every name that was searched for.
struct ListedSubtags {
  std::unordered_set<std::string> languages, scripts, variants;
};

const ListedSubtags &listedSubtags() {
  static const ListedSubtags *const listed = [] {
    auto *subtags = new ListedSubtags;
    for (int32_t index = 0; index < uloc_countAvailable(); index++) {
      const icu::Locale locale(uloc_getAvailable(index));
      subtags->languages.insert(locale.getLanguage());
      subtags->scripts.insert(locale.getScript());
      subtags->variants.insert(locale.getVariant());
    }
    return subtags;
  }();
  return *listed;
}

// Returns whether a region was divided into several territories, such as AN. Such a code is ambiguous.
bool regionWasDivided(const char *code) {
  UErrorCode status = U_ZERO_ERROR;
  const URegion *region = uregion_getRegionFromCode(code, &status);
  if (U_FAILURE(status) || region == nullptr || uregion_getType(region) != URGN_DEPRECATED) return false;
  UEnumeration *successors = uregion_getPreferredValues(region, &status);
  const int32_t count = U_SUCCESS(status) && successors != nullptr ? uenum_count(successors, &status) : 0;
  uenum_close(successors);
  return count > 1;
}

// Returns whether a code is empty, or is the current or former code or an alias of a region.
bool regionIsNamed(const char *code) {
  UErrorCode status = U_ZERO_ERROR;
  return code[0] == 0 || (uregion_getRegionFromCode(code, &status) != nullptr && U_SUCCESS(status));
}

bool regionIsKnown(const char *code) {
  UErrorCode status = U_ZERO_ERROR;
  const URegion *region = uregion_getRegionFromCode(code, &status);
  if (U_FAILURE(status) || region == nullptr) return false;
  URegionType type = uregion_getType(region);
  return type != URGN_UNKNOWN && type != URGN_DEPRECATED;
}

std::string joined(const std::string &language, const std::string &script, const std::string &region,
                   const std::string &variant, char separator) {
  std::string name = language;
  for (const std::string *part : {&script, &region, &variant}) {
    if (!part->empty()) name.append(1, separator).append(*part);
  }
  return name;
}

}  // namespace

void cicu_versions(CICUVersions *versions) {
  UVersionInfo version;
  u_getVersion(version);
  std::snprintf(versions->icu, sizeof versions->icu, "%d.%d", version[0], version[1]);
  UErrorCode status = U_ZERO_ERROR;
  ulocdata_getCLDRVersion(version, &status);
  std::snprintf(versions->cldr, sizeof versions->cldr, "%d.%d", version[0], version[1]);
  u_getUnicodeVersion(version);
  std::snprintf(versions->unicode, sizeof versions->unicode, "%d.%d", version[0], version[1]);
  status = U_ZERO_ERROR;
  const char *zones = ucal_getTZDataVersion(&status);
  std::snprintf(versions->zones, sizeof versions->zones, "%s", U_SUCCESS(status) ? zones : "");
}

CICULocaleStatus cicu_locale_resolve(const char *tag, CICULocale *result) {
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale locale = icu::Locale::forLanguageTag(tag, status);
  if (U_FAILURE(status) || locale.isBogus()) return CICULocaleMalformed;
  if (locale.getVariant()[0] == 0 && isListed(locale.getName())) {
    std::string listed = locale.getName();
    std::string listedTag = listed;
    for (char &character : listedTag) character = character == '_' ? '-' : character;
    return copy(listedTag, result->identifier, sizeof result->identifier) &&
                   copy(listed, result->icu, sizeof result->icu) && copy(listedTag, result->data, sizeof result->data)
               ? CICULocaleKnown
               : CICULocaleMalformed;
  }
  if (locale.getCountry()[0] != 0 && regionWasDivided(locale.getCountry())) return CICULocaleUnknownRegion;
  // An unknown region has no alias. This check avoids ICU's slow search for aliases.
  const ListedSubtags &listed = listedSubtags();
  if (listed.languages.count(locale.getLanguage()) != 0 && !regionIsNamed(locale.getCountry())) {
    return CICULocaleUnknownRegion;
  }
  locale.canonicalize(status);
  if (U_FAILURE(status) || locale.isBogus()) return CICULocaleMalformed;

  const std::string language = locale.getLanguage(), script = locale.getScript(), region = locale.getCountry();
  const std::string variant = locale.getVariant();
  if (listed.languages.count(language) == 0) return CICULocaleUnknownLanguage;
  if (!region.empty() && !regionIsKnown(region.c_str())) return CICULocaleUnknownRegion;
  if (listed.variants.count(variant) == 0) return CICULocaleUnknownVariant;

  icu::Locale likely(language.c_str(), region.c_str()), likelyOfLanguage(language.c_str());
  likely.addLikelySubtags(status);
  likelyOfLanguage.addLikelySubtags(status);
  if (U_FAILURE(status)) return CICULocaleMalformed;
  const std::string usedScript = script.empty() ? likely.getScript() : script;
  const bool scriptIsDefault = usedScript == likelyOfLanguage.getScript();
  if (!scriptIsDefault && (listed.scripts.count(usedScript) == 0 ||
                           (!hasBundle(joined(language, usedScript, "", "", '_')) &&
                            !hasBundle(joined(language, usedScript, region, "", '_'))))) {
    return CICULocaleUnknownScript;
  }

  // Without the script, ICU would use the language's default script for a locale such as sr-ME.
  const std::string icuScript = script.empty() && !scriptIsDefault ? usedScript : script;
  const std::string icuName = joined(language, icuScript, region, variant, '_');
  if (!variant.empty() && !hasBundle(icuName)) return CICULocaleUnknownVariant;
  std::string tagVariant = variant;
  for (char &character : tagVariant) character = character == '_' ? '-' : char(std::tolower(character));
  std::string data = usedBundle(icuName.c_str());
  for (char &character : data) character = character == '_' ? '-' : character;
  if (!copy(joined(language, script, region, tagVariant, '-'), result->identifier, sizeof result->identifier) ||
      !copy(icuName, result->icu, sizeof result->icu) || !copy(data, result->data, sizeof result->data)) {
    return CICULocaleMalformed;
  }
  return CICULocaleKnown;
}

bool cicu_locale_for_region(const char *code, char *identifier, int32_t capacity) {
  char region[8];
  if (!cicu_region_canonical(code, region, sizeof region) || !regionIsKnown(region)) return false;
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale likely("und", region);
  likely.addLikelySubtags(status);
  likely.minimizeSubtags(status);
  if (U_FAILURE(status) || likely.getLanguage()[0] == 0) return false;
  return copy(joined(likely.getLanguage(), "", region, "", '-'), identifier, size_t(capacity));
}

bool cicu_locale_for_language(const char *tag, char *identifier, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  icu::Locale likely = icu::Locale::forLanguageTag(tag, status);
  likely.addLikelySubtags(status);
  if (U_FAILURE(status) || likely.getCountry()[0] == 0) return false;
  // The script is omitted if it is the region's default.
  icu::Locale ofRegion(likely.getLanguage(), likely.getCountry());
  ofRegion.addLikelySubtags(status);
  const bool scriptIsUsual = std::strcmp(ofRegion.getScript(), likely.getScript()) == 0;
  return copy(joined(likely.getLanguage(), scriptIsUsual ? "" : likely.getScript(), likely.getCountry(), "", '-'),
              identifier, size_t(capacity));
}

bool cicu_region_canonical(const char *region, char *code, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const URegion *found = uregion_getRegionFromCode(region, &status);
  return U_SUCCESS(status) && found != nullptr && copy(uregion_getRegionCode(found), code, size_t(capacity));
}

int32_t cicu_locale_count(void) { return uloc_countAvailable(); }

const char *cicu_locale_at(int32_t index) {
  return index >= 0 && index < uloc_countAvailable() ? uloc_getAvailable(index) : nullptr;
}

bool cicu_numbering_system_is_decimal(const char *name) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::NumberingSystem> system(icu::NumberingSystem::createInstanceByName(name, status));
  return U_SUCCESS(status) && system && !system->isAlgorithmic();
}

// Internal to this module: reads strings of ICU's locale data.
#ifndef CICU_RESOURCES_H
#define CICU_RESOURCES_H

#include <initializer_list>
#include <memory>
#include <string>

// A type of ICU's, whose headers only source files include.
struct UResourceBundle;

struct BundleCloser {
  void operator()(UResourceBundle *bundle) const;
};
using Bundle = std::unique_ptr<UResourceBundle, BundleCloser>;

// Returns CLDR's parent of a locale, in ICU's spelling: es_419 for es_AR, and root for zh_Hant.
std::string parentLocale(const std::string &name);

// Finds the string at a path of keys in the data of a locale or of its closest ancestor that has one.
//
// `package` is NULL, or one of ICU's data packages, such as U_ICUDATA_UNIT. `includesRoot` says whether the root is an
// ancestor: its entries may be aliases for another path in the locale, which the caller has to follow instead.
bool localeString(const char *package, const std::string &locale, std::initializer_list<const char *> path,
                  bool includesRoot, std::u16string &result);

#endif

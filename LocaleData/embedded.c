// The data files of this folder, as bytes of the binary. A changed file rebuilds this one.
#include "PriceTagLocaleData.h"
#include <string.h>

static const unsigned char currencies[] = {
#embed "currencies.json"
};
static const unsigned char currency_overrides[] = {
#embed "currency-overrides.json"
};
static const unsigned char storefronts[] = {
#embed "storefronts.json"
};

static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} files[] = {
    {"currencies.json", currencies, sizeof currencies},
    {"currency-overrides.json", currency_overrides, sizeof currency_overrides},
    {"storefronts.json", storefronts, sizeof storefronts},
};

const unsigned char *pricetag_locale_data(const char *name, size_t *count) {
  for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
    if (strcmp(files[index].name, name) == 0) {
      *count = files[index].count;
      return files[index].bytes;
    }
  }
  *count = 0;
  return NULL;
}

// Embeds the named packs, in an object of its own: a program that opens none of them does not contain them.
#include "PriceTagLocaleData.h"
#include <string.h>

static const unsigned char cldr_42[] = {
#embed "packs/cldr-42.pack"
};
static const unsigned char cldr_48[] = {
#embed "packs/cldr-48.pack"
};

static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} packs[] = {
    {"cldr-42", cldr_42, sizeof cldr_42},
    {"cldr-48", cldr_48, sizeof cldr_48},
};

const unsigned char *pricetag_named_pack(const char *name, size_t *count) {
  for (size_t index = 0; index < sizeof packs / sizeof packs[0]; index++) {
    if (strcmp(packs[index].name, name) == 0) {
      *count = packs[index].count;
      return packs[index].bytes;
    }
  }
  *count = 0;
  return NULL;
}

// The named packs, in an object of their own: a program that opens none of them does not contain them.
#include "CPriceTagPack.h"
#include <string.h>

static const unsigned char cldr_42[] = {
#embed "cldr-42.pack"
};
static const unsigned char cldr_48[] = {
#embed "cldr-48.pack"
};

const void *price_tag_named_pack(const char *name, size_t *size) {
  *size = 0;
  if (strcmp(name, "cldr-42") == 0) return *size = sizeof cldr_42, cldr_42;
  if (strcmp(name, "cldr-48") == 0) return *size = sizeof cldr_48, cldr_48;
  return NULL;
}

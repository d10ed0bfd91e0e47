// Embeds NOTICE and LICENSE of the top-level folder into the binary. A change of either file rebuilds this one.
#include "PriceTagNotice.h"
#include <string.h>

static const char notice[] = {
#embed "../../NOTICE"
    , 0};

static const char license[] = {
#embed "../../LICENSE"
};

const char *pricetag_notice(size_t *count) {
  *count = sizeof notice - 1;
  return notice;
}

const char *pricetag_data_notice(size_t *count) {
  // Store pages include the data, but not the software of the second part.
  const char *software = strstr(notice, "\n\nPart 2.");
  *count = software ? (size_t)(software - notice) : sizeof notice - 1;
  return notice;
}

const char *pricetag_license(size_t *count) {
  *count = sizeof license;
  return license;
}

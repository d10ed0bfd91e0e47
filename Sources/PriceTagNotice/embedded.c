// The files of the top level, as bytes of the binary. A changed file rebuilds this one.
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
  // Store pages carry data, and none of the software that the second part lists.
  const char *software = strstr(notice, "\n\nPart 2.");
  *count = software ? (size_t)(software - notice) : sizeof notice - 1;
  return notice;
}

const char *pricetag_license(size_t *count) {
  *count = sizeof license;
  return license;
}

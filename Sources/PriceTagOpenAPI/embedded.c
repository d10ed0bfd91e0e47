// Embeds the files of this folder in the binary. The build recompiles this file when one of them changes.
#include "PriceTagOpenAPI.h"

static const unsigned char openapi[] = {
#embed "openapi.json"
};
static const unsigned char page[] = {
#embed "docs.html"
};

const unsigned char *pricetag_openapi(size_t *count) {
  *count = sizeof openapi;
  return openapi;
}

const unsigned char *pricetag_openapi_page(size_t *count) {
  *count = sizeof page;
  return page;
}

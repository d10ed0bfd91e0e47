// The file of this folder, as bytes of the binary. A changed file rebuilds this one.
#include "PriceTagOpenAPI.h"

static const unsigned char openapi[] = {
#embed "openapi.json"
};

const unsigned char *pricetag_openapi(size_t *count) {
  *count = sizeof openapi;
  return openapi;
}

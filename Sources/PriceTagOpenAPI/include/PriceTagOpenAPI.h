// The description of the service that is embedded in the binary.
#ifndef PRICETAG_OPENAPI_H
#define PRICETAG_OPENAPI_H

#include <stddef.h>

// The bytes of openapi.json, and how many there are. They live as long as the process and are not terminated by a zero.
const unsigned char *pricetag_openapi(size_t *count);

// The bytes of docs.html, the same document to be read, which Scripts/openapi-page writes from openapi.json.
const unsigned char *pricetag_openapi_page(size_t *count);

#endif

// The API documentation of the service, embedded in the binary.
#ifndef PRICETAG_OPENAPI_H
#define PRICETAG_OPENAPI_H

#include <stddef.h>

// Returns the bytes of openapi.json, and their number. They are valid until the process ends and have no terminating NUL.
const unsigned char *pricetag_openapi(size_t *count);

// Returns the bytes of docs.html, the page that introduces the API.
const unsigned char *pricetag_openapi_page(size_t *count);

#endif

// The description of the service that is embedded in the binary.
#ifndef PRICETAG_OPENAPI_H
#define PRICETAG_OPENAPI_H

#include <stddef.h>

// The bytes of openapi.json, and how many there are. They live as long as the process and are not terminated by a zero.
const unsigned char *pricetag_openapi(size_t *count);

#endif

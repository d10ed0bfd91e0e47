// The data files that are embedded in the binary.
#ifndef PRICETAG_LOCALE_DATA_H
#define PRICETAG_LOCALE_DATA_H

#include <stddef.h>

// Returns the bytes and the size of an embedded file, such as "storefronts.json"; NULL and 0 if the file is not embedded.
// The bytes are never freed, and are not zero-terminated.
const unsigned char *pricetag_locale_data(const char *name, size_t *count);

// Returns the name of the embedded file at an index; NULL if the index is out of range.
const char *pricetag_locale_data_name(size_t index);

// Returns the bytes and the size of a named pack, such as "cldr-48"; NULL and 0 if there is no pack of that name.
const unsigned char *pricetag_named_pack(const char *name, size_t *count);

#endif

// The templates, the style sheet, and the script embedded in the binary.
#ifndef PRICETAG_TEMPLATES_H
#define PRICETAG_TEMPLATES_H

#include <stddef.h>

// Returns the bytes and the byte count of an embedded file such as "store.mustache"; NULL and 0 for an unknown name.
// The bytes have static lifetime and no terminating zero.
const unsigned char *pricetag_template(const char *name, size_t *count);

// Returns the name of the embedded file at an index; NULL after the last one.
const char *pricetag_template_name(size_t index);

#endif

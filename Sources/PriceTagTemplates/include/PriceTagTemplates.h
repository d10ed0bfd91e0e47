// The templates, style sheet and script that are embedded in the binary.
#ifndef PRICETAG_TEMPLATES_H
#define PRICETAG_TEMPLATES_H

#include <stddef.h>

// The bytes of one embedded file, such as "store.mustache", and how many there are; NULL and 0 for a name
// that is not embedded. The bytes live as long as the process and are not terminated by a zero.
const unsigned char *pricetag_template(const char *name, size_t *count);

// The name of each embedded file, in order; NULL from the last one on.
const char *pricetag_template_name(size_t index);

#endif

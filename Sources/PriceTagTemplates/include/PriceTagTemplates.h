// The templates, the style sheet, and the scripts embedded in the binary, and the licenses of PriceTag and of the data and
// software in an executable or a store page. All texts are valid as long as the process.
#ifndef PRICETAG_TEMPLATES_H
#define PRICETAG_TEMPLATES_H

#include <stddef.h>

// Returns the name of the embedded file at an index, such as "store.mustache"; NULL after the last one.
const char *_Nullable pricetag_template_name(size_t index);

// Returns the text of the embedded file at the index of a name.
const char *_Nonnull pricetag_template(size_t index);

// Returns the contents of NOTICE. Its first part is the license of the data that store pages include.
const char *_Nonnull pricetag_notice(void);

// Returns the contents of LICENSE, which NOTICE refers to.
const char *_Nonnull pricetag_license(void);

#endif

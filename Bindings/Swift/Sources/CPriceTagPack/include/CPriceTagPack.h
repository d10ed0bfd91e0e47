#include <stddef.h>

/* Returns the bytes of the pack, and stores their number. */
const void *price_tag_embedded_pack(size_t *size);

/* Returns the bytes of a named pack, such as "cldr-48", and stores their number; NULL if there is no pack of that name. */
const void *price_tag_named_pack(const char *name, size_t *size);

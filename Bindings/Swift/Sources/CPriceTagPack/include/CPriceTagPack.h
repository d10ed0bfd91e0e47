#include <stddef.h>

/* Returns the bytes of the pack, and stores their number. */
const void *price_tag_embedded_pack(size_t *size);

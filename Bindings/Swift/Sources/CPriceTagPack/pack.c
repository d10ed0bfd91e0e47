#include "CPriceTagPack.h"

static const unsigned char bytes[] = {
#embed "store.pack"
};

const void *price_tag_embedded_pack(size_t *size) {
  *size = sizeof bytes;
  return bytes;
}

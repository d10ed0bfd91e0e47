// The packs that an extension contains. The compiler reads them from the files that PRICETAG_STOREFRONTS_FILE and
// PRICETAG_LOCALES_FILE name; without the second, the extension has no pack of price locales.
#include "pricetag_sql.h"

#ifndef PRICETAG_STOREFRONTS_FILE
#error "define PRICETAG_STOREFRONTS_FILE as the path of a pack"
#endif

#define EMBED(name, file)                                                                                      \
  __asm__(".pushsection .rodata\n.balign 16\n.globl " #name "\n.hidden " #name "\n" #name ":\n.incbin \"" file \
          "\"\n.globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n.byte 0\n.popsection\n");          \
  extern const char name[] __attribute__((visibility("hidden")));                                              \
  extern const char name##_end[] __attribute__((visibility("hidden")))

EMBED(pricetag_storefronts_pack, PRICETAG_STOREFRONTS_FILE);

pricetag_text pricetag_sql_embedded_storefronts(void) {
  return (pricetag_text){pricetag_storefronts_pack,
                         (size_t)(pricetag_storefronts_pack_end - pricetag_storefronts_pack)};
}

#ifdef PRICETAG_LOCALES_FILE
EMBED(pricetag_locales_pack, PRICETAG_LOCALES_FILE);

pricetag_text pricetag_sql_embedded_locales(void) {
  return (pricetag_text){pricetag_locales_pack, (size_t)(pricetag_locales_pack_end - pricetag_locales_pack)};
}
#else
pricetag_text pricetag_sql_embedded_locales(void) { return (pricetag_text){NULL, 0}; }
#endif

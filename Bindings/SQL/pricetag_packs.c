// The packs that an extension contains. The compiler reads the named packs from PRICETAG_PACKS_FOLDER, one of which, of the CLDR
// PRICETAG_REFERENCE, is the pack of storefronts unless PRICETAG_STOREFRONTS_FILE names another. PRICETAG_LOCALES_FILE is the pack of
// price locales; without it, the extension has none.
#include "pricetag_sql.h"
#include <string.h>

#ifndef PRICETAG_PACKS_FOLDER
#error "define PRICETAG_PACKS_FOLDER as the path of LocaleData/packs, and PRICETAG_REFERENCE as the number in its file reference"
#endif

#define EMBED(name, file)                                                                                      \
  __asm__(".pushsection .rodata\n.balign 16\n.globl " #name "\n.hidden " #name "\n" #name ":\n.incbin \"" file \
          "\"\n.globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n.byte 0\n.popsection\n");          \
  extern const char name[] __attribute__((visibility("hidden")));                                              \
  extern const char name##_end[] __attribute__((visibility("hidden")))

#define TEXT(name) ((pricetag_text){name, (size_t)(name##_end - name)})

EMBED(pricetag_cldr_42, PRICETAG_PACKS_FOLDER "/cldr-42.pack");
EMBED(pricetag_cldr_48, PRICETAG_PACKS_FOLDER "/cldr-48.pack");

static bool find_named(const char *name, pricetag_text *bytes) {
  if (strcmp(name, "cldr-42") == 0) return *bytes = TEXT(pricetag_cldr_42), true;
  if (strcmp(name, "cldr-48") == 0) return *bytes = TEXT(pricetag_cldr_48), true;
  return false;
}

int32_t pricetag_sql_open_pack(const char *path, const pricetag_pack **pack, const pricetag_pack **file) {
  pricetag_text bytes;
  *file = NULL;
  if (pricetag_sql_is_pack_name(path)) {
    return find_named(path, &bytes) ? pricetag_pack_open(bytes.bytes, bytes.length, pack) : PRICETAG_INVALID_PACK;
  }
  int32_t status = pricetag_pack_open_file(path, pack);
  if (status == PRICETAG_OK) *file = *pack;
  return status;
}

#ifdef PRICETAG_STOREFRONTS_FILE
EMBED(pricetag_storefronts_pack, PRICETAG_STOREFRONTS_FILE);
pricetag_text pricetag_sql_embedded_storefronts(void) { return TEXT(pricetag_storefronts_pack); }
#else
#define NAME_OF(number) "cldr-" #number
#define NAME(number) NAME_OF(number)
pricetag_text pricetag_sql_embedded_storefronts(void) {
  pricetag_text bytes = {NULL, 0};
  find_named(NAME(PRICETAG_REFERENCE), &bytes);
  return bytes;
}
#endif

#ifdef PRICETAG_LOCALES_FILE
EMBED(pricetag_locales_pack, PRICETAG_LOCALES_FILE);
pricetag_text pricetag_sql_embedded_locales(void) { return TEXT(pricetag_locales_pack); }
#else
pricetag_text pricetag_sql_embedded_locales(void) { return (pricetag_text){NULL, 0}; }
#endif

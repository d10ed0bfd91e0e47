// ICU4C as its users call it: one formatter and one result, reused; the text as UTF-8.
#ifndef ICU_PEER_H
#define ICU_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ICUPeer ICUPeer;

ICUPeer *icu_peer_open(const char *locale, const char *currency);

// Formats an amount given as decimal text, and answers the UTF-8 length.
int32_t icu_peer_format(ICUPeer *peer, const char *decimal, int32_t length, uint8_t *utf8, int32_t capacity);

#ifdef __cplusplus
}
#endif
#endif

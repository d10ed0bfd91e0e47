// ICU4C as an application uses it: one formatter and one result, both reused, and text as UTF-8.
#ifndef ICU_PEER_H
#define ICU_PEER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ICUPeer ICUPeer;

ICUPeer *icu_peer_open(const char *locale, const char *currency);

// Formats an amount (decimal text), and returns the UTF-8 length.
int32_t icu_peer_format(ICUPeer *peer, const char *decimal, int32_t length, uint8_t *utf8, int32_t capacity);

typedef struct ICUFormPeer ICUFormPeer;

// A formatter for a number skeleton. Its text is put into a pattern such as "{0}/kg", unless the pattern is NULL.
ICUFormPeer *icu_form_peer_open(const char *locale, const char *skeleton, const char *pattern);
int32_t icu_form_peer_format(ICUFormPeer *peer, const char *decimal, int32_t length, uint8_t *utf8, int32_t capacity);

typedef struct ICURangePeer ICURangePeer;

// A formatter of ranges for a number skeleton, which writes equal bounds as one number, or as an approximate number.
ICURangePeer *icu_range_peer_open(const char *locale, const char *skeleton, bool isApproximate);
int32_t icu_range_peer_format(ICURangePeer *peer, const char *low, int32_t lowLength, const char *high,
                              int32_t highLength, uint8_t *utf8, int32_t capacity);

typedef struct ICUMessagePeer ICUMessagePeer;

// An icu::MessageFormat with the arguments "count" and "price", parsed once.
ICUMessagePeer *icu_message_peer_open(const char *locale, const char *message, const char *price);

// Formats the message with a count, and returns the UTF-8 length. The first function creates new arguments, the second one
// replaces the count in existing arguments.
int32_t icu_message_peer_format(ICUMessagePeer *peer, int64_t count, uint8_t *utf8, int32_t capacity);
int32_t icu_message_peer_format_again(ICUMessagePeer *peer, int64_t count, uint8_t *utf8, int32_t capacity);

#ifdef __cplusplus
}
#endif
#endif

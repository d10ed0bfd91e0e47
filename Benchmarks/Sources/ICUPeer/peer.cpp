#include "ICUPeer.h"

#include <unicode/bytestream.h>
#include <unicode/fmtable.h>
#include <unicode/msgfmt.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>

#include <string>

struct ICUPeer {
  UNumberFormatter *formatter;
  UFormattedNumber *result;
};

ICUPeer *icu_peer_open(const char *locale, const char *currency) {
  UErrorCode status = U_ZERO_ERROR;
  const std::string skeleton = std::string("currency/") + currency;
  UChar units[64];
  u_charsToUChars(skeleton.c_str(), units, int32_t(skeleton.size()) + 1);
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale(units, -1, locale, &status);
  UFormattedNumber *result = unumf_openResult(&status);
  return U_SUCCESS(status) ? new ICUPeer{formatter, result} : nullptr;
}

int32_t icu_peer_format(ICUPeer *peer, const char *decimal, int32_t length, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  int32_t written = 0;
  unumf_formatDecimal(peer->formatter, decimal, length, peer->result, &status);
  const int32_t count = unumf_resultToString(peer->result, units, 256, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, units, count, &status);
  return U_SUCCESS(status) ? written : -1;
}

struct ICUMessagePeer {
  icu::MessageFormat format;
  icu::UnicodeString names[2];
  icu::UnicodeString price;
  icu::Formattable values[2];
};

static int32_t format(const ICUMessagePeer *peer, const icu::Formattable *values, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  peer->format.format(peer->names, values, 2, text, status);
  icu::CheckedArrayByteSink sink(reinterpret_cast<char *>(utf8), capacity);
  text.toUTF8(sink);
  return U_SUCCESS(status) ? sink.NumberOfBytesWritten() : -1;
}

ICUMessagePeer *icu_message_peer_open(const char *locale, const char *message, const char *price) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError error;
  icu::MessageFormat format(icu::UnicodeString::fromUTF8(message), icu::Locale(locale), error, status);
  if (U_FAILURE(status)) return nullptr;
  const auto text = icu::UnicodeString::fromUTF8(price);
  return new ICUMessagePeer{format, {u"count", u"price"}, text, {icu::Formattable(0), icu::Formattable(text)}};
}

int32_t icu_message_peer_format(ICUMessagePeer *peer, int64_t count, uint8_t *utf8, int32_t capacity) {
  const icu::Formattable values[] = {icu::Formattable(count), icu::Formattable(peer->price)};
  return format(peer, values, utf8, capacity);
}

int32_t icu_message_peer_format_again(ICUMessagePeer *peer, int64_t count, uint8_t *utf8, int32_t capacity) {
  peer->values[0].setInt64(count);
  return format(peer, peer->values, utf8, capacity);
}
